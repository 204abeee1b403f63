"""A chain as text: Flink's names, its trees and its cascades, and how long they may be."""

import pytest

from explorer.flink.chain_text import nested_text, tree_description
from explorer.model.stream_graph import NodeId
from tests.flink.golden_programs import printed_and_made

TREE = """\
Source: Custom Source
:- Map
:  +- Sink: Print to Std. Out
+- Map
   +- Sink: Print to Std. Out
"""
CASCADE = (
    "Source: Custom Source -> (Map -> Sink: Print to Std. Out , Map -> Sink: Print to Std. Out)"
)


@pytest.mark.parametrize(
    ("name", "version", "text"),
    [
        ("fan-out", "1.14", None),
        ("fan-out", "1.15", TREE),
        ("fan-out", "2.3", TREE),
        ("cascading-description", "1.15", CASCADE),
        ("cascading-description", "2.3", CASCADE),
    ],
)
def test_a_vertex_is_described_since_1_15_as_a_tree_or_as_a_cascade(
    name: str, version: str, text: str | None
) -> None:
    for members in printed_and_made(name, version):
        assert members["job_graph"]["vertices"][0]["description"] == text


def test_a_description_names_the_sources_inside_the_task() -> None:
    for members in printed_and_made("multi-input-one-source", "1.15"):
        text = members["job_graph"]["vertices"][1]["description"]
        assert text == "Multi [Source: A]\n+- Sink: Print to Std. Out\n"


def chain(*pairs: tuple[int, list[int]]) -> dict[NodeId, list[NodeId]]:
    return {NodeId(node): [NodeId(below) for below in called] for node, called in pairs}


def test_a_line_within_brackets_goes_on_without_new_ones() -> None:
    below = chain((1, [2, 4]), (2, [3]), (3, []), (4, [5, 6]), (5, []), (6, []))
    texts = {node: "abcdef"[node - 1] for node in below}

    assert nested_text(NodeId(1), texts, below, ", ") == "a -> (b -> c, d -> (e, f))"


def test_every_line_of_a_tree_says_whether_siblings_come_below_it() -> None:
    """As Flink's own test of descriptions has it."""
    below = chain((1, [2, 5]), (2, [3, 4]), (3, []), (4, []), (5, [6]), (6, []))
    texts = dict(zip(below, ("source", "x + 1", "first", "second", "x + 2", "third"), strict=True))

    assert tree_description(NodeId(1), texts, below).splitlines() == [
        "source",
        ":- x + 1",
        ":  :- first",
        ":  +- second",
        "+- x + 2",
        "   +- third",
    ]
