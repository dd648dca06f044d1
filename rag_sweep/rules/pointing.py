"""What else an answer says that refuses: whether it only points to something near, or answers after all."""

from __future__ import annotations

import re
from functools import lru_cache

from rag_sweep.analyzer import StemmedAnalyzer
from rag_sweep.rules.clauses import CONTRAST
from rag_sweep.rules.numbers import claims

_BEGINS = re.compile(rf"\W*{CONTRAST}", re.IGNORECASE)
_ASKING = """
    how much many what when where who whom which why is are can could do does may any there please tell
    сколько какой какая какое какие какого каков какова как когда где куда кто кому чем почему зачем можно ли
    есть нужно будет подскажите скажите
    """
_STEMS = StemmedAnalyzer(stop_words="short", extra_stop_words=tuple(_ASKING.split()))
_WH = re.compile(
    r"\b(?:how|what|when|where|who|whom|which|why|скольк\w+|как\w*|когда|где|куда|кто|кому|чем|почему|зачем)\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\b(?:that|this|it|these|your question|the question|об этом|это|этого|этому|так(?:ой|их|ого)|тут|здесь"
    r"|на (?:этот|ваш|данный) вопрос)\b",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:explicit|exact|direct|precise|specific|прям|явн|точн|конкретн|однозначн)\w*", re.IGNORECASE
)
_SAYS = (
    "(?:cover|mention|name|say|describe|state|list|give|contain|find|found|see|discuss|explain|address|show|note"
    "|specif(?:y|ie)|document|include|mean|speak|talk|deal|concern|relate|refer)"
)
_SAID = (
    r"(?:говор[ия]тся|сказано|указ\w+|опис[аы]\w*|упом[яи]\w+|есть|наш[ле]\w+|известн\w+|приве\w+|приводит\w*"
    r"|содерж\w+|рассматрив\w+|рассмотрен\w*|каса[ею]тся|речь|посвящ\w+|регулиру\w+|информаци\w+|сведени\w+"
    r"|данные|дан[аоы]?|перечислен\w*|назван\w*|представлен\w*|охватыва\w+)"
)
_ONLY = re.compile(
    rf"\b(?:only|just|merely|solely) (?:\w+ )?{_SAYS}(?:s|ed|d)?\b"
    rf"|\b{_SAYS}(?:s|ed|d)? (?:only|just|merely)\b|\b(?:the )?only [^.;\n]{{1,60}}\b{_SAYS}(?:s|ed|d)\b"
    rf"|\b{_SAYS}(?:s|ed|d)?\b[^.;\n]{{1,60}} (?:only|alone)(?=\W*$)"
    r"|\b(?:is|are) (?:limited|restricted|confined) to\b"
    rf"|\b(?:только|лишь|исключительно) (?:об?|про|{_SAID})(?!\w)"
    rf"|\b{_SAID} (?:\w+ )?(?:только|лишь|исключительно)\b"
    r"|\bограничива[ею]тся\b",
    re.IGNORECASE,
)
_SOURCE = (
    r"(?:it|they|there|documents?|context|passages?|sources?|excerpts?|text|materials?|articles?|handbook"
    r"|polic(?:y|ies)|rules?|guides?|manual|sections?|pages?|knowledge base)"
)
_SOURCE_RU = (
    r"(?:документ\w*|контекст\w*|материал\w*|источник\w*|фрагмент\w*|отрывк\w*|текст\w*|стать\w+|раздел\w*"
    r"|правил\w*|инструкци\w*|регламент\w*|памятк\w*|баз\w+ знаний|там|здесь|тут|в н(?:их|ем|ей)|он[иао]?)"
)
_TELLS = re.compile(
    rf"\b{_SOURCE}\b(?!'s| is| are)[^.;,\n]{{0,30}} {_SAYS}(?:s|es|ed|d)?\b"
    r"|\b(?:it|they|there)(?:'s| is| are) (?:\w+ )?"
    r"(?:describ|cover|mention|list|explain|discuss|document|address)ed\b"
    rf"|(?:^|\W){_SOURCE_RU}(?!\w)[^.;,\n]{{0,30}}(?<!\w){_SAID}(?!\w)",
    re.IGNORECASE,
)
"""It is said what a source has."""
_OFFERS = re.compile(
    r"\bi can (?:\w+ )?(?:tell|help|offer|share|point|give)\b"
    r"|\byou (?:may|might) (?:\w+ )?(?:be interested|want)\b"
    r"|\b(?:могу|можем|готова?) (?:\w+ )?(?:рассказать|подсказать|предложить|помочь|поделиться|сообщить)\b"
    r"|\bвозможно, вам\b",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"\W*(?:(?:for|in|on|as for|для|в|на|по|о|об) )?(?:other|another|a different|similar|друг\w+"
    r"|ин(?:ые|ых|ой|ым)|аналогичн\w+|похож\w+)\b",
    re.IGNORECASE,
)
_CASE = re.compile(
    r"\W*(?:(?:but|however|но|однако) )?(?:for|in|on|at|as for|для|в|на|по|у|при)\b", re.IGNORECASE
)
"""Another case than the one that was asked about: «for buses it is 20 kg»."""
_ONE_WORD = r"[\w'-]+[^\w,.;:!?]+"
_PRONOUN = re.compile(
    rf"\W*(?:{_ONE_WORD}){{0,4}}?(?:it|its|they|them|their|s?he|her|him|this|these"
    r"|он[аои]?|его|е[её]|ей|ему|их|ими?|н(?:его|е[её]|ей"
    r"|[её]м|ему|их|ими?)|это|этого)(?!\w)",
    re.IGNORECASE,
)
"""Taken up at the beginning: it is what was asked."""
_GUESS = re.compile(
    r"\b(?:usually|typically|generally|probably|likely|presumably|normally|commonly|perhaps"
    r"|обычно|вероятно|наверн(?:ое|яка)|скорее всего|как правило|по-видимому|видимо|предположительно"
    r"|можно предположить)\b",
    re.IGNORECASE,
)
_REFERS = re.compile(
    r"\b(?:уточн(?:ить|ите|яйте)|узна(?:ть|йте)|спрос(?:ить|ите)|обратит(?:есь|ься)|обращайтесь"
    r"|(?:по)?звоните|свяжитесь|проконсультируйтесь)\b"
    r"|\b(?:contact|ask|call|consult|email|write to|check with|get in touch|reach out"
    r"|find out (?:from|at|by))\b",
    re.IGNORECASE,
)
"""Tells where to ask."""
_TELLS_VALUE = re.compile(
    r"\b(?:бесплатн\w*|даром|free|no charge"
    r"|(?:must|need to|have to|has to|обязан\w*|долж\w+|нужно|необходимо)(?: \w+)? "
    r"(?:contact|ask|call|consult|email|write|уточн\w+|узна\w+|спрос\w+|обрат\w+|звон\w+|позвон\w+))\b",
    re.IGNORECASE,
)
"""A price, or that one must ask, which answers."""
_CALLED = re.compile(
    r"\b(?:телефон\w*|номер\w*|тел\.|добавочн\w+|доб\.|кабинет\w*|окн[еоа]"
    r"|phone|number|room|desk|ext(?:ension)?\.?|call|on)\s*:?\s*\d+(?:[ -]\d+)*(?!\w|\s?[%₽$€£])"
    r"(?!\s?(?:руб|тыс|дн|ден|лет|час|мин|мес|год|year|month|day|hour|minute|dollar|euro))",
    re.IGNORECASE,
)
_ASKED_WHERE = re.compile(
    r"\b(?:куда|кому|кого|кто|кем|где|телефон\w*|номер\w*|контакт\w*|обрат\w+|обращ\w+|позвон\w+|звон\w+|связ\w+"
    r"|узна\w+|уточн\w+|who|whom|where|contact|phone|call|reach|number|e-?mail|ask)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?:(?<=[^\W_] )|(?<=[^\W_], ))[A-ZА-ЯЁ][^\W\d_]{2,}")
