"""Analyzers: which tokens, and that they are the same however a text is encoded."""

from __future__ import annotations

import pickle
import re
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import snowballstemmer
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import texts

from rag_sweep.analyzer import SHORT_STOP_WORDS, SimpleAnalyzer, StemmedAnalyzer, _stem, normalised
from rag_sweep.errors import ConfigError
from rag_sweep.fingerprint import fingerprint
from rag_sweep.testing import check_analyzer

STRESS = "\u0301"
stemmed = StemmedAnalyzer()


@pytest.mark.parametrize(
    "analyzer",
    [
        SimpleAnalyzer(),
        StemmedAnalyzer(),
        StemmedAnalyzer("ru", "short"),
        StemmedAnalyzer("en", "short", ("foo",)),
    ],
    ids=repr,
)
def test_analyzers_conform(analyzer: SimpleAnalyzer | StemmedAnalyzer) -> None:
    check_analyzer(analyzer)


def test_simple_folds_case_and_keeps_letters_and_digits() -> None:
    assert SimpleAnalyzer().tokens("Straße, snake_case; КП-4471-Б Ёлка!") == [
        *("strasse", "snake", "case", "кп", "4471", "б", "ёлка")
    ]


def test_simple_does_nothing_about_marks() -> None:
    assert SimpleAnalyzer().tokens(f"за{STRESS}мок") == ["за", "мок"]


@settings(deadline=None)
@given(texts)
def test_simple_is_the_pattern_over_the_case_folded_text(text: str) -> None:
    assert SimpleAnalyzer().tokens(text) == re.findall(r"[^\W_]+", text.casefold())


@pytest.mark.parametrize(
    "text",
    [
        "район",
        "РАЙОН",
        unicodedata.normalize("NFD", "район"),
        unicodedata.normalize("NFD", "РАЙОН"),
        f"райо{STRESS}н",
        f"рай{STRESS}он",
        f"раи\u0306{STRESS}он",
        f"раи{STRESS}\u0306он",
    ],
    ids=ascii,
)
def test_short_i_is_a_letter_in_every_encoding(text: str) -> None:
    assert stemmed.tokens(text) == stemmed.tokens("район") == ["район"]


@pytest.mark.parametrize(
    "text", ["ёлка", "ЁЛКА", "елка", "е\u0308лка", f"ё{STRESS}лка", f"е{STRESS}\u0308лка"], ids=ascii
)
def test_yo_is_ye_in_every_encoding(text: str) -> None:
    assert stemmed.tokens(text) == ["елк"]


def test_a_stress_mark_neither_splits_nor_changes_a_word() -> None:
    assert stemmed.tokens(f"за{STRESS}мок замо{STRESS}к замок") == ["замок"] * 3


def test_an_accent_that_nfc_composes_belongs_to_the_letter() -> None:
    assert stemmed.tokens("cafe\u0301 café CAFÉ cafe") == ["café", "café", "café", "cafe"]


def test_marks_that_case_folding_brings_back_are_gone() -> None:
    assert stemmed.tokens("İstanbul") == ["istanbul"]
    assert normalised("ǰ") == "ǰ"
    assert len(normalised("ǰ")) == 1


@settings(deadline=None)
@given(texts)
def test_no_mark_is_left_and_nothing_is_left_to_do(text: str) -> None:
    done = normalised(text)
    assert not any(unicodedata.category(sign) == "Mn" for sign in done)
    assert "ё" not in done
    assert normalised(done) == done


@settings(deadline=None)
@given(texts)
def test_tokens_do_not_depend_on_the_unicode_form(text: str) -> None:
    assert (
        stemmed.tokens(text)
        == stemmed.tokens(unicodedata.normalize("NFC", text))
        == stemmed.tokens(unicodedata.normalize("NFD", text))
    )


@settings(deadline=None)
@given(st.text("абвгдеёжзийклмнопрстуфхцчшщъыьэюя abcdefghijklmnopqrstuvwxyz019-.,"))
def test_tokens_do_not_depend_on_case(text: str) -> None:
    assert stemmed.tokens(text.upper()) == stemmed.tokens(text)


@settings(deadline=None)
@given(texts, texts)
def test_tokens_of_a_joined_text_are_the_tokens_of_its_parts(left: str, right: str) -> None:
    for analyzer in (SimpleAnalyzer(), stemmed):
        assert analyzer.tokens(f"{left} {right}") == analyzer.tokens(left) + analyzer.tokens(right)


RUSSIAN = ["согласование", "командировочных", "расходов", "производится", "руководителями", "подразделений"]
ENGLISH = ["employees", "requesting", "reimbursements", "travelled", "generously"]


def test_stems_are_those_of_snowball() -> None:
    russian, english = (snowballstemmer.stemmer(name) for name in ("russian", "english"))
    assert stemmed.tokens(" ".join(RUSSIAN + ENGLISH)) == [
        *(russian.stemWord(word) for word in RUSSIAN),
        *(english.stemWord(word) for word in ENGLISH),
    ]


