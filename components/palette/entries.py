"""Entries of the search field: everything with a name or an ID, with what choosing it does."""

from collections.abc import Iterator, Sequence

import msgspec

from components.widgets.escaping import cut
from explorer.documents import samples
from explorer.drawing.layout.captions import spread
from explorer.drawing.view.elements import GraphView, NodeView
from explorer.flink.releases import VERSIONS
from explorer.model.operator_ids import known_id


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to find."""

    kind: str
    """What it is, in the page's words."""
    title: str
    detail: str = ""
    """Text after the title."""
    words: str = ""
    """What else it is found by, such as its ID; shown where the search met it."""
    does: str
    """What choosing it does: a verb, a colon and the thing."""

    @property
    def row(self) -> tuple[str, ...]:
        """The entry as it is sent to the browser."""
        shown = (cut(item) for item in (self.title, self.detail, self.words))
        return self.kind, *shown, self.does


def found_in(view: GraphView) -> Iterator[Entry]:
    """Every operator, task, edge and job edge of both graphs."""
    yield from (_operator(view, node) for node in view.nodes)
    for vertex in view.vertices:
        detail = f"{view.words.chain} {vertex.number} · {spread(vertex.parallelism)}"
        yield Entry(
            kind="task",
            title=vertex.name,
            detail=detail,
            words=vertex.id,
            does=f"pick:{vertex.key}",
        )
    for edge in view.edges:
        how = "chained" if edge.chained else edge.cause or "not chained"
        yield Entry(
            kind="edge",
            title=f"{edge.source_name} → {edge.target_name}",
            detail=f"{edge.partitioner} · {how}",
            words=" ".join((*edge.via, *edge.selected_names, edge.side_output or "")).strip(),
            does=f"pick:{edge.key}",
        )
    for job_edge in view.job_edges:
        yield Entry(
            kind="job edge",
            title=f"{job_edge.source_name} → {job_edge.target_name}",
            detail=job_edge.ship_strategy,
            does=f"pick:{job_edge.key}",
        )


def _operator(view: GraphView, node: NodeView) -> Entry:
    uid = f"uid {node.uid} · " if node.uid is not None else ""
    detail = (
        f"{uid}{view.words.chain} {view.vertex_of[node.vertex].number} · {spread(node.parallelism)}"
    )
    words = (known_id(node.hash), node.uid_hash, node.transformation, node.type)
    return Entry(
        kind="operator",
        title=node.name,
        detail=detail,
        words=" ".join(word for word in words if word),
        does=f"pick:{node.key}",
    )


def settings(tabs: Sequence[str]) -> Iterator[Entry]:
    """Every tab, sample and Flink release."""
    yield from (Entry(kind="tab", title=name, does=f"tab:{name}") for name in tabs)
    for sample in samples():
        yield Entry(
            kind="sample",
            title=sample.title,
            detail=sample.teaches,
            words=sample.key,
            does=f"sample:{sample.key}",
        )
    for version in reversed(VERSIONS):
        yield Entry(kind="release", title=f"Flink {version}", does=f"flink:{version}")
