"""What holds for every pipeline: laws over random legal ones, release by release."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from random import Random
from typing import Any

import mmh3
import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from explorer import Compilation, compile_graph
from explorer.documents import load_document
from explorer.errors import ExplorerError, FlinkRefusalError
from explorer.flink.json_members import execution_graph_members
from explorer.flink.passes.chaining import chained_for_hashing
from explorer.flink.releases import VERSIONS
from explorer.model.pipeline import Pipeline, Transformation
from tests.examples import examples
from tests.plain_hasher import murmur, plain_hashes
from tests.strategies import RELEASES, WITH_ITERATIONS, pipelines

releases = st.sampled_from(RELEASES)

law = examples(50)
"""Few, to keep the suite quick; thousands found what is in the tests by name."""


def compiled(pipeline: Pipeline, version: str | None = None) -> Compilation:
    return compile_graph(pipeline, version, iterations_before=0)


def tasks(done: Compilation) -> Counter[frozenset[tuple[str | None, str]]]:
    """The chains as sets of operators, whatever their numbers are."""
    graph = done.stream_graph
    return Counter(
        frozenset(
            (graph.node(o.node).transformation, graph.node(o.node).vertex_class)
            for o in vertex.operators
        )
        for vertex in done.job_graph.vertices
    )


def swallowed(done: Compilation) -> set[int]:
    """The positions of edges from sources that run inside their reader's task."""
    graph = done.stream_graph
    return {graph.out_edges[s][0] for chain in done.chains.chains for s in chain.sources}


LAWS: list[Callable[[Compilation], None]] = []
"""What holds of every compilation; a pipeline is drawn and compiled once for all of them."""


def holds(check: Callable[[Compilation], None]) -> Callable[[Compilation], None]:
    """Make a function one of the laws."""
    LAWS.append(check)
    return check


def drawn(done: Compilation) -> Pipeline:
    """The pipeline that was compiled."""
    assert done.pipeline is not None
    return done.pipeline


def as_networkx(ends: Iterable[tuple[int, int]], nodes: Iterable[int]) -> nx.MultiDiGraph:
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(ends)
    return graph


@law
@given(pipelines(oldest="1.20"), st.sampled_from(("1.20", "2.0", "2.3")))
def test_the_adaptive_graph_has_the_clients_chains(pipeline: Pipeline, version: str) -> None:
    """In another order: a chain stands behind all that it reads."""
    done = compiled(pipeline, version)

    assert (done.scheduled is None) == (version == "1.20" or not done.settings.batch)
    if done.scheduled is None:
        return
    made, client = done.scheduled, done.client
    assert {chain.members for chain in made.chains.chains} == {
        chain.members for chain in client.chains.chains
    }
    places = {vertex.id: place for place, vertex in enumerate(made.job_graph.vertices)}
    assert all(places[edge.source] < places[edge.target] for edge in made.job_graph.edges)
    assert len(made.job_graph.edges) == len(client.job_graph.edges)


@holds
def each_node_is_in_exactly_one_vertex(done: Compilation) -> None:
    found = [o.node for vertex in done.job_graph.vertices for o in vertex.operators]

    assert sorted(found) == [node.id for node in done.stream_graph.nodes]
    assert {node: done.job_graph.vertex_of[node] for node in found} == {
        o.node: position
        for position, vertex in enumerate(done.job_graph.vertices)
        for o in vertex.operators
    }


@holds
def a_chain_has_one_head_and_every_other_operator_is_called_by_one(done: Compilation) -> None:
    for vertex in done.job_graph.vertices:
        heads = [o for o in vertex.operators if o.chain_start]
        called = Counter(node for o in vertex.operators for node in o.chained_outputs)
        sources = {o.node for o in vertex.operators if o.chain_index == 0}

        assert len(heads) == 1
        assert vertex.id == heads[0].operator_id == vertex.operator_ids[-1]
        assert set(called.values()) <= {1}
        assert set(called) | sources | {heads[0].node} == {o.node for o in vertex.operators}


@holds
def physical_edges_are_exactly_the_edges_that_do_not_chain(done: Compilation) -> None:
    inside = {i for i, chains in enumerate(done.chained) if chains} | swallowed(done)
    physical = [edge.stream_edge for edge in done.job_graph.edges]

    assert sorted(physical) == [i for i in range(len(done.stream_graph.edges)) if i not in inside]
    for edge in done.job_graph.edges:
        stream_edge = done.stream_graph.edges[edge.stream_edge]
        ends = stream_edge.source, stream_edge.target
        source, target = (done.job_graph.vertices[done.job_graph.vertex_of[n]].id for n in ends)
        assert (source, target) == (edge.source, edge.target)


@holds
def decisions_record_each_step(done: Compilation) -> None:

    assert tuple(decision.chained for decision in done.decisions) == done.chained
    assert all(decision.verdicts for decision in done.decisions)


