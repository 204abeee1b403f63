"""The two JobGraphs of a BATCH job from Flink 2.0 on, and what is decided while the job runs.

Mirrors ``AdaptiveGraphManager`` and the strategies of ``StreamGraphOptimizer``.
"""

from typing import Final

from explorer.flink.compiler import Compilation
from explorer.model.job_graph import JobEdge
from explorer.model.stream_graph import StreamNode
from explorer.wording import counted, first_listed, quoted

_MOST_NAMED: Final = 3


def scheduler_note(compilation: Compilation) -> str | None:
    """Describe which of the two JobGraphs this compilation shows and how the other one differs.

    None for a job that has one JobGraph only.
    """
    other_job_translation = compilation.alternative
    if other_job_translation is None:
        return None
    differ = sum(
        compilation.hashes[node] != id for node, id in other_job_translation.hashes.items()
    )
    verb = "differs" if differ == 1 else "differ"
    ids = f"{differ:,} of {counted(len(compilation.hashes), 'operator ID')}"
    if compilation.is_adaptive:
        return (
            "The adaptive batch scheduler makes the tasks while the job runs and hashes "
            f"them chain by chain: {ids} {verb} from the client's JobGraph, which "
            "jobmanager.scheduler: Default would run."
        )
    return (
        "The JobGraph is made in one pass, as the configuration selects; the adaptive batch "
        f"scheduler, the default for BATCH jobs, hashes chain by chain: {ids} would differ."
    )


def run_time_decisions(compilation: Compilation) -> tuple[str, ...]:
    """Describe what the adaptive batch scheduler decides while the job runs, a sentence each.

    Parallelism, the kind of a join and with it ship strategies, and operator IDs that depend on
    which of two job vertices finishes first. Empty for jobs that are decided before they run.
    """
    if not compilation.is_adaptive:
        return ()
    result = []
    vertices = compilation.job_graph.vertices
    if undecided := [vertex.name for vertex in vertices if vertex.parallelism < 1]:
        result.append(f"The scheduler decides the parallelism of {_list_named(undecided, 'task')}.")
    if joins := [node.name for node in compilation.stream_graph.nodes if _is_adaptive_join(node)]:
        result.append(
            f"{_list_named(joins, 'adaptive join')} may become a broadcast join, which turns the "
            "HASH exchanges of its inputs into BROADCAST and RESCALE, and skewed partitions may be "
            "split."
        )
    if dependent := compilation.decided_at_run_time:
        names = [compilation.stream_graph.by_id[node].name for node in dependent]
        first, second = (vertices[at].name for at in next(iter(dependent.values())))
        result.append(
            f"The operator {'ID' if len(names) == 1 else 'IDs'} of "
            f"{_list_named(names, 'operator')} may be others: they depend on whether "
            f"{quoted(first)} or {quoted(second)} is made first, that is, on which producers "
            "finish first; the IDs here assume that tasks finish in the order in which they are "
            "made. A uid settles an ID."
        )
    return tuple(result)


def _list_named(names: list[str], noun: str) -> str:
    listed_names = first_listed([quoted(name) for name in names], _MOST_NAMED)
    return (
        listed_names
        if len(names) <= _MOST_NAMED
        else f"{counted(len(names), noun)}: {listed_names}"
    )


def _is_adaptive_join(node: StreamNode) -> bool:
    """Whether the scheduler picks the join's kind when its inputs' sizes are known."""
    factory = node.operator.factory if node.operator else None
    return factory is not None and factory.endswith("AdaptiveJoinOperatorFactory")


def ships_as_decided(compilation: Compilation, edge: JobEdge) -> bool:
    """Whether the edge's ship strategy is fixed before the job runs."""
    target = compilation.stream_graph.edges[edge.stream_edge].target
    return not (
        compilation.is_adaptive and _is_adaptive_join(compilation.stream_graph.by_id[target])
    )
