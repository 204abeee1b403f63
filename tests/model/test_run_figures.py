"""Figures of runs: sums and means of what the subtasks report."""

from explorer.model.run_figures import SubtaskFigures, TaskFigures, mean, total


def subtask(number: int, busy_ms: int | None = None, busy: float | None = None) -> SubtaskFigures:
    return SubtaskFigures(
        subtask=number,
        state="RUNNING",
        records_in=10,
        records_out=20,
        bytes_in=100,
        bytes_out=200,
        busy_ms=busy_ms,
        busy=busy,
    )


def test_a_missing_figure_is_in_no_sum_and_no_mean() -> None:
    assert (total([1, None, 2]), total([None]), total([]), total([0])) == (3, None, None, 0)
    assert (mean([1, None, 2]), mean([None]), mean([]), mean([0.0])) == (1.5, None, None, 0.0)


def test_a_tasks_figures_are_those_of_its_subtasks_together() -> None:
    task = TaskFigures(
        id="0" * 32, state="RUNNING", subtasks=(subtask(0, 5, 0.5), subtask(1, None, 1.0))
    )

    assert (task.records_in, task.records_out) == (20, 40)
    assert (task.bytes_in, task.bytes_out) == (200, 400)
    assert task.of_all(lambda one: one.busy_ms) == 5
    assert task.share(lambda one: one.busy) == 0.75
    assert task.share(lambda one: one.idle) is None
