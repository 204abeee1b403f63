"""Open windows of a restored operator: whether their records come out of the new windows."""

from collections.abc import Collection

from explorer.comparison.baseline import Deployed
from explorer.flink.compiler import Compilation
from explorer.flink.upgrades.window_kinds import (
    CONTENTS,
    WindowChange,
    WindowKind,
    open_windows,
    saved_windows,
    window_kind,
)
from explorer.model.stream_graph import NodeId


def window_change(
    old: Deployed,
    operator_id: str,
    new: Compilation,
    taker: NodeId | None,
    state_names: Collection[str],
) -> WindowChange | None:
    """Compare the windows of an operator of OLD with those that restore its state.

    None: the new operator has no windows, or the state is not that of windows.
    """
    new_windows = None if taker is None else window_kind(new.stream_graph.by_id[taker])
    old_windows = _old_windows(old, operator_id)
    if new_windows is None or (old_windows is None and CONTENTS not in state_names):
        return None
    if old_windows is None:
        outcome, why = saved_windows(state_names, new_windows)
        return WindowChange(
            outcome=outcome, sentence=f"restores windows into {new_windows.words}: {why}"
        )
    outcome, why = open_windows(old_windows, new_windows)
    sentence = f"changes from {old_windows.words} to {new_windows.words}: {why}"
    return WindowChange(outcome=outcome, sentence=sentence)


def _old_windows(old: Deployed, operator_id: str) -> WindowKind | None:
    """The windows of an operator in the old program; None: it has none, or is not known."""
    node = old.nodes.get(operator_id)
    if old.program is None or node is None:
        return None
    return window_kind(old.program.stream_graph.by_id[node])
