"""Two configurations on made rankings: every fate of a document, and numbers as other programs have them."""

from __future__ import annotations

import io

import numpy as np
import pytest
import scipy.stats
from comparisons import MadeSweep, asked
from rich.console import Console

from rag_sweep.comparing.difference import Difference, difference_of
from rag_sweep.comparison.settings import Decide
from rag_sweep.errors import DataError, NotComparable
from rag_sweep.records import Question
from rag_sweep.report.difference import CLOSES, LONGEST, OPENS, difference_text, pieces

QUICK = Decide(resamples=2000)


def ranking(*documents: int, depth: int = 12) -> list[int]:
    """Document numbers by rank; what isn't named is filled up with others from 20 on."""
    return [*documents, *range(20, 20 + depth - len(documents))]


def questions_of(*relevant: dict[str, int]) -> list[Question]:
    return [Question(f"q{at}", f"text {at}", grades) for at, grades in enumerate(relevant)]


def differ(first: list[list[int]], second: list[list[int]], questions: list[Question]) -> Difference:
    """Of one configuration against another one; the values are of no importance."""
    values = np.linspace(0.1, 0.9, 2 * len(questions)).reshape(2, -1)
    documents = np.array([first, second])
    sweep = MadeSweep(values, questions=questions, documents=documents)
    return difference_of((sweep, 0), (sweep, 1), QUICK)


@pytest.mark.parametrize(
    ("before", "after", "fate", "ranks"),
    [
        (ranking(9, 8, 1), ranking(1), "up", (3, 1)),
        (ranking(1), ranking(9, 1), "down", (1, 2)),
        (ranking(9, 1), ranking(8, 1), "same", (2, 2)),
        (ranking(9), ranking(9, 1), "found", (None, 2)),
        (ranking(9, 1), ranking(9), "lost", (2, None)),
        (ranking(9), ranking(8), "missing", (None, None)),
        (ranking(*range(2, 13), 1), ranking(9, 8, 1), "found", (12, 3)),  # kept, but below k = 10
        (ranking(9, 1), ranking(*range(2, 12), 1), "lost", (2, 11)),
        (ranking(*range(2, 12), 1), ranking(*range(2, 13), 1), "missing", (11, 12)),
    ],
)
def test_the_fate_of_a_relevant_document(
    before: list[int], after: list[int], fate: str, ranks: tuple[int | None, int | None]
) -> None:
    found = differ([before], [after], questions_of({"d001": 2}))
    ((move,),) = (row.documents for row in found.rows)
    assert (move.doc_id, move.grade, move.fate, (move.a, move.b)) == ("d001", 2, fate, ranks)


def test_only_relevant_documents_are_followed_the_best_grade_first() -> None:
    asked_for = questions_of({"d003": 1, "d001": 3, "d002": 0, "d004": 1})
    (row,) = differ([ranking(1, 2, 3)], [ranking(3, 2, 1)], asked_for).rows
    assert [move.doc_id for move in row.documents] == ["d001", "d003", "d004"]


