"""One record after another: opening, editing, undoing, carrying the selection over."""

from typing import Any

from msgspec.structs import replace

from components.session.work import (
    edited,
    opened,
    redone,
    replaced,
    restored,
    selected,
    undone,
)
from explorer import compile_graph, edits
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.graph_view import graph_view
from explorer.drawing.view.selection import (
    exists,
    highlighted,
    matching_selection,
    transformation_of,
)
from explorer.edits.history import DEPTH
from explorer.model.pipeline import Pipeline, Transformation
from tests.many_cases import for_each

FIRST: dict[str, Any] = {
    "environment": {"parallelism": 2},
    "transformations": [
        {"id": "s", "type": "source"},
        {"id": "a", "type": "map", "inputs": ["s"]},
        {"id": "spread", "type": "rebalance", "inputs": ["a"]},
        {"id": "b", "type": "map", "inputs": ["spread"]},
        {"id": "o", "type": "sink", "inputs": ["b"]},
    ],
}


def first() -> Pipeline:
    from explorer.documents import load_document

    document = load_document(FIRST)
    assert isinstance(document, Pipeline)
    return document


def view(pipeline: Pipeline) -> GraphView:
    return graph_view(compile_graph(pipeline, "1.20"))


def test_undo_reverts_edits_one_by_one_and_then_the_opening() -> None:
    work = opened(first(), "x")
    for parallelism in (3, 4):
        document = edits.set_environment(work.document, "parallelism", parallelism)  # type: ignore[arg-type]
        work = edited(work, document, "n1")
    other = opened(replace(first(), name="other"), "y", work)

    assert undone(other).document == work.document
    assert undone(undone(other)).document.environment.parallelism == 3  # type: ignore[attr-defined]
    assert undone(undone(undone(other))).document == first()
    assert undone(opened(first(), "x")) == opened(first(), "x")


def test_an_undone_step_can_be_redone_until_another_step() -> None:
    start = opened(first(), "x")
    work = start
    for name in ("a", "b", "c"):
        work = edited(work, replace(first(), name=name), name)
    back = undone(undone(work))

    assert redone(back).document.name == "b"
    assert (redone(redone(back)).document, redone(redone(back)).selection) == (work.document, "c")
    assert [each.document for each in redone(redone(back)).history.past] == [
        each.document for each in work.history.past
    ]
    assert redone(redone(redone(back))) == redone(redone(back))
    assert redone(back).widget("a") != back.widget("a")
    assert selected(back, "n1").history.future == back.history.future
    for step in (
        edited(back, replace(first(), name="d"), None),
        opened(first(), "y", back),
        restored(start, back),
    ):
        assert step.history.future == ()
        assert all(before.history.future == () for before in step.history.past)


def test_an_edit_that_changes_nothing_is_no_step() -> None:
    work = opened(first(), "x")

    assert edited(work, first(), None) is work
    assert selected(work, "n1").history.past == ()


def test_the_past_is_bounded_and_does_not_nest() -> None:
    work = opened(first(), "x")
    for name in range(DEPTH + 20):
        work = edited(work, replace(first(), name=str(name)), None)

    assert len(work.history.past) == DEPTH
    assert all(before.history.past == () for before in work.history.past)


def test_a_change_from_outside_a_widget_gives_widgets_new_keys() -> None:
    work = opened(first(), "x")
    typed = edited(work, replace(first(), name="typed"), None)

    assert typed.widget("a") == work.widget("a")
    keys = [
        undone(typed),
        replaced(typed, first(), None),
        opened(first(), "y", typed),
        restored(opened(first(), "z"), typed),
    ]
    assert all(each.widget("a") != typed.widget("a") for each in keys)


@for_each("key", ["n1", "n2", "n5", "e0", "e1", "v1", "v2", "j0"])
def test_a_selection_is_carried_over_by_what_it_stands_for(key: str) -> None:
    before = view(first())
    in_front = (
        Transformation(id="z", type="source"),
        Transformation(id="r", type="rebalance", inputs=("z",)),
        Transformation(id="zo", type="sink", inputs=("r",)),
    )
    after = view(replace(first(), transformations=(*in_front, *first().transformations)))
    there = matching_selection(key, before, after)

    assert there is not None
    assert there != key
    assert matching_selection(there, after, before) == key


def test_a_job_edge_that_is_chained_now_becomes_the_stream_edge() -> None:
    before = view(first())
    calm = edits.delete_transformation(first(), "spread")

    assert before.job_edge_of["j0"].edge == "e1"
    assert matching_selection("j0", before, view(calm)) == "e1"
    assert matching_selection("v2", before, view(calm)) == "v1"


def test_a_selection_whose_operator_is_gone_is_dropped() -> None:
    gone = edits.delete_transformation(first(), "b")

    assert matching_selection("n4", view(first()), view(gone)) is None
    assert matching_selection("n99", view(first()), view(gone)) is None
    assert matching_selection(None, view(first()), view(gone)) is None
    assert matching_selection("t:spread", view(first()), view(gone)) == "t:spread"


def test_each_selection_names_the_transformation_to_edit() -> None:
    found = view(first())
    wanted = {"n2": "a", "v2": "b", "e1": "b", "j0": "b", "t:spread": "spread", "n9": None}

    assert {key: transformation_of(key, found) for key in wanted} == wanted
    assert transformation_of(None, found) is None
    assert transformation_of("n2", None) is None


def test_a_virtual_transformation_lights_its_edge_in_both_graphs() -> None:
    found = view(first())

    assert highlighted("t:spread", found, found.counterparts) == {"e1", "j0"}
    assert highlighted("n2", found, found.counterparts) == {"n2", "v1"}
    assert highlighted(None, found, found.counterparts) == frozenset()
    assert exists(found, "j0")
    assert not exists(found, "j1")
