"""A compilation that draws, explains and compares itself; heavy imports load on demand."""

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, cast, get_args

from explorer.documents import Program, as_document
from explorer.documents.text.writing import write_file
from explorer.errors import ExplorerError
from explorer.flink import compiler
from explorer.flink.compiler import Compilation
from explorer.flink.edge_limit import MOST_EDGES
from explorer.model.document import Document, StreamGraphDocument
from explorer.wording import listed, quoted

if TYPE_CHECKING:
    import networkx
    from pyvis.network import Network

    from explorer.comparison.compare import Comparison
    from explorer.drawing.data_frames import GraphTables
    from explorer.drawing.layout.orientation import EdgeDirection
    from explorer.drawing.svg.both_graphs import Levels
    from explorer.drawing.svg.svg_style import Theme
    from explorer.drawing.view.annotations import Annotations
    from explorer.drawing.view.elements import GraphView
    from explorer.explain.edges import EdgeExplanation
    from explorer.lookup.edge_lookup import End
    from explorer.savepoints import Savepoint

    SavepointSource: TypeAlias = str | Path | bytes | Savepoint

Graph: TypeAlias = Literal["stream", "job"]
"""The StreamGraph or the JobGraph."""
Level: TypeAlias = Literal["stream", "job", "execution"]
"""One of the three graphs of a program."""


class DrawingError(ExplorerError):
    """A request for a graph or a format that cannot be drawn."""


