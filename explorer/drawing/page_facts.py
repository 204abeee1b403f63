"""What does the standalone page tell of each part that is selected? Plain JSON, by key."""

from collections.abc import Iterator
from typing import Any, Final

from explorer.analysis.explain import explain_edge
from explorer.drawing.captions import PATTERNS
from explorer.drawing.elements import counterparts
from explorer.drawing.graph_view import EdgeView, GraphView, JobEdgeView, NodeView, VertexView
from explorer.drawing.one_line import one_line, shortened
from explorer.flink.compiler import Compilation
from explorer.flink.rules import RULES
from explorer.wording import counted

Json = dict[str, Any]
NONE: Final = "-"


def page_facts(done: Compilation, view: GraphView) -> Json:
    """Every part's details, what belongs to it, and the conditions in words."""
    edges = {edge.key: _edge(done, view, edge) for edge in view.edges}
    return {
        "counterparts": counterparts(view),
        "rules": {rule.code: (rule.title, rule.reason) for rule in RULES},
        "parts": {
            **{node.key: _node(view, node) for node in view.nodes},
            **{vertex.key: _vertex(view, vertex) for vertex in view.vertices},
            **edges,
            **{edge.key: _job_edge(edge, edges[edge.edge]) for edge in view.job_edges},
        },
    }


def _node(view: GraphView, node: NodeView) -> Json:
    vertex = view.vertex_of[node.vertex]
    rows = {
        "operator ID": node.hash,
        "uid": node.uid,
        "uid hash": node.uid_hash,
        "transformation": node.transformation,
        "type": node.type or None,
        "node": node.id,
        "parallelism": node.parallelism,
        "max parallelism": node.max_parallelism if node.max_parallelism > 0 else None,
        "strategy": node.strategy,
        "slot group": node.slot_sharing_group,
        "buffer timeout": f"{node.buffer_timeout} ms",
        "task": node.vertex_class,
        "chain": f"{vertex.number}, index {node.chain_index}",
    }
    return _part("operator", node.name, rows)


def _vertex(view: GraphView, vertex: VertexView) -> Json:
    rows = {
        "vertex ID": vertex.id,
        "chain": f"{vertex.number}, {counted(len(vertex.nodes), 'operator')}",
        "parallelism": vertex.parallelism,
        "max parallelism": vertex.max_parallelism if vertex.max_parallelism > 0 else None,
        "task": vertex.invokable,
        "slot group": vertex.slot_group,
    }
    for turn, key in enumerate(vertex.nodes):
        rows[f"operator {turn + 1}"] = view.node_of[key].name
    return _part("task", vertex.name, rows)


def _edge(done: Compilation, view: GraphView, edge: EdgeView) -> Json:
    explained = explain_edge(done, edge.index, mends=False)
    rows = {
        "partitioner": edge.partitioner,
        "exchange mode": edge.exchange_mode,
        "input": edge.input or None,
        "side output": edge.side_output,
        "through": ", ".join(edge.via) or None,
    }
    part = _part("edge", f"{edge.source_name} → {edge.target_name}", rows)
    verdicts = [(each.code, each.holds, each.asked, each.values) for each in explained.reasons]
    return part | {
        "headline": explained.headline,
        "chained": explained.chained,
        "sentences": explained.sentences,
        "verdicts": verdicts,
    }


def _job_edge(edge: JobEdgeView, stream_edge: Json) -> Json:
    rows = {
        "ship strategy": edge.ship_strategy,
        "pattern": PATTERNS.get(edge.pattern, edge.pattern),
        "channels": f"{edge.channels:,}",
        "result type": edge.result_type,
        "data set": edge.dataset_index,
        "input": edge.input,
    }
    part = _part("job edge", f"{edge.source_name} → {edge.target_name}", rows)
    return {**stream_edge, **part}


def _part(kind: str, name: str, rows: Json) -> Json:
    known = [(name, one_line(str(value))) for name, value in rows.items() if value is not None]
    return {"kind": kind, "name": one_line(name), "rows": known}


def operator_rows(view: GraphView) -> Iterator[tuple[NodeView, tuple[str, ...]]]:
    """By operator, in the order of the nodes, what a table says under ``OPERATOR_HEADS``."""
    for node in sorted(view.nodes, key=lambda node: node.id):
        vertex = view.vertex_of[node.vertex]
        yield (
            node,
            (
                str(node.id),
                shortened(node.name),
                shortened(node.uid) if node.uid else NONE,
                node.hash,
                f"×{node.parallelism}",
                str(vertex.number),
                vertex.id,
            ),
        )


OPERATOR_HEADS: Final = ("node", "operator", "uid", "operator ID", "×", "chain", "job vertex")
