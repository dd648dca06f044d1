"""YAML as plain data: nothing is made of it, and no key stands twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from rag_sweep.errors import DataError, Fault


class _Once(yaml.SafeLoader):
    """Refuses a key that stands twice, of which YAML would take the last in silence."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """As the safe loader's."""
        seen = set()
        for key, _ in node.value:
            name = getattr(key, "value", None)
            if isinstance(name, str) and name in seen:
                raise yaml.constructor.ConstructorError(None, None, f"{name} stands twice", key.start_mark)
            seen.add(name if isinstance(name, str) else id(key))
        return super().construct_mapping(node, deep)


def load(path: Path) -> Any:
    """The content of a YAML file.

    Raises
    ------
    DataError
        If it can't be read, with the line of what is no YAML.
    """
    try:
        return yaml.load(path.read_text(encoding="utf-8"), _Once)
    except OSError as error:
        raise DataError(Fault(f"can't be read: {error.strerror or error}", file=path)) from error
    except UnicodeDecodeError as error:
        raise DataError(Fault("is no text in UTF-8", file=path)) from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = None if mark is None else mark.line + 1
        what = getattr(error, "problem", None) or "is no YAML"
        raise DataError(Fault(str(what), file=path, line=line)) from error
    except (ValueError, RecursionError) as error:  # the 13th month; thousands of brackets
        raise DataError(Fault(f"is no YAML that can be read: {error}", file=path)) from error


def dump(data: Any) -> str:
    """Plain data as YAML, keys in their order."""
    text: str = yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=100)
    return text
