"""Programs with split and select become the graphs and rows of Flink 1.9 to 1.11."""

from typing import Any

import pytest

from explorer import compile_graph
from explorer.engine.preview.record_tracing import trace_from_source
from explorer.engine.preview.tracing import traced_run
from explorer.errors import FlinkRefusalError, UnsupportedReleaseError
from explorer.flink.tasks.task_chain import task_chain
from explorer.model.stream_graph import NodeId
from tests.engine.in_process import report_of
from tests.golden_files import cases
from tests.many_cases import for_each

CASES = [(case, version) for case in cases("splits") for version in case["versions"]]
PARITY = {"even": "n % 2 = 0", "odd": "n % 2 = 1", "third": "n % 3 = 0"}
SIZE = {"large": "n > 3", "even": "n <= 3"}
AGAIN = {"again": "n > 3", "done": "n <= 3"}


def op(id_: str, type_: str, *inputs: str, **fields: Any) -> dict[str, Any]:
    """A transformation."""
    return {"id": id_, "type": type_, "inputs": list(inputs), **fields}


def sink(name: str, reads: str) -> dict[str, Any]:
    """A sink that is named as its id."""
    return op(name, "sink", reads, name=name)


def select(id_: str, reads: str, *names: str) -> dict[str, Any]:
    """A select by these names."""
    return op(id_, "select", reads, names=list(names))


_P = op("p", "split", "s", outputs=PARITY)
_SIDES = op("x", "process", "s")
_LATE = op("late", "side_output", "x", tag="late")
PROGRAMS: dict[str, list[dict[str, Any]]] = {
    "two": [
        _P,
        *(select("e", "p", "even"), op("f", "map", "e"), sink("a", "f")),
        *(select("o", "p", "odd"), op("g", "map", "o"), sink("b", "g")),
    ],
    "names": [
        *(op("m", "map", "s"), op("p", "split", "m", outputs=PARITY)),
        *(select("e", "p", "third", "even"), sink("a", "e")),
        *(select("f", "p", "even", "even"), sink("b", "f")),
        *(select("o", "p", "nobody"), sink("c", "o")),
    ],
    "all": [
        *(op("m", "map", "s"), op("p", "split", "m", outputs=PARITY), sink("a", "p")),
        *(select("o", "p", "odd"), sink("b", "o"), select("e", "p"), sink("c", "e")),
    ],
    "one": [_P, select("o", "p", "odd"), sink("a", "o")],
    "keyed": [
        *(_P, select("e", "p", "even"), op("k", "key_by", "e", keys=["even"])),
        *(op("r", "reduce", "k", aggregate={"n": "sum(n)"}), sink("a", "r")),
        *(select("o", "p", "odd"), op("re", "rebalance", "o")),
        *(op("m", "map", "re", parallelism=2), sink("b", "m")),
    ],
    "partitioned": [
        *(op("m", "map", "s"), op("re", "rebalance", "m"), op("p", "split", "re", outputs=PARITY)),
        *(select("e", "p", "even"), sink("a", "e")),
        *(select("o", "p", "odd"), op("fo", "forward", "o"), sink("b", "fo")),
    ],
    "union": [
        *(op("other", "map", "s"), op("m", "map", "s"), op("u", "union", "m", "other")),
        *(op("p", "split", "u", outputs=PARITY), select("e", "p", "even")),
        *(op("f", "map", "e"), sink("a", "f"), op("g", "map", "other"), sink("b", "g")),
    ],
    "twice": [
        *(_P, select("e", "p", "even"), op("f", "map", "e"), sink("a", "f")),
        op("p2", "split", "s", outputs=SIZE),
        *(select("o", "p2", "even", "large"), op("g", "map", "o"), sink("b", "g")),
    ],
    "undeclared": [_P, op("m", "map", "s"), sink("a", "m")],
    "joined": [
        *(_P, select("e", "p", "even"), select("o", "p", "third"), op("u", "union", "e", "o")),
        *(op("m", "map", "u"), sink("a", "m")),
    ],
    "same twice": [
        *(_P, select("e", "p", "even"), select("o", "p", "even"), op("u", "union", "e", "o")),
        *(op("m", "map", "u"), sink("a", "m")),
    ],
    "nested": [
        *(_P, select("once", "p", "even"), select("t", "once", "third")),
        *(op("f", "map", "t"), sink("a", "f")),
        *(op("re", "rebalance", "once"), select("o", "re", "odd"), select("e", "o", "even")),
        *(op("g", "map", "e"), sink("b", "g")),
        *(op("re2", "rebalance", "once"), select("n", "re2"), op("h", "map", "n"), sink("c", "h")),
    ],
    "no split": [select("t", "s", "third"), op("m", "map", "t"), sink("a", "m")],
    "split a mapped select": [
        *(_P, select("o", "p", "odd"), op("m", "map", "o")),
        *(op("p2", "split", "m", outputs=SIZE), select("e", "p2", "even"), sink("a", "e")),
    ],
    "unchained": [
        *(op("m", "map", "s", parallelism=2), op("p", "split", "m", outputs=PARITY)),
        *(select("e", "p", "even"), op("f", "map", "e", parallelism=2), sink("a", "f")),
        *(select("o", "p", "odd"), op("g", "map", "o"), sink("b", "g")),
    ],
    "split a split": [
        *(_P, op("p2", "split", "p", outputs=SIZE), select("e", "p2", "even"), sink("a", "e")),
    ],
    "split a select": [
        *(_P, select("o", "p", "odd"), op("p2", "split", "o", outputs=SIZE)),
        *(select("e", "p2", "even"), sink("a", "e")),
    ],
    "split a keyed select": [
        *(_P, select("o", "p", "odd"), op("re", "rebalance", "o")),
        *(op("p2", "split", "re", outputs=SIZE), select("e", "p2", "even"), sink("a", "e")),
    ],
    "split a union of selects": [
        *(_P, select("o", "p", "odd"), op("u", "union", "s", "o")),
        *(op("p2", "split", "u", outputs=SIZE), select("e", "p2", "even"), sink("a", "e")),
    ],
    "split a side output": [
        *(_SIDES, _LATE, op("p", "split", "late", outputs=PARITY)),
        *(select("o", "p", "odd"), sink("a", "o")),
    ],
    "split then side output": [
        *(_SIDES, op("p", "split", "x", outputs=PARITY), select("o", "p", "odd"), sink("a", "o")),
        *(_LATE, sink("b", "late")),
    ],
    "side output then split": [
        *(_SIDES, _LATE, sink("b", "late")),
        *(op("p", "split", "x", outputs=PARITY), select("o", "p", "odd"), sink("a", "o")),
    ],
    "side output and a split partition": [
        *(_SIDES, _LATE, sink("b", "late"), op("re", "rebalance", "x")),
        *(op("p", "split", "re", outputs=PARITY), select("o", "p", "odd"), sink("a", "o")),
    ],
    "loop": [
        *(op("m", "map", "s"), op("i", "iterate", "m", max_wait=1000)),
        *(op("less", "map", "i", select={"n": "n - 3"}), op("f", "filter", "less", where="n > 0")),
        *(op("p", "split", "f", outputs=AGAIN), select("r", "p", "again")),
        op("c", "close_iteration", "r", iteration="i"),
        *(select("d", "p", "done"), sink("a", "d")),
    ],
    "loop head": [
        *(op("m", "map", "s"), op("i", "iterate", "m", max_wait=1000)),
        *(op("p", "split", "i", outputs=AGAIN), select("r", "p", "again")),
        *(op("less", "map", "r", select={"n": "n - 3"}), op("f", "filter", "less", where="n > 0")),
        op("c", "close_iteration", "f", iteration="i"),
        *(select("d", "p", "done"), op("g", "map", "d"), sink("a", "g")),
    ],
    "batch exchange": [
        *(_P, select("e", "p", "even", "odd")),
        op("re", "partition", "e", partitioner="REBALANCE", exchange_mode="BATCH"),
        *(op("m", "map", "re"), sink("a", "m")),
    ],
}


