"""Which edges chain: edge by edge as Flink's vertices have it, and every rule asked of each.

Nodes are called by their numbers.
"""

from collections import Counter
from typing import Any

import pytest

from explorer import compile_graph
from explorer.flink.passes.chaining import chained_for_hashing, judge_edges, questions
from explorer.flink.releases import release
from explorer.flink.rules import BIT, RULES, rules_of
from tests.flink.passes.programs import SINK, SOURCE, compiled
from tests.golden_files import NAMED_AND_RANDOM, cases, iterations_before
from tests.many_cases import for_each

ASYNC = {"id": "a", "type": "async", "inputs": ["s"]}
SINCE_1_11 = [("1.9", False), ("1.10", False), ("1.11", True), ("1.20", True), ("2.3", True)]


def cut_by_flink(printed: dict[str, Any]) -> Counter[tuple[int, int]]:
    """The edges between two vertices, by Flink's own lists of operators."""
    vertices = printed["job_graph"]["vertices"]
    vertex = {one["node"]: at for at, each in enumerate(vertices) for one in each["operators"]}
    ends = [(edge["source"], edge["target"]) for edge in printed["stream_graph"]["edges"]]
    return Counter((source, target) for source, target in ends if vertex[source] != vertex[target])


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMED_AND_RANDOM)
@pytest.mark.parametrize("version", ["1.9", "1.11", "1.20", "2.3"])
def test_the_edges_that_do_not_chain_are_those_between_flinks_vertices(
    name: str, version: str
) -> None:
    compared = 0
    for case in cases(name):
        printed: dict[str, Any] = next(
            (one for one in case["flink"] if version in one["versions"]), {}
        )
        if "job_graph" not in printed:
            continue
        compared += 1
        before = iterations_before(printed)
        done = compile_graph(case["pipeline"], version, iterations_before=before)
        chainable_inputs = {source for chain in done.chains.chains for source in chain.sources}
        cut = Counter(
            (edge.source, edge.target)
            for edge, bits in zip(done.stream_graph.edges, done.verdicts, strict=True)
            if bits and edge.source not in chainable_inputs
        )
        assert cut == cut_by_flink(printed), case["name"]
    assert compared


def test_every_rule_is_asked_though_one_has_failed() -> None:
    sink = {**SINK, "chaining_strategy": "NEVER", "slot_sharing_group": "own", "parallelism": 3}
    done = compiled(SOURCE, sink, chaining=False)

    assert [one.code for one in done.decision(0).verdicts] == [rule.code for rule in RULES]
    failing = ["CH02", "CH04", "CH06", "CH08", "CH10"]
    assert [one.code for one in done.decision(0).failed] == failing
    assert done.verdicts == (sum(BIT[code] for code in failing),)


@for_each(("version", "cuts"), SINCE_1_11)
def test_an_operator_that_waits_for_its_mailbox_stays_out_of_a_legacy_sources_task(
    version: str, *, cuts: bool
) -> None:
    done = compiled(SOURCE, ASYNC, {**SINK, "inputs": ["a"]}, version=version)
    verdict = next(one for one in done.decision(0).verdicts if one.code == "CH05")

    assert (verdict.asked, verdict.holds) == (cuts, not cuts)


LEGACY, NEW = {"type": "legacy_source"}, {"type": "source"}
ALIKE: tuple[dict[str, Any], ...] = (
    {"id": "old", **LEGACY},
    {"id": "new", **NEW},
    {"id": "after_old", "type": "map", "inputs": ["old"]},
    {"id": "after_new", "type": "map", "inputs": ["new"]},
    {"id": "async_new", "type": "async", "inputs": ["after_new"]},
    {"id": "async_old", "type": "async", "inputs": ["after_old"]},
    {"id": "both", "type": "union", "inputs": ["after_old", "after_new"]},
    {"id": "first", "type": "co_map", "inputs": ["after_new", "both"]},
    {"id": "second", "type": "co_map", "inputs": ["both", "after_new"]},
    {"id": "third", "type": "multiple_input", "inputs": ["after_old", "after_new"]},
    {"id": "fourth", "type": "multiple_input", "inputs": ["both"]},
)
"""Edges with equal ends, of which other edges or a source far upstream decide differently."""


def test_edges_that_look_alike_are_judged_each_as_if_it_were_alone() -> None:
    done = compiled(*ALIKE)
    graph, settings, flink = done.stream_graph, done.settings, release("1.20")
    ask, rules = questions(graph, settings, flink), rules_of(flink)

    asked = [
        sum(BIT[rule.code] for rule in rules if not rule.holds(ask(position)))
        for position in range(len(graph.edges))
    ]
    assert list(judge_edges(graph, settings, flink)) == asked
    two_inputs = BIT["CH01"] | BIT["CH04"]
    assert set(asked) == {0, BIT["CH05"], two_inputs, two_inputs | BIT["CH12"]}


@for_each(("version", "sees"), SINCE_1_11)
def test_the_hasher_asks_the_rules_of_its_release(version: str, *, sees: bool) -> None:
    """A BATCH exchange cuts a chain; not every release's hasher knows that it does."""
    assert chained_for_hashing((BIT["CH07"],), release(version)) == [not sees]
    assert chained_for_hashing((BIT["CH08"], 0), release(version)) == [False, True]
