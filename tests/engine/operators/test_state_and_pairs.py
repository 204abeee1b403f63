"""What a trial says of keyed state and of two inputs before it runs, and what it refuses."""

from typing import Any

import pytest

from explorer import ExplorerError, compile_graph
from explorer.engine import plan_trial
from tests.engine.in_process import rows_of, trial

ROWS = {"values": [["a", 1, 5], ["b", 2, 7], ["a", 3, 9]], "schema": "k STRING, n LONG, t LONG"}
SOURCE = {"id": "s", "type": "source", "rows": ROWS}
TIMED = {"id": "t", "type": "timestamps", "inputs": ["s"], "timestamps": {"column": "t"}}
KEYED = {"id": "b", "type": "key_by", "inputs": ["t"], "keys": ["k"]}
BY_NUMBER = {"id": "c", "type": "key_by", "inputs": ["t"], "keys": ["n"]}


def document(*more: dict[str, Any], **environment: Any) -> dict[str, Any]:
    last = {"id": "o", "type": "sink", "inputs": [more[-1]["id"]]}
    return {"environment": environment, "transformations": [SOURCE, TIMED, *more, last]}


def state(**fields: Any) -> dict[str, Any]:
    return {"id": "p", "type": "keyed_process", "inputs": ["b"], "state": fields}


def join(*inputs: str, **fields: Any) -> dict[str, Any]:
    near = {"lower": 0, "upper": 9}
    return {"id": "j", "type": "interval_join", "inputs": list(inputs), "between": near, **fields}


def test_a_column_that_is_taken_gets_a_number() -> None:
    found = trial(document(KEYED, join("b", "b")))

    assert tuple(name for name, _ in found.sinks["o"].columns) == ("k", "n", "t", "k0", "n0", "t0")
    assert rows_of(found)["o"]["('a', 1, 5, 'a', 3, 9)"] == 1


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ([KEYED, state(shape="total", column="k")], "total takes a LONG or DOUBLE column"),
        ([KEYED, state(shape="last", column="x")], "there is no column 'x'"),
        ([KEYED, state(shape="count", **{"as": "n"})], "column 'n' is named twice"),
        ([KEYED, BY_NUMBER, join("b", "c")], "keys of different types, STRING and LONG"),
        ([KEYED, join("b", "b", select={"x": "y"})], "there is no column 'y'"),
        (
            [
                {"id": "m", "type": "map", "inputs": ["t"], "select": {"k": "k"}},
                {"id": "u", "type": "co_map", "inputs": ["m", "t"]},
                {"id": "b", "type": "key_by", "inputs": ["u"], "keys": ["k"]},
                join("b", "b"),
            ],
            "an input of it has several",
        ),
    ],
)
def test_what_cannot_run_is_refused(wrong: list[dict[str, Any]], says: str) -> None:
    with pytest.raises(ExplorerError, match=says):
        plan_trial(compile_graph(document(*wrong), "1.20"))


def test_what_is_left_to_chance_is_said_beforehand() -> None:
    told = {
        "id": "c",
        "type": "broadcast_connect",
        "inputs": ["t", "s"],
        "lookup": {"column": "n", "key": "n"},
        "select": {"n": "n", "k": "k0"},
    }
    assert "takes the second input first" in trial(document(told)).warnings[0]
    idle = {**TIMED, "timestamps": {"column": "t", "idleness": 5}, "id": "i"}
    assert "none becomes idle" in trial(document(idle)).warnings[0]
    batch = document(KEYED, state(shape="count"), runtime_mode="BATCH")
    assert "sorts the input of a keyed operator" in trial(batch).warnings[0]
    waits = {"id": "a", "type": "async", "inputs": ["t"], "wait": {"delay": 1, "capacity": 2}}
    assert "waits 1 ms for each 2 rows" in trial(document(waits)).warnings[0]
