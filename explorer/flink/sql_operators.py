"""SQL operators by kind of plan node: their state, its key, and what removes it.

Mirrors the ``translateToPlanInternal`` methods of the planner's ``StreamExec*`` nodes and the
operators that they create.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from explorer.model.document import Document, StreamGraphDocument
from explorer.model.sql_plan import ExecNode, SqlPlan
from explorer.model.stream_graph import NodeId, StreamGraph, StreamNode

Removal: TypeAlias = Literal["ttl", "watermark", "never"]


class SqlOperator(msgspec.Struct, frozen=True):
    """A row: the state of the operators of one kind of node."""

    contents: str
    """The state in words, as ``one accumulator``."""
    key: str
    """The key of the state, as ``group key``; empty: the state belongs to the subtask."""
    removed: Removal = "ttl"
    """What removes it: the TTL, the watermark that passes it, or nothing."""
    expired: str = "a record after that starts anew"
    """What is wrong for a key after its TTL."""


_AGGREGATE: Final = SqlOperator(
    "one accumulator row",
    "group key",
    expired="a record after that begins its counts and sums at nothing",
)
_UNJOINED: Final = "a row stays without a partner that comes after that"
_WINDOW: Final = SqlOperator("one accumulator row per window or slice", "group key", "watermark")
_ROWS: Final = "rows of both inputs"
SQL_OPERATORS: Final[Mapping[str, SqlOperator]] = {
    "stream-exec-group-aggregate": _AGGREGATE,
    "stream-exec-global-group-aggregate": _AGGREGATE,
    "stream-exec-incremental-group-aggregate": _AGGREGATE,
    "stream-exec-group-table-aggregate": _AGGREGATE,
    "stream-exec-python-group-aggregate": _AGGREGATE,
    "stream-exec-group-window-aggregate": _WINDOW,
    "stream-exec-window-aggregate": _WINDOW,
    "stream-exec-global-window-aggregate": _WINDOW,
    "stream-exec-window-rank": SqlOperator(
        "the first rows of each window", "partition key", "watermark"
    ),
    "stream-exec-window-deduplicate": SqlOperator(
        "one row per window", "partition key", "watermark"
    ),
    "stream-exec-window-join": SqlOperator(f"{_ROWS}, per window", "join key", "watermark"),
    "stream-exec-join": SqlOperator(_ROWS, "join key", expired=_UNJOINED),
    "stream-exec-multi-join": SqlOperator("rows of all inputs", "join key", expired=_UNJOINED),
    "stream-exec-interval-join": SqlOperator(
        "rows of both inputs within the interval", "join key", "watermark"
    ),
    "stream-exec-temporal-join": SqlOperator(
        "rows of the left input and versions of the right one", "join key", "watermark"
    ),
    "stream-exec-rank": SqlOperator(
        "the first rows",
        "partition key",
        expired="rows after that are ranked without the earlier ones",
    ),
    "stream-exec-limit": SqlOperator("the first rows", ""),
    "stream-exec-sort-limit": SqlOperator("the first rows", ""),
    "stream-exec-deduplicate": SqlOperator(
        "the first or last row", "unique key", expired="a duplicate after that passes"
    ),
    "stream-exec-changelog-normalize": SqlOperator(
        "the last row",
        "unique key",
        expired="an update after that is emitted as an insertion, and a deletion is dropped",
    ),
    "stream-exec-over-aggregate": SqlOperator(
        "accumulators, and the rows that are still in a frame", "partition key"
    ),
    "stream-exec-temporal-sort": SqlOperator("rows that wait for their time", "", "watermark"),
    "stream-exec-match": SqlOperator("rows and partial matches", "partition key", "watermark"),
    "stream-exec-process-table-function": SqlOperator(
        "what the function declares, and timers", "partition key"
    ),
    "stream-exec-lookup-join": SqlOperator(
        "the rows that were looked up",
        "upsert key",
        expired="a deletion after that is dropped",
    ),
    "stream-exec-sink": SqlOperator(
        "rows by primary key, in the order of their arrival",
        "primary key",
        expired="a deletion after that does not reach the table",
    ),
}
"""Contents, key and removal of the state by kind of node.

A sink and a lookup join have this state only with upsert materialisation. Other kinds have none,
except the read positions of sources and a writer's own state."""
_WITH_MATERIALIZATION: Final = frozenset({"stream-exec-sink", "stream-exec-lookup-join"})

