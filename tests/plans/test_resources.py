"""The plan's section Resources."""

from explorer.documents import as_document, samples
from explorer.plans import make_plan
from explorer.plans.resources import resources_section
from tests.plans.plans import COUNT, compared, planned, program


def test_a_rescaled_job_needs_more_slots_and_restores_its_state() -> None:
    plan = planned(program(COUNT, parallelism=2), program(COUNT, parallelism=8))

    slots = next(one for one in plan.section("resources").changes if one.subject == "slots")
    assert (slots.before, slots.after) == ("2", "8")
    assert plan.section("state").verdict != "do_not_deploy"


def test_missing_network_buffers_are_the_reason_and_their_fix_was_computed_again() -> None:
    sample = next(one for one in samples() if one.path.name.startswith("18-"))

    plan = make_plan(as_document(sample.path))

    assert plan.headline.startswith("Do not deploy: Flink will refuse: java.io.IOException: Insuff")
    assert plan.headline.endswith("required 2, but only 1 available.")
    (refusal,) = (one for one in plan.section("resources").changes if one.severity == "error")
    given = "-D 'taskmanager.memory.network.min=3mb' -D 'taskmanager.memory.network.max=3mb'"
    assert refusal.fix == f"{given} (computed again with it: the network buffers suffice)"


def test_a_first_deployment_lists_every_figure_as_a_detail() -> None:
    section = resources_section(compared(None, program(COUNT, parallelism=2)))

    assert section.sentence.startswith("It needs 2 slots in ")
    assert section.changes == ()
    figures = {one.subject: one.after for one in section.unchanged}
    assert (figures["slots"], figures["memory of all task managers"]) == ("2", "3.4 GiB")


def test_one_slot_is_named_in_the_singular() -> None:
    section = resources_section(compared(None, program(COUNT)))

    assert section.sentence.startswith("It needs 1 slot in 1 task manager; ")


def test_the_same_program_needs_the_same_resources() -> None:
    section = resources_section(compared(program(COUNT), program(COUNT)))

    assert (section.verdict, section.changes) == ("deploy", ())


def test_options_that_flink_refuses_are_the_section() -> None:
    options = {"taskmanager.memory.process.size": "1mb"}
    section = resources_section(compared(program(COUNT), program(COUNT), options=options))

    assert section.verdict == "do_not_deploy"
    assert section.sentence.startswith("Flink will refuse: ")


def test_old_options_that_flink_refuses_leave_the_figures_of_new() -> None:
    options = {"taskmanager.memory.process.size": "1mb"}
    section = resources_section(compared(program(COUNT), program(COUNT), old_options=options))

    assert section.sentence.startswith("The resources of OLD could not be computed: ")
    assert {one.before for one in section.unchanged} == {None}
