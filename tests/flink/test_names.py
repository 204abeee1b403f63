"""What vertices are called and how they are described: names, trees, cascades, as Flink has it."""

import pytest

from explorer.flink.names import metric_name, nested_text, tree_description
from explorer.flink.releases import release
from explorer.model.stream_graph import NodeId
from tests.flink.golden_programs import printed_and_made
from tests.many_cases import for_each

PRINT = "Sink: Print to Std. Out"
BRANCHES = f"Source: Custom Source -> (Map -> {PRINT}, Map -> {PRINT})"
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


@for_each(
    ("name", "version", "names"),
    [
        ("fan-out", "1.9", [BRANCHES]),
        ("fan-out", "2.3", [BRANCHES]),
        ("never", "2.3", ["Source: Custom Source -> Map", "Map", f"Map -> {PRINT}"]),
        ("diamond", "2.3", ["Source: Custom Source -> (Map, Map)", f"Map -> {PRINT}"]),
    ],
)
def test_brackets_stand_where_an_operator_calls_several(
    name: str, version: str, names: list[str]
) -> None:
    for members in printed_and_made(name, version):
        assert [vertex["name"] for vertex in members["job_graph"]["vertices"]] == names


@for_each(
    ("version", "first"),
    [
        ("1.12", "Source: B [Source: A] -> Map"),
        ("1.15", "Source: B [Source: A] -> Map"),
        ("1.16", "Source: B -> Map"),
        ("2.3", "Source: B -> Map"),
    ],
)
def test_a_head_names_the_sources_inside_its_task_and_up_to_1_15_those_of_all(
    version: str, first: str
) -> None:
    for members in printed_and_made("multi-input-one-source", version):
        names = [vertex["name"] for vertex in members["job_graph"]["vertices"]]
        assert names == [first, f"Multi [Source: A] -> {PRINT}"]


@pytest.mark.parametrize(
    ("version", "names"),
    [
        ("1.14", ["Source: Custom Source", f"Map -> {PRINT}"]),
        ("1.15", ["[vertex-0]Source: Custom Source", f"[vertex-1]Map -> {PRINT}"]),
        ("2.3", ["[vertex-0]Source: Custom Source", f"[vertex-1]Map -> {PRINT}"]),
    ],
)
def test_an_option_puts_the_position_before_the_name(version: str, names: list[str]) -> None:
    for members in printed_and_made("vertex-index-prefix", version):
        assert [vertex["name"] for vertex in members["job_graph"]["vertices"]] == names


@pytest.mark.slow
@pytest.mark.parametrize(
    ("version", "name"),
    [
        (
            "1.14",
            "Window(TumblingEventTimeWindows(5000), EventTimeTrigger, Sum, "
            "PassThroughWindowFunction)",
        ),
        ("1.15", "TumblingEventTimeWindows"),
    ],
)
def test_a_window_is_called_by_its_assigner_since_1_15(version: str, name: str) -> None:
    for members in printed_and_made("window-tumbling-event", version):
        assert members["job_graph"]["vertices"][1]["name"] == f"{name} -> {PRINT}"


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


def test_every_line_of_a_tree_shows_whether_siblings_come_below_it() -> None:
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


@for_each(
    ("name", "version", "scope"),
    [
        ("n" * 80, "1.9", "n" * 80),
        ("n" * 81, "1.9", "n" * 80),
        ("n" * 81, "2.3", "n" * 80),
        ("n" * 80 + ": Writer", "1.20", "n" * 80),
        ("n" * 80 + ": Writer", "2.0", "n" * 72 + ": Writer"),
        ("n" * 80 + ": Committer", "2.3", "n" * 69 + ": Committer"),
        ("", "2.3", ""),
    ],
)
def test_a_name_is_cut_in_the_scope_of_its_metrics(name: str, version: str, scope: str) -> None:
    assert metric_name(name, release(version)) == scope
