"""The plan's section Graph: operators, tasks, vertex IDs and settings of the job."""

import pytest

from explorer.plans.graph import graph_section
from tests.plans.plans import COUNT, FILTERED, compared, program


def test_the_same_program_has_the_same_tasks() -> None:
    section = graph_section(compared(program(COUNT), program(COUNT)))

    assert (section.verdict, section.sentence) == ("deploy", "The same 2 tasks.")


def test_a_first_deployment_has_nothing_to_compare() -> None:
    section = graph_section(compared(None, program(COUNT)))

    assert (section.sentence, section.changes) == ("A first deployment: 2 tasks.", ())


@pytest.mark.parametrize(
    ("old", "new", "row"),
    [
        (COUNT, FILTERED, (None, "operator", "The operator is new.")),
        (FILTERED, COUNT, ("operator", None, "The operator is removed.")),
    ],
)
def test_an_operator_of_one_side_is_new_or_removed(
    old: list[dict[str, object]],
    new: list[dict[str, object]],
    row: tuple[str | None, str | None, str],
) -> None:
    section = graph_section(compared(program(old), program(new)))
    found = next(one for one in section.changes if one.subject == "Filter")

    assert (found.before, found.after, found.sentence) == row
    assert found.severity == "note"


def test_another_vertex_id_is_worth_a_warning() -> None:
    case = compared(program(COUNT), program(FILTERED))
    assert case.old_program is not None
    ids = [each.job_graph.vertices[1].id for each in (case.old_program, case.new)]

    (moved,) = (one for one in graph_section(case).changes if one.severity == "warning")
    assert [moved.before, moved.after] == ids
    assert "dashboards and alerts that name the old ID lose the task" in moved.sentence


def test_overrides_that_name_the_old_task_are_named() -> None:
    case = compared(program(COUNT), program(FILTERED))
    assert case.old_program is not None
    old = case.old_program.job_graph.vertices[1].id
    overrides = {"pipeline.jobvertex-parallelism-overrides": f"{old}:4"}

    again = compared(program(COUNT), program(FILTERED), options=overrides)
    (moved,) = (one for one in graph_section(again).changes if one.severity == "warning")
    assert "names the old ID, which no task has any more" in moved.sentence


def test_another_number_of_tasks_is_a_change_of_the_job() -> None:
    cut = [{**one, "chaining_strategy": "HEAD"} if one["id"] == "words" else one for one in COUNT]
    section = graph_section(compared(program(COUNT), program(cut)))

    assert section.sentence.startswith("2 tasks → 3, ")
    assert "The job has 3 tasks instead of 2." in {one.sentence for one in section.changes}


def test_one_task_is_no_plural() -> None:
    source, *_ = COUNT
    sink = {"id": "end", "type": "sink", "inputs": [source["id"]]}
    cut = {**sink, "chaining_strategy": "HEAD"}
    section = graph_section(compared(program([source, sink]), program([source, cut])))

    assert section.sentence.startswith("1 task → 2, ")


def test_settings_of_checkpoints_need_attention_and_resources_stand_elsewhere() -> None:
    new = program(COUNT, checkpoint_interval=60_000, parallelism=4)
    rows = graph_section(compared(program(COUNT), new)).changes

    assert [(one.after, one.severity) for one in rows if one.subject == "the job"] == [
        ("checkpoint interval 60,000", "warning"),
        ("default parallelism 4", "note"),
    ]
    assert not any("slots" in f"{one.before}" for one in rows)
