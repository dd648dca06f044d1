"""What a word in front announces: numbers of staff, extensions, local phones, policies, dates of birth."""

from __future__ import annotations

NUMBER = r"(?:№|номер[^\W\d]*+|no\.?|numbers?|num\.?|n|#)"
KEY = rf"\s*+(?:{NUMBER}\s*+)?(?:(?:is|are|was|это)\b\s*+)?[:=—-]?\s*+"
"""What may stand between a word that announces a number and the number."""
_CODE = r"[A-ZА-Я]{0,3}-?\d{3,12}(?![\w-]|[.,]\d)"

_STAFF = (
    r"(?<!\w)(?:табельн[^\W\d]*+|таб\.|личн[^\W\d]{2,3}\s++номер[^\W\d]*+|номер\s++(?:сотрудника|работника|пропуска)"
    r"|(?:id|ид|айди|код)\s++(?:сотрудника|работника|пользователя|клиента|пациента)"
    r"|(?:employee|staff|personnel|worker|payroll|user|badge|member|student|patient|customer|client|national)"
    r"[ -](?:id|no\.?|number|code|\#)|(?:my|his|her|their|мой|его|е[её])\s++id)"
)
_BARE_ID = r"(?:^|(?<=[.,;:!?(\n]\s)|(?<=[(\n]))id"

_EXTENSION = (
    r"(?<!\w)(?:вн(?:утр)?\.|внутренн(?:ий|его|ему|им)(?:\s++(?:номер[^\W\d]*+|тел(?:ефон[^\W\d]*+|\.)))?|доб\."
    r"|добавочн[^\W\d]*+"
    r"|(?<!contract )(?<!lease )(?<!visa )(?<!deadline )(?<!file )(?:ext\.?|extn\.?|extension))"
)

_MONTH = (
    r"(?:январ|феврал|март|апрел|ма[йя]|июн|июл|август|сентябр|октябр|ноябр|декабр|jan|feb|mar|apr|may|jun|jul|aug"
    r"|sep|oct|nov|dec)[^\W\d]{0,7}\.?"
)
_DATE = (
    r"\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})|\d{4}[./-]\d{1,2}[./-]\d{1,2}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH},?\s\d{{4}}|{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?,?\s\d{{4}}"
)
_YEAR = r"(?:19|20)\d{2}"
_BORN = (
    r"(?<!\w)(?:дат[аыуе]\s++рождения|день\s++рождения|родил(?:ся|ась)|рожд[её]н[^\W\d]?|д\.\s?р\.|г\.\s?р\."
    r"|date\s++of\s++birth|birth\s?(?:date|day)|born|d\.?o\.?b\.?)(?:\s++(?:is|was|on|in|в|с)(?!\w))?\s*+[:=—-]?\s*+"
)

_LOCAL = r"\d{3}-\d{4}|\d{3}-\d{2}-\d{2}|\d{2}-\d{2}-\d{2}"
_FULL = r"\d{3}[ .-]?\d{3}[ .-]?\d{2}[ .-]?\d{2}"
_HOUR = r"(?:\d{1,2}[:.]\d{2}[^.!?\n\d]{0,20}){0,2}"
_REACHED = (
    r"(?<!\w)(?:(?:reach|ring|text|call|phone|message)\s++(?:me|us|him|her|them)|dial|contacts?|whats\s?app|sms|fax|number\s++is"
    r"|номер|звон[^\W\d]++|позвон[^\W\d]++|перезвон[^\W\d]++|набер[^\W\d]++|набрать|связ[^\W\d]++|ватсап|вотсап"
    r"|вайбер|viber|сотов[^\W\d]++|факс|контакт[^\W\d]*+)"
)
_SOLID = (
    r"(?<!\w)(?:(?:reach|ring|text|dial|call)\s++(?:me|us|him|her|them)\s++(?:on|at|by|under)|(?:my|his|her)\s++number"
    r"\s++is|мой\s++номер|(?:по|пере)?звон[^\W\d]++\s++(?:мне\s++)?(?:на|по))"
)

_NO_HANDLE = (
    r"(?:override|deprecated|media|import|keyframes|supports|font|charset|layer|page|param|params|return|returns|throws"
    r"|see|since|author|version|test|before|after|property|staticmethod|classmethod|dataclass|abstractmethod|cache"
    r"|autowired|bean|component|service|controller|entity|table|column|injectable|input|output|pytest|click|app|types"
    r"|here|all|channel|everyone|group|team|latest|next)"
)

ANNOUNCED = (
    ("BIRTH", rf"{_BORN}(?P<it>{_DATE})(?![\w-]|[.,]\d)"),
    ("BIRTH", rf"(?<![\w.,-])(?P<it>{_DATE}|{_YEAR})(?=\s{{0,2}}(?:г\.\s?р\.|(?:г\.|года?)\s++рождения))"),
    ("EMPLOYEE", rf"{_STAFF}{KEY}(?P<it>{_CODE})"),
    ("EMPLOYEE", rf"{_BARE_ID}{KEY}(?P<it>\d{{5,12}})(?![\w-]|[.,]\d)"),
    ("EXTENSION", rf"{_EXTENSION}{KEY}(?P<it>\d{{3,6}}|\d{{2}}-\d{{2}})(?![\w-]|[.,]\d)"),
    (
        "CONTRACT",
        rf"(?<!\w)(?:полис[^\W\d]*+|policy)(?:\s++[А-ЯA-Z]{{3,6}})?{KEY}"
        r"(?P<it>\d{2}\s?[А-ЯA-Z]{2}\s?\d{6}|[А-ЯA-Z]{3}\s?(?:№\s?)?\d{10}|\d{4}(?:\s\d{4}){3}|\d{6,16})(?![\w-])",
    ),
    (
        "PHONE",
        rf"{_REACHED}[^.!?\n\d]{{0,40}}{_HOUR}(?<![\d-])(?P<it>{_LOCAL})(?![\w-]|[.,]\d)",
    ),
    (
        "PHONE",
        rf"{_SOLID}{KEY}(?P<it>{_FULL}|\d{{7}}"
        rf"|\d{{3}}[ .]\d{{4}}|\d{{3}}[ .]\d{{2}}[ .]\d{{2}})(?![\w-]|[.,]\d)",
    ),
    ("PHONE", r"(?<![\w.,-])(?P<it>0\d{4} \d{6}|0\d{2,3} \d{4} \d{4})(?![\w-]|[.,]\d)"),
    ("PHONE", r"(?<![\w.,-])(?P<it>9\d{2}[ -]\d{3}[ -]\d{2}[ -]\d{2})(?![\w-]|[.,]\d)"),
    ("HANDLE", rf"(?<![\w.@/+-])(?P<it>@(?!{_NO_HANDLE}\b)[A-Z_][\w]{{2,31}}+(?:\.\w{{2,31}}+)?)(?![\w/(@])"),
)
"""Kinds and patterns, in the order in which they are looked for."""

FURTHER = (
    r"(?:\s?\([^()\n\d]{1,20}\))?(?:\s{0,2}[,;/&+]|(?=\s))\s{0,2}(?:(?:or|and|и|или|либо|а также)\b\s{1,2})?"
    r"(?:(?:on|at|на|по)\s{1,2})?"
    rf"(?P<it>{_FULL}|{_LOCAL}|\d{{7}}|\d{{3}}[ .]\d{{4}})(?![\w-]|[.,]\d)"
)
"""Behind a phone: the next one of a list."""
