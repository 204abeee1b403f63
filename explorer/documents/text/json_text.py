"""JSON text as plain values: a repeated key, ``NaN`` and endless nesting are refused."""

import json
from collections import Counter
from typing import Any

from explorer.documents.checks.faults import given_twice
from explorer.documents.limits import MAX_DEPTH, TOO_DEEP
from explorer.errors import DocumentError


def read_json(text: str) -> object:
    """Build the one value that a JSON text holds; raises ``DocumentError`` with line and column."""
    try:
        value = json.loads(text, object_pairs_hook=_mapping, parse_constant=_constant)
    except _RepeatedKeyError as error:
        raise _with_position(error, text) from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        why = error.msg[:1].lower() + error.msg[1:]
        raise DocumentError(place, f"this is not JSON: {why}") from None
    except RecursionError:
        raise DocumentError(path="", problem=TOO_DEEP) from None
    except ValueError:
        problem = "a number has too many digits; write it in quotes to make it text"
        raise DocumentError(path="", problem=problem) from None
    if _deeper_than(value, MAX_DEPTH):
        raise DocumentError(path="", problem=TOO_DEEP)
    return value


def _deeper_than(value: object, depth: int) -> bool:
    """Whether lists and mappings nest deeper than ``depth``, looking level by level."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(depth):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


class _RepeatedKeyError(Exception):
    """A mapping has a key twice; the parser does not say where."""


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        times = Counter(key for key, _ in pairs)
        raise _RepeatedKeyError(next(key for key in mapping if times[key] > 1))
    return mapping


def _with_position(error: _RepeatedKeyError, text: str) -> DocumentError:
    """Find line and column with the YAML reader: JSON is YAML."""
    from explorer.documents.text.yaml_text import read_yaml

    try:
        read_yaml(text)
    except DocumentError as placed:
        if "given twice" in placed.problem:
            return placed
    return DocumentError("", given_twice(str(error)))


def _constant(word: str) -> float:
    raise DocumentError(path="", problem=f"{word} is not JSON; write a number or null")
