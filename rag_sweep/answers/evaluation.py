"""What an evaluation of answers found, as plain records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rag_sweep.answers.attribution import PLACES, Attribution, Known, attribute
from rag_sweep.answers.reading import FORMAT
from rag_sweep.cases.records import Answer, Case, Cases, Rubric
from rag_sweep.comparison.plain import plain
from rag_sweep.fingerprint import fingerprint
from rag_sweep.judges.known import EVIDENCE_CITED
from rag_sweep.rules.judging import Judged, Mean, Rules, mean_of, means
from rag_sweep.rules.verdict import Verdict
from rag_sweep.version import __version__

HASH_DIGITS = 16
"""Of what was handed over with one case."""


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Cases with their answers, judged.

    Attributes
    ----------
    judged
        By the rules, in the order of the cases.
    verdicts
        Of the judges, by (id of the case, name of the judge).
    prompts
        What decides the values of judges: labels of their prompts (name, language, version, hash), and
        settings.
    judge_model, answer_models
        Who judged and who wrote, as far as it is known.
    spent, asked
        Tokens and attempts that this evaluation took; kept answers cost nothing.
    known
        Of cases made of a GOLD, what that says of them, by the id of the case.
    rules
        With which settings the rules judged; None where nobody says it.
    """

    cases: Cases
    answers: Mapping[str, Answer]
    judged: tuple[Judged, ...]
    verdicts: Mapping[tuple[str, str], Verdict] = field(default_factory=dict)
    prompts: tuple[str, ...] = ()
    judge_model: str | None = None
    spent: int = 0
    asked: int = 0
    notes: tuple[str, ...] = ()
    known: Mapping[str, Known] = field(default_factory=dict)
    rules: Rules | None = None

    @property
    def answer_models(self) -> tuple[str, ...]:
        """Everybody who wrote an answer."""
        return tuple(dict.fromkeys(one.model for one in self.answers.values() if one.model))

    @cached_property
    def answers_hash(self) -> str:
        """Hash of what was answered."""
        return fingerprint([[one.case.id, one.answer.text if one.answer else None] for one in self.judged])

    @cached_property
    def asked_hash(self) -> str:
        """Hash of what is asked and how it is judged: in any order, whatever context was handed over."""
        ordered = sorted(self.cases.cases, key=lambda case: case.id)
        return fingerprint(
            [[case.id, case.question, case.reference, wanted(case.rubric)] for case in ordered]
        )

    @cached_property
    def attributions(self) -> Mapping[str, Attribution]:
        """Whose fault each failed question is, by the id of its case."""
        found = ((one.case.id, self._attribution(one)) for one in self.judged)
        return {name: one for name, one in found if one is not None}

    def _attribution(self, one: Judged) -> Attribution | None:
        name = one.case.id
        return attribute(one, self.known.get(name), self.verdicts.get((name, EVIDENCE_CITED)))

    @property
    def attributed(self) -> dict[str, int]:
        """How many failed questions are whose fault."""
        places = [one.to for one in self.attributions.values()]
        return {place: places.count(place) for place in PLACES}

    @cached_property
    def _by_case(self) -> Mapping[str, tuple[Verdict, ...]]:
        """The judges' verdicts on each answer."""
        found: dict[str, list[Verdict]] = {}
        for (name, _), verdict in self.verdicts.items():
            found.setdefault(name, []).append(verdict)
        return {name: tuple(of) for name, of in found.items()}

    @property
    def silent(self) -> tuple[str, ...]:
        """Judges that measured nothing, though they were asked."""
        judges = dict.fromkeys(judge for _, judge in self.verdicts)
        means = ((name, self.means[name]) for name in judges)
        return tuple(name for name, mean in means if not mean.over and mean.not_measured)

    @cached_property
    def means(self) -> dict[str, Mean]:
        """``pass_at_1``, and the mean of every rule and judge with what it is over, be that nothing."""
        found = means(self.judged)
        of_judges: dict[str, list[Verdict]] = {}
        for (_, judge), verdict in self.verdicts.items():
            of_judges.setdefault(judge, []).append(verdict)
        return {**found, **{name: mean_of(verdicts) for name, verdicts in of_judges.items()}}

    def to_dict(self) -> dict[str, Any]:
        """As plain data: means at the top level, every case by its id."""
        return {
            "format": FORMAT,
            "version": __version__,
            **{name: mean.value for name, mean in self.means.items()},
            "over": {name: over(mean) for name, mean in self.means.items()},
            "attribution": self.attributed,
            "cases_hash": self.cases.fingerprint,
            "asked_hash": self.asked_hash,
            "answers_hash": self.answers_hash,
            "answer_models": list(self.answer_models),
            "judge_model": self.judge_model,
            "prompts": list(self.prompts),
            "rules": plain(self.rules),
            "pass_rules": list(self.judged[0].pass_rules) if self.judged else [],
            "notes": list(self.notes),
            "cases": {one.case.id: self._case(one) for one in self.judged},
        }

    def _case(self, one: Judged) -> dict[str, Any]:
        text = None if one.answer is None else one.answer.text
        given = {"evidence": one.case.evidence, "context_hash": handed_hash(one.case)}
        found = {"question": one.case.question, "answer": text, **given, **one.to_dict()}
        of_judges = self._by_case.get(one.case.id, ())
        for verdict in of_judges:
            found[verdict.rule] = verdict.value
        found["verdicts"] += [verdict.to_dict() for verdict in of_judges]
        fault = self.attributions.get(one.case.id)
        return {**found, "attribution": None if fault is None else fault.to_dict()}


def over(mean: Mean) -> dict[str, int]:
    """What a mean is over, as plain data."""
    return {
        "measured": mean.over,
        "not_applicable": mean.not_applicable,
        "not_measured": mean.not_measured,
    }


def handed_hash(case: Case) -> str:
    """Hash of the passages that were handed over, and of what may be cited of them."""
    passages = [[part.id, part.text] for part in case.context]
    return fingerprint([passages, case.rubric.allow_cites])[:HASH_DIGITS]


def wanted(rubric: Rubric) -> list[Any]:
    """What a rubric asks for, without the ids that the context brings."""
    must = [list(entry) for entry in rubric.must_include]
    return [must, list(rubric.must_not_include), rubric.max_words, rubric.expect_refusal]
