"""Facts of each selected element, for the page and the standalone page."""

from collections.abc import Iterator
from typing import Any, Final

from explorer.drawing.layout.captions import spread
from explorer.drawing.svg.execution_pane import ExecutionPane, SubtaskCard
from explorer.drawing.view.elements import EdgeView, GraphView, JobEdgeView, NodeView, VertexView
from explorer.drawing.view.one_line import one_line, shortened
from explorer.explain.edges import explain_edge
from explorer.flink.compiler import Compilation
from explorer.flink.rules import RULES
from explorer.wording import counted

Json = dict[str, Any]
Facts = tuple[tuple[str, object], ...]
"""Names and values, as they are listed; None: not set."""
NONE: Final = "-"
OWN: Final = "as Flink chooses"
"""A partitioner that the program does not set."""


def page_facts(compilation: Compilation, view: GraphView) -> Json:
    """Return as plain JSON the details, counterparts and conditions of every part, by key."""
    edges = {edge.key: _edge(compilation, edge) for edge in view.edges}
    return {
        "counterparts": view.counterparts,
        "rules": {rule.code: (rule.title, rule.reason) for rule in RULES},
        "parts": {
            **{node.key: _operator(view, node) for node in view.nodes},
            **{vertex.key: _task(view, vertex) for vertex in view.vertices},
            **edges,
            **{edge.key: _job_edge(view, edge, edges[edge.edge]) for edge in view.job_edges},
        },
    }


def execution_facts(compilation: Compilation, view: GraphView, laid: ExecutionPane) -> Json:
    """``page_facts``, and the subtasks of each card; a card and its task highlight each other."""
    values = page_facts(compilation, view)
    cards = {key: _subtasks(view.vertex_of[card.task], card) for key, card in laid.cards.items()}
    counterparts = {key: [*others] for key, others in view.counterparts.items()}
    for key, card in laid.cards.items():
        counterparts[card.task].append(key)
        counterparts[key] = [card.task]
    return values | {"counterparts": counterparts, "parts": values["parts"] | cards}


def operator_facts(node: NodeView) -> Facts:
    """Return an operator's facts as the StreamGraph holds them."""
    facts: Facts = (
        ("operator ID", node.hash),
        ("from", "its uid" if node.uid else "generated (no uid)"),
        ("uid", node.uid),
        ("uid hash", node.uid_hash),
        ("parallelism", node.parallelism),
        ("max parallelism", None if node.max_parallelism < 0 else node.max_parallelism),
        ("strategy", node.strategy and node.strategy_words),
        ("slot sharing group", node.slot_sharing_group),
        ("buffer timeout", f"{node.buffer_timeout} ms" if node.vertex_class else None),
        ("task class", node.vertex_class or None),
        ("node ID", node.id),
        *_event_time_facts(node),
    )
    if node.process is None:
        return facts
    return (
        *facts,
        ("call", node.process.call),
        ("process function", node.process.function),
        ("function class", node.function),
        ("attributes", ", ".join(node.process.attributes) or None),
    )


def _event_time_facts(node: NodeView) -> Facts:
    """Return what an operator sets of event time, and the parts of a hybrid source."""
    sources = (name.rpartition(".")[2] or "made at its turn" for name in node.hybrid_sources)
    parts = ("hybrid sources", ", then ".join(sources) or None)
    if node.event_time is None:
        return (parts,)
    times, group = node.event_time, node.event_time.alignment
    drift = (
        group and f"{group.group}: {group.max_drift:,} ms ahead, each {group.update_interval:,} ms"
    )
    return (
        ("idle after", f"{times.idleness:,} ms" if times.idleness else None),
        ("watermark alignment", drift),
        ("window offset", f"{times.window_offset:,} ms" if times.window_offset else None),
        ("allowed lateness", f"{times.allowed_lateness:,} ms" if times.allowed_lateness else None),
        parts,
    )


def place_facts(view: GraphView, node: NodeView) -> Facts:
    """Return the task and the chain in which an operator runs."""
    vertex = view.vertex_of[node.vertex]
    return (
        ("task", vertex.name),
        ("task ID", vertex.id),
        ("chain", vertex.number),
        ("chain index", node.chain_index),
    )


