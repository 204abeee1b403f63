"""A mapping that nobody edits, for records that are values.

A dict of Python's own and not a view of one: it is written, copied and pickled like any other, and
nobody else holds what lies behind it.
"""

from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

import msgspec

Key = TypeVar("Key")
Value = TypeVar("Value")


class FrozenDict(dict[Key, Value]):
    """A dict without its ways to change."""

    __slots__ = ()

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        msg = "a record is a value: what it holds is not edited; make another record"
        raise TypeError(msg)

    __setitem__ = __delitem__ = __ior__ = _refuse
    setdefault = update = pop = popitem = clear = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)


def freeze(record: msgspec.Struct, *fields: str) -> None:
    """Let each of these fields of a new record hold a mapping of its own that nobody edits.

    So do the mappings that lie in it.
    """
    for name in fields:
        value = getattr(record, name)
        if value is not None and type(value) is not FrozenDict:
            msgspec.structs.force_setattr(record, name, _frozen(value))


def _frozen(value: Mapping[Any, Any]) -> FrozenDict[Any, Any]:
    if not any(type(inner) is dict for inner in value.values()):
        return FrozenDict(value)
    inside = {key: _frozen(inner) if type(inner) is dict else inner for key, inner in value.items()}
    return FrozenDict(inside)
