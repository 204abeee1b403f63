"""Graphs that Flink cannot run: very long, very wide, and small documents that stand for much."""

from typing import Any

import pytest

from explorer import compile_graph
from explorer.errors import TooLargeError
from explorer.flink.names import LONGEST_DESCRIPTION, description, tree_description

pytestmark = pytest.mark.law


def step(id_: str, type_: str, *inputs: str, **fields: Any) -> dict[str, Any]:
    return {"id": id_, "type": type_, "inputs": list(inputs), **fields}


def line(length: int, type_: str = "map") -> list[dict[str, Any]]:
    """A source, so many steps behind each other, and a sink."""
    ids = ["in", *(f"{type_} {number}" for number in range(length))]
    steps = [step(id_, type_, ids[place]) for place, id_ in enumerate(ids[1:])]
    return [{"id": "in", "type": "source"}, *steps, step("out", "sink", ids[-1])]


def test_a_line_of_100_000_operators_compiles_to_one_vertex() -> None:
    done = compile_graph({"transformations": line(99_998)}, "1.20")
    (vertex,) = done.job_graph.vertices

    assert len(vertex.operators) == len(vertex.operator_ids) == 100_000
    assert vertex.operators[-1].chain_index == 100_000
    assert vertex.name.startswith("Source: Custom Source -> Map -> Map")


def test_ten_thousand_branches_share_one_source() -> None:
    branches = [step(f"out {number}", "sink", "in") for number in range(10_000)]
    done = compile_graph({"transformations": [{"id": "in", "type": "source"}, *branches]}, "1.20")
    (vertex,) = done.job_graph.vertices

    assert vertex.name.count("Sink: Print to Std. Out") == 10_000
    assert (description(vertex) or "").count(":- Sink") == 9_999


def test_a_long_line_of_partitions_is_one_edge() -> None:
    done = compile_graph({"transformations": line(20_000, "rebalance")}, "1.20")
    (edge,) = done.stream_graph.edges

    assert edge.partitioner == "REBALANCE"
    assert (len(edge.via), edge.via[0], edge.via[-1]) == (20_000, "rebalance 0", "rebalance 19999")


def test_a_union_of_many_is_read_in_the_order_of_its_inputs() -> None:
    sources = [{"id": f"in {number}", "type": "source"} for number in range(5_000)]
    steps = [step("all", "union", *(s["id"] for s in sources)), step("out", "sink", "all")]
    done = compile_graph({"transformations": [*sources, *steps]}, "1.20")

    assert [edge.source for edge in done.stream_graph.edges] == list(range(1, 5_001))


def test_vertices_that_share_a_forward_group_retain_their_parallelism() -> None:
    steps = [
        {"id": "in", "type": "source", "parallelism": 3},
        *(
            part
            for number in range(2_000)
            for part in (
                step(f"by {number}", "forward", f"map {number - 1}" if number else "in"),
                step(f"map {number}", "map", f"by {number}"),
            )
        ),
        step("out", "sink", "map 1999"),
    ]
    environment = {"parallelism": 3, "runtime_mode": "BATCH", "chaining": False}
    done = compile_graph({"environment": environment, "transformations": steps}, "1.20")
    *group, out = done.job_graph.vertices

    assert {vertex.parallelism for vertex in group} == {3}
    assert out.parallelism == -1


@pytest.mark.parametrize("levels", [20, 31, 200])
def test_unions_that_double_are_refused_before_they_fill_the_memory(levels: int) -> None:
    with pytest.raises(TooLargeError, match=r"transformations\[20\] \('union 19'\).*2,000,000"):
        compile_graph({"transformations": doubled(levels)}, "1.20")


def test_many_readers_of_a_large_union_are_refused() -> None:
    sources = [{"id": f"in {number}", "type": "source"} for number in range(1_500)]
    union = step("all", "union", *(s["id"] for s in sources))
    sinks = [step(f"out {number}", "sink", "all") for number in range(1_500)]

    with pytest.raises(TooLargeError, match="let fewer operators read the union"):
        compile_graph({"transformations": [*sources, union, *sinks]}, "1.20")


def doubled(levels: int) -> list[dict[str, Any]]:
    """A source, so many unions that double it, and a sink."""
    unions = [
        step(f"union {n}", "union", *(2 * [f"union {n - 1}" if n else "in"])) for n in range(levels)
    ]
    return [{"id": "in", "type": "source"}, *unions, step("out", "sink", f"union {levels - 1}")]


def test_as_many_edges_are_made_as_are_allowed_and_no_more() -> None:
    document = {"transformations": doubled(6)}
    done = compile_graph(document, "1.20", most_edges=64)

    assert len(done.stream_graph.edges) == 64
    with pytest.raises(TooLargeError, match=r"\('out'\): .* more than 63 edges"):
        compile_graph(document, "1.20", most_edges=63)


def test_edges_of_an_iteration_are_counted_too() -> None:
    loop = {"id": "loop", "type": "iterate", "inputs": ["in"]}
    steps = [{"id": "in", "type": "legacy_source"}, loop, step("m", "map", "loop")]
    steps.append(step("all", "union", *["m"] * 40))
    steps.append(step("back", "close_iteration", "all", iteration="loop"))
    document = {"transformations": steps}
    edges = len(compile_graph(document, "1.20").stream_graph.edges)

    compile_graph(document, "1.20", most_edges=edges)
    with pytest.raises(TooLargeError, match=rf"more than {edges - 1} edges"):
        compile_graph(document, "1.20", most_edges=edges - 1)


def test_iterations_may_lie_in_one_another_at_any_depth() -> None:
    """Each begins in the feedback of the one before it."""
    document: list[dict[str, Any]] = [{"id": "m0", "type": "source"}]
    for turn in range(1_000):
        document.append(step(f"i{turn}", "iterate", f"m{turn}"))
        document.append(step(f"m{turn + 1}", "map", f"i{turn}"))
    for turn in range(1_000):
        back = f"m{min(turn + 2, 1_000)}"
        document.append(step(f"c{turn}", "close_iteration", back, iteration=f"i{turn}"))

    done = compile_graph({"transformations": document}, "1.20")

    assert len(done.stream_graph.nodes) == 1 + 3 * 1_000


def test_a_graph_that_is_passed_is_counted_too() -> None:
    graph = compile_graph({"transformations": doubled(6)}, "1.20").to_dict()["stream_graph"]

    with pytest.raises(TooLargeError, match="this graph has 64 edges; at most 63 are translated"):
        compile_graph({"stream_graph": graph}, "1.20", most_edges=63)


def test_a_description_that_flink_could_not_write_is_cut() -> None:
    for length, lines in ((5_000, 5_000), (6_000, 101)):
        below = {n: [n + 1] for n in range(length)} | {length - 1: []}
        text = tree_description(0, dict.fromkeys(below, "Map"), below)  # type: ignore[arg-type]

        assert text.count("\n") == lines
        assert len(text) <= LONGEST_DESCRIPTION
        assert text.startswith("Map\n+- Map\n   +- Map\n")
    assert text.endswith("... 5900 more operators\n")
