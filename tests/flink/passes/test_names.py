"""What vertices are called and how they are described, release by release, as Flink printed it."""

import pytest

from tests.flink.golden_programs import printed_and_made

PRINT = "Sink: Print to Std. Out"
BRANCHES = f"Source: Custom Source -> (Map -> {PRINT}, Map -> {PRINT})"


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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
