"""How many configurations of a sweep get a tracking run of their own."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rag_sweep.errors import ConfigError

ALL_UP_TO = 2_000  # with more rows MLflow's pages crawl
BEST_OF_MANY = 100
_BEST = re.compile(r"best:([0-9]{1,9})")


@dataclass(frozen=True)
class Children:
    """A choice of `tracking.children`, made by `parse`.

    Parameters
    ----------
    most
        How many of the best are logged; None for all, 0 for none.
    all_up_to
        A sweep of so many configurations or fewer is logged whole all the same.
    """

    most: int | None
    all_up_to: int = 0

    @classmethod
    def parse(cls, text: str) -> Children:
        """``auto`` (all up to 2,000 configurations, else the best 100), ``all``, ``best:N`` or ``none``.

        Raises
        ------
        ConfigError
            For any other text.
        """
        named = {"auto": cls(BEST_OF_MANY, ALL_UP_TO), "all": cls(None), "none": cls(0)}
        if isinstance(text, str) and text in named:
            return named[text]
        best = _BEST.fullmatch(text) if isinstance(text, str) else None
        if best is None or int(best[1]) < 1:
            raise ConfigError(
                f"tracking.children must be auto, all, none or best:N with N >= 1, got {text!r}"
            )
        return cls(int(best[1]))

    def limit(self, configurations: int) -> int | None:
        """How many of so many configurations are logged.

        None is all of them, each as soon as it is done. A number is the best so many, which are known at
        the end; 0 is none.
        """
        if self.most is None or (self.most > 0 and configurations <= max(self.most, self.all_up_to)):
            return None
        return self.most
