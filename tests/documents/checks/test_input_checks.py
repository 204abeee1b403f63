"""Transformations by their inputs: what Flink's DataStream API refuses, in its words."""

from typing import Any

from explorer.documents import load_document
from tests.documents.refused import KEY, MAP, SOURCE, refused
from tests.many_cases import for_each

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


@for_each(("transformations", "words"), PROGRAMS)
def test_a_program_is_refused_in_flinks_words(
    transformations: list[dict[str, Any]], words: str
) -> None:
    assert words in refused(transformations)


SINK = {"id": "o", "type": "sink", "inputs": ["s"]}


@for_each(
    ("transformations", "says"),
    [
        ([SOURCE, {**MAP, "inputs": ["t"]}], "there is no transformation 't'"),
        ([{**MAP, "inputs": ["s"]}, SOURCE], "'s' is declared later; move it before 'm'"),
        ([{**MAP, "inputs": ["m"]}], "'m' reads itself, which makes a cycle"),
        ([SOURCE, {**MAP, "inputs": ["s", "s"]}], "a map takes 1 input, but has 2"),
        ([SOURCE, {**MAP, "inputs": []}], "a map takes 1 input, but has 0"),
        ([SOURCE, SINK, {**MAP, "inputs": ["o"]}], "'o' is a sink and gives no stream"),
        (
            [
                {"id": "a", "type": "union", "inputs": ["c", "s"]},
                {"id": "b", "type": "map", "inputs": ["a"]},
                {"id": "c", "type": "map", "inputs": ["b"]},
                SOURCE,
            ],
            "the inputs make a cycle: 'a' -> 'b' -> 'c' -> 'a'; only an iterate may close one",
        ),
        (
            [SOURCE, {"id": "r", "type": "reduce", "inputs": ["s"]}],
            "a reduce reads a keyed stream; put a key_by after 's'",
        ),
    ],
)
def test_inputs_that_cannot_be_are_refused(
    transformations: list[dict[str, Any]], says: str
) -> None:
    assert says in refused(transformations)


def test_a_long_cycle_is_cut_in_the_message() -> None:
    ring = [
        {"id": f"m{turn}", "type": "map", "inputs": [f"m{(turn - 1) % 50}"]} for turn in range(50)
    ]

    assert "'m0' -> 'm1' -> 'm2' -> 'm3' -> 'm4' -> '...' -> 'm49' -> 'm0'" in refused(ring)


def test_no_more_subtasks_than_key_groups_are_allowed() -> None:
    wide = {**MAP, "parallelism": 9, "max_parallelism": 8}

    assert "parallelism" in refused([SOURCE, wide])
    assert load_document({"transformations": [SOURCE, {**wide, "parallelism": 8}]}).pipeline
