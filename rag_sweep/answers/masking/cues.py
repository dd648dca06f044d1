"""Names that are told by what stands around them: introductions, closings, posts, and what only people do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from rag_sweep.answers.masking.names import (
    is_ambiguous,
    is_first_name,
    is_place_too,
    is_stop,
    is_sure_surname,
    is_surname,
)
from rag_sweep.answers.masking.ordinary import DEPARTMENTS
from rag_sweep.answers.masking.shapes import EDGE, EN_WORD, OF, RU, WORD, own_words


class Cue(NamedTuple):
    """A pattern with the name in its group "it"; `sound` tells by the match whether it is one."""

    pattern: re.Pattern[str]
    sound: Callable[[re.Match[str]], bool]


def _first(match: re.Match[str]) -> str:
    """The first word that is no initial."""
    words = own_words(match["it"])
    return next((own for own in words if len(own) > 1), words[0])


def _is_free(match: re.Match[str]) -> bool:
    """True for a word that isn't known to be no name."""
    return not is_stop(_first(match))


def _is_one(match: re.Match[str]) -> bool:
    """True for a free word that is no plural: Stakeholders suggested, James suggested."""
    return _is_free(match) and (not _first(match).endswith("s") or _is_named(match))


def _is_named(match: re.Match[str]) -> bool:
    """True for a first name or a surname."""
    words = own_words(match["it"])
    return any(map(is_first_name, words)) or is_surname(words[-1]) or _is_person_too(words[0])


def _is_person_too(own: str) -> bool:
    return is_ambiguous(own) and not is_place_too(own)


def _is_told_or_named(match: re.Match[str]) -> bool:
    """Behind a post: a name, or any free word behind a colon or in English; Employee Handbook is none."""
    cue = match["cue"].rstrip()
    free = cue.endswith(":") or (cue[0].islower() and cue.isascii())
    return _is_free(match) and (free or _is_named(match))


def _is_of_department(match: re.Match[str]) -> bool:
    """True before "from" and a department, within a sentence."""
    return _is_free(match) and any(own in DEPARTMENTS for own in own_words(match["of"]))


def _is_introduced(match: re.Match[str]) -> bool:
    """Behind "I am": neither a people (British, German) nor a word that is known."""
    own = _first(match)
    return _is_free(match) and not is_place_too(own) and not re.search(r"(?:ish|ese|[^h]an|ic)$", own)


def _is_small_surname(match: re.Match[str]) -> bool:
    """In small letters only a sure ending before a department tells."""
    told = any(own in DEPARTMENTS for own in own_words(match["of"]))
    return told and is_sure_surname(_first(match))


def _is_initialled(match: re.Match[str]) -> bool:
    """Behind one initial: a surname that is nothing else; Vitamin C. Brown is none."""
    return is_sure_surname(_first(match))


def _are_free(match: re.Match[str]) -> bool:
    """True if none of the words is known to be no name."""
    return not any(is_stop(own) for own in own_words(match["it"]))


_RU2, _RU3 = rf"(?P<it>{RU}(?:[ ]{RU})?)(?!\w)", rf"(?P<it>{RU}(?:\s++{RU}){{0,2}})(?!\w)"
_EN2 = rf"(?P<it>{EN_WORD}(?:[ ]{OF}{EN_WORD})?)(?!\w)"
_EN3 = rf"(?P<it>(?:[A-Z]\.\s*+){{0,2}}{EN_WORD}(?:\s++(?:[A-Z]\.\s*+)?{OF}{EN_WORD}){{0,2}})(?!\w)"
_LAST = r"[ ]?[.!]?\s*+(?:\n|$)"
_OF_A = r"(?P<of>(?:[\w&]{1,20}[ ]){0,2}[\w&]{1,20})"

