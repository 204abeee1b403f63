"""A compilation as the library gives it: all that the compiler's has, and what it can do."""

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import explorer
from explorer import Compilation, CompiledGraph
from explorer.comparison.compare import compare
from explorer.datastream.compiled import DrawingError
from explorer.documents import dump_yaml
from explorer.documents.text.writing import to_values
from explorer.errors import ExplorerError, UnwritableFileError
from explorer.explain.edges import explain_edge
from explorer.flink import compiler
from explorer.locations import sample_folder
from explorer.lookup.edge_lookup import UnknownEdgeError
from explorer.model.pipeline import Pipeline
from tests.strategies import pipelines


@pytest.fixture
def graph() -> CompiledGraph:
    env = explorer.environment("delays", parallelism=2, flink_version="1.20")
    flights = env.legacy_source("flights", name="flights", parallelism=1)
    carriers = flights.filter("late", name="late only").map("carrier", name="to carrier")
    carriers.key_by("carrier").reduce("sum", name="delay sum").sink("out", name="out")
    return env.compile()


@given(pipelines(max_size=8))
def test_it_holds_all_that_the_compilers_holds(pipeline: Pipeline) -> None:
    mine, plain = explorer.compile_graph(pipeline), compiler.compile_program(pipeline)

    assert isinstance(mine, Compilation)
    assert mine.to_dict() == plain.to_dict()
    assert (mine.decisions, mine.chained) == (plain.decisions, plain.chained)
    for name in Compilation.__struct_fields__:
        assert getattr(mine, name) == getattr(plain, name)


def test_a_stream_graph_document_and_a_mapping_compile_to_it_too(graph: CompiledGraph) -> None:
    again = explorer.compile_graph(json.loads(json.dumps(graph.to_dict())))

    assert again.hashes == graph.hashes
    assert again.title == "stream graph"
    assert again.to_svg().startswith("<svg")


def test_a_drawing_is_headed_with_the_title_where_there_is_one() -> None:
    env = explorer.environment("job-7", title="Late flights")
    env.source().sink()

    assert env.compile().title == "Late flights"
    assert ">Late flights</text>" in env.compile().to_svg()


def test_it_is_pickled_whole(graph: CompiledGraph) -> None:
    again = pickle.loads(pickle.dumps(graph))  # noqa: S301 - our own bytes

    assert again == graph
    assert again.to_svg() == graph.to_svg()


def test_it_has_a_description_of_one_line(graph: CompiledGraph) -> None:
    assert repr(graph) == ("<CompiledGraph 'delays': Flink 1.20 · 5 operators · 3 tasks · 2 slots>")
    assert str(graph).split("\n")[0] == "delays: Flink 1.20 · 5 operators · 3 tasks · 2 slots"


def test_edges_are_explained_by_their_ends(graph: CompiledGraph) -> None:
    (one,) = graph.explain("carrier", "sum")

    assert one == explain_edge(graph, 2)
    assert graph.explain("to carrier", "delay sum") == (one,)
    assert graph.explain(source="carrier") == graph.explain(target="sum") == (one,)
    assert [each.edge for each in graph.explain()] == [0, 1, 2, 3]
    assert [each.fixes for each in graph.explain(fixes=False)] == [()] * 4


def test_explanations_are_printed_as_text(graph: CompiledGraph) -> None:
    text = repr(graph.explain("late", "carrier"))

    assert text.split("\n")[:2] == ["late only -> to carrier", "  Chained: all 12 conditions hold"]


@pytest.mark.parametrize(
    ("ends", "sentence"),
    [
        (("lat", None), "there is no operator 'lat' in this graph; did you mean 'late'?"),
        (("late", "sum"), "no edge goes from 'late' to 'sum'"),
        (("out", None), "no edge goes from 'out'"),
        ((None, "flights"), "no edge goes to 'flights'"),
    ],
)
def test_an_edge_that_is_not_there_is_one_sentence(
    graph: CompiledGraph, ends: tuple[str | None, str | None], sentence: str
) -> None:
    with pytest.raises(UnknownEdgeError) as caught:
        graph.explain(*ends)

    assert str(caught.value) == sentence


def test_the_method_returns_the_result_of_the_function(graph: CompiledGraph) -> None:
    other = explorer.compile_graph(graph.pipeline or {}, "2.3")

    assert graph.compare(other) == compare(graph, other)
    assert graph.compare(graph).same


