"""Windows of words."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import texts

from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.errors import ConfigError
from rag_sweep.testing import check_chunker, check_spans

sizes = st.integers(1, 9).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size - 1)))


def split(text: str, size: int, overlap: int = 0) -> list[str]:
    return [text[start:end] for start, end in FixedChunker(size, overlap).split(text)]


def count(text: str) -> int:
    return len(re.findall(r"[^\W_]+", text))


@pytest.mark.parametrize("parameters", [(200, 0), (1, 0), (2, 1), (7, 6), (10_000, 0)])
def test_it_conforms(parameters: tuple[int, int]) -> None:
    check_chunker(FixedChunker(*parameters))


def test_punctuation_and_markup_stay_with_the_word_before() -> None:
    assert split("(One, two!)  Three;\n\n- four — **five**.  ", 2) == [
        "(One, two!)",
        "Three;\n\n- four — **",
        "five**.  ",
    ]


def test_neighbours_share_the_overlap() -> None:
    assert split("a b c d e f g", 4, 2) == ["a b c d", "c d e f", "e f g"]


def test_a_tail_inside_the_window_before_is_no_passage() -> None:
    assert split("a b c d e f", 4, 2) == ["a b c d", "c d e f"]
    assert split("a b c d", 4, 3) == ["a b c d"]


@pytest.mark.parametrize("text", ["", "   ", "?!", " one two. "])
def test_a_text_no_longer_than_a_window_is_one_passage(text: str) -> None:
    assert split(text, 2, 1) == [text]


@settings(deadline=None)
@given(texts, sizes)
def test_nothing_is_lost_cut_or_longer_than_the_size(text: str, parameters: tuple[int, int]) -> None:
    spans = FixedChunker(*parameters).split(text)
    check_spans(text, spans)
    assert all(count(text[start:end]) <= parameters[0] for start, end in spans)
    assert all(left[0] < right[0] and left[1] < right[1] for left, right in pairwise(spans))


@settings(deadline=None)
@given(texts, sizes)
def test_without_marks_the_windows_are_exact(text: str, parameters: tuple[int, int]) -> None:
    size, overlap = parameters
    text = "".join(sign for sign in text if not unicodedata.category(sign).startswith("M"))
    words = re.findall(r"[^\W_]+", text)
    firsts = range(0, max(1, len(words) - overlap), size - overlap)
    expected = [words[first : first + size] for first in firsts]
    assert [re.findall(r"[^\W_]+", passage) for passage in split(text, size, overlap)] == expected


@settings(deadline=None)
@given(texts, st.integers(1, 9))
def test_only_white_space_lies_between_passages(text: str, size: int) -> None:
    spans = FixedChunker(size).split(text)
    assert (spans[0][0], spans[-1][1]) == (0, len(text))
    assert all(text[end:start].strip() == "" and end <= start for (_, end), (start, _) in pairwise(spans))


def test_a_word_with_a_stress_mark_is_not_cut() -> None:
    assert split("старый за\u0301мок стоит", 2) == ["старый", "за\u0301мок", "стоит"]
    decomposed = unicodedata.normalize("NFD", "наш район")
    assert split(decomposed, 2) == [
        unicodedata.normalize("NFD", "наш"),
        unicodedata.normalize("NFD", "район"),
    ]


def test_the_overlap_of_a_word_with_a_stress_mark_takes_the_whole_word() -> None:
    assert split("a b за\u0301мок d e f", 4, 1) == ["a b за\u0301мок", "за\u0301мок d e", "e f"]


def test_a_marked_word_longer_than_a_window_is_cut_at_its_marks() -> None:
    assert split("а\u0301б\u0301в\u0301г", 2) == ["а\u0301б\u0301", "в\u0301г"]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ((0,), "chunker.size must be an int >= 1, got 0"),
        ((2.5,), "chunker.size must be an int >= 1, got 2.5"),
        ((True,), "chunker.size must be an int >= 1, got True"),
        ((5, -1), "chunker.overlap must be an int from 0 to size - 1 (chunker.size is 5), got -1"),
        ((5, 5), "chunker.overlap must be an int from 0 to size - 1 (chunker.size is 5), got 5"),
    ],
)
def test_sizes_that_cannot_be_are_refused(parameters: tuple[int, ...], message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        FixedChunker(*parameters)
