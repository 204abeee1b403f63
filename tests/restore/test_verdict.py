"""A restore from an older document or a savepoint: the clusters' verdicts, and the evidence."""

import base64
from pathlib import Path
from typing import Any

import pytest
import yaml

from explorer import RestoreVerdict, check_restore, compile_graph, load_document
from explorer.flink.key_groups import key_group_range, moved_key_groups
from tests.comparison.small_jobs import CLEANED, COUNT, program
from tests.many_cases import for_each
from tests.savepoints.clusters import restores


def fates(restore: RestoreVerdict) -> dict[str, tuple[str, str, str]]:
    return {one.name: (one.change, one.state, one.outcome) for one in restore.operators}


@pytest.mark.slow
@pytest.mark.parametrize("allowed", ["strict", "allow_non_restored"])
@pytest.mark.parametrize("version", ["1.20", "2.2"])
def test_the_older_document_shows_what_the_cluster_reported(version: str, allowed: str) -> None:
    wrong = []
    for case in restores():
        wanted = next(one for one in case["flink"] if one["version"] == version)[allowed]
        said = check_restore(
            case["old"], case["new"], flink_version=version, allow_non_restored=allowed != "strict"
        )
        if (said.error or "restored") != wanted.strip():
            wrong.append((case["name"], case["changes"], wanted, said.error))

    assert wrong == []


def test_a_moved_operator_is_the_same_one_under_another_id() -> None:
    found = check_restore(program(COUNT), program(CLEANED))

    assert fates(found) == {
        "Source: Custom Source": ("kept", "known", "restored"),
        "Flat Map": ("moved", "possible", "lost"),
        "count": ("moved", "known", "lost"),
        "Sink: Print to Std. Out": ("moved", "none", "empty"),
        "Filter": ("new", "possible", "empty"),
    }
    assert found.verdict == "refused"
    assert found.dropped_if_allowed == ("count",)
    assert "Cannot map checkpoint/savepoint state for operator" in (found.error or "")


def test_nothing_is_lost_at_a_print_sink_and_a_function_s_state_is_a_condition() -> None:
    old = [COUNT[0], COUNT[1], {"id": "out", "type": "sink", "inputs": ["words"]}]
    new = [COUNT[0], COUNT[1] | {"name": "x", "type": "map"}, old[2]]

    found = check_restore(program(old), program([COUNT[0], {**old[2], "inputs": ["lines"]}]))
    assert found.verdict == "restored"
    assert found.lost == ()
    assert "Cannot map" in (found.if_possible or "")
    assert check_restore(program(old), program(new)).if_possible is None


def test_possible_state_that_no_operator_restores_is_unchecked() -> None:
    sample = Path("sample_graphs/03-cut-by-parallelism.yaml").read_text()
    old, new = (
        load_document(yaml.safe_load(text))
        for text in (sample, sample.replace("parallelism: 3, ", ""))
    )

    found = check_restore(old, new)

    (missing,) = (one for one in found.coverage if not one.checked)
    assert (found.verdict, found.exit_code(), missing.aspect) == ("restored", 3, "user code")
    assert "no operator restores the state that 'short', 'costly check'" in missing.because
    assert "user code not checked" in found.sentence


def test_a_uid_hash_rescues_what_moved() -> None:
    moved = next(one for one in check_restore(program(COUNT), program(CLEANED)).lost)
    pinned = [
        one | {"uid_hash": moved.operator_id} if one["id"] == "count" else one for one in CLEANED
    ]

    found = check_restore(program(COUNT), program(pinned))

    (count,) = (one for one in found.operators if one.name == "count")
    assert (count.change, count.outcome, count.rescued) == ("moved", "restored", True)
    assert found.verdict == "restored"
    assert "0 lost" in found.sentence


def test_a_derived_maximum_yields_and_one_that_is_set_does_not() -> None:
    grown = check_restore(program(COUNT, parallelism=2), program(COUNT, parallelism=100))
    fixed = check_restore(program(COUNT), program(COUNT, max_parallelism=256))

    (count,) = (one for one in grown.operators if one.name == "count")
    assert grown.verdict == "restored"
    assert (count.max_parallelism, count.derived) == ((128, 128), (True, True))
    assert count.moved_key_groups == 126
    assert "Max parallelism mismatch" in (fixed.error or "")
    assert "with allowNonRestoredState too" in fixed.sentence


def test_more_subtasks_than_the_savepoint_has_key_groups_are_refused() -> None:
    found = check_restore(program(COUNT, parallelism=2), program(COUNT, parallelism=200))

    assert "is lower than the configured parallelism (200)" in (found.error or "")


@for_each(("before", "after"), [(1, 2), (2, 3), (3, 2), (7, 7), (128, 1)])
def test_key_groups_move_as_their_ranges_do(before: int, after: int) -> None:
    def owners(parallelism: int) -> list[int]:
        ranges = (key_group_range(one, 128, parallelism) for one in range(parallelism))
        return [one for one, (low, high) in enumerate(ranges) for _ in range(low, high + 1)]

    moved = sum(a != b for a, b in zip(owners(before), owners(after), strict=True))
    assert moved_key_groups(128, before, after) == moved


def test_an_operator_that_gets_another_s_id_gets_its_state() -> None:
    old = [*COUNT[:3], {**COUNT[3], "uid": "a"}, COUNT[4]]
    other = {"id": "total", "type": "reduce", "inputs": ["by"], "uid": "a", "name": "total"}
    new = [*COUNT[:3], {**COUNT[3], "uid": "b"}, other, COUNT[4]]

    found = check_restore(program(old), program(new))

    (count,) = (one for one in found.operators if one.name == "count")
    assert (count.change, count.taken_by, count.endangered) == ("moved", "total", True)
    assert "goes to the wrong operator: 'total'" in count.sentence


def test_a_captured_program_is_matched_by_ids_uids_and_names() -> None:
    def captured(transformations: list[dict[str, Any]]) -> dict[str, Any]:
        members: dict[str, Any] = compile_graph({"transformations": transformations}).to_dict()
        for node in members["stream_graph"]["nodes"]:
            node.pop("transformation", None)
        return {"stream_graph": members["stream_graph"]}

    found = check_restore(captured(COUNT), captured(CLEANED))

    changes = {one.name: one.change for one in found.operators}
    assert changes["count"] == "moved"
    assert changes["Filter"] == "new"


def test_a_savepoint_of_another_release_or_without_chaining_finds_its_operators() -> None:
    case = next(one for one in restores() if one["changes"] == ["no_chaining"])
    outcome = next(one for one in case["flink"] if one["version"] == "2.2")

    found = check_restore(base64.b64decode(outcome["metadata"]), {**case["new"], "flink": "2.2"})

    assert not [one for one in found.operators if one.change == "lost" and one.state == "known"]


def test_a_batch_job_leaves_no_state() -> None:
    old, new = (program(each, runtime_mode="BATCH") for each in (COUNT, CLEANED))

    found = check_restore(old, new)

    assert found.exit_code() == 0
    assert {one.state for one in found.operators} == {"none"}
    assert any("takes no checkpoints" in one.sentence for one in found.restrictions)
