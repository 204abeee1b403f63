"""Records of restore verdicts: their sentences, their sides, and their exit codes."""

import json
from typing import Any

from msgspec.structs import replace

from explorer import RestoreVerdict, check_restore
from explorer.model.stream_graph import NodeId
from explorer.restore.restored import SHOWN, Candidate, RestoredOperator, dropped_operators
from tests.comparison.small_jobs import CLEANED, COUNT, changed, program
from tests.many_cases import for_each

UID = changed("count", uid="count")
"""The count under a uid."""
OTHER = {"id": "total", "type": "reduce", "inputs": ["by"], "uid": "count", "name": "total"}
TAKEN: list[dict[str, Any]] = [*changed("count", uid="b")[:4], OTHER, COUNT[4]]
"""Another operator has the uid of the count."""


def restored(
    old: list[dict[str, Any]], new: list[dict[str, Any]], **options: Any
) -> RestoreVerdict:
    return check_restore(program(old), {**program(new), "name": "other words"}, **options)


def operator(found: RestoreVerdict, name: str = "count") -> RestoredOperator:
    (one,) = (each for each in found.operators if each.name == name and each.operator_id)
    return one


@for_each(
    ("old", "new", "sentence"),
    [
        (COUNT, COUNT, "its keyed state is found by its ID"),
        (
            COUNT,
            CLEANED,
            "its keyed state finds no operator: Flink refuses, or drops it if non-restored state "
            "is allowed",
        ),
        (UID, TAKEN, "its keyed state goes to the wrong operator: 'total' has its ID now"),
        (
            changed("count", max_parallelism=64),
            changed("count", max_parallelism=32),
            "its keyed state is refused",
        ),
    ],
)
def test_an_operators_sentence_reports_the_fate_of_its_state(
    old: list[dict[str, Any]], new: list[dict[str, Any]], sentence: str
) -> None:
    assert operator(restored(old, new)).sentence == sentence


def test_operators_without_state_have_none_to_lose() -> None:
    found = restored(COUNT, CLEANED)

    assert operator(found, "Sink: Print to Std. Out").sentence == "it has no state to lose"
    assert operator(found, "Flat Map").sentence.startswith("its ")
    assert "if any, finds no operator" in operator(found, "Flat Map").sentence
    new = next(one for one in found.operators if one.change == "new")
    assert new.sentence == "starts without state"


def test_many_candidates_are_counted() -> None:
    one = operator(restored(COUNT, CLEANED))
    candidates = tuple(
        Candidate(node=NodeId(n), name="x", operator_id=f"{n:032x}", handle="x")
        for n in range(SHOWN + 3)
    )

    unclear = replace(one, match="ambiguous", candidates=candidates)

    assert unclear.unclear
    assert unclear.sentence.endswith("or 3 more")
    assert unclear.sentence.count("'x'") == SHOWN


def test_a_uid_hash_rescues_an_operator_that_moved() -> None:
    moved = operator(restored(COUNT, CLEANED))
    pinned = [
        one | ({"uid_hash": moved.operator_id} if one["id"] == "count" else {}) for one in CLEANED
    ]

    rescued = operator(restored(COUNT, pinned))

    assert (moved.rescued, moved.endangered) == (False, True)
    assert (rescued.rescued, rescued.endangered) == (True, False)
    assert rescued.sentence == "its keyed state is found by its uid hash"


@for_each(
    ("old", "new", "allow", "sentence"),
    [
        (
            UID,
            UID,
            False,
            "IDs and parallelism match under Flink 2.2: 2 states found, 0 lost; key types, state "
            "types and user code not checked.",
        ),
        (
            COUNT,
            CLEANED,
            False,
            "Flink 2.2 refuses; it restores only with allowNonRestoredState, and then drops the "
            "state of 'count'.",
        ),
        (
            COUNT,
            CLEANED,
            True,
            "IDs and parallelism were checked under Flink 2.2: 1 state found; Flink drops the "
            "state of 'count'; 3 IDs changed; state types and user code not checked.",
        ),
        (
            UID,
            TAKEN,
            False,
            "State goes to the wrong operator: that of 'count' to 'total'. Flink 2.2 accepts this "
            "restore.",
        ),
    ],
)
def test_the_sentence_of_a_verdict(
    old: list[dict[str, Any]],
    new: list[dict[str, Any]],
    allow: bool,  # noqa: FBT001
    sentence: str,
) -> None:
    found = restored(old, new, allow_non_restored=allow)

    assert found.sentence == sentence


def test_exit_codes_differ_for_refused_unchecked_and_checked() -> None:
    refused, unchecked, wrong = (
        restored(*pair) for pair in ((COUNT, CLEANED), (COUNT, COUNT), (UID, TAKEN))
    )
    checked = replace(unchecked, coverage=())

    assert [one.exit_code() for one in (refused, wrong, unchecked, checked)] == [1, 1, 3, 0]
    assert refused.exit_code(accept_unchecked=True) == 1
    assert unchecked.exit_code(accept_unchecked=True) == 0
    assert [one.holds for one in (refused, wrong, unchecked)] == [False, False, True]


def test_lost_are_operators_whose_state_is_certain() -> None:
    found = restored(COUNT, CLEANED)

    assert [one.name for one in found.lost] == ["count"]
    assert dropped_operators(found.operators) == found.lost
    assert {one.name for one in found.operators if one.outcome == "lost"} == {"count", "Flat Map"}


def test_the_record_is_json_with_what_is_derived() -> None:
    found = restored(UID, TAKEN)

    members = json.loads(json.dumps(found.to_dict()))

    assert members["sentence"] == found.sentence
    assert members["verdict"] == "restored"
    assert members["checked"] == [*found.checked]
    assert {*members["unchecked"]} == {"key types", "state types", "user code"}
    assert len(members["operators"]) == len(found.operators)


def test_matches_are_by_the_old_ids() -> None:
    found = restored(COUNT, CLEANED)

    count = operator(found)
    assert count.operator_id is not None
    assert found.matches[count.operator_id].node == count.node
    assert set(found.matches) == {one.operator_id for one in found.operators if one.operator_id}


@for_each(
    ("outcome", "surviving_share", "effect"),
    [
        ("fails", 0.0, "a task fails while it restores or runs"),
        ("keys_lost", 0.0, "all of its keys start without state, and there is no error"),
        ("keys_lost", 0.999, "about 1 % of its keys start without state, and there is no error"),
        ("keys_lost", 0.001, "about 99 % of its keys start without state, and there is no error"),
    ],
)
def test_what_another_number_of_key_groups_does_is_said(
    outcome: Any, surviving_share: float, effect: str
) -> None:
    restored_operator = RestoredOperator(
        change="kept",
        name="count",
        state="known",
        what="keyed state",
        outcome=outcome,
        max_parallelism=(128, 1_024),
        surviving_share=surviving_share,
    )

    assert restored_operator.fate == (
        f"was written with 128 key groups and is read with 1,024: {effect}"
    )
