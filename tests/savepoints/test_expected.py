"""The savepoint that a program is expected to write, against those that clusters wrote."""

import base64
import struct
from collections.abc import Sequence

import pytest

from explorer import compile_graph, load_savepoint
from explorer.flink.operator_state import registered_states
from explorer.savepoints import OperatorState, Savepoint, expected_savepoint
from tests.plans.plans import COUNT, program
from tests.savepoints.clusters import metadata_of, outcome_of, restores


@pytest.mark.slow
@pytest.mark.parametrize("version", ["1.20", "2.2"])
def test_the_savepoint_that_is_expected_is_the_one_that_a_cluster_writes(version: str) -> None:
    for case in restores():
        outcome = next(one for one in case["flink"] if one["version"] == version)
        taken = load_savepoint(base64.b64decode(outcome["metadata"]))
        done = compile_graph(case["old"], flink_version=version)
        held = registered_states(done.stream_graph, done.pipeline, done.release)
        expected = expected_savepoint(done, held)
        one, other = (
            {
                each.operator_id: (
                    each.parallelism,
                    each.max_parallelism,
                    each.has_state,
                    bool(each.subtasks),
                )
                for each in savepoint.operators
            }
            for savepoint in (taken, expected)
        )
        assert one == other
        assert taken.version == expected.version


def expected(*, possible: bool = False) -> Savepoint:
    done = compile_graph(program(COUNT))
    return expected_savepoint(
        done, registered_states(done.stream_graph, done.pipeline, done.release), possible=possible
    )


def with_state(savepoint: Savepoint) -> list[str | None]:
    return [one.name for one in savepoint.operators if one.has_state]


def buckets(operators: Sequence[OperatorState]) -> list[int]:
    """Of each operator, its bucket in a ``HashMap``; within one the tasks' answers decide."""
    size = 16 if len(operators) <= 12 else 32
    codes = []
    for one in operators:
        first, second, third, fourth = struct.unpack(">4I", bytes.fromhex(one.operator_id))
        codes.append(first ^ second ^ third ^ fourth)
    return [(code ^ code >> 16) % size for code in codes]


@pytest.mark.slow
@pytest.mark.parametrize("version", ["1.20", "2.2"])
def test_the_order_of_operators_is_that_of_a_hash_map(version: str) -> None:
    for case in restores():
        outcome = outcome_of(case, version)
        taken = load_savepoint(metadata_of(outcome)).operators
        done = compile_graph(case["old"], flink_version=version)
        held = registered_states(done.stream_graph, done.pipeline, done.release)
        found = expected_savepoint(done, held).operators

        assert buckets(found) == buckets(taken)


def test_possible_state_is_expected_where_it_is_asked_for() -> None:
    certain, possible = map(with_state, (expected(), expected(possible=True)))

    assert sorted(map(str, certain)) == ["Source: Custom Source", "count"]
    assert sorted(map(str, possible)) == ["Flat Map", "Source: Custom Source", "count"]


def test_only_a_source_of_the_new_interface_has_a_coordinator() -> None:
    coordinated = [one.name for one in expected().operators if one.coordinator_bytes is not None]

    assert coordinated == ["Source: Custom Source"]
