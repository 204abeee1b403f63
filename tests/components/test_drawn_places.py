"""Places of the drawing at which a transformation can be added."""

from pathlib import Path

from components.graph.drawn_places import drawn_places
from explorer import compile_graph
from explorer.documents import load_document
from explorer.drawing.view.graph_view import graph_view
from explorer.edits.additions import Place, places_at
from explorer.flink.kinds import KINDS
from explorer.locations import sample_folder
from tests.many_cases import for_each

SAMPLES = sorted(
    set(sample_folder().glob("[0-9]*.yaml")) - set(sample_folder().glob("*.lesson.yaml"))
)


@for_each("path", SAMPLES, name=lambda path: path.stem)
def test_every_stream_that_is_drawn_has_a_place_that_the_document_has(path: Path) -> None:
    pipeline = load_document(path).pipeline
    assert pipeline is not None
    view = graph_view(compile_graph(pipeline))
    places = drawn_places(view, pipeline)

    for place in places.values():
        assert place in places_at(pipeline, place.source)
    ends = {node.key for node in view.nodes if node.type and KINDS[node.type].ends}
    assert places.keys() >= {node.key for node in view.nodes} - ends
    assert not places.keys() & ends


def test_an_edge_through_a_partitioner_has_the_place_before_its_reader() -> None:
    pipeline = load_document(sample_folder() / "06-cut-by-partitioner.yaml").pipeline
    assert pipeline is not None
    view = graph_view(compile_graph(pipeline))
    edges = {edge.partitioner: edge.key for edge in view.edges}
    places = drawn_places(view, pipeline)

    assert places[edges["GLOBAL"]] == Place(source="global", reader="first")
