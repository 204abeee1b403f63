"""The steps of a trace are what hashing and chaining did: followed by hand, they give the same."""

from collections.abc import Iterator

import msgspec
import pytest

from explorer import Compilation, compile_graph
from explorer.errors import ExplorerError
from explorer.model.steps import (
    ChainEntered,
    ChainReturned,
    NodeHashed,
    NodeHashedByUid,
    NodePutBack,
    Step,
    VertexBuiltAlready,
)
from tests.golden_files import NAMED_AND_RANDOM, cases

Hashing = NodeHashed | NodeHashedByUid | NodePutBack


def traced(name: str) -> Iterator[Compilation]:
    for case in cases(name):
        try:
            yield compile_graph(case["pipeline"], "1.20", trace=True)
        except ExplorerError:
            continue


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMED_AND_RANDOM)
def test_each_node_comes_from_the_front_of_the_queue_before(name: str) -> None:
    for done in traced(name):
        steps = [step for step in done.steps if isinstance(step, Hashing)]
        queue = tuple(sorted(done.stream_graph.sources))
        for step in steps:
            assert step.node == queue[0]
            added = step.queue[len(queue) - 1 :]
            assert step.queue == (*queue[1:], *added)
            queue = step.queue
        assert queue == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMED_AND_RANDOM)
def test_values_that_are_put_and_mixed_in_end_in_the_operator_id(name: str) -> None:
    for done in traced(name):
        seen: dict[int, str] = {}
        for step in done.steps:
            if isinstance(step, NodePutBack):
                assert step.missing
                assert not seen.keys() & set(step.missing)
            if isinstance(step, NodeHashed):
                assert step.hashed_before == len(seen)
                assert [seen[one.input] for one in step.mixed] == [one.hash for one in step.mixed]
                assert step.result == (step.mixed[-1].after if step.mixed else step.local)
            if isinstance(step, NodeHashed | NodeHashedByUid):
                seen[step.node] = step.result
        assert seen == dict(done.hashes)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMED_AND_RANDOM)
def test_every_call_returns_and_the_heads_make_the_chains(name: str) -> None:
    for done in traced(name):
        calls: list[int] = []
        made = []
        for step in done.steps:
            if isinstance(step, ChainEntered):
                calls.append(step.node)
            if isinstance(step, ChainReturned):
                assert calls.pop() == step.node
                if step.node == step.head:
                    made.append((step.members, step.edges))
            if isinstance(step, VertexBuiltAlready):
                assert calls[-1] == step.caller
        assert calls == []
        assert made == [(chain.members, chain.out_edges) for chain in done.chains.chains]


def test_a_trace_can_be_written_and_read_again() -> None:
    for done in traced("classics"):
        written = msgspec.json.encode(done.steps)

        assert msgspec.json.decode(written, type=tuple[Step, ...]) == done.steps
