"""Two streams before a join over windows: ``where``, ``equal_to``, ``window``, ``apply``.

Mirrors ``JoinedStreams`` and ``CoGroupedStreams``, which ask for the same things in that order.
"""

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar, Unpack

from explorer.datastream.handles import Settings, WindowFields, stated
from explorer.model.pipeline import Group

T = TypeVar("T")


class JoinedStreams(Generic[T]):
    """Two streams; ``declare`` receives the fields that are known of them at the end."""

    def __init__(self, declare: Callable[..., T]) -> None:
        self._declare = declare
        self._given: dict[str, Any] = {}

    def where(self, *keys: str) -> "JoinedStreams[T]":
        """The first stream's key columns, and the second's if it has the same; none: the row."""
        self._given["keys"] = keys or None
        return self

    def equal_to(self, *keys: str) -> "JoinedStreams[T]":
        """The second stream's key columns."""
        self._given["equal_to"] = keys or None
        return self

    def window(self, assigner: str, **fields: Unpack[WindowFields]) -> "JoinedStreams[T]":
        """Windows for each key: ``tumbling``, ``sliding`` or ``session`` ones, in milliseconds."""
        return self._window_with(stated(assigner=assigner, **fields))

    def allowed_lateness(self, milliseconds: int) -> "JoinedStreams[T]":
        """Milliseconds for which a window that is over accepts rows; each one joins it anew."""
        return self._window_with({"allowed_lateness": milliseconds})

    def _window_with(self, fields: Mapping[str, Any]) -> "JoinedStreams[T]":
        self._given["window"] = {**self._given.get("window", {}), **fields}
        return self

    def apply(
        self,
        id: str | None = None,
        *,
        select: Mapping[str, str] | None = None,
        group: Group | None = None,
        **settings: Unpack[Settings],
    ) -> T:
        """A function of the pairs of rows in each window; ``select`` computes its columns.

        ``group``: of a coGroup, whether it makes pairs, and of which rows without a partner, too,
        or counts both streams' rows.
        """
        return self._declare(id=id, **self._given, group=group, select=select, **settings)
