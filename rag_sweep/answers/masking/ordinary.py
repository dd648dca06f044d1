"""Words with a capital that are no names: beginnings of sentences, months, departments, products, places."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


BEGINNINGS = _words("""
уважаемый уважаемая уважаемые здравствуйте привет добрый доброе доброго спасибо пожалуйста извините
подскажите скажите позвоните напишите спросите передайте сообщите попросите пишет пишу звонил звонила
звонит беспокоит просит говорит меня мой моя мое мои моей моего моему вам вас ваш ваша ваше наш наша
наше его ее их это этот эта эти тот там тут здесь где куда когда как какой какая какие какое кто что чей
сколько почему зачем можно нужно надо нельзя если для при без под над про через после перед также или
либо еще уже только даже тоже все всех всем вся она они оно мне нам ему ей им работает положена положен
кому чем чему жду прошу хочу могу могут может должен должна нет есть был была были будет the a an and or
but if when where what who why how which whose can could may might must shall should will would do does
did is are was were am be been being has have had not no yes please thanks thank hello hi hey dear good
morning afternoon evening regards best sincerely cheers kind warm many yours i you he she it we they me
him us them my your his her its our their this that these those there here to of in on at by for from
with without about as into over under ask tell call email mail phone ping text contact remind notify
inform meet met see show give send forward help let get make use set check reset write read sign submit
open close speak talk spoke talked invite add remove cc dm note re fw also just still now then today
tomorrow yesterday before after since until while because so than too very never always everyone
everybody anyone somebody someone nobody none nothing something anything each every another other others
some any all both most more less few new old first second last next per via such same own ok okay sorry
""")
CALENDAR = _words("""
январь января феврале февраль февраля март марта апрель апреля май мая мае июнь июня июль июля август
августа сентябрь сентября октябрь октября ноябрь ноября декабрь декабря понедельник вторник среда среду
четверг пятница пятницу суббота субботу воскресенье рождество пасха january february march april may
june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun christmas easter
""")
DEPARTMENTS = _words("""
отдел отдела отделу отделе служба службы службе департамент департамента управление управления дирекция
дирекции центр центра бухгалтерия бухгалтерии кадры кадров кадрам логистика логистики склад склада
юристы безопасность безопасности маркетинг маркетинга финансы финансов поддержка поддержки продажи
продаж закупки закупок охрана охраны приемная приемной снабжение снабжения производство производства цех
цеха филиал филиала офис офиса техподдержка техподдержки канцелярия канцелярии архив архива разработка
разработки тестирование тестирования аудит аудита качество качества складе складом бухгалтерией охране
логистике маркетинге hr it qa pr finance legal accounts accounting payroll marketing sales logistics
purchasing procurement support security ops operations engineering production warehouse reception
facilities quality compliance audit shipping admin administration treasury design research training
development data helpdesk desk department dept team office branch group division unit committee board
management council payable receivable resources human benefits recruiting travel
""")
THINGS = _words("""
клиент клиенты коллега коллеги заказчик пользователь команда банк банка компания компании договор
паспорт администрация россия россии москва москвы москве москву казань казани самара самары самаре сочи
пермь перми омск тула уфа уфе ростов ростова ростове саратов саратова саратове тамбов тамбова тамбове
псков пскова пскове киров кирова кирове киев киева киеве львов львова азов азова серов ковров саров
королев чехов могилев кишинев берлин берлина берлине пекин пекина харьков харькова иваново кострома
новгород новгорода новгороде нижний великий санкт петербург петербурга екатеринбург новосибирск
красноярск челябинск воронеж волгоград краснодар тюмень барнаул иркутск хабаровск владивосток ярославль
рязань астрахань пенза липецк калуга брянск курск тверь сургут минск алматы астана ташкент инн снилс юл
ип фио ооо оао пао зао ао рф гк тк нк омс дмс стаж отпуск премия оклад приказ заявление справка акт
система программа портал кодекс закон федеральный трудовой общий общая главный главная северный южный
восточный западный центральный красный большой малый руководитель начальник начальница директор менеджер
сотрудник сотрудница специалист инженер врач доктор бухгалтер юрист водитель мастер секретарь
администратор оператор кладовщик жена муж сын дочь мать отец мама папа брат сестра бабушка дедушка
подруга друг господин госпожа гражданин гражданка улица проспект площадь город область край район
customer customers client clients user users sir madam colleague colleagues friend friends company bank
service services hiring manager managers director employee employees staff supervisor boss lead leader
head chief officer president partner assistant agent engineer analyst developer accountant lawyer nurse
patient team mr mrs ms miss mx dr prof professor doctor lady lord saint st windows outlook excel word
teams zoom slack jira confluence github gitlab google microsoft apple amazon android iphone linux ubuntu
chrome firefox safari edge sharepoint onedrive salesforce sap oracle adobe acrobat office vpn wifi
facebook twitter linkedin telegram whatsapp viber skype python java javascript docker kubernetes jenkins
kafka london paris berlin madrid rome moscow dublin boston chicago york texas california england
scotland ireland wales britain france germany spain italy poland russia china india japan canada mexico
brazil europe asia africa america english german french spanish italian polish russian chinese indian
japanese american british european dutch act agreement annex appendix article section chapter clause
contract policy policies handbook guide manual form forms portal account accounts order orders ticket
tickets invoice report reports request requests card cards id number leave bonus salary annual sick
parental holiday holidays pay period notice grace probation vacation overtime version release update
error code event log file files folder server network password screen laptop printer mobile app
application website web page internet wireless digital smart north south east west central upper lower
university college school hospital street road avenue lane hall building park airport station hotel
square prime minister speaker chatgpt copilot cortana apply administrator sign out up on off plan plans
program project projects standard general national international federal
""")
SAFE_BEFORE = _words("""
улица улице улицы ул проспект проспекта проспекте пр переулок пер площадь площади имени им бульвар шоссе
набережная метро театр музей завод святой святого святая saint st camp fort port lake mount san santa
los sao monte река реки реке озеро остров гора замок музея музее
""")
"""Words before a name of a place or an institution."""
CITY_BEFORE = _words("город города городе г гор во")
SAFE_BEHIND = _words("""
street st avenue ave road rd lane drive boulevard hall building university college hospital school
foundation inc ltd llc gmbh plc corp corporation company award prize act park airport bank hotel square
bridge church cathedral museum gallery institute islands island county river lake scholarship syndrome
disease test index method model theorem reserve
""")
"""Words behind a name of a place or an institution."""

ENDED_AS_SURNAMES = _words("""
основа основы основу машина машины машину картина картины причина причины причину корзина корзины
корзину половина половины вершина витрина доктрина дисциплина дисциплины медицина медицины кабина кабины
магазин магазина магазине магазины слова слово голова остров острова готов готова здоров здорова основе
часов дов новый нова снова подкова обнова корова столовая столовой кладовая льгота льготы вакцина
вакцины резина резины бензин бензина долина длина длины ширина ширины глубина глубины величина величины
один одна одной мужчина мужчины женщина женщины старшина година равнина плотина пружина турбина картин
термин термина термины тариф кузов корпус покров улов зов кров любовь морковь церковь свекровь кровь
плов клёв лев рев хлев засов рядов годов отзыв отзыва аспирин анальгин инсулин инсулина гемоглобин
витамин витамина витамины маргарин логин логина админ админа админу админы домен домена магазинов
товаров директоров договоров актов счетов отделов кадров ресурсов трудов сводов мастеров тарифов офисов
проектов клиентов сотрудников документов заказов отпусков голосов финский русский английский русской
английской московский московская городской городская английского русского детский детская мужской
женский женская морской заводской складской банковский банковская банковской краткий близкий технический
техническая юридический медицинский медицинская медицинской исторический российский российская
российской российского советский советская советского военный гражданский гражданская гражданского
медицинского технического физический человек человека
""")
"""Common words that end as surnames do."""

SPEECH = _words("""
said says asked asks told tells wrote writes replied thinks thought believes claims claimed insists
insisted promised mentioned agreed agrees disagrees disagreed complained forgot resigned emailed texted
phoned wants wanted knows suggested suggests explained confirmed approved signed сказал сказала говорит
говорила говорил просит просил просила пишет писал писала написал написала спрашивает спрашивал
спрашивала спросил спросила ответил ответила утверждает подписал подписала утвердил утвердила согласовал
согласовала разрешил разрешила обещал обещала звонил звонила позвонил позвонила уволился уволилась
заболел заболела забыл забыла потерял потеряла хочет думает считает жалуется
""")
"""What only people do."""
DETERMINERS = _words("the this that each every no any some another")
"""English words after which no person's name stands."""

STOP = BEGINNINGS | CALENDAR | DEPARTMENTS | THINGS
"""What is part of no name that it stands beside."""
