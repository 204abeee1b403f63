"""Which number each transformation takes from Flink's counter.

``Transformation.getNewNodeId`` is one counter for all transformations, in the order in which the
program declares them. Some calls declare transformations that the document does not name.
"""

from typing import Final

from explorer.model.pipeline import Pipeline
from explorer.model.stream_graph import NodeId

HIDDEN: Final = {
    "broadcast_connect": ((1, "BROADCAST"),),
    "interval_join": ((0, "HASH"), (1, "HASH")),
    "window_all": ((0, "HASH"),),
}
"""By type, the inputs that its call partitions itself, and how: ``connect(broadcast)`` its second,
an interval join both by their keys again, and ``windowAll`` its own by a constant."""


def number(pipeline: Pipeline) -> tuple[dict[str, NodeId], int]:
    """Number the transformations; the second value is the last number taken."""
    ids: dict[str, NodeId] = {}
    last = 0
    for transformation in pipeline.transformations:
        if transformation.type == "close_iteration":
            continue
        last += len(HIDDEN.get(transformation.type, ())) + 1
        ids[transformation.id] = NodeId(last)
    return ids, last