@holds
def without_chaining_every_node_is_a_vertex(done: Compilation) -> None:
    """So chaining only ever joins vertices."""
    pipeline = drawn(done)
    environment = replace(pipeline.environment, chaining=False)
    alone = compiled(replace(pipeline, environment=environment), done.release.version)

    assert not any(alone.chained)
    assert len(alone.job_graph.vertices) == len(alone.stream_graph.nodes)
    assert len(alone.job_graph.edges) == len(alone.stream_graph.edges)
    assert len(done.job_graph.vertices) <= len(alone.job_graph.vertices)
    assert done.stream_graph.nodes == alone.stream_graph.nodes


@holds
def the_order_of_unrelated_declarations_changes_no_chain(done: Compilation) -> None:
    pipeline = drawn(done)
    random = Random(len(done.hashes))  # noqa: S311 - any other order
    again = replace(pipeline, transformations=reordered(pipeline.transformations, random))

    assert tasks(compiled(again, done.release.version)) == tasks(done)


def reordered(
    transformations: tuple[Transformation, ...], random: Random
) -> tuple[Transformation, ...]:
    """Any other order in which every input is still declared first."""
    left, declared, result = list(transformations), set[str](), []
    while left:
        ready = [t for t in left if declared.issuperset(t.inputs)]
        chosen = random.choice(ready)
        left.remove(chosen)
        declared.add(chosen.id)
        result.append(chosen)
    return tuple(result)


@law
@given(pipelines(), releases, releases, st.integers(1, 8))
def test_a_uid_fixes_an_id_whatever_else_changes(
    pipeline: Pipeline, version: str, other: str, parallelism: int
) -> None:
    """One operator gets a uid; before it come new ones, behind it names and settings change."""
    uid = "the one that stays ⏳"
    chosen = next((t for t in reversed(pipeline.transformations) if t.type == "map"), None)
    if chosen is None:
        return
    named = tuple(replace(t, uid=uid) if t is chosen else t for t in pipeline.transformations)
    changed = tuple(
        t if t.uid == uid else replace(t, uid=None, **({} if t.name is None else {"name": "new"}))
        for t in named
    )
    extra = Transformation(id="an extra source", type="source", parallelism=parallelism)
    environment = replace(pipeline.environment, chaining=False, auto_generate_uids=True)
    before = compiled(replace(pipeline, transformations=named), version)
    after = compiled(
        replace(pipeline, transformations=(extra, *changed), environment=environment), other
    )

    ids = [
        done.hashes[node.id]
        for done in (before, after)
        for node in done.stream_graph.nodes
        if node.uid == uid
    ]
    assert ids == [mmh3.hash_bytes(uid).hex()] * 2


@holds
def names_change_no_id(done: Compilation) -> None:
    pipeline = drawn(done)
    changed = tuple(
        t if t.name is None else replace(t, name=f"not {t.name}"[:9_000])
        for t in pipeline.transformations
    )

    renamed = compiled(replace(pipeline, transformations=changed), done.release.version)

    assert renamed.hashes == done.hashes


@holds
def ids_equal_those_of_plain_loops_over_bytes(done: Compilation) -> None:

    # The adaptive batch scheduler hashes in an order of its own.
    assert plain_hashes(done.stream_graph, done.chained) == done.client.hashes


@law
@given(pipelines(iterations=True))
def test_ids_of_iterations_equal_those_of_plain_loops_over_bytes(pipeline: Pipeline) -> None:
    done = compiled(pipeline)

    # The adaptive batch scheduler hashes in an order of its own.
    assert plain_hashes(done.stream_graph, done.chained) == done.client.hashes


def test_the_hasher_of_1_10_does_not_look_at_the_exchange_mode() -> None:
    document = load_document(
        {
            "transformations": [
                {"id": "in", "type": "legacy_source"},
                {
                    "id": "cut",
                    "type": "partition",
                    "inputs": ["in"],
                    "partitioner": "FORWARD",
                    "exchange_mode": "BATCH",
                },
                {"id": "out", "type": "sink", "inputs": ["cut"], "buffer_timeout": -1},
            ],
            "environment": {"buffer_timeout": -1},
        }
    )
    done = compile_graph(document, "1.10")
    seen = chained_for_hashing(done.verdicts, done.release)

    assert (done.chained, seen) == ((False,), [True])
    assert plain_hashes(done.stream_graph, seen) == done.hashes


def test_a_uid_that_looks_like_a_count_is_refused_as_flink_refuses_it() -> None:
    """Its hash is what the second source gets, for which one operator was hashed before."""
    sources = [{"id": "a", "type": "source", "uid": "\x01\0\0\0"}, {"id": "b", "type": "source"}]
    sinks = [
        {"id": f"{source['id']} out", "type": "sink", "inputs": [source["id"]], "parallelism": 2}
        for source in sources
    ]

    with pytest.raises(FlinkRefusalError, match="already contains a vertex with that id"):
        compile_graph({"transformations": [*sources, *sinks]}, "1.20")


