"""Another partitioner on one edge: the stream between two operators, and no other.

The virtual transformations on the route (partitions, side outputs, unions) may be shared with other
edges. What is shared stays as it is, and the edge gets its own; what only this edge passes is
changed in place, so that as few transformations as can be get another number.
"""

from typing import Final

from msgspec.structs import replace

from explorer.edits.transformations import (
    add_transformation,
    new_id,
    replace_inputs,
    replace_transformation,
)
from explorer.errors import EditError
from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Pipeline, Transformation

TYPES: Final = {
    kind.partitioner: kind.type for kind in KINDS.values() if kind.partitioner is not None
}
"""Transformation types by the partitioner that they set."""


def set_partitioner(
    pipeline: Pipeline, source: str, target: str, partitioner: str | None
) -> Pipeline:
    """Partition the stream from ``source`` to ``target`` by ``partitioner``, such as REBALANCE.

    Both are operators; None leaves the choice to Flink. New transformations are declared right
    before ``target``: the order of all others, and with it every ID, depends on nothing else.
    Raises ``EditError`` where there is no such edge, or where ``target`` needs its key_by.
    """
    if partitioner is not None and partitioner not in TYPES:
        msg = f"no partitioner {partitioner!r}; choose one of {', '.join(TYPES)}"
        raise EditError(msg)
    reader = pipeline.transformation(target)
    route = _route(pipeline, source, reader)
    if KINDS[reader.type].keyed and partitioner != "HASH":
        msg = (
            f"{target!r} is a {reader.type} and needs the key_by before it: records of one key "
            "must reach one subtask"
        )
        raise EditError(msg)
    return _Rewiring(pipeline, source, reader, route).run(partitioner)


def _route(pipeline: Pipeline, source: str, target: Transformation) -> list[str]:
    """Return the IDs between the two operators, nearest to the target first."""
    transformations = {t.id: t for t in pipeline.transformations}
    stack = [[id] for id in reversed(target.inputs)]
    while stack:
        route = stack.pop()
        if route[-1] == source:
            return route[:-1]
        transformation = transformations[route[-1]]
        if not KINDS[transformation.type].node:
            stack += ([*route, id] for id in reversed(transformation.inputs))
    msg = f"there is no edge from {source!r} to {target.id!r}"
    raise EditError(msg)


def _partitions(transformation: Transformation) -> bool:
    return KINDS[transformation.type].partitions


class _Rewiring:
    def __init__(
        self, pipeline: Pipeline, source: str, target: Transformation, route: list[str]
    ) -> None:
        self.pipeline, self.source, self.target, self.route = pipeline, source, target, route
        self.nearest = next((id for id in route if _partitions(self._at(id))), None)

    def run(self, partitioner: str | None) -> Pipeline:
        if partitioner is not None and self._in_place(partitioner):
            return self.pipeline
        source, waiting = self.source, partitioner
        previous = self.source
        for id in reversed(self.route):
            passed = self._at(id)
            if KINDS[passed.type].joins:
                source = self._union(passed, previous, self._set_partitioner(source, waiting))
                waiting = None
            elif not _partitions(passed):
                source = id
            previous = id
        source = self._set_partitioner(source, waiting)
        first = self.route[0] if self.route else self.source
        transformation = self._at(self.target.id)
        place = transformation.inputs.index(first)
        inputs = (*transformation.inputs[:place], source, *transformation.inputs[place + 1 :])
        self.pipeline = replace_transformation(
            self.pipeline, replace_inputs(transformation, inputs)
        )
        for id in self.route:
            if not self._readers(id):
                retained = tuple(t for t in self.pipeline.transformations if t.id != id)
                self.pipeline = replace(self.pipeline, transformations=retained)
        return self.pipeline

    def _in_place(self, partitioner: str) -> bool:
        """Change the nearest partition itself if only this edge passes it."""
        if self.nearest is None:
            return False
        between = self.route[: self.route.index(self.nearest) + 1]
        joined = any(KINDS[self._at(id).type].joins for id in self.route[len(between) :])
        if joined or any(len(self._readers(id)) != 1 for id in between):
            return False
        old = self._at(self.nearest)
        changed = Transformation(
            id=old.id,
            type=TYPES[partitioner],
            inputs=old.inputs,
            keys=old.keys if partitioner == "HASH" else None,
        )
        self.pipeline = replace_transformation(self.pipeline, changed)
        return True

    def _set_partitioner(self, stream: str, partitioner: str | None) -> str:
        if partitioner is None:
            return stream
        return self._declare(Transformation(id="", type=TYPES[partitioner], inputs=(stream,)))

    def _union(self, union: Transformation, old: str, new: str) -> str:
        """Replace one input of the union; a partition after it is declared on its other inputs."""
        new_route = self.route[: self.route.index(union.id)]
        spread = next((self._at(id) for id in new_route if _partitions(self._at(id))), None)
        place = union.inputs.index(old)
        inputs = [
            new
            if position == place
            else id
            if spread is None
            else self._declare(replace(spread, inputs=(id,)))
            for position, id in enumerate(union.inputs)
        ]
        if tuple(inputs) == union.inputs:
            return union.id
        return self._declare(replace(union, inputs=tuple(inputs)))

    def _declare(self, transformation: Transformation) -> str:
        """Declare a transformation right before the target, under an id of its own."""
        order = [t.id for t in self.pipeline.transformations]
        id = new_id(order, transformation.id or f"{transformation.type}-{self.target.id}")
        previous = order.index(self.target.id) - 1
        self.pipeline = add_transformation(
            self.pipeline, replace(transformation, id=id), after=order[previous]
        )
        return id

    def _at(self, id: str) -> Transformation:
        return self.pipeline.transformation(id)

    def _readers(self, id: str) -> list[str]:
        return [t.id for t in self.pipeline.transformations for i in t.inputs if i == id]
