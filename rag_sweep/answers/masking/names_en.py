"""Names in Latin letters: common first names in English and of the world, and common surnames."""

from __future__ import annotations

_FULL = """
aaron abby abel abigail abraham adele adrian agatha agnes aidan aileen alan albert alec alex alexander
alexandra alexis alfie alfred alice alicia alison alistair allan allen allison alyssa amanda amelia amy
andrea andrew andy angela angelina angie anita ann anna annabel anne annette annie anthony antonia
archie ariel arnold arthur ashley audrey barbara barry bart becky belinda ben benedict benjamin
bernadette bernard bernie bert bertha beth bethany betsy betty beverly bianca blake bob bobby bonnie
brad bradley brandon brenda brendan brent brett brian bridget bruce bryan bryce caitlin caleb calvin
cameron camilla candice carl carla carly carmen caroline carrie casey cassandra catherine cathy cecil
cecilia cedric chad charles charlie cheryl chloe chris christa christina christine christopher cindy
claire clara clarence clark claudia clayton clifford clive clyde cody colin colleen connie connor
constance cora corey cory courtney craig curtis cynthia damian damien dan dana daniel daniela danielle
danny daphne darlene darrell darren darryl dave david deanna debbie deborah debra denise dennis derek
desmond diana diane dianne dominic donald donna doreen doris dorothy doug douglas duncan dustin dwayne
dylan eddie edgar edith edmund eduardo edward edwin eileen elaine eleanor elena elias elijah elise eliza
elizabeth ella ellen elliot elliott elsa elsie emily emma eric erica erik erika erin ernest esther ethan
ethel eugene eunice eva evan evelyn faye felicity felix fergus fiona frances francesca francine francis
fred freddie frederick gabriel gabriella gabrielle gareth gary gavin gemma geoff geoffrey george gerald
geraldine gerard gideon gilbert gillian gina giovanni gladys glenda glenn gloria gordon graham greg
gregory greta gretchen gwen gwendolyn hannah harold harriet harry harvey hector heidi helen helena
henrietta henry herbert hilary hilda howard hugh hugo ian ida imogen ingrid irene isaac isabel isabella
isabelle isla ivan jackie jacob jacqueline jake james jamie jane janet janice jared jasmine jason jay
jayne jeff jeffrey jen jenna jennie jennifer jenny jeremiah jeremy jerome jerry jesse jessica jessie
jill jillian jim jimmy joan joanna joanne jodie joe joel joey johanna john johnny jon jonah jonathan
joseph josephine josh joshua joyce juanita judith judy julia julian juliana julie juliet justin karen
karl karla kate katelyn katherine kathleen kathryn kathy katie katrina katy kayla keith kelly kelsey ken
kendra kenneth kenny kerry kevin kieran kimberly kirsten kirsty kristen kristin kristina kurt kyle lara
larry laura lauren laurence laurie lawrence leah leanne leigh lena leo leon leonard leroy leslie lester
lewis liam lillian linda lindsay lindsey lionel lisa liz lloyd logan lois lorenzo loretta lorna lorraine
louis louise lucas lucia lucille lucinda lucy luke lydia lyle lynn lynne mabel mackenzie maddie
madeleine maggie malcolm mandy marc marcia marcus margaret margie maria marian marianne marie marilyn
marion marissa marjorie marlene marsha marshall martha martin marvin mary matilda matt matthew maureen
maurice mavis meg megan melanie melinda melissa meredith mia micah michael micheal michele michelle mick
mike mildred millie mindy miranda miriam mitchell moira molly mona monica morris muriel murray myra
myrtle nadine nancy naomi natalie natasha nate nathan nathaniel neal ned neil nell nellie nelson
nicholas nicky nicola nicole nigel nina noah noel nora noreen norma norman oliver olivia oscar otto owen
pamela patricia patrick patsy patty paul paula pauline peggy perry pete peter petra phil philip phillip
phillipa phoebe phyllis polly priscilla quentin rachel ralph ramona randall raymond rebecca reggie
regina reginald rex rhonda ricardo richard ricky rita robbie robert roberta rodney roger roland ron
ronald ronnie rory rosalind rosemary rosie ross rowan roxanne roy rudolph rupert russ russell ruth ryan
sabrina sadie sally sam samantha sammy samuel sandra sara sarah saul scott sean sebastian selena seth
shane shannon sharon shaun shawn sheila shelby sheldon shelley sherry sheryl shirley sid sidney simon
sonia sophia sophie stacey stacy stan stella stephanie stephen steve steven stewart stuart susan
susannah susie suzanne sylvia tabitha tamara tammy tanya tara ted terence teresa terrence terri terry
thelma theodore theresa thomas tiffany tim timothy tina toby todd tom tommy toni tony tracey tracy
trevor tricia tristan troy tyler ursula valerie vanessa vera vernon vicki vickie vicky victor vincent
vivian vivienne wallace walter wanda warren wayne wendell wendy wesley wilbur wilfred william willie
wilma winifred winston xavier yolanda yvette yvonne zach zachary zack zelda zoe
"""
_WORLD = """
aakash aarav abdul abdulaziz abdulla abdullah abdulmalik abdulrahman abebe abelardo abena abhinav
abhishek abigael abimbola abiodun abiola abosede achala achieng adaeze adebayo adebola adeel adegoke
adekunle adela ademola adeola adetokunbo adil aditi aditya adnan adolfo adriana adrien adwoa afolabi
afsana agata agneta agnieszka agus agustin ahmad ahmed ahmet ahmetcan aiden aiko aino aisha aishwarya
aitor ajay akash akhil akiko akinyi akira akosua akram akshay akua alain alban alberto aldo aleema
aleida alejandra alejandro aleksander aleksandr aleksandra aleksei aleksy alena alessandra alessandro
alessia alessio alexandre alexandru alexei alexey aleyna alfonso alfredo ali alicja alina alisher
almaz alonso alvaro alzbeta amahle amaka amal amandine amani amara ambika amedeo amelie amina aminata
amir amit amjad amparo amrit amrita ana anais anand ananya anastasia anatol anatoly anaya anders andile
andras andreas andreea andrei andrej andres andrey andrzej aneta angelique angelo anika aniket anil
anish anja anjali anjana anke ankit ankita ankur anmol anneli anneliese annelise annika anoop anselma
anselmo anshul antje antoine antoinette anton antonella antonio antti anuj anupam anurag anusha anushka
anwar anya anzelm aparna apolonia araceli arash archana areej arianna arif arjun arlette armand armando
armen arnaud arnav aroha arpita arrigo arslan artem artur arturo arun arvind asante asha ashok ashwin
asif asim asli astrid asuman atul aude aurelie aurelio avinash ayaan ayanda ayesha aylin ayman ayodele
ayse aysegul aysel ayub ayush azamat aziz azra azzurra babajide babatunde balint baltasar bamidele
baozhai baptiste barbora baris bartlomiej bartosz basak bashir basma bassam bastian beata beatrice
beatriz behnaz belen benito benoit beppe berk bernardo bertrand betul bhavana bhavesh biagio bilal
birgit birgitta bjorn blazej bogdan bogdana bogumila boguslaw bohumil bojan bongani boris borje bozena
bozidar branko braulio brigida brigitte brinda britta bronislaw brunella bruno budi bulent burak buse
bushra busisiwe calogero camila camille camillo camilo canan capucine carina carlo carlos carmela
carmelo carmine carola carole carolina carsten catalin catalina catarina caterina cayetano cecile
cecylia celine cem cengiz cesar chandan changming chantal chetan chiamaka chiara chibuzo chidi chidinma
chika chinedu chinonso chinwe chioma chitra chiyo christelle christer christiane christoph chukwuma
chunhua cihan cinzia ciprian claudio clemence colette concetta consuelo corentin corina corinne cornelia
cosimo cosmin cristian cristiano cristina cristobal cuong czeslaw daciana dagmar dagmara daichi daiki
daisuke dalia dalibor damilola damir dandan daniil danuta dario dariusz darya davide debjani debora
deepa deepak deepika dejan delfina delphine denis deniz detlef devi devika dewi dhruv didier diego
dieter dilara dilip dimitri dimitris dinesh divya diya dmitri dmitriy dmitry dobromir domenico dominik
dominique donatella donato dorota dorothea dragan dragana dragos dumitru dusan ebba eberhard ebru ebuka
eckhard edeltraud edmond edoardo edouard eduard edyta eero eeva efosa efrain efua eiji ekaterina eko
ekow ekrem elcin elfriede elham elif elina elisa elisabeth elisabetta elizaveta elodie eloise eloy
elvira elzbieta emad emanuela emanuele emeka emiko emil emile emilia emiliano emilie emilien emilio
emine emir emmanuel emmi emre endang ennio enrico enrique enriqueta enzo ercan erdal erdem erkan ermanno
ernestine ernesto ersin erwin eryk esha esin eskil esra esteban estela estelle eszter etienne etsuko
ettore eugen eugenia eugenie eugenio eunji eunjung eusebio evaristo evgenia evgeny ewa ewald ezequiel
ezgi ezio fabian fabien fabienne fabio fabiola fabrice facundo fadime faisal farah farhan farid farida
farouk fatemeh fatih fatima fatma fatou faustino fausto fawad fawzia fayez federica federico felicie
felicja felipe femi ferenc ferhat fermin fernand fernanda fernando filip filiz fiorella fitri flavia
flavio florian folake folasade fortunato francesco francisco franciszek franco francois francoise
frantisek frauke frederic frederique fredrik frida frieda friedhelm friedrich frithjof fulvio fumiko
fumio funmilayo fusun fyodor gabor gabriela gabriele gael gaelle gaetano galina gamze ganesh gargi
gaspar gaston gaurav gauri gautam gbenga geeta genevieve gennaro genoveva georgi gerardo gerda gerhard
germaine geza ghada ghassan gheorghe ghislaine giacomo giada giampiero giang gianluca gianmarco gianni
gilberto gilda gilles ginevra gino giordano giorgio giovanna girish gisela gisele giulia giuliana
giuliano giuseppe giuseppina gokhan gonzalo gopal goran gottfried govind graciela graziella grazyna
gregoire gregorio grzegorz guadalupe gudrun guenter gugu guido guilhem guillaume guillermo guiying gulay
gulcan gulnara gulsen gunes gunilla gunnar gunter gunther guoliang gustav gustavo gyorgy gyula habib
habiba hacer hadi hadiya hafsa haider haiyan hakan hakon halina haluk hamad hamdan hamid hamza hanan
hande haneul hanne hannelore hans harald hardik harini harish harsha hartmut haruka haruki haruto hasan
hassan hatem hatice hedwig heike heikki heiko heiner heinrich heinz helene helga helmi helmut hemant
hemi hendra henriette henrik henryk heriberto hernan herta hiba hideki hideo hien hieronim hikaru hilde
hildegard hiroki hiroko hiromi hiroshi hiroto hisham hitesh hitomi hlengiwe holger hongmei honorata
horacio horia horst hortense hossein hubert huda huguette huiling huma humberto huong huseyin hussein
huyen hyejin hyunwoo ibrahim ifeanyi ifeoma ignacio ignazio igor ikechukwu ilaria ildar ileana ilkay
ilker ilkka ilona ilya imelda imran imre indah indira ines ingeborg inger ingo ioana ioannis iqbal irem
ireneusz irina irma irmgard isabela isamu ishaan ishita isidro ismael ismail isolde istvan itziar iulia
ivana ivano iwona izabela jaber jabulani jacek jacinto jacopo jacques jadwiga jaehyun jafar jagdish
jagoda jaime jakub jamal jamila jana janos janusz jarek jari jarmila jarmo jaroslav jaroslaw jasna jatin
javed javier jawad jayesh jazmin jelena jeronimo jerzy jesper jesusa jiahui jianguo jianhong jianjun
jiayi jibril jihoon jimin jindrich jingyi jinhua jinwoo jiri jisoo jitka jiwoo joachim joao joaquin
jochen joelle joerg johan joko jolanta jonas joonho jorg jorge jorgen jose josefa josefina josette
josiane jovan jovana jozef jozsef juan juergen juha jukka julien julieta juliette julio juliusz junho
junichi junjie junko jurgen justine jutta jyoti kabir kailash kaisa kaito kalle kalpana kamal kamala
kamau kamil kamila kaori kapil kareem karel karim karima karin karlheinz karolina karsten kartik kartika
kasia katalin katarina katarzyna katharina katja katrin katsumi kavita kavya kazimierz kazuki kazuko
kazuo kazuya kedar keiko keita kemal kemi kenji kentaro kerem kerstin keshav khadija khaled khalid
khalil khanh khaya khoa kinga kiran kirsi kirstin kishore kiyoshi kjell klara klaus kofi koji kojo
konrad konstantin konstantinos koray krishna kriti krystian krystyna krzysztof ksenia kseniya kuba
kumiko kunal kunle kwabena kwaku kwame kwasi kweku kyoko ladislav laetitia lajos lakshmi lalit lamberto
larisa lars laszlo latifa laureano laurent laurentiu lauri lavanya layla leandro lech leena leila lenka
lennart leonardo leonel leonie leonor leopoldo lerato lestari leszek leticia letizia levent leyla lidia
lieselotte lihua liliana liling lindani lindiwe linh linnea livia lixin ljiljana ljubica loic loredana
lorena lorenz lothar lubna lubos luca lucette luciana luciano lucie lucien lucienne lucrezia lucyna
ludek ludmila ludovic ludovica ludvig luigi luis luisa lukas lukasz lungile lwazi lyudmila maarit
macarena maciej madhav madhu madhuri magali magda magdalena mahdi mahesh mahima mahmoud maite maja
makoto maksim malgorzata malin malini malwina mamadou mamta manabu manal manasi mandeep mandla manfred
manish manoj manolo manpreet mansoor manuel manuela marat marcel marcela marcelino marcella marcelle
marcelo marcin marco marek margarita margaux margherita marguerite mariam mariana mariangela maribel
mariella marielle mariko marilena marina mario marisol marius mariusz mariyam marjan marketa markus
marlis martina martine martinka martino martyna marwan maryam marzena masaki masako masashi massimo
mateusz mathieu mathilde matias matilde matteo matthias matthieu matti mattia mauricio maurizio maxence
maxim maxime maximo mayank mayumi mayur mazen mechtild meera megha megumi mehdi mehmet mehran meike
meilin meiling melike meltem mert merve mesut metin micaela michal michel michela michiko mieczyslaw
miguel mihaela mihai mihaly mihir mikael mikhail mikko miklos mikolaj milada milena milos milosz minghua
mingming minh minho minji minjun minna minoru minseo mircea mireille mirek mirella mirjana mirko
miroslav miroslawa mirta mirza misaki mithun mitsuko miyuki mladen moeen mohamed mohammad mohammed mohan
mohit mohsen moises monika monique montserrat morgane morten mostafa mounir moussa mpho mridul mthunzi
mubarak muge muhammad mukesh mukul muna munir murali murat murathan mustafa nabil nadeem nadege nadezhda
nadia nadja naeem nagwa naima najib namita nandi nandini naoki naoko narendra naresh nargis nasir
nasreen nasser natalia nataliya nathalie natsuki naveen nawal nayan nazanin ndidi nebojsa necati neeraj
neeta neha nela nemanja nenad nesrin nestor nga ngaio ngoc ngozi nhung niamh nicolas nicoleta nicoletta
nicolo nidal nieves nihat niina nikhil nikita nikola nikolai nikolay nikos nilesh nilufer nimisha
nirmala nisha nishant nitin nizar nkechi nkosana nnamdi nobuko nobuo noelia noemi noemie nomsa nomvula
norbert norberto noriko nosipho ntombi nuno nunzia nupur nuray nurcan nuria nyokabi obinna octavian
octavio odette odhiambo odile ofelia ogechi oguz okan oksana olaf olamide oldrich oleg olegario
oleksandr olena olga olivier oliwia oliwier olof oluchi olufemi olufunmilayo olumide oluwaseun oluwole
omaima omer omkar ondrej onur onyeka orcun oreste orhan orietta oriol ornella orsolya osama osamu oskar
osman osvaldo otieno ottavia ottmar ousmane outi ovidiu oystein ozan ozge ozlem paavo pablo padma
pallavi palmira pankaj paola paolina paolo parisa parth parul parviz pascale patrice patricio patrizia
patrizio patryk paulette pavel pavla pawel payal pedro pekka pelin pernille perrine petar petr petri
petros philippe phuong pierluigi pierre pietro pinar piotr pirjo pooja prabhakar prachi pradeep praful
prakash pranav prashant prashanth pratik praveen pravin predrag preethi preeti priya priyanka puja
purnima putri qasim qiang qiuyue quoc quynh rabia rachid radek radim radka radmila radoslaw radu raed
rafael rafal raffaele raffaella rafiq raghav raghu ragnar rahayu raheem rahul raimundo rainer raj rajan
rajeev rajesh rakesh rakhi ralf raluca ramazan ramesh ramiro ramon rania ranjan ranjit raoul raphael
raquel rasha rashid rashmi rasmus ratan ratna raul ravi razia razvan rebeca recep reem reena regine
rehana reiko reinaldo reiner reinhard reinhold reka rekha remi remy renata renate renato renaud rene
renee renu reyansh reyna reza riccardo riddhi rigoberto riikka rina rini rishabh risto ritu riyad riyadh
rizal roberto rocco rocio rodolfo rodrigo rogelio rohan rohit roksana rolando rolf romain romane romina
roque rosa rosalia rosalinda rosanna rosaura rossana rossella roswitha roxana roza ruben ruchi rudra
ruediger ruggero rui rukhsana rukiye ruolan rupali ruslan rustam ryoko ryota ryszard saanvi saara sabina
sabine sachiko sachin sadia saeed sahil saif sajid sakura saleh salim salma salman salome saloni
salvatore salvatrice samanta samar sameer samir samira samuele sanaa sandeep sandhya sandor sandrine
sanja sanjana sanjay sanjeev sanna santiago santosh sarika sasa sasha satish satoshi saurabh saverio
savita sayuri seamus sebastien seema seiji sekou selcuk selim semih seojun seoyeon seppo serafin serap
serdar serena sergei sergey sergia sergio serhiy serkan setsuko seung severine sevgi sevim shabana shadi
shahid shahin shahzad shailesh shalini shankar shanti shashi sheetal sherin shigeru shilpa shinichi
shinji shiori shirin shivani shizuka shobha shota shreya shruti shuang shubham shufen shweta sibel
sibusiso siddharth siegfried sigrid silke silvana silvestre silvia silvio simona simone simphiwe sinan
sinead siobhan siphesihle sipho siti siyabonga sizwe slawek slawomir slobodan smita sneha snezana sofia
sofie solange solveig somnath sonal songul sonja soojin soraya soren sorin soyeon sphiwe srdjan sri
srinivas srinivasan staffan stanislav stanislava stefan stefania stefano steffen stepan stephane stevan
sture subhash sudha sudhir suhail sujata suleyman sulistyo sumit sungho sunhee sunil sunita
suraj surendra suresh susana susanne sushant sushma svein sven svetlana swantje swapnil swati sylvain
sylvie sylwester sylwia szabolcs szymon tadashi tadeusz taehyung tahir takahiro takako takashi takeshi
takuya tamar tamas tamer tamiko tanvi tarek tariq tarkan tarun tatiana tatjana tatsuya tatyana
teguh temitope teodora teofil tetsuya thabani thabo thandeka thandi thandiwe thanh thao themba thembi
theophile therese thiago thibault thibaut thierry thorsten thuy tiago tianyu tibor tilman timea timo
timur tiziana tiziano tobias tobiasz tolga tomas tomasz tommaso tomoki tomoko tomomi torbjorn torsten
toshi toyin trinh trisha trung trygve tsubasa tsutomu tuan tudor tugba tullio tuncay tunde tuomas turgut
tushar tuula tuyet tymoteusz uchenna ufuk ugo ugur ujjwal ulises ulla ulrich ulrike umar umberto umit
unathi urszula uschi usha ute utkarsh uwe vaclav vadim vaishali valentin valentina valentine valeria
valery varun vasant vasile vasily vasudha vedant veikko venkat venkatesh veronika veronique vesna
vicente vidar vidya viggo vignesh vijay vikas vikram viktor viktoria ville vinay vincenzo vineet vinita
vinod violeta vipul virgilio virginie vishal vishnu vitaly vito vittoria vivek viviana vladan vladimir
vladislav vlasta vojtech volkan volker vuk vusi vyacheslav wafa wairimu walburga waldemar waleed walid
waltraud wanjiru waseem wayan weidong weimin wenjie werner weronika widodo wieslaw wiktor wiktoria
wilfredo wilfried wilhelm winfried wioletta wiremu witold wladyslaw wojciech wolfgang wolfram xiaohong
xiaohui xiaojun xiaoli xiaolong xiaoming xiaoyan xinyi xiomara xiuying xochitl xolani xuan xueqin yagmur
yahya yamini yana yanling yann yannick yanti yaroslav yasemin yasir yasmeen yasmin yasmine yasuko yasuo
yavuz yegor yejin yekaterina yelena yeonju yesenia yetunde yevgeny yewande yigit yildiz yingying
yogesh yohan yoichi yoko yongjun yoona yosef yoshiko yoshio younes youngho yousef youssef yuanyuan
yuehua yukari yuki yukiko yuko yulan yulia yuliya yumei yumi yumiko yuna yuni yuri yusuf yusuke yuta
yutaka yves zacarias zahid zahra zainab zaki zanele zara zayd zayyan zbigniew zdenek zdenka zdzislaw
zehra zeljko zerrin zeynep zhanna zhihao zhiqiang zhiwei ziad zixuan zodwa zofia zoltan zoran zorana
zsofia zubair zuzana zygmunt
"""
_WORDS = """
ada al amber bailey bill brooke carol carter charlotte cooper daisy dean dexter drew ed faith florence
frank glen grace guy hazel heather holly hope hunter iris ivy jack jade jan jasper jean jo jordan joy
kai kim kit lance lee lev li lily mark marta mason max mei mel mickey miles mina ming morgan nick noor
omar parker pat pearl penny rana randy ray rich rob robin rose ruby rusty sandy spencer sue sunny taylor
travis val victoria viola violet virginia viv wade wei will woody ying
"""
_PLACES = """
ace alexa america angel april art asia august austin autumn basil bliss bo brook buddy casper chase
chelsea cherry chip christian claude clay china cliff colt crystal dakota dale dallas dash dawn destiny
don duke earl eve flint ford gay gemini gene grant georgia ginger happy harley harmony heath herb honor
houston india jackson java jenkins jesus jewel june kent king lane lincoln madison major may melody
mercedes mercy milan montana norm olive opal page paris pascal patience phoenix prince prudence reed
rocky rod roman rosario said savannah sierra siri skip sky stanley sterling stormy sultan summer sydney
tiger trinity ty van washington watson windy
"""
_SURNAMES = """
adams adeyemi agarwal almeida andersen anderson aydin bakker banerjee barnes barnett bauer becker
bennett bianchi boyd bryant campbell carlson carvalho celik chavez chen choi chopra coleman collins
crawford daniels davis demir devries diallo dlamini dubois dupont edwards ellis eriksson esposito evans
ferguson fernandez ferreira fischer garcia gibson girard gomes gonzales gonzalez griffin guo gupta
gutierrez guzman hansen harris hayes henderson hernandez hicks hoang hoffmann holmes horvath huang
hughes hussain ionescu ito iyer jansen jensen johansen johansson johnson jones joshi kaminski kapoor
karlsson kato kennedy khan kobayashi kovacs kowalski kumar larsen lefebvre lewandowski lindberg liu
lopez luo macdonald marino martinez mbeki mccarthy mcdonald mehta mendez mensah meyer moore moreau
mueller mukherjee muller munoz murphy myers nagy nair nakamura neumann nguyen nielsen nilsson nkosi
novak nowak o'brien o'connor o'neill okafor okonkwo oliveira olsen olson ortiz owens ozturk patel
patterson pereira perez petersen peterson pham phillips popescu ramirez ramos rao reddy reynolds ribeiro
ricci richardson richter roberts robertson robinson rodriguez rogers rossi sahin sanchez santos schmidt
schneider schroeder schulz shah sharma silva simmons simpson singh smith snyder souza stevens sullivan
suzuki svoboda takahashi tanaka thompson torres tran traore vargas verma visser wagner wang watanabe
williams wilson wisniewski wojcik wright yamada yamamoto yang yilmaz yoshida zhang zhao zhou zhu
zielinski
"""
_SURNAME_WORDS = """
ahmed alexander ali allen arslan baker banks bell bernard bishop black brooks brown burns bush butler
carter clark cole cook cooper costa cross das day dixon ferrari field fisher foster fox freeman frost
gordon graham gray green grey hamilton hart he henry hill howard hu hunt jackson jenkins jordan jung
kang kaya kelly kim king klein knight koch lane laurent lee leroy lewis li lin long love ma marsh
marshall martin mason mills mitchell morris murray nelson palmer park perry pope porter price rice rich
romano rose ross russell russo sanders scott sharp shaw stewart stone sun thomas tucker turner vu walker
wallace ward warren watson webb weber wells west white wolf wood wu xu young
"""

ENGLISH_PLACES = frozenset(_PLACES.split())
"""First names that are places, months, products or titles with a capital as well."""

ENGLISH_WORDS = frozenset(_WORDS.split()) | ENGLISH_PLACES
"""First names that are words as well, with those of places."""

ENGLISH = frozenset((_FULL + _WORLD).split()) - ENGLISH_WORDS
"""First names, case-folded and without accents."""

SURNAMES = frozenset(_SURNAMES.split())
"""Surnames that are nothing else."""

SURNAME_WORDS = frozenset(_SURNAME_WORDS.split())
"""Surnames that are first names or words as well; beside a first name they are surnames."""
