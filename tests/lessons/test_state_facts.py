"""Questions about state: restores, lookups, moved key groups."""

from typing import Any

import pytest

from explorer.documents import load_document, samples
from explorer.model.lesson import PipelineChange
from explorer.restore.verdict import check_restore
from tests.lessons.asked import A_TO_E, HOURLY, asked
from tests.many_cases import for_each


@pytest.mark.parametrize(
    ("fact", "right", "why"),
    [
        ("restores", ["drops"], "allowNonRestoredState"),
        ("state", ["lost"], "its keyed state finds no operator"),
        ("moved_key_groups", ["96"], "From 2 to 4 subtasks"),
    ],
)
def test_state_is_asked_of_the_restore(fact: str, right: list[str], why: str) -> None:
    about = {} if fact == "restores" else {"operator": "hourly"}
    wider = PipelineChange(set={"hourly": {"parallelism": 4}})
    found = asked(HOURLY, fact, after=wider, **about)

    assert list(found.right) == right
    assert why in found.reason


def test_a_restore_is_asked_from_the_baseline_where_there_is_one() -> None:
    sample = next(one.path for one in samples() if one.key == "19-harmless-deploy")
    document = load_document(sample)
    assert document.baseline is not None
    found = check_restore(load_document(document.baseline["document"]), document)

    assert asked(sample, "restores").reason.startswith(found.sentence)
    assert asked(sample, "restores").right == ("drops",)


PINNED: dict[str, Any] = {
    "flink": "1.20",
    "environment": {"parallelism": 2},
    "transformations": [
        {"id": "s", "type": "source", "uid": "s"},
        {"id": "k", "type": "key_by", "inputs": ["s"]},
        {"id": "c", "type": "reduce", "inputs": ["k"], "uid": "c", "max_parallelism": 100},
        {"id": "t", "type": "timestamps", "inputs": ["c"]},
        {"id": "o", "type": "sink", "inputs": ["t"], "uid": "o"},
    ],
}


@pytest.mark.parametrize(
    ("change", "right"),
    [
        ({"c": {"parallelism": 4}}, "restored"),
        ({"c": {"uid": "other"}}, "drops"),
        ({"c": {"max_parallelism": 50}}, "refused"),
    ],
)
def test_a_restore_holds_drops_state_or_is_refused(change: dict[str, Any], right: str) -> None:
    found = asked(PINNED, "restores", after=PipelineChange(set=change))

    assert found.right == (right,)
    assert ("Its words: " in found.reason) == (right != "restored")


@for_each(
    ("operator", "change", "right"),
    [
        ("c", {"c": {"parallelism": 4}}, "restored"),
        ("c", {"c": {"uid": "other"}}, "lost"),
        ("c", {"c": {"uid": "other"}, "o": {"uid": "c"}}, "lost"),
        ("c", {"c": {"max_parallelism": 50}}, "refused"),
        ("t", {"c": {"parallelism": 4}}, "none"),
    ],
)
def test_state_is_found_lost_refused_or_not_there(
    operator: str, change: dict[str, Any], right: str
) -> None:
    assert asked(PINNED, "state", operator=operator, after=PipelineChange(set=change)).right == (
        right,
    )


def test_an_operator_without_keys_moves_none() -> None:
    wider = PipelineChange(environment={"parallelism": 4})

    found = asked(PINNED, "moved_key_groups", operator="t", after=wider)

    assert (found.right, found.reason) == (("0",), "Timestamps/Watermarks has no keyed state.")


def test_a_maximum_is_the_programs_or_derived() -> None:
    given, derived = (asked(PINNED, "max_parallelism", operator=one) for one in ("c", "s"))

    assert (given.right, derived.right) == (("100",), ("128",))
    assert "The program sets it" in given.reason
    assert "Flink derives it from the parallelism 2" in derived.reason


def test_the_first_subtask_owns_the_first_range_of_key_groups() -> None:
    assert asked(A_TO_E, "max_parallelism", operator="C").right == ("128",)
    assert asked(A_TO_E, "key_groups", operator="C").right == ("64",)
    found = asked(PINNED, "key_groups", operator="c")
    assert found.right == ("50",)
    assert "owns 0 to 49" in found.reason
