"""Which number each transformation takes from Flink's counter.

``Transformation.getNewNodeId`` is one counter for all transformations, in the order in which the
program declares them. Some calls declare transformations that the document does not name.
"""

from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Pipeline
from explorer.model.stream_graph import NodeId


def number(pipeline: Pipeline) -> tuple[dict[str, NodeId], int]:
    """Number the transformations; the second value is the last number taken."""
    ids: dict[str, NodeId] = {}
    last = 0
    for transformation in pipeline.transformations:
        kind = KINDS[transformation.type]
        if kind.numbered:
            last += len(kind.hidden) + 1
            ids[transformation.id] = NodeId(last)
    return ids, last
