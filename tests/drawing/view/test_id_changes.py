"""Operators of two compilations beside each other."""

from typing import Any

from explorer import check_restore, compile_graph
from explorer.comparison.compare import compare
from explorer.comparison.release_changes import document_change
from explorer.documents import load_document, samples
from explorer.drawing.view.graph_view import graph_view
from explorer.drawing.view.id_changes import IdRow, change_rows, id_rows
from tests.drawing.drawn import LINE, view_of


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


def rows_since(before: dict[str, Any], after: dict[str, Any]) -> tuple[IdRow, ...]:
    """The rows of a program, measured from another one."""
    view = graph_view(compile_graph(after, "1.20"))
    return id_rows(view, check_restore(before, after, flink_version="1.20"))


def line(**changed: object) -> dict[str, Any]:
    return {
        "transformations": [{**each, **(changed if each["id"] == "b" else {})} for each in LINE]
    }


def test_ids_are_compared_by_transformation_and_lost_state_is_reported() -> None:
    rows = rows_since(line(), line(chaining_strategy="NEVER"))
    changed = {row.node.name: row for row in rows if row.before}

    assert [row.node.id for row in rows] == [1, 2, 3, 5]
    assert all(row.before != row.node.hash for row in changed.values())
    sink = changed["Sink: Print to Std. Out"]
    assert (sink.consequence, sink.tone) == ("ID changed: it has no state to lose", "mute")
    assert not any(row.before for row in rows_since(line(), line()))
    assert not any(row.before or row.consequence for row in id_rows(view_of()))


def test_a_uid_preserves_its_id_and_an_added_operator_is_new() -> None:
    rows = rows_since(line(uid="kept"), line(uid="kept", chaining_strategy="NEVER"))
    kept = next(row for row in rows if row.node.uid)

    assert kept.before is None
    added = rows_since({"transformations": LINE[:2]}, line())
    assert [row.consequence == "new" for row in added] == [False, False, True, True]


def test_a_uid_hash_that_finds_the_state_is_green() -> None:
    moved = next(row for row in rows_since(line(), line(uid="other")) if row.node.uid)
    pinned = rows_since(line(), line(uid="other", uid_hash=moved.before))

    row = next(row for row in pinned if row.node.uid)
    assert (moved.tone, row.tone, row.rescued) == ("bad", "good", True)
    assert "is found by its uid hash" in row.consequence
