"""Transformations that are in no graph, since nothing reads them, as cards beside it."""

from collections.abc import Iterator, Mapping

import msgspec

from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.selection import TRANSFORMATION
from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Pipeline, Transformation


class UnreadTransformation(msgspec.Struct, frozen=True, kw_only=True):
    """A transformation that Flink leaves out of the StreamGraph."""

    key: str
    id: str
    type: str
    inputs: tuple[str, ...]
    """The keys of the operators and unread transformations that it reads."""

    @property
    def edges(self) -> tuple["UnreadEdge", ...]:
        """Its inputs, as edges of a drawing."""
        return tuple(
            UnreadEdge(key=f"{self.key}:{turn}", source=source, target=self.key)
            for turn, source in enumerate(self.inputs)
        )


class UnreadEdge(msgspec.Struct, frozen=True, kw_only=True):
    """A stream to an unread transformation."""

    key: str
    source: str
    target: str


def unread_transformations(view: GraphView, pipeline: Pipeline) -> tuple[UnreadTransformation, ...]:
    """Return the transformations that are not in the graph, in the order of the document."""
    drawn = dict(_drawn_streams(view))
    unread: dict[str, UnreadTransformation] = {}
    for transformation in pipeline.transformations:
        if transformation.id in drawn or KINDS[transformation.type].ends:
            continue
        unread[transformation.id] = UnreadTransformation(
            key=f"{TRANSFORMATION}{transformation.id}",
            id=transformation.id,
            type=transformation.type,
            inputs=tuple(dict.fromkeys(_inputs(transformation, drawn, unread))),
        )
    return tuple(unread.values())


def _drawn_streams(view: GraphView) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each transformation in the graph with the operators that emit its records."""
    through: dict[str, dict[str, None]] = {}
    for edge in view.edges:
        for id in edge.via:
            through.setdefault(id, {})[edge.source] = None
    yield from ((id, tuple(sources)) for id, sources in through.items())
    yield from ((node.transformation, (node.key,)) for node in view.nodes if node.transformation)


def _inputs(
    transformation: Transformation,
    drawn: Mapping[str, tuple[str, ...]],
    unread: Mapping[str, UnreadTransformation],
) -> Iterator[str]:
    for id in transformation.inputs:
        yield from drawn.get(id, ())
        if id in unread:
            yield unread[id].key
