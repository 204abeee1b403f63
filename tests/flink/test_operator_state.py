"""What a savepoint holds of each kind of operator, as clusters of 1.20 and 2.2 wrote it.

``tests/savepoints/programs/KeptState.java`` made the golden file: its functions keep nothing.
"""

import base64
from typing import Any

import msgspec
import pytest

from explorer import compile_graph, load_document, load_savepoint
from explorer.documents import as_document
from explorer.flink.compiler import compile_program
from explorer.flink.operator_state import HeldState, registered_states
from explorer.flink.passes.hashing import uid_hash
from explorer.model.document import StreamGraphDocument
from explorer.model.stream_graph import OperatorFacts
from tests.golden_files import cases
from tests.many_cases import for_each

WINDOW = {"assigner": "tumbling", "time": "processing", "size": 500}
PLAIN = {
    "filter": "filter",
    "flat_map": "flat_map",
    "process": "process",
    "window_all": "window_all",
    "timestamps": "timestamps",
    "async": "async",
}
KEYED = {
    "process on a keyed stream": "process",
    "map on a keyed stream": "map",
    "keyed_process": "keyed_process",
    "reduce": "reduce",
    "window": "window",
}
TWO_INPUTS = {
    "co_map": ("co_map", "map", "map"),
    "broadcast_connect": ("broadcast_connect", "map", "map"),
    "broadcast_connect on a keyed stream": ("broadcast_connect", "keyed", "map"),
    "keyed_co_process": ("keyed_co_process", "keyed", "keyed"),
    "interval_join": ("interval_join", "keyed", "keyed"),
}


def program() -> list[dict[str, Any]]:
    """The Java program as a document; the uids are its own."""

    def one(uid: str, type: str, *inputs: str) -> dict[str, Any]:
        fields: dict[str, Any] = {"id": uid, "uid": uid, "type": type, "inputs": list(inputs)}
        extra = {"window": {"window": WINDOW}, "window_all": {"window": WINDOW}}
        extra["timestamps"] = {"timestamps": {"column": "n"}}
        return fields | extra.get(type, {})

    found = [{"id": "source", "uid": "source", "type": "source"}, one("map", "map", "source")]
    found.append({"id": "keyed", "type": "key_by", "inputs": ["map"]})
    found += (one(uid, type, "map") for uid, type in PLAIN.items())
    found += (one(uid, type, "keyed") for uid, type in KEYED.items())
    found += (one(uid, *more) for uid, more in TWO_INPUTS.items())
    found += (one(f"sink after {uid}", "sink", uid) for uid in (*PLAIN, *KEYED, *TWO_INPUTS))
    found.append(one("sink_v2", "sink_v2", "map"))
    found.append(one("sink_v2 with a committer", "sink_v2", "map") | {"committer": True})
    return found


@pytest.mark.parametrize("case", list(cases("kept_state")), ids=lambda case: case["version"])
def test_known_state_is_in_the_savepoint_and_absent_state_is_not(case: dict[str, Any]) -> None:
    saved = load_savepoint(base64.b64decode(case["metadata"]))
    has = {one.operator_id: one for one in saved.operators}
    done = compile_graph({"transformations": program()}, flink_version=case["version"])
    held = registered_states(done.stream_graph, done.pipeline, done.release)
    # A FileSink's writer keeps its open files: that is the sink's doing, and possible.
    own = uid_hash("sink_v2 with a committer")

    wrong = {
        done.stream_graph.by_id[node].name: (state, has[id].has_state)
        for node, state in held.items()
        if (id := done.hashes[node]) != own
        and (
            (state.certainty == "known") != has[id].has_state
            or state.coordinator != (has[id].coordinator_bytes is not None)
        )
    }
    assert wrong == {}
    assert len(has) == len(held) + 1  # and the map before the FileSink


def state_of(operator: dict[str, Any] | None, **node: Any) -> HeldState:
    """The state of a captured operator with these facts."""
    nodes = [{"id": 1, "name": "x", "parallelism": 1, "operator": operator} | node]
    document = load_document({"stream_graph": {"nodes": nodes, "edges": []}})
    done = compile_graph(document, "2.2")
    return registered_states(done.stream_graph, None, done.release)[done.stream_graph.nodes[0].id]


@for_each(
    ("facts", "certainty"),
    [
        ({"class_name": "org.apache.flink.streaming.api.operators.KeyedProcessOperator"}, "known"),
        ({"factory": "a.b.AsyncWaitOperatorFactory"}, "known"),
        ({"class_name": "StreamExecCalc$12"}, "none"),
        ({"function": "org.apache.flink.streaming.api.functions.sink.PrintSinkFunction"}, "none"),
        ({"class_name": "a.b.StreamMap", "function": "mine.Enrich"}, "possible"),
        ({"class_name": "a.b.StreamMap", "function": "mine.Job$$Lambda"}, "none"),
        ({"class_name": "mine.Operator", "function": "mine.Job$$Lambda"}, "possible"),
        (None, "possible"),
    ],
)
def test_a_captured_operator_is_known_by_its_classes(
    facts: dict[str, Any] | None, certainty: str
) -> None:
    assert state_of(facts).certainty == certainty


