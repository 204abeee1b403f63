"""Flink's verdict on a restore: what clusters said, and each check by itself."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from explorer import RestoreVerdict, check_restore
from explorer.documents import as_document
from explorer.flink.compiler import Compilation, compile_program
from explorer.flink.operator_state import registered_states
from explorer.savepoints import FlinkVerdict, Savepoint, expected_savepoint, flink_verdict
from tests.plans.plans import COUNT, FILTERED, program
from tests.savepoints.clusters import metadata_of, outcome_of, restores


def restored(case: dict[str, Any], version: str, *, allow: bool) -> RestoreVerdict:
    content = metadata_of(outcome_of(case, version))
    return check_restore(content, case["new"], flink_version=version, allow_non_restored=allow)


@pytest.mark.law
@pytest.mark.parametrize("allowed", ["strict", "allow_non_restored"])
@pytest.mark.parametrize("version", ["1.20", "2.2"])
def test_the_verdict_is_the_clusters(version: str, allowed: str) -> None:
    wrong = []
    for case in restores():
        verdict = restored(case, version, allow=allowed != "strict")
        said = (verdict.error or "restored").replace("point _metadata.", "point SAVEPOINT.")
        wanted = outcome_of(case, version)[allowed].strip()
        if said != wanted:
            wrong.append((case["name"], case["changes"], wanted, said))

    assert wrong == []


@pytest.mark.law
def test_dropped_state_is_the_state_that_a_strict_restore_refuses() -> None:
    for case in restores():
        for version in ("1.20", "2.2"):
            strict, lax = (restored(case, version, allow=allow) for allow in (False, True))
            if strict.error is None or "Cannot map checkpoint" not in strict.error:
                assert strict.error or not strict.lost
            else:
                assert str(strict.lost[0].operator_id) in strict.error
            # What else a fix must change for the job to restore depends on the option.
            assert [replace(row, fixes=()) for row in strict.operators] == [
                replace(row, fixes=()) for row in lax.operators
            ]


def test_an_older_release_does_not_read_newer_metadata() -> None:
    case = next(one for one in restores() if outcome_of(one, "2.2")["strict"] == "restored")

    verdict = check_restore(metadata_of(outcome_of(case, "2.2")), case["new"], flink_version="1.20")

    assert verdict.error == "Unrecognized checkpoint version number: 6"


def done(transformations: list[dict[str, Any]], version: str = "2.2", **env: Any) -> Compilation:
    return compile_program(as_document(program(transformations, **env)), version)


def saved(old: Compilation, **changed: Any) -> Savepoint:
    """The savepoint of the old program; ``changed``: members of every operator's state."""
    savepoint = expected_savepoint(
        old, registered_states(old.stream_graph, old.pipeline, old.release)
    )
    operators = [msgspec.structs.replace(one, **changed) for one in savepoint.operators]
    return msgspec.structs.replace(savepoint, operators=tuple(operators))


def of(verdict: FlinkVerdict) -> dict[str, str]:
    return {one.operator_id[:4]: one.outcome for one in verdict.operators}


def test_the_same_program_restores_all_of_its_state() -> None:
    old = done(COUNT)
    verdict = flink_verdict(saved(old), old)

    assert verdict.error is None
    assert {one.outcome for one in verdict.operators} == {"restored", "empty"}
    assert {one.found_by for one in verdict.operators} == {"operator ID"}
    assert verdict.started_empty == ()


def test_a_state_without_an_operator_is_refused_unless_it_is_allowed() -> None:
    strict, lax = (
        flink_verdict(saved(done(COUNT)), done(FILTERED), allow_non_restored=allowed)
        for allowed in (False, True)
    )

    assert strict.exception == "IllegalStateException"
    assert "because the operator is not available in the new program" in str(strict.error)
    assert (lax.error, lax.exception) == (None, None)
    assert strict.operators == lax.operators
    assert "lost" in of(lax).values()
    assert len(lax.started_empty) == 4


def test_a_uid_hash_finds_the_state_before_the_generated_id() -> None:
    old = done(COUNT)
    id = next(one.operator_id for one in saved(old).operators if one.name == "count")
    pinned = [{**one, "uid_hash": id} if one["id"] == "count" else one for one in FILTERED]

    verdict = flink_verdict(saved(old), done(pinned), allow_non_restored=True)
    found = next(one for one in verdict.operators if one.operator_id == id)
    assert (found.outcome, found.found_by) == ("restored", "uid hash")


def test_a_maximum_parallelism_that_the_program_sets_must_be_the_savepoints() -> None:
    old = done(COUNT)
    other = flink_verdict(saved(old), done(COUNT, max_parallelism=64))
    derived = flink_verdict(saved(old, max_parallelism=256), old)

    assert "Max parallelism mismatch between checkpoint/savepoint state" in str(other.error)
    assert {one.outcome for one in other.operators} == {"refused"}
    assert derived.error is None


def test_a_task_may_not_have_more_subtasks_than_the_savepoint_key_groups() -> None:
    verdict = flink_verdict(saved(done(COUNT), max_parallelism=2), done(COUNT, parallelism=4))

    assert "The maximum parallelism (2) of the restored state is lower" in str(verdict.error)


def test_metadata_of_a_newer_version_is_refused_first() -> None:
    newer = msgspec.structs.replace(saved(done(COUNT)), version=6)
    verdict = flink_verdict(newer, done(FILTERED, "1.20"))

    assert verdict.error == "Unrecognized checkpoint version number: 6"
    assert flink_verdict(newer, done(COUNT)).error is None


def test_a_finished_task_behind_a_running_one_is_refused() -> None:
    old = done(COUNT)
    count = old.job_graph.vertices[1]
    operators = [
        msgspec.structs.replace(one, fully_finished=one.operator_id in count.operator_ids)
        for one in saved(old).operators
    ]
    finished = msgspec.structs.replace(saved(old), operators=tuple(operators))
    some = msgspec.structs.replace(
        finished,
        operators=tuple(
            msgspec.structs.replace(one, fully_finished=one.operator_id == count.id)
            for one in finished.operators
        ),
    )

    assert "Illegal JobGraph modification" in str(flink_verdict(finished, old).error)
    assert "which contain mixed operator finished state" in str(flink_verdict(some, old).error)


def test_state_of_an_operator_that_asks_for_its_uid_hash_is_not_restored() -> None:
    """Flink validates both IDs of an operator, and assigns the state of one."""
    old = done(COUNT)
    ids = {node.transformation: old.hashes[node.id] for node in old.stream_graph.nodes}
    swapped = [{**one, "uid_hash": ids["words"]} if one["id"] == "count" else one for one in COUNT]

    verdict = flink_verdict(saved(old), done(swapped), backend="rocksdb")

    count = next(one for one in verdict.operators if one.operator_id == ids["count"])
    assert verdict.error is None
    assert (count.outcome, count.surviving_share) == ("keys_lost", 0.0)
