"""The plan as a whole: all sections in one record, also for a program that Flink refuses."""

from explorer.documents import as_document
from explorer.plans import make_plan
from explorer.plans.record import SECTIONS
from tests.plans.plans import COUNT, planned, program


def test_the_same_program_changes_nothing() -> None:
    plan = planned(program(COUNT), program(COUNT))

    assert [one.name for one in plan.sections] == list(SECTIONS)
    assert [*plan.changes] == []
    assert plan.section("state").unchanged
    assert "nothing that Flink checks differs" in plan.section("state").sentence
    assert plan.verdict == "deploy"
    assert plan.exit_code() == 0


def test_a_program_that_flink_refuses_is_a_verdict() -> None:
    twice = [{**one, "uid": "u"} if one["id"] in {"words", "count"} else one for one in COUNT]

    plan = planned(program(COUNT), program(twice))

    assert plan.verdict == "do_not_deploy"
    assert "refuses the program" in plan.headline
    assert plan.exit_code() == 1


def test_a_first_deployment_restores_nothing() -> None:
    plan = make_plan(as_document(program(COUNT)))

    assert plan.old is None
    assert plan.section("state").changes == ()
    assert plan.section("state").verdict == "deploy"
