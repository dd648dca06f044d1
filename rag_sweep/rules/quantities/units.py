"""Units by their words, as they are compared: case-folded, with е for ё."""

from __future__ import annotations

import re
from collections.abc import Mapping

Unit = tuple[str, float]
"""The base unit, and how many of it one is."""

SECOND, MONTH = "second", "month"
DAY: Unit = (SECOND, 86_400.0)
YEAR: Unit = (MONTH, 12.0)
TIMES: Unit = ("times", 1.0)

_ENDINGS = {
    "+": ["", "а", "у", "ом", "е", "ы", "ов", "ам", "ами", "ах"],
    "~": ["а", "ы", "е", "у", "ой", "", "ам", "ами", "ах"],
}
"""Of words that end with a hard consonant, and of those that end with а."""


def _forms(word: str) -> list[str]:
    """``метр+`` and ``тонн~`` in all their cases, ``metre+`` with its plural."""
    stem, mark = word[:-1], word[-1]
    if mark not in _ENDINGS:
        return [word]
    endings = ["", "s"] if stem.isascii() else _ENDINGS[mark]
    return [stem + ending for ending in endings]


def _read(text: str) -> dict[str, tuple[Unit, ...]]:
    found: dict[str, tuple[Unit, ...]] = {}
    for line in text.strip().splitlines():
        base, factors, words = (part.strip() for part in line.split("|"))
        pairs = [one.split() for one in factors.split(" or ")]
        units = tuple((" ".join(head) or base, float(factor)) for *head, factor in pairs)
        found.update({form: units for word in words.split() for form in _forms(word)})
    return found


