"""Managed memory of a slot, shared out by use case as the classes of eleven releases do it."""

from pathlib import Path
from typing import Any

import pytest

from explorer.deployment import MemoryRefusalError, resources
from explorer.deployment.managed import GroupMemory, shares, use_case_memory
from explorer.deployment.memory_options import Options
from explorer.flink.releases import release
from tests.capture.flinks import VERSIONS as CACHED
from tests.deployment.ask_managed import asked
from tests.golden_files import cases

KEYED = {
    "transformations": [
        {"id": "s", "type": "source"},
        {"id": "k", "type": "key_by", "inputs": ["s"], "keys": ["n"]},
        {"id": "p", "type": "keyed_process", "inputs": ["k"], "managed_memory_weight": 3},
        {"id": "o", "type": "sink", "inputs": ["p"]},
    ]
}
MEMORY = {"taskmanager.memory.flink.size": "1g", "taskmanager.memory.managed.size": "100m"}
ROCKSDB = {"state.backend.type": "rocksdb"}
WEIGHTS = "taskmanager.memory.managed.consumer-weights"


def only(options: dict[str, str], flink: str = "1.20") -> GroupMemory:
    (group,) = resources(KEYED, MEMORY | options, flink_version=flink).managed
    return group


def reported(group: GroupMemory) -> dict[str, int]:
    return {one.use_case: one.bytes for one in group.use_cases}


def test_operators_and_the_state_backend_share_by_their_weights() -> None:
    group = only(ROCKSDB)

    assert reported(group) == {"OPERATOR": 50 << 20, "STATE_BACKEND": 50 << 20}
    assert [(one.use_case, one.fraction) for one in group.operators] == [
        ("OPERATOR", 0.5),
        ("STATE_BACKEND", 0.5),
    ]


def test_a_backend_on_the_heap_has_none() -> None:
    assert reported(only({})) == {"OPERATOR": 100 << 20, "STATE_BACKEND": 0}


def test_an_older_name_weighs_both() -> None:
    weighed = ROCKSDB | {WEIGHTS: "DATAPROC:10,STATE_BACKEND:30"}

    assert reported(only(weighed)) == {"OPERATOR": 25 << 20, "STATE_BACKEND": 75 << 20}


def test_a_weight_below_zero_is_refused() -> None:
    with pytest.raises(MemoryRefusalError, match="weight should not be negative"):
        only({WEIGHTS: "OPERATOR:-1"})


def test_releases_without_use_cases_share_none_out_by_them() -> None:
    legacy = [{"id": "s", "type": "legacy_source"}, *KEYED["transformations"][1:]]

    assert resources({"transformations": legacy}, MEMORY, flink_version="1.11").managed == ()


def test_fractions_are_cut_at_sixteen_places() -> None:
    assert shares({"OPERATOR": 1, "STATE_BACKEND": 1, "PYTHON": 1})["PYTHON"] == 0.3333333333333333
    assert shares({"OPERATOR": 0}) == {"OPERATOR": 0.0}


def answer(case: dict[str, Any], version: str) -> str:
    """Our answer in the words of the program that asked Flink."""
    try:
        options = Options(case["options"])
        shared = use_case_memory(case["use_cases"], case["slot"], options, release(version))
    except MemoryRefusalError as error:
        return f"error {error.flink_message}"
    return " ".join(f"{one.use_case}={one.fraction}/{one.bytes}" for one in shared)


def test_a_slot_is_shared_out_as_flink_shares_it() -> None:
    every = list(cases("managed"))
    wrong = [
        (case["options"], version, reported, answer(case, version))
        for case in every
        for version, reported in case["flink"].items()
        if reported != answer(case, version)
    ]

    assert len(every) >= 60
    assert wrong == []


@pytest.mark.flink
def test_the_golden_shares_are_those_of_the_jars(tmp_path: Path) -> None:
    """One release is asked again, of such files each another; one program asked them all."""
    version = CACHED[-1]
    kept = [case["flink"][version.rpartition(".")[0]] for case in cases("managed")]

    assert asked(version, tmp_path) == kept
