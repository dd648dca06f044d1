"""Negations: of a number beside it, and of what its clause says."""

from __future__ import annotations

import re
from functools import lru_cache

from rag_sweep.analyzer import StemmedAnalyzer
from rag_sweep.rules.quantities.bounds import BOUNDS, BREAK, OR_LESS, OR_MORE

_STEMS = StemmedAnalyzer()
_WORDS = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?")
_NUMBER_SIGN = re.compile(r"\bno\.\s*$")
_LISTED = "не|нет|ни|без|никогда|нельзя|not|no|never|without|none|cannot"
_NEGATIONS = frozenset(_LISTED.split("|"))
_CONDITIONS = frozenset({"без", "without"})
"""Before a number they set a condition («без 2 подписей»); behind it they say what it lacks, or when a denial
before it doesn't hold: “don't take it for over 10 days without advice”."""
_DENIES = frozenset({"не", "нельзя", "never", "not", "no", "cannot", "запрещено", "запрещается"})
"""Negations of what a clause says, wherever it stands in it."""
_BETWEEN = "be been being to a an the any have has longer yet also even как еще уже быть был была было были"
_HELPS = frozenset(_BETWEEN.split())
"""Words between a negation and what it denies."""
_PERMISSION = "may can allowed permitted possible allows можно может могут можете"
_ALLOWS = frozenset(_PERMISSION.split())
_ALLOWING = re.compile(r"разреш\w+|допуска\w+|допустим\w+|permit\w*")
_FORBIDS = frozenset({"нельзя", "cannot", "can't", "mustn't", "запрещено", "запрещается"})
_MODALS = frozenset({"must", "may", "can", "should", "shall"})
_HARD = (
    "unless|except|only|until|till|just|either|neither|after|before|once|since|without|"
    "после|спустя|через|до|кроме|только|лишь|пока|ни|нет|без"
)
_PUZZLES = re.compile(rf"\b(?:{_HARD}|исключ\w+)\b")
"""Words that turn a negation into something else, or into more than we can read."""
_GOES_ON = re.compile(r",(?=\s(?:если|когда|при|чей|чья|котор\w+|if|when|who|whose|which|that|where)\b)")
_NEW_PREDICATE = re.compile(
    r"\b(?:and|but|yet|и|но|а)\s+(?:(?:you|it|they|he|she|we|this|that|вы|его|ее|их|он[аои]?)\s+)?"
    r"(?:(?:do|does|must|should|may|can|is|are|will|shall|has|have)\s+)?"
    r"(?:not|never|cannot|[a-z]+n['’]t|не|нельзя|никогда)\b"
)
"""Its denial doesn't reach back: “keep it at 2 to 8 °C and never freeze it”."""
_IF = re.compile(r"\b(?:если|if)\b")
_REFUSES = re.compile(
    r"\b(?:reject\w*|refuse\w*|forbidden|prohibit\w*|banned|exclud\w*|denied|ineligible|invalid|unavailable|exempt\w*"
    r"|block\w*|fails?|deleted|lost|запрещ\w+|воспрещ\w+|отклон\w+|отказ\w+|исключ\w+|недоступ\w+|недействит\w+"
    r"|освобожд\w+|clos(?:e|es|ed)|закры\w+|блокир\w+|удаля\w+|теря\w+|штраф\w*|fined?)\b"
)
_FREE = re.compile(r"\b(?:free|бесплат\w+|даром)\b")
_PAID = re.compile(r"\b(?:pays?|paid|costs?|charg\w+|fees?|плат\w+|оплат\w+|оплач\w+|стои\w+|взима\w+)\b")
_INCLUDING = re.compile(rf"\b(?:{OR_LESS}|{OR_MORE})(?!\w)")
_EXEMPT = "\x1f"
_EXEMPTING = re.compile(r"\b(?:unless|without|без)\b.*", re.DOTALL)
"""When a denial before it doesn't hold; a clause has the sign in its place."""
_PROVIDED = re.compile(r"\b(?:if|when|once|only|with|after|если|когда|при|только|после|по)\b")
_MAY = "may"