"""A word with a capital that no sentence begins with."""
_LOOKED = re.compile(
    r"\b(?:спрашива|вопрос|запрос|просмотр|провери|изучи|искал|посмотрел|ознакоми|на основ|судя|исходя"
    r"|ask|question|checked|looked|searched|reviewed|based on|according)",
    re.IGNORECASE,
)
"""Of what was asked, or done to find an answer."""
FEWEST_WORDS, SHORT, MOST = 2, 4, 0.5
"""Words of a clause that says something; most of one that refuses as a whole; share of a question's words."""


def says_something(clause: str) -> bool:
    """True if it has words beside its citation."""
    return len(_STEMS.tokens(clause)) >= FEWEST_WORDS


def only_points(question: str, refusing: str, other: str) -> bool:
    """True if one part of an answer refuses what was asked, and the other speaks of something else.

    That is so if it tells where to ask, what *only* is there, what a source has, what can be told instead, of
    *other* cases, or by its name of another one than what is refused; and if it has none of the question's
    words where the refusing part has them. It answers after all if the question asks for several things, if
    what is refused is only that it is said *explicitly*, if it takes up what was asked («it is free»), if it
    guesses, or if it has words of the question that the refusing part hasn't.
    """
    asked = _words(question)
    if not asked or len(_WH.findall(question)) > 1:
        return False
    if _OFFERS.search(other) or _ONLY.search(other) or _only_refers(question, other):
        return True
    if _HEDGED.search(refusing) or _GUESS.search(other):
        return False
    denied, said = asked & _words(refusing), asked & _words(other)
    whole = bool(_WHOLE.search(refusing)) or len(refusing.split()) <= SHORT
    if _OTHER.match(other) or _TELLS.search(other):
        return not said or bool(denied - said)
    if _PRONOUN.match(other):
        return False
    if _is_of_another(question, refusing, other):
        return True
    if not said:
        return len(denied) >= MOST * len(asked) or (whole and not _BEGINS.match(other))
    return denied == asked and said != asked and bool(_CASE.match(other) or _BEGINS.match(other))


def answers_first(question: str, before: str, refusing: str) -> bool:
    """True if what stands before a refusal, which cites for both, has words of the question that it hasn't.

    «Справка готовится до 3 дней. Про прошлый год ничего не сказано [b].»
    """
    asked, said = _words(question), _words(before)
    enough = len(said) >= SHORT and not _LOOKED.search(before)
    return enough and bool(asked & _words(refusing)) and bool((asked & said) - _words(refusing))


def _only_refers(question: str, other: str) -> bool:
    """True if it tells where to ask, which wasn't the question, with no number but of a phone, or hours."""
    if not _REFERS.search(other) or _ASKED_WHERE.search(question) or _TELLS_VALUE.search(other):
        return False
    asked = _words(question)
    if any(asked & _words(part) for part in other.split(",") if not _REFERS.search(part)):
        return False
    return all(one.kind in ("code", "clock") for one in claims(_CALLED.sub(" ", other)))


def _is_of_another(question: str, refusing: str, other: str) -> bool:
    """True if a name of the question is refused, and the other part names another: Iceland, Norway."""
    asked = _names(question)
    denied = asked & _words(refusing)
    return bool(denied) and not denied & _words(other) and bool(_names(other) - asked)


def _names(text: str) -> frozenset[str]:
    return _words(" ".join(_NAME.findall(text)))


@lru_cache(maxsize=1024)
def _words(text: str) -> frozenset[str]:
    return frozenset(_STEMS.tokens(text))
