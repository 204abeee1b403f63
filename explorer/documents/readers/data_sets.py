"""A DataSet program's document as data: Flink's optimizer plan with its tasks."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from explorer.documents.readers.job_graphs import job_graph_values, to_job_graph_document
from explorer.documents.records import to_record
from explorer.errors import DocumentError
from explorer.model.data_set import DataSetPlan
from explorer.model.document import DataSetDocument, JobGraphDocument

NOTHING_COMPUTED: Final = (
    "A program of the DataSet API: Flink's optimizer and JobGraphGenerator made its tasks, "
    "strategies and costs, and nothing of them is computed here. The JSON of `compile` and the "
    "network buffers of `resources` have task classes and result types by the rules of the "
    "DataStream API, which do not apply to it. The IDs of operators behind a task's first one "
    "are unknown: Flink gives none."
)
RANDOM_IDS: Final = (
    "The JobGraph of a DataSet program gets IDs at random each time it is made: a running job of "
    "the same program has other IDs, so compare it by the names of its tasks."
)


class _DataSetMembers(msgspec.Struct, kw_only=True):
    data_set: DataSetPlan


def to_data_set_document(values: Mapping[str, Any], *, limit: int | None) -> DataSetDocument:
    """Build the document that plain values spell; raises ``DocumentError`` for the first fault."""
    plan = to_record({"data_set": values["data_set"]}, _DataSetMembers).data_set
    document = to_job_graph_document(values, limit=limit)
    tasks = {task.id for task in document.job.tasks}
    for position, task in enumerate(plan.tasks):
        if task.id not in tasks:
            problem = f"there is no task {task.id!r} in job_graph.vertices"
            raise DocumentError(path=f"data_set.tasks[{position}].id", problem=problem)
    members = {name: getattr(document, name) for name in JobGraphDocument.__struct_fields__}
    patterns = {(item.source, item.target, item.ship_strategy): item for item in plan.edges}
    task_of = {operator.node: task.id for task in document.job.tasks for operator in task.operators}
    edges = []
    for edge in document.stream_graph.edges:
        ends = task_of.get(edge.source, ""), task_of.get(edge.target, "")
        data_set_edge = patterns.get((*ends, edge.partitioner))
        pointwise = (
            edge.pointwise
            if data_set_edge is None
            else data_set_edge.distribution_pattern == "POINTWISE"
        )
        edges.append(replace(edge, pointwise=pointwise))
    members |= {
        "stream_graph": replace(document.stream_graph, edges=tuple(edges)),
        # ``JobGraphGenerator`` puts all tasks into one slot sharing group.
        "settings": replace(document.settings, slot_groups_by_region=False),
        "warnings": (NOTHING_COMPUTED, RANDOM_IDS),
    }
    return DataSetDocument(**members, data_set=plan)


def data_set_values(document: DataSetDocument) -> dict[str, Any]:
    """The document as the plain values that its JSON holds."""
    return job_graph_values(document) | {"data_set": msgspec.to_builtins(document.data_set)}
