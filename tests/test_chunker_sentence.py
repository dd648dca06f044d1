"""Windows of sentences, and where sentences begin."""

from __future__ import annotations

import re
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import texts

from rag_sweep.chunker.sentence import SentenceChunker
from rag_sweep.errors import ConfigError
from rag_sweep.testing import check_chunker, check_spans

sizes = st.integers(1, 5).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size)))


def split(text: str, size: int = 1, stride: int = 0) -> list[str]:
    return [text[start:end] for start, end in SentenceChunker(size, stride).split(text)]


@pytest.mark.parametrize("parameters", [(5, 0), (1, 0), (1, 1), (3, 1), (4, 3)])
def test_it_conforms(parameters: tuple[int, int]) -> None:
    check_chunker(SentenceChunker(*parameters))


# "‖" stands where a sentence must begin; the space or line end before it belongs to none.
@pytest.mark.parametrize(
    "marked",
    [
        "Заявка подана. ‖Ждите ответа! ‖Долго? ‖Нет… ‖Уже готово.",
        "The badge is lost. ‖Call us! ‖When? ‖Now... ‖Good.",
        "Срок — 5 дней. ‖10 дней — для завода.",
        "Он спросил: «Когда?» ‖«Завтра», — ответили ему.",
        "— Когда? — спросил он. ‖— Завтра.",
        "(См. приложение.) ‖Далее — по списку.",
        "**Важно.** ‖*Не забудьте.* ‖`Код`.",
        'He said "stop." ‖Then he left.',
        "Это сделал я. ‖Потом ушёл.",
        "Закон 2020. ‖Порядок новый.",
        "Отпуск 2n. ‖Далее.",
        "שלום עולם. ‖נגמר.",
        # abbreviations and initials
        "Приказ подписал А. С. Пушкин в г. Тверь.",
        "Курьеры, водители и т. д. Мастера тоже, т. е. все.",
        "По ст. 12 и п. 3, пп. 4 и 5, см. Приложение 2, рис. 7, напр. Форма 1.",
        "Ставка 500 руб. Белый, 3 тыс. Рублей, им. Иванова, ул. Мира, др. Лица.",
        "В 2020 г. Завод и в 1998–2001 гг. Склад.",
        "Итальянский (итал. Italia) и Дж. Смит.",
        "Ask Dr. Brown, Mr. Green vs. Mrs. White, e.g. No. 5, i.e. Fig. 7, etc. Then St. John.",
        "Written by J. R. Smith et al. They found it in U.S. Stores.",
        "He said no. ‖Then he left room No. 5.",
        # numbers
        "Порог 3.5 и 1.000.000 и 12.04.2026 верны.",
        "Сайт example.com. и ver.2 работает.",
        # lower case goes on
        "Что? где? когда? неизвестно.",
        "Ну... может быть.",
        # tokenised collections
        "the wing stalled . ‖a second test followed .",
        # blocks
        "# Заголовок\n‖Текст без точки\n\n‖Второй абзац",
        "Нужно:\n‖- паспорт\n‖- пропуск\n  с фото\n‖1. первое. ‖Ещё\n‖2) второе\n‖– третье",
        "1. Общие положения\n‖1.2. Настоящий порядок\n‖IV. Итоги",
        "## 1. Общее\n‖Текст",
        "# ИН-077. Переезд\n‖Текст. ‖Ещё",
        "| Раз. Два | Три. Четыре |\n‖| Пять. Шесть |\n\n‖Семь. ‖Восемь",
        "| Код | Срок |\n|---|---|\n‖| A-1 | 5 |\n‖| B-2 | 7 |\n‖Конец",
        "Текст\nс переносом\nстроки.",
        "Раз.\n\n---\n\n‖Два.",
        "Так было до\n2020. ‖Потом иначе.",
        "Раз.\r\n\r\n‖Два\r\nтри.\r\n‖Четыре.",
        "```\nx = 1\n‖y = 2. Z\n```\n‖Конец",
    ],
)
def test_sentences_begin_where_a_reader_sees_it(marked: str) -> None:
    expected = [part.strip() for part in marked.split("‖")]
    assert [sentence.strip() for sentence in split(marked.replace("‖", ""))] == expected


def test_windows_of_sentences() -> None:
    text = "A1 is. B2 is. C3 is. D4 is. E5 is."
    assert split(text, 2) == ["A1 is. B2 is.", "C3 is. D4 is.", "E5 is."]
    assert split(text, 3, 1) == ["A1 is. B2 is. C3 is.", "B2 is. C3 is. D4 is.", "C3 is. D4 is. E5 is."]
    assert split(text, 2, 1)[-1] == "D4 is. E5 is."


def test_a_stride_of_zero_is_the_size() -> None:
    text = " ".join(f"Sentence {at} is here." for at in range(11))
    assert SentenceChunker(3).split(text) == SentenceChunker(3, 3).split(text)


@pytest.mark.parametrize("text", ["", "  ", "...", "One. Two."])
def test_a_text_no_longer_than_a_window_is_one_passage(text: str) -> None:
    assert split(text, 2, 1) == [text]


@settings(deadline=None)
@given(texts, sizes)
def test_nothing_is_lost_or_cut_and_no_passage_lies_in_the_one_before(
    text: str, parameters: tuple[int, int]
) -> None:
    spans = SentenceChunker(*parameters).split(text)
    check_spans(text, spans)
    assert all(left[0] < right[0] and left[1] < right[1] for left, right in pairwise(spans))


@settings(deadline=None)
@given(texts)
def test_single_sentences_each_have_a_word_and_only_white_space_lies_between(text: str) -> None:
    spans = SentenceChunker(1).split(text)
    assert len(spans) == 1 or all(re.search(r"[^\W_]", text[start:end]) for start, end in spans)
    assert (spans[0][0], spans[-1][1]) == (0, len(text))
    assert all(text[end:start].strip() == "" and end <= start for (_, end), (start, _) in pairwise(spans))


@settings(deadline=None)
@given(texts, sizes)
def test_a_passage_is_as_many_sentences_as_asked(text: str, parameters: tuple[int, int]) -> None:
    size, stride = parameters
    single, spans = SentenceChunker(1).split(text), SentenceChunker(size, stride).split(text)
    firsts = [single.index(next(one for one in single if one[0] == start)) for start, _ in spans]
    assert firsts == [at * (stride or size) for at in range(len(spans))]
    lasts = [next(at for at, one in enumerate(single) if one[1] == end) for _, end in spans]
    assert lasts == [min(first + size, len(single)) - 1 for first in firsts]


@pytest.mark.parametrize("unit", [".", "(", " ", "a", ". ", ".)", "1.", "\n", "`", "#", "|", "Г. "])
def test_time_grows_with_length_alone(unit: str) -> None:
    def seconds(length: int) -> float:
        started = time.process_time()
        SentenceChunker().split(unit * (length // len(unit)))
        return time.process_time() - started

    # four times the text: 4 where the work grows with the length, 16 where it grows with its square
    short, long = (min(seconds(length) for _ in range(3)) for length in (40_000, 160_000))
    assert long < max(10 * short, 0.5)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ((0,), "chunker.sentences must be an int >= 1, got 0"),
        ((5, -1), "chunker.stride must be an int from 0 to chunker.sentences=5, got -1"),
        ((5, 6), "chunker.stride must be an int from 0 to chunker.sentences=5, got 6"),
        ((5, 1.0), "chunker.stride must be an int from 0 to chunker.sentences=5, got 1.0"),
    ],
)
def test_sizes_that_cannot_be_are_refused(parameters: tuple[int, ...], message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        SentenceChunker(*parameters)
