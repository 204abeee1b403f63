"""Compares two plans of SQL statements, operator by operator.

A query block is one node of the optimised plan with its attributes and the columns of its inputs.
Callers pass the pairs of operators.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from explorer.flink.sql_operators import operators_of_nodes, plan_attributes, split_list, sql_state
from explorer.model.document import Document, StreamGraphDocument
from explorer.model.sql_plan import ExecNode, SqlColumn, SqlPlan
from explorer.model.stream_graph import NodeId
from explorer.wording import counted, listed


class SqlChange(msgspec.Struct, frozen=True, kw_only=True):
    """A stateful operator in both plans."""

    old: ExecNode
    new: ExecNode | None
    """None: no operator of the new program is known to be this one."""
    reasons: tuple[str, ...] = ()
    """The changes of the query block; empty: the same query block."""
    other_meaning: bool = False
    """Whether the state, if Flink restores it, holds the result of another query."""
    moved: tuple[str, ...] = ()
    """Plan nodes upstream that were added or removed, which changes IDs."""

    @property
    def is_same(self) -> bool:
        """Whether both versions have the same query block."""
        return self.new is not None and not self.reasons

    @property
    def sentence(self) -> str:
        """The change in one sentence, without a full stop."""
        if self.new is None:
            return "No operator of the new plan is known to have this query block"
        if self.is_same:
            return "Same query block: its state can be reused"
        return f"Changed query block: {'; '.join(self.reasons)}"

    @property
    def moved_sentence(self) -> str:
        """Return why IDs changed; empty if no plan node was added or removed."""
        place = "Upstream" if self.new is not None else "In the plan"
        return f"{place}, {listed(self.moved)}" if self.moved else ""


class SqlPlans(msgspec.Struct, frozen=True, kw_only=True):
    """Both plans of a comparison, by operator."""

    old: Mapping[NodeId, ExecNode]
    new: Mapping[NodeId, ExecNode]
    old_plan: SqlPlan
    new_plan: SqlPlan

    @property
    def appeared(self) -> tuple[str, ...]:
        """Plan nodes that appeared or are gone, in the whole plan."""
        return tuple(_name_changed_nodes(self.old_plan.nodes, self.new_plan.nodes))

    def change(self, old: NodeId | None, new: NodeId | None) -> SqlChange | None:
        """Compare an operator; None: it is no stateful operator of SQL on the old side."""
        old_node = None if old is None else self.old.get(old)
        new_node = None if new is None else self.new.get(new)
        if old_node is None or sql_state(old_node) is None:
            return None
        if new_node is None:
            return SqlChange(old=old_node, new=None, moved=self.appeared)
        return compare_nodes(self.old_plan, old_node, self.new_plan, new_node)


def sql_plans(old: Document | None, new: Document) -> SqlPlans | None:
    """Return the plans of two documents; None where one of them holds none."""
    if not isinstance(old, StreamGraphDocument) or not isinstance(new, StreamGraphDocument):
        return None
    if old.sql_plan is None or new.sql_plan is None:
        return None
    return SqlPlans(
        old=operators_of_nodes(old.sql_plan, old.stream_graph),
        new=operators_of_nodes(new.sql_plan, new.stream_graph),
        old_plan=old.sql_plan,
        new_plan=new.sql_plan,
    )


def compare_nodes(old_plan: SqlPlan, old: ExecNode, new_plan: SqlPlan, new: ExecNode) -> SqlChange:
    """Compare one operator's nodes in both plans."""
    attributes = plan_attributes(old.description), plan_attributes(new.description)
    reasons = list(_compare_attributes(*attributes))
    if old.type != new.type:
        reasons.insert(0, f"it is a {_short(new)}, which was a {_short(old)}")
    elif old.version != new.version:
        version = f"version {new.version} of {_short(new)}"
        reasons.insert(0, f"{version}, which was version {old.version}")
    other_meaning = bool(reasons)
    reasons += _compare_inputs(_inputs(old_plan, old), _inputs(new_plan, new))
    ttls = {state.name: state.ttl for state in old.states}
    reasons += [
        f"the TTL of {item.name} is {ttl_text(item.ttl)}, which was {ttl_text(ttls[item.name])}"
        for item in new.states
        if ttls.get(item.name, item.ttl) != item.ttl
    ]
    return SqlChange(
        old=old,
        new=new,
        reasons=tuple(dict.fromkeys(reasons)),
        other_meaning=other_meaning,
        moved=tuple(_name_changed_nodes(_upstream(old_plan, old), _upstream(new_plan, new))),
    )


def _short(node: ExecNode) -> str:
    return node.description.partition("(")[0]


