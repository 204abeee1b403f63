"""Names of window operators: from assigner, trigger, evictor and function.

Mirrors ``WindowOperatorBuilder.generateOperatorName`` and the same of ``AllWindowedStream``.
"""

from typing import Final

from explorer.flink.kinds import KINDS
from explorer.flink.releases import Release
from explorer.model.pipeline import Transformation, Window

_TRIGGERS: Final = {"event": "EventTimeTrigger", "processing": "ProcessingTimeTrigger"}
_ASSIGNERS: Final = {
    ("tumbling", "event"): "TumblingEventTimeWindows",
    ("tumbling", "processing"): "TumblingProcessingTimeWindows",
    ("sliding", "event"): "SlidingEventTimeWindows",
    ("sliding", "processing"): "SlidingProcessingTimeWindows",
    ("session", "event"): "EventTimeSessionWindows",
    ("session", "processing"): "ProcessingTimeSessionWindows",
    ("count", "event"): "GlobalWindows",
    ("end_of_stream", "event"): "GlobalWindows",
}
_END_OF_STREAM: Final = "trigger=EndOfStreamTrigger"
_FUNCTION: Final = "Sum"
"""The class of a reduce function that a document does not name."""


def window_names(t: Transformation, window: Window, release: Release) -> tuple[str, str | None]:
    """The operator's default name, and its description if that differs."""
    long = _long_name(t, window, release)
    if not release.short_window_names:
        return long, None
    return _ASSIGNERS[window.assigner, window.time], long


def partition_window_name(t: Transformation, release: Release) -> str | None:
    """The description of a keyed partition window, which is a window operator; None of others."""
    kind = KINDS[t.type]
    if not (kind.at_end and kind.name == "GlobalWindows"):
        return None
    own = kind.window_function and release.keyed_map_partition_function
    functions = (own,) if own else (t.function or _FUNCTION, "PassThroughWindowFunction")
    classes = ", ".join((f"GlobalWindows({_END_OF_STREAM})", "EndOfStreamTrigger", *functions))
    return f"Window({classes})"


def _long_name(t: Transformation, window: Window, release: Release) -> str:
    """The name of a window operator in releases up to 1.14, its description in later ones."""
    arguments = {
        "tumbling": f"{window.size}",
        "sliding": f"{window.size}, {window.slide}",
        "session": f"{window.gap}",
        "count": release.global_windows_text,
        "end_of_stream": _END_OF_STREAM,
    }[window.assigner]
    assigner = f"{_ASSIGNERS[window.assigner, window.time]}({arguments})"
    if KINDS[t.type].alone:
        # Flink goes on with an object's hash and the program's line, which no document has.
        evicts = window.assigner == "count" and window.slide is not None
        state = "ListStateDescriptor" if evicts else "ReducingStateDescriptor"
        texts = ", ".join(text for _, text in _triggers(window))
        return f"TriggerWindow({assigner}, {state}, {texts})"
    window_function = KINDS[t.type].window_function
    functions = (
        (window_function,)
        if window_function
        else (t.function or _FUNCTION, "PassThroughWindowFunction")
    )
    classes = (name for name, _ in _triggers(window))
    return f"Window({', '.join((assigner, *classes, *functions))})"


def _triggers(window: Window) -> tuple[tuple[str, str], ...]:
    """The classes of the window's trigger and evictor, each with the text that it prints.

    An evictor has no ``toString`` of its own.
    """
    if window.assigner == "end_of_stream":
        return (("EndOfStreamTrigger", "EndOfStreamTrigger"),)
    if window.assigner != "count":
        return ((_TRIGGERS[window.time], f"{_TRIGGERS[window.time]}()"),)
    if window.slide is None:
        return (("PurgingTrigger", f"PurgingTrigger(CountTrigger({window.size}))"),)
    return (("CountTrigger", f"CountTrigger({window.slide})"), ("CountEvictor", "CountEvictor"))
