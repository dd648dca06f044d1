"""Synthetic collections of any size: words as frequent as in real text, the same for one seed everywhere."""

from __future__ import annotations

import numpy as np

from rag_sweep.records import Corpus, Dataset, Document, Gold, Question

VOCABULARY = 50_000
SHIFT, SLOPE = 2.7, 1.07
"""Zipf-Mandelbrot: the word of rank r has a share proportional to 1 / (r + SHIFT) ** SLOPE."""

MEAN_LENGTH, SPREAD = 80, 0.5
"""Words of a passage: log-normal, with this mean and this standard deviation of the logarithm."""

FROM_PASSAGE, FROM_LANGUAGE = 5, 3
"""Words of a question: some of the passage that answers it, some that any question has."""


def collection(passages: int, questions: int, seed: int = 0) -> Dataset:
    """A data set of so many passages and questions; each question is made for one passage, its answer."""
    random = np.random.default_rng(seed)
    ranks = np.arange(VOCABULARY)
    shares = np.cumsum(1.0 / (ranks + SHIFT) ** SLOPE)
    words = np.array([f"w{rank}" for rank in ranks], dtype=object)

    def draw(number: int) -> np.ndarray:
        found: np.ndarray = np.searchsorted(shares, random.random(number) * shares[-1])
        found[found == VOCABULARY] -= 1
        return found

    lengths = random.lognormal(np.log(MEAN_LENGTH) - SPREAD**2 / 2, SPREAD, passages).astype(int) + 1
    texts = np.split(draw(int(lengths.sum())), np.cumsum(lengths)[:-1])
    documents = [Document(f"d{at:07d}", "", " ".join(words[text])) for at, text in enumerate(texts)]
    asked = []
    for at, answer in enumerate(random.integers(0, passages, questions)):
        own = random.choice(texts[answer], FROM_PASSAGE)
        text = " ".join(words[np.concatenate([own, draw(FROM_LANGUAGE)])])
        asked.append(Question(f"q{at:05d}", text, {f"d{answer:07d}": 1 + at % 3}))
    return Dataset(f"zipf-{passages}", Corpus(tuple(documents)), Gold(tuple(asked)))
