"""A comparison in the terminal, as Markdown and as CSV: nothing is cut, nothing is markup that isn't ours."""

from __future__ import annotations

import copy
import csv
import io
import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from comparisons import SHIPPED, MadeSweep, asked, grid_params, noisy
from rich.console import Console
from rich.text import Text

from rag_sweep.comparison.compare import compare
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.parts import History, Latency
from rag_sweep.comparison.settings import Decide
from rag_sweep.report.comparison_csv import leaderboard_csv
from rag_sweep.report.comparison_markdown import comparison_markdown, escaped
from rag_sweep.report.comparison_rows import Column, amount, leaders, probability
from rag_sweep.report.comparison_sections import sections
from rag_sweep.report.comparison_text import comparison_text, fitting, table

QUICK = Decide(resamples=400, repeats=3, difference=0.02)


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    """Thirty configurations and one that failed, sixty questions with two tags."""
    params = grid_params(
        chunker=["document", "fixed"],
        lexical__k1=[0.6, 0.9, 1.2, 1.5, 1.8],
        lexical__b=[0.4, 0.75, 1.0],
    )
    means = [
        0.5 + 0.15 * (one["chunker"] == "fixed") + 0.02 * float(str(one["lexical.k1"])) for one in params
    ]
    values = noisy([*means, 0.0], 60, seed=3)
    sweep = MadeSweep(
        values,
        [*params, {"chunker": "broken"}],
        questions=asked(63, tags=True, negatives=3),
        failures={30: "out | of `ink`"},
    )
    found = compare(Grid.of(sweep), QUICK, SHIPPED, History(7, 900)).to_dict()
    found["latency"] = [vars(Latency(0, 1.25, 2.5, 0.3, 150))]
    return found


def printed(data: dict[str, Any], width: int, top: int = 10) -> list[str]:
    file = io.StringIO()
    console = Console(file=file, width=width, highlight=False, markup=False, emoji=False)
    for thing in comparison_text(data, top, width):
        console.print(thing)
    return [line.rstrip() for line in file.getvalue().splitlines()]


# In the terminal


def test_the_decision_stands_first_with_its_reasons(data: dict[str, Any]) -> None:
    text = " ".join(" ".join(printed(data, 100)).split())
    assert text.startswith(" ".join(data["decision"]["headline"].split()))
    places = [text.index(part) for part in (*data["decision"]["reasons"], "31 configurations")]
    assert places == sorted(places)
    for caution in data["decision"]["cautions"]:
        assert caution in text


@pytest.mark.parametrize("width", [60, 80, 100, 140, 300])
def test_no_line_is_wider_than_the_window_and_no_number_is_cut(data: dict[str, Any], width: int) -> None:
    lines = printed(data, width)
    assert max(map(len, lines)) <= width
    for row in leaders(data, 10):
        start = re.compile(rf"\s*{row['rank']}\s+{row['index']}\s.*\b{row['mean']:.3f}\b")
        assert any(start.match(line) for line in lines), row["index"]


def test_a_wider_window_shows_more_columns(data: dict[str, Any]) -> None:
    heads = {
        width: next(line for line in printed(data, width) if line.lstrip().startswith("#"))
        for width in (80, 110, 300)
    }
    assert len(heads[80].split()) < len(heads[110].split()) < len(heads[300].split())
    for head in ("index", "ndcg@10", "difference", "p"):
        assert head in heads[80].split()
    for head in ("95 % interval", "its interval", "won/tied/lost", "best", "work", "words"):
        assert head in heads[300]


def test_the_promoted_one_and_the_baseline_are_shown_however_few_rows_are(data: dict[str, Any]) -> None:
    shown = [row["row"] for row in leaders(data, 1)]
    assert {0, data["baseline"], data["decision"]["promote"]} == set(shown)
    assert shown == sorted(shown)
    text = "\n".join(printed(data, 200, top=1))
    assert "29 more rows: --top 30" in text
    assert re.search(r"yes promote", text)


