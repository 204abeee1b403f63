"""What records that are values share: an immutable mapping, and a former name for one release.

A dict of Python's own and not a view of one: it is written, copied and pickled like any other, and
no other object refers to its content.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, NoReturn, TypeVar, get_args, get_origin

import msgspec

Key = TypeVar("Key")
Value = TypeVar("Value")


class FrozenDict(dict[Key, Value]):
    """A dict without methods that change it."""

    __slots__ = ()

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        msg = "a record is a value: what it holds is not edited; make another record"
        raise TypeError(msg)

    __setitem__ = __delitem__ = __ior__ = _refuse
    setdefault = update = pop = popitem = clear = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)


class FrozenRecord(msgspec.Struct, frozen=True):
    """A record with an immutable copy in each mapping field, nested mappings included."""

    _mappings: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        # Asked once: a program may have 100,000 transformations.
        cls._mappings += tuple(name for name, hint in cls.__annotations__.items() if _maps(hint))

    def __post_init__(self) -> None:
        for name in self._mappings:
            value = getattr(self, name)
            if value is not None and type(value) is not FrozenDict:
                msgspec.structs.force_setattr(self, name, _frozen(value))


def _maps(hint: Any) -> bool:
    """Whether a field of this type may hold a mapping."""
    return Mapping in (get_origin(hint), *map(get_origin, get_args(hint)))


def _frozen(value: Mapping[Any, Any]) -> FrozenDict[Any, Any]:
    # As a set: looking through the types themselves compares each of them to ``dict``.
    if dict not in set(map(type, value.values())):
        return FrozenDict(value)
    result = {key: _frozen(inner) if type(inner) is dict else inner for key, inner in value.items()}
    return FrozenDict(result)


class FormerRelease:
    """A record with ``flink_version``, whose former name was ``flink``."""

    __slots__ = ()
    flink_version: str

    @property
    def flink(self) -> str:
        """The former name of ``flink_version``."""
        return self.flink_version
