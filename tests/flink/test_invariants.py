"""Every invariant holds of sound graphs, fails for a broken one, and is asked by the compiler."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from explorer import Compilation, compile_graph
from explorer.errors import BrokenInvariantError, ExplorerError
from explorer.flink import compiler
from explorer.flink.invariants import INVARIANTS, check
from tests.many_cases import for_each

PIPELINE = {
    "environment": {"parallelism": 2},
    "transformations": [
        {"id": "left", "type": "source"},
        {"id": "right", "type": "source"},
        {"id": "both", "type": "multiple_input", "inputs": ["left", "right"]},
        {"id": "by", "type": "key_by", "inputs": ["both"]},
        {"id": "sum", "type": "reduce", "inputs": ["by"]},
        {"id": "out", "type": "sink", "inputs": ["sum"]},
    ],
}


@pytest.fixture(scope="module")
def done() -> Compilation:
    """Chained sources, an edge that chains and one that does not."""
    return compile_graph(PIPELINE, "1.20")


def products(after: str, done: Compilation) -> tuple[Any, ...]:
    """What the compiler passes to ``check`` after a pass."""
    graph, chains, outputs, wiring = done.stream_graph, done.chains, done.outputs, done.wiring
    vertices, places = done.job_graph.vertices, range(len(done.job_graph.vertices))
    rows: dict[str, tuple[Any, ...]] = {
        "generate": (graph,),
        "judge_edges": (graph, done.verdicts),
        "assign_hashes": (graph, done.hashes),
        "build_chains": (graph, done.verdicts, chains),
        "vertex_parallelism": (chains, {v: vertices[v].parallelism for v in places}),
        "plan_outputs": (graph, done.verdicts, chains, outputs),
        "connect": (chains, outputs, wiring),
        "slot_sharing_groups": (wiring, {v: vertices[v].slot_sharing_group for v in places}),
        "memory_fractions": (
            graph,
            {o.node: o.managed_memory_fraction for v in vertices for o in v.operators},
        ),
        "assemble": (graph, done.job_graph),
        "expand": (done.execution_graph,),
    }
    return rows[after]


def without_last(values: Any) -> Any:
    """A mapping or a tuple, short of its last entry."""
    return dict(list(values.items())[:-1]) if isinstance(values, dict) else values[:-1]


def twice(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The first entry in the place of the last as well."""
    return (*values[:-1], values[0])


Break = Callable[..., tuple[Any, ...]]

BREAKS: dict[str, Break] = {
    "no two nodes have the same number": lambda graph: (
        replace(graph, nodes=(*graph.nodes, graph.nodes[0])),
    ),
    "every edge leaves one node and reaches one node": lambda graph: (
        replace(graph, edges=without_last(graph.edges)),
    ),
    "the sources are the nodes that no edge reaches": lambda graph: (
        replace(graph, sources=without_last(graph.sources)),
    ),
    "every edge has a verdict": lambda graph, verdicts: (graph, without_last(verdicts)),
    "every node has an operator ID": lambda graph, hashes: (graph, without_last(hashes)),
    "an operator ID has 32 digits, or is unknown": lambda graph, hashes: (
        graph,
        {node: text.lstrip(text[0]) for node, text in hashes.items()},
    ),
    "every node is in exactly one chain": lambda graph, verdicts, chains: (
        graph,
        verdicts,
        replace(chains, chains=twice(chains.chains)),
    ),
    "a chain has one head, and every edge that chains adds one operator": (
        lambda graph, verdicts, chains: (graph, (0,) * len(verdicts), chains)
    ),
    "a vertex has a subtask at least, or -1 for undecided": lambda chains, parallelism: (
        chains,
        dict.fromkeys(parallelism, 0),
    ),
    "the edges that leave a task are exactly those that do not chain": (
        lambda graph, verdicts, chains, outputs: (graph, verdicts, chains, (*outputs, outputs[0]))
    ),
    "every vertex is listed once": lambda chains, outputs, wiring: (
        chains,
        outputs,
        replace(wiring, order=twice(wiring.order)),
    ),
    "every output is one input of one vertex": lambda chains, outputs, wiring: (
        chains,
        outputs,
        replace(wiring, inputs={}),
    ),
    "every vertex is in a slot sharing group": lambda wiring, groups: (
        wiring,
        without_last(groups),
    ),
    "no operator gets more than all of its slot's memory": lambda graph, fractions: (
        graph,
        dict.fromkeys(fractions, 1.5),
    ),
    "no two vertices have the same ID": lambda graph, job_graph: (
        graph,
        replace(job_graph, vertices=twice(job_graph.vertices)),
    ),
    "the vertices' operators are the StreamGraph's nodes": lambda graph, job_graph: (
        graph,
        replace(job_graph, vertices=without_last(job_graph.vertices)),
    ),
    "every result is read, and each edge reads one": lambda graph: (
        replace(graph, results=tuple(replace(result, consumers=()) for result in graph.results)),
    ),
    "every subtask owns a key group at least": lambda graph: (
        replace(
            graph,
            vertices=tuple(replace(vertex, max_parallelism=1) for vertex in graph.vertices),
        ),
    ),
}
"""By sentence, how to break what the pass made."""
ROWS = [(after, sentence) for after, rows in INVARIANTS.items() for sentence in rows]


def test_each_row_can_be_broken() -> None:
    assert list(BREAKS) == [sentence for _, sentence in ROWS]


@for_each(("after", "sentence"), ROWS)
def test_a_row_holds_of_a_sound_graph_and_of_no_broken_one(
    after: str, sentence: str, done: Compilation
) -> None:
    holds, sound = INVARIANTS[after][sentence], products(after, done)

    assert holds(*sound)
    assert not holds(*BREAKS[sentence](*sound))


@for_each(("after", "sentence"), ROWS)
def test_the_error_names_the_pass_and_a_sentence(
    after: str, sentence: str, done: Compilation
) -> None:
    with pytest.raises(BrokenInvariantError, match=f"the pass '{after}' broke a rule of ours"):
        check(after, *BREAKS[sentence](*products(after, done)))


def test_a_bug_of_ours_is_no_mistake_of_the_users() -> None:
    assert not issubclass(BrokenInvariantError, ExplorerError)


def test_the_compiler_asks_the_rows_of_every_pass_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def recording(after: str, *made: object) -> None:
        asked.append(after)
        check(after, *made)

    monkeypatch.setattr(compiler, "check", recording)
    _ = compile_graph(PIPELINE, "1.20").execution_graph

    assert asked == list(INVARIANTS)


def test_a_source_that_is_chained_in_both_forms_is_counted_once() -> None:
    """The only input of a multiple-input operator chains, and runs inside its reader's task."""
    document = {
        "transformations": [
            {"id": "in", "type": "source"},
            {"id": "only", "type": "multiple_input", "inputs": ["in"]},
        ]
    }

    (vertex,) = compile_graph(document, "1.20").job_graph.vertices

    assert [operator.chain_index for operator in vertex.operators] == [0, 1]


def test_a_graph_without_operators_breaks_no_rule() -> None:
    """As only Flink's generator accepts it; an environment refuses to make one."""
    done = compile_graph({"stream_graph": {"nodes": [], "edges": []}}, "1.20")

    assert done.execution_graph.counts.edges == 0
