"""Memory of processes: what Flink's own classes of fourteen releases make of sets of options.

``memory_releases`` was asked with random options of both processes, of ``TaskExecutorProcessUtils``
and ``JobManagerProcessUtils``; a refusal is Flink's whole sentence.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.deployment import (
    JobManagerMemory,
    Memory,
    MemoryRefusalError,
    job_manager_memory,
    task_manager_memory,
)
from explorer.errors import ExplorerError, UnsupportedReleaseError
from explorer.flink.releases import VERSIONS
from tests.golden_files import cases

Split = Callable[[dict[str, str], str], Memory | JobManagerMemory]


def reported(split: Split, options: dict[str, str], version: str) -> object:
    try:
        return split(options, version).to_dict()
    except ExplorerError as error:
        return str(error)


def asked(name: str) -> Iterator[tuple[dict[str, Any], str, dict[str, Any]]]:
    for case in cases(name):
        for outcome in case["flink"]:
            for version in outcome["versions"]:
                yield case, version, outcome


@pytest.mark.slow
@pytest.mark.parametrize("name", ["memory", "memory_releases"])
def test_a_task_managers_memory_is_split_as_flink_splits_it(name: str) -> None:
    wrong = []
    for case, version, outcome in asked(name):
        found = reported(task_manager_memory, case["options"], version)
        wanted = outcome.get("task_manager", outcome.get("error"))
        if isinstance(wanted, dict) and isinstance(found, dict):
            found = {member: found[member] for member in wanted}
        if found != wanted:
            wrong.append((case["name"], version, wanted, found))

    assert wrong == []


@pytest.mark.slow
def test_a_job_managers_memory_is_split_as_flink_splits_it() -> None:
    wrong = []
    for case, version, outcome in asked("memory_releases"):
        found = reported(job_manager_memory, case["options"], version)
        wanted = outcome.get("job_manager", outcome.get("job_manager_error"))
        if isinstance(wanted, dict) and isinstance(found, dict):
            found = {member: found[member] for member in wanted}
        if found != wanted:
            wrong.append((case["name"], version, wanted, found))

    assert wrong == []


@given(st.integers(1 << 30, 1 << 45), st.integers(1, 64), st.sampled_from(VERSIONS[1:]))
def test_the_parts_make_the_whole(size: int, slots: int, version: str) -> None:
    options = {"taskmanager.memory.process.size": size, "taskmanager.numberOfTaskSlots": slots}

    found = task_manager_memory(options, version)

    assert found.total_process == size
    assert 0 <= found.managed_by_slot * slots <= found.managed


def test_an_unreadable_option_is_reported_in_flinks_words() -> None:
    with pytest.raises(MemoryRefusalError, match="Cannot read memory size from config option"):
        task_manager_memory({"taskmanager.memory.process.size": "much"})


def test_a_number_is_an_int_of_javas() -> None:
    options = {
        "taskmanager.memory.process.size": "4g",
        "taskmanager.numberOfTaskSlots": "3000000000",
    }

    with pytest.raises(MemoryRefusalError, match="Could not parse value '3000000000' for key"):
        task_manager_memory(options)


def test_a_fraction_is_written_as_java_writes_a_double() -> None:
    options = {
        "taskmanager.memory.process.size": "4g",
        "taskmanager.memory.network.fraction": "12345678",
    }

    with pytest.raises(MemoryRefusalError, match=r"\(1\.2345678E7\) and its min"):
        task_manager_memory(options)


def test_a_release_that_splits_memory_otherwise_is_refused() -> None:
    with pytest.raises(UnsupportedReleaseError, match="it is computed from"):
        task_manager_memory({}, "1.9")