def document(question: str) -> dict[str, Any]:
    """The program of a question."""
    keyed = {"even": "n % 2 = 0", "n": "n"} if question == "keyed" else None
    rows: dict[str, Any] = {"sequence": {"from": 1, "to": 6}}
    if keyed:
        rows = {
            "values": [[number % 2 == 0, number] for number in range(1, 7)],
            "schema": "even BOOLEAN, n LONG",
        }
    source = {
        "id": "s",
        "type": "legacy_source",
        "name": "Collection Source",
        "parallel": False,
        "rows": rows,
    }
    chaining = {"environment": {"chaining": False}} if question == "unchained" else {}
    return {**chaining, "transformations": [source, *PROGRAMS[question]]}


@pytest.mark.slow
@for_each(("case", "version"), CASES, lambda case, version: f"{case['question']} {version}")
def test_graphs_rows_and_refusals_are_flinks(case: dict[str, Any], version: str) -> None:
    made = document(case["question"])
    if "absent" in case:
        with pytest.raises(UnsupportedReleaseError, match=r"choose 1\.11 or earlier.*FLINK-19083"):
            compile_graph(made, version)
        return
    if "refused" in case:
        with pytest.raises(FlinkRefusalError) as refusal:
            report_of(compile_graph(made, version))
        assert refusal.value.exception == case["exception"]
        assert refusal.value.flink_message == case["refused"].replace("Long", "Row")
        return
    done = compile_graph(made, version)
    graph = done.stream_graph
    splits = {"p2": "Size"} | {"p": "Again" if case["question"].startswith("loop") else "Parity"}
    assert [
        {
            "id": node.id,
            "name": node.name,
            "parallelism": node.parallelism,
            "output_selectors": [splits[id_] for id_ in node.output_selectors],
        }
        for node in graph.nodes
    ] == case["nodes"]
    edges = (graph.edges[edge] for node in graph.nodes for edge in graph.out_edges[node.id])
    assert [
        {
            "source": edge.source,
            "target": edge.target,
            "type_number": edge.type_number,
            "partitioner": edge.partitioner,
            "selected_names": list(edge.selected_names),
        }
        for edge in edges
    ] == case["edges"]
    assert {(vertex.id, vertex.name, vertex.parallelism) for vertex in done.job_graph.vertices} == {
        (vertex["id"], vertex["name"], vertex["parallelism"]) for vertex in case["vertices"]
    }
    if case["rows"] is not None:
        rows = [
            f"{name} {row[-1]}"
            for name, one in report_of(done).sinks.items()
            for row in one.data or ()
        ]
        assert sorted(rows) == case["rows"]


def test_a_task_directs_records_and_a_trace_follows_the_selected_edges() -> None:
    done = compile_graph(document("two"), "1.11")
    (vertex,) = done.job_graph.vertices
    output = task_chain(done, vertex.id).operator(NodeId(1)).output

    assert [class_ for way, _ in output.routes() for class_ in way] == [
        *("CountingOutput", "DirectedOutput", "OperatorChain$CopyingChainingOutput"),
        *("CountingOutput", "DirectedOutput", "OperatorChain$CopyingChainingOutput"),
    ]
    lineage = trace_from_source(traced_run(done), "s", 1)
    assert [end.name for end in lineage.ends] == ["a"]
    assert all(getattr(step, "target", None) != 7 for step in lineage.steps)