_NAMED: Final = re.compile(r"\[(\d+)\](?:: (?:Writer|Committer|Global Committer))?$|^\[(\d+)\]:")
_ATTRIBUTE: Final = re.compile(r"(\w+)=")
UID_GENERATION: Final = "table.exec.uid.generation"
_OPEN: Final = {"[": "]", "(": ")", "{": "}"}
_NAMES: Final = (
    kind.removeprefix("stream-exec-").title().replace("-", "")
    for kind in SQL_OPERATORS
    if kind not in _WITH_MATERIALIZATION
)
_PLANNED: Final = re.compile(rf"(?:{'|'.join(_NAMES)}|SinkMaterializer)(?:\[\d+\]|\()")
"""Beginning of the names of these operators."""


def sql_state(node: ExecNode) -> SqlOperator | None:
    """The state of a node's operators; None: no state of SQL's own."""
    if node.type in _WITH_MATERIALIZATION and not materializes_upserts(node):
        return None
    return SQL_OPERATORS.get(node.type)


def materializes_upserts(node: ExecNode) -> bool:
    """Whether a sink or a lookup join holds rows by key, to put changes of a key into order."""
    return plan_attributes(node.description).get("upsertMaterialize") == "true"


def mini_batches(plan: SqlPlan) -> bool:
    """Whether the plan's operators work in mini-batches."""
    return any(node.type == "stream-exec-mini-batch-assigner" for node in plan.nodes)


def stateful_sql_names(graph: StreamGraph) -> tuple[str, ...]:
    """Names of the operators with state that the planner made, in the graph's order.

    Known by their names, as ``GroupAggregate[5]`` or before 1.15 ``GroupAggregate(groupBy=...``:
    the graph does not say which program made an operator.
    """
    return tuple(node.name for node in graph.nodes if is_planned_name(node.name))


def is_planned_name(name: str) -> bool:
    """Whether the planner named an operator with state so."""
    return _PLANNED.match(name) is not None


def has_counted_uids(document: Document | None) -> bool:
    """Whether UIDs hold IDs of ExecNodes that no compiled plan records."""
    if not isinstance(document, StreamGraphDocument) or document.sql_plan is None:
        return False
    return document.options.get(UID_GENERATION) == "ALWAYS" and not document.sql_plan.compiled


def exec_node_id(node: StreamNode) -> int | None:
    """ID of the plan node of an operator, which Flink puts into names (1.15 on).

    >>> from explorer.model.stream_graph import NodeId, StreamNode
    >>> exec_node_id(StreamNode(id=NodeId(1), name="totals[4]: Writer", parallelism=1))
    4
    """
    match = _NAMED.search(node.name) or _NAMED.search(node.description or "")
    return int(match[1] or match[2]) if match else None


def operators_of_nodes(plan: SqlPlan, graph: StreamGraph) -> dict[NodeId, ExecNode]:
    """By operator of the StreamGraph, the plan node that it comes from, in the graph's order."""
    nodes = {node.id: node for node in plan.nodes}
    exec_nodes = {
        stream_node.id: nodes.get(exec_node_id(stream_node) or 0) for stream_node in graph.nodes
    }
    return {id: node for id, node in exec_nodes.items() if node is not None}


def plan_attributes(description: str) -> dict[str, str]:
    """The attributes of a plan node's description, without the brackets around a value.

    >>> plan_attributes("Calc(select=[a, b], where=[(a > f(b))])")
    {'select': 'a, b', 'where': '(a > f(b))'}
    """
    result: dict[str, str] = {}
    position = description.find("(") + 1
    while match := _ATTRIBUTE.search(description, position):
        begin = match.end()
        end = _value_end(description, begin)
        value = description[begin:end]
        result[match[1]] = value[1:-1] if value[:1] == "[" else value
        position = end + 1
    return result


def _value_end(text: str, begin: int) -> int:
    """Find the end of a value: the comma or closing bracket of the enclosing list."""
    closing: list[str] = []
    quoted = False
    for position in range(begin, len(text)):
        letter = text[position]
        quoted ^= letter == "'"
        if quoted:
            continue
        if letter in _OPEN:
            closing.append(_OPEN[letter])
        elif closing and letter == closing[-1]:
            closing.pop()
        elif not closing and letter in ",)":
            return position
    return len(text)


def split_list(text: str) -> tuple[str, ...]:
    """The items of a description's list, split at the commas that stand in no bracket.

    >>> split_list("a, COUNT(b, c) AS n")
    ('a', 'COUNT(b, c) AS n')
    """
    items, begin = [], 0
    while begin < len(text):
        end = _value_end(text, begin)
        items.append(text[begin:end].strip())
        begin = end + 1
    return tuple(items)
