"""Pipelines: transformations by id, windows, and the same program with another setting."""

import pytest

from explorer.documents import load_document
from explorer.model.pipeline import Pipeline, Transformation, Window
from tests.comparison.small_jobs import COUNT, program
from tests.many_cases import for_each


def pipeline() -> Pipeline:
    loaded = load_document(program(COUNT, configuration={"a.b": 1}))
    assert isinstance(loaded, Pipeline)
    return loaded


def test_a_transformation_is_found_by_its_id() -> None:
    loaded = pipeline()

    assert loaded.transformation("count").name == "count"
    assert loaded.parts == len(COUNT)
    with pytest.raises(KeyError):
        loaded.transformation("nobody")


def test_of_two_with_one_id_the_first_is_found() -> None:
    first = Transformation(id="a", type="source", name="first")
    twice = Pipeline(transformations=(first, Transformation(id="a", type="source")))

    assert twice.transformation("a") is first


def test_a_pipeline_is_its_own_and_no_operators_or_job() -> None:
    loaded = pipeline()

    assert loaded.pipeline is loaded
    assert (loaded.operators, loaded.submitted, loaded.flink_job_graph) == (None, None, None)
    assert loaded.options == {"a.b": 1}


def test_chaining_and_the_release_are_changed_and_nothing_else() -> None:
    loaded = pipeline()

    off = loaded.with_chaining(on=False)

    assert (loaded.chaining, off.chaining) == (True, False)
    assert off.with_chaining(on=True) == loaded
    assert loaded.under("1.9").under(loaded.flink or "") == loaded


@for_each(
    ("window", "timed", "whole"),
    [
        (Window(assigner="tumbling", size=5), True, False),
        (Window(assigner="session", gap=5, time="processing"), False, False),
        (Window(assigner="count", size=5), False, True),
        (Window(assigner="end_of_stream"), False, True),
    ],
)
def test_watermarks_end_event_time_windows_and_triggers_end_global_ones(
    window: Window,
    timed: bool,  # noqa: FBT001
    whole: bool,  # noqa: FBT001
) -> None:
    assert (window.in_event_time, window.is_global) == (timed, whole)
