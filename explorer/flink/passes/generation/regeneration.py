"""The StreamGraph after an edit of one operator, made from the graph before the edit.

Most edits set a field that decides about the operator's own node and about nothing else: every
other node and all edges stay the same objects.
"""

from operator import is_not
from typing import Final

import msgspec

from explorer.flink.passes.generation.generator import Generated, program_warnings, with_setters
from explorer.flink.passes.generation.nodes import NodeMaker
from explorer.flink.passes.generation.options import configured
from explorer.flink.releases import Release
from explorer.model.chains import JobSettings
from explorer.model.pipeline import Pipeline, Transformation
from explorer.model.stream_graph import StreamGraph, StreamNode

_OWN_FIELDS: Final = (
    "name",
    "uid",
    "uid_hash",
    "chaining_strategy",
    "max_parallelism",
    "co_location_group",
)
"""The fields of a transformation that decide about its own node alone."""


def regenerate(
    pipeline: Pipeline,
    release: Release,
    previous: Pipeline,
    graph: StreamGraph,
    settings: JobSettings,
) -> Generated | None:
    """Generate ``pipeline`` if it differs from ``previous`` in own fields of one operator.

    ``graph``, ``settings``: what ``previous`` became under this release. None: the edit is another
    one, and ``generate`` must run. Raises ``FlinkRefusalError`` where Flink refuses the new node.
    """
    edited = _find_edited(pipeline, previous)
    if edited is None:
        return None
    nodes = [node for node in graph.nodes if node.transformation == edited.id]
    if len(nodes) != 1:
        return None
    declared = with_setters(pipeline)
    maker = NodeMaker(configured(pipeline.environment, release), declared, settings, release)
    old = with_setters(previous)[edited.id]
    # What is made in another place than the maker, such as the writer of a sink, is not this node.
    if _make(maker, old, nodes[0]) != nodes[0]:
        return None
    node = _make(maker, declared[edited.id], nodes[0])
    maker.check(declared[edited.id], node)
    return Generated(
        stream_graph=graph.with_nodes(
            tuple([node if stream_node is nodes[0] else stream_node for stream_node in graph.nodes])
        ),
        settings=settings,
        warnings=program_warnings(pipeline, release),
    )


def _find_edited(pipeline: Pipeline, previous: Pipeline) -> Transformation | None:
    """The transformation that the edit replaced; None if the edit changed more than own fields."""
    transformations, then = pipeline.transformations, previous.transformations
    if pipeline.environment != previous.environment or len(transformations) != len(then):
        return None
    replaced = [
        position
        for position, counterpart in enumerate(map(is_not, transformations, then))
        if counterpart
    ]
    if len(replaced) != 1:
        return None
    new, old = transformations[replaced[0]], then[replaced[0]]
    own_values = {field: getattr(new, field) for field in _OWN_FIELDS}
    return new if msgspec.structs.replace(old, **own_values) == new else None


def _make(maker: NodeMaker, t: Transformation, old: StreamNode) -> StreamNode:
    """Make the node of ``t`` with the number, the group and the selectors of the node before."""
    node = maker.make_operator(t, old.id, old.slot_sharing_group or "", maker.keyed_inputs(t))
    return msgspec.structs.replace(node, output_selectors=old.output_selectors)
