"""Effects of knobs, other things being equal."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_sweep.errors import ConfigError
from rag_sweep.statistics.effects import Effect, knob_effects

KNOBS = {"size": ["80", "160", "320"], "b": ["0", "0.75"], "fusion": ["none", "rrf"]}


def grid(knobs: dict[str, list[str]] = KNOBS) -> dict[str, list[str | None]]:
    """Every combination, as labels of each knob."""
    rows = list(itertools.product(*knobs.values()))
    return {name: [row[at] for row in rows] for at, name in enumerate(knobs)}


def values_of(labels: dict[str, list[str | None]], seed: int = 0, noise: float = 0.1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    number = len(next(iter(labels.values())))
    return np.clip(rng.uniform(0.3, 0.7, 25) + rng.normal(0, noise, (number, 25)), 0, 1)


def named(found: tuple[Effect, ...]) -> dict[tuple[str, ...], Effect]:
    return {one.knobs: one for one in found}


def test_in_a_full_grid_effects_are_differences_of_means() -> None:
    labels = grid()
    values = values_of(labels)
    found = named(knob_effects(values, labels))
    assert list(found) == [("size",), ("b",), ("fusion",), ("size", "b"), ("size", "fusion"), ("b", "fusion")]
    whole = values.mean()

    def mean(**fixed: str) -> float:
        rows = [all(labels[name][at] == one for name, one in fixed.items()) for at in range(len(values))]
        return float(values[rows].mean())

    for at, (size,) in enumerate(found[("size",)].levels):
        assert found[("size",)].effect[at] == pytest.approx(mean(size=size) - whole, abs=1e-8)
        assert found[("size",)].mean[at] == pytest.approx(mean(size=size), abs=1e-8)
    for at, (size, b) in enumerate(found[("size", "b")].levels):
        expected = mean(size=size, b=b) - mean(size=size) - mean(b=b) + whole
        assert found[("size", "b")].effect[at] == pytest.approx(expected, abs=1e-8)
    assert found[("size",)].counts.tolist() == [4, 4, 4]
    assert found[("size", "b")].counts.tolist() == [2] * 6


def test_in_a_full_grid_of_two_knobs_the_shares_are_everything() -> None:
    labels = grid({"size": ["80", "160", "320"], "b": ["0", "0.75"]})
    found = knob_effects(values_of(labels), labels)
    assert sum(one.share for one in found) == pytest.approx(1.0, abs=1e-8)


def test_what_was_put_in_is_found() -> None:
    labels = grid()
    values = values_of(labels, noise=0.01) * 0.5
    values += np.where(np.array(labels["size"]) == "160", 0.2, 0.0)[:, np.newaxis]
    both = (np.array(labels["b"]) == "0") & (np.array(labels["fusion"]) == "rrf")
    values += np.where(both, 0.1, 0.0)[:, np.newaxis]
    found = named(knob_effects(values, labels))
    assert found[("size",)].effect == pytest.approx([-0.2 / 3, 0.4 / 3, -0.2 / 3], abs=0.005)
    assert found[("size",)].lower[1] > 0.12
    assert found[("size",)].share > 0.7
    assert found[("size",)].partial_eta > 0.9
    assert (found[("size",)].favourite == 1).all()
    interaction = dict(zip(found[("b", "fusion")].levels, found[("b", "fusion")].effect, strict=True))
    assert interaction[("0", "rrf")] == pytest.approx(0.025, abs=0.005)
    assert interaction[("0", "none")] == pytest.approx(-0.025, abs=0.005)
    assert found[("size", "b")].share < 0.01


def test_a_union_of_grids_favours_nobody() -> None:
    # "rrf" was tried with the good size only; the plain means would praise it.
    labels: dict[str, list[str | None]] = {
        "size": ["80", "160", "160", "160", "80"],
        "fusion": ["none", "none", "rrf", "dbsf", "dbsf"],
    }
    worth = {"80": 0.3, "160": 0.6, "none": 0.0, "rrf": -0.1, "dbsf": 0.05}
    rows = [worth[str(size)] + worth[str(fusion)] for size, fusion in zip(*labels.values(), strict=True)]
    values = np.array(rows)[:, np.newaxis] + np.linspace(0, 0.1, 6)
    found = named(knob_effects(values, labels))
    level = dict(zip(found[("fusion",)].levels, found[("fusion",)].effect, strict=True))
    assert level[("rrf",)] - level[("none",)] == pytest.approx(-0.1, abs=1e-8)
    assert level[("dbsf",)] - level[("none",)] == pytest.approx(0.05, abs=1e-8)
    assert found[("fusion",)].mean[1] == max(found[("fusion",)].mean[[0, 1]])
    assert found[("size",)].effect == pytest.approx([-0.15, 0.15], abs=1e-8)
    assert found[("size", "fusion")].effect == pytest.approx(np.zeros(5), abs=1e-8)


def test_levels_that_never_meet_are_not_compared() -> None:
    labels: dict[str, list[str | None]] = {"size": ["80", "160", "320"], "b": ["0", "0", "1"]}
    values = values_of(labels)
    found = named(knob_effects(values, labels))
    assert np.isnan(found[("size",)].effect).tolist() == [False, False, True]
    assert found[("size",)].effect[0] == -found[("size",)].effect[1]
    assert np.isnan(found[("b",)].lower).all()
    assert (found[("b",)].share, found[("b",)].partial_eta) == (0.0, 0.0)
    assert set(found[("size",)].favourite) <= {0, 1}
    assert set(found[("b",)].favourite) == {-1}


def test_a_knob_that_one_level_switches_off_does_not_keep_it_from_being_compared() -> None:
    labels: dict[str, list[str | None]] = {
        "chunker": ["document", "fixed", "fixed"] * 2,
        "size": [None, "80", "160"] * 2,
        "b": ["0"] * 3 + ["1"] * 3,
    }
    values = values_of(labels)
    found = named(knob_effects(values, labels))
    per_b = [values[at + 1 : at + 3].mean() - values[at].mean() for at in (0, 3)]
    effect = found[("chunker",)].effect
    assert effect[1] - effect[0] == pytest.approx(np.mean(per_b), abs=1e-8)
    assert found[("size",)].levels == (("80",), ("160",))
    assert found[("size",)].counts.tolist() == [2, 2]
    assert ("chunker", "size") not in found


def test_a_knob_with_one_level_has_no_effect_to_show() -> None:
    labels = {**grid({"b": ["0", "1"]}), "size": ["80", "80"], "off": [None, None]}
    assert [one.knobs for one in knob_effects(values_of(labels), labels)] == [("b",)]
    assert knob_effects(np.ones((1, 4)), {}) == ()


def test_a_question_without_a_preference_has_no_favourite() -> None:
    labels: dict[str, list[str | None]] = {"b": ["0", "1", "2"]}
    values = np.array([[0.5, 0.9, 0.1], [0.5, 0.1, 0.7], [0.1, 0.2, 0.7]])
    assert knob_effects(values, labels)[0].favourite.tolist() == [-1, 0, -1]


def test_pairs_are_left_out_on_request() -> None:
    labels = grid()
    assert len(knob_effects(values_of(labels), labels, pairs=False)) == 3


def test_a_knob_without_any_effect_has_no_share_but_a_width() -> None:
    labels = grid({"b": ["0", "1"], "size": ["80", "160"]})
    values = np.tile(np.linspace(0, 1, 10), (4, 1))
    for one in knob_effects(values, labels):
        assert (one.share, one.partial_eta) == (0.0, 0.0)
        assert (one.effect == 0).all()
        assert (one.lower < 0).all()
        assert (one.upper > 0).all()


@settings(max_examples=30)
@given(seed=st.integers(0, 99), kept=st.integers(3, 12), data=st.data())
def test_effects_do_not_depend_on_the_order_of_the_configurations(
    seed: int, kept: int, data: st.DataObject
) -> None:
    labels = {name: row[:kept] for name, row in grid().items()}
    values = values_of(labels, seed)
    order = data.draw(st.permutations(range(kept)))
    moved = {name: [row[at] for at in order] for name, row in labels.items()}
    plain, other = (
        named(knob_effects(one, names, resamples=50))
        for one, names in ((values, labels), (values[order], moved))
    )
    assert plain.keys() == other.keys()
    for knobs, effect in plain.items():
        place = [other[knobs].levels.index(level) for level in effect.levels]
        for name in ("effect", "lower", "upper", "mean"):
            theirs = getattr(other[knobs], name)[place]
            assert theirs == pytest.approx(getattr(effect, name), abs=1e-7, nan_ok=True), (knobs, name)
        assert other[knobs].share == pytest.approx(effect.share, abs=1e-7)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({"b": ["0"]}, "knobs.b must be one label a configuration \\(2\\), got 1"),
        ({"b": ["0", 1]}, "knobs.b must be texts or None, got \\[1\\]"),
    ],
)
def test_labels_that_cannot_be_are_refused(labels: dict[str, list[str]], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        knob_effects(np.ones((2, 3)), labels)
