"""What a generator gave, held to its promise before anybody counts it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from rag_sweep.cases.records import Answer, Case
from rag_sweep.errors import RagSweepError, StageFailed, is_end
from rag_sweep.generator.generator import Desk, Generator, Watch
from rag_sweep.llm.parsing import sayable
from rag_sweep.llm.secrets import told_error, told_value

SHOWN = 3
"""Ids of a fault that are told."""


def answers_of(generator: Generator, cases: Sequence[Case], desk: Desk, watch: Watch) -> dict[str, Answer]:
    """Let a generator write, and check what it gives (`checked_answers`).

    Raises
    ------
    StageFailed
        Also for whatever it raises.
    RagSweepError
        As the generator raises it.
    """
    try:
        written = generator.write(cases, desk, watch)
    except BaseException as error:  # a component of the user may raise anything, and may leave
        if is_end(error) or isinstance(error, RagSweepError):
            raise
        raise StageFailed(f"the generator failed: {told_error(error)}") from error
    return checked_answers(cases, written)


def checked_answers(cases: Sequence[Case], written: object) -> dict[str, Answer]:
    """What a generator gave, by the id of its case, in the order of the cases.

    Parameters
    ----------
    written
        Whatever `Generator.write` returned. Half characters, which UTF-8 can't say, are replaced.

    Raises
    ------
    StageFailed
        Unless it is a list with one `Answer` to each case, of texts, with a text or a failure.
    """
    if not isinstance(written, list | tuple):
        raise _refused(cases, told_value(written))
    for one in written:
        if fault := _fault(one):
            raise _refused(cases, fault)
    given = {answer.id: _sayable(answer) for answer in written}
    ids = [case.id for case in cases]
    if faults := _unmatched(ids, [answer.id for answer in written]):
        raise _refused(cases, f"{len(written)}: {'; '.join(faults)}")
    return {name: given[name] for name in ids}


def _refused(cases: Sequence[Case], came: str) -> StageFailed:
    wanted = f"write() must give a list with one Answer to each of {len(cases)} cases"
    return StageFailed(f"the generator failed: {wanted}, got {came}")


def _fault(one: object) -> str:
    """What is wrong with an answer by itself, or ""."""
    if not isinstance(one, Answer):
        return f"{told_value(one)} in it"
    optional = (one.model, one.failure)
    if not isinstance(one.id, str) or not isinstance(one.text, str):
        return f"an answer whose id or text is no text: {told_value(one)}"
    if not all(value is None or isinstance(value, str) for value in optional):
        return f"an answer whose model or failure is neither a text nor None: {told_value(one)}"
    return f"both a text and a failure for {told_value(one.id)}" if one.failure and one.text.strip() else ""


def _unmatched(ids: Sequence[str], given: Sequence[str]) -> list[str]:
    known, counts = set(ids), Counter(given)
    faults = {
        "none for": [name for name in ids if name not in counts],
        "several for": [name for name, count in counts.items() if count > 1],
        "for no case": [name for name in counts if name not in known],
    }
    return [f"{what} {_some(names)}" for what, names in faults.items() if names]


def _some(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - SHOWN} more" if len(ids) > SHOWN else ""
    return ", ".join(told_value(name) for name in ids[:SHOWN]) + more


def _sayable(answer: Answer) -> Answer:
    texts = {"text": answer.text, "model": answer.model, "failure": answer.failure}
    return replace(answer, **{key: sayable(text) for key, text in texts.items() if text})
