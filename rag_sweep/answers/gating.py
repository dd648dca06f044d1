"""The gate of an evaluation of answers: rules decide at once, a judge only where people agree with it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rag_sweep.agreement.agreed import decide
from rag_sweep.agreement.kappa import Kappa
from rag_sweep.agreement.licence import licence
from rag_sweep.agreement.reading import read_agreement
from rag_sweep.answers.idle import refuse_idle
from rag_sweep.answers.reading import read_evaluation, values_of
from rag_sweep.answers.sampling import PASS as PASS_COLUMN
from rag_sweep.checks import named_share
from rag_sweep.comparison.plain import plain
from rag_sweep.comparison.words import counted
from rag_sweep.config import build
from rag_sweep.config.program import compose_with_choices
from rag_sweep.dataset.fields import nearest
from rag_sweep.errors import ConfigError, UsageError
from rag_sweep.gate.verdict import FAIL, FORMAT, NOT_COMPARABLE, PASS
from rag_sweep.judges.known import EVIDENCE_CITED, PASS_AT_1, SIGNALS, is_judge
from rag_sweep.rules.judging import NAMES, metric_of
from rag_sweep.statistics.intervals import bootstrap_means
from rag_sweep.statistics.table import TIE


@dataclass(frozen=True)
class AnswerCheck:
    """One least mean.

    Attributes
    ----------
    passed
        None where it couldn't be judged: nothing was measured, or what wasn't would decide.
    over, not_measured
        Answers that the mean is over, and those that a judge should have judged and couldn't.
    lower, upper
        Bootstrap interval of the mean; None without any answer.
    licensed
        Of a judge: why people's agreement lets it decide; None for a rule.
    """

    measure: str
    limit: float
    value: float | None
    lower: float | None
    upper: float | None
    over: int
    not_measured: int
    passed: bool | None
    why: str
    licensed: str | None


@dataclass(frozen=True)
class AnswersVerdict:
    """The judgement, with what it is about."""

    checks: tuple[AnswerCheck, ...]
    cases: int
    subject: Mapping[str, Any]
    cautions: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """1 if something that was judged fails; else 3 if something couldn't be judged; else 0."""
        if any(one.passed is False for one in self.checks):
            return FAIL
        return NOT_COMPARABLE if any(one.passed is None for one in self.checks) else PASS

    @property
    def headline(self) -> str:
        """The judgement in a sentence."""
        failed = [one for one in self.checks if one.passed is False]
        still = [one for one in self.checks if one.passed is None]
        every = counted(len(self.checks), "check")
        if failed:
            return f"FAILED: {len(failed)} of {every}: {'; '.join(one.why for one in failed[:3])}"
        if still:
            return f"NOT JUDGED: {len(still)} of {every}: {'; '.join(one.why for one in still[:3])}"
        return f"PASSED: {every}"

    def to_dict(self) -> dict[str, Any]:
        """As plain data for JSON."""
        found: dict[str, Any] = plain(self)
        head = {"format": FORMAT, "kind": "rag-sweep gate of answers", "headline": self.headline}
        return {**head, "passed": self.exit_code == PASS, "exit_code": self.exit_code, **found}


def gate_answers(
    evaluation: Path,
    minima: Sequence[str],
    agreement: Path | None = None,
    overrides: Sequence[str] = (),
    config_dir: str | None = None,
) -> AnswersVerdict:
    """Judge the means of an evaluation.

    Parameters
    ----------
    minima
        ``pass_at_1=0.8``.
    overrides
        Of ``conf/answers.yaml``; only ``kappa`` changes anything.

    Raises
    ------
    UsageError
        For a threshold on a judge that people haven't been compared with, or don't agree with well enough.
    DataError, ConfigError
        For files that can't be read, and for what was mistyped.
    """
    least = _least_kappa(overrides, config_dir)
    data = read_evaluation(evaluation)
    report = None if agreement is None else read_agreement(agreement)
    wanted = _wanted(minima, data)
    licences = {name: _licensed(name, data, report, least) for name in wanted}
    checks = tuple(_check(name, limit, data, licences[name]) for name, limit in wanted.items())
    kept = ("judge_model", "answer_models", "prompts", "rules", "cases_hash", "answers_hash")
    subject = {key: data[key] for key in kept}
    cautions = (*_hidden(wanted, data), *_heuristics(wanted), *_doubted(wanted, data, report, least))
    return AnswersVerdict(checks, len(data["cases"]), subject, cautions)


def _heuristics(wanted: Collection[str]) -> list[str]:
    """A threshold on what is there to sort by."""
    told = "is a heuristic and no judge: a right answer may have little of it, and a false one all of it"
    return [f"{name} {told}" for name in wanted if name in SIGNALS]


