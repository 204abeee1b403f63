"""Operators of two compilations beside each other."""

from explorer import compile_graph
from explorer.analysis.compare import compare
from explorer.analysis.release_changes import document_change
from explorer.documents import load_document, samples
from explorer.drawing.graph_view import graph_view
from explorer.drawing.id_changes import change_rows


def test_equal_compilations_have_a_row_an_operator_and_none_differs() -> None:
    for sample in samples():
        done = compile_graph(sample.path, iterations_before=0)
        view = graph_view(done)
        rows = list(change_rows(compare(done, done), view))

        assert [row.key for row in rows] == [node.key for node in view.nodes]
        assert not any(row.differs for row in rows)


def test_a_row_is_picked_in_the_drawn_graph_and_what_is_gone_is_not() -> None:
    old, new = (load_document(sample.path) for sample in samples()[:2])
    change = document_change(old, new, "1.20", "1.20")
    assert change.comparison is not None
    drawn = graph_view(compile_graph(new, "1.20"))
    rows = list(change_rows(change.comparison, drawn))

    assert {row.key for row in rows if row.change.after} == set(drawn.node_of)
    assert {row.key for row in rows if not row.change.after} == {None}


def test_a_warning_of_one_release_only_is_reported_with_it() -> None:
    document = load_document(
        {
            "environment": {
                "configuration": {
                    "pipeline.operator-chaining.chain-operators-with-different-max-parallelism": (
                        "false"
                    )
                }
            },
            "transformations": [
                {"id": "a", "type": "source"},
                {"id": "b", "type": "sink", "inputs": ["a"]},
            ],
        }
    )
    said = list(document_change(document, document, "1.17", "1.18").warnings())

    assert len(said) == 1
    assert said[0].startswith("Flink 1.17: ")
