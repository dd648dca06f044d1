"""How an answer says that it has none: patterns for one clause, case-folded, with е for ё and ' for ’.

Each is built of a negation, of what is done with an answer (found, said, covered, given) and of what there
isn't (information, an answer, a word). What a rule of a house may say as well («срок не определён», "it is
not provided") counts only beside sources, or where it is said of what was asked («эта тема», "it", "here").
"""

from __future__ import annotations

OF_WHAT = "(?:информаци|данны|данных|сведени|ответ)"
_WRITTEN = (
    "контекст|документ|материал|источник|фрагмент|отрывк|выдержк|текст|стать|раздел|правил|инструкци"
    "|баз[аеуы] знаний"
    "|context|document|passage|source|excerpt|text|material|article|handbook|polic|question|answer|information"
    "|вопрос|информаци|сведени|данны|данных|ответ"
)
CITED_SOURCES = f"(?:{_WRITTEN})"
"""Beginnings of words for what an answer is made of."""
SOURCES = (
    f"(?:{_WRITTEN}|регламент|памятк|руководств|справочник|методичк|база знаний|базе знаний"
    "|knowledge base|manual|guide|faq|wiki)"
)
"""Also those that are told of in an answer: what is cited may say of them that they don't say it."""

_OF_SOURCES = rf"(?=[^\n]*\b{SOURCES})"
_END = r"(?=\s*(?:[.!?,;]|$))"
_STOP = r"(?=\s*(?:[.!?;]|$))"
_SORRY = (
    r"^\W*(?:(?:к сожалению|увы|извините|простите|но|однако"
    r"|sorry|unfortunately|regrettably|i'm afraid|but|however)\W+)*"
)
"""What a refusal may begin with."""

_ABOUT_RU = r"(?:про|об?о?|насчет|относительно|касательно|по поводу|по теме)"
_FOUND_RU = (
    r"(?:наш[ле]\w+|найден[оаы]?|нашлось|удалось найти|попал[оаи]\w*|попадал\w*|встрет\w+|встреча\w+"
    r"|обнаруж\w+|увидел\w*|вижу|видно|нахожу|отыска\w+)"
)
_SAY_RU = r"(?:ответить|дать ответ|сказать|подсказать|определить|установить|судить|понять)"
_FIND_RU = rf"(?:{_SAY_RU}|найти|обнаружить|отыскать)"
_SAID_RU = (
    r"(?:затронут|затрагива|освещ|раскры|отраж|охвач|прописан|оговор|оговарива|уточн|конкретизир"
    r"|обознач|назван|перечислен|привод|привед|упом[яи]н|описы|написан|значит|фигурир|зафиксир|определ[её]н)\w*"
)
_OUR_RU = r"(?:тем[аыу]|этот вопрос|вопрос об?|так\w+ вопрос|об этом|здесь|тут|нигде)"
_HARD_RU = r"(?:затруднительно|затрудняюсь|сложно|трудно|не берусь|не возьмусь|нечего)"

