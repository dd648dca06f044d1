"""Why a GOLD doesn't notice a sabotage, and which questions would: in words, from counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rag_sweep.comparison.words import counted, listed, value
from rag_sweep.drill.broken import CutBranch
from rag_sweep.drill.facts import Facts
from rag_sweep.drill.sabotages import Broken
from rag_sweep.drill.states import moves

OTHER = {"lexical": "dense", "dense": "lexical"}
"""What stands in for a branch."""

_ASKED_SO = {
    "lexical": "questions with rare words or codes of their document",
    "dense": "questions in other words than their document's",
}
"""What a branch is there for."""

FEW = 3
"""Ids that are named."""


@dataclass(frozen=True)
class Lesson:
    """What the data say about a sabotage that isn't noticed.

    Attributes
    ----------
    because
        Why the questions don't show it, in sentences.
    catch
        What would, in sentences.
    """

    because: tuple[str, ...] = ()
    catch: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Miss:
    """A sabotage that isn't noticed.

    Attributes
    ----------
    facts
        Counts of what the GOLD asks.
    broken
        What was done.
    change
        Of the objective.
    alone
        For a branch the mean of the objective that it has alone, before and after.
    """

    facts: Facts
    broken: Broken
    change: float = 0.0
    alone: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def of_all(self) -> str:
        """``of 31 questions``."""
        return f"of {counted(self.facts.number, 'question')}"

    def some(self, number: int, one: str, many: str) -> str:
        """``1 of 31 questions asks``, ``3 of 31 questions ask``."""
        return f"{number:,} {self.of_all} {one if number == 1 else many}"


def lesson(kind: str, miss: Miss) -> Lesson:
    """The lesson of a sabotage of some kind; an empty one for a kind that nothing is known of."""
    return _LESSONS[kind](miss) if kind in _LESSONS else Lesson()


def _k1(miss: Miss) -> Lesson:
    facts = miss.facts
    where = f"one of the first {facts.k} passages repeats a word of the question"
    because = [
        f"what k1 weighs are repeated words: in {facts.repeating():,} {miss.of_all} {where}",
        *_alone(miss, "lexical"),
    ]
    found = facts.contrast()
    if found is None:
        catch = (
            "nothing over these documents: no word stands three times in one and once in another, so that k1 "
            "matters little"
        )
    else:
        catch = (
            "questions whose word stands often in a wrong document and once in the right one, as "
            f"“{found.word}” stands {found.times} times in {found.often} and once in {found.once}"
        )
    return Lesson(tuple(because), (catch,))


def _dim(miss: Miss) -> Lesson:
    facts = miss.facts
    shares = "shares less than half of its words", "share less than half of their words"
    few = f"{miss.some(facts.paraphrased(), *shares)} with any document that answers"
    because = [
        f"{few}; words alone can answer the others",
        *_alone(miss, "dense"),
    ]
    width = facts.baseline.effective_dim
    if width is not None and width < facts.bench.pipeline.embedder.dim:
        because.append(f"these documents give vectors of only {counted(width, 'component')}")
    catch = "questions in other words than their document's, as a newcomer asks: only vectors can help there"
    return Lesson(tuple(because), (catch,))


def _branch(miss: Miss) -> Lesson:
    fusion = miss.broken.pipeline.fusion
    if not isinstance(fusion, CutBranch):
        return Lesson()
    branch, top = fusion.branch, fusion.top
    late, covered = miss.facts.behind(branch, top)
    ranks = f"rank {top + 1} to {miss.facts.k} of the {branch} branch"
    because = [f"in {late} {miss.of_all} the first relevant document stands at {ranks}"]
    alone = len(fusion.branches) == 1
    if late and not alone:
        because.append(f"in {covered} of these the {OTHER[branch]} branch has one among its first {top}")
    catch = f"{_ASKED_SO[branch]}, whose document stands at {ranks}"
    missing = "" if alone else f" and isn't found by the {OTHER[branch]} branch"
    return Lesson(tuple(because), (catch + missing,))


def _lost(miss: Miss) -> Lesson:
    facts, (doc_id, *_) = miss.facts, miss.broken.documents
    asking, found = facts.asking_for([doc_id]), facts.finding(doc_id)
    most = value(asking / facts.number)
    unasked = facts.unasked()
    because = [
        f"{miss.some(asking, 'asks', 'ask')} for {doc_id}, so its loss moves a mean by at most {most}; "
        f"before, it was found in {found} of them"
    ]
    if unasked:
        named = listed(unasked, most=FEW)
        documents = counted(len(facts.bench.dataset.corpus), "document")
        because.append(
            f"{len(unasked)} of {documents} are asked for by no question, and can be lost unseen: {named}"
        )
    catch = (
        "several questions for each document that mustn't get lost, and a look at the gate's lost questions"
    )
    return Lesson(tuple(because), (catch,))


def _short(miss: Miss) -> Lesson:
    late = miss.some(miss.facts.in_second_halves(), "has", "have")
    because = f"{late} a word that a relevant document says only in what was cut off"
    return Lesson(
        (because,), ("questions whose answer stands at the end of a passage, in words that stand only there",)
    )


def _analyzer(miss: Miss) -> Lesson:
    other = miss.broken.pipeline.analyzer
    fewer = miss.some(miss.facts.in_other_forms(other), "shares", "share")
    because = f"{fewer} fewer words with the relevant documents under the other analyzer"
    catch = "questions in other forms of the document's words: plural, case, another spelling, a hyphen"
    return Lesson((because,), (catch,))


def _stale(miss: Miss) -> Lesson:
    asking = miss.some(miss.facts.asking_for(miss.broken.documents), "asks", "ask")
    because = f"{asking} for a document of the stale half"
    return Lesson((because,), ("questions over the whole collection, so that each part of it is asked for",))


def _ids(miss: Miss) -> Lesson:
    return Lesson(("every value is 0",), ("a minimum above 0, or a margin below the value there was",))


def _reversed(miss: Miss) -> Lesson:
    because = "a measure such as recall sees no order among the first k"
    return Lesson((because,), ("a minimum or a margin for mrr or ndcg as well",))


def _gold(miss: Miss) -> Lesson:
    most = value(1 / miss.facts.number)
    because = f"it is one {miss.of_all}: a mean moves by at most {most}"
    catch = (
        "a baseline that was kept before: its hash of the gold tells; or a second pair of eyes on each line"
    )
    return Lesson((because,), (catch,))


def _alone(miss: Miss, branch: str) -> list[str]:
    """What it does to a branch without the others: whether another one makes up for it."""
    if branch not in miss.alone or len(miss.facts.alone) < 2:
        return []
    before, after = miss.alone[branch]
    told = f"{value(before)} → {value(after)}"
    if not moves(after - before):
        return [f"alone, the {branch} branch has the same mean before and after ({value(before)})"]
    if after > before:
        return [f"alone, the {branch} branch gains ({told})"]
    made_up = moves(after - before - miss.change) and after - before < miss.change
    also = f"; the {OTHER[branch]} branch makes up for it" if made_up else ""
    return [f"alone, the {branch} branch falls ({told}){also}"]


_LESSONS: Mapping[str, Callable[[Miss], Lesson]] = {
    "k1": _k1,
    "dim": _dim,
    "branch": _branch,
    "lost": _lost,
    "short": _short,
    "analyzer": _analyzer,
    "stale": _stale,
    "ids": _ids,
    "reversed": _reversed,
    "gold": _gold,
}