def test_a_captured_source_of_the_new_api_has_a_reader_and_a_coordinator() -> None:
    held = state_of(None, vertex_class="SourceOperatorStreamTask")

    assert (held.certainty, held.coordinator) == ("known", True)


ELSEWHERE = {
    *("ContinuousFileReaderOperator", "KeyedMapBundleOperator", "StreamingMultiJoinOperator"),
    *("StreamGroupedReduceAsyncStateOperator", "AsyncStateStreamingJoinOperator"),
    *("StreamingJoinOperator", "StreamingSemiAntiJoinOperator"),
    *(f"MiniBatch{side}JoinStreamOperator" for side in ("Inner", "LeftOuter")),
    *(f"MiniBatch{side}JoinStreamOperator" for side in ("RightOuter", "FullOuter")),
}
"""Operators whose state a class of another name registers: a view, a bundle's function."""
UNDECIDED = {
    # They register state where a function, a writer or the settings ask for it.
    *("SinkWriterOperator", "ProcessRowTableOperator", "ProcessSetTableOperator"),
    "SourceOperator",  # known as a source, not by its class
    # Of BATCH jobs.
    *("BatchCoBroadcastWithKeyedOperator", "BatchCoBroadcastWithNonKeyedOperator"),
    *("BatchGroupedReduceOperator", "EmbeddedPythonBatchKeyedCoBroadcastProcessOperator"),
    *("ExternalPythonBatchKeyedCoBroadcastProcessOperator", "StreamSortOperator"),
    # Nested classes that are no operators.
    *("Context", "PerWindowStateStore", "TriggerContext", "TriggerContextImpl"),
}


def plan_node(name: str, ship: str, class_name: str = "") -> StreamGraphDocument:
    """A pasted plan in which an operator reads a source; ``class_name``: what a capture adds."""
    source = {"id": 1, "type": "Source: numbers", "pact": "Data Source", "parallelism": 1}
    reads = {"predecessors": [{"id": 1, "ship_strategy": ship}]}
    operator = {"id": 2, "type": name, "pact": "Operator", "parallelism": 1, **reads}
    document = as_document({"nodes": [source, operator]})
    assert isinstance(document, StreamGraphDocument)
    if not class_name:
        return document
    nodes = list(document.stream_graph.nodes)
    nodes[1] = msgspec.structs.replace(nodes[1], operator=OperatorFacts(class_name=class_name))
    graph = document.stream_graph.with_nodes(tuple(nodes))
    return msgspec.structs.replace(document, stream_graph=graph)


def certainty(document: StreamGraphDocument) -> str:
    """How certain the state of the second operator is."""
    return list(compile_program(document).held_states.values())[1].certainty


@pytest.mark.slow
@pytest.mark.parametrize("case", list(cases("state_calls")), ids=lambda case: case["version"])
def test_operators_that_register_state_are_known_by_their_class(case: dict[str, Any]) -> None:
    registers: dict[str, bool] = {}
    for name, calls in case["calls"].items():
        own = name.replace("/", ".").rpartition(".")[2].rpartition("$")[2]
        registers[own] = registers.get(own, False) or bool(calls) or own in ELSEWHERE
    judged = {
        name: certainty(plan_node("renamed", "HASH", class_name=f"org.apache.flink.{name}"))
        for name in registers
    }

    known = {name for name, state in judged.items() if state == "known"}
    stateful = {name for name, does in registers.items() if does}
    assert known - stateful == set()
    assert stateful - known <= UNDECIDED


@for_each(
    ("name", "ship"),
    [
        *((name, "HASH") for name in ("Keyed Reduce", "Keyed Aggregation", "KeyedProcess")),
        *((name, "HASH") for name in ("KEYED PROCESS", "KEYED PROCESS, Map", "Reduce, Filter")),
        *((name, "HASH") for name in ("Keyed Co-Process", "CountSlidingWindowAssigner")),
        *((name, "HASH") for name in ("EventTimeSessionWindows", "GlobalWindows", "CepOperator")),
        ("Window(TumblingEventTimeWindows(5000), EventTimeTrigger, Sum, Pass)", "HASH"),
        *(("Match[7]", ship) for ship in ("HASH", "GLOBAL")),
        ("Match(partitionBy=[a], orderBy=[ts ASC], pattern=[('A')])", "HASH"),
        *((name, "HASH") for name in ("GroupAggregate[3]", "Join[9]", "ChangelogNormalize[2]")),
        *(("async wait operator", "REBALANCE"), ("Co-Process-Broadcast", "BROADCAST")),
    ],
)
def test_an_operator_with_flinks_name_has_state_in_a_plan(name: str, ship: str) -> None:
    assert certainty(plan_node(name, ship)) == "known"


@for_each(
    ("name", "ship"),
    [
        *((name, "FORWARD") for name in ("Keyed Reduce", "KEYED PROCESS", "GlobalWindows")),
        *((name, "HASH") for name in ("Map", "sums", "ProcessTableFunction[4]", "My Windows")),
    ],
)
def test_an_operator_with_another_name_may_have_state_in_a_plan(name: str, ship: str) -> None:
    assert certainty(plan_node(name, ship)) == "possible"