_READINGS = _read(
    """
    second | 86400 | день дня дней дню днем днями днях дн сутки суток суткам сутками сут day+ d
    second | 604800 | неделя недели недель неделю неделе неделям неделями нед week+ wk+
    second | 3600 | час+ ч hour+ h hr+
    second | 60 | минут~ мин minute+ min+
    second | 1 | секунд~ сек second+ sec+ s
    second | 0.001 | миллисекунд~ мс millisecond+ ms
    month | 1 | месяц месяца месяцев месяцу месяцем месяцам месяцы мес month+ mo mos mth mths
    month | 3 | квартал+ quarter+
    month | 6 | полугодие полугодия полгода полугода
    month | 12 | год года годов году годом годам годы лет гг year+ yr+ y
    gram | 1 | г
    times | 1 | раз раза times x х ×
    percent | 1 | % процент+ percent pct
    percent | 0.1 | ‰ промилле permille
    percentage point | 1 | pp ppt
    percentage point | 0.01 | bp bps
    rub | 1 | ₽ руб рубль рубля рублей рублю рублям рублями рублях р rub ruble+ rouble+
    rub | 0.01 | коп копейка копейки копеек копейку
    usd | 1 | $ usd доллар+ dollar+
    usd | 0.01 or eur 0.01 | цент+ cent+
    eur | 1 | € eur евро euro+
    gbp | 1 | £ gbp стерлингов sterling
    gbp | 1 or gram 453.59237 | фунт+ pound+
    kzt | 1 | ₸ kzt тенге
    chf | 1 | chf франк+
    jpy | 1 or cny 1 | ¥
    jpy | 1 | jpy yen йена йены йен иена иены иен
    cny | 1 | cny rmb yuan юань юаня юаней
    uah | 1 | ₴ uah гривна гривны гривен гривну
    inr | 1 | ₹ inr rupee+ рупия рупии рупий
    pln | 1 | pln zł злотый злотых злотого
    lira | 1 | ₺ lira+ лира лиры лир
    ils | 1 | ₪ ils шекель шекеля шекелей
    krw | 1 | ₩ krw
    gel | 1 | ₾ gel лари
    byn | 1 | byn
    aed | 1 | aed дирхам+ dirham+
    aud | 1 | aud
    cad | 1 | cad
    czk | 1 | czk
    dkk | 1 | dkk
    hkd | 1 | hkd
    nok | 1 | nok
    nzd | 1 | nzd
    sek | 1 | sek
    sgd | 1 | sgd
    gram | 0.000001 | мкг микрограмм+ mcg ug μg microgram+
    gram | 0.001 | мг миллиграмм+ mg milligram+ milligramme+
    gram | 1 | гр грамм+ g gram+ gramme+
    gram | 1000 | кг кило килограмм+ kg kgs kilogram+ kilogramme+ kilo+
    gram | 100000 | ц центнер+
    gram | 1000000 | т тонн~ t tonne+
    gram | 1000000 or 907184.74 or 1016046.9088 | ton+
    gram | 453.59237 | lb+
    gram | 28.349523125 or litre 0.0295735295625 | oz ounce+ унция унции унций унцию
    metre | 1 | м метр+ m metre+ meter+
    metre | 1000 | км километр+ km kms kilometre+ kilometer+
    metre | 0.1 | дм дециметр+ dm
    metre | 0.01 | см сантиметр+ cm centimetre+ centimeter+
    metre | 0.001 | мм миллиметр+ mm millimetre+ millimeter+
    metre | 0.000001 | мкм μm микрон+ micron+
    metre | 0.000000001 | нм нанометр+ nm nanometre+ nanometer+
    metre | 0.0254 | дюйм+ inch inches
    metre | 0.3048 | фут+ foot feet ft
    metre | 0.9144 | ярд+ yard+ yd+
    metre | 1609.344 | миля мили миль милю mile+ mi mph
    square metre | 1 | м² m² м2 m2 кв.м sqm
    square metre | 0.0001 | см² cm² см2 cm2
    square metre | 1000000 | км² km² км2 km2
    square metre | 100 | сотка сотки соток сотку
    square metre | 10000 | га гектар+ ha hectare+
    square metre | 4046.8564224 | акр+ acre+
    square metre | 0.09290304 | ft² ft2 sqft
    litre | 1 | л литр+ l litre+ liter+ дм³ dm³
    litre | 0.001 | мл миллилитр+ ml millilitre+ milliliter+ см³ cm³ cc
    litre | 0.01 | cl сантилитр+ centilitre+
    litre | 0.1 | dl децилитр+ decilitre+
    litre | 1000 | м³ m³ м3 m3 кубометр+
    litre | 3.785411784 or 4.54609 | gal gallon+ галлон+
    litre | 0.473176473 or 0.56826125 | pint+ пинт~
    byte | 0.125 | бит бита битов bit+
    byte | 125 | кбит килобит+ kbit+ kilobit+ kbps
    byte | 125000 | мбит мегабит+ mbit+ megabit+ mbps
    byte | 125000000 | гбит гигабит+ gbit+ gigabit+ gbps
    byte | 1 | байт байта байтов byte+
    byte | 1000 or 1024 | кб килобайт килобайта килобайтов kb kilobyte+
    byte | 1000000 or 1048576 | мб мегабайт мегабайта мегабайтов mb megabyte+
    byte | 1000000000 or 1073741824 | гб гигабайт гигабайта гигабайтов gb gigabyte+
    byte | 1000000000000 or 1099511627776 | тб терабайт терабайта терабайтов tb terabyte+
    byte | 1024 | kib kibibyte+
    byte | 1048576 | mib mebibyte+
    byte | 1073741824 | gib gibibyte+
    byte | 1099511627776 | tib tebibyte+
    degree celsius | 1 | ℃ C С
    degree fahrenheit | 1 | ℉ F
    kelvin | 1 | K кельвин+ kelvin+
    volt | 1 | В v вольт+ volt+
    volt | 0.001 | мв mv милливольт+ millivolt+
    volt | 1000 | кв kv киловольт+ kilovolt+
    ampere | 1 | A А ампер+ amp+ ampere+
    ampere | 0.001 | ма ma миллиампер+ milliamp+ milliampere+
    ampere hour | 0.001 | mah мач
    ohm | 1 | ом ohm+ ω
    watt | 1 or second 604800 | w
    watt | 1 | вт ватт ватта ваттам ваттов watt+
    watt | 1000 | квт киловатт киловатта киловаттов kw kilowatt+
    watt | 1000000 | мвт мегаватт мегаватта мегаваттов mw megawatt+
    watt hour | 1000 | квтч kwh
    watt hour | 1000000 | мвтч mwh
    hertz | 1 | гц герц герца hz hertz
    hertz | 1000 | кгц килогерц khz kilohertz
    hertz | 1000000 | мгц мегагерц mhz megahertz
    hertz | 1000000000 | ггц гигагерц ghz gigahertz
    joule | 1 | дж джоуль джоуля джоулей joule+
    joule | 1000 | кдж kj kilojoule+
    calorie | 1 | ккал килокалория килокалории килокалорий kcal
    pascal | 1 | па pa паскаль паскаля паскалей pascal+
    pascal | 1000 | кпа kpa
    pascal | 1000000 | мпа mpa
    pascal | 100000 | бар bar
    decibel | 1 | дб db децибел+ decibel+
    lumen | 1 | лм lm люмен+ lumen+
    international unit | 1 | ме iu
    horsepower | 1 | hp bhp
    """
)
"""All that a word may mean, most likely first: a KB has 1000 bytes, or 1024."""

UNITS: Mapping[str, Unit] = {word: units[0] for word, units in _READINGS.items()}
"""Units by their words; 7 days and 1 week are the same amount, 30 days and 1 month are not."""