RUSSIAN = (
    # there is no information
    rf"\bнет (?:такой |таких |этой |этих |нужной |точной |достаточной |никак\w+ )?{OF_WHAT}",
    rf"\b(?:информации|сведений|данных|упоминани[йя]|указани[йя])\b[^.!?,\n]{{0,40}}\bнет{_END}",
    rf"{_SORRY}(?:[^.!?,;\n]{{0,40}}\b{SOURCES}\w* )?(?:\w+ ){{0,2}}ответа (?:\w+ ){{0,2}}нет{_STOP}",
    rf"\b{_ABOUT_RU}\b[^.!?\n]{{0,60}}\bничего нет{_END}|\bничего нет {_ABOUT_RU}\b"
    rf"|\bничего {_ABOUT_RU}\b[^.!?\n]{{0,60}}\bнет{_STOP}",
    rf"\b(?:этого|такого) (?:в|во|среди)\b[^.!?,\n]{{0,30}}\b{SOURCES}\w* нет{_STOP}"
    rf"|\b{SOURCES}\w* (?:\w+ )?(?:этого|такого) нет{_STOP}",
    r"\bнедостаточно (?:информации|данных|сведений|контекста)",
    r"\b(?:информации|данных|сведений|контекста) (?:\w+ )?(?:не хвата\w+|недостаточно)"
    r"|\bне хвата\w+ (?:\w+ )?(?:информации|данных|сведений|контекста)",
    rf"\b{OF_WHAT}\w*\b[^.!?\n]{{0,40}}\bотсутству[ею]т|\bотсутству[ею]т (?:\w+ )?(?:{OF_WHAT}|упоминани)",
    r"\b(?:информаци|сведени)\w*\b[^.!?,\n]{0,40}\bне (?:представлен|приведен|привод)\w*",
    # the sources don't say it
    rf"^{_OF_SOURCES}[^\n]*\bне (?:содерж|освеща|затрагива|рассматрива|раскрыва|привод|привед|сообща|говор"
    r"|отраж|отвеча[ею]т|касаются|касается)\w*",
    rf"^{_OF_SOURCES}[^\n]*\bне {_SAID_RU}",
    rf"\b{_OUR_RU}\b[^.!?\n]{{0,60}}\bне {_SAID_RU}",
    r"\bне (?:содержит|содержат) (?:ответ|информаци|сведени|данных)",
    r"\bне (?:указан[оаы]?|упомина\w+|упомянут\w*|описан[оаы]?|сказано|известн[оаы]|написан[оаы]?"
    r"|говорится)\b|\bнеизвест(?:н[оаы]|ен)\b",
    r"\bничего не (?:сказано|говорится|сообщается|известно|указано|написано|наш[ле]\w+|найдено)\b",
    r"(?<!\bникому )\bни (?:единого |одного )?(?:слова|словом|упоминания|намека|строчки|строки)\b",
    rf"\b(?:{SOURCES}\w*|об этом|{_ABOUT_RU} \w+)\b[^.!?\n]{{0,40}}\b(?:умалчива\w+|молч[аи]т)\b",
    r"\bоб(?:ойд|ход)\w+ (?:молчанием|вниманием|стороной)\b",
    rf"^{_OF_SOURCES}[^\n]*\bне (?:дает|дают|позволя\w+) (?:\w+ ){{0,2}}(?:ответ|{_SAY_RU}|узнать)",
    rf"\b(?:из|по) [^.!?,\n]{{0,30}}\b{SOURCES}\w*\b[^.!?,\n]{{0,30}}\b(?:не ?ясно|не ?понятно|не следует)\b",
    rf"\b(?:выход\w+|лежит|находится) за (?:рамк|предел)\w+[^.!?\n]{{0,30}}\b{SOURCES}",
    # nothing was found
    r"\bне (?:наш[ле]\w+|найден[оаы]?|нашлось|удалось найти)\b",
    rf"\b(?:ничего|{_ABOUT_RU}|так(?:ой|их|ого)|эт(?:ой|их|ого))\b[^.!?\n]{{0,60}}\bне {_FOUND_RU}",
    rf"\b(?:{OF_WHAT}\w*|упоминани\w+)[^.!?,\n]{{0,40}}\bне {_FOUND_RU}",
    # nobody can say
    rf"\bне (?:могу|можем|удалось|удается|получится|смог\w*) (?:\w+ )?{_FIND_RU}",
    rf"\b(?:нельзя|невозможно) (?:\w+ )?{_SAY_RU}",
    rf"\b{_SAY_RU}[^.!?,\n]{{0,30}}\b(?:нельзя|невозможно|не могу|не получится|{_HARD_RU})",
    rf"\b{_FIND_RU} (?:\w+ )?не (?:удалось|удается|получилось|смог\w*)\b",
    rf"\b{_HARD_RU} (?:\w+ ){{0,2}}{_SAY_RU}",
    rf"\bне (?:знаю|располагаю|обладаю|владею|имею (?:доступа|{OF_WHAT})|подскажу|скажу|отвечу)",
    rf"\bу (?:меня|нас) нет (?:\w+ ){{0,2}}(?:доступа|{OF_WHAT})|\bмне (?:\w+ )?недоступн\w+"
    rf"|\b{OF_WHAT}\w*\b[^.!?,\n]{{0,30}}\bнедоступн\w+",
    r"\b(?:могу|умею) (?:\w+ )?(?:отвечать|ответить|помочь|помогать|консультировать|подсказать) (?:\w+ )?"
    r"(?:только|лишь)\b|\b(?:только|лишь) (?:могу )?(?:отвечаю|консультирую|на вопросы (?:об?|по|про))\b"
    r"|\b(?:отвечаю|консультирую|помогаю) (?:только|лишь)\b",
    r"\bвне (?:моей|нашей) компетенции\b|\bне в моей компетенции\b"
    r"|\bс этим (?:\w+ )?не (?:помогу|могу помочь)\b",
    rf"{_SORRY}(?:я )?не (?:уверена?|в курсе)\b",
    rf"{_SORRY}(?:неясно|непонятно|не указано|не уточняется|нет данных|н/д){_STOP}",
)
"""Refusals in Russian."""

