"""Maps operator IDs of the baseline to operators of the baseline and of the new program."""

import pytest

from explorer.documents import load_document
from explorer.explain.formers import drop_explained_ids, find_former_ids
from explorer.lookup.whatis import whatis
from explorer.restore.verdict import check_restore
from tests.comparison.small_jobs import CLEANED, COUNT, program

RESTORE = check_restore(program(COUNT), program(CLEANED))
IDS = {one.name: one.operator_id or "" for one in RESTORE.operators}


def test_ids_of_a_text_are_found_in_its_order() -> None:
    text = f"no operator for {IDS['count']}, nor for {IDS['Flat Map'][:8]}"

    assert [one.operator.name for one in find_former_ids(text, RESTORE)] == ["count", "Flat Map"]


def test_an_id_that_both_have_is_not_the_baselines_alone() -> None:
    assert find_former_ids(IDS["Source: Custom Source"], RESTORE) == ()
    assert find_former_ids("0" * 32, RESTORE) == ()


@pytest.mark.parametrize("pinned", [True, False])
def test_a_uid_hash_fixes_an_operator_with_another_id(pinned: bool) -> None:  # noqa: FBT001
    pin = {"uid_hash": IDS["count"]} if pinned else {}
    new = [one | (pin if one["id"] == "count" else {}) for one in CLEANED]
    found = check_restore(program(COUNT), program(new))

    (count,) = find_former_ids(IDS["count"], found)

    now = next(one.new_id for one in found.operators if one.name == "count")
    was = f"{IDS['count']} was 'count' in the baseline ({found.old}); it is now {now}"
    assert count.operator.rescued is pinned
    assert count.sentence == (
        f"{was}, and its uid hash finds the state."
        if pinned
        else f"{was}; keep it with this uid hash: {IDS['count']}"
    )


def test_a_removed_operator_has_no_fix() -> None:
    shorter = [*COUNT[:3], COUNT[4] | {"inputs": ["words"]}]

    (count,) = find_former_ids(IDS["count"], check_restore(program(COUNT), program(shorter)))

    assert count.operator.node is None
    assert count.sentence.endswith("which this pipeline no longer has.")


def test_an_answer_has_no_guesses_about_ids_that_the_baseline_explains() -> None:
    text = f"{IDS['count']} {'0' * 32}"
    answer = whatis(text, load_document(program(CLEANED)))
    assert IDS["count"] in {*answer.unknown, *answer.positions}

    left = drop_explained_ids(answer, find_former_ids(text, RESTORE))

    assert IDS["count"] not in {*left.unknown, *left.positions}
    assert "0" * 32 in {*left.unknown, *left.positions}
