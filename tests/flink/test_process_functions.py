"""Operators of DataStream V2 have the names of that API; a captured program says which they are."""

from typing import Any

import pytest

from explorer import compile_graph
from explorer.drawing.html.page_facts import operator_facts
from explorer.drawing.view.graph_view import graph_view
from explorer.flink.process_functions import process_call
from tests.capture.flinks import differences
from tests.golden_files import cases

ONE, TWO = "OneInputStreamProcessFunction", "TwoInputNonBroadcastStreamProcessFunction"
RULES, PARTS = "TwoInputBroadcastStreamProcessFunction", "TwoOutputStreamProcessFunction"
CALLS = {
    "same": (ONE, "NonKeyedPartitionStream.process"),
    "last": (ONE, "NonKeyedPartitionStream.process"),
    "both": (TWO, "NonKeyedPartitionStream.connectAndProcess"),
    "ruled": (RULES, "NonKeyedPartitionStream.connectAndProcess(BroadcastStream)"),
    "parts": (PARTS, "NonKeyedPartitionStream.process"),
    "keyed": (ONE, "KeyedPartitionStream.process"),
    "keyed both": (TWO, "KeyedPartitionStream.connectAndProcess"),
    "keyed ruled": (RULES, "KeyedPartitionStream.connectAndProcess(BroadcastStream)"),
    "keyed parts": (PARTS, "KeyedPartitionStream.process"),
    "shuffled": (ONE, "NonKeyedPartitionStream.process"),
    "global": (ONE, "GlobalStream.process"),
}


@pytest.mark.parametrize("document", list(cases("processes")), ids=lambda one: one["flink"])
def test_a_captured_program_has_the_calls_of_the_api(document: dict[str, Any]) -> None:
    graph = compile_graph(document).stream_graph
    found = {node.name: process_call(graph, node) for node in graph.nodes}
    calls = {name: call for name, call in found.items() if call}

    assert differences(document) == ()
    assert {name: (call.function, call.call) for name, call in calls.items()} == CALLS
    assert [name for name, call in calls.items() if call.attributes] == ["last"]


def test_the_inspector_has_its_names() -> None:
    done = compile_graph(next(cases("processes")))
    view = graph_view(done)
    facts = dict(operator_facts(next(node for node in view.nodes if node.name == "last")))
    source = dict(operator_facts(view.nodes[0]))

    assert facts["call"] == "NonKeyedPartitionStream.process"
    assert facts["process function"] == ONE
    assert facts["function class"] == "Processes$Last"
    assert facts["attributes"] == "@NoOutputUntilEndOfInput"
    assert "call" not in source