_LISTS: Final[Mapping[str, str]] = {
    "select": "expression",
    "groupBy": "group key",
    "partitionBy": "partition key",
    "fields": "column",
}
"""Maps attributes that are lists to the name of an item."""
_NO_STATE: Final = frozenset({"changelogMode", "fields", "table"})
"""Attributes that do not affect the state."""


def _compare_attributes(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[str]:
    for name in dict.fromkeys((*old, *new)):
        previous, following = old.get(name), new.get(name)
        if previous == following or name in _NO_STATE:
            continue
        if previous is None:
            yield f"{name} is {following}"
        elif following is None:
            yield f"{name} is gone, which was {previous}"
        elif name in _LISTS:
            yield from _compare_lists(_LISTS[name], split_list(previous), split_list(following))
        else:
            yield f"{name} is {following}, which was {previous}"


def _compare_lists(item: str, old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """Compare items without the names that the query gives them."""
    previous, following = (
        [part.rpartition(" AS ")[0] or part for part in side] for side in (old, new)
    )
    added = [part for part in following if part not in previous]
    gone = [part for part in previous if part not in following]
    item = "aggregate" if any("(" in text for text in (*added, *gone)) else item
    if added and gone:
        yield f"{listed(added)} instead of {listed(gone)}"
    elif added:
        yield f"{counted(len(added), item)} more: {listed(added)}"
    elif gone:
        yield f"{counted(len(gone), item)} less: {listed(gone)}"
    elif previous != following:
        yield f"another order: {listed(following)}"


def _inputs(plan: SqlPlan, node: ExecNode) -> list[ExecNode]:
    nodes = {exec_node.id: exec_node for exec_node in plan.nodes}
    return [nodes[id] for id in node.inputs]


def _compare_inputs(old_nodes: Sequence[ExecNode], new_nodes: Sequence[ExecNode]) -> Iterator[str]:
    if len(old_nodes) != len(new_nodes):
        yield f"{counted(len(new_nodes), 'input')}, which were {len(old_nodes)}"
        return
    for position, (was, node) in enumerate(zip(old_nodes, new_nodes, strict=True)):
        place = f" of input {position + 1}" if len(old_nodes) > 1 else ""
        yield from _compare_columns(was.columns, node.columns, place)
        if was.changelog != node.changelog and None not in {was.changelog, node.changelog}:
            yield f"the changelog mode of its input{place} is {node.changelog}, was {was.changelog}"


def _compare_columns(
    old: Sequence[SqlColumn], new: Sequence[SqlColumn], place: str
) -> Iterator[str]:
    previous, following = ({column.name: column.type for column in side} for side in (old, new))
    for name, type in following.items():
        if name not in previous:
            yield f"the column {name} {type}{place} is new"
        elif previous[name] != type:
            yield f"the column {name}{place} is {type}, which was {previous[name]}"
    if gone := [name for name in previous if name not in following]:
        columns, verb = ("column", "is") if len(gone) == 1 else ("columns", "are")
        yield f"the {columns} {listed(gone)}{place} {verb} gone"


def ttl_text(milliseconds: int) -> str:
    """Write a TTL in its largest whole unit; 0: ``none``.

    >>> ttl_text(0), ttl_text(3_600_000), ttl_text(90_000)
    ('none', '1 h', '90 s')
    """
    if milliseconds == 0:
        return "none"
    units = (("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000), ("ms", 1))
    return next(
        f"{milliseconds // size:,} {unit}" for unit, size in units if milliseconds % size == 0
    )


def _upstream(plan: SqlPlan, node: ExecNode) -> list[ExecNode]:
    """Return all nodes upstream, in the order of their IDs."""
    nodes = {exec_node.id: exec_node for exec_node in plan.nodes}
    exec_nodes: dict[int, ExecNode] = {}
    waiting = [*node.inputs]
    while waiting:
        id = waiting.pop()
        if id not in exec_nodes:
            exec_nodes[id] = nodes[id]
            waiting += nodes[id].inputs
    return [exec_nodes[id] for id in sorted(exec_nodes)]


def _name_changed_nodes(old: Sequence[ExecNode], new: Sequence[ExecNode]) -> Iterator[str]:
    kinds = [Counter(exec_node.type for exec_node in side) for side in (old, new)]
    for type in kinds[0] | kinds[1]:
        surplus = kinds[1][type] - kinds[0][type]
        side, word = (new, "appeared") if surplus > 0 else (old, "is gone")
        descriptions = {item.description for item in (old if surplus > 0 else new)}
        nodes_of_type = [part for part in side if part.type == type]
        other_nodes = [
            node for node in nodes_of_type if node.description not in descriptions
        ] or nodes_of_type
        for node in other_nodes[: abs(surplus)]:
            yield f"{_short(node)}[{node.id}] {word}"
