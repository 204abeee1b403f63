"""Operators of a program that left the state of a savepoint without a known program."""

from collections.abc import Sequence
from typing import Any

import msgspec

from explorer import load_document, load_savepoint
from explorer.comparison.baseline_matches import can_keep, match_saved
from explorer.comparison.matching import Match
from explorer.flink.compiler import Compilation, compile_program
from explorer.model.document import Document
from explorer.model.stream_graph import NodeId
from explorer.savepoints import OperatorState
from tests.savepoints.clusters import metadata_of, outcome_of, restores

SAME, INSERTED, UNCHAINED = (
    next(one for one in restores() if one["name"] == name)
    for name in ("restore-27", "restore-1", "restore-53")
)
"""A program as it was, one with another map, and one with chaining off."""


def saved(of: dict[str, Any], *, named: bool = True) -> tuple[OperatorState, ...]:
    """The operators of the savepoint that a cluster of 2.2 wrote of the old program."""
    operators = load_savepoint(metadata_of(outcome_of(of, "2.2"))).operators
    if named:
        return operators
    return tuple(msgspec.structs.replace(one, name=None, uid=None) for one in operators)


def compiled(values: dict[str, Any]) -> tuple[Document, Compilation]:
    document = load_document({**values, "flink": "2.2"})
    return document, compile_program(document)


def named(matches: dict[str, Match], done: Compilation) -> dict[str, str]:
    """Map operator IDs of the savepoint to names of new operators."""
    by_id = done.stream_graph.by_id
    return {id: by_id[one.node].name for id, one in matches.items() if one.node is not None}


def known(operators: Sequence[OperatorState]) -> dict[str, str | None]:
    return {one.operator_id: one.name for one in operators}


def test_the_program_that_left_a_savepoint_is_matched_by_its_ids() -> None:
    document, done = compiled(SAME["old"])

    found = match_saved(saved(SAME, named=False), document, done, {})

    assert named(found, done) == known(saved(SAME))


def test_only_a_uid_is_certain() -> None:
    document, done = compiled(SAME["old"])
    given = {node.id for node in done.stream_graph.nodes if node.uid}

    found = match_saved(saved(SAME), document, done, {})

    assert given
    assert {match.node for match in found.values() if match.grade == "certain"} == given
    assert {match.grade for match in found.values()} == {"certain", "likely"}


def test_ids_with_chaining_are_found_in_a_program_without_it() -> None:
    document, done = compiled(UNCHAINED["new"])
    moved = set(known(saved(UNCHAINED))) - set(done.hashes.values())

    found = match_saved(saved(UNCHAINED, named=False), document, done, {})

    assert moved
    assert named(found, done) == known(saved(UNCHAINED))


def test_ids_of_other_releases_are_found_behind_any_number_of_unknown_ones() -> None:
    document, done = compiled(UNCHAINED["new"])
    states = saved(UNCHAINED, named=False)
    others = [msgspec.structs.replace(states[0], operator_id=f"{n:032x}") for n in range(100)]

    found = match_saved((*others, *states), document, done, {})

    assert named(found, done) == known(saved(UNCHAINED))


def test_a_name_of_one_operator_alone_decides_where_no_id_does() -> None:
    document, done = compiled(INSERTED["new"])
    moved = set(known(saved(INSERTED))) - set(done.hashes.values())

    by_name = match_saved(saved(INSERTED), document, done, {})
    by_id = match_saved(saved(INSERTED, named=False), document, done, {})

    assert moved
    assert named(by_name, done) == known(saved(INSERTED))
    assert set(by_id) == set(by_name) - moved


def test_no_operator_is_matched_twice() -> None:
    document, done = compiled(SAME["old"])
    first = saved(SAME)[0]
    (node,) = (node for node, id in done.hashes.items() if id == first.operator_id)

    found = match_saved(saved(SAME), document, done, {"0" * 32: node})

    assert first.operator_id not in found
    assert len(found) == len(saved(SAME)) - 1


def test_keyed_state_is_left_by_an_operator_that_reads_by_key_alone() -> None:
    _, done = compiled(SAME["old"])
    keyed = next(each for each in saved(SAME) if "keyed" in each.kinds)
    plain = next(each for each in saved(SAME) if not each.has_state)
    held = done.held_states

    able = {
        node.name for node in done.stream_graph.nodes if can_keep(keyed, node, done, held[node.id])
    }

    assert keyed.name in able
    assert not [name for name in able if name.startswith(("Source: ", "Sink: Print"))]
    assert all(can_keep(plain, node, done, held[node.id]) for node in done.stream_graph.nodes)


def test_an_operator_of_unknown_class_can_leave_keyed_state_where_an_exchange_hashes() -> None:
    """Also the exchange that becomes a hash where two operators by the same keys do not chain."""
    names = ("source", "hashed", "hashed again", "rebalanced")
    nodes = [
        {"id": id, "name": name, "parallelism": 2, "operator": {"class_name": "Own"}}
        for id, name in enumerate(names, 1)
    ]
    again = {"partitioner": "FORWARD", "partitioner_class": "ForwardForConsecutiveHashPartitioner"}
    exchanges = ({"partitioner": "HASH[k]"}, again, {"partitioner": "REBALANCE"})
    edges = [{"source": id, "target": id + 1, **edge} for id, edge in enumerate(exchanges, 1)]
    _, done = compiled({"stream_graph": {"nodes": nodes, "edges": edges}})
    keyed = next(each for each in saved(SAME) if "keyed" in each.kinds)
    held = done.held_states

    able = [
        node.name for node in done.stream_graph.nodes if can_keep(keyed, node, done, held[node.id])
    ]

    assert {held[node.id].certainty for node in done.stream_graph.nodes} == {"possible"}
    assert able == ["hashed", "hashed again"]


def test_state_that_is_not_keyed_is_left_by_no_operator_without_state() -> None:
    _, done = compiled(SAME["old"])
    read_position = next(each for each in saved(SAME) if each.kinds == ("operator",))
    held = done.held_states

    unable = {
        node.name
        for node in done.stream_graph.nodes
        if not can_keep(read_position, node, done, held[node.id])
    }
    assert unable == {"Sink: Print to Std. Out"}


def test_an_id_of_an_operator_without_such_state_is_no_evidence() -> None:
    keyed = next(one for one in saved(SAME) if "keyed" in one.kinds)
    sink = {"id": "o", "type": "sink", "inputs": ["s"], "uid_hash": keyed.operator_id, "uid": "o"}
    document, done = compiled({"transformations": [{"id": "s", "type": "source"}, sink]})

    assert match_saved([keyed], document, done, dict[str, NodeId]()) == {}
