"""Places of the drawing at which a transformation can be added: behind cards and on edges."""

from collections.abc import Iterator, Mapping

from explorer.drawing.view.elements import EdgeView, GraphView
from explorer.drawing.view.unread import unread_transformations
from explorer.edits.additions import Place
from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Pipeline, Transformation


def drawn_places(view: GraphView, pipeline: Pipeline) -> dict[str, Place]:
    """Map the keys of operators, folded chains, unread transformations and edges to places.

    Behind a sink there is none. An edge through partitioners has the place before its reader.
    """
    by_id = {transformation.id: transformation for transformation in pipeline.transformations}
    places = {
        node.key: Place(source=node.transformation)
        for node in view.nodes
        if node.transformation in by_id and not KINDS[by_id[node.transformation].type].ends
    }
    last = {vertex.key: vertex.nodes[-1] for vertex in view.vertices}
    places |= {key: places[node] for key, node in last.items() if node in places}
    places |= {
        transformation.key: Place(source=transformation.id)
        for transformation in unread_transformations(view, pipeline)
    }
    return places | dict(_edge_places(view, by_id))


def _edge_places(
    view: GraphView, by_id: Mapping[str, Transformation]
) -> Iterator[tuple[str, Place]]:
    for edge in view.edges:
        reader = by_id.get(view.node_of[edge.target].transformation or "")
        for source in _streams(view, edge):
            if reader is not None and source in reader.inputs:
                yield edge.key, Place(source=source, reader=reader.id)


def _streams(view: GraphView, edge: EdgeView) -> tuple[str, ...]:
    """Return the transformations whose records an edge carries."""
    source = view.node_of[edge.source].transformation
    return (*((source,) if source else ()), *edge.via)
