"""Values of nodes, stage by stage: every distinct node once, families in one call.

This is what a worker runs. It knows nothing of configurations, stores or tracking.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rag_sweep.errors import RagSweepError, StageFailed, Terminated
from rag_sweep.pipeline import Node
from rag_sweep.remembered import remembering
from rag_sweep.stages import STAGES
from rag_sweep.store.entry import Store


def compute(wanted: Sequence[Node], given: Mapping[str, Any], store: Store | None = None) -> dict[str, Any]:
    """Values of the wanted nodes by key; a node that failed has the reason as its value.

    Parameters
    ----------
    wanted
        Nodes of any stages.
    given
        Values that are there already, by key; those of the roots must be.
    store
        Where models' answers about single texts and pairs of texts are remembered.
    """
    nodes = missing(wanted, given)
    uses = Counter(above.key for node in nodes.values() for above in node.inputs)
    uses.update({node.key for node in wanted})
    values: dict[str, Any] = {}
    with _one_thread(), remembering(store):
        for stage in STAGES:
            for family in _families([node for node in nodes.values() if node.stage == stage]):
                values.update(_computed(family, values, given))
                _forget(family, uses, values)
    return {node.key: _value(node, values, given) for node in wanted}


def missing(wanted: Iterable[Node], given: Mapping[str, Any]) -> dict[str, Node]:
    """The nodes that must be computed to have the wanted ones."""
    found: dict[str, Node] = {}
    ahead = list(wanted)
    while ahead:
        node = ahead.pop()
        if node.key not in given and node.key not in found:
            found[node.key] = node
            ahead.extend(node.inputs)
    return found


def _one_thread() -> Any:
    """Sums of matrix products depend on the number of threads, so there is one."""
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1)


def _families(nodes: Iterable[Node]) -> list[list[Node]]:
    """Nodes of one stage that are computed in one call."""
    families: dict[Any, list[Node]] = {}
    for node in nodes:
        together = STAGES[node.stage].together
        alike = node.key if together is None else together(node.part, tuple(n.key for n in node.inputs))
        families.setdefault(alike, []).append(node)
    return list(families.values())


def _value(node: Node, values: Mapping[str, Any], given: Mapping[str, Any]) -> Any:
    return given[node.key] if node.key in given else values[node.key]


def _computed(family: list[Node], values: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Values of a family; a node below a failure fails for the same reason."""
    inputs = {node.key: tuple(_value(above, values, given) for above in node.inputs) for node in family}
    failed = {key: failure for key, found in inputs.items() if (failure := _failure(found)) is not None}
    sound = [node for node in family if node.key not in failed]
    return {**failed, **_attempt(sound, [inputs[node.key] for node in sound])}


def _failure(inputs: tuple[Any, ...]) -> RagSweepError | None:
    return next((value for value in inputs if isinstance(value, RagSweepError)), None)


def _attempt(nodes: Sequence[Node], inputs: Sequence[tuple[Any, ...]]) -> dict[str, Any]:
    """Run a family; if it fails, each member alone, so that only the guilty ones fail."""
    if not nodes:
        return {}
    try:
        results = STAGES[nodes[0].stage].run([node.part for node in nodes], inputs)
        return {node.key: value for node, value in zip(nodes, results, strict=True)}
    except (Terminated, KeyboardInterrupt):
        raise
    except BaseException as error:  # a component of the user may raise anything, or leave; the sweep goes on
        if os.environ.get("RAG_SWEEP_DEBUG") == "1" and not isinstance(error, StageFailed):
            raise
        if len(nodes) == 1:
            return {nodes[0].key: _reason(nodes[0].stage, error)}
    return {
        key: v
        for node, given in zip(nodes, inputs, strict=True)
        for key, v in _attempt([node], [given]).items()
    }


def _reason(stage: str, error: BaseException) -> StageFailed:
    text = str(error) if isinstance(error, StageFailed) else f"{stage}: {type(error).__name__}: {error}"
    return StageFailed(_printable(text))


def _printable(text: str) -> str:
    """What can be written everywhere: other people's messages may hold control signs and half characters."""
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in text)


def _forget(family: Sequence[Node], uses: Counter[str], values: dict[str, Any]) -> None:
    """Drop values that nobody needs any more."""
    for node in family:
        for above in node.inputs:
            uses[above.key] -= 1
            if uses[above.key] == 0:
                values.pop(above.key, None)
