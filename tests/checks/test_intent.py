"""Rules about intent: expectations of the document, and the content of its lock."""

from explorer.checks.checking import check_document
from explorer.checks.findings import Finding
from explorer.checks.lock import make_lock
from explorer.documents import load_document
from explorer.flink.compiler import compile_program
from tests.checks.findings import found, messages
from tests.checks.pairs import (
    BARE,
    COUNT,
    LINE,
    SOURCE,
    Document,
    changed,
    expecting,
    job,
    op,
    within,
)


def locked(code: str, before: Document, now: Document) -> list[Finding]:
    """The findings of a rule on a document that is locked as another."""
    old, new = (load_document({"flink": "1.20", **one}) for one in (before, now))
    lock = make_lock(compile_program(old))
    return [one for one in check_document(new, lock=lock).findings if one.code == code]


def labels(finding: Finding) -> list[str]:
    return [one.label for one in finding.proposals]


def test_operators_without_an_edge_are_apart_without_a_reason() -> None:
    apart = changed(LINE, "m", chaining_strategy="HEAD")

    assert messages("EX01", expecting(apart, chained=[["s", "out"]])) == [
        "s and out should share a task but are in two."
    ]
    assert not messages("EX01", expecting(LINE, chained=[["s", "out"]]))


def test_both_ends_may_start_a_new_chain() -> None:
    (together,) = found("EX02", expecting(LINE, apart=[["s", "m"]]))

    assert labels(together) == ["Start a new chain at m", "Start a new chain at s"]


def test_slots_are_counted_by_slot_sharing_group() -> None:
    grouped = within(changed(LINE, "m", slot_sharing_group="own"), parallelism=3)

    assert messages("EX04", expecting(grouped, slots=3)) == [
        "3 slots are expected, and the job has 6."
    ]
    assert not messages("EX04", expecting(grouped, slots=6))


def test_an_expected_id_may_be_the_uid_hash_in_capitals() -> None:
    pinned = changed(COUNT, "count", uid_hash="ab" * 16)

    assert not messages("EX05", expecting(pinned, ids={"count": "AB" * 16}))
    (moved,) = found("EX05", expecting(COUNT, ids={"count": "AB" * 16}))
    assert labels(moved)[0] == "Keep abababab… as uid hash of count"
    assert labels(moved)[1].startswith("Expect ")


def test_a_uid_hash_restores_a_locked_id() -> None:
    old = compile_program(load_document({"flink": "1.20", **BARE}))
    id = next(old.hashes[node.id] for node in old.stream_graph.nodes if node.uid is None)

    (moved,) = locked("LK01", BARE, COUNT)

    assert (moved.in_lock, moved.about) == (True, ("count",))
    assert labels(moved) == [f"Keep {id[:8]}… as uid hash of count"]
    assert not locked("LK01", BARE, changed(COUNT, "count", uid_hash=id))


def test_a_chain_without_one_of_its_operators_is_another_chain() -> None:
    shorter = job(SOURCE, op("out", "sink", "s", uid="out"))

    (merged,) = locked("LK02", LINE, shorter)

    assert merged.message.startswith("The chain '[s, m, out]' is now '[s, out]'.")
    assert merged.proposals == ()


def test_a_maximum_that_was_derived_is_not_one_that_is_set() -> None:
    fixed = within(COUNT, max_parallelism=128)

    now_set, now_derived = locked("LK04", COUNT, fixed), locked("LK04", fixed, COUNT)

    assert "It was derived and is set now" in now_set[0].message
    assert labels(now_set[0]) == ["Leave it to Flink at s"]
    assert "It was set and is derived now" in now_derived[0].message
    assert labels(now_derived[0]) == ["Set max parallelism to 128 at s"]


def test_operators_that_came_and_went_are_in_the_lock_or_in_the_document() -> None:
    renamed = job(SOURCE, op("n", "map", "s", uid="n"), op("out", "sink", "n", uid="out"))

    gone, new = locked("LK05", LINE, renamed)

    assert (gone.about, gone.path, gone.in_lock) == (("m",), "operators.m", True)
    assert (new.about, new.path, new.in_lock) == (("n",), "transformations[1]", False)