_POSTS = (
    r"клиент\w?|сотрудни(?:к|ца|ку|це|ка|цы|ком|цей)|пациент\w*+|менеджер\w*+|руководител\w++|директор\w*+"
    r"|бухгалтер\w*+|инженер\w*+|врач\w*+|коллег\w|начальни(?:к|ца|ку|це|ка|цы|ком|цей)|специалист\w*+|юрист\w*+"
    r"|водител\w++|мастер\w*+|программист\w*+|администратор\w*+|секретар\w++|стаж[её]р\w*+|кладовщик\w*+"
    r"|заместител\w++|жен[аыеу]|муж\w?|сын\w?|доч(?:ь|ери)|мам[аыеу]|отец|отц\w|брат\w?|сестр[аыеу]|супруг\w?"
    r"|подруг[аие]|друг\w?"
)
_STRONG_RU = (
    r"меня\s++зовут|моё\s++имя|мое\s++имя|зовут|фио|имя|господин\w*+|госпож\w++|г-н\w?|г-ж\w|гр\.|гражданин\w*+"
    r"|гражданк\w++|уважаем\w++|с\s++уважением,?|подпись"
)
_INTRO_RU = (
    r"это|я|меня|пишет|пишу|звонит|беспокоит|говорит|обращается|на\s++связи|у\s++телефона|подписал[аи]?|утвердил[аи]?"
    r"|согласовал[аи]?|спросите|передайте|сообщите|напишите|позвоните|попросите"
)
_DOES_RU = (
    r"сказал|говорит|говорил|просит|просил|пишет|писал|написал|спрашивает|спросил|ответил|утверждает|подписал"
    r"|утвердил|согласовал|разрешил|обещал|звонил|позвонил|уволился|заболел|забыл|потерял|хочет|уволилась"
)
_CLOSING_RU = (
    r"спасибо|с\s++уважением|жду\s++ответа|благодарю|всего\s++доброго|до\s++свидания|с\s++наилучшими(?:\s++пожеланиями)?"
    r"|хорошего\s++дня|заранее"
)
_CLOSING_EN = (
    r"regards|best(?:\s++wishes)?|thanks|thank\s++you|thx|cheers|sincerely|yours(?:\s++truly)?|respectfully"
)
_KIN_EN = (
    r"manager|boss|supervisor|colleague|coworker|teammate|wife|husband|son|daughter|mother|father|brother|sister"
    r"|friend|assistant|partner|lead|director|employee|patient|customer|client|nurse|accountant|engineer"
)
_HUMAN_EN = (
    r"asked|tells|told|thinks|thought|complained|disagrees|disagreed|agreed|insists|insisted|promised|resigned"
    r"|emailed|texted|phoned|wrote|replied"
)
_SAYS_EN = (
    rf"{_HUMAN_EN}|said|says|approved|signed|confirmed|mentioned|claims|wants|suggested|submitted|explained"
)

_SMALL_RU, _SMALL_EN = r"(?P<it>[а-яё]{4,20})", r"(?P<it>[a-z]{3,20}(?:[ ][a-z]{3,20})?)"
_SMALL_LAST = r"(?P<it>[a-z]{3,20}(?:[ ][a-z]{3,20})?)"
_SMALL_RU2 = r"(?P<it>[а-яё]{3,20}(?:[ ][а-яё]{3,20}){0,2})"
_THINGS_EN = (
    r"laptop|badge|account|mailbox|password|phone|computer|leave|salary|contract|desk|chair|calendar|profile"
)
_HAPPENED_EN = (
    r"(?:was|is|has[ ]been|got|will[ ]be)[ ](?:just[ ]|now[ ])?(?:promoted|hired|fired|dismissed|transferred"
    r"|on[ ](?:\w{1,12}[ ])?leave|sick|ill|away|pregnant|retiring|retired|absent)|lost[ ](?:his|her|their)"
    r"|left[ ]the[ ](?:company|team|firm)|needs[ ](?:an?|his|her)[ ]|forgot|resigned|(?:has|had)[ ]moved"
)
_AGAIN_RU = "опять|снова|уже|еще|ещё|сегодня|вчера"
_HAPPENED_RU = (
    r"боле(?:ет|ла?)|заболела?|уволил(?:ся|ась)|увольняется|забыла?|потеряла?|просит|хочет|вышла|ушла|уш[её]л"
    r"|не[ ](?:может|видит|знает|помнит|успевает|получила?|успела?)|в[ ](?:отпуске|декрете)|на[ ]больничном"
)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


