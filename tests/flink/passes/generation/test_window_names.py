"""Count windows and windows with late rows have the names and IDs that sixteen Flinks give them."""

from typing import Any

import msgspec
import pytest

from explorer import compile_graph
from explorer.flink.kinds import KINDS
from explorer.flink.passes.generation.window_names import partition_window_name, window_names
from explorer.flink.releases import release
from explorer.model.pipeline import Transformation, Window
from tests.golden_files import cases
from tests.many_cases import for_each

CASES = [(case, version) for case in cases("windows") for version in case["versions"]]


def window(words: list[str]) -> dict[str, Any]:
    """The window that a question asks for."""
    kind, *numbers = words
    first, second = int(numbers[0]), int(numbers[-1])
    return {
        "count": {"assigner": "count", "size": first},
        "slide": {"assigner": "count", "size": first, "slide": second},
        "late": {
            "assigner": "session",
            "gap": first,
            "allowed_lateness": second,
            "late_output": "late",
        },
    }[kind]


@for_each(("case", "version"), CASES, lambda case, version: f"{case['question']} {version}")
def test_names_and_ids_are_flinks(case: dict[str, Any], version: str) -> None:
    words = case["question"].split()
    transformations: list[dict[str, Any]] = [
        {"id": "s", "type": "legacy_source", "name": "Collection Source", "parallel": False},
        {"id": "b", "type": "key_by", "inputs": ["s"]},
        {"id": "w", "type": "window", "inputs": ["b"], "window": window(words)},
        {"id": "o", "type": "sink", "inputs": ["w"]},
    ]
    if words[0] == "late":
        late = {"id": "l", "type": "side_output", "inputs": ["w"], "tag": "late"}
        transformations += [late, {"id": "p", "type": "sink", "inputs": ["l"]}]
    done = compile_graph({"transformations": transformations}, version)

    described = case["nodes"][0][1] is not None
    nodes = [
        [n.name, n.description or n.name if described else None] for n in done.stream_graph.nodes
    ]
    assert nodes == case["nodes"]
    assert [[v.id, v.name] for v in done.job_graph.vertices] == case["vertices"]


@pytest.mark.parametrize(
    ("window", "long", "short"),
    [
        (
            {"assigner": "tumbling", "size": 5},
            "Window(TumblingEventTimeWindows(5), EventTimeTrigger, ReduceFunction$1, "
            "PassThroughWindowFunction)",
            "TumblingEventTimeWindows",
        ),
        (
            {"assigner": "sliding", "size": 5, "slide": 2, "time": "processing"},
            "Window(SlidingProcessingTimeWindows(5, 2), ProcessingTimeTrigger, ReduceFunction$1, "
            "PassThroughWindowFunction)",
            "SlidingProcessingTimeWindows",
        ),
        (
            {"assigner": "session", "gap": 7},
            "Window(EventTimeSessionWindows(7), EventTimeTrigger, ReduceFunction$1, "
            "PassThroughWindowFunction)",
            "EventTimeSessionWindows",
        ),
    ],
)
def test_a_window_is_named_by_its_assigner_and_described_by_all_of_it(
    window: dict[str, Any], long: str, short: str
) -> None:
    step = Transformation(
        id="w",
        type="window",
        inputs=("b",),
        function="ReduceFunction$1",
        window=msgspec.convert(window, Window),
    )
    assert step.window is not None

    assert window_names(step, step.window, release("1.14")) == (long, None)
    assert window_names(step, step.window, release("1.15")) == (short, long)


def test_a_window_over_all_rows_prints_its_trigger() -> None:
    window = Window(assigner="count", size=3)
    step = Transformation(id="w", type="window_all", inputs=("s",), window=window)

    name, _ = window_names(step, window, release("1.14"))

    assert name == (
        "TriggerWindow(GlobalWindows(), ReducingStateDescriptor, PurgingTrigger(CountTrigger(3)))"
    )


def test_only_a_keyed_partition_window_has_a_description_of_its_own() -> None:
    described = {
        kind.type: partition_window_name(
            Transformation(id="w", type=kind.type, inputs=("b",)), release("2.2")
        )
        for kind in KINDS.values()
    }

    named = {type: text for type, text in described.items() if text is not None}
    assert named
    assert all(
        text.startswith("Window(GlobalWindows(trigger=EndOfStreamTrigger), EndOfStreamTrigger, ")
        for text in named.values()
    )
    assert {KINDS[type].name for type in named} == {"GlobalWindows"}
