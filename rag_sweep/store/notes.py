"""What a store has to tell the user, each thing once."""

from __future__ import annotations


class Notes:
    """Collects sentences until they are taken; one that was said isn't said again."""

    def __init__(self) -> None:
        self._said: set[str] = set()
        self._waiting: list[str] = []

    def say(self, text: str) -> None:
        """Remember a sentence, unless it was said before."""
        if text not in self._said:
            self._said.add(text)
            self._waiting.append(text)

    def take(self) -> tuple[str, ...]:
        """What waits to be said, in order; from then on it is said."""
        taken, self._waiting = tuple(self._waiting), []
        return taken
