"""Pins carry the state over: what is given, what cannot be, and the verdict afterwards."""

from typing import Any

import pytest
from hypothesis import assume, given

from explorer import check_restore, load_document
from explorer.comparison.baseline import Baseline
from explorer.documents import Document
from explorer.flink.compiler import compile_program
from explorer.model.pipeline import Pipeline
from explorer.restore.bridge import Bridge, give_uids, pin_ids
from explorer.restore.verdict import restore
from explorer.savepoints import OperatorState, Savepoint
from explorer.savepoints.savepoint import StateHandle, SubtaskState
from tests.comparison.small_jobs import CLEANED, COUNT, program
from tests.savepoints.clusters import restores
from tests.strategies import pipelines


def loaded(*transformations: dict[str, Any]) -> Document:
    return load_document(program(list(transformations)))


def bridged(old: Document, new: Document) -> Bridge:
    return pin_ids(check_restore(old, new), new)


def test_every_moved_id_is_pinned_and_nothing_is_lost_then() -> None:
    old, new = loaded(*COUNT), loaded(*CLEANED)

    bridge = bridged(old, new)

    assert [pin.handle for pin in bridge.pins] == ["words", "count", "out"]
    after = check_restore(old, bridge.document)
    assert after.verdict == "restored"
    assert not [one for one in after.operators if one.endangered]
    assert all(one.rescued for one in after.operators if one.change == "moved")


def test_the_lines_are_those_of_java_and_of_python() -> None:
    pin = bridged(loaded(*COUNT), loaded(*CLEANED)).pins[1]

    assert pin.java == f'.setUidHash("{pin.uid_hash}")  // count'
    assert pin.python == f'.set_uid_hash("{pin.uid_hash}")  # count'


def test_every_operator_with_state_gets_a_uid_and_restores_its_state() -> None:
    old, new = loaded(*COUNT), loaded(*CLEANED)

    bridge = give_uids(check_restore(old, new), new)

    assert [pin.uid for pin in bridge.pins] == ["lines", "words", "count", "clean"]
    after = check_restore(old, bridge.document)
    assert after.verdict == "restored"
    assert after.if_possible is None
    # Once there is a savepoint of it, a change in front of them moves nothing.
    further = [one | {"uid": one["id"]} if one["type"] == "reduce" else one for one in CLEANED]
    assert check_restore(bridge.document, loaded(*further)).lost[0].name != "count"


def test_a_sink_that_accepts_no_hash_is_left_with_a_sentence() -> None:
    def stored(transformations: list[dict[str, Any]]) -> Document:
        last = {"id": "out", "type": "sink_v2", "inputs": ["count"], "committer": True}
        return loaded(*transformations[:-1], last)

    bridge = bridged(stored(COUNT), stored(CLEANED))

    assert len(bridge.left) == 2
    assert "setCommitterUidHash" in bridge.left[1]


def test_an_id_that_another_has_now_is_not_pinned() -> None:
    old = loaded(*COUNT[:3], {**COUNT[3], "uid": "a"}, COUNT[4])
    other = {"id": "total", "type": "reduce", "inputs": ["by"], "uid": "a", "name": "total"}
    new = loaded(*COUNT[:3], {**COUNT[3], "uid": "b"}, other, COUNT[4])

    assert "its old ID is 'total''s now" in bridged(old, new).left[0]


@pytest.mark.slow
@pytest.mark.parametrize("version", ["1.20", "2.2"])
def test_pins_rescue_what_the_clusters_lost(version: str) -> None:
    """Every golden restore that was refused for a moved operator restores with its pins."""
    rescued = 0
    for case in restores():
        old, new = (load_document({**case[side], "flink": version}) for side in ("old", "new"))
        before = check_restore(old, new)
        if not any(one.change == "moved" and one.endangered for one in before.operators):
            continue
        bridge = pin_ids(before, new)
        after = check_restore(old, bridge.document)
        moved = [one for one in after.operators if one.change == "moved" and one.state == "known"]
        assert all(one.outcome != "lost" or bridge.left for one in moved), case["name"]
        rescued += bool(moved)
    assert rescued > 5


