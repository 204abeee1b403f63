"""What Flink writes of a chain is read back, whatever the operators are called."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.errors import ExplorerError
from explorer.flink.chain_texts import (
    ChainText,
    chain_name,
    chained_operators,
    metric_name,
    read_nested,
    read_tree,
)
from explorer.flink.compiler import Compilation, compile_program
from explorer.flink.names import description, tree_description
from explorer.model.job_graph import JobVertex
from explorer.model.stream_graph import NodeId
from tests.golden_files import cases
from tests.many_cases import for_each
from tests.strategies import pipelines

CHAR = st.sampled_from("ab ->(),:+-[]{}&<")
TEXTS = st.text(CHAR, min_size=1, max_size=8)


@st.composite
def chains(draw: st.DrawFn) -> tuple[ChainText, ...]:
    """A chain, depth first, of operators with names as unlikely as can be."""
    texts = draw(st.lists(TEXTS, min_size=1, max_size=6))
    above = [draw(st.integers(0, at - 1)) for at in range(1, len(texts))]
    below: dict[int, list[int]] = {at: [] for at in range(len(texts))}
    for child, parent in enumerate(above, start=1):
        below[parent].append(child)
    order: list[int] = []
    stack = [0]
    while stack:
        order.append(stack.pop())
        stack += reversed(below[order[-1]])
    place = {old: new for new, old in enumerate(order)}
    return tuple(ChainText(texts[old], tuple(place[one] for one in below[old])) for old in order)


def ids(chain: Sequence[ChainText]) -> Mapping[NodeId, tuple[NodeId, ...]]:
    return {NodeId(at): tuple(map(NodeId, one.below)) for at, one in enumerate(chain)}


@given(chains())
def test_a_tree_is_read_back_whatever_the_names_are(chain: tuple[ChainText, ...]) -> None:
    texts = {NodeId(at): one.text for at, one in enumerate(chain)}
    assert read_tree(tree_description(NodeId(0), texts, ids(chain))) == chain


@given(chains())
def test_a_name_is_read_back_where_no_operator_has_its_marks(chain: tuple[ChainText, ...]) -> None:
    plain = tuple(ChainText(f"a{at}", one.below) for at, one in enumerate(chain))
    assert read_nested(chain_name(plain)) == plain


@given(chains())
def test_the_names_of_metrics_mark_where_an_operator_ends(chain: tuple[ChainText, ...]) -> None:
    own = tuple(ChainText(f"{at}: -> b, ({at})", one.below) for at, one in enumerate(chain))
    known = [metric_name(one.text) for one in own]
    assert read_nested(chain_name(own), known) == own


@given(st.text(CHAR, max_size=40))
def test_any_text_is_read_as_some_chain(text: str) -> None:
    for chain in (read_nested(text), read_nested(text, ["a", "b"])):
        assert len(chain) == 1 or chain_name(chain) == text
    assert list(chained_operators(text, text))


def reported(vertex: JobVertex) -> tuple[list[str], list[tuple[int, ...]]]:
    """A vertex's operators in the order in which its texts name them, and their children."""
    by_node = {one.node: one for one in vertex.operators}
    head = next(one.node for one in vertex.operators if one.chain_start)
    order: list[NodeId] = []
    stack = [head]
    while stack:
        order.append(stack.pop())
        stack += reversed(by_node[order[-1]].chained_outputs)
    place = {node: at for at, node in enumerate(order)}
    below = [tuple(place[one] for one in by_node[node].chained_outputs) for node in order]
    return [by_node[node].name for node in order], below


@given(pipelines(), st.sampled_from(["1.9", "1.14", "1.20", "2.2"]))
def test_each_vertex_of_a_program_names_its_operators(pipeline: object, release: str) -> None:
    done = compiled(pipeline, release)
    for vertex in done.job_graph.vertices if done else ():
        if vertex.chained_sources:
            continue
        names, below = reported(vertex)
        known = list(map(metric_name, names))
        read = list(chained_operators(vertex.name, description(vertex) or vertex.name, known))
        assert [shape for _, _, shape in read] == below
        assert [name for name, _, _ in read] == names


def printed(value: Any) -> Iterator[dict[str, Any]]:
    """All vertices, with their operators, that Flink printed within a golden case."""
    waiting = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, dict):
            waiting += here.values()
            if "chain_start" in str(here.get("operators", ""))[:400] and "operator_ids" in here:
                yield here
        elif isinstance(here, list):
            waiting += here


def in_order(vertex: dict[str, Any]) -> list[dict[str, Any]]:
    """A vertex's operators as its texts name them; without the sources in its head's task."""
    by_node = {one["node"]: one for one in vertex["operators"]}
    stack = [one["node"] for one in vertex["operators"] if one["chain_start"]][:1]
    found = []
    while stack:
        found.append(by_node[stack.pop()])
        stack += reversed(found[-1]["chained_outputs"])
    return found


@pytest.mark.law
@pytest.mark.parametrize(
    "file",
    [
        "classics",
        "constructs",
        "data_stream_plans",
        "sql_plans",
        pytest.param("random", marks=pytest.mark.law),
    ],
)
def test_names_that_flink_printed_are_read_back(file: str) -> None:
    checked = 0
    for vertex in (one for case in cases(file) for one in printed(case)):
        operators = in_order(vertex)
        names = [one["name"] for one in operators]
        if "[Source: " in vertex["name"]:
            continue  # The head's name tells the sources within: it stays one operator.
        said = vertex.get("description") or vertex["name"]
        for known in ((), [metric_name(name) for name in names]):
            assert [name for name, *_ in chained_operators(vertex["name"], said, known)] == names
        checked += 1
    assert checked > 200


def compiled(pipeline: object, release: str) -> Compilation | None:
    try:
        return compile_program(pipeline, release)  # type: ignore[arg-type]
    except ExplorerError:
        return None


def test_a_planners_operators_have_names_and_descriptions() -> None:
    name = "Source: t[1] -> Calc[2] -> Sink: out[3]"
    said = "[1]:TableSourceScan(table=[[t]])\n+- [2]:Calc(select=[a -> b])\n   +- [3]:Sink\n"
    assert list(chained_operators(name, said)) == [
        ("Source: t[1]", "[1]:TableSourceScan(table=[[t]])", (1,)),
        ("Calc[2]", "[2]:Calc(select=[a -> b])", (2,)),
        ("Sink: out[3]", "[3]:Sink", ()),
    ]


def test_a_vertexs_number_is_no_part_of_its_operators() -> None:
    assert [name for name, *_ in chained_operators("[vertex-0]a -> b", "a\n+- b\n")] == ["a", "b"]


@pytest.mark.law
def test_long_chains_are_read_without_recursion() -> None:
    names = [f"o{at}" for at in range(20_000)]
    assert [one.text for one in read_nested(" -> ".join(names))] == names


@for_each("text", ["a -> ", " -> a", "a -> (b, )", "a -> (b", "a)"])
def test_a_text_that_is_no_chain_is_one_operator(text: str) -> None:
    assert [one.text for one in read_nested(text)] == [text]
