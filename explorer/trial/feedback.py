"""What does the tail of an iteration do with what reaches it? It feeds it back, where it can."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from explorer.errors import TrialError
from explorer.flink.regions import reached
from explorer.model.stream_graph import ITERATION_HEAD, NodeId, StreamGraph, StreamNode
from explorer.rows.row_type import RowType
from explorer.task import plan
from explorer.trial.work import Arriving, Outcome, each
from explorer.wording import quoted

ENDLESS: Final = (
    "{name}: no operator on a way round drops a record, so each would go round for ever, and a "
    "trial feeds none back; give a filter of the loop its where, or close it with a side output"
)
_KEEPS_ALL: Final = (
    *(plan.PassOn, plan.Select, plan.Await, plan.AssignTimestamps),
    *(plan.RunningColumn, plan.PreviousValue),
)
"""Steps that hand on a record for each that comes in."""


def tail_work(
    graph: StreamGraph,
    tail: StreamNode,
    arriving: Sequence[Arriving],
    carried: plan.RowTypes,
    outcomes: Mapping[NodeId, Outcome],
) -> Outcome:
    """What a tail does; ``carried``: what enters the iteration, as ``closeWith`` wants its rows.

    ``outcomes``: of all nodes before it. Raises ``TrialError`` for rows that look otherwise.
    """
    for one in arriving:
        if one.row_type not in carried:
            raise TrialError(_unlike(tail.transformation, one.row_type, carried))
    if _goes_round_for_ever(graph, tail, outcomes):
        dropped = each(arriving, lambda _: plan.Drop())
        return replace(dropped, warnings=(ENDLESS.format(name=tail.name),))
    return each(arriving, lambda _: plan.FeedBack())


def _unlike(iteration: str | None, back: RowType, carried: plan.RowTypes) -> str:
    return (
        f"iteration {quoted(iteration or '')}: what is fed back has {back}, but it carries "
        f"{' or '.join(map(str, carried))}; give both the same columns with a select"
    )


def _goes_round_for_ever(
    graph: StreamGraph, tail: StreamNode, outcomes: Mapping[NodeId, Outcome]
) -> bool:
    """Whether a record comes from head to tail whatever it is."""

    def before(node: NodeId) -> Iterator[NodeId]:
        for position in graph.in_edges[node]:
            edge = graph.edges[position]
            if edge.side_output is None and _keeps_all(outcomes[edge.source]):
                yield edge.source

    found = map(graph.node, reached([tail.id], before))
    heads = (one for one in found if one.vertex_class == ITERATION_HEAD)
    return any(head.transformation == tail.transformation for head in heads)


def _keeps_all(outcome: Outcome) -> bool:
    return all(isinstance(step, _KEEPS_ALL) for _, _, step in outcome.steps)