_NOT = "(?: not|n't)"
_CANNOT = rf"(?:can(?:no|')t|can not|could{_NOT}|unable to|not able to)"
_NOUN = "information|data|evidence|context|answer|mention|details"
_STATES = "contain|mention|name|say|state|specify|include|provide|cover|tell|address|describe"
_SAYS = (
    f"(?:{_STATES}|list|discuss|explain|indicate|offer|detail|touch on|refer to|speak (?:of|about|to)"
    "|go into (?:that|this|it|any|detail)|give (?:any|an?|the|no|that|us|me)"
    r"|have (?:an?|any|enough) (?:\w+ )?(?:answer|information|details))"
)
_SAID = (
    "(?:mentioned|stated|specified|covered|addressed|discussed|described|listed|given|provided|found|indicated"
    "|explained|detailed|included|spelled out|spelt out|set out|touched on|available|known|clear|there|here)"
)
_ABOUT = "(?:about|on|of|regarding|concerning|as to|to|for|whether|that|how|when|where|who|what)"
_THAT = (
    r"(?:it|that|this|these|they|which|such (?:a )?\w+"
    r"|(?:that|this|the) (?:information|question|answer|topic|detail)s?)"
)
_HERE = (
    rf"(?: (?:here|there|anywhere|at all|yet|(?:in|by|among|from)\b[^.!?\n]{{0,40}}\b{SOURCES}\w*)){{0,2}}"
)