@pytest.mark.parametrize("call", ["to_mermaid", "to_dot", "to_networkx", "to_svg"])
def test_a_graph_that_there_is_not_is_one_sentence(graph: CompiledGraph, call: str) -> None:
    with pytest.raises(DrawingError, match=r"there is no graph 'jobs'; use .*'stream'.* or '"):
        getattr(graph, call)("jobs")


def test_a_theme_that_there_is_not_is_one_sentence(graph: CompiledGraph) -> None:
    with pytest.raises(DrawingError, match="there is no theme 'blue'; use 'auto', 'light' or"):
        graph.to_html(theme="blue")  # type: ignore[arg-type]


def test_a_page_that_cannot_be_written_is_one_sentence(
    graph: CompiledGraph, tmp_path: Path
) -> None:
    with pytest.raises(UnwritableFileError, match=r"cannot write .*: no such file or directory"):
        graph.to_html(tmp_path / "nowhere" / "page.html")


@pytest.mark.process
def test_importing_the_library_loads_nothing_heavy_and_no_drawing() -> None:
    code = """
import sys, explorer
explorer.environment().source().map()
heavy = {"networkx", "pandas", "pyarrow", "pyspark", "numpy", "sqlglot", "streamlit", "IPython"}
drawings = [n for n in sys.modules if n.startswith("explorer.drawing")]
print(sorted(heavy & set(sys.modules)), drawings)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "[] []\n"


@pytest.mark.slow
def test_drawing_needs_no_library() -> None:
    code = """
import sys, explorer
env = explorer.environment()
env.source().map().sink()
done = env.compile()
done.to_svg(), done.to_html(), done.to_dot(), done.to_mermaid(), done._repr_mimebundle_()
print(sorted({"networkx", "pandas", "numpy", "streamlit", "IPython"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"


def test_every_form_of_a_program_is_accepted_everywhere(tmp_path: Path) -> None:
    env = explorer.environment("lines")
    rows = {"values": [["a", 1]], "schema": "word STRING, n LONG"}
    source = env.source("lines", rows=rows)
    source.key_by("word").reduce("sums", aggregate={"n": "sum(n)"}).sink("out")
    document = env.pipeline()
    path = tmp_path / "lines.yaml"
    path.write_text(dump_yaml(document))
    forms: list[Any] = [path, str(path), to_values(document), document, env, env.compile()]
    judged = [
        (
            explorer.compile_graph(form).hashes,
            explorer.check(form).to_dict(),
            explorer.deploy(form).to_dict(),
            explorer.preview(form).to_dict()["sinks"],
            explorer.check_restore(form, form).verdict,
            explorer.plan(form, old=form).verdict,
        )
        for form in forms
    ]

    assert all(one == judged[0] for one in judged)
    with pytest.raises(ExplorerError, match="an environment or a compiled graph, not a int"):
        explorer.check(12)  # type: ignore[arg-type]


def test_a_graph_as_a_program_has_the_release_of_its_compilation(graph: CompiledGraph) -> None:
    assert explorer.compile_graph(graph).release == graph.release
    assert explorer.compile_graph(graph, "1.9").release.version == "1.9"


@pytest.mark.parametrize(
    ("call", "name"), [("to_svg", "g.svg"), ("to_mermaid", "g.mmd"), ("to_dot", "g.dot")]
)
def test_a_drawing_is_written_to_a_file(
    graph: CompiledGraph, call: str, name: str, tmp_path: Path
) -> None:
    draw = getattr(graph, call)
    text = draw(str(tmp_path / name), graph="job")

    assert (tmp_path / name).read_text(encoding="utf-8") == text == draw("job")


def test_a_captured_jobs_drawing_has_its_name() -> None:
    program = sample_folder() / "17-late-flights-captured.json"

    assert explorer.compile_graph(program).title == "Captured: DataStream with uids"
    untitled = {**json.loads(program.read_bytes()), "title": None}
    assert ">late flights</text>" in explorer.compile_graph(untitled).to_svg()


def test_data_frames_hold_operators_edges_and_tasks(graph: CompiledGraph) -> None:
    tables = graph.to_pandas()

    assert list(tables.operators.index) == [node.id for node in graph.stream_graph.nodes]
    assert list(tables.operators["name"]) == [node.name for node in graph.stream_graph.nodes]
    assert len(tables.edges) == len(graph.stream_graph.edges)
    assert list(tables.vertices.index) == [vertex.id for vertex in graph.job_graph.vertices]


def test_the_package_lists_its_public_names_alone() -> None:
    assert dir(explorer) == sorted(explorer.__all__)
