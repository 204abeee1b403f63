"""Owners of state: each operator of a savepoint, looked up in a document."""

from typing import Any

import msgspec
import pytest

from explorer import load_document, load_savepoint
from explorer.restore.saved_state import BY_STATE, find_owners
from explorer.savepoints import Savepoint
from tests.savepoints.clusters import metadata_of, outcome_of, restores


def saved(version: str = "1.20") -> Savepoint:
    return load_savepoint(metadata_of(outcome_of(restores()[0], version)))


def test_a_savepoint_names_the_owners_of_its_state() -> None:
    document = load_document({**restores()[0]["old"], "flink": "1.20"})

    found = find_owners(saved(), document)

    assert {one.operator for one in found} >= {"Source: src0", "Keyed Reduce", "async 2"}
    assert {one.found_by for one in found} == {"generated ID"}


def test_an_id_of_no_operator_is_guessed_from_its_state() -> None:
    source = {"id": "a", "type": "source", "uid": "a"}
    sink = {"id": "b", "type": "sink", "inputs": ["a"], "uid": "b"}

    found = find_owners(saved(), load_document({"transformations": [source, sink]}))

    said = {one.state.operator_id: one.sentence for one in found}
    assert "most likely a keyed reduce" in said["0f059a5c7899bfb760eef84d65cf4d49"]
    assert not any(one.operator for one in found)


OWN = {**restores()[0]["old"], "flink": "1.20"}
ID = "0f059a5c7899bfb760eef84d65cf4d49"
"""The ID of the keyed reduce."""


def pinned(**fields: str) -> dict[str, Any]:
    """A program with these fields of its map."""
    steps = [
        {"id": "a", "type": "source"},
        {"id": "m", "type": "map", "name": "M", "inputs": ["a"], **fields},
    ]
    return {"flink": "1.20", "transformations": steps}


@pytest.mark.parametrize("case", [str.lower, str.upper])
def test_a_uid_hash_finds_its_operator_in_either_case(case: type[str]) -> None:
    found = {
        one.state.operator_id: one
        for one in find_owners(saved(), load_document(pinned(uid_hash=case(ID))))
    }

    assert (found[ID].operator, found[ID].found_by) == ("M", "uid hash")
    assert found[ID].sentence == "M, by its uid hash"


def test_an_id_of_another_release_or_without_chaining_is_reported() -> None:
    apart = {**OWN, "environment": {**OWN.get("environment", {}), "chaining": False}}

    found = find_owners(saved(), load_document(apart))

    reasons = [one.sentence for one in found if one.operator is None]
    assert reasons
    assert all("if chaining were turned on" in reason for reason in reasons)


def test_a_name_in_the_savepoint_comes_before_guesses() -> None:
    state = next(one for one in saved("2.2").operators if one.operator_id == ID)
    alone = msgspec.structs.replace(saved("2.2"), operators=(state,))

    (one,) = find_owners(alone, load_document(pinned()))

    assert one.sentence.startswith(
        "no operator of this document: it was called 'Keyed Reduce', most likely a keyed reduce"
    )
    assert BY_STATE["_op_state"] == "a keyed reduce"


def test_a_program_that_its_release_refuses_owns_nothing() -> None:
    steps = [
        {"id": "a", "type": "source", "uid": "x"},
        {"id": "m", "type": "map", "inputs": ["a"], "uid": "x"},
    ]

    found = find_owners(saved(), load_document({"flink": "1.20", "transformations": steps}))

    assert {one.operator for one in found} == {None}
