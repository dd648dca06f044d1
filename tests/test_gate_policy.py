"""The file of thresholds: each with its reason, and none lowered in silence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rag_sweep.errors import DataError
from rag_sweep.gate.plainyaml import dump
from rag_sweep.gate.policy import Policy, lowered

WHOLE = """
format: 1
mode: {value: non_inferiority, reason: nothing may sink, date: 2026-01-31}
minima:
  recall@5: {value: 0.8, reason: "release 1, minus noise", date: 2026-01-31}
  price:recall@5: {value: 0.7, reason: asked for most, date: 2026-01-31}
max_drop:
  all: {value: 0.03, reason: what the gold can tell, date: 2026-01-31}
removed:
  minima.hit@5: {reason: the same as recall here, date: 2026-02-01}
"""


def policy(**sections: dict[str, tuple[float, str]]) -> Policy:
    data: dict[str, Any] = {"format": 1}
    for section, entries in sections.items():
        data[section] = {
            key: {"value": value, "reason": reason, "date": "2026-01-31"}
            for key, (value, reason) in entries.items()
        }
    return Policy.of(data, "t.yaml")


def test_it_is_read_with_everything_that_it_says(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(WHOLE)
    found = Policy.read(tmp_path / "t.yaml")
    limits = found.thresholds()
    assert limits.minima == {"recall@5": 0.8, "price:recall@5": 0.7}
    assert (limits.drops, limits.mode, limits.alpha) == ({"all": 0.03}, "non_inferiority", 0.05)
    assert found.entries["minima.recall@5"].reason == "release 1, minus noise"
    assert found.entries["mode"].date == "2026-01-31"


def test_what_it_says_can_be_written_and_read_again(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(WHOLE)
    first = Policy.read(tmp_path / "t.yaml")
    (tmp_path / "u.yaml").write_text(dump(first.to_dict()))
    again = Policy.read(tmp_path / "u.yaml")
    assert (again.entries, again.removed) == (first.entries, first.removed)
    assert Policy.of(json.loads(json.dumps(first.to_dict())), "x").entries == first.entries


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (WHOLE.replace("2026-02-01", "2026-13-01"), "t.yaml is no YAML that can be read: month must be in"),
        ("[" * 5000, "t.yaml is no YAML that can be read: maximum recursion depth"),
        ("format: 2", "t.yaml format must be 1, got 2"),
        ("", "t.yaml the file must be a mapping, got None"),
        (
            "format: 1\nminima: {recall@5: 0.8}",
            "minima.recall@5 must be {value: …, reason: …, date: …}, got 0.8",
        ),
        ("format: 1\nmin: {}", "min is no key of thresholds; there are format, mode"),
        ("format: 1\nminima: {a@5: {value: 0.8, reason: x, date: 2026-01-31}}", "must be one of hit, recall"),
        (
            "format: 1\nminima: {hit@5: {value: 80, reason: x, date: 2026-01-31}}",
            "minima.hit@5 must be a number",
        ),
        (
            "format: 1\nminima: {hit@5: {value: 0.8, reason: ' ', date: 2026-01-31}}",
            "hit@5.reason must be a text",
        ),
        ("format: 1\nminima: {hit@5: {value: 0.8, reason: x, date: May}}", "hit@5.date must be a day"),
        ("format: 1\nminima: {hit@5: {value: 0.8, reason: x}}", "minima.hit@5 must be {value"),
        ("format: 1\nformat: 1", "t.yaml:2 format stands twice"),
        ("format: 1\n  x: [", "t.yaml:2 mapping values are not allowed here"),
        ("!!python/object/apply:os.system ['true']", "could not determine a constructor"),
        (
            "format: 1\nmode: {value: regression, reason: x, date: 2026-01-31}\n"
            "removed: {mode: {reason: y, date: 2026-01-31}}",
            "removed.mode is said to be removed, yet it is there",
        ),
    ],
)
def test_a_wrong_file_is_one_clear_error(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "t.yaml").write_text(text)
    with pytest.raises(DataError) as error:
        Policy.read(tmp_path / "t.yaml")
    assert told in str(error.value).replace(str(tmp_path) + "/", "")


def test_a_file_that_isnt_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"t\.yaml can't be read: No such file"):
        Policy.read(tmp_path / "t.yaml")


BEFORE = policy(
    minima={"recall@5": (0.8, "release 1, minus noise")}, max_drop={"all": (0.03, "what we can tell")}
)


@pytest.mark.parametrize(
    ("now", "keys"),
    [
        (BEFORE, []),
        (policy(minima={"recall@5": (0.9, "better")}, max_drop={"all": (0.02, "better")}), []),
        (
            policy(minima={"recall@5": (0.7, "new documents")}, max_drop={"all": (0.03, "what we can tell")}),
            [],
        ),
        (
            policy(minima={"recall@5": (0.7, "Release 1 - minus  noise!")}, max_drop={"all": (0.03, "x")}),
            ["minima.recall@5"],
        ),
        (policy(max_drop={"all": (0.03, "what we can tell")}), ["minima.recall@5"]),
        (
            policy(minima={"recall@5": (0.8, "x")}, max_drop={"all": (0.04, "what we can tell")}),
            ["max_drop.all"],
        ),
        (policy(minima={"recall@5": (0.8, "x")}), ["max_drop.all"]),
        (
            policy(
                minima={"recall@5": (0.8, "x")},
                max_drop={"all": (0.03, "y"), "hit@5": (0.1, "what we can tell")},
            ),
            ["max_drop.hit@5"],
        ),
        (
            policy(
                minima={"recall@5": (0.8, "x")},
                max_drop={"all": (0.03, "y"), "hit@5": (0.1, "rare questions")},
            ),
            [],
        ),
        (
            policy(
                minima={"recall@5": (0.8, "x")},
                max_drop={"all": (0.03, "y"), "price:hit@5": (0.1, "what we can tell")},
            ),
            [],
        ),
    ],
)
def test_a_lowered_threshold_needs_a_new_reason(now: Policy, keys: list[str]) -> None:
    assert list(lowered(now, BEFORE)) == keys


def test_what_was_lowered_is_said_in_a_sentence() -> None:
    now = policy(minima={"recall@5": (0.7, "release 1, minus noise")}, max_drop={"all": (0.03, "x")})
    assert lowered(now, BEFORE)["minima.recall@5"] == (
        "minima.recall@5 went from 0.8 to 0.7 and still gives the reason 'release 1, minus noise': "
        "a lowered threshold needs a new one"
    )
    gone = lowered(policy(max_drop={"all": (0.03, "x")}), BEFORE)["minima.recall@5"]
    assert gone.startswith("minima.recall@5 was removed and gives no reason")


def test_one_may_be_removed_with_a_reason() -> None:
    data = policy(max_drop={"all": (0.03, "x")}).to_dict()
    data["removed"] = {"minima.recall@5": {"reason": "hit says the same", "date": "2026-02-01"}}
    assert lowered(Policy.of(data, "t.yaml"), BEFORE) == {}
    data["removed"]["minima.recall@5"]["reason"] = "release 1, minus noise"
    assert list(lowered(Policy.of(data, "t.yaml"), BEFORE)) == ["minima.recall@5"]


def test_the_weaker_mode_and_a_larger_alpha_are_lowered_too() -> None:
    def settings(mode: str, alpha: float, reason: str) -> Policy:
        told = {"reason": reason, "date": "2026-01-31"}
        return Policy.of(
            {"format": 1, "mode": {"value": mode, **told}, "alpha": {"value": alpha, **told}}, "t.yaml"
        )

    strict = settings("non_inferiority", 0.05, "a")
    assert list(lowered(settings("regression", 0.1, "a"), strict)) == ["mode", "alpha"]
    assert lowered(settings("regression", 0.1, "b"), strict) == {}
    assert lowered(strict, settings("regression", 0.1, "a")) == {}
    assert list(lowered(policy(), strict)) == ["mode"]
