"""Explanations of edges, and whether suggested fixes work."""

from typing import Any

import pytest
from msgspec.structs import replace

from explorer import Compilation, compile_graph
from explorer.documents import StreamGraphDocument
from explorer.errors import ExplorerError
from explorer.explain.edges import explain_edge
from explorer.explain.graph_fixes import graph_fixes
from explorer.explain.terminal import explanation_text
from explorer.model.stream_graph import OperatorFacts
from tests.golden_files import cases
from tests.many_cases import for_each


def compiled(*transformations: dict[str, Any], **environment: Any) -> Compilation:
    document = {"environment": environment, "transformations": list(transformations)}
    return compile_graph(document, "1.20", iterations_before=0)


def source(**fields: Any) -> dict[str, Any]:
    return {"id": "s", "type": "legacy_source", **fields}


def sink(*inputs: str, **fields: Any) -> dict[str, Any]:
    return {"id": "o", "type": "sink", "inputs": list(inputs or ("s",)), **fields}


def union(*inputs: str) -> dict[str, Any]:
    return {"id": "u", "type": "union", "inputs": list(inputs)}


FIXES: list[tuple[str, Compilation, str]] = [
    (
        "CH02",
        compiled(source(), sink(slot_sharing_group="blue")),
        "Move o to slot sharing group 'default'",
    ),
    ("CH03", compiled(source(chaining_strategy="NEVER"), sink()), "Remove NEVER from s"),
    ("CH04", compiled(source(), sink(chaining_strategy="HEAD")), "Remove HEAD from o"),
    (
        "CH05",
        compiled(source(), {"id": "o", "type": "async", "inputs": ["s"]}),
        "Make s a FLIP-27 source",
    ),
    (
        "CH06",
        compiled(source(), {"id": "r", "type": "rebalance", "inputs": ["s"]}, sink("r")),
        "Remove the partitioner REBALANCE from s → o",
    ),
    (
        "CH08",
        compiled(source(parallelism=2), sink(parallelism=3)),
        "Set parallelism of o to 2",
    ),
    (
        "CH09",
        compiled(
            source(max_parallelism=64),
            {"id": "o", "type": "map", "inputs": ["s"], "max_parallelism": 128},
            configuration={
                "pipeline.operator-chaining.chain-operators-with-different-max-parallelism": False
            },
        ),
        "Allow different max parallelism in a chain",
    ),
    ("CH10", compiled(source(), sink(), chaining=False), "Turn chaining on"),
]


@for_each(("code", "done", "label"), FIXES)
def test_a_failed_condition_has_a_fix_that_works(code: str, done: Compilation, label: str) -> None:
    explanation = explain_edge(done, 0)

    fix = next(fix for fix in explanation.fixes if fix.label == label)
    assert fix.solved
    assert "2 tasks → 1" in fix.effect
    assert code in {reason.code for reason in explanation.reasons if not reason.holds}


def test_a_chained_edge_reports_that_all_conditions_hold() -> None:
    explanation = explain_edge(compiled(source(), sink()), 0)

    assert explanation.headline == "Chained: all 12 conditions hold"
    assert explanation.fixes == ()


def test_all_failed_conditions_are_named_not_only_the_first() -> None:
    done = compiled(
        source(parallelism=2, chaining_strategy="NEVER"),
        sink(parallelism=3, slot_sharing_group="blue"),
    )

    failed = [reason.code for reason in explain_edge(done, 0).reasons if not reason.holds]
    assert failed == ["CH02", "CH03", "CH06", "CH08"]


def test_a_keyed_edge_has_no_fix_because_its_key_by_must_stay() -> None:
    done = compiled(
        source(),
        {"id": "k", "type": "key_by", "inputs": ["s"]},
        {"id": "r", "type": "reduce", "inputs": ["k"]},
    )

    assert explain_edge(done, 0).fixes == ()


