"""A DataSet program's plan: combiners, and tasks by their IDs."""

from explorer.documents import DataSetDocument, load_document
from explorer.model.data_set import PlanOperator
from tests.golden_files import cases
from tests.many_cases import for_each


@for_each(
    ("pact", "strategy", "combines"),
    [
        ("GroupCombine", "Sorted Combine", True),
        ("GroupReduce", "Sorted Combine", True),
        ("GroupCombine", None, True),
        ("GroupReduce", "Sorted Group Reduce", False),
        ("Data Source", None, False),
    ],
)
def test_a_combiner_is_known_by_its_kind_or_its_strategy(
    pact: str,
    strategy: str | None,
    combines: bool,  # noqa: FBT001
) -> None:
    assert PlanOperator(id=1, pact=pact, driver_strategy=strategy).is_combiner is combines


def test_tasks_are_found_by_the_ids_of_job_vertices() -> None:
    document = load_document(next(cases("data_set_programs")))
    assert isinstance(document, DataSetDocument)

    by_task = document.data_set.by_task

    assert set(by_task) == {task.id for task in document.job.tasks}
    assert all(by_task[task.id] is task for task in document.data_set.tasks)
