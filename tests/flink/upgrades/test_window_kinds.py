"""Kinds of windows, against what clusters did with open windows.

``savepoints/programs/AskWindows.java`` asked 1.20.5 and 2.2.1: a job with open windows ends with a
savepoint, another one with windows of another kind starts from it.
"""

import re
from typing import Any, Final

import pytest
from msgspec.structs import replace

from explorer.flink.upgrades.window_kinds import (
    CONTENTS,
    WindowKind,
    open_windows,
    saved_windows,
    window_kind,
)
from explorer.model.stream_graph import EventTime, NodeId, OperatorFacts, StreamNode
from tests.golden_files import cases
from tests.many_cases import for_each

ASSIGNERS: Final = {
    "t": "TumblingEventTimeWindows",
    "s": "SlidingEventTimeWindows",
    "g": "EventTimeSessionWindows",
    "dg": "DynamicEventTimeSessionWindows",
    "pt": "TumblingProcessingTimeWindows",
    "ps": "SlidingProcessingTimeWindows",
    "pg": "ProcessingTimeSessionWindows",
    "pdg": "DynamicProcessingTimeSessionWindows",
    "gw": "GlobalWindows",
    "c": "GlobalWindows",
    "cs": "GlobalWindows",
}
TRIGGERS: Final = {
    "e": "EventTimeTrigger()",
    "p": "ProcessingTimeTrigger()",
    "n": "CountTrigger({})",
    "ce": "ContinuousEventTimeTrigger({})",
    "cp": "ContinuousProcessingTimeTrigger({})",
    "oe": "TimeoutTrigger(EventTimeTrigger())",
    "d": "DeltaTrigger({})",
}
UNFILLED: Final = "c60"
"""Windows of more records than the second job gets: they stay open."""


def kind_of(text: str) -> WindowKind:
    """Read a kind as ``AskWindows`` writes it."""
    found = re.fullmatch(
        r"([a-z]+)([\d/o]*)(?:\+(P?)([a-z]+)(\d*))?(?:-([nt]\d+))?(?:~(\d+))?", text
    )
    assert found is not None, text
    name, sizes, purges, trigger, number, evictor, lateness = found.groups()
    if trigger:
        fires = TRIGGERS[trigger].format(number)
    elif name in {"c", "cs"}:
        fires, purges = f"CountTrigger({sizes})", "P" if name == "c" else ""
    elif name == "gw":
        fires = "NeverTrigger"
    else:
        fires = TRIGGERS["p" if name.startswith("p") else "e"]
    if name == "cs":
        evictor = f"n{sizes.partition('/')[0]}"
    evictors = {"n": "CountEvictor", "t": "TimeEvictor"}
    return WindowKind(
        assigner=f"{ASSIGNERS[name]}({'' if name in {'c', 'cs'} else sizes})",
        trigger=f"PurgingTrigger({fires})" if purges else fires,
        evictor=f"{evictors[evictor[0]]}({evictor[1:]})" if evictor else None,
        lateness=int(lateness or 0) if not name.startswith("p") else 0,
    )


@pytest.fixture(scope="module")
def restores() -> dict[tuple[str, str, str], dict[str, Any]]:
    return {(one["version"], one["old"], one["new"]): one for one in cases("window_restores")}


@pytest.mark.parametrize("version", ["1.20.5", "2.2.1"])
def test_open_windows_are_judged_as_clusters_did(
    version: str, restores: dict[tuple[str, str, str], dict[str, Any]]
) -> None:
    wrong = []
    for (release, old, new), case in restores.items():
        if release != version:
            continue
        outcome, _ = open_windows(kind_of(old), kind_of(new))
        # An evictor of the new kind removes as many records in a restore of its own windows.
        own = restores[version, new if "-" in new else old, new if "-" in new else old]["ids"]
        came_out = case["ids"] if case["flink"] == "restored" else None
        if outcome in {"kept", "same"}:
            holds = came_out is not None and (came_out >= own or new == UNFILLED)
        elif outcome == "lost":
            holds = came_out is not None and (came_out < own or own == 0)
        else:
            holds = (outcome == "refused") == (came_out is None)
        if not holds:
            wrong.append((old, new, outcome, case["flink"][:80], came_out, own))

    assert wrong == []
    assert len(restores) > 1400


def node(description: str, windows: str | None = None) -> StreamNode:
    facts = None if windows is None else OperatorFacts(windows=windows)
    return StreamNode(
        id=NodeId(1), name="w", description=description, parallelism=1, operator=facts
    )


