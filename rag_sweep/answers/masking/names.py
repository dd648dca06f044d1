"""Words by which names are told: common first names, and words that are none."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


RUSSIAN = _words("""
александр алексе анатоли андре антон артем артур борис вадим валенти валери васили виктор витали владимир
владислав вячеслав геннади георги григори даниил денис дмитри евгени егор иван игор иль кирилл констант
лев леонид максим марат матве михаил никит никола олег павел петр роман рустам руслан семен серге
станислав степан тимофе тимур федор филипп эдуард юри яков ярослав алина алл анастаси ангелин ан анн
антонин валентин варвар вер вероник виктори галин дарь диан евген екатерин елен елизавет жанн зинаид зо
инн ирин карин кристин ксени ларис лиди любов людмил маргарит мари марин надежд наталь натали нин оксан
ольг полин раис регин светлан соф софь тамар татьян ульян фаин юли ян
""")
"""First names without the endings of their cases."""

ENDINGS = _words("а я у ю ы и е о ь й ой ей ою ею ом ем ам ям ью ия ии ию ий ией ин") | {""}
"""What may follow them in cases: Версия is no form of Вера."""

SURNAMES = _words("ов ова ову ове овы овым овой ев ева еву еве ина ину ине")
"""What may follow them in surnames."""

ENGLISH = _words("""
aaron adam alan albert alex alexander alice amanda amy andrea andrew angela ann anna anne anthony barbara
ben benjamin betty brian carl carol caroline catherine charles charlotte chris christine christopher
claire daniel david deborah dennis diana donald donna dorothy edward elizabeth emily emma eric ethan eva
frank gary george grace hannah harry heather helen henry jack jacob james jane janet jason jeffrey
jennifer jeremy jessica joan john jonathan jose joseph joshua joyce julia julie justin karen kate
katherine keith kelly kenneth kevin kyle larry laura linda lisa louis lucy margaret maria marie mark
martha martin mary matthew megan melissa michael michelle mike nancy natalie nathan nicholas nicole noah
oliver olivia pamela patricia patrick paul peter philip rachel ralph raymond rebecca richard robert roger
ronald rose roy russell ruth ryan sam samantha samuel sandra sara sarah scott sean sharon sophia
stephanie stephen steven susan teresa terry theresa thomas timothy tom tyler victoria vincent virginia
walter wayne william zachary carlos claude diego elodie francois hans ines jorge juan jurgen luis miguel pablo
pedro pierre rene soren zoe alexey andrey anastasia anatoly dmitri dmitry ekaterina elena evgeny fyodor igor
irina ivan konstantin ksenia maksim marina mikhail natalia nikita nikolai nikolay oksana oleg olga pavel petr
sergei sergey svetlana tatiana tatyana vadim viktor vladimir yulia yuri
""")
"""First names, case-folded."""

NO_NAMES = _words("""
уважаемый уважаемая клиент клиенты коллеги коллега заказчик пользователь команда поддержка банк компания
отдел служба договор паспорт россия москва все администрация всех customer customers client sir madam
team all colleague colleagues support user friends everyone hiring manager bank company department
service the a there mr mrs ms miss mx dr prof professor doctor инн снилс юл ип фио
""")
"""Words with a capital that stand where names do."""

WORDS_TOO = _words("""
вера любовь надежда роман лев grace mark rose frank jack carol joy virginia victoria eva alan
""")
"""First names that are words of a headline as well; they tell no name in capitals."""