CUES = (
    Cue(_pattern(rf"\b(?i:{_STRONG_RU})\s*+[:—-]?\s*+{_RU3}"), _is_free),
    Cue(_pattern(rf"\b(?P<cue>(?i:{_POSTS})\s*+[:—-]?)\s*+{_RU3}"), _is_told_or_named),
    Cue(
        _pattern(rf"\b(?:(?i:{_POSTS}))(?:[ ][а-яё]{{2,20}}){{1,3}}[ ](?P<it>{RU})(?!\w)"),
        _is_named,
    ),
    Cue(_pattern(rf"\b(?i:{_INTRO_RU})[:,]?[ ]{_RU2}"), _is_named),
    Cue(
        _pattern(
            rf"\b(?i:{_INTRO_RU})[:,]?[ ]{_RU2}[ ](?:из|с|от)[ ](?P<of>(?:[а-яё]{{2,20}}[ ])?\w{{2,20}})"
        ),
        _is_of_department,
    ),
    Cue(
        _pattern(rf"{EDGE}{_RU2}(?=[ ](?:уже[ ]|не[ ]|нам[ ]|мне[ ]|вчера[ ])?(?:{_DOES_RU})(?:а|и)?(?!\w))"),
        _is_named,
    ),
    Cue(_pattern(rf"\b(?i:{_CLOSING_RU})\s*+[,.!—-]?\s*+{_RU2}{_LAST}"), _is_free),
    Cue(
        _pattern(
            r"\b(?i:my\s++name(?:\s++is|['’]s)|dear|hi,?|hello,?|hey,?|regards,?|sincerely,?|signed\s++by|signed:|attn\.?)"
            rf"(?:(?<=\W)|(?!\w))\s*+:?\s*+{_EN3}"
        ),
        _is_free,
    ),
    Cue(_pattern(rf"(?<![\w.&-])(?P<it>[A-Z]\.\s?{EN_WORD})(?!\w)"), _is_initialled),
    Cue(
        _pattern(
            rf"\b(?i:(?:approved|written|sent|signed|prepared)[ ]by|signed),?[ ]"
            rf"(?P<it>[A-Z]\.\s?{EN_WORD})(?!\w)"
        ),
        _is_free,
    ),
    Cue(_pattern(rf"\b(?i:{_CLOSING_EN}|signed),?\s++{_SMALL_LAST}{_LAST}"), _is_named),
    Cue(_pattern(rf"\b(?i:(?:regards|sincerely),)\s++{_SMALL_LAST}{_LAST}"), _are_free),
    Cue(_pattern(rf"\b(?i:с\s++уважением,)\s++{_SMALL_RU2}{_LAST}"), _are_free),
    Cue(_pattern(rf"\b(?P<cue>(?i:name:|{_KIN_EN}:?))[ ]{_EN3}"), _is_told_or_named),
    Cue(_pattern(rf"\b(?i:named|called|contact)[ ]{_EN2}"), _is_named),
    Cue(
        _pattern(
            rf"\b(?i:{_CLOSING_EN})(?:[ ](?:again|a[ ]lot|so[ ]much|in[ ]advance|very[ ]much))?"
            rf"\s*+[,.!-]?\s*+{_EN3}{_LAST}"
        ),
        _is_free,
    ),
    Cue(
        _pattern(
            rf"\b(?i:this[ ]is|it['’]s|it[ ]is|i[ ]am|i['’]m|speaking[ ]to|spoke[ ](?:to|with))[ ]{_EN2}"
        ),
        _is_named,
    ),
    Cue(_pattern(rf"\b(?i:i[ ]am|i['’]m)[ ]{_EN2}(?=[,.;!]|[ ]and[ ])"), _is_introduced),
    Cue(_pattern(rf"\b(?i:this[ ]is)[ ]{_EN2}(?=[ ](?:here|calling|speaking|writing)\b)"), _is_free),
    Cue(
        _pattern(rf"\b(?i:hi|hello|hey|good[ ]morning|good[ ]afternoon)[,.!]?[ ]{_EN2}(?=[ ]here\b)"),
        _is_free,
    ),
    Cue(_pattern(rf"(?<=[\w,][ ]){_EN2}[ ](?:here[ ])?(?:from|in|at)[ ]{_OF_A}"), _is_of_department),
    Cue(_pattern(rf"{EDGE}{_EN2}(?=[ ](?:{_HUMAN_EN})(?!\w))"), _is_one),
    Cue(_pattern(rf"(?<=[\w,][ ]){_EN2}(?=[ ](?:{_SAYS_EN})(?!\w))"), _is_one),
    Cue(
        _pattern(rf"\b(?i:ask|tell|remind)[ ]{_EN2}(?=[ ](?:about|if|whether|to|that|how|when|why|who)\b)"),
        _is_free,
    ),
    Cue(
        _pattern(
            rf"\b(?i:forward|assign|reassign|reports?|belongs|hand)(?:[ ]\w{{2,12}}){{0,2}}[ ]to[ ]{_EN2}"
        ),
        _are_free,
    ),
    Cue(
        _pattern(
            rf"\b(?i:cc|ping|covers?[ ]for|on[ ]behalf[ ]of|instead[ ]of|(?:{_THINGS_EN})[ ]of)[ ]{_EN2}"
        ),
        _are_free,
    ),
    Cue(_pattern(rf"{EDGE}{_EN2}(?=,?[ ](?:she|he)[ ])"), _is_one),
    Cue(_pattern(rf"{EDGE}{_EN2}(?=[ ](?:{_HAPPENED_EN}))"), _is_one),
    Cue(_pattern(rf"\b(?i:hi|hello|hey),?[ ]{_SMALL_EN}[ ]here(?=[,.!]|[ ](?:from|in)\b)"), _are_free),
    Cue(
        _pattern(
            rf"\b(?i:это|я|пишет|беспокоит)[ ]{_SMALL_RU}[ ](?:из|с|со)[ ]"
            r"(?P<of>(?:[а-яё]{2,20}[ ])?\w{2,20})"
        ),
        _is_small_surname,
    ),
    Cue(
        _pattern(rf"{EDGE}{_RU2}(?=[ ](?:(?:{_AGAIN_RU})[ ]){{0,2}}(?:{_HAPPENED_RU})(?!\w))"),
        _is_named,
    ),
    Cue(_pattern(rf"(?<!\w)у[ ]{_RU2}"), _is_named),
)


def cued(text: str) -> Iterator[tuple[int, int]]:
    """Where the names stand."""
    for cue in CUES:
        for match in cue.pattern.finditer(text):
            if WORD.search(match["it"]) and cue.sound(match):
                yield match.span("it")
