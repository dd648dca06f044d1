"""Markdown sections, bounded."""

from __future__ import annotations

import re
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import texts

from rag_sweep.chunker.heading import HeadingChunker
from rag_sweep.errors import ConfigError
from rag_sweep.testing import check_chunker, check_spans

bounds = st.integers(1, 12).flatmap(lambda most: st.tuples(st.just(most), st.integers(0, most)))


def split(text: str, max_words: int = 300, min_words: int = 0) -> list[str]:
    return [text[start:end] for start, end in HeadingChunker(max_words, min_words).split(text)]


def count(text: str) -> int:
    return len(re.findall(r"[^\W_]+", text))


@pytest.mark.parametrize("parameters", [(300, 0), (1, 0), (1, 1), (8, 4), (50, 50)])
def test_it_conforms(parameters: tuple[int, int]) -> None:
    check_chunker(HeadingChunker(*parameters))


def test_a_heading_begins_its_section() -> None:
    text = "Before.\n\n# One\n\nText one.\n\n## Two ##\nText two.\n\n   ###### Six\nText six.\n"
    assert split(text) == ["Before.", "# One\n\nText one.", "## Two ##\nText two.", "###### Six\nText six.\n"]


@pytest.mark.parametrize(
    "line", ["####### seven", "#tag", "    # indented code", "a # b", "\\# escaped", "Under\n====="]
)
def test_what_only_looks_like_a_heading_is_none(line: str) -> None:
    assert len(split(f"# One\n\nText.\n\n{line}\n\nMore text.")) == 1


@pytest.mark.parametrize(
    "fenced",
    [
        "```\n# no\n```",
        "~~~ sh\n# no\n~~~",
        "````\n```\n# no\n```\n````",
        "```\n# no\n~~~\n# no\n``` x\n# no\n```",
        "  ```\n# no\n  ```",
    ],
)
def test_comments_in_fenced_code_are_no_headings(fenced: str) -> None:
    assert split(f"# One\n\n{fenced}\n\n# Two\n\nText.") == [f"# One\n\n{fenced}", "# Two\n\nText."]


def test_code_in_one_line_opens_no_fence() -> None:
    assert split("``` code ``` here\n\n# Two\n\nText.") == ["``` code ``` here", "# Two\n\nText."]


def test_a_fence_that_is_never_closed_runs_to_the_end() -> None:
    assert len(split("# One\n\n```\n# no\n\n# no\n")) == 1


def test_a_heading_without_text_goes_with_the_next_section() -> None:
    assert split("# Title\n\n## Part\n\nText.\n\n## Other\n\nText.") == [
        "# Title\n\n## Part\n\nText.",
        "## Other\n\nText.",
    ]


def test_a_last_heading_without_text_is_a_passage_of_its_own() -> None:
    assert split("# One\n\nText.\n\n# Last\n") == ["# One\n\nText.", "# Last\n"]


def test_a_long_section_is_cut_at_paragraphs_that_are_packed_while_they_fit() -> None:
    text = "# H\n\na b c\n\nd e f\n\ng h i j\n\nk"
    assert split(text, 7) == ["# H\n\na b c\n\nd e f", "g h i j\n\nk"]


def test_a_long_paragraph_is_cut_at_sentences() -> None:
    assert split("# H\n\nA b c. D e. F g h. I j.", 6) == ["# H\n\nA b c. D e.", "F g h. I j."]


def test_a_long_sentence_is_cut_at_words() -> None:
    assert split("a b c d e, f g", 3) == ["a b c", "d e, f", "g"]


def test_a_heading_stays_with_what_follows_when_that_is_cut() -> None:
    assert split("# H\n\na b c d e.\n\nf", 4) == ["# H\n\na b c", "d e.", "f"]


def test_lists_and_tables_are_cut_between_items_and_rows() -> None:
    assert split("- a b\n- c d\n- e f\n", 4) == ["- a b\n- c d", "- e f\n"]
    assert split("| a | b |\n|---|---|\n| c | d |\n| e | f |", 4) == [
        "| a | b |\n|---|---|\n| c | d |",
        "| e | f |",
    ]


def test_an_empty_line_in_code_is_no_paragraph() -> None:
    assert split("a b c\n\n```sh\nd\n\ne\n```\n\nf g h", 4) == ["a b c", "```sh\nd\n\ne\n```", "f g h"]


def test_an_oversize_block_of_code_is_cut_between_lines() -> None:
    assert split("```sh\na b\nc d\n\ne\n```", 4) == ["```sh\na b", "c d\n\ne\n```"]


def test_short_sections_are_merged_with_the_following_while_both_fit() -> None:
    text = "# A\na\n# B\nb b\n# C\nc c c c\n# D\nd d d\n"
    assert split(text, 8, 0) == ["# A\na", "# B\nb b", "# C\nc c c c", "# D\nd d d\n"]
    assert split(text, 8, 3) == ["# A\na\n# B\nb b", "# C\nc c c c", "# D\nd d d\n"]
    assert split(text, 10, 6) == ["# A\na\n# B\nb b\n# C\nc c c c", "# D\nd d d\n"]
    assert split(text, 4, 4) == ["# A\na", "# B\nb b", "# C\nc c c", "c", "# D\nd d d\n"]


@pytest.mark.parametrize("text", ["", "  \n", "***", "No heading here. None at all.", "# Only a heading"])
def test_a_text_without_sections_is_one_passage(text: str) -> None:
    assert split(text) == [text]


@settings(deadline=None)
@given(texts, bounds)
def test_nothing_is_lost_cut_or_too_long(text: str, parameters: tuple[int, int]) -> None:
    spans = HeadingChunker(*parameters).split(text)
    check_spans(text, spans)
    assert all(count(text[start:end]) <= parameters[0] for start, end in spans)


@settings(deadline=None)
@given(texts, bounds)
def test_only_white_space_lies_between_passages(text: str, parameters: tuple[int, int]) -> None:
    spans = HeadingChunker(*parameters).split(text)
    assert (spans[0][0], spans[-1][1]) == (0, len(text))
    assert all(text[end:start].strip() == "" and end <= start for (_, end), (start, _) in pairwise(spans))


@settings(deadline=None)
@given(texts, bounds)
def test_a_passage_is_short_only_where_the_next_would_not_fit(text: str, parameters: tuple[int, int]) -> None:
    most, least = parameters
    counts = [count(passage) for passage in split(text, most, least)]
    assert all(left >= least or left + right > most for left, right in pairwise(counts))


@pytest.mark.parametrize("unit", ["# a\n", "a\n\n", "```\n", "a. ", "# ", "a ", "- ", "\n"])
def test_time_grows_with_length_alone(unit: str) -> None:
    def seconds(length: int) -> float:
        started = time.process_time()
        HeadingChunker(10, 5).split(unit * (length // len(unit)))
        return time.process_time() - started

    # eight times the text: 8 where the work grows with the length, 64 where it grows with its square
    short, long = (min(seconds(length) for _ in range(3)) for length in (15_000, 120_000))
    assert long < max(24 * short, 0.5)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ((0,), "chunker.max_words must be an int >= 1, got 0"),
        ((5, 6), "chunker.min_words must be an int from 0 to max_words (chunker.max_words is 5), got 6"),
        ((5, -1), "chunker.min_words must be an int from 0 to max_words (chunker.max_words is 5), got -1"),
    ],
)
def test_bounds_that_cannot_be_are_refused(parameters: tuple[int, ...], message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        HeadingChunker(*parameters)
