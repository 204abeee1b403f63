"""Both graphs for pyvis: every card is a node, and no name becomes HTML."""

import re

import pytest
from hypothesis import given

import explorer
from explorer.datastream.compiled import Graph
from explorer.drawing.html.free_layout import offline_page
from explorer.model.pipeline import Pipeline
from tests.drawn_graphs import hostile_graph
from tests.examples import examples
from tests.strategies import pipelines


@examples(20)
@given(pipelines(max_size=8))
def test_nodes_edges_and_groups_are_those_of_both_graphs(pipeline: Pipeline) -> None:
    done = explorer.compile_graph(pipeline)
    view = done.view.bundled
    stream, job = done.to_pyvis(), done.to_pyvis("job")

    assert {node["id"]: node["group"] for node in stream.nodes} == {
        node.key: view.vertex_of[node.vertex].number for node in view.nodes
    }
    assert {node["id"]: node["group"] for node in job.nodes} == {
        vertex.key: vertex.number for vertex in view.vertices
    }
    for network, edges in ((stream, view.edges), (job, view.job_edges)):
        assert [(edge["from"], edge["to"]) for edge in network.edges] == [
            (edge.source, edge.target) for edge in edges
        ]
    assert len({(node["x"], node["y"]) for node in stream.nodes}) == len(view.nodes)


@pytest.mark.slow
@pytest.mark.parametrize("graph", ["stream", "job"])
@pytest.mark.parametrize("name", ["</script><script>alert(1)</script>", "<a href=x>", "{{ 7 }}"])
def test_a_page_of_pyvis_asks_no_server_and_runs_no_name(graph: Graph, name: str) -> None:
    page = offline_page(hostile_graph(name).to_pyvis(graph))

    assert not re.search(r"<(?:script|link|img)\b[^>]*//", page.replace("</", ""))
    assert "<script>alert" not in page
    # Titles with a link would be shown as HTML.
    assert "div.popup" not in page
    assert page.count("network.setOptions({ physics") == 1


def test_a_notebook_shows_it() -> None:
    network = explorer.compile_graph("sample_graphs/01-word-count.yaml").to_pyvis(notebook=True)

    assert "vis.DataSet" in network.generate_html(notebook=True)
    assert not network.options.physics.enabled
