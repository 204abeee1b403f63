"""Facts of a SQL plan for the inspector and the shell: of an operator, an edge and a statement."""

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

import msgspec

from explorer.comparison.sql_changes import ttl_text
from explorer.flink.sql_operators import (
    materializes_upserts,
    mini_batches,
    operators_of_nodes,
    sql_state,
)
from explorer.model.document import Document, StreamGraphDocument
from explorer.model.sql_plan import ExecNode, SqlPlan, SqlStatement
from explorer.model.stream_graph import NodeId

Facts: TypeAlias = tuple[tuple[str, object], ...]
_SIGNS: Final[Mapping[str, str]] = {
    "INSERT": "+I",
    "UPDATE_BEFORE": "-U",
    "UPDATE_AFTER": "+U",
    "DELETE": "-D",
}
_REMOVED: Final[Mapping[str, str]] = {
    "ttl": "by a TTL alone",
    "watermark": "when the watermark passes it",
    "never": "never",
}


class SqlFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A document's SQL plan with what links it to the StreamGraph."""

    plan: SqlPlan
    nodes: Mapping[NodeId, ExecNode]
    """By operator of the StreamGraph, the plan node that it comes from."""

    def operator(self, id: int) -> Facts:
        """An operator: plan node, state, TTL, changelog mode and upsert keys; empty: not SQL's."""
        node = self.nodes.get(NodeId(id))
        return () if node is None else tuple(self._operator(node))

    def _operator(self, node: ExecNode) -> Iterator[tuple[str, object]]:
        version = "" if node.version is None else f", version {node.version}"
        yield "plan node", f"{node.id}: {node.type}{version}"
        yield "description", node.description
        state = sql_state(node)
        if state is not None:
            yield "state", state.contents
            yield "state key", state.key or "none: one state a subtask"
            yield "removed", _REMOVED[state.removed]
            yield from ((f"TTL of {item.name}", ttl_text(item.ttl)) for item in node.states)
        if node.row_kinds is not None:
            yield "emits", changelog_text(node)
        if node.upsert_keys is not None:
            yield "upsert keys", _keys_text(node)
        if node.type == "stream-exec-sink":
            yield "upsert materialisation", "on" if materializes_upserts(node) else "off"
        if node.lookup is not None:
            how = "asynchronous" if node.lookup.asynchronous else "synchronous"
            yield "lookup", f"{how} in {node.lookup.table}, cache: {node.lookup.cache}"
        if mini_batches(self.plan):
            yield "mini-batch", "on"

    def edge(self, source: int, target: int) -> Facts:
        """An edge's changelog mode and upsert keys; empty for an edge within one plan node."""
        start, end = self.nodes.get(NodeId(source)), self.nodes.get(NodeId(target))
        if start is None or end is None or start.id == end.id or start.row_kinds is None:
            return ()
        return (
            ("changelog mode", changelog_text(start)),
            ("upsert keys", _keys_text(start)),
            ("columns", ", ".join(f"{column.name} {column.type}" for column in start.columns)),
        )

    def statements_of(self, id: int) -> tuple[SqlStatement, ...]:
        """The statements that made an operator, in the script's order."""
        node = self.nodes.get(NodeId(id))
        return (
            ()
            if node is None
            else tuple(self.plan.statements[statement] for statement in node.statements)
        )


def sql_facts(document: Document) -> SqlFacts | None:
    """The SQL plan of a document; None: it has none."""
    if not isinstance(document, StreamGraphDocument) or document.sql_plan is None:
        return None
    plan = document.sql_plan
    return SqlFacts(plan=plan, nodes=operators_of_nodes(plan, document.stream_graph))


def changelog_text(node: ExecNode) -> str:
    """The changelog mode of a node's output, with its kinds of change.

    >>> node = ExecNode(id=1, type="", description="", row_kinds=("INSERT", "UPDATE_AFTER"))
    >>> changelog_text(node)
    'upsert (+I, +U)'
    """
    signs = ", ".join(_SIGNS[kind] for kind in node.row_kinds or ())
    return f"{node.changelog or 'unknown'} ({signs})"


def _keys_text(node: ExecNode) -> str | None:
    """Upsert keys, each in brackets; None: not known."""
    if node.upsert_keys is None:
        return None
    return ", ".join(f"[{', '.join(key)}]" for key in node.upsert_keys) or "none"
