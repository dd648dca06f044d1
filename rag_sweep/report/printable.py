"""Texts of the user's data, fit to be printed."""

from __future__ import annotations


def printable(text: str) -> str:
    """The text with a space for everything that a terminal obeys instead of showing: escapes, newlines, marks
    that turn the direction of writing.
    """
    return "".join(sign if sign.isprintable() else " " for sign in text)
