"""Rules about state: uids, IDs, names and maximum parallelisms."""

from typing import Any

import pytest

from explorer.checks.checking import check_document
from explorer.checks.findings import Finding
from explorer.documents import load_document
from explorer.edits import apply_change
from explorer.model.changes import Proposal
from tests.checks.findings import found, messages
from tests.checks.pairs import BARE, COUNT, LINE, PAIRS, SOURCE, changed, job, op, option, within
from tests.many_cases import for_each


def test_only_the_first_operator_of_a_transformation_is_asked_for_a_uid() -> None:
    sink = op("out", "sink_v2", "s", committer=True)

    assert [one.about for one in found("ST02", job(SOURCE, sink))] == [("out",)]
    assert len(found("ST02", job(op("s", "source"), sink))) == 1
    assert len(found("ST01", job(op("s", "source"), sink))) == 2


def test_with_chaining_off_no_id_depends_on_chains() -> None:
    assert found("ST03", BARE)
    assert not found("ST03", within(BARE, chaining=False))


def test_a_uid_of_two_operators_is_changed_at_the_second() -> None:
    (collision,) = found("ST04", changed(LINE, "out", uid="s"))

    assert (collision.about, collision.path) == (("s", "out"), "transformations[2].uid")
    assert [one.label for one in collision.proposals] == ["Give out the uid s-out"]


@for_each(
    ("uid", "random"),
    [
        ("0f8fad5bd9cb469fa16570867728950e", True),
        ("orders-1711929600", True),
        ("orders-1711929600123", True),
        ("orders-1411929600", False),
        ("orders-17119296001", False),
        ("flights-2024", False),
    ],
)
def test_a_uid_that_holds_a_uuid_or_a_time_looks_random(uid: str, random: bool) -> None:  # noqa: FBT001
    assert bool(found("ST06", changed(LINE, "m", uid=uid))) == random


def named_alike_after(document: dict[str, Any], proposal: Proposal) -> tuple[Finding, ...]:
    """The findings about names that a proposal's change leaves."""
    pipeline = load_document(document).pipeline
    assert pipeline is not None
    return check_document(apply_change(pipeline, proposal.change), codes={"NM01"}).findings


def test_operators_of_one_name_are_one_finding() -> None:
    three = job(
        SOURCE,
        *(op(id, "map", "s", name="same", uid=id) for id in "abc"),
        op("d", "map", "s", name="same b", uid="d"),
        *(op(f"out-{id}", "sink", id, name=id, uid=f"out-{id}") for id in "abcd"),
    )

    (shared,) = found("NM01", three)

    assert shared.message.startswith("3 operators are called 'same' (a, b and c)")
    (proposal,) = shared.proposals
    assert proposal.label == "Name b and c apart"
    assert not named_alike_after(three, proposal)


@pytest.mark.parametrize(("shared", "same"), [(80, True), (79, False)])
def test_names_that_differ_behind_the_cut_are_the_same(shared: int, same: bool) -> None:  # noqa: FBT001
    two = job(
        SOURCE,
        *(op(id, "map", "s", name="n" * shared + id, uid=id) for id in "ab"),
        *(op(f"out-{id}", "sink", id, name=id, uid=f"out-{id}") for id in "ab"),
    )

    findings = found("NM01", two)

    assert len(findings) == same
    if same:
        assert "2 operators are after 80 characters, where Flink cuts" in findings[0].message
        (proposal,) = findings[0].proposals
        assert not named_alike_after(two, proposal)


@pytest.mark.parametrize(
    ("parallelism", "maximum", "most"), [(1, 128, 85), (100, 256, 171), (200, 512, 341)]
)
def test_a_derived_maximum_holds_up_to_the_most_subtasks(
    parallelism: int, maximum: int, most: int
) -> None:
    (derived,) = messages("MP01", changed(COUNT, "count", parallelism=parallelism))

    assert f"at parallelism {parallelism} Flink derives {maximum}, above {most} " in derived


def test_the_largest_maximum_is_derived_for_every_larger_parallelism() -> None:
    (derived,) = messages("MP01", changed(COUNT, "count", parallelism=30_000))

    assert "Flink derives 32,768, and a savepoint fixes the value" in derived


@pytest.mark.parametrize(("parallelism", "skewed"), [(64, False), (85, True), (128, False)])
def test_key_groups_are_skewed_from_one_and_a_half_on(parallelism: int, skewed: bool) -> None:  # noqa: FBT001
    document = changed(COUNT, "count", parallelism=parallelism, max_parallelism=128)

    assert bool(found("MP03", document)) == skewed


def test_too_many_subtasks_have_a_fix_where_the_number_is_set() -> None:
    by_option = found("MP04", PAIRS["MP04"].bad)
    by_operator = found(
        "MP04", option(changed(COUNT, "count", parallelism=8), "pipeline.max-parallelism", 4)
    )

    labels = [[one.label for one in finding.proposals] for finding in (*by_option, *by_operator)]
    assert labels[0][:2] == ["Set pipeline.max-parallelism to 8", "Set the job's parallelism to 4"]
    assert labels[1] == ["Set pipeline.max-parallelism to 8", "Set parallelism of count to 4"]
