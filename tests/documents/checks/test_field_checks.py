"""Values of fields: what Flink's setters refuse, in the words of 1.20.5 and 2.3.0."""

from typing import Any

import pytest

from explorer.documents import load_document
from tests.documents.refused import KEY, MAP, SOURCE, refused
from tests.many_cases import for_each

OPERATORS = [
    ({"parallelism": 0}, "The parallelism of an operator must be at least 1, or ExecutionConfig."),
    ({"max_parallelism": 0}, "The maximum parallelism must be greater than 0."),
    ({"max_parallelism": 40_000}, "Maximum parallelism must be between 1 and 32768. Found: 40000"),
    ({"buffer_timeout": -2}, "timeout must be >= -1"),
    ({"managed_memory_weight": 0}, "Weights for operator scope use cases must be greater than 0."),
    ({"resources": {"cpu": -1.0, "heap_mb": 5}}, "Resource value must be no less than 0"),
    ({"resources": {"cpu": 1.0, "heap_mb": -5}}, "bytes must be >= 0"),
    ({"uid_hash": "xyz"}, "Node hash must be a 32 character String that describes a hex code. Fo"),
]
WINDOWS = [
    (
        {"assigner": "tumbling", "size": 0},
        "TumblingEventTimeWindows parameters must satisfy abs(offset) < size",
    ),
    (
        {"assigner": "sliding", "time": "processing", "size": 10, "slide": 0},
        "SlidingProcessingTimeWindows parameters must satisfy abs(offset) < slide and size > 0",
    ),
    ({"assigner": "session", "gap": 0}, "EventTimeSessionWindows parameters must satisfy 0 < size"),
]


TIMES = {"column": "n"}
DRIFT = {"max_drift": 5}


@for_each(("fields", "words"), OPERATORS)
def test_a_field_of_an_operator_is_refused_in_flinks_words(
    fields: dict[str, Any], words: str
) -> None:
    assert words in refused([SOURCE, MAP | fields])


@pytest.mark.parametrize(("window", "words"), WINDOWS)
def test_a_duration_of_a_window_is_refused_in_flinks_words(
    window: dict[str, Any], words: str
) -> None:
    operator = {"id": "w", "type": "window", "inputs": ["k"], "window": window}

    assert words in refused([SOURCE, KEY, operator])


WINDOW = {"assigner": "tumbling", "size": 5}


@for_each(
    ("operator", "says"),
    [
        ({"type": "map", "chaining_strategy": "ALWAYS"}, "only a multiple_input may set"),
        ({"type": "sink_v2", "uid_hash": "0" * 32}, "Cannot set a custom UID hash on a non-legacy"),
        ({"type": "map", "select": {}}, "select: must not be empty"),
        ({"type": "map", "select": {"x" * 201: "n"}}, "a name of 201 characters; 1 to 200 are"),
        ({"type": "async", "wait": {"delay": 60_001}}, "wait.delay: must be 0 to 60000"),
        (
            {"type": "timestamps", "timestamps": {"column": ""}},
            "timestamps.column: must name a column",
        ),
        (
            {"type": "timestamps", "timestamps": {**TIMES, "alignment": {"group": "", **DRIFT}}},
            "timestamps.alignment.group: must name a group",
        ),
        (
            {
                "type": "timestamps",
                "timestamps": {**TIMES, "alignment": {"group": "g", "max_drift": -1}},
            },
            "timestamps.alignment.max_drift: must be at least 0, but is -1",
        ),
        ({"type": "map", "name": "x" * 10_001}, "has 10,001 characters; at most 10,000"),
    ],
)
def test_a_value_that_a_type_does_not_accept_is_refused(
    operator: dict[str, Any], says: str
) -> None:
    assert says in refused([SOURCE, {"id": "o", "inputs": ["s"], **operator}])


@for_each(
    ("keyed", "says"),
    [
        ({"type": "window", "window": {"assigner": "tumbling"}}, "window.size: is missing; a tum"),
        (
            {"type": "window", "window": {**WINDOW, "gap": 5}},
            "a tumbling window takes size and offset only",
        ),
        (
            {"type": "window", "window": {"assigner": "count", "size": 5, "allowed_lateness": 1}},
            "a count window is never over, so no row is late",
        ),
        (
            {"type": "window", "window": {"assigner": "tumbling", "size": 5, "offset": 5}},
            "window.offset: must be -4 to 4, but is 5; Flink: TumblingEventTimeWindows parameters",
        ),
        (
            {
                "type": "window",
                "window": {"assigner": "sliding", "size": 9, "slide": 5, "offset": -5},
            },
            "window.offset: must be -4 to 4, but is -5; Flink: SlidingEventTimeWindows parameters",
        ),
        (
            {"type": "window", "window": {"assigner": "session", "gap": 5, "offset": 1}},
            "window.offset: a session window takes gap only",
        ),
        ({"type": "reduce", "aggregate": {"n": "avg(n)"}}, "must be sum(c), min(c) or max(c) with"),
        ({"type": "reduce", "aggregate": {"n": "count(*)"}}, "must be sum(c), min(c) or max(c)"),
    ],
)
def test_a_keyed_operator_has_rules_of_its_own(keyed: dict[str, Any], says: str) -> None:
    assert says in refused([SOURCE, KEY, {"id": "o", "inputs": ["k"], **keyed}])


def test_a_window_accepts_a_count_of_its_rows() -> None:
    window = {"id": "w", "type": "window", "inputs": ["k"], "window": WINDOW}

    assert load_document(
        {"transformations": [SOURCE, KEY, {**window, "aggregate": {"n": "count(*)"}}]}
    ).pipeline


def test_a_sources_own_watermarks_are_periodic() -> None:
    own = {"type": "source", "timestamps": {**TIMES, "watermarks": "punctuated"}}

    assert "timestamps.watermarks: must be periodic for a source" in refused([{"id": "s", **own}])
