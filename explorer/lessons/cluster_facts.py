"""Questions about a job at runtime: subtasks, slots, task managers, network buffers, refusals."""

from explorer.deployment import ClusterResources
from explorer.deployment.cluster_options import cluster_options
from explorer.deployment.deploying import compute_resources
from explorer.errors import DocumentError, ExplorerError, found_at
from explorer.lessons.choices import a_number, one_of
from explorer.lessons.lesson_case import LessonCase
from explorer.model.lesson import Answer
from explorer.wording import counted, listed


def _deploy(case: LessonCase) -> ClusterResources:
    compilation = case.compilation
    with found_at(case.path):
        options = cluster_options(case.changed, {}, compilation.release)
        return case.once("deployment", lambda: compute_resources(compilation, options))


def subtasks(case: LessonCase, words: str) -> Answer:
    """How many subtasks the job has."""
    vertices = case.compilation.execution_graph.vertices
    number, operators = (
        case.compilation.execution_graph.counts.subtasks,
        case.compilation.stream_graph.nodes,
    )
    parts = listed(f"{vertex.parallelism} of {vertex.name}" for vertex in vertices)
    reason = f"A task has as many subtasks as its parallelism: {parts}."
    mistakes = (
        len(vertices),
        len(operators),
        sum(max(operator.parallelism, 1) for operator in operators),
    )
    return a_number(words, number, mistakes, reason)


def slots(case: LessonCase, words: str) -> Answer:
    """How many slots the job asks for."""
    resources = _deploy(case)
    parts = listed(f"{group.name} {group.slots}" for group in resources.groups)
    reason = (
        "Subtasks of one slot sharing group share slots, one subtask of each task in a slot; so a "
        f"group needs as many as its widest task has subtasks: {parts}."
    )
    counts = case.compilation.execution_graph.counts
    widest = max(group.slots for group in resources.groups)
    mistakes = (len(case.compilation.job_graph.vertices), counts.subtasks, widest)
    return a_number(words, resources.slots, mistakes, reason)


def task_managers(case: LessonCase, words: str) -> Answer:
    """Number of task managers that the job's slots need."""
    resources = _deploy(case)
    reason = (
        f"The job asks for {counted(resources.slots, 'slot')}, and a task manager offers "
        f"{resources.slots_of_one:,}: {counted(resources.task_managers, 'task manager')}."
    )
    mistakes = (1, resources.slots, len(case.compilation.job_graph.vertices))
    return a_number(words, resources.task_managers, mistakes, reason)


def network_buffers(case: LessonCase, words: str) -> Answer:
    """Whether the network buffers of each task manager suffice."""
    network = _deploy(case).network
    if network is None:
        problem = "this job's network buffers cannot be counted before it runs"
        raise DocumentError(case.path, problem)
    parts = listed(
        f"task manager {buffers.number + 1} requires {buffers.required:,} of {buffers.total:,}"
        for buffers in network.task_managers
    )
    text = f" Flink's words: {network.refusal}" if network.refusal else ""
    choices = {"suffice": "They suffice", "lack": "They do not: Flink fails the job"}
    right = "lack" if network.refusal else "suffice"
    return one_of(words, choices, right, f"Counted in network buffers, {parts}.{text}")


def refused(case: LessonCase, words: str) -> Answer:
    """Whether Flink accepts the program at all."""
    choices = {"accepted": "Flink accepts it", "refused": "Flink refuses it, or has no such call"}
    try:
        compilation = case.compile(case.changed)
    except ExplorerError as error:
        return one_of(words, choices, "refused", str(error))
    number = counted(len(compilation.job_graph.vertices), "task")
    return one_of(words, choices, "accepted", f"It becomes a JobGraph of {number}.")
