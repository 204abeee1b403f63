"""The one verdict on a deployment: its answer, its exit code, and what it did not check."""

from typing import Any

import pytest

from explorer.comparison.baseline import Baseline
from explorer.documents import load_document
from explorer.flink.compiler import compile_program
from explorer.restore.verdict import RestoreVerdict, restore


def document(*more: dict[str, Any], **count: Any) -> dict[str, Any]:
    last = more[-1]["id"] if more else "s"
    transformations = [
        {"id": "s", "type": "source", "uid": "in"},
        *more,
        {"id": "k", "type": "key_by", "inputs": [last], "keys": ["w"]},
        {"id": "count", "type": "reduce", "inputs": ["k"], **count},
        {"id": "o", "type": "sink", "inputs": ["count"], "uid": "out"},
    ]
    return {"transformations": transformations}


def verdict(old: dict[str, Any], new: dict[str, Any], **options: Any) -> RestoreVerdict:
    program = load_document(new)
    baseline = Baseline(name="v1", document=load_document(old))
    return restore(baseline, program, compile_program(program, "1.20"), **options)


FILTER = {"id": "f", "type": "filter", "inputs": ["s"]}
PLAIN, CHANGED = document(), document(FILTER)
UID, UID_CHANGED = document(uid="count"), document(FILTER, uid="count")


def test_without_types_a_restore_is_not_fully_checked() -> None:
    found = verdict(UID, UID_CHANGED)

    assert (found.answer, found.verdict, found.holds) == ("not fully checked", "restored", True)
    assert (found.exit_code(), found.exit_code(accept_unchecked=True)) == (3, 0)


def test_state_whose_id_changed_is_refused_or_dropped() -> None:
    refused = verdict(PLAIN, CHANGED)
    dropped = verdict(PLAIN, CHANGED, allow_non_restored=True)

    assert (refused.answer, refused.exit_code()) == ("Flink will refuse", 1)
    assert refused.exit_code(accept_unchecked=True) == 1
    assert dropped.answer == "Flink drops state"
    assert [one.change for one in refused.changed_ids] == ["moved"]


def test_a_match_decides_nothing_about_ids() -> None:
    assert verdict(PLAIN, CHANGED, matches={"count": "count"}).answer == "Flink will refuse"


def test_a_maximum_parallelism_that_changed_is_refused() -> None:
    found = verdict(document(uid="c", max_parallelism=64), document(uid="c", max_parallelism=32))

    assert found.answer == "Flink will refuse"
    assert "refuses, with allowNonRestoredState too" in found.sentence


def test_the_document_has_what_the_record_has() -> None:
    found = verdict(UID, UID_CHANGED)
    members = found.to_dict()

    assert members["answer"] == found.answer
    assert members["headline"] == found.headline
    assert found.headline.startswith("Against v1 (Flink 1.20): ")
    assert members["releases"] == ["1.20", "1.20"]


@pytest.mark.parametrize("allow", [True, False])
def test_a_program_that_did_not_change_loses_nothing(allow: bool) -> None:  # noqa: FBT001
    found = verdict(PLAIN, PLAIN, allow_non_restored=allow)

    assert found.holds
    assert found.changed_ids == ()
    assert found.changes == ()
