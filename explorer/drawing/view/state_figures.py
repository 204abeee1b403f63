"""The state of a savepoint on a graph: the bytes of each operator and task that gets it."""

from collections import Counter
from collections.abc import Iterable

from explorer.drawing.view.annotations import Bar, Figures
from explorer.drawing.view.elements import GraphView
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
    return Figures(bars=_bars(view, sizes), operators=texts)


def _kinds_text(state: OperatorState) -> str:
    """The bytes by kind of state, the largest first; of several kinds their sum before them."""
    sizes = [(size.after, size.kind) for size in state_sizes(None, state) if size.after]
    ordered = sorted(sizes, key=lambda size: -size[0])
    kinds = ", ".join(f"{readable_size(amount)} {kind}" for amount, kind in ordered)
    return kinds if len(sizes) == 1 else f"{readable_size(state.state_bytes)}: {kinds}"


def _bars(view: GraphView, sizes: Counter[int]) -> dict[str, Bar]:
    amounts = {
        vertex.key: sum(sizes[view.node_of[key].id] for key in vertex.nodes)
        for vertex in view.vertices
    }
    largest = max(amounts.values(), default=0)
    return {
        key: (round(amount / largest, 3), f"{readable_size(amount)} of state", ())
        for key, amount in amounts.items()
        if amount
    }
