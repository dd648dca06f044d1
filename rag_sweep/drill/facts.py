"""What a GOLD asks for and what it doesn't, counted from its questions and from the documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rag_sweep.analyzer import WORD, Analyzer
from rag_sweep.drill.broken import CutShort
from rag_sweep.drill.sabotages import Bench
from rag_sweep.execute import Outcome
from rag_sweep.passages import PassageTexts
from rag_sweep.ranking import EMPTY
from rag_sweep.records import Document, Question

OFTEN = 3
"""So often a word stands in a document that the document repeats it."""

LONG_ENOUGH = 4
"""Letters of a word that is worth naming."""


@dataclass(frozen=True)
class Contrast:
    """A word that one document repeats and another says once: what a question about k1 is made of."""

    word: str
    often: str
    times: int
    once: str


class Facts:
    """Counts over the answerable questions of a dataset; each is made when it is asked for.

    Parameters
    ----------
    bench
        What was broken.
    baseline
        What the search that works found.
    alone
        For each branch what it finds without the others and without a reranker.
    """

    def __init__(self, bench: Bench, baseline: Outcome, alone: Mapping[str, Outcome]) -> None:
        self.bench, self.baseline, self.alone = bench, baseline, alone
        self._counts: dict[tuple[Analyzer, str], Counter[str]] = {}

    @cached_property
    def asked(self) -> list[tuple[int, Question]]:
        """The answerable questions with their positions in the gold."""
        questions = self.bench.dataset.gold.questions
        return [(at, question) for at, question in enumerate(questions) if not question.is_negative]

    @property
    def number(self) -> int:
        """How many answerable questions there are."""
        return len(self.asked)

    def repeating(self) -> int:
        """Questions of which a word stands twice or more in one of the first k passages."""
        outcome = self.alone.get("lexical", self.baseline)
        texts = PassageTexts(self.bench.dataset.corpus, outcome.passages)
        found = 0
        for at, question in self.asked:
            first = outcome.found.passages.items[at, : self.k]
            counts = [self.counts(texts[int(item)]) for item in first if item != EMPTY]
            words = self.counts(question.text)
            found += any(one[word] > 1 for one in counts for word in words)
        return found

    def paraphrased(self) -> int:
        """Questions that share less than half of their words with each of their documents."""
        return sum(1 for _, question in self.asked if self.shared(question) < 0.5)

    def in_other_forms(self, other: Analyzer) -> int:
        """Questions that share fewer of their words with their documents under the other analyzer."""
        return sum(1 for _, q in self.asked if self.shared(q, other) < self.shared(q))

    def in_second_halves(self) -> int:
        """Questions of which a word of theirs stands only in the part of a document that is cut off."""
        cut = CutShort(self.bench.pipeline.chunker)
        return sum(
            1
            for _, question in self.asked
            if any(self._loses(question, document, cut) for document in self._relevant(question))
        )

    def behind(self, branch: str, top: int) -> tuple[int, int]:
        """Questions whose first document stands in a branch below its first `top`, but among its first k.

        And for how many of those another branch has one among its own first `top`.
        """
        late = [at for at, _ in self.asked if top < self._rank(branch, at) <= self.k]
        others = [name for name in self.alone if name != branch]
        covered = [at for at in late if any(0 < self._rank(name, at) <= top for name in others)]
        return len(late), len(covered)

    def asking_for(self, documents: Sequence[str]) -> int:
        """Questions to which one of these documents is relevant."""
        wanted = set(documents)
        return sum(1 for _, question in self.asked if wanted & set(question.relevant))

    def finding(self, doc_id: str) -> int:
        """Questions that had this relevant document among their first k before."""
        evaluation = self.baseline.evaluation
        return sum(1 for at, q in self.asked if doc_id in q.relevant and doc_id in evaluation.found(at))

    def unasked(self) -> list[str]:
        """Documents that are relevant to no question."""
        wanted = {doc_id for _, question in self.asked for doc_id in question.relevant}
        return [d.doc_id for d in self.bench.dataset.corpus.documents if d.doc_id not in wanted]

    def contrast(self) -> Contrast | None:
        """The word that a document repeats most while another one says it once."""
        counts = {d.doc_id: self.counts(_text(d)) for d in self.bench.dataset.corpus.documents}
        most: dict[str, tuple[int, str]] = {}
        once: dict[str, str] = {}
        for doc_id, words in counts.items():
            for word, times in words.items():
                if times == 1:
                    once.setdefault(word, doc_id)
                elif times >= OFTEN and times > most.get(word, (0, ""))[0]:
                    most[word] = times, doc_id
        among = [word for word in most if word in once and len(word) >= LONG_ENOUGH and word.isalpha()]
        if not among:
            return None
        word = min(among, key=lambda one: (-most[one][0], one))
        return Contrast(self._as_written(word, once[word]), most[word][1], most[word][0], once[word])

    @property
    def k(self) -> int:
        """The cutoff that decides."""
        return self.bench.configuration.settings.k

    def shared(self, question: Question, analyzer: Analyzer | None = None) -> float:
        """The share of a question's distinct words that its best matching document has, 0 to 1."""
        words = self.counts(question.text, analyzer).keys()
        documents = [self.counts(_text(document), analyzer).keys() for document in self._relevant(question)]
        return max((len(words & one) for one in documents), default=0) / max(1, len(words))

    def counts(self, text: str, analyzer: Analyzer | None = None) -> Counter[str]:
        """How often each token stands in a text."""
        chosen = analyzer or self.bench.pipeline.analyzer
        key = chosen, text
        if key not in self._counts:
            self._counts[key] = Counter(chosen.tokens(text))
        return self._counts[key]

    def _relevant(self, question: Question) -> list[Document]:
        corpus = self.bench.dataset.corpus
        at = [corpus.position[doc_id] for doc_id in question.relevant if doc_id in corpus.position]
        return [corpus.documents[one] for one in at]

    def _loses(self, question: Question, document: Document, cut: CutShort) -> bool:
        words = self.counts(question.text).keys()
        left = [document.indexed_text(*span) for span in cut.split(document.text)]
        kept = set().union(*(self.counts(text).keys() for text in left))
        return bool(words & self.counts(_text(document)).keys() - kept)

    def _rank(self, branch: str, at: int) -> int:
        return int(self.alone[branch].evaluation.first_relevant[at])

    def _as_written(self, token: str, doc_id: str) -> str:
        """A word of the document that the analyzer makes this token of."""
        corpus = self.bench.dataset.corpus
        text = _text(corpus.documents[corpus.position[doc_id]])
        words = (match.group() for match in WORD.finditer(text))
        return next((word for word in words if self.bench.pipeline.analyzer.tokens(word) == [token]), token)


def _text(document: Document) -> str:
    return document.indexed_text(0, len(document.text))
