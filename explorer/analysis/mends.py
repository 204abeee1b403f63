"""Which change of the document makes a failed condition hold.

A condition has one mend, several or none: a row a condition. A mend is found from the document and
the edge alone; ``explain`` tries it and says what else it changes.
"""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from explorer import edits
from explorer.documents import check_pipeline
from explorer.edits.partitioners import set_partitioner
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.model.pipeline import Pipeline, Transformation
from explorer.model.stream_graph import StreamEdge, StreamNode

DIFFERENT_MAX: Final = "pipeline.operator-chaining.chain-operators-with-different-max-parallelism"


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """A change that may help, not tried yet."""

    label: str
    """What a button says, such as ``Set parallelism of count to 2``."""
    edit: Callable[[Pipeline], Pipeline]


class _Edge(msgspec.Struct, frozen=True, kw_only=True):
    """What a row of the table looks at."""

    done: Compilation
    pipeline: Pipeline
    edge: StreamEdge
    source: StreamNode
    target: StreamNode

    def from_document(self, node: StreamNode) -> Transformation:
        """The transformation that the node comes from."""
        return self.pipeline.transformation(node.transformation or "")


def proposals(done: Compilation, edge: int, code: str) -> Iterator[Proposal]:
    """The changes that may make the condition ``code`` hold for the edge at this position."""
    if done.pipeline is None:
        return
    stream_edge = done.stream_graph.edges[edge]
    view = _Edge(
        done=done,
        pipeline=done.pipeline,
        edge=stream_edge,
        source=done.stream_graph.node(stream_edge.source),
        target=done.stream_graph.node(stream_edge.target),
    )
    yield from _TABLE[code](view)


def applied(pipeline: Pipeline, proposal: Proposal) -> Pipeline | None:
    """The pipeline with the change, or None where the change is not possible."""
    try:
        changed = proposal.edit(pipeline)
        check_pipeline(changed)
    except ExplorerError:
        return None
    return changed


def _set(id: str, field: str, value: object, label: str) -> Proposal:
    return Proposal(label=label, edit=lambda p: edits.set_field(p, id, field, value))


def _nothing(_view: _Edge) -> Iterator[Proposal]:
    return iter(())


def _same_group(view: _Edge) -> Iterator[Proposal]:
    for node, other in ((view.target, view.source), (view.source, view.target)):
        id, group = node.transformation or "", other.slot_sharing_group
        yield _set(id, "slot_sharing_group", group, f"Move {id} to slot sharing group {group}")


def _may_lead(view: _Edge) -> Iterator[Proposal]:
    yield from _own_strategy(view.from_document(view.source))


def _may_follow(view: _Edge) -> Iterator[Proposal]:
    transformation = view.from_document(view.target)
    yield from _own_strategy(transformation)
    if transformation.type == "multiple_input" and view.source.new_source:
        label = f"Let {transformation.id} take its sources into its task"
        yield _set(transformation.id, "chaining_strategy", "HEAD_WITH_SOURCES", label)


def _own_strategy(transformation: Transformation) -> Iterator[Proposal]:
    if transformation.chaining_strategy in {"NEVER", "HEAD"}:
        id, strategy = transformation.id, transformation.chaining_strategy
        yield _set(id, "chaining_strategy", None, f"Take {strategy} off {id}")


def _new_source(view: _Edge) -> Iterator[Proposal]:
    graph, node = view.done.stream_graph, view.source
    while graph.in_edges[node.id]:
        node = graph.node(graph.edges[graph.in_edges[node.id][0]].source)
    id = node.transformation or ""
    if view.done.release.flip27_sources and node.legacy_source:
        label = f"Make {id} a FLIP-27 source"
        yield Proposal(label=label, edit=lambda p: _as_new_source(p, id))


def _as_new_source(pipeline: Pipeline, id: str) -> Pipeline:
    old = pipeline.transformation(id)
    fields = {name: getattr(old, name) for name in old.__struct_fields__}
    if not old.parallel:
        fields["parallelism"] = 1
    new = Transformation(**(fields | {"type": "source", "parallel": True}))
    return edits.replace_transformation(pipeline, new)


def _forward(view: _Edge) -> Iterator[Proposal]:
    source, target = view.source.transformation or "", view.target.transformation or ""
    if not view.edge.via:
        # REBALANCE because the parallelism differs: mending that mends this.
        return
    word = "Take the partitioner" if view.source.parallelism == view.target.parallelism else "Take"
    partitioner = view.edge.partitioner
    label = f"{word} {partitioner} off {source} → {target}".replace("Take Take", "Take")
    yield Proposal(label=label, edit=lambda p: set_partitioner(p, source, target, None))


def _pipelined(view: _Edge) -> Iterator[Proposal]:
    for id in view.edge.via:
        if view.pipeline.transformation(id).exchange_mode == "BATCH":
            yield _set(id, "exchange_mode", "UNDEFINED", f"Take the BATCH exchange off {id}")


def _same_parallelism(view: _Edge) -> Iterator[Proposal]:
    for node, other in ((view.target, view.source), (view.source, view.target)):
        transformation = view.from_document(node)
        if transformation.parallel and transformation.type != "window_all":
            id, number = transformation.id, other.parallelism
            yield _set(id, "parallelism", number, f"Set parallelism of {id} to {number}")


def _same_max(view: _Edge) -> Iterator[Proposal]:
    options = dict(view.pipeline.environment.configuration)
    options.pop(DIFFERENT_MAX, None)
    yield Proposal(
        label="Allow different max parallelism in a chain",
        edit=lambda p: edits.set_environment(p, "configuration", options),
    )
    if view.source.max_parallelism > 0:
        id, number = view.target.transformation or "", view.source.max_parallelism
        label = f"Set max parallelism of {id} to {number}"
        yield _set(id, "max_parallelism", number, label)


def _chaining_on(view: _Edge) -> Iterator[Proposal]:
    if not view.pipeline.environment.chaining:
        yield Proposal(
            label="Turn chaining on",
            edit=lambda p: edits.set_environment(p, "chaining", value=True),
        )


_TABLE: Final[dict[str, Callable[[_Edge], Iterator[Proposal]]]] = {
    "CH01": _nothing,
    "CH02": _same_group,
    "CH03": _may_lead,
    "CH04": _may_follow,
    "CH05": _new_source,
    "CH06": _forward,
    "CH07": _pipelined,
    "CH08": _same_parallelism,
    "CH09": _same_max,
    "CH10": _chaining_on,
    "CH11": _nothing,
    "CH12": _nothing,
}
