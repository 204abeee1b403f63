"""The transformations declared so far, which an environment and all its streams share.

As in Flink's DataStream API, each call declares one transformation, Flink numbers them in that
order, and what a call sets later changes the transformation in place. What comes out is frozen.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, Final, TypeAlias

import msgspec

from explorer.collector import collector_paused
from explorer.documents.readers.pipelines import no_operator_for, no_such_type, to_pipeline
from explorer.edits import candidate_ids
from explorer.errors import ExplorerError
from explorer.flink.kinds import KINDS, NODE_FIELDS, Kind
from explorer.model.pipeline import Pipeline
from explorer.wording import described, listed, quoted, suggestion

Item: TypeAlias = dict[str, Any]
"""A transformation as a document spells it."""

_WORK: Final = "work is given as text, as in select={'n': 'n + 1'}"


class ProgramError(ExplorerError):
    """A call that the DataStream API does not have, or not there."""


class Program:
    """The transformations of one environment, in the order in which they were declared."""

    def __init__(self, head: Item) -> None:
        self._head = head
        self._items: list[Item] = []
        self._positions: dict[str, int] = {}
        self._candidates: dict[str, Iterator[str]] = {}

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, position: int) -> Item:
        return self._items[position]

    def declare(
        self, type: str, inputs: Sequence[int], id: str | None, fields: Mapping[str, Any]
    ) -> int:
        """Add a transformation and return its position; a field that holds None is not given.

        Raises ``ProgramError`` for what the DataStream API cannot express.
        """
        kind = KINDS.get(type)
        if kind is None:
            raise ProgramError(no_such_type(str(type)))
        for position in inputs if kind.keyed else ():
            read = self._items[position]
            if not KINDS[read["type"]].keyed_stream:
                raise ProgramError(not_keyed(type, read["id"], read["type"]))
        item: Item = {"id": self._id(type, id), "type": type}
        if inputs:
            item["inputs"] = [self._items[position]["id"] for position in inputs]
        for name, value in fields.items():
            if value is not None:
                _check_field(kind, name, item["id"])
                item[name] = _plain(value)
        self._positions[item["id"]] = len(self._items)
        self._items.append(item)
        return len(self._items) - 1

    def change(self, position: int, field: str, value: Any) -> None:
        """Set a field of a transformation; None removes it."""
        item = self._items[position]
        _check_field(KINDS[item["type"]], field, item["id"])
        if value is None:
            item.pop(field, None)
        else:
            item[field] = _plain(value)

    def pipeline(self) -> Pipeline:
        """Everything declared so far, checked as a document is; raises ``DocumentError``."""
        values = {**self._head, "transformations": deepcopy(self._items)}
        with collector_paused():
            return to_pipeline(values, limit=None)

    def _id(self, type: str, values: object) -> str:
        if values is None:
            # What was passed over once never becomes free again.
            candidates = self._candidates.setdefault(type, candidate_ids(type))
            return next(id for id in candidates if id not in self._positions)
        if not isinstance(values, str):
            work = f"; {_WORK}" if callable(values) else ""
            description = "a function" if callable(values) else described(values)
            msg = f"the first argument of a {type} is its id, a text, not {description}{work}"
            raise ProgramError(msg)
        position = self._positions.get(values)
        if position is not None:
            items = self._items[position]["type"]
            msg = f"{quoted(values)} is the id of a {items} already; give this {type} another one"
            raise ProgramError(msg)
        return values


def not_keyed(reader: str, id: str, type: str) -> str:
    """Return the problem of a ``reader`` of keyed streams that reads another stream."""
    return f"a {reader} reads a keyed stream, but {quoted(id)} is a {type}; call key_by on it first"


def _check_field(kind: Kind, name: str, id: str) -> None:
    allowed = kind.allowed_fields
    if name in allowed and name != "inputs":
        return
    if name in NODE_FIELDS:
        msg = f"{quoted(id)} is a {kind.type}, which {no_operator_for(name)}"
        raise ProgramError(msg)
    field_names = [item for item in allowed if item != "inputs"]
    hint = suggestion(name, field_names) or (
        f"; it takes {listed(field_names)}" if field_names else ""
    )
    msg = f"a {kind.type} takes no {name}{hint}"
    raise ProgramError(msg)


def _plain(value: Any) -> Any:
    """Copy a value; records become mappings as documents spell them."""
    if isinstance(value, msgspec.Struct):
        return msgspec.to_builtins(value)
    return deepcopy(value)
