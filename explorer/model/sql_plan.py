"""The optimised plan of SQL statements: Flink's ``ExecNodeGraph`` as records.

Mirrors ``ExecNodeGraph``, ``ExecNode`` and ``StateMetadata`` of Flink's table planner.
"""

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

RowKind: TypeAlias = Literal["INSERT", "UPDATE_BEFORE", "UPDATE_AFTER", "DELETE"]
"""``RowKind``: the kinds of change that an edge may carry."""
Changelog: TypeAlias = Literal["insert-only", "upsert", "retract"]


class SqlStatement(msgspec.Struct, frozen=True, kw_only=True):
    """A statement of a script that became part of the job."""

    text: str
    line: int = 1
    """The line of the script where it begins, counted from 1."""
    column: int = 1


class SqlState(msgspec.Struct, frozen=True, kw_only=True):
    """A state of an operator as the planner declares it (``StateMetadata``)."""

    name: str
    ttl: int
    """Milliseconds without access after which a key's state is removed; 0: never."""


class SqlColumn(msgspec.Struct, frozen=True, kw_only=True):
    """A column of the rows that a node emits."""

    name: str
    type: str
    """The type as SQL spells it, such as ``BIGINT NOT NULL``."""


class SqlLookup(msgspec.Struct, frozen=True, kw_only=True):
    """How a lookup join asks its table, and what the table's connector offers."""

    table: str
    """The table's name, without catalog and database."""
    asynchronous: bool
    """Whether the join goes on with further records while it waits for an answer."""
    offers_asynchronous: bool
    """Whether the connector, as the table is declared, answers asynchronously."""
    cache: Literal["none", "partial", "full"]
    """The cache in front of the table (FLIP-221, or a connector's own of before)."""
    asynchronous_options: Mapping[str, str] = {}
    """Options of the table with which its connector would answer asynchronously; empty: none."""
    cache_options: Mapping[str, str] = {}
    """Options of the table with which its connector would have a cache; empty: none."""


class PlanAdvice(msgspec.Struct, frozen=True, kw_only=True):
    """Flink's own advice on a plan, as EXPLAIN PLAN_ADVICE prints it (1.17 on)."""

    kind: Literal["ADVICE", "WARNING"]
    text: str
    nodes: tuple[int, ...] = ()
    """IDs of the plan nodes that it is about; empty: the whole plan."""


class ExecNode(msgspec.Struct, frozen=True, kw_only=True):
    """A node of the optimised plan."""

    id: int
    type: str
    """Name of the node's kind, such as ``stream-exec-group-aggregate``."""
    version: int | None = None
    """Version of that kind, which a compiled plan contains."""
    description: str
    inputs: tuple[int, ...] = ()
    """IDs of the nodes that it reads, in the order of its inputs."""
    columns: tuple[SqlColumn, ...] = ()
    row_kinds: tuple[RowKind, ...] | None = None
    """Kinds of change on its outgoing edges; None: not known, or a sink."""
    upsert_keys: tuple[tuple[str, ...], ...] | None = None
    """Keys by which its output may be upserted; empty: it has none; None: not known."""
    states: tuple[SqlState, ...] = ()
    """The states with their TTL, as far as the release declares them (1.18 on)."""
    primary_key: tuple[str, ...] | None = None
    """Of a sink, the columns of its table's primary key; empty: it has none; None: not known."""
    materializes_by_default: bool | None = None
    """Of a sink with ``table.exec.sink.upsert-materialize`` NONE, whether Flink would materialize
    its upserts with AUTO; None: the option is another one."""
    bounded: bool | None = None
    """Of a scan, whether its connector ends by itself; None: not known."""
    lookup: SqlLookup | None = None
    """Of a lookup join, how it asks its table; None: not known."""
    statements: tuple[int, ...] = ()
    """Positions in ``SqlPlan.statements`` of the statements that need it."""

    @property
    def changelog(self) -> Changelog | None:
        """The changelog mode of its outgoing edges; None: not known."""
        if self.row_kinds is None:
            return None
        if "UPDATE_BEFORE" in self.row_kinds:
            return "retract"
        return "upsert" if {"UPDATE_AFTER", "DELETE"} & {*self.row_kinds} else "insert-only"


class SqlPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The plan of one job; ``nodes`` stand in the order of their IDs."""

    statements: tuple[SqlStatement, ...] = ()
    nodes: tuple[ExecNode, ...] = ()
    advice: tuple[PlanAdvice, ...] = ()
    compiled: bool = False
    """Whether it is a compiled plan (``COMPILE PLAN``), which later releases execute as it is."""