def test_every_section_is_there(data: dict[str, Any]) -> None:
    assert [section.title for section in sections(data)] == [
        *("The set of the best", "Honest value", "What this gold can find", "What each knob does"),
        *("Questions", "Tags", "At an equal budget of words", "Latency", "Notes"),
    ]
    told = " ".join(" ".join(printed(data, 120)).split())
    assert "This gold has judged 900 configurations in 7 sweeps" in told
    assert "Failed: chunker=broken: out | of `ink`." in told
    assert "To find 0.02, it takes" in told


def test_numbers_of_the_sections_are_those_of_the_data(data: dict[str, Any]) -> None:
    told = {section.title: section for section in sections(data)}
    assert f"is worth {data['honest']['value']:.3f}" in told["Honest value"].sentences[0]
    knobs = {column.head: column.cells for column in told["What each knob does"].columns}
    assert knobs["knob"][0] == "chunker"  # the one that was made to matter
    assert knobs["best value"][0] == "fixed"
    shares = [float(cell.removesuffix(" %").removeprefix("under ")) for cell in knobs["share of spread"]]
    assert shares == sorted(shares, reverse=True)
    tags = {column.head: column.cells for column in told["Tags"].columns}
    assert tags["tag"] == ("t0", "t1")
    assert tags["promoted"][0] == f"{data['tags'][0]['means'][str(data['decision']['promote'])]:.3f}"


def _blanked(data: dict[str, Any], *path: Any) -> dict[str, Any]:
    """A copy in which one value is null."""
    found = copy.deepcopy(data)
    at: Any = found
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = None
    return found


@pytest.mark.parametrize(
    "path",
    [
        *[("honest",), ("power",), ("curve",), ("latency",), ("history",)],
        *[("power", "detectable"), ("power", "alone"), ("power", "for"), ("power", "for", "questions")],
        *[("honest", "lower"), ("rows", 0, "lower"), ("rows", 0, "p_adjusted"), ("rows", 0, "words")],
        *[("rows", 0, "cost"), ("effects", 0, "share"), ("effects", 0, "effect", 0)],
        *[("effects", 0, "lower", 0), ("tags", 0, "difference"), ("curve", "rows", 0, "values", 0)],
        *[("curve", "rows", 0, "cut_short", 0), ("per_question", 0, "text")],
    ],
)
def test_what_cannot_be_said_is_left_out_everywhere(data: dict[str, Any], path: tuple[Any, ...]) -> None:
    blank = _blanked(data, *path)
    for text in ("\n".join(printed(blank, 100)), comparison_markdown(blank), leaderboard_csv(blank)):
        assert "None" not in text
        assert "nan" not in text


def test_one_configuration_alone_can_be_shown() -> None:
    sweep = MadeSweep(noisy([0.5], 30))
    found = compare(Grid.of(sweep), QUICK, SHIPPED).to_dict()
    text = "\n".join(printed(found, 80))
    assert "1 configuration, 30 answerable questions of made" in text
    assert "can't tell configurations apart" not in text
    assert comparison_markdown(found)


def test_columns_give_way_whole_and_those_of_place_0_never() -> None:
    columns = [
        Column("a", ("1234",)),
        Column("b", ("5",), 2),
        Column("c", ("67890",), 1),
        Column("d", ("1",), 2),
    ]
    assert [one.head for one in fitting(columns, 100)] == ["a", "b", "c", "d"]
    assert [one.head for one in fitting(columns, 15)] == ["a", "b", "c"]
    assert [one.head for one in fitting(columns, 11)] == ["a", "c"]
    assert [one.head for one in fitting(columns, 1)] == ["a"]


def test_numbers_are_short_and_never_a_false_zero() -> None:
    assert [probability(p) for p in (1.0, 0.0314, 0.001, 0.0004, 0.0000123)] == [
        *("1.000", "0.031", "0.001", "0.0004", "1e-05")
    ]
    assert [amount(units) for units in (0, 62, 3900, 1234567, 14e9)] == ["0", "62", "3.9k", "1.23M", "14G"]


