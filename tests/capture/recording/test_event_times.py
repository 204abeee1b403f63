"""Strategies, offsets and lateness of windows, and hybrid sources of captured programs."""

import json
from pathlib import Path
from typing import Any

import pytest

from explorer.documents import load_document
from explorer.drawing.html.page_facts import operator_facts
from explorer.drawing.view.graph_view import graph_view
from explorer.flink.compiler import compile_program
from explorer.restore.verdict import check_restore
from tests.capture.ask_event_times import captured
from tests.capture.flinks import differences
from tests.checks.findings import messages
from tests.golden_files import cases

DOCUMENTS = {document["flink"]: document for document in cases("event_times")}
OURS = {"group": "ours", "max_drift": 20_000}
EXPECTED = {
    "Source: aligned": {"idleness": 3000, "alignment": {**OURS, "update_interval": 400}},
    "Source: never idle": {"alignment": {**OURS, "update_interval": 1000}},
    "assigned": {
        "idleness": 7000,
        "alignment": {"group": "theirs", "max_drift": 9, "update_interval": 1000},
    },
    "tumbling": {"window_offset": 1000},
    "sliding": {"window_offset": -300, "allowed_lateness": 60_000},
    "by the clock": {"window_offset": 2000},
    "session": {"allowed_lateness": 250},
}
"""What ``EventTimes.java`` sets."""


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_a_capture_has_the_event_time_that_the_program_sets(document: dict[str, Any]) -> None:
    nodes = document["stream_graph"]["nodes"]

    assert {node["name"]: node["event_time"] for node in nodes if "event_time" in node} == EXPECTED
    assert differences(document) == ()


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_a_hybrid_source_names_its_parts_except_one_made_at_its_turn(
    document: dict[str, Any],
) -> None:
    (hybrid,) = (
        node["operator"]["hybrid_sources"]
        for node in document["stream_graph"]["nodes"]
        if "hybrid_sources" in node["operator"]
    )
    assert [name.rpartition(".")[2] for name in hybrid] == ["NumberSequenceSource"] * 2 + [""]


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_the_program_captured_anew_sets_what_the_golden_document_has(tmp_path: Path) -> None:
    document = json.loads(json.dumps(captured("2.2.1", tmp_path)))

    assert read_times(document) == read_times(DOCUMENTS["2.2"])
    assert differences(document) == ()


def read_times(document: dict[str, Any]) -> list[tuple[Any, ...]]:
    """What a capture reads of each operator; the name of a lambda is another in each run."""
    nodes = document["stream_graph"]["nodes"]
    members = ((node, node["operator"]) for node in nodes)
    return [
        (node["name"], node.get("event_time"), facts.get("hybrid_sources"), facts.get("windows"))
        for node, facts in members
    ]


def test_the_page_shows_the_event_time_of_an_operator() -> None:
    document = load_document(DOCUMENTS["2.2"])
    view = graph_view(compile_program(document))
    shown = {node.name: dict(operator_facts(node)) for node in view.nodes}

    assert shown["Source: aligned"]["idle after"] == "3,000 ms"
    assert shown["Source: aligned"]["watermark alignment"] == "ours: 20,000 ms ahead, each 400 ms"
    assert shown["sliding"]["window offset"] == "-300 ms"
    assert shown["sliding"]["allowed lateness"] == "60,000 ms"
    assert shown["without"].get("window offset") is None
    assert shown["Source: hybrid"]["hybrid sources"] == (
        "NumberSequenceSource, then NumberSequenceSource, then made at its turn"
    )


def test_captured_alignment_is_checked() -> None:
    document = DOCUMENTS["2.2"]

    (without_effect,) = messages("WM01", document)
    (never_idle,) = messages("WM02", document)
    assert without_effect.startswith("assigned sets watermark alignment in group theirs")
    assert never_idle.startswith("Source: never idle is aligned in group ours and never idle")


def test_a_restore_sees_another_offset() -> None:
    old = DOCUMENTS["2.2"]
    new = json.loads(json.dumps(old))
    for node in new["stream_graph"]["nodes"]:
        if node["name"] == "tumbling":
            node["event_time"]["window_offset"] = 3000
    verdict = check_restore(load_document(old), load_document(new))
    (operator,) = (operator for operator in verdict.operators if operator.name == "tumbling")

    assert operator.windows is not None
    assert operator.windows.outcome == "kept"
    assert (
        "from TumblingEventTimeWindows(5000, offset 1000), EventTimeTrigger() to "
        "TumblingEventTimeWindows(5000, offset 3000)"
    ) in operator.windows.sentence