class CompiledGraph(Compilation, frozen=True, kw_only=True, dict=True):
    """A compilation that draws, explains and compares itself; a notebook shows both graphs.

    >>> import explorer
    >>> env = explorer.environment("lines", parallelism=2)
    >>> _ = env.source("in", name="in").map("trim", name="trim").rebalance().sink("out", name="out")
    >>> done = env.compile("1.20")
    >>> print(done)
    lines: Flink 1.20 · 3 operators · 2 tasks · 2 slots
    node ID  operator    uid  operator ID                       ×   chain
    1        Source: in  -    cbc357ccb763df2852fee8c4fc7d55f2  ×2  1
    2        trim        -    7df19f87deec5680128845fd9a6ca18d  ×2  1
    4        Sink: out   -    9dd63673dd41ea021b896d5203f3ba7c  ×2  2
    """

    @classmethod
    def of(cls, compilation: Compilation) -> "CompiledGraph":
        """Return the compilation as an instance of this class."""
        values = {name: getattr(compilation, name) for name in compilation.__struct_fields__}
        return cls(**values)

    @cached_property
    def document(self) -> Document:
        """The document that was compiled; made of the graphs where the caller held none."""
        if self.pipeline is not None:
            return self.pipeline
        name = "stream graph" if self.data_set is None else "DataSet program"
        return StreamGraphDocument(
            name=name, stream_graph=self.stream_graph, settings=self.settings
        )

    def to_document(self) -> Document:
        """The document, for the release that it was compiled for."""
        version = self.version or self.release.version
        return self.document if self.document.flink == version else self.document.under(version)

    @property
    def title(self) -> str:
        """Heading of a drawing: the document's title, else its name."""
        return self.document.heading

    @cached_property
    def view(self) -> "GraphView":
        """Both graphs with every id looked up, as the drawings read them."""
        from explorer.drawing.view.graph_view import graph_view

        return graph_view(self)

    def __repr__(self) -> str:
        from explorer.drawing.layout.captions import facts

        return f"<CompiledGraph {self.title!r}: {facts(self.view)}>"

    def __str__(self) -> str:
        from explorer.drawing.html.notebook import to_text

        return to_text(self.view, self.title)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Return a table, a drawing and a page for a notebook; none needs a network."""
        from explorer.drawing.html.notebook import mime_bundle

        return mime_bundle(self, self.view, self.title)

    def to_networkx(self, graph: Graph = "stream") -> "networkx.MultiDiGraph":
        """The graph for networkx, nodes and edges with all that is known of them."""
        from explorer.drawing.text.networkx_graph import job_networkx, stream_networkx

        _check_known("graph", graph, get_args(Graph))
        return stream_networkx(self.view) if graph == "stream" else job_networkx(self.view)

    def to_pyvis(self, graph: Graph = "stream", *, notebook: bool = False) -> "Network":
        """The graph for pyvis: cards as nodes to drag, chains as groups, in this drawing's places.

        ``notebook``: it is shown in a notebook, by its method ``show``.
        """
        from explorer.drawing.html.free_layout import job_pyvis, stream_pyvis

        _check_known("graph", graph, get_args(Graph))
        draw = stream_pyvis if graph == "stream" else job_pyvis
        return draw(self.view, notebook=notebook)

    def to_pandas(self) -> "GraphTables":
        """Operators, edges and tasks as pandas data frames, a row each."""
        from explorer.drawing.data_frames import graph_tables

        return graph_tables(self.view)

    def to_mermaid(
        self,
        target: str | Path | None = None,
        *,
        graph: Level = "stream",
        savepoint: "SavepointSource | None" = None,
    ) -> str:
        """The graph as a Mermaid flowchart; chains are subgraphs of the StreamGraph.

        ``target``: the file to write, or the graph. ``savepoint``: as of ``to_svg``.
        """
        from explorer.drawing.text import mermaid

        path, level = _file_and_graph(target, graph)
        _check_known("graph", level, get_args(Level))
        added = self._annotations(savepoint, level)
        if level == "execution":
            return _write(path, mermaid.execution_mermaid(self, self.view))
        if level == "job":
            return _write(path, mermaid.job_mermaid(self.view, added))
        return _write(path, mermaid.stream_mermaid(self.view, added=added))

    def to_dot(
        self,
        target: str | Path | None = None,
        *,
        graph: Level = "stream",
        savepoint: "SavepointSource | None" = None,
    ) -> str:
        """The graph in Graphviz's language; chains are clusters of the StreamGraph.

        ``target``: the file to write, or the graph. ``savepoint``: as of ``to_svg``.
        """
        from explorer.drawing.text import dot

        path, level = _file_and_graph(target, graph)
        _check_known("graph", level, get_args(Level))
        added = self._annotations(savepoint, level)
        if level == "execution":
            return _write(path, dot.execution_dot(self, self.view))
        if level == "job":
            return _write(path, dot.job_dot(self.view, added))
        return _write(path, dot.stream_dot(self.view, added=added))

    def to_svg(
        self,
        target: str | Path | None = None,
        *,
        graph: "Levels" = "both",
        folded: bool = False,
        theme: "Theme" = "auto",
        savepoint: "SavepointSource | None" = None,
        direction: "EdgeDirection" = "down",
    ) -> str:
        """A drawing of StreamGraph and JobGraph, or of one graph.

        ``target``: the file to write, or the graph. ``folded``: each chain of the StreamGraph is
        one card. ``savepoint``: a savepoint, its path or its bytes, whose state is drawn in bytes
        at the operators and tasks to which Flink assigns it. ``direction``: where the edges of
        both graphs point, ``down`` or ``right``; those of the ExecutionGraph always point down.
        """
        from explorer.drawing.layout.orientation import ORIENTATIONS
        from explorer.drawing.svg.both_graphs import to_svg
        from explorer.drawing.svg.execution_svg import execution_svg

        path, level = _file_and_graph(target, graph)
        _check(level, theme)
        _check_known("direction", direction, tuple(ORIENTATIONS))
        added = self._annotations(savepoint, level)
        if level == "execution":
            return _write(path, execution_svg(self, self.view, self.title, theme=theme))
        graphs, orientation = cast("Graph", level), ORIENTATIONS[direction]
        drawing = to_svg(
            self.view,
            self.title,
            graphs,
            folded=folded,
            theme=theme,
            added=added,
            orientation=orientation,
        )
        return _write(path, drawing)

    def to_html(
        self,
        path: str | Path | None = None,
        *,
        graph: "Levels" = "both",
        folded: bool = False,
        theme: "Theme" = "auto",
        savepoint: "SavepointSource | None" = None,
    ) -> str:
        """A page that needs nothing else; written to ``path`` where one is given.

        ``savepoint``: as of ``to_svg``.
        """
        from explorer.drawing.html.standalone import to_html

        _check(graph, theme)
        added = self._annotations(savepoint, graph)
        page = to_html(self, self.view, self.title, graph, folded=folded, theme=theme, added=added)
        return _write(None if path is None else Path(path), page)

    def _annotations(self, savepoint: "SavepointSource | None", graph: str) -> "Annotations":
        """The bytes of a savepoint's state, else of a running job's; none in an execution graph."""
        from explorer.drawing.view.annotations import BARE, Annotations

        if savepoint is None:
            submitted = self.document.submitted
            job = submitted.job if submitted else None
            if job is None or all(figures.state_bytes is None for figures in job.figures):
                return BARE
            from explorer.drawing.view.state_figures import job_state_figures

            return Annotations(figures=job_state_figures(self.view, job))
        if graph == "execution":
            msg = "the state of a savepoint is drawn in the StreamGraph and the JobGraph only"
            raise DrawingError(msg)
        from explorer.drawing.view.state_figures import state_figures
        from explorer.restore.verdict import check_restore
        from explorer.savepoints import Savepoint, load_savepoint

        if not isinstance(savepoint, Savepoint):
            savepoint = load_savepoint(savepoint)
        verdict = check_restore(savepoint, self, flink_version=self.release.version)
        return Annotations(figures=state_figures(self.view, savepoint, verdict.operators))

    def explain(
        self, source: "End" = None, target: "End" = None, *, fixes: bool = True
    ) -> "Explanations":
        """Why edges chain or not: those from ``source`` and to ``target``, else all.

        Both are ids of the document, operators' names, with or without ``Source: `` and
        ``Sink: ``, or node numbers; raises ``UnknownEdgeError`` where there is no such edge.
        ``fixes`` tries what would let an edge chain, which compiles the pipeline anew for each
        try: leave it out of a large one.
        """
        from explorer.explain.edges import explain_edge
        from explorer.lookup.edge_lookup import edges_between

        edges = edges_between(self.stream_graph, source, target)
        return Explanations(explain_edge(self, edge, fixes=fixes) for edge in edges)

    def compare(self, other: Compilation) -> "Comparison":
        """Compare with ``other``: operators, IDs, tasks, edges."""
        from explorer.comparison.compare import compare

        return compare(self, other)


class Explanations(tuple["EdgeExplanation", ...]):
    """Explanations of edges, in the graph's order; printed as text."""

    __slots__ = ()

    def __repr__(self) -> str:
        from explorer.explain.terminal import explanation_text

        return explanation_text(self)


