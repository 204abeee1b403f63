"""Which number each transformation takes from Flink's counter.

``Transformation.getNewNodeId`` is one counter for all transformations, in the order in which the
program declares them. Some calls declare transformations that the document does not name.
"""

from explorer.model.pipeline import Pipeline, Transformation
from explorer.model.stream_graph import NodeId


def hidden_before(transformation: Transformation) -> int:
    """How many unnamed transformations a call declares before its own.

    ``connect(broadcast)`` partitions its second input, an interval join keys both of its inputs
    again, and ``windowAll`` keys its input by a constant.
    """
    return {"broadcast_connect": 1, "interval_join": 2, "window_all": 1}.get(transformation.type, 0)


def number(pipeline: Pipeline) -> tuple[dict[str, NodeId], int]:
    """Number the transformations; the second value is the last number taken."""
    ids: dict[str, NodeId] = {}
    last = 0
    for transformation in pipeline.transformations:
        if transformation.type == "close_iteration":
            continue
        last += hidden_before(transformation) + 1
        ids[transformation.id] = NodeId(last)
    return ids, last