def test_the_mean_difference_and_its_p_are_those_of_scipy() -> None:
    rng = np.random.default_rng(5)
    values = np.clip(rng.normal([[0.5], [0.6]], 0.2, (2, 12)), 0, 1)
    sweep = MadeSweep(values)
    found = difference_of((sweep, 0), (sweep, 1), Decide(resamples=10_000))
    changes = values[1] - values[0]
    assert found.difference == pytest.approx(changes.mean(), abs=1e-9)
    exact = scipy.stats.permutation_test((changes,), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert found.p_value == pytest.approx(exact.pvalue, abs=1e-9)  # all 4,096 patterns of signs
    assert (found.better, found.worse, found.same) == ((changes > 0).sum(), (changes < 0).sum(), 0)
    interval = scipy.stats.bootstrap((changes,), np.mean, n_resamples=20_000, rng=np.random.default_rng(1))
    low, high = interval.confidence_interval
    assert (found.lower, found.upper) == (pytest.approx(low, abs=0.02), pytest.approx(high, abs=0.02))


def test_negatives_have_no_row_and_ties_of_rounding_are_no_change() -> None:
    values = np.array([[0.3, 0.1 + 0.2], [0.3, 0.3]])
    sweep = MadeSweep(values, questions=asked(3, negatives=1))
    found = difference_of((sweep, 0), (sweep, 1), QUICK)
    assert (found.questions, found.negatives, found.same) == (2, 1, 2)
    assert [row.change for row in found.rows] == [0.0, 0.0]


def test_equal_changes_stand_in_the_order_of_the_gold() -> None:
    values = np.array([[0.5, 0.5, 0.5, 0.5], [0.6, 0.2, 0.4, 0.5]])
    sweep = MadeSweep(values)
    found = difference_of((sweep, 0), (sweep, 1), QUICK)
    assert [row.id for row in found.rows] == ["q001", "q000", "q002", "q003"]


def test_knobs_that_one_pipeline_lacks_differ_from_null() -> None:
    params = [
        {"chunker": "fixed", "chunker.size": 80, "x.y": None, "k": 10},
        {"chunker": "document", "x.y": None, "k": 10, "x.z": None},
    ]
    sweep = MadeSweep(np.array([[0.1, 0.2], [0.3, 0.4]]), params)
    found = difference_of((sweep, 0), (sweep, 1), QUICK)
    assert [(k.key, k.a, k.b, k.has_a, k.has_b) for k in found.knobs] == [
        ("chunker", "fixed", "document", True, True),
        ("chunker.size", 80, None, True, False),
        ("x.z", None, None, False, True),
    ]


def test_a_failed_configuration_and_another_gold_are_refused() -> None:
    sweep = MadeSweep(np.array([[0.1, 0.2], [0.3, 0.4]]), failures={1: "out of ink"})
    with pytest.raises(DataError, match=r"configuration 1 of sweep \S+ failed: out of ink"):
        difference_of((sweep, 0), (sweep, 1), QUICK)
    other = MadeSweep(np.array([[0.1, 0.2, 0.3]]), sweep_id="20260202-000000-bbbbbb")
    with pytest.raises(NotComparable, match="the gold differs"):
        difference_of((sweep, 0), (other, 0), QUICK)


# In the terminal


def lines_of(found: Difference, limit: int | None, width: int = 100) -> list[str]:
    file = io.StringIO()
    console = Console(file=file, width=width, highlight=False, markup=False, emoji=False)
    for thing in difference_text(found.to_dict(), limit, width):
        console.print(thing)
    return [line.rstrip() for line in file.getvalue().splitlines()]


def test_what_moved_is_shown_up_to_a_limit_and_the_rest_is_counted() -> None:
    gold = questions_of({"d001": 1}, {"d001": 1}, {"d001": 1}, {"d001": 1})
    first = [ranking(9, 1), ranking(1), ranking(9), ranking(9, 1)]
    second = [ranking(1), ranking(9, 8, 1), ranking(9, 1), ranking(9, 1)]
    values = np.array([[0.6, 1.0, 0.0, 0.6], [1.0, 0.5, 0.6, 0.6]])
    sweep = MadeSweep(values, questions=gold, documents=np.array([first, second]))
    found = difference_of((sweep, 0), (sweep, 1), QUICK)
    lines = lines_of(found, 2)
    assert "B is better on 2 questions, worse on 1, the same on 1, of 4 (k = 10)." in lines
    shown = [line for line in lines if line.startswith("q")][1:]
    assert ["d001 – → 2 found" in shown[0], "d001 1 → 3 down" in shown[1]] == [True, True]
    assert len(shown) == 2
    told = " ".join(lines[lines.index(shown[1]) + 1 :])
    assert "1 more question in which something moved: --limit 3" in told
    assert "1 question in which no relevant document moved: --all" in told
    assert [line[:2] for line in lines_of(found, None) if line.startswith("q")][1:] == [
        "q2",
        "q1",
        "q0",
        "q3",
    ]


def test_the_mean_difference_says_whether_it_may_be_chance() -> None:
    rng = np.random.default_rng(0)
    base = rng.uniform(0.2, 0.6, 40)
    better = MadeSweep(np.array([base, base + 0.1 + rng.uniform(-0.05, 0.05, 40)]))
    found = difference_of((better, 0), (better, 1), QUICK)
    (line,) = [line for line in lines_of(found, 2, 300) if line.startswith("Mean difference")]
    assert line == (
        f"Mean difference +{found.difference:.3f}, 95 % interval +{found.lower:.3f} to +{found.upper:.3f}, p "
        "= 0.0005 "
        "for this pair alone: more than chance, unless it was picked from many. Then the p of `rag-sweep "
        "compare` "
        "counts."
    )
    strict = difference_of((better, 0), (better, 1), Decide(resamples=2000, alpha=0.0001))
    (line,) = [line for line in lines_of(strict, 2, 300) if line.startswith("Mean difference")]
    assert line.endswith("p = 0.0005: that may be chance.")


def test_no_difference_on_any_question_has_no_interval() -> None:
    sweep = MadeSweep(np.tile(np.linspace(0.1, 0.9, 7), (2, 1)))
    found = difference_of((sweep, 0), (sweep, 1), QUICK)
    told = " ".join(lines_of(found, 2))
    assert found.upper == pytest.approx(1 - 0.025 ** (1 / 7))
    assert (
        "No difference on any question, though 7 of them have other documents or another order; on up to 41 "
        "% of "
        "other questions there may be one."
    ) in told
    assert "interval" not in told


def test_long_names_and_ids_are_cut_on_the_screen_only() -> None:
    long = "very-" * 2000
    gold = [Question(f"q-{long}", "what", {"d001": 1})]
    params: list[dict[str, object]] = [{"chunker": "document"}, {"chunker": long}]
    sweep = MadeSweep([[0.1], [0.2]], params, questions=gold)  # type: ignore[arg-type]
    found = difference_of((sweep, 0), (sweep, 1), QUICK)
    assert long in found.b.name
    lines = lines_of(found, None, 10_000)
    assert max(map(len, lines)) < 1000
    assert sum("…" in line for line in lines) >= 3
    data = found.to_dict()
    data["rows"][0]["documents"][0]["doc_id"] = long
    file = io.StringIO()
    for thing in difference_text(data, None, 10_000):
        Console(file=file, width=10_000).print(thing)
    assert max(map(len, file.getvalue().splitlines())) < 1000


@pytest.mark.parametrize("width", [50, 80, 120])
def test_no_line_is_wider_than_the_window(width: int) -> None:
    gold = questions_of(*[{f"d{at:03}": 1, f"d{at + 1:03}": 1} for at in range(6)])
    rng = np.random.default_rng(2)
    documents = np.array([[rng.permutation(40)[:12] for _ in gold] for _ in range(2)])
    sweep = MadeSweep(rng.random((2, 6)), questions=gold, documents=documents)
    lines = lines_of(difference_of((sweep, 0), (sweep, 1), QUICK), None, width)
    assert max(map(len, lines)) <= width


def passage(text: str | None, *evidence: tuple[int, int], start: int = 0) -> dict[str, object]:
    length = 500 if text is None else len(text)
    spans = [[first + start, last + start] for first, last in evidence]
    return {"start": start, "end": start + length, "text": text, "evidence": spans}


def test_evidence_stands_between_its_marks() -> None:
    found = pieces(passage("a wrong password here", (2, 7), (17, 21), start=100))
    assert "".join(piece for piece, _ in found) == f"a {OPENS}wrong{CLOSES} password {OPENS}here{CLOSES}"
    assert [piece for piece, mark in found if mark] == [f"{OPENS}wrong{CLOSES}", f"{OPENS}here{CLOSES}"]


def test_a_long_passage_is_cut_around_its_first_evidence() -> None:
    text = "x" * 1000 + "evidence" + "y" * 1000
    whole = "".join(piece for piece, _ in pieces(passage(text, (1000, 1008))))
    assert f"{OPENS}evidence{CLOSES}" in whole
    assert whole.startswith("…x")
    assert whole.endswith("y…")
    assert len(whole) < LONGEST + 10
    beginning = "".join(piece for piece, _ in pieces(passage(text)))
    assert beginning == "x" * LONGEST + "…"


def test_evidence_that_is_longer_than_what_is_shown_is_closed_all_the_same() -> None:
    whole = "".join(piece for piece, _ in pieces(passage("z" * 900, (0, 900))))
    assert whole == f"{OPENS}{'z' * LONGEST}{CLOSES}…"


def test_without_its_text_a_passage_is_told_by_its_place() -> None:
    assert pieces(passage(None, start=40)) == [("characters 40 to 540", False)]