def is_negated(text: str, start: int, end: int) -> bool:
    """True if a negation stands up to two words before a number or three behind it, in the same clause."""
    around = f"{text[max(0, start - 60) : start]} {text[end : end + 80]}"
    if not any(map(_negates, _WORDS.findall(around))):
        return False  # nearly always, and cheap to know
    whole = BREAK.split(text[max(0, start - 60) : start])[-1]
    if _NUMBER_SIGN.search(text[max(0, start - 6) : start]):
        whole = ""
    before = BOUNDS.sub("", whole)  # "not more than" is a limit
    behind = BOUNDS.sub("", _behind(text, end))
    near = [word for word in _WORDS.findall(before)[-2:] if word not in _CONDITIONS]
    near += _words_to_next_number(behind)[:3]
    if any(map(_denies, _WORDS.findall(whole.replace("’", "'")))):
        near = [word for word in near if word not in _CONDITIONS]
    return any(map(_negates, near))


def _behind(text: str, end: int) -> str:
    """The rest of a clause behind a number, as far as its verb goes."""
    return _NEW_PREDICATE.split(BREAK.split(text[end : end + 80])[0], maxsplit=1)[0]


def clause_of(text: str, start: int, end: int) -> str:
    """What the clause of a number says before and behind it, without limits, up to other numbers behind."""
    before = _GOES_ON.sub(" ", text[max(0, start - 100) : start])
    behind = re.split(r"\d", _behind(text, end), maxsplit=1)[0]
    before = BREAK.split(before)[-1]
    if _EXEMPTING.search(behind) and any(map(_denies, _words(before))):
        behind = _EXEMPTING.sub(_EXEMPT, behind)
    return f"{before} {behind}"


@lru_cache(maxsize=8192)
def denied(clause: str) -> frozenset[str]:
    """Stems of what a clause denies; nothing where more than one negation, or another word, makes it hard."""
    words = _words(clause)
    places = [at for at, word in enumerate(words) if _denies(word)]
    if len(places) != 1 or _PUZZLES.search(BOUNDS.sub(" ", clause)):
        return frozenset()
    at = places[0]
    behind = [word for word in words[at + 1 :] if word not in _HELPS][:1]
    found = set(_STEMS.tokens(" ".join(behind)))
    imperative = words[at] in ("not", "don't") and words[: at + 1] in (["do", "not"], ["don't"])
    modal = words[at] in _FORBIDS or (at > 0 and words[at - 1] in _MODALS) or imperative
    if modal or any(word in _ALLOWS or _ALLOWING.fullmatch(word) for word in behind):
        found.add(_MAY)
    return frozenset(found)


@lru_cache(maxsize=8192)
def affirmed(clause: str) -> frozenset[str]:
    """Stems of what a clause says without a negation in it."""
    words = _words(clause)
    if any(map(_negates, words)) or any(map(_denies, words)):
        return frozenset()
    allows = any(word in _ALLOWS or _ALLOWING.fullmatch(word) for word in words)
    return frozenset(_STEMS.tokens(" ".join(words))) | ({_MAY} if allows else frozenset())


def are_antonyms(one: str, other: str) -> bool:
    """True if one clause refuses what the other doesn't, or one is for free and the other is paid.

    Then “over 5 is free” and “under 5 is paid” say the same.
    """
    if (_REFUSES.search(one) is None) != (_REFUSES.search(other) is None):
        return True
    return any(_FREE.search(a) and _PAID.search(b) for a, b in ((one, other), (other, one)))


def is_within(limited: str, other: str) -> bool:
    """True for “8 and above”, which 8 itself belongs to, and another clause that sets no limit."""
    return _INCLUDING.search(limited) is not None and BOUNDS.search(other) is None


def is_exempt(one: str, other: str) -> bool:
    """True if one clause denies with an exception («not over 10 days unless …»), and the other tells when."""
    return _EXEMPT in one and _PROVIDED.search(BOUNDS.sub(" ", other)) is not None


def is_condition(clause: str) -> bool:
    """True for “if you do not confirm it within 2 days”, whose other half says the opposite."""
    return _IF.search(clause) is not None


def _words(clause: str) -> list[str]:
    return _WORDS.findall(BOUNDS.sub(" ", clause).replace("’", "'"))


def _denies(word: str) -> bool:
    return word in _DENIES or word.endswith("n't")


def _negates(word: str) -> bool:
    word = word.replace("’", "'")
    return word in _NEGATIONS or word.endswith("n't")


def _words_to_next_number(text: str) -> list[str]:
    """The words up to the next number, whose own negation is none of this one's."""
    return _WORDS.findall(re.split(r"\d", text, maxsplit=1)[0])