ALSO: Mapping[str, tuple[Unit, ...]] = {
    word: units[1:] for word, units in _READINGS.items() if len(units) > 1
}
"""What else some words mean."""

_LOWER = (
    "г гр ц т м л р ч d h s y k g t m l v w min мин mo mi x х × gal ма мв кв ом ме па бар нед ha bar pa bit"
)
CAPITALS = "KAАВCСF"
"""Letters that are a unit as capitals behind digits, and no more than a letter or a word in lower case."""
AMBIGUOUS = frozenset(_LOWER.split()) | frozenset(CAPITALS)
"""Short words that are a unit only right behind digits."""

CURRENCY_SIGNS = "$€£₽₸¥₴₹₺₪₩₾"
CURRENCY_WORDS = (
    "usd|eur|rub|gbp|kzt|chf|jpy|cny|rmb|uah|inr|pln|ils|krw|gel|byn|aed|aud|cad|czk|dkk|hkd|nok|nzd|sek|sgd"
)
"""What may stand before an amount."""

_LENGTH = r"(?P<length>[^\W\d_]+)"
_POWER = re.compile(
    r"[\s\u00a0-]*(?:(?P<square>квадратн\w+|кв\.?|square|sq\.?)|(?:кубическ\w+|куб\.?|cubic|cu\.?))"
    rf"[\s\u00a0]?{_LENGTH}(?!\w)"
)
_RAISED = re.compile(r"[\s\u00a0]?(?P<length>[кkдdсcмm]?[мm]|ft)\^(?P<power>[23])(?!\w)")
_SUPERSCRIPTS = str.maketrans("23", "²³")
_DEGREES = re.compile(
    r"[\s\u00a0-]*(?:[°º]|(?:градус\w{0,3}|degrees?|deg)(?!\w))(?:[\s\u00a0]?(?:по[\s\u00a0])?"
    r"(?:(?P<celsius>(?:[cсCС]|celsius|centigrade|цельси\w)(?!\w))|(?P<fahrenheit>(?:f|ф|fahrenheit|фаренгейт\w)(?!\w))"
    r"|(?P<kelvin>(?:[kкKК]|kelvin|кельвин\w?)(?!\w))))?"
)
_OTHERS = (
    (re.compile(r"[\s\u00a0]*(?:квт|kw)[·⋅*-]?[\s\u00a0]?(?:ч(?:ас\w{0,2})?|h(?:ours?)?)(?!\w)"), "квтч"),
    (re.compile(r"[\s\u00a0]*(?:ма|ma)[·⋅*-][\s\u00a0]?(?:ч|h)(?!\w)"), "mah"),
    (re.compile(r"[\s\u00a0]*(?:киловатт|kilowatt)[\s-](?:час\w{0,3}|hours?)(?!\w)"), "квтч"),
    (
        re.compile(r"[\s\u00a0]*(?:процентн\w+\s+пункт\w*|п\.\s?п\.(?!\s?\d)|percentage[\s-]points?(?!\w))"),
        "pp",
    ),
    (re.compile(r"[\s\u00a0]*(?:базисн\w+\s+пункт\w*|б\.\s?п\.|basis[\s-]points?(?!\w))"), "bps"),
    (re.compile(r"[\s\u00a0]*(?:л\.\s?с\.?|лошадин\w+ сил\w?|horsepower)(?!\w)"), "hp"),
)
_TEMPERATURES: tuple[Unit, ...] = (("degree celsius", 1.0), ("degree fahrenheit", 1.0))


def compound(text: str, at: int) -> tuple[tuple[Unit, ...], int] | None:
    """What a unit of several words or signs may mean, and where it ends: ``кв. м``, ``°C``, ``kW·h``."""
    if power := _POWER.match(text, at):
        base, scale = UNITS.get(power["length"], ("", 0.0))
        if base == "metre":
            return ((("square metre", scale**2) if power["square"] else ("litre", 1000.0 * scale**3)),), (
                power.end()
            )
    if raised := _RAISED.match(text, at):
        word = f"{raised['length']}{raised['power']}"
        unit = UNITS.get(word) or UNITS.get(word.translate(_SUPERSCRIPTS))
        return None if unit is None else ((unit,), raised.end())
    if degrees := _DEGREES.match(text, at):
        named = degrees.lastgroup
        if named is None:
            return _TEMPERATURES, degrees.end()
        return (("kelvin" if named == "kelvin" else f"degree {named}", 1.0),), degrees.end()
    for pattern, word in _OTHERS:
        if match := pattern.match(text, at):
            return (UNITS[word],), match.end()
    return None
