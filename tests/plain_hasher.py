"""Flink's operator IDs worked out a second time, slowly: loops over bytes, nothing shared.

Written from the algorithm of ``StreamGraphHasherV2`` and MurmurHash3 (x64, 128 bit, seed 0), so
that a slip in ``explorer.flink.passes.hashing`` or in ``mmh3`` cannot hide in both.
"""

from collections.abc import Sequence

from explorer.model.stream_graph import NodeId, StreamGraph

MASK = 2**64 - 1
C1, C2 = 0x87C37B91114253D5, 0x4CF5AD432745937F


def rotated(value: int, bits: int) -> int:
    return (value << bits | value >> (64 - bits)) & MASK


def finished(value: int) -> int:
    value = (value ^ value >> 33) * 0xFF51AFD7ED558CCD & MASK
    value = (value ^ value >> 33) * 0xC4CEB9FE1A85EC53 & MASK
    return value ^ value >> 33


def murmur(data: bytes) -> list[int]:
    """The 16 bytes that Guava's ``murmur3_128().hashBytes(data)`` gives."""
    first = second = 0
    whole = len(data) - len(data) % 16
    for start in range(0, whole, 16):
        low = int.from_bytes(data[start : start + 8], "little")
        high = int.from_bytes(data[start + 8 : start + 16], "little")
        first ^= rotated(low * C1 & MASK, 31) * C2 & MASK
        first = ((rotated(first, 27) + second) * 5 + 0x52DCE729) & MASK
        second ^= rotated(high * C2 & MASK, 33) * C1 & MASK
        second = ((rotated(second, 31) + first) * 5 + 0x38495AB5) & MASK
    rest = data[whole:]
    second ^= rotated(int.from_bytes(rest[8:], "little") * C2 & MASK, 33) * C1 & MASK
    first ^= rotated(int.from_bytes(rest[:8], "little") * C1 & MASK, 31) * C2 & MASK
    first ^= len(data)
    second ^= len(data)
    first = (first + second) & MASK
    second = (second + first) & MASK
    first, second = finished(first), finished(second)
    first = (first + second) & MASK
    second = (second + first) & MASK
    return [*first.to_bytes(8, "little"), *second.to_bytes(8, "little")]


def plain_hashes(graph: StreamGraph, chained: Sequence[bool]) -> dict[NodeId, str]:
    """By node its operator ID; ``chained``: by edge, whether the hasher counts it as chained."""
    hashes: dict[NodeId, list[int]] = {}
    queue = sorted(graph.sources)
    visited = set(queue)
    while queue:
        id_ = queue.pop(0)
        node = graph.node(id_)
        inputs = [edge.source for edge in (graph.edges[i] for i in graph.in_edges[id_])]
        if node.uid is not None:
            hashes[id_] = murmur(node.uid.encode())
        elif all(source in hashes for source in inputs):
            hashes[id_] = mixed(graph, chained, hashes, id_, inputs)
        else:
            visited.remove(id_)
            continue
        for position in graph.out_edges[id_]:
            target = graph.edges[position].target
            if target not in visited:
                visited.add(target)
                queue.append(target)
    return {id_: bytes(found).hex() for id_, found in hashes.items()}


def mixed(
    graph: StreamGraph,
    chained: Sequence[bool],
    hashes: dict[NodeId, list[int]],
    id_: NodeId,
    inputs: list[NodeId],
) -> list[int]:
    """The hash of a node without a uid: its own bytes, and each input's worked in."""
    number = len(hashes).to_bytes(4, "little")
    put = number
    for position in graph.out_edges[id_]:
        if chained[position]:
            put += number
    found = murmur(put)
    for source in inputs:
        for place in range(16):
            found[place] = (found[place] * 37 ^ hashes[source][place]) & 0xFF
    return found
