"""The owners of a savepoint's state, looked up in a document."""

from explorer import load_document, load_savepoint
from explorer.analysis.saved_state import origins
from tests.savepoints.clusters import any_savepoint, restores


def test_a_savepoint_says_whose_state_it_holds() -> None:
    document = load_document({**restores()[0]["old"], "flink": "1.20"})

    found = origins(load_savepoint(any_savepoint()), document)

    assert {one.operator for one in found} >= {"Source: src0", "Keyed Reduce", "async 2"}
    assert {one.found_by for one in found} == {"generated ID"}


def test_an_id_of_nobody_is_guessed_from_its_state() -> None:
    source = {"id": "a", "type": "source", "uid": "a"}
    sink = {"id": "b", "type": "sink", "inputs": ["a"], "uid": "b"}

    found = origins(
        load_savepoint(any_savepoint()), load_document({"transformations": [source, sink]})
    )

    said = {one.state.operator_id: one.sentence for one in found}
    assert "most likely a keyed reduce" in said["0f059a5c7899bfb760eef84d65cf4d49"]
    assert not any(one.operator for one in found)
