"""Windows of SQL, against what clusters did with open windows.

``savepoints/ask_sql_windows.py`` asked 1.20.5 and 2.2.1: a job with open windows ends with a
savepoint, another one with other windows starts from it.
"""

from typing import Any

import pytest

from explorer.flink.upgrades.sql_windows import (
    SqlWindow,
    open_sql_windows,
    saved_sql_windows,
    sql_window,
)
from explorer.model.stream_graph import NodeId, StreamNode
from tests.golden_files import cases


def windows(description: str) -> SqlWindow | None:
    name = description.partition("(")[0]
    return sql_window(StreamNode(id=NodeId(1), name=name, description=description, parallelism=1))


@pytest.mark.parametrize("version", ["1.20.5", "2.2.1"])
def test_open_windows_are_judged_as_clusters_did(version: str) -> None:
    restores: dict[tuple[str, str], dict[str, Any]] = {
        (case["old"], case["new"]): case
        for case in cases("sql_window_restores")
        if case["version"] == version
    }
    wrong, outcomes = [], set()
    for (old, new), case in restores.items():
        sides = (windows(case["old_description"]), windows(case["new_description"]))
        assert sides[0] is not None
        assert sides[1] is not None
        outcome, _ = open_sql_windows(sides[0], sides[1])
        outcomes.add(outcome)
        came_out = case["ids"] if case["flink"] == "restored" else None
        own = restores[old, old]["ids"]
        if outcome in {"kept", "same"}:
            holds = came_out is not None and came_out >= own
        elif outcome == "lost":
            holds = came_out is not None and came_out < own
        else:
            # Other operators have other IDs: nothing is read.
            is_moved = "Cannot map checkpoint/savepoint state" in case["flink"]
            holds = outcome == "unknown" or (came_out is None and not is_moved)
        if not holds:
            wrong.append((old, new, outcome, case["flink"][:80], came_out, own))

    assert wrong == []
    assert outcomes == {"same", "kept", "lost", "refused", "unknown"}


def test_a_description_names_the_windows() -> None:
    hop = windows(
        "[6]:GlobalWindowAggregate(groupBy=[k], window=[HOP(slice_end=[$slice_end], "
        "size=[1 min], slide=[20 s], offset=[500 ms])], select=[k, start('w$) AS s])"
    )
    group = windows(
        "[4]:GroupWindowAggregate(window=[SlidingGroupWindow('w$, at, 20000, 5000)], select=[k])"
    )
    tumbling = windows("[6]:GlobalWindowAggregate(window=[TUMBLE(slice_end=[$e], size=[1 min])])")
    assert hop is not None
    assert group is not None
    assert tumbling is not None

    assert (hop.shape, hop.slice, hop.is_group) == (("HOP", 60_000, 20_000, 500), 20_000, False)
    assert tumbling.shape == ("TUMBLE", 60_000, 0, 0)
    assert (group.shape, group.time, group.is_group) == (("HOP", 20_000, 5_000, 0), "at", True)
    assert group.words == "SlidingGroupWindow('w$, at, 20000, 5000)"
    assert windows("[4]:LocalWindowAggregate(window=[TUMBLE(time_col=[at], size=[1 s])])") is None
    assert windows("[4]:Calc(select=[k])") is None


def test_other_operators_than_aggregations_are_not_decided() -> None:
    text = "[9]:WindowRank(window=[TUMBLE(win_start=[s], win_end=[e], size=[{} s])], rankType=[R])"
    before, after = windows(text.format(1)), windows(text.format(2))
    assert before is not None
    assert after is not None

    assert open_sql_windows(before, before)[0] == "same"
    assert open_sql_windows(before, after)[0] == "unknown"
    assert saved_sql_windows(("window-aggs",), after) is None


def test_a_savepoint_does_not_show_which_windows_wrote_it() -> None:
    new = windows("WindowAggregate(groupBy=[k], window=[TUMBLE(time_col=[at], size=[1 s])])")
    assert new is not None

    assert saved_sql_windows(("window-aggs", "watermark"), new) is not None
    assert saved_sql_windows(("accState",), new) is None
