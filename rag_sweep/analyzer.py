"""From a text to the tokens that are indexed and searched."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, Protocol, get_args

from rag_sweep.checks import require

__all__ = ["Analyzer", "SimpleAnalyzer", "StemmedAnalyzer"]

Language = Literal["ru", "en", "auto"]
StopWords = Literal["none", "short"]

WORD = re.compile(r"[^\W_]+")

# Only words that carry no condition: a regulation turns on "not", "without", "except", "only", "if",
# "before", "after" and on "may" or "must", so none of these is here.
_RUSSIAN = """
    а бы был была были было быть в во вам вас вы для его ее же за и из или их к как ко ли мне мы на нам нас но
    о об обо он она они оно от по при с со та так также те то того той тот у что чтобы эта эти это этого этой
    этом этот эту я
    """
_ENGLISH = """
    a am an and are as at be been being by did do does for from had has have he her his i in is it its me my
    of on or our s she that the their them there these they this those to us was we were which who whose with
    you your
    """
SHORT_STOP_WORDS = frozenset([*_RUSSIAN.split(), *_ENGLISH.split()])
"""Russian words as they are compared: with е for ё."""


class Analyzer(Protocol):
    """What every analyzer can do."""

    def tokens(self, text: str) -> list[str]:
        """The tokens of `text` in its order, none of them empty; a repeated word is there each time."""
        ...


@dataclass(frozen=True)
class SimpleAnalyzer:
    r"""Case-folded runs of letters and digits, ``[^\W_]+``.

    Nothing else is done: «е» and «ё» differ, and a combining mark (a stress mark) ends a token.
    """

    def tokens(self, text: str) -> list[str]:
        """The tokens of `text`, case-folded, in order."""
        return WORD.findall(text.casefold())


@dataclass(frozen=True)
class StemmedAnalyzer:
    r"""Normalised words, reduced to their Snowball stems (Porter 1980, 2001; snowballstem.org).

    The text is brought to NFC; then combining marks (category Mn) are removed, which takes the stress
    mark of «за́мок» away but leaves the letters й and ё (and é), for which NFC has a code point of their
    own: «район» never becomes «раион», also when it came decomposed. Then case folding, ё to е, and
    the pattern ``[^\W_]+``. A token is stemmed if it consists of letters of its language's script; one with
    digits in it, such as an article number, stays as it is.

    Parameters
    ----------
    language
        ``ru`` stems Cyrillic words, ``en`` Latin words, ``auto`` both, each with its own stemmer.
    stop_words
        ``short`` drops our own short list of Russian and English function words, which has no negations.
    extra_stop_words
        Single words that are dropped as well, compared before stemming, in any case, with or without ё;
        kept normalised and sorted, so that equal lists are equal configurations.

    Raises
    ------
    ConfigError
        For an unknown language or list, and for an extra stop word that isn't exactly one word.
    """

    language: Language = "auto"
    stop_words: StopWords = "none"
    extra_stop_words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_choice("language", self.language, get_args(Language))
        _check_choice("stop_words", self.stop_words, get_args(StopWords))
        object.__setattr__(self, "extra_stop_words", _checked_words(self.extra_stop_words))

    @property
    def version(self) -> str:
        """Part of the stage's key: another release of the stemmer can give other stems."""
        return f"1, snowballstemmer {_stemmer_release()}"

    def tokens(self, text: str) -> list[str]:
        """The stems of `text` in order, without stop words."""
        words = WORD.findall(normalised(text))
        dropped = _dropped(self.stop_words, self.extra_stop_words)
        if dropped:
            words = [word for word in words if word not in dropped]
        language = self.language
        return [_stem(word, language) for word in words]


def normalised(text: str) -> str:
    """`text` in NFC, without combining marks, case-folded, with ё as е; words and gaps stay in order."""
    if text.isascii():
        return text.casefold()
    # Twice, because case folding can decompose again: "ǰ" folds to "j" and a combining caron.
    return _without_marks(_without_marks(text).casefold()).replace("ё", "е")


# Whatever can be a combining mark: none of category Mn matches \w, \s or is ASCII.
_SIGNS = re.compile(r"[^\w\s\x00-\x7f]+")
_SIGNED = re.compile(r"(\w?)([^\w\s\x00-\x7f]+)")


def _without_marks(text: str) -> str:
    composed = unicodedata.normalize("NFC", text)
    marked = any(unicodedata.category(sign) == "Mn" for sign in set("".join(_SIGNS.findall(composed))))
    return _SIGNED.sub(_joined, composed) if marked else composed


def _joined(match: re.Match[str]) -> str:
    """The letter with those of its marks that make another letter; the other marks are dropped.

    One by one, since NFC gives up at the first mark in the way: in и, stress, breve it makes no й.
    """
    kept = match[1]
    for sign in match[2]:
        if unicodedata.category(sign) != "Mn":
            kept += sign
        elif kept and len(letter := unicodedata.normalize("NFC", kept[-1] + sign)) == 1:
            kept = kept[:-1] + letter
    return kept


_CYRILLIC = re.compile(r"[\u0400-\u052f\u1c80-\u1c8f\ua640-\ua69f]+")
_LATIN = re.compile(r"[a-z\u00df-\u00f6\u00f8-\u024f\u1e00-\u1eff]+")


@lru_cache(maxsize=2**17)
def _stem(word: str, language: Language) -> str:
    # The pure Python stemmers by name: snowballstemmer.stemmer() silently takes PyStemmer where that is
    # installed, whose release may differ. A new one for each word, because they keep state while they work.
    if language != "en" and _CYRILLIC.fullmatch(word):
        from snowballstemmer.russian_stemmer import RussianStemmer

        return str(RussianStemmer().stemWord(word))
    if language != "ru" and _LATIN.fullmatch(word):
        from snowballstemmer.english_stemmer import EnglishStemmer

        return str(EnglishStemmer().stemWord(word))
    return word


@cache
def _stemmer_release() -> str:
    from importlib import metadata

    return metadata.version("snowballstemmer")


@lru_cache(maxsize=64)
def _dropped(stop_words: StopWords, extra: tuple[str, ...]) -> frozenset[str]:
    return frozenset(extra) | (SHORT_STOP_WORDS if stop_words == "short" else frozenset())


def _check_choice(name: str, value: object, allowed: Sequence[str]) -> None:
    require(f"analyzer.{name}", value, f"one of {', '.join(allowed)}", value in allowed)


def _checked_words(words: object) -> tuple[str, ...]:
    # Any sequence, since YAML and Hydra give lists where the field is a tuple.
    key, allowed = "analyzer.extra_stop_words", "a list of single words"
    if isinstance(words, str) or not isinstance(words, Sequence):
        require(key, words, allowed, False)
        return ()
    for word in words:
        require(key, word, allowed, isinstance(word, str) and bool(WORD.fullmatch(normalised(word))))
    return tuple(sorted({normalised(word) for word in words}))
