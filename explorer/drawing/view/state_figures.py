"""State on a graph: the bytes of a savepoint that operators get, or those of a running job."""

from collections import Counter
from collections.abc import Iterable, Mapping

from explorer.drawing.view.annotations import Bar, Figures
from explorer.drawing.view.elements import GraphView
from explorer.model.running_job import RunningJob
from explorer.plans.sizes import readable_size
from explorer.restore.restored import RestoredOperator
from explorer.savepoints import OperatorState, Savepoint
from explorer.savepoints.state_sizes import state_sizes


def state_figures(
    view: GraphView, savepoint: Savepoint, operators: Iterable[RestoredOperator]
) -> Figures:
    """Return the bytes at each operator and task to which Flink assigns state of the savepoint.

    ``operators``: those of the verdict on the restore. A task's bar is its share of the largest.
    """
    saved = {operator.operator_id: operator for operator in savepoint.operators}
    sizes, texts = Counter[int](), dict[str, str]()
    for operator in operators:
        state = saved.get(operator.operator_id or "")
        if state is not None and operator.taker is not None and state.state_bytes:
            sizes[operator.taker] += state.state_bytes
            texts[f"n{operator.taker}"] = _kinds_text(state)
    amounts = {
        vertex.key: sum(sizes[view.node_of[key].id] for key in vertex.nodes)
        for vertex in view.vertices
    }
    return Figures(bars=_bars(amounts), operators=texts)


def job_state_figures(view: GraphView, job: RunningJob) -> Figures:
    """Return the bytes at each task of a running job, as its latest checkpoint has them.

    A cluster reports them by task: those of an operator are known where the task has no other.
    """
    sizes = {figures.id: figures.state_bytes or 0 for figures in job.figures}
    amounts = {vertex.key: sizes.get(vertex.id, 0) for vertex in view.vertices}
    operators = {
        vertex.nodes[0]: readable_size(amounts[vertex.key])
        for vertex in view.vertices
        if amounts[vertex.key] and len(vertex.nodes) == 1
    }
    return Figures(bars=_bars(amounts), operators=operators)


def _kinds_text(state: OperatorState) -> str:
    """The bytes by kind of state, the largest first; of several kinds their sum before them."""
    sizes = [(size.after, size.kind) for size in state_sizes(None, state) if size.after]
    ordered = sorted(sizes, key=lambda size: -size[0])
    kinds = ", ".join(f"{readable_size(amount)} {kind}" for amount, kind in ordered)
    return kinds if len(sizes) == 1 else f"{readable_size(state.state_bytes)}: {kinds}"


def _bars(amounts: Mapping[str, int]) -> dict[str, Bar]:
    largest = max(amounts.values(), default=0)
    return {
        key: (round(amount / largest, 3), f"{readable_size(amount)} of state", ())
        for key, amount in amounts.items()
        if amount
    }
