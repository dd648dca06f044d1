"""Errors of Hydra and OmegaConf in one to three lines, with the nearest right name."""

from __future__ import annotations

import re
from types import FrameType, TracebackType

from rag_sweep.config.hints import hint, nearest

_THEIRS = ("hydra", "omegaconf", "antlr4", "yaml")
_GRAMMAR = (
    "A list stands in brackets: key=[1,2]; a text with other letters or signs in quotes: 'key=\"a, b\"'"
)


def is_hydras(error: BaseException) -> bool:
    """True if Hydra or what it stands on raised it, whatever its class: ValueError and the like too."""
    modules = [str(frame.f_globals.get("__name__", "")) for frame in _frames(error)]
    while modules and modules[-1] == "codecs":  # a file that is read is decoded there
        modules.pop()
    return bool(modules) and modules[-1].partition(".")[0] in _THEIRS


def _frames(error: BaseException) -> list[FrameType]:
    """Where the error passed, the place of its origin last."""
    found: list[FrameType] = []
    at: TracebackType | None = error.__traceback__
    while at is not None:
        found.append(at.tb_frame)
        at = at.tb_next
    return found


def explain(error: BaseException) -> str:
    """What is wrong, in our words where we know better ones."""
    text = str(error).strip() or str(error.__cause__ or type(error).__name__)
    if isinstance(error, UnicodeDecodeError):
        files = [frame.f_locals["full_path"] for frame in _frames(error) if "full_path" in frame.f_locals]
        return f"{files[-1] if files else 'a config file'} isn't UTF-8: {text}"
    if (override := getattr(error, "override", None)) is not None:
        return _unreadable(str(override), text)
    if "Could not override 'promoted'" in text:
        return "promoted: there is no conf/promoted/ here; `rag-sweep promote` writes it (see --config-dir)"
    if key := re.search(r"Could not override '([^']+)'", text):
        return f"{key[1]} doesn't exist in this configuration{hint(key[1])}"
    if missing := re.search(r"Could not find '([\w/]+)/([^'/]+)'", text):
        offered = text.partition("Available options in")[2]
        options = re.findall(r"^\t([\w-]+)$", offered, re.MULTILINE)
        return f"{missing[1]}={missing[2]} doesn't exist{nearest(missing[2], options)}"
    if several := re.match(r"(?:Ambiguous value for argument|Sweep parameters) '(.+)'", text):
        return f"{several[1]} has several values, but this is a single run: add -m for a sweep\n{_GRAMMAR}"
    if text.startswith("Config group override"):
        return "a group takes the name of one of its options, as in chunker=fixed: no number, no null"
    if key := getattr(error, "full_key", None):
        return f"{key}: {text.splitlines()[0]}"
    return _shortened(text, error.__cause__)


def _unreadable(override: str, text: str) -> str:
    """An override that the grammar doesn't take."""
    lines = text.splitlines()
    if text.startswith("LexerNoViableAltException: ") and len(lines) > 1:
        at = len(lines[1]) - 1 - len("LexerNoViableAltException: ")
        if override[at] in "'\"":
            return f"{override} can't be read: a quote is never closed"
        key, _, value = override.partition("=")
        if not re.search(r"['\"\[\](){},]", value):
            return f"{override} can't be read: other letters and signs need quotes, '{key}=\"{value}\"'"
        return f"{override} can't be read from {override[at:][:20]!r} on\n{_GRAMMAR}"
    if "=" not in override:
        return f"{override!r} is no override: it must be key=value, ~key or an option such as -m"
    reason = next((line for line in lines if not line.startswith("Error parsing override")), text)
    reason = re.sub(r" expecting \{.*", "", reason)
    reason = "it ends too early" if "<EOF>" in reason else reason
    return f"{override} can't be read: {reason}\n{_GRAMMAR}"


def _shortened(text: str, cause: BaseException | None) -> str:
    text = re.split(r"\n(?:Config search|Search) path:", text)[0]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    reason = str(cause).splitlines()[0] if cause is not None and len(lines) == 1 and str(cause) else ""
    return "\n".join([*lines[:3], *([reason] if reason and reason not in text else [])])