def compile_graph(
    document: Program,
    flink_version: str | None = None,
    *,
    trace: bool = False,
    iterations_before: int = 0,
    before: Compilation | None = None,
    most_edges: int = MOST_EDGES,
) -> CompiledGraph:
    """Translate a document as the given Flink release does; see ``explorer.flink.compiler``.

    ``before``: the compiled graph before an edit of the document, which makes this one faster.
    A path or a mapping is loaded first; raises ``DocumentError`` where it holds no document.
    """
    read = as_document(document)
    compilation = compiler.compile_program(
        read,
        flink_version,
        trace=trace,
        iterations_before=iterations_before,
        previous=before,
        most_edges=most_edges,
    )
    graph = CompiledGraph.of(compilation)
    vars(graph)["document"] = read  # where the cached property would keep it
    return graph


def _file_and_graph(target: str | Path | None, graph: str) -> tuple[Path | None, str]:
    """The file to write and the graph to draw; a target without an ending names a graph."""
    if isinstance(target, str) and not Path(target).suffix:
        return None, target
    return (None if target is None else Path(target)), graph


def _write(path: Path | None, text: str) -> str:
    if path is not None:
        write_file(path, text)
    return text


def _check(graph: str, theme: str) -> None:
    _check_known("graph", graph, ("both", *get_args(Level)))
    _check_known("theme", theme, ("auto", "light", "dark"))


def _check_known(label: str, values: str, known: tuple[str, ...]) -> None:
    if values not in known:
        msg = f"there is no {label} {quoted(values)}; use {listed(map(quoted, known), 'or')}"
        raise DrawingError(msg)