ADVICE: list[tuple[str, Compilation, str]] = [
    (
        "CH01",
        compiled(source(), source() | {"id": "s2"}, union("s", "s2"), sink("u")),
        "No setting changes this: Sink: Print to Std. Out reads several streams",
    ),
    (
        "CH12",
        compiled(source(), source() | {"id": "s2"}, union("s", "s2"), sink("u")),
        "A union ends in the network",
    ),
    (
        "CH04",
        compiled(
            source(),
            {"id": "a", "type": "map", "inputs": ["s"]},
            {"id": "o", "type": "multiple_input", "inputs": ["a"]},
        ),
        "Multi chains FLIP-27 sources to itself, and no other operators.",
    ),
    (
        "CH06",
        compiled(source(parallelism=2), sink(parallelism=3)),
        "Flink chose REBALANCE because the parallelism differs: a fix of CH08 also fixes CH06.",
    ),
    (
        "CH06",
        compiled(
            source(),
            {"id": "k", "type": "key_by", "inputs": ["s"]},
            {"id": "r", "type": "reduce", "inputs": ["k"]},
        ),
        "Keyed Reduce is keyed",
    ),
]


@for_each(("code", "done", "said"), ADVICE)
def test_a_failed_condition_without_a_fix_has_advice(
    code: str, done: Compilation, said: str
) -> None:
    last = len(done.stream_graph.edges) - 1
    explanation = explain_edge(done, 1 if done.stream_graph.edges[last].via == ("u",) else last)

    assert said in explanation.advice[code]


@pytest.mark.law
def test_every_failed_condition_of_every_golden_edge_has_a_fix_or_advice() -> None:
    seen = set()
    for case in list(cases("classics")):
        for version in ("1.20", "2.3"):
            try:
                done = compile_graph(case["pipeline"], version, iterations_before=0)
            except ExplorerError:
                continue
            for edge in range(len(done.stream_graph.edges)):
                said = explain_edge(done, edge)
                failed = [r.code for r in said.reasons if r.asked and not r.holds]
                fixed = {fix.code for fix in said.fixes}
                if not said.chained:
                    assert set(failed) == fixed | set(said.advice)
                    assert not fixed & set(said.advice)
                    seen |= fixed | set(said.advice)
    assert len(seen) > 6


def test_a_stream_graph_without_its_pipeline_names_the_call_to_change() -> None:
    done = compiled(source(parallelism=2), sink(parallelism=3))
    alone = compile_graph(StreamGraphDocument(stream_graph=done.stream_graph), "1.20")

    assert ".setParallelism(2) on" in explain_edge(alone, 0).advice["CH08"]


@pytest.mark.parametrize(
    ("code", "graph", "label"),
    [
        ("CH02", compiled(source(), sink(slot_sharing_group="blue")), "Move Sink: "),
        ("CH03", compiled(source(chaining_strategy="NEVER"), sink()), "Set chaining strategy of S"),
        ("CH04", compiled(source(), sink(chaining_strategy="HEAD")), "Set chaining strategy of Si"),
        (
            "CH06",
            compiled(source(), {"id": "r", "type": "rebalance", "inputs": ["s"]}, sink("r")),
            "Set the partitioner of the edge to FORWARD",
        ),
        (
            "CH08",
            compiled(source(parallelism=2), sink(parallelism=3)),
            "Set parallelism of Sink: Print to Std. Out to 2, with a FORWARD edge",
        ),
        ("CH10", compiled(source(), sink(), chaining=False), "Turn chaining on"),
    ],
)
def test_a_stream_graph_document_has_fixes_by_its_own_settings(
    code: str, graph: Compilation, label: str
) -> None:
    document = StreamGraphDocument(stream_graph=graph.stream_graph)
    alone = compile_graph(document, "1.20")
    assert code in {reason.code for reason in explain_edge(alone, 0).reasons if not reason.holds}

    solving = [fix for fix in graph_fixes(document, alone, 0) if fix.solved]

    (fix,) = solving
    assert fix.label.startswith(label)
    assert fix.effect.startswith("2 tasks → 1")
    assert len(compile_graph(fix.document, "1.20").job_graph.vertices) == 1


