"""What a verdict assumes of the maximum parallelisms that a savepoint records."""

from typing import Any

from explorer import check_restore
from explorer.documents import as_document
from explorer.flink.compiler import compile_program
from explorer.savepoints import expected_savepoint
from tests.many_cases import for_each
from tests.plans.plans import COUNT, program

FILTER: dict[str, Any] = {"id": "long", "type": "filter", "inputs": ["count"], "uid": "long"}


def pinned(transformations: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same with uids, so that no ID depends on the topology."""
    return [
        one if one["type"] == "key_by" else {**one, "uid": f"my {one['id']}"}
        for one in transformations
    ]


OLD = pinned(COUNT)
SET: dict[str, Any] = {"parallelism": 2, "max_parallelism": 64}
FILTERED = [*OLD[:-1], FILTER, {**OLD[-1], "inputs": ["long"]}]


@for_each(
    ("new", "before", "after", "assumed"),
    [
        (OLD, {"parallelism": 2}, {"parallelism": 2}, False),
        (OLD, {"parallelism": 86}, {"parallelism": 2}, False),
        (
            FILTERED,
            {"parallelism": 2, "max_parallelism": 64},
            {"parallelism": 2, "max_parallelism": 64},
            False,
        ),
        (OLD, {"parallelism": 2}, {"parallelism": 2, "max_parallelism": 128}, True),
        (OLD, {"parallelism": 100}, {"parallelism": 150}, True),
        (OLD, {"parallelism": 100}, {"parallelism": 90}, False),
        # What the old program sets is recorded as it is.
        (OLD, {"parallelism": 2, "max_parallelism": 1024}, {"parallelism": 200}, False),
    ],
)
def test_a_derived_maximum_is_assumed_where_another_record_changes_the_outcome(
    new: list[dict[str, Any]], before: dict[str, Any], after: dict[str, Any], *, assumed: bool
) -> None:
    verdict = check_restore(program(OLD, **before), program(new, **after), flink_version="2.3")

    assert any("bring the savepoint" in one for one in verdict.assumptions) == assumed
    assert not assumed or not verdict.fully_checked
    # What no document shows comes first; it is never fully checked.
    assert verdict.unchecked
    assert "Not checked: " not in verdict.sentence


def test_a_new_operator_that_decides_rests_on_the_assumption() -> None:
    outcomes = {}
    for name in "abcdefgh":
        inserted = {**FILTER, "uid": name}
        new = [*OLD[:-1], inserted, {**OLD[-1], "inputs": ["long"]}]
        verdict = check_restore(program(OLD), program(new), flink_version="2.3")
        rescaled = check_restore(
            program(OLD, parallelism=90), program(new, parallelism=2), flink_version="2.3"
        )
        assert verdict.verdict == "restored"
        outcomes[name] = bool(verdict.assumptions), bool(rescaled.endangered_keys)

    # The uid alone decides whether the new operator is the last one of the hash map.
    assert set(outcomes.values()) == {(True, True), (False, False)}


def test_a_savepoint_is_not_assumed() -> None:
    old = compile_program(as_document(program(OLD)), "2.3")
    savepoint = expected_savepoint(old, old.held_states)

    for name in "abcdefgh":
        new = [*OLD[:-1], {**FILTER, "uid": name}, {**OLD[-1], "inputs": ["long"]}]
        assert not check_restore(savepoint, program(new), flink_version="2.3").assumptions