def task_facts(vertex: VertexView) -> Facts:
    """Return the facts of a job vertex."""
    return (
        ("task ID", vertex.id),
        ("task class", vertex.invokable),
        ("parallelism", vertex.parallelism if vertex.parallelism > 0 else "the scheduler decides"),
        ("max parallelism", None if vertex.max_parallelism < 0 else vertex.max_parallelism),
        ("slot sharing group", vertex.slot_group),
        ("chain", vertex.number),
    )


def stream_edge_facts(edge: EdgeView) -> Facts:
    """Return an edge's facts as the StreamGraph holds them."""
    return (
        ("partitioner", edge.partitioner),
        ("local strategy", edge.local_strategy),
        ("input", edge.input),
        ("side output", edge.side_output),
        ("selected names", ", ".join(edge.selected_names) or None),
        ("exchange mode", edge.exchange_mode),
        ("through", ", ".join(edge.via) or None),
    )


def job_edge_facts(view: GraphView, job: JobEdgeView) -> Facts:
    """Return an edge's facts as the JobGraph holds them."""
    source, target = view.vertex_of[job.source], view.vertex_of[job.target]
    ends = f"{source.parallelism} × {target.parallelism} · {counted(job.channels, 'channel')}"
    decided = min(source.parallelism, target.parallelism) > 0
    return (
        ("ship strategy", job.ship_strategy),
        ("pattern", f"{job.pattern} · {ends}" if decided else job.pattern),
        ("result type", job.result_type),
        ("data set", job.dataset_index),
    )


def _operator(view: GraphView, node: NodeView) -> Json:
    type_facts = (("type", node.type or None), ("transformation", node.transformation))
    return _part(
        "operator", node.name, (*type_facts, *operator_facts(node), *place_facts(view, node))
    )


def _task(view: GraphView, vertex: VertexView) -> Json:
    names = enumerate((view.node_of[key].name for key in vertex.nodes), start=1)
    operators = ((f"operator {turn}", name) for turn, name in names)
    return _part("task", vertex.name, (*task_facts(vertex), *operators))


def _subtasks(vertex: VertexView, card: SubtaskCard) -> Json:
    subtask_facts = (
        ("subtasks", card.title),
        ("key groups", card.line.removeprefix("groups ") or None),
    )
    return _part("subtasks", vertex.name, (*subtask_facts, *task_facts(vertex)))


def _edge(compilation: Compilation, edge: EdgeView) -> Json:
    explained = explain_edge(compilation, edge.index, fixes=False)
    part = _part("edge", f"{edge.source_name} → {edge.target_name}", stream_edge_facts(edge))
    verdicts = [
        (reason.code, reason.holds, reason.asked, reason.values) for reason in explained.reasons
    ]
    return part | {
        "headline": explained.headline,
        "chained": explained.chained,
        "sentences": explained.sentences,
        "verdicts": verdicts,
    }


def _job_edge(view: GraphView, job: JobEdgeView, stream_edge: Json) -> Json:
    name = f"{job.source_name} → {job.target_name}"
    return stream_edge | _part("job edge", name, job_edge_facts(view, job))


def _part(kind: str, name: str, facts: Facts) -> Json:
    pairs = [(name, one_line(str(value))) for name, value in facts if value is not None]
    return {"kind": kind, "name": one_line(name), "rows": pairs}


def operator_cells(view: GraphView) -> Iterator[tuple[NodeView, tuple[str, ...]]]:
    """Yield each operator, by node ID, with its cells under ``OPERATOR_HEADS``."""
    for node in sorted(view.nodes, key=lambda node: node.id):
        vertex = view.vertex_of[node.vertex]
        yield (
            node,
            (
                str(node.id),
                shortened(node.name),
                shortened(node.uid) if node.uid else NONE,
                node.hash,
                spread(node.parallelism),
                str(vertex.number),
                vertex.id,
            ),
        )


def operator_heads(view: GraphView) -> tuple[str, ...]:
    """Return ``OPERATOR_HEADS`` in the terms of this kind of program."""
    return tuple(view.words.chain if head == "chain" else head for head in OPERATOR_HEADS)


OPERATOR_HEADS: Final = ("node ID", "operator", "uid", "operator ID", "×", "chain", "task ID")