def test_no_line_ends_with_blanks(data: dict[str, Any]) -> None:
    for width in (80, 300, 10_000):
        file = io.StringIO()
        console = Console(file=file, width=width, highlight=False, markup=False, emoji=False)
        for thing in comparison_text(data, 10, width):
            if not isinstance(thing, Text):  # a wrapped text keeps the blank that it is wrapped at
                console.print(thing)
        lines = file.getvalue().splitlines()
        assert len(lines) > 40
        assert [line for line in lines if line != line.rstrip()] == []


def test_blanks_inside_a_line_and_before_it_stay() -> None:
    made = table([Column("a b", ("c  d", "e"), is_number=False), Column("f", ("g", "hij"), is_number=False)])
    file = io.StringIO()
    Console(file=file, width=50, force_terminal=True, color_system="truecolor").print(made)
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in file.getvalue().splitlines()]
    assert plain == ["a b   f", "c  d  g", "e     hij"]
    assert "\x1b[1m" in file.getvalue()


def named_at_length(long: str) -> dict[str, Any]:
    params: list[dict[str, Any]] = [{"chunker": "document"}, {"chunker": long}, {"chunker": f"{long}/2"}]
    sweep = MadeSweep(
        noisy([0.5, 0.8, 0.4, 0.3], 60, noise=0.05),
        [*params, {"chunker": f"{long}/3"}],
        questions=asked(60, tags=True),
        failures={3: long},
    )
    return compare(Grid.of(sweep), QUICK, SHIPPED).to_dict()


def test_long_names_are_cut_on_the_screen_and_in_markdown_and_whole_as_data() -> None:
    long = "/".join(["corpus"] * 2000)
    found = named_at_length(long)
    assert found["rows"][0]["params"]["chunker"] == long
    assert long in leaderboard_csv(found)
    for width in (80, 10_000):
        lines = printed(found, width)
        assert max(map(len, lines)) <= min(width, 1000)
        assert len(lines) < 200  # a name that isn't cut would take hundreds of them
        assert any("…" in line for line in lines[:4])
        assert [line for line in lines if "corpus/" in line and line.lstrip().startswith("1")] != []
    assert max(map(len, comparison_markdown(found).splitlines())) < 2000


def test_the_columns_that_need_it_are_explained_below_the_leaderboard(data: dict[str, Any]) -> None:
    lines = printed(data, 300)
    at = next(at for at, line in enumerate(lines) if line.startswith("p: "))
    assert lines[at] == (
        "p: with all 29 comparisons counted in; * real at 0.05 (paired randomisation, max-T, 400 sign "
        "patterns); `rag-sweep diff` has the p of a pair alone, which is smaller"
    )
    assert (
        "work: computing for a question, about so many multiply-adds; words: handed over for a question"
        in lines
    )
    narrow = printed(data, 80)
    assert not any("words: handed over" in line for line in narrow)  # the column isn't there either


@pytest.mark.parametrize(
    ("bounds", "shown", "told"),
    [
        ((0.001, 0.04), False, True),
        ((-0.04, -0.001), False, True),
        ((-0.001, 0.04), False, False),
        ((0.001, 0.04), True, False),
    ],
)
def test_an_interval_without_zero_that_may_be_chance_is_resolved(
    data: dict[str, Any], bounds: tuple[float, float], shown: bool, told: bool
) -> None:
    found = copy.deepcopy(data)
    for row in found["rows"]:
        row["shown"] = True
    lower, upper = bounds
    found["rows"][1] |= {"difference_lower": lower, "difference_upper": upper, "shown": shown}
    found["rows"][1] |= {"wins": 3, "losses": 2}
    text = (
        "its interval: of that one comparison; without * it may be chance even where it leaves out 0, for 29 "
        "were "
        "tried"
    )
    assert (text in printed(found, 300)) is told
    assert (text.replace("*", r"\*") in comparison_markdown(found)) is told


