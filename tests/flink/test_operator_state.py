"""What a savepoint holds of each kind of operator, as clusters of 1.20 and 2.2 wrote it.

``tests/savepoints/programs/KeptState.java`` made the golden file: its functions keep nothing.
"""

import base64
from typing import Any

import pytest

from explorer import compile_graph, load_document, load_savepoint
from explorer.flink.operator_state import HeldState, registered_states
from explorer.flink.passes.hashing import uid_hash
from tests.golden_files import cases

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


@pytest.mark.parametrize(
    ("facts", "certainty"),
    [
        ({"class_name": "org.apache.flink.streaming.api.operators.KeyedProcessOperator"}, "known"),
        ({"factory": "a.b.AsyncWaitOperatorFactory"}, "known"),
        ({"class_name": "StreamExecCalc$12"}, "none"),
        ({"function": "org.apache.flink.streaming.api.functions.sink.PrintSinkFunction"}, "none"),
        ({"class_name": "a.b.StreamMap", "function": "mine.Enrich"}, "possible"),
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
