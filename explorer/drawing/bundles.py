"""Which edges are drawn as one? Many alike between two operators, as unions of unions make them."""

from collections import defaultdict
from typing import Final

import msgspec

from explorer.drawing.elements import EdgeView, GraphView

FEW: Final = 20
"""So many edges that are alike are drawn side by side."""


def bundled(view: GraphView) -> GraphView:
    """The same view, where of more than a few edges that are alike the first stands for all.

    They are alike where a drawing would write the same beside them. The four mappings by key still
    find every edge.
    """
    alike: dict[tuple[str, ...], list[EdgeView]] = defaultdict(list)
    for edge in view.edges:
        if not edge.chained:
            side = (edge.side_output or "", str(edge.side_output is None))
            ends = (edge.source, edge.target, str(edge.input))
            alike[*ends, *side, edge.partitioner, edge.cause].append(edge)
    many = {edges[0].key: len(edges) for edges in alike.values() if len(edges) > FEW}
    hidden = {edge.key for edges in alike.values() if len(edges) > FEW for edge in edges[1:]}
    if not hidden:
        return view
    edges = tuple(edge for edge in view.edges if edge.key not in hidden)
    job_edges = tuple(edge for edge in view.job_edges if edge.edge not in hidden)
    many |= {edge.key: many[edge.edge] for edge in job_edges if edge.edge in many}
    return msgspec.structs.replace(view, edges=edges, job_edges=job_edges, alike=many)