def test_where_no_question_differs_there_is_no_interval_to_read() -> None:
    values = noisy([0.5, 0.5, 0.4], 7)
    values[1] = values[0]
    found = compare(Grid.of(MadeSweep(values)), QUICK).to_dict()
    row = found["rows"][1]
    assert (row["wins"], row["losses"], row["difference"]) == (0, 0, 0.0)
    assert row["difference_upper"] == pytest.approx(1 - 0.025 ** (1 / 7))  # in the data it stays
    (line,) = [line for line in printed(found, 200) if re.match(r"\s*\d\s+1\s", line)]
    assert re.search(r"0\.000  +no difference  +1\.000", line)
    assert "−0.410" not in "\n".join(printed(found, 200))


def test_of_two_the_legend_says_what_counts() -> None:
    two = compare(Grid.of(MadeSweep(noisy([0.5, 0.6], 30))), QUICK).to_dict()
    (line,) = [line for line in printed(two, 300) if line.startswith("p: ")]
    assert line == "p: * real at 0.05 (paired randomisation, max-T, 400 sign patterns)"
    row = two["rows"][0] if two["baseline"] == 1 else two["rows"][1]
    row.update(difference_lower=0.001, difference_upper=0.04, shown=False, wins=3, losses=2)
    assert any(
        line.endswith("leaves out 0, where both are close: then p counts") for line in printed(two, 300)
    )


# Markdown


def test_every_table_of_the_markdown_is_whole(data: dict[str, Any]) -> None:
    lines = comparison_markdown(data).splitlines()
    tables = [at for at, line in enumerate(lines) if re.fullmatch(r"\|( :?---:? \|)+", line)]
    assert len(tables) >= 5
    for at in tables:
        cells = [len(re.findall(r"(?<!\\)\|", line)) for line in (lines[at - 1], lines[at])]
        below = at + 1
        while below < len(lines) and lines[below].startswith("|"):
            cells.append(len(re.findall(r"(?<!\\)\|", lines[below])))
            below += 1
        assert len(set(cells)) == 1
        assert lines[at - 2] == lines[below] == ""  # else GitHub doesn't see a table
    for tag in ("details", "summary", "sub"):
        text = "\n".join(lines)
        assert text.count(f"<{tag}>") == text.count(f"</{tag}>") > 0


def test_texts_of_questions_and_failures_are_no_markup() -> None:
    assert escaped("a | b\n# c") == r"a \| b \# c"
    assert escaped("<script>alert(1)</script>") == r"\<script\>alert(1)\</script\>"
    assert escaped("[x](http://y) `z` *w* v_w") == r"\[x\](http://y) \`z\` \*w\* v\_w"
    assert escaped("ask @team, ndcg@10") == "ask @\u2060team, ndcg@10"


def test_a_failure_with_signs_stays_in_its_cell(data: dict[str, Any]) -> None:
    assert r"Failed: chunker=broken: out \| of \`ink\`." in comparison_markdown(data)


# CSV


def test_csv_has_all_rows_with_numbers_in_full(data: dict[str, Any]) -> None:
    lines = list(csv.DictReader(io.StringIO(leaderboard_csv(data))))
    assert len(lines) == 31
    for line, row in zip(lines, data["rows"], strict=False):
        assert float(line["mean"]) == row["mean"]
        assert int(line["index"]) == row["index"]
        assert line["lexical.k1"] == str(row["params"]["lexical.k1"])
        assert (line["difference"] == "") == row["is_baseline"]
        assert float(line["cost.units"]) == row["cost"]["units"]
    failed = lines[-1]
    assert (failed["rank"], failed["mean"], failed["failure"]) == ("", "", "out | of `ink`")
    assert [line["promoted"] for line in lines].count("true") == 1


def test_no_text_of_the_csv_is_a_formula_and_a_number_below_0_stays_one(data: dict[str, Any]) -> None:
    row = {
        **data["rows"][0],
        "name": "=1+1",
        "difference": -0.5,
        "params": {"chunker.kind": " @x", "least": -2},
    }
    (line, *_) = csv.DictReader(io.StringIO(leaderboard_csv({**data, "rows": [row, *data["rows"][1:]]})))
    assert [line[key] for key in ("name", "difference", "chunker.kind", "least")] == [
        "'=1+1",
        "-0.5",
        "' @x",
        "-2",
    ]


