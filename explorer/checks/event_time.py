"""Rules about watermarks: alignment and idleness of sources.

Mirrors ``SourceOperator``, which alone reads the alignment of a ``WatermarkStrategy``, and
``SourceCoordinator``, to which a source without records reports its last watermark until it is
idle.
"""

from collections.abc import Iterator
from typing import Final

from explorer.checks.check_case import CheckCase
from explorer.checks.rule import Found, note_rule, of_operators, warning_rule
from explorer.model.pipeline import Alignment
from explorer.model.stream_graph import StreamNode


def _alignments(case: CheckCase) -> Iterator[tuple[StreamNode, Alignment]]:
    for node in case.compiled.stream_graph.nodes:
        if node.event_time is not None and node.event_time.alignment is not None:
            yield node, node.event_time.alignment


def _find(case: CheckCase, node: StreamNode, message: str) -> Found:
    record = "timestamps" if case.declared(node) else "event_time"
    return of_operators((node,), message, case.path(node, f"{record}.alignment"))


def _without_effect(case: CheckCase) -> Iterator[Found]:
    for node, alignment in _alignments(case):
        reason = ""
        if not case.release.watermark_alignment:
            reason = f"Flink {case.release.version} has none: it came with 1.15"
        elif not node.new_source:
            reason = "only a FLIP-27 source is aligned, by the strategy of fromSource"
        elif case.compiled.settings.batch:
            reason = "a BATCH job emits no watermark before its end"
        if reason:
            message = (
                f"{node.handle} sets watermark alignment in group {alignment.group}, which "
                f"has no effect: {reason}."
            )
            yield _find(case, node, message)


def _aligned_and_never_idle(case: CheckCase) -> Iterator[Found]:
    if not case.release.watermark_alignment or case.compiled.settings.batch:
        return
    for node, alignment in _alignments(case):
        times = node.event_time
        if node.new_source and times is not None and times.idleness is None:
            message = (
                f"{node.handle} is aligned in group {alignment.group} and never idle: where "
                "one of its subtasks has no more records, all sources of the group stop "
                f"{alignment.max_drift:,} ms after its last watermark. Set idleness."
            )
            yield _find(case, node, message)


EVENT_TIME_RULES: Final = (
    warning_rule(
        code="WM01",
        title="Watermark alignment has no effect.",
        why="Flink aligns what a source reads: SourceOperator stops at the watermark that its "
        "coordinator allows. assignTimestampsAndWatermarks ignores the alignment of its strategy.",
        todo="Give the strategy to fromSource, or remove the alignment.",
        finds=_without_effect,
    ),
    note_rule(
        code="WM02",
        title="An aligned source has no idleness.",
        why="The lowest watermark of a group limits all its sources. A subtask without records "
        "reports its last watermark for ever, unless withIdleness lets it report the highest one.",
        todo="Set idleness on the strategy of each aligned source.",
        finds=_aligned_and_never_idle,
    ),
)
"""Rules about watermarks."""