@pytest.mark.parametrize(
    "graph",
    [
        compiled(
            source(),
            {"id": "k", "type": "key_by", "inputs": ["s"]},
            {"id": "r", "type": "reduce", "inputs": ["k"]},
            sink("r"),
        ),
        compiled(
            source(),
            {"id": "rules", "type": "legacy_source"},
            {"id": "c", "type": "broadcast_connect", "inputs": ["s", "rules"]},
            sink("c"),
        ),
    ],
    ids=["keyed state", "broadcast state"],
)
def test_no_fix_of_a_document_takes_the_partitioner_that_an_operator_needs(
    graph: Compilation,
) -> None:
    document = StreamGraphDocument(stream_graph=graph.stream_graph)
    alone = compile_graph(document, "1.20")
    for position, edge in enumerate(alone.stream_graph.edges):
        for fix in graph_fixes(document, alone, position):
            fixed = fix.document.stream_graph.edges[position].partitioner
            assert edge.partitioner in (fixed, "REBALANCE")


def test_what_the_planner_of_sql_decides_has_no_fix() -> None:
    graph = compiled(source(), sink(chaining_strategy="NEVER"))
    planned = OperatorFacts(class_name="org.apache.flink.table.runtime.operators.StreamExecCalc")
    nodes = {node.id: replace(node, operator=planned) for node in graph.stream_graph.nodes}
    document = StreamGraphDocument(
        stream_graph=replace(graph.stream_graph, nodes=tuple(nodes.values()), by_id=nodes)
    )
    assert not graph_fixes(document, compile_graph(document, "1.20"), 0)


def test_a_source_inside_a_multiple_input_task_counts_as_chained() -> None:
    case = next(c for c in cases("classics") if c["name"] == "multi-input-chained-sources")
    done = compile_graph(case["pipeline"], "1.20")

    explanation = explain_edge(done, 0)

    assert explanation.chained
    assert explanation.headline.startswith("Chained: the source runs in the task of")


@pytest.mark.law
def test_every_fix_of_every_golden_edge_makes_its_condition_hold() -> None:
    tried = 0
    for case in list(cases("random"))[:50]:
        try:
            done = compile_graph(case["pipeline"], "1.20", iterations_before=0)
        except ExplorerError:
            continue
        for edge in range(len(done.stream_graph.edges)):
            explanation = explain_edge(done, edge)
            assert explanation.chained or not done.chained[edge]
            tried += len(explanation.fixes)
    assert tried > 200


def test_the_text_has_a_line_a_condition() -> None:
    text = explanation_text([explain_edge(compiled(source(), sink(parallelism=3)), 0)])

    assert text.count("\n  ok ") == 10
    assert "NO CH08  same parallelism" in text
    assert "fix CH08: Set parallelism of o to 1" in text


def test_a_fix_that_chains_other_records_of_the_maximum_names_what_a_restore_loses() -> None:
    effects = []
    for uid in "abcdefgh":
        keyed = {"id": "count", "type": "reduce", "inputs": ["by"], "parallelism": 90}
        compilation = compiled(
            source(uid="s"),
            {"id": "by", "type": "key_by", "inputs": ["s"], "keys": ["n"]},
            {**keyed, "uid": f"count {uid}"},
            {"id": "m", "type": "map", "inputs": ["count"], "uid": uid},
            sink("m", uid="o"),
            parallelism=2,
        )
        graph = compilation.stream_graph
        sources = [graph.by_id[edge.source].transformation for edge in graph.edges]
        fixes = explain_edge(compilation, sources.index("count")).fixes
        effects.append(
            {fix.label: "a restore then loses keys" in fix.effect for fix in fixes if fix.solved}
        )

    # Which operator's record counts is a matter of the hashes of their uids.
    narrow = "Set parallelism of count to 2"
    assert {"Set parallelism of m to 90", narrow} <= set(effects[0])
    assert {effect[narrow] for effect in effects} == {True, False}
