"""Texts at edges and above both graphs."""

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec.structs import replace

from explorer.drawing.layout.labels import FONT_SIZE, LINE, ROOM, Label, fans
from explorer.drawing.layout.orientation import Orientation
from explorer.drawing.view.elements import Edges, EdgeView, GraphView, JobEdgeView
from explorer.drawing.view.one_line import ELLIPSIS, extent, shortened, wrapped
from explorer.wording import counted

PATTERNS: Final = {"ALL_TO_ALL": "all-to-all", "POINTWISE": "pointwise"}
TAG: Final = 40
"""Characters of a side output's tag that a caption shows."""
PARTITIONER: Final = 80
"""Characters of what a partitioner prints: a batch plan in SQL lists the columns that it hashes."""


def stream_caption(edge: EdgeView, alike: int = 1) -> str:
    """Partitioner, side output tag or selected names, what cuts the edge, number of edges.

    Of a DataSet program, the ship strategy and the local strategy.
    """
    tag = f"side output {shortened(edge.side_output, TAG)}" if edge.side_output else ""
    names = ", ".join(edge.selected_names)
    selected = f"select {shortened(names, TAG)}" if names else ""
    partitioner = shortened(edge.partitioner, PARTITIONER)
    local = shortened(edge.local_strategy or "", PARTITIONER)
    return _join_captions(
        partitioner, local, tag, selected, shortened(edge.cause, 80), _alike(alike)
    )


def spread(parallelism: int) -> str:
    """Return the number of subtasks as a card shows it.

    >>> spread(4), spread(-1)
    ('×4', '×auto')
    """
    # A scheduler of batch jobs decides when the job runs; until then Flink has -1.
    return f"×{parallelism}" if parallelism > 0 else "×auto"


def _alike(edges: int) -> str:
    return f"{edges:,} edges" if edges > 1 else ""


def job_caption(edge: JobEdgeView, alike: int = 1) -> str:
    """Return the ship strategy, the distribution pattern and the number of bundled edges."""
    strategy = shortened(edge.ship_strategy, PARTITIONER)
    return _join_captions(strategy, PATTERNS.get(edge.pattern, edge.pattern), _alike(alike))


BETWEEN: Final = " · "
"""Between the facts of a caption."""
LINES: Final = 3
"""Lines of one fact in a label that wraps."""
WIDEST: Final = 150.0
"""A label at an edge that leads down."""
WIDER: Final = (WIDEST, 200.0, 250.0)
"""Widths of one that has more text than its lines have space for, the narrowest first."""
NARROWEST: Final = 80.0
"""Between two ranks that are nearer, a label is shown with the selection."""


def _join_captions(*parts: str) -> str:
    return BETWEEN.join(part for part in parts if part)


def labels_for(orientation: Orientation, labels: Mapping[str, Label]) -> Mapping[str, Label]:
    """Return labels that wrap between two ranks; the tip of a shortened one has all of its text."""
    wrap = _wrap_right if orientation.across else _wrap_down
    return {key: _wrapped_label(label, wrap(label, orientation)) for key, label in labels.items()}


def _wrapped_label(label: Label, lines: tuple[str, ...]) -> Label:
    if lines == label.lines:
        return label
    is_cut = sum(line.endswith(ELLIPSIS) for line in lines) > sum(
        line.endswith(ELLIPSIS) for line in label.lines
    )
    tip = "\n".join((*label.lines, label.tip)).rstrip() if is_cut else label.tip
    return replace(label, lines=lines, tip=tip)


def _wrap_right(label: Label, orientation: Orientation) -> tuple[str, ...]:
    """Return lines of one fact or less: the distance of two ranks is their width."""
    space = max(NARROWEST, orientation.outer_gaps[1] - 2 * ROOM)
    facts = BETWEEN.join(label.lines).split(BETWEEN)
    return tuple(line for fact in facts for line in wrapped(fact, space, FONT_SIZE, LINES))


def _wrap_down(label: Label, orientation: Orientation) -> tuple[str, ...]:
    """Return as many lines as two ranks have space for, broken between facts where that does."""
    most = int(orientation.outer_gaps[1] // LINE)
    return tuple(row for line in label.lines for row in _broken(line, most))


def _broken(line: str, most: int) -> tuple[str, ...]:
    """Return a line in at most so many that are not wider than a label may be."""
    if extent(line, FONT_SIZE) <= WIDEST:
        return (line,)
    facts = tuple(line.split(BETWEEN))
    if len(facts) <= most and all(extent(fact, FONT_SIZE) <= WIDEST for fact in facts):
        return facts
    for width in WIDER:
        rows = wrapped(line, width, FONT_SIZE, most)
        if not rows[-1].endswith(ELLIPSIS):
            break
    return rows


def unsigned(key: str) -> str:
    """Return a node's key as a word of a text format: ends of an iteration are negative."""
    return key.replace("-", "_")


def stream_labels(view: GraphView) -> dict[str, Label]:
    """Map the StreamGraph's edges that cross tasks to their labels; a tip lists several reasons."""
    cut = [edge for edge in view.edges if not edge.chained]
    labels = _labels(cut, [(stream_caption(edge, view.alike.get(edge.key, 1)),) for edge in cut])
    tips = {edge.key: "\n".join(edge.against) for edge in cut if len(edge.against) > 1}
    return labels | {key: replace(labels[key], tip=tip) for key, tip in tips.items()}


def partitioner_labels(view: GraphView) -> dict[str, Label]:
    """Map each edge of the stream graph to a label with its partitioner alone."""
    words = [(shortened(edge.partitioner, PARTITIONER),) for edge in view.edges]
    return _labels(view.edges, words)


def job_labels(view: GraphView, below: Mapping[str, str] | None = None) -> dict[str, Label]:
    """Map the JobGraph's edges to their labels; ``below`` adds second lines, by key."""
    second = {key: (line,) for key, line in (below or {}).items()}
    lines = [
        (job_caption(edge, view.alike.get(edge.key, 1)), *second.get(edge.key, ()))
        for edge in view.job_edges
    ]
    return _labels(view.job_edges, lines)


def _labels(edges: Edges, lines: Iterable[tuple[str, ...]]) -> dict[str, Label]:
    ends = fans((edge.source, edge.target) for edge in edges)
    return {
        edge.key: Label(lines=words, near_target=near)
        for edge, words, near in zip(edges, lines, ends, strict=True)
    }


def facts(view: GraphView) -> str:
    """Return the release and the sizes of the graph."""
    return f"Flink {view.release} · {sizes(view)}"


def sizes(view: GraphView) -> str:
    """Return the numbers of operators, tasks and slots."""
    slots = counted(view.slots, "slot") if view.decided else "parallelism decided by the scheduler"
    counts = (counted(len(view.nodes), "operator"), counted(len(view.vertices), "task"), slots)
    return " · ".join(counts)
