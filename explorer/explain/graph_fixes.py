"""Fixes of an edge in a StreamGraph document: settings of its ends, of the edge and of the job.

The document has no pipeline, so that the rules of chaining have no change to propose; what the page
lets a user set is changed, compiled and checked again, as the fixes of a pipeline are.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Final

import msgspec

from explorer.comparison.compare import effect_since
from explorer.edits.stream_graphs import set_edge_partitioner, set_node_field
from explorer.errors import ExplorerError
from explorer.explain.program_advice import CALLS, PLANNED, program_advice
from explorer.flink.compiler import Compilation, compile_program
from explorer.flink.rules import failed
from explorer.model.document import StreamGraphDocument
from explorer.model.stream_graph import StreamNode
from explorer.wording import quoted

_FORWARD: Final = "FORWARD"


class GraphFix(msgspec.Struct, frozen=True, kw_only=True):
    """A change of a StreamGraph document that was made and checked again."""

    code: str
    """The chaining rule that it is for."""
    label: str
    document: StreamGraphDocument
    solved: bool
    """Whether the edge chains with this change alone."""
    effect: str
    """Its effect on tasks and IDs, such as ``3 tasks → 2, 2 IDs change``."""


def graph_fixes(
    document: StreamGraphDocument,
    compilation: Compilation,
    edge: int,
    *,
    since: Compilation | None = None,
    pause: Callable[[], None] = lambda: None,
) -> tuple[GraphFix, ...]:
    """Return the fixes of each failed condition of an edge; those that do not compile are out.

    A condition that the planner of SQL decides has none: its program could not follow.
    ``since``, ``pause``: as in ``explain_edge``.
    """
    result: list[GraphFix] = []
    for rule in failed(compilation.verdicts[edge]):
        if program_advice(rule, compilation.question(edge)) == PLANNED:
            continue
        for label, changed in _changes(document, edge, rule.code):
            pause()
            if changed in [document, *(fix.document for fix in result)]:
                continue
            try:
                after = compile_program(changed, compilation.release.version)
            except ExplorerError:
                continue
            ends, chain_of = after.stream_graph.edges[edge], after.chains.chain_of
            result.append(
                GraphFix(
                    code=rule.code,
                    label=label,
                    document=changed,
                    solved=chain_of[ends.source] == chain_of[ends.target],
                    effect=effect_since(since or compilation, compilation, after),
                )
            )
    return tuple(result)


_Changes = Iterator[tuple[str, StreamGraphDocument]]


def _changes(document: StreamGraphDocument, edge: int, code: str) -> _Changes:
    """Yield what may fix a condition, with a button's label, as far as the document allows it."""
    propose = _PROPOSALS.get(code)
    if propose is not None:
        with suppress(ExplorerError):
            yield from propose(document, edge)


def _ends(document: StreamGraphDocument, edge: int) -> tuple[StreamNode, StreamNode]:
    graph = document.stream_graph
    ends = graph.edges[edge]
    return graph.node(ends.source), graph.node(ends.target)


def _one_group(document: StreamGraphDocument, edge: int) -> _Changes:
    source, target = _ends(document, edge)
    group = source.slot_sharing_group
    label = f"Move {target.name} to slot sharing group {quoted(group or 'default')}"
    yield label, set_node_field(document, target.id, "slot_sharing_group", group)


def _source_strategy(document: StreamGraphDocument, edge: int) -> _Changes:
    yield _always(document, _ends(document, edge)[0])


def _target_strategy(document: StreamGraphDocument, edge: int) -> _Changes:
    yield _always(document, _ends(document, edge)[1])


def _always(document: StreamGraphDocument, node: StreamNode) -> tuple[str, StreamGraphDocument]:
    label = f"Set chaining strategy of {node.name} to ALWAYS"
    return label, set_node_field(document, node.id, "chaining_strategy", "ALWAYS")


def _forward(document: StreamGraphDocument, edge: int) -> _Changes:
    """FORWARD in place of what a call set, never of what an operator needs.

    A keyed operator finds no key group for the records of other subtasks, and a broadcast state is
    equal in all of them only if all get its records.
    """
    stream = document.stream_graph.edges[edge]
    if stream.partitioner not in CALLS or (
        stream.partitioner == "BROADCAST" and stream.type_number
    ):
        return
    label = "Set the partitioner of the edge to FORWARD"
    yield label, set_edge_partitioner(document, edge, _FORWARD)


def _one_parallelism(document: StreamGraphDocument, edge: int) -> _Changes:
    """One end gets the other's parallelism, and a REBALANCE becomes the FORWARD of equal ends."""
    source, target = _ends(document, edge)
    reads = {other.target for other in document.stream_graph.edges}
    for node, other in ((target, source), (source, target)):
        if node is source and source.id not in reads:
            # A source may run with one subtask alone; the graph does not say which do.
            continue
        changed = set_node_field(document, node.id, "parallelism", other.parallelism)
        label = f"Set parallelism of {node.name} to {other.parallelism}"
        if document.stream_graph.edges[edge].partitioner == "REBALANCE":
            changed = set_edge_partitioner(changed, edge, _FORWARD)
            label += ", with a FORWARD edge"
        yield label, changed


def _chaining_on(document: StreamGraphDocument, _edge: int) -> _Changes:
    yield "Turn chaining on", document.with_chaining(on=True)


_PROPOSALS: Final[Mapping[str, Callable[[StreamGraphDocument, int], _Changes]]] = {
    "CH02": _one_group,
    "CH03": _source_strategy,
    "CH04": _target_strategy,
    "CH06": _forward,
    "CH08": _one_parallelism,
    "CH10": _chaining_on,
}
"""By chaining rule; the others look at what only the program can change."""