def in_flight(kind: str, operator_id: str, parallelism: int) -> Savepoint:
    """A checkpoint in which one operator left records in flight."""
    handle = StateHandle(kind=kind, format="", bytes=9, files=("/x/1",), is_relocatable=False)
    subtasks = tuple(
        SubtaskState(subtask=one, finished=False, handles=(handle,)) for one in range(parallelism)
    )
    state = OperatorState(
        operator_id=operator_id,
        name=None,
        uid=None,
        parallelism=parallelism,
        max_parallelism=128,
        coordinator_bytes=None,
        fully_finished=False,
        subtasks=subtasks,
    )
    return Savepoint(version=3, checkpoint_id=1, operators=(state,), master_states=(), path="chk-1")


@pytest.mark.parametrize(
    ("flink", "sentence"),
    [
        ("1.11", "rescaling not supported for its state (old: 2, new: 1)"),
        ("1.13", "keep them for as long as the new job"),
        ("1.20", "claim mode CLAIM"),
    ],
)
def test_records_in_flight_and_foreign_files_restrict_by_release(flink: str, sentence: str) -> None:
    document = load_document(program([{**COUNT[0], "type": "legacy_source"}, *COUNT[1:]], flink))
    done = compile_program(document)
    count = next(one.id for one in done.stream_graph.nodes if one.name == "count")
    saved = in_flight("input channel", done.hashes[count], 2)

    found = restore(Baseline(name="chk-1", savepoint=saved), document, done)

    assert any(sentence in one.sentence for one in found.restrictions), found.restrictions


def test_a_channel_with_records_in_flight_must_stay_one() -> None:
    document = load_document(program(COUNT))
    done = compile_program(document)
    words = next(one.id for one in done.stream_graph.nodes if one.transformation == "words")
    saved = in_flight("input channel", done.hashes[words], 1)

    found = restore(Baseline(name="chk-1", savepoint=saved), document, done)

    assert any("chained to its input now" in one.sentence for one in found.restrictions)


def test_a_program_with_unaligned_checkpoints_is_restored_from_a_savepoint() -> None:
    old = program(COUNT, checkpoint_interval=1000, checkpointing={"unaligned": True})
    document = load_document(program(COUNT))

    found = restore(
        Baseline(name="old", document=load_document(old)), document, compile_program(document)
    )

    assert "restore from a savepoint" in found.restrictions[0].sentence
    assert any(one.what == "unaligned checkpoints" for one in found.changes)
    assert found.to_dict()["verdict"] == "restored"


@given(pipelines())
def test_a_program_restores_from_itself_and_nothing_changes(pipeline: Pipeline) -> None:
    done = compile_program(pipeline, "1.20")

    found = restore(Baseline(name="itself", document=pipeline.under("1.20")), pipeline, done)

    assert found.verdict == "restored"
    assert found.if_possible is None
    assert not [one for one in found.operators if one.change != "kept" or one.endangered]
    assert [one.what for one in found.changes if one.what != "Flink release"] == []


@given(pipelines())
def test_without_chaining_every_state_is_found_by_its_pin(pipeline: Pipeline) -> None:
    # Two operators of one uid hash ask for the same state.
    pinned = [one.uid_hash for one in pipeline.transformations if one.uid_hash]
    assume(len(set(pinned)) == len(pinned))
    old, new = pipeline.under("1.20"), pipeline.under("1.20").with_chaining(on=False)

    bridge = pin_ids(check_restore(old, new), new)

    after = check_restore(old, bridge.document)
    # What is refused was found; that an operator alone has a maximum of its own fixes no pin.
    lost = [one for one in after.operators if one.endangered and one.outcome != "refused"]
    assert len(lost) <= len(bridge.left)