def test_csv_of_aliases_names_the_index_of_the_original() -> None:
    values = noisy([0.4, 0.6, 0.6], 30)
    values[2] = values[1]
    documents = np.argsort(np.random.default_rng(1).random((3, 30, 40)), axis=2)[..., :10]
    documents[2] = documents[1]
    sweep = MadeSweep(values, aliases={2: 1}, documents=documents)
    found = compare(Grid.of(sweep), QUICK, SHIPPED).to_dict()
    lines = {line["index"]: line for line in csv.DictReader(io.StringIO(leaderboard_csv(found)))}
    assert lines["2"]["alias_of_index"] == "1"
    assert lines["1"]["alias_of_index"] == ""
    assert not math.isnan(float(lines["2"]["mean"]))


def tied(groups: list[list[float]]) -> dict[str, Any]:
    """Configurations with the same value on every question as the others of their group."""
    params = [{"chunker": "document", "lexical.k1": at // 2, "lexical.b": at % 2} for at in range(24)]
    questions = asked(12, tags=True)
    values = np.repeat(np.array(groups), 24 // len(groups), axis=0)
    metrics = [{"context.words": 40.0 if at == 20 else 400.0} for at in range(24)]
    sweep = MadeSweep(values, params, questions=questions, metrics=metrics)
    return compare(Grid.of(sweep), replace(QUICK, baseline=0)).to_dict()


def test_where_all_tie_a_section_takes_a_line_and_nothing_is_called_the_best() -> None:
    found = tied([[1.0] * 10 + [0.6, 0.4]])
    told = {section.title: section for section in sections(found)}
    for title in ("The set of the best", "Honest value", "What each knob does"):
        assert len(told[title].sentences) == 1
        assert told[title].columns == ()
    assert told["What each knob does"].sentences == ("Nothing: no question changes with any of them.",)
    assert "Quality against work" not in told
    assert [column.head for column in told["Tags"].columns] == ["tag", "questions", "baseline"]
    hardest = {column.head: column.cells for column in told["Questions"].columns}
    assert hardest["mean"] == ("0.400", "0.600")  # those at 1 are hard for nobody


def test_a_row_that_the_decision_names_is_on_the_leaderboard() -> None:
    found = tied([[1.0] * 10 + [0.6, 0.4]])
    (named,) = found["decision"]["named"]
    assert found["rows"][named]["index"] == 20
    assert any("is cheaper" in reason for reason in found["decision"]["reasons"])
    assert named in [row["row"] for row in leaders(found, 10)]
    chance = compare(Grid.of(MadeSweep(noisy([0.5] * 12, 40))), replace(QUICK, baseline=3)).to_dict()
    (taken,) = chance["decision"]["named"]
    assert "The rule would take " + chance["rows"][taken]["name"] in " ".join(chance["decision"]["reasons"])
    assert taken in [row["row"] for row in leaders(chance, 1)]


def test_a_knob_that_moves_no_question_is_only_named() -> None:
    found = tied([[0.5] * 12, [0.4] * 11 + [1.0]])
    (section,) = [one for one in sections(found) if one.title == "What each knob does"]
    assert section.sentences[-1] == "No question changes with b."
    assert section.columns[0].cells == ("k1",)


def test_who_is_as_good_as_the_best_on_a_tag_is_counted() -> None:
    found = tied([[0.5] * 12, [0.4, 0.5] * 6])
    (section,) = [one for one in sections(found) if one.title == "Tags"]
    cells = {column.head: column.cells for column in section.columns}["of"]
    assert cells[1] == "all tie"
    assert cells[0].endswith(" and 11 more")


def test_what_is_1_is_no_lower_bound(data: dict[str, Any]) -> None:
    found = copy.deepcopy(data)
    for row in found["curve"]["rows"]:
        row["values"] = [1.0 for _ in row["values"]]
        row["cut_short"] = [0.5 for _ in row["values"]]
    assert "≥1.000" not in "\n".join(printed(found, 300))
