"""Which keyed state survives a restore, against clusters that ran both versions with data.

The pipelines ran on 2.2.1 and 2.3.0 with RocksDB and the heap; ``survival.jsonl.gz`` has, for each
keyed operator, how many of its keys found their state after the restore.
"""

from functools import cache
from typing import Any, Final, NamedTuple

import msgspec
import pytest

from explorer import RestoreVerdict, check_restore
from explorer.documents import as_document
from explorer.flink.compiler import Compilation, compile_program
from explorer.flink.releases import release
from explorer.savepoints import OperatorState, Savepoint, flink_verdict
from explorer.savepoints.key_group_outcomes import RestoredKeys, task_order
from explorer.savepoints.savepoint import StateHandle, SubtaskState
from tests.golden_files import cases
from tests.many_cases import for_each
from tests.savepoints.ask_survival import changes, shown_fixes

RUNS: Final = (
    ("document", "2.3.0", "rocksdb"),
    ("savepoint", "2.2.1", "hashmap"),
    ("savepoint", "2.2.1", "rocksdb"),
    ("savepoint", "2.3.0", "hashmap"),
    ("savepoint", "2.3.0", "rocksdb"),
)
CHANCE: Final = 0.05
"""By how much the share of a few hundred keys may differ from that of all hashes."""


def saved(run: dict[str, Any]) -> Savepoint:
    """The savepoint of a cluster, as far as key groups are concerned."""
    return Savepoint(
        version=6,
        checkpoint_id=1,
        operators=tuple(map(operator_state, run["savepoint"])),
        master_states=(),
        path="_metadata",
    )


def operator_state(operator: dict[str, Any]) -> OperatorState:
    kinds = {"keyed": operator["keyed"], "operator": operator["operator_state"]}
    handles = tuple(
        StateHandle(kind=kind, format="", bytes=1, files=(), is_relocatable=True)
        for kind, is_saved in kinds.items()
        if is_saved
    )
    subtasks = tuple(
        SubtaskState(subtask=at, finished=False, handles=handles)
        for at in range(operator["subtasks"])
    )
    return OperatorState(
        operator_id=operator["operator_id"],
        name=None,
        uid=None,
        parallelism=operator["parallelism"],
        max_parallelism=operator["max_parallelism"],
        coordinator_bytes=None,
        fully_finished=False,
        subtasks=subtasks,
    )


class Judged(NamedTuple):
    """A pair of versions, a cluster's run of it, and our verdict."""

    pair: dict[str, Any]
    run: dict[str, Any]
    verdict: RestoreVerdict


@cache
def judged(side: str, version: str, backend: str) -> tuple[Judged, ...]:
    """Every run on these clusters with its verdict, ``side``: what the old version is known by."""
    return tuple(
        Judged(pair, run, judge(pair["old"] if side == "document" else saved(run), pair, run))
        for pair in cases("survival")
        for run in pair["runs"]
        if (run["flink_version"], run["backend"]) == (version, backend)
    )


def judge(old: Any, pair: dict[str, Any], run: dict[str, Any]) -> RestoreVerdict:
    return check_restore(
        old,
        pair["new"],
        flink_version=run["flink_version"],
        configuration={"state.backend.type": run["backend"]},
        allow_non_restored=pair["allow_non_restored"],
    )


def differences(verdict: RestoreVerdict, run: dict[str, Any]) -> list[str]:
    """What a verdict says otherwise than the cluster did."""
    if run["result"] == "refused":
        return [] if verdict.error else ["not refused"]
    outcomes = {one.outcome for one in verdict.operators}
    if run["result"] == "failed":
        return [] if "fails" in outcomes else ["does not fail"]
    found = [] if verdict.verdict == "restored" and "fails" not in outcomes else ["does not run"]
    by_id = {one.transformation: one for one in verdict.operators if one.change != "new"}
    for operator in (one for one in run["operators"] if one["keys"]):
        restored = by_id.get(operator["transformation"])
        share = restored.surviving_share if restored else 0.0
        survived = operator["keys"] - operator["lost"] - operator["wrong"]
        if restored is None:
            # Its ID is another one, and the state is dropped as allowed.
            found += [] if verdict.lost and not survived else [f"{operator} is not dropped"]
        elif (restored.outcome == "restored") != (survived == operator["keys"]):
            found.append(f"{restored.name}: {restored.outcome}, and {survived} keys survived")
        elif abs(operator["keys"] * share - survived) > CHANCE * operator["keys"]:
            found.append(f"{restored.name}: {share} should survive, and {survived} keys did")
    return found


@pytest.mark.law
@pytest.mark.parametrize(("side", "version", "backend"), RUNS)
def test_the_verdict_is_what_survived_on_the_cluster(side: str, version: str, backend: str) -> None:
    wrong = {
        one.pair["case"]: (one.pair["changes"], lines)
        for one in judged(side, version, backend)
        if (lines := differences(one.verdict, one.run))
    }

    assert wrong == {}


def test_every_key_survives_each_fix_on_a_cluster() -> None:
    """``ask_survival.py`` ran the pipelines with each fix that is shown for them."""
    answers = list(cases("survival_fixes"))
    losing = [
        one
        for one in answers
        if one["result"] != "ran" or any(one["lost"][id] for id in one["keeps"])
    ]
    runs = {(one["case"], one["flink_version"], one["backend"]) for one in answers}
    cured = {
        (one["case"], one["flink_version"], one["backend"])
        for one in answers
        if not any(one["lost"].values())
    }

    assert losing == []
    assert runs == cured
    assert len(answers) > 300