@law
@given(st.binary(max_size=100))
def test_the_plain_murmur_is_murmur(data: bytes) -> None:
    assert bytes(murmur(data)) == mmh3.hash_bytes(data)


@holds
def networkx_agrees_on_components_and_reachability(done: Compilation) -> None:
    graph, of = done.stream_graph, done.job_graph.vertex_of
    stream = as_networkx(((e.source, e.target) for e in graph.edges), graph.by_id)
    place = {vertex.id: position for position, vertex in enumerate(done.job_graph.vertices)}
    job = as_networkx(
        ((place[e.source], place[e.target]) for e in done.job_graph.edges), place.values()
    )

    assert nx.is_directed_acyclic_graph(job)
    assert all(source < target for source, target in job.edges())
    components = nx.weakly_connected_components
    assert {frozenset(of[n] for n in part) for part in components(stream)} == set(
        map(frozenset, components(job))
    )
    for position, vertex in enumerate(done.job_graph.vertices):
        members = [o.node for o in vertex.operators]
        reached = {of[n] for member in members for n in nx.descendants(stream, member)}
        assert reached - {position} == nx.descendants(job, position)


@holds
def a_compiled_stream_graph_compiles_to_the_same_job_graph(done: Compilation) -> None:
    document = load_document(json.loads(json.dumps(done.to_dict())))
    again = compile_graph(document)

    assert again.release == done.release
    assert again.settings == done.settings
    assert again.hashes == done.hashes
    assert without_positions(again) == without_positions(done)


def without_positions(done: Compilation) -> dict[str, Any]:
    """All members but positions in ``StreamGraph.edges``, which is written node by node."""
    members = done.to_dict()
    for graph in filter(None, (members["job_graph"], members["adaptive_job_graph"])):
        for edge in graph["edges"]:
            del edge["stream_edge"]
    return members


@holds
def tracing_changes_nothing(done: Compilation) -> None:
    traced = compile_graph(drawn(done), done.release.version, trace=True, iterations_before=0)

    assert bool(traced.steps) == bool(done.hashes)
    assert without_steps(traced) == done


def without_steps(done: Compilation) -> Compilation:
    """The compilation without the steps of either translation of a BATCH job."""
    other = done.alternative and replace(done.alternative, steps=())
    return replace(done, steps=(), alternative=other)


@examples(100)
@given(pipelines(), releases)
def test_the_laws_hold_of_every_compilation(pipeline: Pipeline, version: str) -> None:
    done = compiled(pipeline, version)

    for check in LAWS:
        check(done)


@law
@given(pipelines(compiles=False), st.sampled_from(VERSIONS))
def test_whatever_is_written_every_release_translates_or_refuses(
    pipeline: Pipeline, version: str
) -> None:
    try:
        done = compiled(pipeline, version)
    except ExplorerError:
        return
    json.dumps(done.to_dict())
    json.dumps(execution_graph_members(done.execution_graph))
    assert len(done.decisions) == len(done.stream_graph.edges)


@law
@given(pipelines(compiles=False, iterations=True), st.sampled_from(VERSIONS))
def test_whatever_loops_every_release_translates_or_refuses(
    pipeline: Pipeline, version: str
) -> None:
    try:
        done = compiled(pipeline, version)
    except ExplorerError:
        return
    assert version in {*VERSIONS[:3], *WITH_ITERATIONS, *VERSIONS[3:6]}
    json.dumps(done.to_dict())


DIGEST = """
import hashlib, json, msgspec
from explorer import compile_graph
from explorer.flink.json_members import execution_graph_members
from explorer.errors import ExplorerError, FlinkRefusalError
from tests.golden_files import cases
digest = hashlib.sha256()
for name in ("classics", "constructs"):
    for case in cases(name):
        for version in ("1.10", "1.16", "1.20", "2.2"):
            try:
                done = compile_graph(case["pipeline"], version, trace=True, iterations_before=0)
            except ExplorerError as error:
                digest.update(str(error).encode())
                continue
            steps = msgspec.to_builtins(done.steps)
            members = done.to_dict() | {"tasks": execution_graph_members(done.execution_graph)}
            digest.update(json.dumps([members, steps, done.warnings]).encode())
            digest.update(repr(done.decisions).encode())
print(digest.hexdigest())
"""


@cache
def digest(seed: str) -> str:
    """All that is known of some hundred pipelines, in a process with this hash seed."""
    done = subprocess.run(
        [sys.executable, "-c", DIGEST],
        env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.mark.law
@pytest.mark.parametrize("seed", ["1", "4294967295"])
def test_results_do_not_depend_on_the_hash_seed(seed: str) -> None:
    assert len(digest(seed)) == 64
    assert digest(seed) == digest("0")
