"""Completes the edges of a StreamGraph document where members are missing.

An edge's partitioner may be any text that Flink prints. Its class is identified by
``partitioner_class``, else by the name at the beginning of the text.
"""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from explorer.flink.partitioners import (
    BINARY_HASH,
    FORWARD_CONSECUTIVE_HASH,
    PARTITIONER_CLASSES,
    class_printing,
    partitioner_class,
)
from explorer.model.stream_graph import NodeId, StreamEdge
from explorer.wording import quoted, suggestion


def complete_edges(members: Mapping[str, Any]) -> object:
    """Edges with what follows from the others: class, buffer timeout, number among equals."""
    edges, nodes = members.get("edges"), members.get("nodes")
    if not isinstance(edges, list | tuple) or not isinstance(nodes, list | tuple):
        return edges
    timeouts = {
        str(node.get("id")): node["buffer_timeout"]
        for node in nodes
        if isinstance(node, Mapping) and "buffer_timeout" in node
    }
    times: dict[tuple[str, str], int] = defaultdict(int)
    completed = []
    for edge in edges:
        if isinstance(edge, Mapping):
            ends = str(edge.get("source")), str(edge.get("target"))
            assumed: dict[str, Any] = {"unique_id": times[ends]}
            times[ends] += 1
            if ends[0] in timeouts:
                assumed["buffer_timeout"] = timeouts[ends[0]]
            assumed["partitioner_class"] = class_printing(str(edge.get("partitioner")))
            completed.append({**assumed, **edge})
        else:
            completed.append(edge)
    return completed


def with_hashes(edges: Sequence[StreamEdge]) -> tuple[StreamEdge, ...]:
    """Edges that know which hash they become where they do not chain.

    An edge between two operators that hash by the same keys is FORWARD; the hash that does not
    stand there is most likely that of the exchange before it.
    """
    if not any(_lacks_hash(edge) for edge in edges):
        return tuple(edges)
    into: defaultdict[NodeId, list[StreamEdge]] = defaultdict(list)
    for edge in edges:
        into[edge.target].append(edge)
    return tuple(
        msgspec.structs.replace(edge, hash_partitioner=_hash_before(edge, into))
        if _lacks_hash(edge)
        else edge
        for edge in edges
    )


def _lacks_hash(edge: StreamEdge) -> bool:
    return edge.partitioner_class == FORWARD_CONSECUTIVE_HASH and edge.hash_partitioner is None


def _hash_before(edge: StreamEdge, into: Mapping[NodeId, list[StreamEdge]]) -> str:
    """Return the text of the nearest hash partitioner upstream."""
    waiting, visited = deque([edge.source]), {edge.source}
    while waiting:
        for old_edge in into.get(waiting.popleft(), ()):
            if old_edge.partitioner_class == BINARY_HASH:
                return old_edge.partitioner
            if old_edge.source not in visited:
                visited.add(old_edge.source)
                waiting.append(old_edge.source)
    return "HASH"


def edge_assumptions(edges: Sequence[StreamEdge]) -> Iterator[tuple[str, str]]:
    """Yield each assumption once: a member's path and the sentence."""
    phrase = set()
    for position, edge in enumerate(edges):
        field, sentence = _assume_exchange(edge)
        if sentence and sentence not in phrase:
            phrase.add(sentence)
            yield f"stream_graph.edges[{position}].{field}", sentence


def _assume_exchange(edge: StreamEdge) -> tuple[str, str]:
    name, text = edge.partitioner_class, edge.partitioner
    if not partitioner_class(name).own or edge.pointwise is not None:
        return "", ""
    own = "it is treated as the program's own, which reaches every consumer"
    if not name:
        hint = suggestion(text, PARTITIONER_CLASSES)
        return "partitioner", f"no partitioner of Flink's prints {quoted(text)}; {own}{hint}"
    return "partitioner_class", f"Flink has no {quoted(name)}; {own}, as pointwise does not say"