def test_each_language_stems_its_own_script_only() -> None:
    text = "командировками reimbursements"
    assert StemmedAnalyzer("ru").tokens(text) == ["командировк", "reimbursements"]
    assert StemmedAnalyzer("en").tokens(text) == ["командировками", "reimburs"]
    assert StemmedAnalyzer("auto").tokens(text) == ["командировк", "reimburs"]


def test_tokens_with_digits_or_of_other_or_mixed_scripts_stay_as_they_are() -> None:
    kept = ["e3107s", "кп44ами", "ελλαδα", "שלום", "кофеing"]  # the last one mixes alphabets
    assert stemmed.tokens(" ".join(kept)) == kept


def test_forms_of_a_word_meet() -> None:
    assert stemmed.tokens("отпуск отпуска отпуску") == ["отпуск"] * 3
    assert stemmed.tokens("approve approved approving") == ["approv"] * 3


def test_short_stop_words_go_and_negations_and_conditions_stay() -> None:
    short = StemmedAnalyzer(stop_words="short")
    assert short.tokens("Её отпуск и это то же, что в приказе") == ["отпуск", "приказ"]
    assert short.tokens("The leave of an employee is theirs") == ["leav", "employe", "their"]
    kept = "не нет ни без нельзя кроме только если до после not no nor without never except only if may must"
    assert len(short.tokens(kept)) == len(kept.split())


def test_the_short_list_is_short_and_written_as_it_is_compared() -> None:
    assert all(normalised(word) == word for word in SHORT_STOP_WORDS)
    cyrillic = sum("а" <= word[0] <= "я" for word in SHORT_STOP_WORDS)
    assert 40 <= cyrillic <= 70
    assert 40 <= len(SHORT_STOP_WORDS) - cyrillic <= 70


def test_stop_words_are_compared_before_stemming() -> None:
    assert StemmedAnalyzer(extra_stop_words=("отпуска",)).tokens("отпуск отпуска") == ["отпуск"]


def test_extra_stop_words_fold_case_yo_and_stress_and_equal_lists_are_equal_components() -> None:
    one = StemmedAnalyzer(extra_stop_words=("ЁЛКА", f"за{STRESS}мок"))
    assert one.tokens("ёлка елка замок дом") == ["дом"]
    other = StemmedAnalyzer(extra_stop_words=["замок", "елка", "елка"])  # type: ignore[arg-type]
    assert one == other
    assert hash(one) == hash(other)
    assert fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"language": "de"}, "analyzer.language must be one of ru, en, auto, got 'de'"),
        ({"stop_words": "long"}, "analyzer.stop_words must be one of none, short, got 'long'"),
        ({"extra_stop_words": "foo"}, "analyzer.extra_stop_words must be a list of single words, got 'foo'"),
        ({"extra_stop_words": 7}, "analyzer.extra_stop_words must be a list of single words, got 7"),
        ({"extra_stop_words": ("two words",)}, "must be a list of single words, got 'two words'"),
        ({"extra_stop_words": ("",)}, "must be a list of single words, got ''"),
        ({"extra_stop_words": (1,)}, "must be a list of single words, got 1"),
    ],
)
def test_parameters_that_cannot_be_are_refused(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        StemmedAnalyzer(**parameters)  # type: ignore[arg-type]


def test_the_key_of_a_stage_knows_the_release_of_the_stemmer(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint(stemmed)
    monkeypatch.setattr("rag_sweep.analyzer._stemmer_release", lambda: "99.0")
    assert fingerprint(stemmed) != before


def test_use_leaves_no_trace_in_the_component() -> None:
    used, fresh = StemmedAnalyzer("en"), StemmedAnalyzer("en")
    used.tokens("some words of a text")
    assert used == fresh
    assert pickle.dumps(used) == pickle.dumps(fresh)


def test_threads_get_the_same_stems() -> None:
    words = [f"{stem}{ending}" for stem in RUSSIAN for ending in ("", "ами", "ость", "ающий", "енный")]
    jobs = [" ".join(f"{word}{'аб'[at % 2] * at}" for word in words) for at in range(40)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(stemmed.tokens, jobs))
    stem = snowballstemmer.stemmer("russian").stemWord
    assert together == [[stem(word) for word in job.split()] for job in jobs]


def test_a_word_is_stemmed_once_however_often_it_stands_there(shared: Path) -> None:
    text = (shared / "data" / "cranfield" / "corpus.jsonl").read_text(encoding="utf-8")
    _stem.cache_clear()
    count = len(stemmed.tokens(text))
    assert count > 225_000
    assert _stem.cache_info().misses == len(set(SimpleAnalyzer().tokens(text)))
