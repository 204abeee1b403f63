"""Facts of each selected element."""

import json
from typing import Any

import pytest

from explorer import compile_graph
from explorer.drawing.html.page_facts import (
    OPERATOR_HEADS,
    execution_facts,
    operator_cells,
    operator_facts,
    operator_heads,
    page_facts,
    place_facts,
    task_facts,
)
from explorer.drawing.svg.execution_pane import execution_pane
from explorer.drawing.view.graph_view import graph_view
from explorer.flink.compiler import Compilation
from explorer.flink.rules import RULES
from tests.drawing.drawn import LINE


@pytest.fixture(scope="module")
def done() -> Compilation:
    return compile_graph({"environment": {"parallelism": 2}, "transformations": LINE}, "1.20")


def rows(part: dict[str, Any]) -> dict[str, str]:
    return dict(part["rows"])


def test_every_element_has_facts_as_plain_json(done: Compilation) -> None:
    view = graph_view(done)
    found = page_facts(done, view)

    assert set(found["parts"]) == {
        *view.node_of,
        *view.edge_of,
        *view.vertex_of,
        *view.job_edge_of,
    }
    assert set(found["rules"]) == {rule.code for rule in RULES}
    assert json.loads(json.dumps(found))["parts"]["n1"]["kind"] == "operator"


def test_an_edge_reports_why_it_is_cut_and_its_job_edge_too(done: Compilation) -> None:
    view = graph_view(done)
    parts = page_facts(done, view)["parts"]
    job = next(edge for edge in view.job_edges if edge.ship_strategy == "REBALANCE")

    assert parts[job.edge]["chained"] is False
    assert parts[job.key]["verdicts"] == parts[job.edge]["verdicts"]
    assert rows(parts[job.key])["pattern"] == "ALL_TO_ALL · 1 × 2 · 2 channels"
    assert [code for code, holds, *_ in parts[job.edge]["verdicts"] if not holds]


def test_fields_that_are_not_set_are_left_out(done: Compilation) -> None:
    view = graph_view(done)
    node = view.node_of["n1"]

    assert dict(operator_facts(node))["uid"] is None
    assert "uid" not in rows(page_facts(done, view)["parts"]["n1"])
    assert dict(operator_facts(node))["from"] == "generated (no uid)"
    assert dict(place_facts(view, node))["chain"] == 1
    assert dict(task_facts(view.vertices[0]))["parallelism"] == 1


def test_a_card_of_subtasks_and_its_task_light_each_other(done: Compilation) -> None:
    view = graph_view(done)
    laid = execution_pane(done, view)
    found = execution_facts(done, view, laid)

    for key, card in laid.cards.items():
        assert found["counterparts"][key] == [card.task]
        assert key in found["counterparts"][card.task]
        assert found["parts"][key]["kind"] == "subtasks"


def test_a_row_of_the_table_has_a_cell_under_each_head(done: Compilation) -> None:
    view = graph_view(done)
    found = [cells for _, cells in operator_cells(view)]

    assert operator_heads(view) == OPERATOR_HEADS
    assert {len(cells) for cells in found} == {len(OPERATOR_HEADS)}
    assert [cells[0] for cells in found] == [str(node.id) for node in view.nodes]
