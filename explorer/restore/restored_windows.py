"""Open windows of a restored operator: whether their records come out of the new windows."""

from collections.abc import Collection

from explorer.comparison.baseline import CompiledBaseline
from explorer.flink.compiler import Compilation
from explorer.flink.upgrades.sql_windows import (
    SqlWindow,
    open_sql_windows,
    saved_sql_windows,
    sql_window,
)
from explorer.flink.upgrades.window_kinds import (
    OpenWindows,
    WindowChange,
    WindowKind,
    open_windows,
    saved_windows,
    window_kind,
)
from explorer.model.stream_graph import NodeId, StreamNode


def window_change(
    old: CompiledBaseline,
    operator_id: str,
    new: Compilation,
    taker: NodeId | None,
    state_names: Collection[str],
) -> WindowChange | None:
    """Compare the windows of an operator of OLD with those that restore its state.

    None: the new operator has no windows, or the state is not that of windows.
    """
    new_windows = None if taker is None else _windows(new.stream_graph.by_id[taker])
    old_windows = _old_windows(old, operator_id)
    if new_windows is None:
        return None
    if old_windows is None:
        saved = _read_saved(state_names, new_windows)
        return saved and WindowChange(
            outcome=saved[0], sentence=f"restores windows into {new_windows.words}: {saved[1]}"
        )
    outcome, why = _compare(old_windows, new_windows)
    sentence = f"changes from {old_windows.words} to {new_windows.words}: {why}"
    return WindowChange(outcome=outcome, sentence=sentence)


def _windows(node: StreamNode) -> WindowKind | SqlWindow | None:
    return window_kind(node) or sql_window(node)


def _old_windows(old: CompiledBaseline, operator_id: str) -> WindowKind | SqlWindow | None:
    """The windows of an operator in the old program; None: it has none, or is not known."""
    node = old.nodes.get(operator_id)
    if old.program is None or node is None:
        return None
    return _windows(old.program.stream_graph.by_id[node])


def _read_saved(
    state_names: Collection[str], new: WindowKind | SqlWindow
) -> tuple[OpenWindows, str] | None:
    """What becomes of windows of which a savepoint shows the states alone; None: it has none."""
    if isinstance(new, SqlWindow):
        return saved_sql_windows(state_names, new)
    return saved_windows(state_names, new)


def _compare(old: WindowKind | SqlWindow, new: WindowKind | SqlWindow) -> tuple[OpenWindows, str]:
    if isinstance(old, SqlWindow) and isinstance(new, SqlWindow):
        return open_sql_windows(old, new)
    if isinstance(old, WindowKind) and isinstance(new, WindowKind):
        return open_windows(old, new)
    return "unknown", "windows of the DataStream API and of SQL save other states"
