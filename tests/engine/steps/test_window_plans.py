"""Sizes and slides of windows that a document names."""

import pytest

from explorer.engine.steps.window_plans import TimeWindows, plan_windows
from explorer.model.pipeline import Transformation, Window
from explorer.model.row_type import SchemaError
from tests.many_cases import for_each


def planned(window: Window) -> TimeWindows:
    return plan_windows(Transformation(id="w", type="join", window=window), window)


def test_a_tumbling_window_slides_by_its_size() -> None:
    found = planned(Window(assigner="tumbling", size=10, allowed_lateness=3))

    assert found == TimeWindows(assigner="tumbling", size=10, slide=10, lateness=3)


def test_the_size_of_a_session_is_its_gap() -> None:
    assert planned(Window(assigner="session", gap=5)).size == 5


@for_each(
    ("window", "says"),
    [
        (Window(assigner="count", size=5), "takes tumbling, sliding or session windows"),
        (Window(assigner="session", gap=0), "a session window needs a gap above 0"),
        (Window(assigner="sliding", size=5, slide=0), "a sliding window needs a slide above 0"),
        (
            Window(assigner="sliding", size=200_000, slide=1),
            "fall into 200,000 windows, and a trial takes at most 100,000",
        ),
    ],
)
def test_windows_that_cannot_run_are_refused(window: Window, says: str) -> None:
    with pytest.raises(SchemaError, match=says):
        planned(window)
