"""Sign flips of questions, and the p-values and critical values that follow from them.

If two configurations are alike, then a question's difference could as well have had the other sign (Fisher
1935, section 21). Flipping a whole question at once, for all configurations together, keeps how they hang
together, so the largest of many statistics has its true distribution (Westfall and Young 1993).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rag_sweep.arrays import FloatArray
from rag_sweep.checks import is_count, require

BLOCK = 500


@dataclass(frozen=True)
class Flips:
    """All sign patterns where there are at most `resamples` of them, else a seeded sample.

    Parameters
    ----------
    questions
        How many signs a pattern has.
    resamples
        How many patterns are drawn.
    seed
        Of the sample.
    """

    questions: int
    resamples: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        require("resamples", self.resamples, "an int >= 1", is_count(self.resamples))

    @property
    def exact(self) -> bool:
        """True if every pattern is looked at, so that p-values have no Monte Carlo error."""
        return self.questions <= math.log2(self.resamples)

    @property
    def number(self) -> int:
        """How many patterns `blocks` yields."""
        return 1 << self.questions if self.exact else self.resamples

    def blocks(self) -> Iterator[FloatArray]:
        """Signs, 1.0 and -1.0, in blocks of shape (up to 500, questions)."""
        rng = np.random.default_rng(self.seed)
        for start in range(0, self.number, BLOCK):
            size = min(BLOCK, self.number - start)
            if self.exact:
                bits = np.arange(start, start + size)[:, np.newaxis] >> np.arange(self.questions) & 1
            else:
                bits = rng.integers(0, 2, (size, self.questions))
            yield 1.0 - 2.0 * bits.astype(np.float64)

    def p_value(self, reached: FloatArray) -> FloatArray:
        """From the number of patterns that reach what was observed.

        A sample gives (b + 1) / (B + 1), never 0 (Phipson and Smyth, SAGMB 2010). All patterns hold the
        observed one among them, so there it is b / B.
        """
        extra = 0 if self.exact else 1
        result: FloatArray = (reached + extra) / (self.number + extra)
        return result

    def allowed(self, alpha: float) -> int:
        """The largest number of patterns with a p-value of at most `alpha`; -1 if there is none."""
        extra = 0 if self.exact else 1
        return max(math.floor(alpha * (self.number + extra) + 1e-9) - extra, -1)

    def critical(self, reference: FloatArray, alpha: float) -> float:
        """The value above which a statistic has a p-value of at most `alpha`; infinite if there is none.

        `reference` has the statistic of every pattern, shape (patterns,); a pattern and its opposite have the
        same one, so of all patterns at least two reach what was observed.
        """
        allowed = self.allowed(alpha)
        if not (2 if self.exact else 0) <= allowed < len(reference):
            return math.inf
        return float(np.sort(reference)[::-1][allowed])
