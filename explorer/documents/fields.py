"""Which fields a document's records have, and what to say of one that has no place there."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from explorer.documents.limits import MAX_TRANSFORMATIONS
from explorer.documents.wording import (
    described,
    listed,
    named,
    quoted,
    quoting_hint,
    step,
    suggestion,
)
from explorer.errors import DocumentError
from explorer.model.kinds import KINDS, NODE_FIELDS, Kind, allowed_fields
from explorer.model.pipeline import Pipeline, Transformation

_ALLOWED: Final = {
    kind.type: frozenset({"id", "type", *allowed_fields(kind)}) for kind in KINDS.values()
}
_EXAMPLES: Final = {
    "id": "an id, a word that names it",
    "type": "a type, such as map or sink",
}
_ALL: Final = tuple(field.encode_name for field in msgspec.structs.fields(Transformation))
_TOP: Final = tuple(field.encode_name for field in msgspec.structs.fields(Pipeline))


def check_fields(
    document: object, *, limit: int | None = MAX_TRANSFORMATIONS
) -> Sequence[Mapping[str, Any]]:
    """Refuse fields that no record, or no transformation of that type, has.

    Takes plain values, returns the transformations; raises ``DocumentError`` for the first fault.
    """
    if not isinstance(document, Mapping):
        problem = f"a document is a mapping with transformations, not {described(document)}"
        raise DocumentError(path="", problem=problem)
    for name in document:
        if name not in _TOP:
            raise DocumentError(step(name), _unknown(name, _TOP, "a pipeline"))
    if "transformations" not in document:
        raise DocumentError(
            path="transformations", problem="is missing; list the program's operators there"
        )
    items = document["transformations"]
    if not isinstance(items, list | tuple):
        raise DocumentError(
            path="transformations", problem=f"must be a list, but is {described(items)}"
        )
    if limit is not None and len(items) > limit:
        problem = f"{len(items):,} transformations are too many; at most {limit:,} are read"
        raise DocumentError(path="transformations", problem=problem)
    for position, item in enumerate(items):
        _check_item(item, f"transformations[{position}]")
    return items


def _check_item(item: Any, path: str) -> None:
    if not isinstance(item, Mapping):
        problem = f"must be a mapping with id and type, but is {described(item)}"
        raise DocumentError(path, problem)
    for name in ("id", "type"):
        value = item.get(name)
        if not isinstance(value, str):
            raise DocumentError(path=f"{path}.{name}", problem=_not_a_word(name, item))
    allowed = _ALLOWED.get(item["type"])
    if allowed is None:
        raise DocumentError(path=f"{path}.type", problem=_unknown_type(item))
    if not allowed.issuperset(item):
        _refuse_field(item, KINDS[item["type"]], path)


def _not_a_word(name: str, item: Mapping[str, Any]) -> str:
    value = item.get(name)
    if value is None:
        return f"is missing; each transformation has {_EXAMPLES[name]}"
    return f"must be text, but is {described(value)}{quoting_hint(value)}"


def _unknown_type(item: Mapping[str, Any]) -> str:
    hint = suggestion(item["type"], KINDS) or f"; the types are {listed(KINDS)}"
    return f"there is no transformation type {quoted(item['type'])}{hint}{named(item['id'])}"


def _refuse_field(item: Mapping[Any, Any], kind: Kind, path: str) -> None:
    """Raise for the first field that this kind does not take; one that holds null is not given."""
    for name, value in item.items():
        if name not in _ALLOWED[kind.type] and (value is not None or name not in _ALL):
            problem = _misplaced(name, kind) + named(item["id"])
            raise DocumentError(path=f"{path}.{step(name)}", problem=problem)


def _misplaced(name: object, kind: Kind) -> str:
    takes = ("id", "type", *allowed_fields(kind))
    if name in _ALL and name in NODE_FIELDS:
        return (
            f"{kind.type} has no operator of its own and takes no {name}; "
            "set it on the operator before or after it"
        )
    if name == "inputs":
        return f"{kind.type} takes no inputs: a pipeline begins there"
    if name in _ALL:
        others = [other.type for other in KINDS.values() if name in other.fields]
        return (
            f"{kind.type} takes no {name}; {listed(others)} {'do' if len(others) > 1 else 'does'}"
        )
    return _unknown(name, takes, kind.type)


def _unknown(name: object, known: tuple[str, ...], owner: str) -> str:
    if not isinstance(name, str):
        return f"a field's name is a word, not {described(name)}"
    hint = suggestion(name, known) or f"; the fields of {owner} are {listed(known)}"
    return f"there is no field {quoted(name)}{hint}"