def _doubted(
    wanted: Collection[str], data: Mapping[str, Any], agreement: Mapping[str, Any] | None, least: float
) -> list[str]:
    """Rules need no licence; where people were asked about them all the same, what they said is told."""
    of_rules = {label: name for name in wanted if not is_judge(name) for label in _labels_of(name)}
    told = {} if agreement is None else agreement["labels"]
    found = []
    for label, name in of_rules.items():
        if label not in told:
            continue
        decision = decide(Kappa(**told[label]["kappa"]), least, "rules")
        if agreement is not None and agreement.get("rules") != data["rules"]:
            found.append(f"{name}: the agreement is about rules with other settings than these")
        elif not decision.may:
            found.append(f"{name}: people don't agree well enough with {label}, by the rules: {decision.why}")
    return found


def _labels_of(measure: str) -> list[str]:
    """Columns that people label for a measure of rules."""
    return (
        [PASS_COLUMN]
        if measure == PASS_AT_1
        else [name for name in NAMES if measure in (name, metric_of(name))]
    )


def _hidden(wanted: Mapping[str, float], data: Mapping[str, Any]) -> list[str]:
    """What a threshold on pass@1 alone doesn't see."""
    beside = [name for name in ("refusal_ok", EVIDENCE_CITED) if name in data["over"]]
    if PASS_AT_1 not in wanted or set(beside) <= wanted.keys():
        return []
    hidden = sum(case["pass"] and case["attribution"] is not None for case in data["cases"].values())
    if not hidden:
        return []
    told = f"{counted(hidden, 'failed question')} of {len(data['cases'])} have an answer that passes"
    more = " ".join(f"--min {name}=…" for name in beside if name not in wanted)
    return [f"{told}: pass_at_1 doesn't count refusals, or which passage is cited; {more} would"]


def _least_kappa(overrides: Sequence[str], config_dir: str | None) -> float:
    refuse_idle(overrides, ("kappa",), "a gate of answers reads what was judged")
    folder = ["--config-dir", config_dir] if config_dir else []
    config, _ = compose_with_choices([*folder, *overrides], "answers")
    found: float = build.coerce(config.get("kappa"), float, "kappa")
    if not -1 <= found <= 1:
        raise ConfigError(f"kappa must be a number from -1 to 1, got {found}")
    return found


def _wanted(minima: Sequence[str], data: Mapping[str, Any]) -> dict[str, float]:
    if not minima:
        raise UsageError("--answers needs --min, such as --min pass_at_1=0.8: nothing would be judged")
    found: dict[str, float] = {}
    for word in minima:
        typed, limit = named_share(word, "--min")
        name = re.sub(r"@", "_at_", typed.strip())
        if name not in data["over"]:
            near = nearest(name, data["over"])
            hint = f" (is it {near}?)" if near else f"; there are {', '.join(data['over'])}"
            raise UsageError(f"--min {typed}: the evaluation has no such measure{hint}")
        if name in found:
            raise UsageError(f"--min {name} is given twice")
        found[name] = limit
    return found


def _licensed(
    name: str, data: Mapping[str, Any], agreement: Mapping[str, Any] | None, least: float
) -> str | None:
    if not is_judge(name):
        return None
    decision = licence(name, data, agreement, least)
    if not decision.may:
        raise UsageError(
            f"--min {name} is refused: {decision.why}\n"
            f"A judge may decide once the lower end of its kappa with people reaches {least:g} (kappa in "
            "conf/answers.yaml): --agreement agreement.json shows that."
        )
    return decision.why


def _check(name: str, limit: float, data: Mapping[str, Any], licensed: str | None) -> AnswerCheck:
    values = list(values_of(data, name).values())
    value, missing = data[name], int(data["over"][name]["not_measured"])
    lower, upper = _interval(values)
    passed, why = _judged(name, limit, value, len(values), missing)
    return AnswerCheck(name, limit, value, lower, upper, len(values), missing, passed, why, licensed)


def _judged(name: str, limit: float, value: float | None, over: int, missing: int) -> tuple[bool | None, str]:
    """What wasn't measured could be anything: it may neither save a threshold nor miss it."""
    if value is None:
        return None, f"{name} was measured for no answer"
    if not missing:
        good = value >= limit - TIE
        return good, f"{name} is {value:.3f} over {over}, {'at least' if good else 'below'} {limit:g}"
    worst, best = (value * over) / (over + missing), (value * over + missing) / (over + missing)
    told = f"{name} is {value:.3f} over {over}, and {missing} weren't measured"
    if worst >= limit - TIE:
        return True, f"{told}: at least {limit:g} whatever they are"
    if best < limit - TIE:
        return False, f"{told}: below {limit:g} whatever they are"
    return None, f"{told}: they decide whether it is at least {limit:g}"


def _interval(values: Sequence[float]) -> tuple[float | None, float | None]:
    if not values:
        return None, None
    found = bootstrap_means(np.array([values]))
    return float(found.lower[0]), float(found.upper[0])
