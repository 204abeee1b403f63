"""Questions about both graphs: chains, number of tasks, partitioners, channels."""

from typing import Final

from explorer.explain.edges import EdgeExplanation, explain_edge
from explorer.flink.compiler import Compilation
from explorer.flink.partitioners import PARTITIONER_CLASSES, partitioner_class
from explorer.lessons.choices import a_number, one_of, some_of
from explorer.lessons.lesson_case import LessonCase
from explorer.model.job_graph import JobEdge
from explorer.model.lesson import Answer
from explorer.wording import counted

SHOWN: Final = 12
"""Tasks that a reason names."""
_RESULT_TYPES: Final = {
    "PIPELINED_BOUNDED": "At once: PIPELINED_BOUNDED",
    "BLOCKING": "When the result is whole: BLOCKING",
    "HYBRID_FULL": "Either, all of it retained: HYBRID_FULL",
}


def chained(case: LessonCase, words: str) -> Answer:
    """Whether the two ends of an edge share a task."""
    explained = explain_edge(case.compilation, case.edge, fixes=False)
    choices = {"yes": "They chain", "no": "They do not chain"}
    return one_of(words, choices, "yes" if explained.chained else "no", edge_reason(explained))


def edge_reason(explained: EdgeExplanation) -> str:
    """Why an edge chains or not, in a few sentences."""
    return " ".join((f"{explained.headline}.", *explained.sentences))


def chains(compilation: Compilation, words: str) -> Answer:
    """Which edges chain, of all."""
    edges = [
        explain_edge(compilation, edge, fixes=False)
        for edge in range(len(compilation.stream_graph.edges))
    ]
    right = [str(explanation.edge) for explanation in edges if explanation.chained]
    reason = f"{len(right):,} of {counted(len(edges), 'edge')} chain: {_tasks(compilation)}"
    names = {
        str(explanation.edge): f"{explanation.source} → {explanation.target}"
        for explanation in edges
    }
    reasons = {str(explanation.edge): edge_reason(explanation) for explanation in edges}
    return some_of(words, "edges", names, right, (reason, reasons))


def _tasks(compilation: Compilation) -> str:
    names = [vertex.name for vertex in compilation.job_graph.vertices]
    remainder = f"; and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return f"{counted(len(names), 'task')}: {'; '.join(names[:SHOWN])}{remainder}."


def tasks(case: LessonCase, words: str) -> Answer:
    """How many tasks the job has."""
    number, operators = (
        len(case.compilation.job_graph.vertices),
        len(case.compilation.stream_graph.nodes),
    )
    near = (1, number - 1, number + 1, operators)
    return a_number(
        words, number, (item for item in near if 0 < item <= operators), _tasks(case.compilation)
    )


def _job_edge(case: LessonCase) -> JobEdge | None:
    edge = case.edge
    return next(
        (job_edge for job_edge in case.compilation.job_graph.edges if job_edge.stream_edge == edge),
        None,
    )


WITHIN: Final = (
    "Both operators share a task: a record is passed by a method call, without a channel."
)


def ship_strategy(case: LessonCase, words: str) -> Answer:
    """How records of an edge find their subtask."""
    edge = case.compilation.stream_graph.edges[case.edge]
    right = partitioner_class(edge.partitioner_class).prints or edge.partitioner
    partitioners = list(PARTITIONER_CLASSES)
    at = partitioners.index(right) if right in partitioners else 0
    # Four partitioners of the table, one of which is the right one.
    options = sorted(
        {right, *(partitioners[(at + turn) % len(partitioners)] for turn in (1, 2, 3))}
    )
    return one_of(words, {item: item for item in options}, right, _shipping(case))


def _shipping(case: LessonCase) -> str:
    graph = case.compilation.stream_graph
    edge = graph.edges[case.edge]
    source, target = graph.by_id[edge.source], graph.by_id[edge.target]
    degrees = f"{source.parallelism} and {target.parallelism}"
    if case.compilation.pipeline is not None and edge.via:
        types = {
            transformation.id: transformation.type
            for transformation in case.compilation.pipeline.transformations
        }
        text = " and ".join(f"{types.get(item, 'partition')} ({item})" for item in edge.via)
        return (
            f"The program sets it: {edge.partitioner} comes of {text}. "
            f"The parallelism is {degrees}."
        )
    if case.compilation.pipeline is None:
        return f"The StreamGraph sets it: {edge.partitioner}. The parallelism is {degrees}."
    why = "the same" if source.parallelism == target.parallelism else "not the same"
    return (
        f"The program sets no partitioner, so Flink chooses: the parallelism is {degrees}, {why}, "
        f"which makes it {edge.partitioner}."
    )


def channels(case: LessonCase, words: str) -> Answer:
    """How many channels a job edge opens."""
    job_edge = _job_edge(case)
    graph = case.compilation.stream_graph
    edge = graph.edges[case.edge]
    ends = graph.by_id[edge.source].parallelism, graph.by_id[edge.target].parallelism
    wrong_numbers = (0, max(ends), sum(ends), ends[0] * ends[1])
    if job_edge is None:
        return a_number(words, 0, wrong_numbers, WITHIN)
    at = case.compilation.job_graph.edges.index(job_edge)
    wired = next(
        execution_edges
        for execution_edges in case.compilation.execution_graph.edges
        if execution_edges.job_edge == at
    )
    count = "its share of the others: as many channels as the wider side has subtasks"
    if job_edge.distribution_pattern == "ALL_TO_ALL":
        count = f"every subtask: {ends[0]:,} × {ends[1]:,}"
    reason = (
        f"{job_edge.ship_strategy} makes the edge {job_edge.distribution_pattern}, between "
        f"{counted(ends[0], 'subtask')} and {ends[1]:,}: each subtask sends to {count}."
    )
    return a_number(words, wired.count or 0, wrong_numbers, reason)


def result_type(case: LessonCase, words: str) -> Answer:
    """When the reader of an edge may start."""
    edge = _job_edge(case)
    kind = edge.result_type if edge else "none"
    choices = {**_RESULT_TYPES, "none": "There is no result: both ends share a task"}
    choices.setdefault(kind, kind)
    mode = "BATCH" if case.compilation.settings.batch else "STREAMING"
    exchange = case.compilation.stream_graph.edges[case.edge].exchange_mode
    reason = (
        f"The job runs in {mode} mode and the edge's exchange mode is {exchange}: its result "
        f"partitions are {kind}."
    )
    return one_of(words, choices, kind, reason if edge else WITHIN)