ENGLISH = (
    # there is no information
    r"\b(?:no|not enough|insufficient) (?:such )?"
    rf"(?:{_NOUN})\b(?! (?:within|after|by|may|must|shall|should)\b)",
    rf"\b(?:is|are|was|were){_NOT} (?:any|enough|sufficient) (?:\w+ )?(?:{_NOUN})\b",
    rf"\bno (?:\w+ )?{SOURCES}\w* (?:was|were|is|are|could be) (?:found|given|provided|available)\b",
    rf"\b{SOURCES}\w* (?:is|are|was|were) (?:insufficient|not enough|not sufficient)\b",
    rf"\bno (?:\w+ )?(?:guidance|guidelines|indication|reference|clue|hint|word)(?: {_ABOUT}\b|{_STOP})",
    # the sources don't say it
    rf"\b(?:{SOURCES}\w*|it|they|this|that|these)\b[^.!?,\n]{{0,30}} (?:do(?:es)?|did){_NOT} "
    rf"(?:\w+ )?(?:{_STATES})\b",
    rf"(?:\b{SOURCES}\w*\b[^.!?,\n]{{0,30}}|{_SORRY}(?:it|they|this|that)) (?:do(?:es)?|did){_NOT} "
    rf"(?:\w+ )?{_SAYS}\b",
    r"\b(?:do(?:es)?|did)(?: not|n't) (?:mention|say|state|specify)\b",
    rf"\b(?:is|are|was|were)(?:{_NOT}| never) (?:mentioned|stated|specified|covered|addressed|discussed"
    r"|described)\b",
    rf"\b(?:none of|neither|neither of) (?:\w+ ){{0,2}}?{SOURCES}\w* (?:\w+ )?{_SAYS}(?:s|es)?\b",
    rf"\b(?:is|are)(?:{_NOT} something| missing from| absent from)\b[^.!?\n]{{0,30}}\b{SOURCES}",
    rf"\b{SOURCES}\w*\b[^.!?,\n]{{0,30}}\b(?:fails? to {_SAYS}|leaves? (?:this|that|it) open)\b",
    rf"^{_OF_SOURCES}[^\n]*\b(?:is|are|was|were){_NOT} (?:\w+ )?(?:provided|given|found|available|known"
    rf"|listed|included|here|there|(?:in|among|part of) (?:the|these|my|any)\b[^.!?\n]{{0,20}}\b{SOURCES})",
    rf"{_SORRY}(?:{_THAT}(?:'s not| (?:is|are|was|were){_NOT})|not) (?:\w+ly )?{_SAID}{_HERE}{_END}",
    rf"\b{SOURCES}\w*\b[^.!?,\n]{{0,30}}\b(?:lacks?|omits?)\b|\bno way (?:of|to) know",
    r"\bsilent (?:on|about)\b|\b(?:outside|beyond) the (?:scope|given|provided)",
    rf"\bdo(?:es)?{_NOT} appear (?:anywhere|in\b[^.!?\n]{{0,30}}\b{SOURCES})",
    # nothing was found
    rf"\bnothing\b[^.!?\n]{{0,40}}\b{SOURCES}|\b{SOURCES}\w*\b[^.!?\n]{{0,30}}\bnothing\b",
    r"\bnothing (?:here |there )?(?:says?|mentions?|states?|tells?|specif(?:y|ies)|suggests?|explains?)\b",
    rf"\bnothing (?:\w+ )?(?:about|regarding|concerning)\b[^.!?\n]{{0,60}} (?:is|was|are|were) {_SAID}\b",
    r"\b(?:there(?:'s| is| was)|i have|says?|said|found|finds?|sees?|saw|covers?|contains?|offers?|gives?)"
    r" nothing (?:\w+ )?(?:on|about|regarding|concerning)\b",
    rf"{_SORRY}nothing (?:on|about) (?:[\w-]+ ){{0,2}}[\w-]+(?: (?:is|was|are|were) {_SAID})?{_STOP}",
    rf"\bwon't find\b[^.!?\n]{{0,40}}\b{SOURCES}",
    r"\b(?:come|comes|came|coming) up (?:empty|short)\b|\b(?:draw|drew|drawn|drawing) a blank\b"
    r"|\b(?:turn|turns|turned) up nothing\b",
    r"\bi (?:do|did|can|could)(?: not|n't|not|'t) (?:\w+ )?(?:see|find|spot|locate|come across|recall)\b",
    # nobody can say
    rf"\b{_CANNOT} (?:be )?(?:answer|find|found|say|tell|determine|locate|identify|confirm|establish)",
    r"\bi (?:do not|don't) (?:know|have)\b|\bi(?:'m| am)? (?:can(?:no|')t|can not|unable to|not able to)"
    r" (?:help|assist)\b|\bi have no (?:access|idea|way|record)\b",
    r"\b(?:is|are|was|were)(?: not|n't) (?:something|a (?:question|topic)|anything) (?:that )?i"
    r"(?:'m| am| can| could|'m able)\b|\b(?:that|this|it)'s not (?:something|a (?:question|topic)|anything)"
    r" (?:that )?i(?:'m| am| can| could)\b",
    r"\bi(?:'m| am)? (?:can |could |am |able to )*only (?:able to )?"
    r"(?:answer|help|assist|respond|provide|support)\b"
    r"|\bi (?:can|could) (?:answer|help|assist|respond)(?: \w+)? only\b",
    r"\b(?:outside|beyond) (?:of )?(?:my|what i)\b|\bnot (?:documented|on record)\b|\bundocumented\b",
    r"\b(?:impossible|hard|difficult) to (?:say|tell|answer|determine|establish)\b",
    rf"\b(?:unclear|not clear)\b[^.!?\n]{{0,30}}\b(?:{SOURCES}|whether)",
    r"\bi(?:'m| am) (?:not (?:\w+ )?(?:sure|certain|aware)|unsure|unaware|uncertain)\b",
    rf"{_SORRY}(?:it(?:'s| is) )?(?:unknown|unclear|no idea|none found|not (?:known|sure)|n/a){_HERE}{_STOP}",
)
"""Refusals in English."""

_CONTRACTS = (
    r"(?:polic(?:y|ies)|plans?|insurance|warrant(?:y|ies)|contracts?|agreements?|subscriptions?|tariffs?)"
)
EXCLUDES = (
    rf"\b{_CONTRACTS}\b[^.!?,;\n]{{0,30}} (?:do(?:es)?|did){_NOT} (?:\w+ )?(?:cover|include)\b"
    rf"|\b(?:is|are|was|were){_NOT} (?:covered|included)\b[^.!?,;\n]{{0,10}}\b(?:by|under|in)\b"
    rf"[^.!?,;\n]{{0,20}}\b{_CONTRACTS}"
)
"""What is said of a contract answers whether something is covered."""
