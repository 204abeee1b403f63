"""Graphs of pyvis: every card a node that can be dragged, at its place in the drawing."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from explorer.drawing.layout.blocks import Pane, job_pane, stream_pane
from explorer.drawing.layout.captions import job_labels, spread, stream_labels
from explorer.drawing.layout.labels import Label
from explorer.drawing.layout.looks import SIZES, WIDTHS
from explorer.drawing.svg.palette import PARTS, hue
from explorer.drawing.view.elements import (
    EdgeView,
    GraphView,
    JobEdgeView,
    VertexView,
    card_of,
)
from explorer.drawing.view.one_line import shortened
from explorer.extras import optional_libraries

if TYPE_CHECKING:
    from pyvis.network import Network

_About: TypeAlias = tuple[str, str, int, VertexView]
"""Of a card: its name, ID, parallelism and chain."""
_ELSEWHERE: Final = re.compile(r"<(link|script)\b[^>]*\bhttps?://[^>]*>(?:\s*</\1>|\s*/>)?")
"""What pyvis's page loads from other servers, though all that it needs is in it."""
_PHYSICS: Final = """<button type="button" aria-pressed="false" onclick="
  const on = this.getAttribute('aria-pressed') === 'false';
  this.setAttribute('aria-pressed', on);
  network.setOptions({ physics: { enabled: on } });
" style="position: fixed; z-index: 1; top: 8px; right: 8px; padding: 3px 9px;">Physics</button>"""


def stream_pyvis(
    view: GraphView, folded: Collection[str] = (), *, notebook: bool = False
) -> "Network":
    """The StreamGraph: a node for each operator, its group is the number of its chain.

    ``folded``: the keys of the chains that are one node each.
    """
    view = view.bundled
    labels = stream_labels(view)
    network = _network(notebook=notebook)
    about = _about_vertices(view) | {
        node.key: (node.title, node.hash, node.parallelism, view.vertex_of[node.vertex])
        for node in view.nodes
    }
    _add_nodes(network, stream_pane(view, labels, folded), about)
    for edge in view.edges:
        ends = [card_of(view, key, folded) for key in (edge.source, edge.target)]
        if ends[0] == ends[1]:
            continue
        colour = hue(about[edge.source][-1].colour)[0] if edge.chained else PARTS["cut"][0]
        _add_edge(network, edge, ends, labels, color=colour, dashes=not edge.chained)
    return network


def job_pyvis(view: GraphView, *, notebook: bool = False) -> "Network":
    """The JobGraph: a node for each task, in the group of its chain."""
    view = view.bundled
    labels = job_labels(view)
    network = _network(notebook=notebook)
    _add_nodes(network, job_pane(view, labels), _about_vertices(view))
    for edge in view.job_edges:
        _add_edge(network, edge, (edge.source, edge.target), labels, color=PARTS["route"][0])
    return network


def offline_page(network: "Network") -> str:
    """Return a network's page with a switch for its physics, and nothing from other servers."""
    page: str = _ELSEWHERE.sub("", network.generate_html())
    return page.replace("<body>", f"<body>{_PHYSICS}", 1)


def _about_vertices(view: GraphView) -> dict[str, _About]:
    return {
        vertex.key: (vertex.name, vertex.id, vertex.parallelism, vertex) for vertex in view.vertices
    }


def _network(*, notebook: bool) -> "Network":
    with optional_libraries():
        from pyvis.network import Network

    network = Network(height="100vh", directed=True, notebook=notebook, cdn_resources="in_line")
    network.options.physics.enabled = False
    network.set_edge_smooth("cubicBezier")
    return network


def _add_nodes(network: "Network", pane: Pane, about: Mapping[str, _About]) -> None:
    """Add a node for each card."""
    for shape in pane.shapes:
        name, operator_id, parallelism, vertex = about[shape.key]
        network.add_node(
            shape.key,
            label=f"{shortened(name)}\n{operator_id[:8]} {spread(parallelism)}",
            title=_plain(f"{shortened(name)}\n{operator_id}"),
            shape="box",
            color={"background": PARTS["card"][0], "border": hue(vertex.colour)[0]},
            borderWidth=WIDTHS["task"],
            margin=10,
            font={"size": SIZES["name"]},
            widthConstraint={"minimum": shape.width - 20, "maximum": shape.width},
            x=shape.x,
            y=shape.y,
        )
        # add_node drops the colour of a node that it gets with a group.
        network.get_node(shape.key)["group"] = vertex.number


def _add_edge(
    network: "Network",
    edge: EdgeView | JobEdgeView,
    ends: Sequence[str],
    labels: Mapping[str, Label],
    **looks: Any,
) -> None:
    label = " · ".join(labels[edge.key].lines) if edge.key in labels else ""
    title = _plain(f"{shortened(edge.source_name)} → {shortened(edge.target_name)}")
    network.add_edge(*ends, label=label, title=title, font={"size": SIZES["small"]}, **looks)


def _plain(title: str) -> str:
    """Return a title that pyvis shows as text: one with ``href`` it would show as HTML."""
    return title.replace("href", "h\u200bref")
