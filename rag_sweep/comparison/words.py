"""Numbers and lists in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from rag_sweep.configuration import Scalar
from rag_sweep.tracking.content import param_text


def counted(number: int, noun: str, nouns: str | None = None) -> str:
    """``1 question``, ``1,200 questions``."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def listed(parts: Sequence[str], last: str = "and", most: int = 8) -> str:
    """``a, b and c``; of more than `most` only the first ones, and how many more there are."""
    shown = list(parts[:most])
    if len(parts) > most:
        return f"{', '.join(shown)} {last} {len(parts) - most} more"
    return f" {last} ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def value(number: float) -> str:
    """A mean with three decimals; below 0 with a minus sign, as `signed` has it."""
    text = f"{number:.3f}"
    return "0.000" if float(text) == 0.0 else text.replace("-", "−")


def signed(number: float) -> str:
    """A difference with three decimals and its sign; what rounds to nothing has none."""
    text = f"{number:+.3f}"
    return "0.000" if float(text) == 0.0 else text.replace("-", "−")


def chance(p: float) -> str:
    """A p-value, never as 0."""
    return f"p = {p:.3f}" if p >= 0.001 else f"p = {p:.1g}" if p > 0 else "p < 0.0001"


def share(part: float) -> str:
    """A share in per cent, without decimals; what isn't nothing or all isn't written so."""
    text = f"{100 * part:.0f} %"
    if part > 0 and text == "0 %":
        return "under 1 %"
    return "over 99 %" if part < 1 and text == "100 %" else text


NAME, SETTING = 160, 48
"""Characters of a name, and of a knob's value, in a sentence or a table."""


def brief(text: str, longest: int = NAME) -> str:
    """A text that is cut in its middle where it is longer than that."""
    if len(text) <= longest:
        return text
    end = longest // 3
    return f"{text[: longest - end - 1]}…{text[-end:]}"


def typed(found: Scalar) -> str:
    """The value of a knob as it is typed, cut where it is long."""
    return brief(param_text(found), SETTING)


def setting(found: Scalar) -> str:
    """The same, and a dash where the knob means nothing."""
    return "–" if found is None else typed(found)


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith(('.', '?')) else '.'}"
