"""A timeline has a bar a subtask in its chain's colour, and a bar a task where there are many."""

from typing import Any

import pytest

from components.run.trial.timeline import MOST, spans
from explorer import compile_graph
from explorer.drawing.svg.palette import hue
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.graph_view import graph_view
from explorer.engine.preview.preview import preview_trial
from explorer.engine.report.trial_report import TrialReport


def ran(parallelism: int) -> tuple[GraphView, TrialReport]:
    items: list[dict[str, Any]] = [
        {"id": "a", "type": "source", "rows": {"sequence": {"from": 0, "to": 99}}},
        {"id": "r", "type": "rebalance", "inputs": ["a"]},
        {"id": "m", "type": "map", "inputs": ["r"], "select": {"n": "n"}},
        {"id": "o", "type": "sink", "inputs": ["m"]},
    ]
    document = {"environment": {"parallelism": parallelism}, "transformations": items}
    done = compile_graph(document, "1.20")
    return graph_view(done), preview_trial(done).report


def test_each_subtask_has_a_bar_from_its_begin_to_its_end() -> None:
    view, report = ran(2)
    bars = spans(view, report, 0)

    assert [bar["subtask"].rpartition(", ")[2] for bar in bars] == ["1 of 2", "2 of 2"] * 2
    assert all(0 <= bar["begun"] <= bar["ended"] for bar in bars)
    assert min(bar["begun"] for bar in bars) == 0
    assert [bar["records"] for bar in bars] == [50] * 4
    assert [bar["colour"] for bar in bars] == [hue(1)[0]] * 2 + [hue(2)[0]] * 2


@pytest.mark.slow
def test_of_many_subtasks_each_task_has_a_bar() -> None:
    view, report = ran(MOST)
    bars = spans(view, report, 1)

    assert [bar["subtask"][:2] for bar in bars] == ["1.", "2."]
    assert [bar["records"] for bar in bars] == [100, 100]
    assert bars[0]["ended"] == max(one.ended_ms or 0 for one in report.vertices[0].subtasks)
