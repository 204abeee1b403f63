"""An edge is found by whatever its ends are called, in Python and in a shell alike."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import CompiledGraph, compile_graph
from explorer.cli.main import main
from explorer.lookup.edge_lookup import UnknownEdgeError, edges_between, edges_called
from explorer.model.pipeline import Pipeline
from explorer.model.stream_graph import bare_name
from tests.many_cases import for_each
from tests.strategies import pipelines

DOCUMENT: dict[str, Any] = {
    "flink": "1.20",
    "transformations": [
        {"id": "flights", "type": "legacy_source", "name": "late flights"},
        {"id": "by carrier", "type": "map", "inputs": ["flights"], "name": "a -> b: c"},
        {"id": "way", "type": "rebalance", "inputs": ["by carrier"]},
        {"id": "2", "type": "map", "inputs": ["way"], "name": "two → 2"},
        {"id": "out", "type": "sink", "inputs": ["2"], "name": "printed"},
    ],
}
"""Its operators have the numbers 1, 2, 4 and 5, and one that is not number 2 has the id 2."""

BY_ENDS: list[tuple[str | int | None, str | int | None, list[int]]] = [
    ("flights", "by carrier", [0]),
    ("Source: late flights", "a -> b: c", [0]),
    ("late flights", "by carrier", [0]),
    ("1", "by carrier", [0]),
    (1, 2, [0]),
    (1, "2", [0]),
    ("1", "2", [0]),
    ("by carrier", "2", [1]),
    (2, 4, [1]),
    ("4", "5", [2]),
    ("two → 2", "Sink: printed", [2]),
    ("2", "printed", [2]),
    ("2", None, [1, 2]),
    (2, None, [1]),
    (None, "out", [2]),
    (None, None, [0, 1, 2]),
]
"""Ids, names, names without what Flink puts before them, numbers; a text may be any of them."""

NOT_THERE: list[tuple[str | int | None, str | int | None, str]] = [
    ("flight", "out", "there is no operator 'flight' in this graph; did you mean 'flights'?"),
    ("flights", "nowhere", "there is no operator 'nowhere' in this graph"),
    ("flights", 77, "there is no operator '77' in this graph"),
    ("way", "2", "there is no operator 'way' in this graph"),
    ("c", "2", "there is no operator 'c' in this graph"),
    ("", "2", "there is no operator '' in this graph"),
    ("flights", "out", "no edge goes from 'flights' to 'out'"),
    (1, 5, "no edge goes from '1' to '5'"),
    ("out", "flights", "no edge goes from 'out' to 'flights'"),
]


@pytest.fixture(scope="module")
def graph() -> CompiledGraph:
    return compile_graph(DOCUMENT)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "flights.json"
    path.write_text(json.dumps(DOCUMENT))
    return path


found = pytest.mark.parametrize(("source", "target", "edges"), BY_ENDS, ids=str)
not_there = pytest.mark.parametrize(("source", "target", "sentence"), NOT_THERE, ids=str)


@found
def test_python_finds_an_edge(
    graph: CompiledGraph, source: str | int | None, target: str | int | None, edges: list[int]
) -> None:
    explained = graph.explain(source, target, fixes=False)

    assert [each.edge for each in explained] == edges


@pytest.mark.slow
@for_each("arrow", ["->", " -> ", "→", " → "])
@found
def test_a_shell_finds_the_same_edge(
    file: Path,
    capsys: pytest.CaptureFixture[str],
    source: str | int | None,
    target: str | int | None,
    edges: list[int],
    arrow: str,
) -> None:
    asked = [] if source is None or target is None else ["--edge", f"{source}{arrow}{target}"]
    assert main(["explain", str(file), "--json", *asked]) == 0

    printed = [each["edge"] for each in json.loads(capsys.readouterr().out)]
    assert printed == (edges if asked else [0, 1, 2])


@not_there
def test_python_reports_in_a_sentence_what_is_missing(
    graph: CompiledGraph, source: str | int | None, target: str | int | None, sentence: str
) -> None:
    with pytest.raises(UnknownEdgeError) as caught:
        graph.explain(source, target)

    assert str(caught.value) == sentence


@not_there
def test_a_shell_reports_the_same(
    file: Path,
    capsys: pytest.CaptureFixture[str],
    source: str | int | None,
    target: str | int | None,
    sentence: str,
) -> None:
    assert main(["explain", str(file), f"--edge={source}->{target}"]) == 1

    assert capsys.readouterr().err == f"error: {sentence}\n"


def test_an_edge_has_two_ends(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(file), "--edge", "flights"]) == 1

    reported = capsys.readouterr().err
    assert reported == "error: an edge is written A->B, but 'flights' has no arrow\n"


@given(pipelines(max_size=8), st.data())
def test_every_edge_of_every_program_is_found_by_all_that_its_ends_are_called(
    pipeline: Pipeline, data: st.DataObject
) -> None:
    compiled = compile_graph(pipeline)
    graph, hashes = compiled.stream_graph, compiled.hashes
    for position, edge in enumerate(graph.edges):
        ends = [graph.node(end) for end in (edge.source, edge.target)]
        source, target = (
            data.draw(
                st.sampled_from([n.id, str(n.id), n.name, bare_name(n.name), n.transformation])
            )
            for n in ends
        )
        assert position in edges_between(graph, source, target)
        operator_ids = f"{hashes[edge.source]}->{hashes[edge.target]}"
        assert position in edges_called(graph, operator_ids, hashes)
        assert position in edges_between(graph, source)
        assert position in edges_between(graph, target=target)


@given(st.text(max_size=30))
def test_any_text_finds_edges_or_is_refused_in_a_sentence(text: str) -> None:
    graph = compile_graph(DOCUMENT).stream_graph
    try:
        said = [str(edge) for edge in edges_called(graph, text)]
    except UnknownEdgeError as error:
        said = [str(error)]

    assert said
    assert all(sentence.isprintable() for sentence in said)