def shown_changes(verdict: RestoreVerdict, pair: dict[str, Any]) -> set[tuple[str, ...]]:
    return {
        (pair["case"], str(changes(pair["new"], fix["document"])), *fix["keeps"])
        for fix in shown_fixes(verdict).values()
    }


@pytest.mark.law
@pytest.mark.parametrize(
    ("side", "version", "backend"),
    [("savepoint", "2.2.1", "hashmap"), ("document", "2.3.0", "rocksdb")],
)
def test_only_fixes_that_ran_on_the_cluster_are_shown(
    side: str, version: str, backend: str
) -> None:
    ran = {
        (fix["case"], str(fix["changes"]), *fix["keeps"])
        for fix in cases("survival_fixes")
        if (fix["flink_version"], fix["backend"]) == (version, backend)
    }
    unfixed: list[str] = []
    not_run: set[tuple[str, ...]] = set()
    for pair, _, verdict in judged(side, version, backend):
        shown = shown_changes(verdict, pair)
        unfixed += [pair["case"]] if verdict.endangered_keys and not shown else []
        not_run |= shown - ran

    assert unfixed == []
    assert not_run == set()


@pytest.mark.slow
@pytest.mark.parametrize("version", ["2.2.1", "2.3.0"])
def test_a_task_ends_with_the_maximum_that_its_cluster_reported(version: str) -> None:
    compared = 0
    for pair in cases("survival"):
        new = compile_program(as_document(pair["new"]), version)
        run = next(one for one in pair["runs"] if one["flink_version"] == version)
        if run["result"] != "refused":
            verdict = flink_verdict(saved(run), new, allow_non_restored=pair["allow_non_restored"])
            ids = [vertex.id for vertex in new.job_graph.vertices]
            maxima = [one.value if one else None for one in verdict.task_maxima]
            assert dict(zip(ids, maxima, strict=True)) == run["max_parallelism"]
            compared += len(ids)

    assert compared > 100


IDS: Final = [f"{word:08x}{0:024x}" for word in (5, 4, 7)]


def test_before_1_12_the_head_of_the_chain_decides_then_a_hash_map() -> None:
    assert task_order(IDS, release("1.11")) == IDS
    assert task_order(IDS, release("1.12")) == [IDS[1], IDS[0], IDS[2]]


@for_each(
    ("written", "read", "parallelism", "backend", "timers", "expected"),
    [
        (128, 128, (2, 5), "hashmap", "event", "restored"),
        (256, 512, (86, 174), "hashmap", None, "keys_lost"),
        (256, 128, (86, 3), "rocksdb", None, "keys_lost"),
        (256, 128, (86, 3), "hashmap", None, "fails"),
        (256, 128, (86, 1), "hashmap", None, "keys_lost"),
        (128, 256, (5, 96), "hashmap", None, "fails"),
        (128, 256, (5, 96), "rocksdb", None, "keys_lost"),
        (128, 256, (5, 96), None, None, "fails"),
        (48, 128, (1, 1), "hashmap", None, "keys_lost"),
        (256, 128, (1, 1), "rocksdb", None, "fails"),
        (48, 128, (2, 2), "rocksdb", None, "fails"),
        (256, 128, (171, 5), "rocksdb", "event", "fails"),
        (256, 128, (86, 3), "rocksdb", "processing", "keys_lost"),
        (256, 512, (86, 174), "hashmap", "processing", "fails"),
    ],
)
def test_another_number_of_key_groups_loses_keys_or_fails(
    written: int, read: int, parallelism: tuple[int, int], backend: Any, timers: Any, expected: str
) -> None:
    keys = RestoredKeys(written=written, read=read, parallelism=parallelism, timers=timers)

    assert keys.outcome(backend) == expected


def test_keys_survive_where_both_groups_and_their_prefixes_are_equal() -> None:
    def share(written: int, read: int) -> float:
        keys = RestoredKeys(written=written, read=read, parallelism=(2, 3))
        equal = [hash % written == hash % read for hash in range(written * read)]
        counted = sum(equal) / len(equal)
        assert keys.surviving_share in {0, counted}
        return keys.surviving_share

    assert [share(64, 128), share(256, 512), share(100, 128)] == [0.5, 0.5, 1 / 32]
    assert share(128, 256) == 0


def planned(new: Compilation) -> Compilation:
    """The program under a release with the check that is planned for 2.4."""
    return msgspec.structs.replace(
        new, release=msgspec.structs.replace(new.release, restored_maximum="equal")
    )


def test_the_planned_release_refuses_what_loses_keys_today() -> None:
    lost, survived = 0, 0
    for pair in cases("survival"):
        run = next(one for one in pair["runs"] if one["backend"] == "rocksdb")
        new = compile_program(as_document(pair["new"]), "2.3")
        today = flink_verdict(saved(run), new, allow_non_restored=True, backend="rocksdb")
        if today.error is not None:
            continue
        then = flink_verdict(saved(run), planned(new), allow_non_restored=True)
        if {one.outcome for one in today.operators} & {"keys_lost", "fails"}:
            assert "recorded different maximum parallelisms" in (then.error or "")
            lost += 1
        survived += then.error is None

    assert lost > 30
    assert survived > 10
