"""What to change in a program, where only its StreamGraph is known."""

from typing import Any

import msgspec
import pytest

from explorer import compile_graph
from explorer.documents import samples
from explorer.explain.edges import explain_edge
from explorer.explain.program_advice import program_advice
from explorer.flink.compiler import Compilation
from explorer.flink.rules import RULES
from explorer.model.document import StreamGraphDocument
from explorer.model.stream_graph import OperatorFacts
from tests.checks.pairs import job, op
from tests.many_cases import for_each

RULE_OF = {rule.code: rule for rule in RULES}
CALC = OperatorFacts(factory="org.apache.flink.table.runtime.operators.CodeGenOperatorFactory")


def alone(document: dict[str, Any], *, is_sql: bool = False) -> Compilation:
    """The document's StreamGraph without its pipeline; of SQL: with the planner's classes."""
    graph = compile_graph(document, "1.20").stream_graph
    facts = CALC if is_sql else OperatorFacts()
    nodes = tuple(msgspec.structs.replace(node, operator=facts) for node in graph.nodes)
    by_id = {node.id: node for node in nodes}
    graph = msgspec.structs.replace(graph, nodes=nodes, by_id=by_id)
    return compile_graph(StreamGraphDocument(stream_graph=graph), "1.20")


def advice(fields: dict[str, Any], code: str, *, is_sql: bool = False) -> str:
    line = job(op("a", "source"), op("b", "map", "a", **fields), op("c", "sink", "b"))
    return explain_edge(alone(line, is_sql=is_sql), 0).advice[code]


@for_each(
    ("fields", "code", "words"),
    [
        ({"slot_sharing_group": "g"}, "CH02", ".slotSharingGroup('default') on 'Map'"),
        ({"chaining_strategy": "NEVER"}, "CH04", "Remove .disableChaining() from 'Map'"),
        ({"chaining_strategy": "HEAD"}, "CH04", "Remove .startNewChain() from 'Map'"),
        ({"parallelism": 3}, "CH08", ".setParallelism(1) on 'Map'"),
        ({"parallelism": 3}, "CH06", "first do CH08"),
    ],
)
def test_a_program_gets_the_call_to_change(fields: dict[str, Any], code: str, words: str) -> None:
    assert words in advice(fields, code)


@pytest.mark.parametrize(
    ("fields", "code", "words"),
    [
        ({"parallelism": 3}, "CH08", "'scan.parallelism' = '3'"),
        ({"chaining_strategy": "HEAD"}, "CH04", "no option or hint of SQL changes it"),
    ],
)
def test_a_script_gets_the_option_or_hint(fields: dict[str, Any], code: str, words: str) -> None:
    assert words in advice(fields, code, is_sql=True)


@for_each("call", ["rebalance", "rescale", "shuffle", "broadcast", "global"])
def test_a_partitioner_is_removed_by_its_call(call: str) -> None:
    line = job(op("a", "source"), op("by", call, "a"), op("b", "map", "by"), op("c", "sink", "b"))

    assert f"Remove .{call}() between" in explain_edge(alone(line), 0).advice["CH06"]


def test_every_condition_has_advice_for_captured_samples() -> None:
    captured = [sample for sample in samples() if sample.path.suffix == ".json"]
    assert captured
    for sample in captured:
        done = compile_graph(sample.path)
        for edge in range(len(done.stream_graph.edges)):
            question = done.question(edge)
            assert all(program_advice(rule, question) for rule in RULE_OF.values())
