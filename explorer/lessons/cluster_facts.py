"""Questions about a job at runtime: subtasks, slots, task managers, network buffers, refusals."""

from explorer.deployment import Deployment
from explorer.deployment.cluster_options import cluster_options
from explorer.deployment.deploying import compute_deployment
from explorer.errors import DocumentError, ExplorerError, found_at
from explorer.lessons.choices import a_number, one_of
from explorer.lessons.lesson_case import LessonCase
from explorer.model.lesson import Answer
from explorer.wording import counted, listed


def _deploy(case: LessonCase) -> Deployment:
    done = case.done
    with found_at(case.path):
        options = cluster_options(case.changed, {}, done.release)
        return case.once("deployment", lambda: compute_deployment(done, options))


def subtasks(case: LessonCase, words: str) -> Answer:
    """How many subtasks the job has."""
    vertices = case.done.execution_graph.vertices
    number, operators = case.done.execution_graph.counts.subtasks, case.done.stream_graph.nodes
    each = listed(f"{one.parallelism} of {one.name}" for one in vertices)
    reason = f"A task has as many subtasks as its parallelism: {each}."
    others = (len(vertices), len(operators), sum(max(one.parallelism, 1) for one in operators))
    return a_number(words, number, others, reason)


def slots(case: LessonCase, words: str) -> Answer:
    """How many slots the job asks for."""
    asked = _deploy(case)
    each = listed(f"{one.name} {one.slots}" for one in asked.groups)
    reason = (
        "Subtasks of one slot sharing group share slots, one subtask of each task in a slot; so a "
        f"group needs as many as its widest task has subtasks: {each}."
    )
    counts = case.done.execution_graph.counts
    widest = max(group.slots for group in asked.groups)
    others = (len(case.done.job_graph.vertices), counts.subtasks, widest)
    return a_number(words, asked.slots, others, reason)


def task_managers(case: LessonCase, words: str) -> Answer:
    """Number of task managers that the job's slots need."""
    asked = _deploy(case)
    reason = (
        f"The job asks for {counted(asked.slots, 'slot')}, and a task manager offers "
        f"{asked.slots_of_one:,}: {counted(asked.task_managers, 'task manager')}."
    )
    others = (1, asked.slots, len(case.done.job_graph.vertices))
    return a_number(words, asked.task_managers, others, reason)


def network_buffers(case: LessonCase, words: str) -> Answer:
    """Whether the network buffers of each task manager suffice."""
    network = _deploy(case).network
    if network is None:
        problem = "this job's network buffers cannot be counted before it runs"
        raise DocumentError(case.path, problem)
    each = listed(
        f"task manager {one.number + 1} requires {one.required:,} of {one.total:,}"
        for one in network.task_managers
    )
    text = f" Flink's words: {network.refusal}" if network.refusal else ""
    choices = {"suffice": "They suffice", "lack": "They do not: Flink fails the job"}
    right = "lack" if network.refusal else "suffice"
    return one_of(words, choices, right, f"Counted in network buffers, {each}.{text}")


def refused(case: LessonCase, words: str) -> Answer:
    """Whether Flink accepts the program at all."""
    choices = {"accepted": "Flink accepts it", "refused": "Flink refuses it, or has no such call"}
    try:
        done = case.compile(case.changed)
    except ExplorerError as error:
        return one_of(words, choices, "refused", str(error))
    number = counted(len(done.job_graph.vertices), "task")
    return one_of(words, choices, "accepted", f"It becomes a JobGraph of {number}.")
