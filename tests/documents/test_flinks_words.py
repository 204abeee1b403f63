"""What Flink's setters refuse is refused in Flink's own words: those of 1.20.5 and 2.3.0."""

from typing import Any

import pytest

from explorer.documents import load_document
from explorer.errors import DocumentError

SOURCE = {"id": "s", "type": "legacy_source"}
KEY = {"id": "k", "type": "key_by", "inputs": ["s"]}
MAP = {"id": "m", "type": "map", "inputs": ["s"]}
OPERATORS = [
    ({"parallelism": 0}, "The parallelism of an operator must be at least 1, or ExecutionConfig."),
    ({"max_parallelism": 0}, "The maximum parallelism must be greater than 0."),
    (
        {"max_parallelism": 40_000},
        "Maximum parallelism must be between 1 and 32768. Found: 40000",
    ),
    ({"buffer_timeout": -2}, "timeout must be >= -1"),
    ({"managed_memory_weight": 0}, "Weights for operator scope use cases must be greater than 0."),
    ({"resources": {"cpu": -1.0, "heap_mb": 5}}, "Resource value must be no less than 0"),
    ({"resources": {"cpu": 1.0, "heap_mb": -5}}, "bytes must be >= 0"),
    ({"uid_hash": "xyz"}, "Node hash must be a 32 character String that describes a hex code. Fo"),
]
ENVIRONMENTS = [
    ({"parallelism": 0}, "Parallelism must be at least one, or ExecutionConfig.PARALLELISM_DEFA"),
    (
        {"max_parallelism": 0},
        "maxParallelism is out of bounds 0 < maxParallelism <= 32768. Found: 0",
    ),
    ({"buffer_timeout": -2}, "Timeout of buffer must be non-negative or -1"),
    ({"checkpoint_interval": 5}, "Checkpoint interval must be larger than or equal to 10 ms"),
    (
        {"checkpointing": {"timeout": 5}},
        "Checkpoint timeout must be larger than or equal to 10 ms",
    ),
    ({"checkpointing": {"min_pause": -1}}, "Pause value must be zero or positive"),
    (
        {"checkpointing": {"max_concurrent": 0}},
        "The maximum number of concurrent attempts must be at least one.",
    ),
    (
        {"checkpointing": {"tolerable_failures": -1}},
        "The tolerable failure checkpoint number must be non-negative.",
    ),
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
    (
        {"assigner": "session", "gap": 0},
        "EventTimeSessionWindows parameters must satisfy 0 < size",
    ),
]
PROGRAMS: list[tuple[list[dict[str, Any]], str]] = [
    (
        [SOURCE, KEY, {"id": "r", "type": "rebalance", "inputs": ["k"]}],
        "Cannot override partitioning for KeyedStream.",
    ),
    (
        [SOURCE | {"parallel": False, "parallelism": 2}],
        "The parallelism of non parallel operator must be 1.",
    ),
    (
        [
            SOURCE,
            {
                "id": "w",
                "type": "window_all",
                "inputs": ["s"],
                "max_parallelism": 8,
                "window": {"assigner": "tumbling", "size": 10},
            },
        ],
        "The maximum parallelism of non parallel operator must be 1.",
    ),
    (
        [
            SOURCE,
            {"id": "i", "type": "iterate", "inputs": ["s"]},
            MAP,
            {"id": "c", "type": "close_iteration", "inputs": ["m"], "iteration": "i"},
        ],
        "feedback DataStream that does not originate from said iteration.",
    ),
    (
        [
            SOURCE,
            {"id": "p", "type": "process", "inputs": ["s"]},
            {"id": "x", "type": "side_output", "inputs": ["p"], "tag": ""},
        ],
        "OutputTag id must not be empty.",
    ),
]


def refused(transformations: list[dict[str, Any]], **environment: Any) -> str:
    with pytest.raises(DocumentError) as fault:
        load_document({"environment": environment, "transformations": transformations})
    return str(fault.value)


@pytest.mark.parametrize(("fields", "words"), OPERATORS)
def test_of_an_operator(fields: dict[str, Any], words: str) -> None:
    assert words in refused([SOURCE, MAP | fields])


@pytest.mark.parametrize(("fields", "words"), ENVIRONMENTS)
def test_of_an_environment(fields: dict[str, Any], words: str) -> None:
    assert words in refused([SOURCE, MAP], **fields)


@pytest.mark.parametrize(("window", "words"), WINDOWS)
def test_of_a_window(window: dict[str, Any], words: str) -> None:
    operator = {"id": "w", "type": "window", "inputs": ["k"], "window": window}

    assert words in refused([SOURCE, KEY, operator])


@pytest.mark.parametrize(("transformations", "words"), PROGRAMS)
def test_of_a_program(transformations: list[dict[str, Any]], words: str) -> None:
    assert words in refused(transformations)