@for_each(
    ("description", "words"),
    [
        (
            "Window(SlidingEventTimeWindows(10000, 5000), EventTimeTrigger, Sum, Passed)",
            "SlidingEventTimeWindows(10000, 5000), EventTimeTrigger",
        ),
        (
            "Window(GlobalWindows(), CountTrigger, CountEvictor, Sum)",
            "GlobalWindows(), CountTrigger, CountEvictor",
        ),
        (
            "TriggerWindow(GlobalWindows(), ReducingStateDescriptor{name=window-contents}, "
            "PurgingTrigger(CountTrigger(5)), AllWindowedStream.reduce(A.java:1))",
            "GlobalWindows(), PurgingTrigger(CountTrigger(5))",
        ),
        ("Window(MineWindows(), Early, Sum)", "MineWindows()"),
        ("Map", None),
    ],
)
def test_a_description_names_the_windows(description: str, words: str | None) -> None:
    found = window_kind(node(description))

    assert (found.words if found else None) == words


def test_an_offset_is_part_of_the_windows() -> None:
    described = node("Window(TumblingEventTimeWindows(10), EventTimeTrigger, Sum)")
    before, after = (
        window_kind(replace(described, event_time=EventTime(window_offset=offset)))
        for offset in (0, 3)
    )
    assert before is not None
    assert after is not None

    assert before == window_kind(described)
    assert after.assigner == "TumblingEventTimeWindows(10, offset 3)"
    assert open_windows(before, after)[0] == "kept"
    assert open_windows(after, after)[0] == "same"


def test_another_lateness_leaves_windows_in_the_state() -> None:
    """A watermark beyond everything removes the windows of the same lateness alone."""
    restores = {(one["version"], one["old"], one["new"]): one for one in cases("lateness_restores")}
    for (version, old, new), case in restores.items():
        own = restores[version, new, new]
        outcome, why = open_windows(kind_of(old), kind_of(new))
        # No session had come out before the savepoint.
        remains = outcome == "kept" and not (new == "g4~0" and "has come out" in why)

        assert outcome == ("same" if old == new else "kept")
        assert case["flink"] == "restored"
        assert (case["ids"], case["windows"]) == (own["ids"], own["windows"])
        assert (case["left"] > own["left"]) == remains, (version, old, new)
    assert len(restores) == 26


def test_a_lateness_is_that_of_event_time_alone() -> None:
    for time, lateness in (("Event", 20), ("Processing", 0)):
        described = node(f"Window(Tumbling{time}TimeWindows(10), {time}TimeTrigger, Sum)")
        kind = window_kind(replace(described, event_time=EventTime(allowed_lateness=20)))

        assert kind is not None
        assert kind.lateness == lateness
        assert ("allowed lateness 20 ms" in kind.words) == (lateness == 20)


def test_a_captured_operator_shows_more_than_its_description() -> None:
    description = "Window(TumblingEventTimeWindows(10), PurgingTrigger, Sum)"
    before, after = (
        window_kind(node(description, f"TumblingEventTimeWindows(10), PurgingTrigger({trigger})"))
        for trigger in ("EventTimeTrigger()", "CountTrigger(9)")
    )
    described = window_kind(node(description))
    assert before is not None
    assert after is not None
    assert described is not None

    few, more = (
        window_kind(node(description, f"GlobalWindows(), CountTrigger(9), CountEvictor({count})"))
        for count in (5, 10)
    )
    described_evictor = window_kind(node("Window(GlobalWindows(), CountTrigger, CountEvictor, S)"))
    assert few is not None
    assert more is not None
    assert described_evictor is not None

    assert open_windows(few, more)[0] == "kept"
    assert "the new evictor leaves" in open_windows(few, more)[1]
    assert open_windows(few, described_evictor)[0] == "same"
    assert open_windows(before, after)[0] == "unknown"
    assert open_windows(before, described)[0] == "same"


@for_each(
    ("names", "assigner", "outcome"),
    [
        ((CONTENTS,), "EventTimeSessionWindows(5)", "lost"),
        ((CONTENTS, "merging-window-set"), "TumblingEventTimeWindows(5)", "lost"),
        ((CONTENTS,), "TumblingEventTimeWindows(5)", "unknown"),
        ((CONTENTS,), "MineWindows()", "unknown"),
        (("count",), "MineWindows()", None),
    ],
)
def test_a_savepoint_shows_whether_windows_merge(
    names: tuple[str, ...], assigner: str, outcome: str | None
) -> None:
    new = WindowKind(assigner=assigner, trigger="EventTimeTrigger()")

    assert (saved_windows(names, new) or (None,))[0] == outcome
