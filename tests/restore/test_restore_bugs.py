"""Bugs of restores that a restore can meet, by the version that restores."""

from typing import Any, Final

import msgspec
import pytest

from explorer import check_restore
from explorer.cli.main import main
from explorer.comparison.baseline import Baseline
from explorer.documents import load_document
from explorer.flink.compiler import compile_program
from explorer.restore.verdict import RestoreVerdict, restore
from explorer.savepoints import Savepoint
from tests.many_cases import for_each
from tests.restore.test_restrictions import checkpoint, document

ONE: Final = {"id": "source", "type": "source", "uid": "source"}
TWO: Final = {"id": "other", "type": "source", "uid": "other"}
PROGRAMS: Final[dict[str, list[dict[str, Any]]]] = {
    "rebalance": [{"id": "edge", "type": "rebalance", "inputs": ["source"]}],
    "custom": [{"id": "edge", "type": "partition_custom", "inputs": ["source"]}],
    "two edges": [
        {"id": "one", "type": "rebalance", "inputs": ["source"]},
        {"id": "two", "type": "shuffle", "inputs": ["source"]},
        {"id": "edge", "type": "union", "inputs": ["one", "two"]},
    ],
    "mixed": [TWO, {"id": "edge", "type": "rebalance", "inputs": ["source"]}],
}


def program(kind: str, width: int, version: str) -> dict[str, Any]:
    """A program with an operator behind an exchange of that kind."""
    slow: dict[str, Any] = {"id": "slow", "type": "process", "uid": "slow", "inputs": ["edge"]}
    if kind == "mixed":
        slow |= {"type": "co_map", "inputs": ["edge", "other"]}
    parts = [ONE | {"parallelism": 4}, *PROGRAMS[kind], slow]
    environment = {"parallelism": width, "chaining": False, "max_parallelism": 8}
    return {"flink": version, "environment": environment, "transformations": parts}


def restored(kind: str, old_width: int, new_width: int, version: str) -> RestoreVerdict:
    """The restore of records in flight before the operator, with another parallelism."""
    side = load_document(program(kind, old_width, version))
    place = f"rebalance:4:{old_width}"
    old = Baseline(name="chk-1", document=side, savepoint=checkpoint(place, side))
    return check_restore(old, program(kind, new_width, version))


def issues(verdict: RestoreVerdict) -> list[str]:
    """The bugs among the restrictions."""
    sentences = [one.sentence for one in verdict.restrictions if one.weight == "unchecked"]
    return sorted(one.partition(":")[0] for one in sentences if one.startswith("FLINK-"))


@for_each(
    ("kind", "widths", "version", "bugs"),
    [
        ("rebalance", (3, 2), "1.17.0", ["FLINK-31963"]),
        ("rebalance", (3, 2), "1.17.1", []),
        ("rebalance", (3, 2), "1.17", ["FLINK-31963"]),
        ("rebalance", (2, 3), "1.17.0", []),
        ("rebalance", (2, 2), "1.17.0", []),
        ("rebalance", (3, 2), "2.1.0", ["FLINK-38483"]),
        ("custom", (2, 3), "1.18.1", ["FLINK-35351"]),
        ("custom", (2, 3), "1.19.1", []),
        ("mixed", (2, 3), "1.20.2", ["FLINK-38267"]),
        ("mixed", (2, 3), "1.20.3", []),
        ("two edges", (2, 3), "2.3.0", ["FLINK-40269"]),
        ("two edges", (2, 2), "2.3.0", []),
    ],
)
def test_bugs_of_unaligned_checkpoints(
    kind: str, widths: tuple[int, int], version: str, bugs: list[str]
) -> None:
    assert issues(restored(kind, *widths, version)) == bugs


@pytest.mark.parametrize(("mode", "bugs"), [("CLAIM", ["FLINK-39964"]), ("NO_CLAIM", [])])
def test_a_claimed_native_savepoint_leaves_checkpoints_that_cannot_be_restored(
    mode: str, bugs: list[str]
) -> None:
    side = "hash:2:2:rocksdb"
    old, new = document(side, "2.2"), document(f"{side}:{mode}", "2.2")
    saved = checkpoint(side, old)
    verdict = restore_saved(saved, old, new)
    assert issues(verdict) == []  # a checkpoint, which shares files with others

    verdict = restore_saved(self_contained(saved), old, new)
    assert issues(verdict) == bugs
    assert bool(verdict.assumptions) or not bugs


def restore_saved(saved: Savepoint, old: Any, new: Any) -> RestoreVerdict:
    return restore(
        Baseline(name="sp-1", document=old, savepoint=saved), new, compile_program(new, "2.2.1")
    )


def self_contained(saved: Savepoint) -> Savepoint:
    """The same as a native savepoint: all files are in its own folder."""
    (operator,) = saved.operators
    subtasks = [
        msgspec.structs.replace(
            one,
            handles=tuple(
                msgspec.structs.replace(handle, is_relocatable=True) for handle in one.handles
            ),
        )
        for one in operator.subtasks
    ]
    operator = msgspec.structs.replace(operator, subtasks=tuple(subtasks))
    return msgspec.structs.replace(saved, operators=(operator,))


def test_a_checkpoint_of_an_affected_version_may_be_broken() -> None:
    old = document("hash:2:2:rocksdb", "2.2")
    baseline = Baseline(
        name="chk-1",
        document=old,
        savepoint=checkpoint("hash:2:2:rocksdb", old),
        flink_version="2.2.0",
    )
    verdict = restore(baseline, old, compile_program(old))

    (note,) = [one.sentence for one in verdict.restrictions if "FLINK-39964" in one.sentence]
    assert note.startswith("If OLD itself was started with the claim mode CLAIM")


def test_the_shell_names_the_bug_the_condition_and_the_fix(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["releases", "--from", "1.20.2", "--to", "2.2.1"]) == 0
    out = capsys.readouterr().out
    assert "FLINK-35661: records of other keys are dropped" in out
    assert "Flink 1.20.2 has it; Flink 2.2.1 does not have it. Fixed in 1.20.3" in out


def test_a_bug_strikes_an_unchanged_program_too() -> None:
    values = program("rebalance", 2, "2.2.1")
    for item in values["transformations"]:
        if item["id"] == "slow":
            item |= {"name": "GroupAggregate[5]"}
    assigner = {"id": "batches", "type": "map", "uid": "b", "inputs": ["source"]}
    values["transformations"].append(assigner | {"name": "MiniBatchAssigner[2]"})

    verdict = check_restore(values, values)

    assert verdict.unchanged
    assert issues(verdict) == ["FLINK-35661"]
    assert verdict.exit_code() == 3
    assert (
        check_restore(values, values, flink_version="2.3.0", old_flink_version="2.3.0").exit_code()
        == 0
    )
