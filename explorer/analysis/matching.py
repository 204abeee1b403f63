"""Which operator of one program is which operator of another: one alignment of the two graphs.

Nothing in Flink mirrors this: Flink knows operators by their IDs alone. A uid and the ids of two
pipeline documents are certain, where the operators are of one kind. The rest is aligned by what
the operators are (``operator_features``) and by their edges to matched operators
(``alignment``). Where several operators are equally good, none is chosen.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple

import msgspec

from explorer.analysis.alignment import align_sequences
from explorer.analysis.identity import operator_identities
from explorer.analysis.operator_features import (
    Features,
    operator_features,
    same_kind,
    same_state,
    similarity,
)
from explorer.flink.compiler import Compilation
from explorer.model.frozen import FrozenRecord
from explorer.model.operator_ids import is_same_id, is_unknown
from explorer.model.stream_graph import NodeId, StreamEdge, StreamGraph

Grade = Literal["certain", "likely", "ambiguous", "none"]
"""How sure a match is: by a uid, an id of the documents or the user's word; by the alignment;
several operators are equally good; no operator is of its kind at its place."""
ROUNDS: Final = 4
"""Alignments at the most; each one uses the matches of the one before it."""

MOST_BETWEEN: Final = 64
"""Unmatched operators in a row that are searched for a matched one behind them."""


class Match(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What an operator of the old program is in the new one."""

    grade: Grade
    node: NodeId | None = None
    """The new program's operator; None: not known."""
    candidates: tuple[NodeId, ...] = ()
    """Where ``node`` is None: the operators that it may be."""


class Matching(FrozenRecord, frozen=True, kw_only=True):
    """All matches of one program's operators with another's; no operator is matched twice."""

    matches: Mapping[NodeId, Match]
    """By node of the old program, in its order."""

    @property
    def pairs(self) -> dict[NodeId, NodeId]:
        """By node of the old program, the new program's node that is the same operator."""
        return {old: one.node for old, one in self.matches.items() if one.node is not None}


NOT_MATCHED: Final = Match(grade="none")


def match_operators(
    before: Compilation, after: Compilation, chosen: Mapping[NodeId, NodeId] | None = None
) -> Matching:
    """Match the operators of two programs.

    Args:
        before, after: The two programs.
        chosen: By node of ``before``, the node of ``after`` chosen by the user.
    """
    return _Matcher(before, after).matching(chosen or {})


class _Matcher:
    """Two programs, their features, and the matches that are settled so far."""

    def __init__(self, before: Compilation, after: Compilation) -> None:
        self.before, self.after = before, after
        self.old, self.new = operator_features(before), operator_features(after)
        self.settled: dict[NodeId, NodeId] = {}
        self.open: dict[NodeId, tuple[NodeId, ...]] = {}
        self.alone: set[NodeId] = set()
        self.old_kinds, self.new_kinds = _kinds(self.old, self.new)
        self.similar: dict[tuple[int, int], int | None] = {}

    def matching(self, chosen: Mapping[NodeId, NodeId]) -> Matching:
        """The user's choices first, then what is certain, then what is alike."""
        self.settled |= chosen
        sides = (self.before.stream_graph, self.after.stream_graph)
        known = all(node.transformation is not None for graph in sides for node in graph.nodes)
        if known:
            self._pair(_by_identity, same=same_kind)
        self._pair_uid_hashes()
        self._pair(_by_uid, same=same_state)
        certain = frozenset(self.settled)
        if known:
            self._pair(_by_id, same=same_kind)
        else:
            self._pair(_by_function, same=same_kind)
            self._pair(_by_rare_name, same=same_kind)
            given = frozenset(self.settled)
            self._align()
            self._doubt_rivals(given)
            self._look_between()
        return Matching(matches={node: self._match(node, certain) for node in self.old})

    def _match(self, node: NodeId, certain: frozenset[NodeId]) -> Match:
        if node in self.settled:
            grade: Grade = "certain" if node in certain else "likely"
            return Match(grade=grade, node=self.settled[node])
        matched = set(self.settled.values())
        candidates = tuple(each for each in self.open.get(node, ()) if each not in matched)
        return Match(grade="ambiguous", candidates=candidates) if candidates else NOT_MATCHED

    def _left(self) -> tuple[list[NodeId], list[NodeId]]:
        """The operators of both sides that are not matched yet, in the order of their graphs."""
        matched = set(self.settled.values())
        return (
            [node for node in self.old if node not in self.settled],
            [node for node in self.new if node not in matched],
        )

    def _pair(self, key: "_Key", *, same: Callable[[Features, Features], bool]) -> None:
        """Match operators that are the only ones with a key on either side."""
        left, right = self._left()
        were = _only(left, key(self.before, self.old))
        are = _only(right, key(self.after, self.new))
        for name, node in were.items():
            if name in are and same(self.old[node], self.new[are[name]]):
                self.settled[node] = are[name]

    def _pair_uid_hashes(self) -> None:
        """A uid hash is the ID that the operator had."""
        left, right = self._left()
        were = {self.before.hashes[node]: node for node in left}
        for node in right:
            uid_hash = self.after.stream_graph.by_id[node].uid_hash
            old = were.get(uid_hash.lower()) if uid_hash is not None else None
            if old is not None and same_state(self.old[old], self.new[node]):
                self.settled.setdefault(old, node)

    def _align(self) -> None:
        """Align what is left between matched operators until that settles no more of it."""
        for _ in range(ROUNDS):
            before = len(self.settled)
            self.open = {}
            for segment in self._segments():
                self._align_segment(*segment)
            self._settle_by_edges()
            if len(self.settled) == before or not self.open:
                return

    def _segments(self) -> list[tuple[Sequence[NodeId | None], Sequence[NodeId | None]]]:
        """What is left, cut at matched operators that come in one order on both sides.

        Each begins and ends with a pair of matched operators, or with None at the ends.
        """
        anchors = _in_one_order(self.settled, list(self.old), list(self.new))
        left, right = (set(side) for side in self._left())
        olds = _cut(list(self.old), [old for old, _ in anchors], left)
        news = _cut(list(self.new), [new for _, new in anchors], right)
        return list(zip(olds, news, strict=True))

    def _align_segment(self, old: Sequence[NodeId | None], new: Sequence[NodeId | None]) -> None:
        """Align one segment; both ends of each side are boundaries."""
        first, second = _inner(old), _inner(new)
        if not first or not second:
            return
        old_steps, new_steps = _steps(self.before, old), _steps(self.after, new)
        found = align_sequences(
            len(first),
            len(second),
            lambda row, column: self._similarity(first[row], second[column]),
            lambda row, column: not old_steps[row].isdisjoint(new_steps[column]),
        )
        for node, partners in zip(first, found, strict=True):
            if partners.settled is not None:
                self.settled[node] = second[partners.settled]
            elif partners.positions:
                self.open[node] = tuple(second[each] for each in partners.positions)
                if partners.alone:
                    self.alone.add(node)

    def _similarity(self, old: NodeId, new: NodeId) -> int | None:
        if is_same_id(self.old[old].id, self.new[new].id) or self.old[old].uid or self.new[new].uid:
            return similarity(self.old[old], self.new[new])
        pair = self.old_kinds[old], self.new_kinds[new]
        if pair not in self.similar:
            self.similar[pair] = similarity(self.old[old], self.new[new])
        return self.similar[pair]

    def _settle_by_edges(self) -> None:
        """Pick the candidate with all edges to matched operators that the others have, and more."""
        wanted: dict[NodeId, NodeId] = {}
        for node, candidates in self.open.items():
            if node not in self.alone:
                edges = {each: self._same_edges(node, each) for each in candidates}
                best = max(candidates, key=lambda each: len(edges[each]))
                if all(edges[each] < edges[best] for each in candidates if each != best):
                    wanted[node] = best
        often = Counter(wanted.values())
        self.settled |= {old: new for old, new in wanted.items() if often[new] == 1}

    def _doubt_rivals(self, given: frozenset[NodeId]) -> None:
        """Leave open what stands in a row with an unmatched operator of the same features.

        Which of two such operators was inserted or removed, no edge determines. ``given``: matches
        that rest on a uid, a function or a name.
        """
        left, right = (set(side) for side in self._left())
        back = {new: old for old, new in self.settled.items() if old not in given}
        doubted: defaultdict[NodeId, set[NodeId]] = defaultdict(set)
        for node, old in _rivals(self.before.stream_graph, left, self.old_kinds):
            if old not in given:
                doubted[node].add(self.settled[old])
                doubted[old].add(self.settled[old])
        for node, new in _rivals(self.after.stream_graph, right, self.new_kinds):
            if new in back:
                doubted[back[new]] |= {new, node}
        for old, candidates in doubted.items():
            self.settled.pop(old, None)
            self.open[old] = tuple(sorted({*self.open.get(old, ()), *candidates}))

    def _same_edges(self, old: NodeId, new: NodeId) -> set["_EdgeEnd"]:
        """The edges between an operator and matched ones that both sides have."""
        are = set(_edges_of(self.after.stream_graph, new))
        return {
            edge
            for edge in _edges_of(self.before.stream_graph, old)
            if edge.other in self.settled and edge._replace(other=self.settled[edge.other]) in are
        }

    def _look_between(self) -> None:
        """Name as candidates what stands exactly where an operator stood, with other functions.

        So is an operator of its kind that has its ID and that no alignment matched.
        """
        left, right = self._left()
        free = set(right)
        ids = {self.new[node].id: node for node in right if not is_unknown(self.new[node].id)}
        for node in left:
            same_id = ids.get(self.old[node].id)
            if node not in self.open and same_id is not None and self._alike(node, same_id):
                self.open[node] = (same_id,)
            edges = set(_edges_of(self.before.stream_graph, node))
            first = next(iter(edges), None)
            if node in self.open or first is None or first.other not in self.settled:
                continue
            near = _edges_of(self.after.stream_graph, self.settled[first.other])
            found = tuple(
                each
                for each in dict.fromkeys(edge.other for edge in near)
                if each in free
                and self._same_edges(node, each) == edges
                and self._alike(node, each)
            )
            if found:
                self.open[node] = found

    def _alike(self, old: NodeId, new: NodeId) -> bool:
        were, are = self.old[old]._replace(function=None), self.new[new]._replace(function=None)
        return same_kind(were, are)


_Key = Callable[[Compilation, Mapping[NodeId, Features]], Mapping[NodeId, Hashable]]
"""By node, what an operator is known by; an operator that is not known by it is left out."""


def _by_identity(done: Compilation, _: Mapping[NodeId, Features]) -> Mapping[NodeId, Hashable]:
    return operator_identities(done.stream_graph)


def _by_id(done: Compilation, _: Mapping[NodeId, Features]) -> Mapping[NodeId, Hashable]:
    return {node: id for node, id in done.hashes.items() if not is_unknown(id)}


def _by_uid(_: Compilation, features: Mapping[NodeId, Features]) -> Mapping[NodeId, Hashable]:
    return {node: one.uid for node, one in features.items() if one.uid is not None}


def _by_function(_: Compilation, features: Mapping[NodeId, Features]) -> Mapping[NodeId, Hashable]:
    return {
        node: (one.kind, one.own_function)
        for node, one in features.items()
        if one.own_function is not None
    }


def _by_rare_name(_: Compilation, features: Mapping[NodeId, Features]) -> Mapping[NodeId, Hashable]:
    return {node: (one.kind, one.name) for node, one in features.items() if one.rare_name}


def _kinds(*sides: Mapping[NodeId, Features]) -> list[dict[NodeId, int]]:
    """By node, a number that operators with the same features share."""
    numbers: dict[Features, int] = {}
    return [
        {
            node: numbers.setdefault(one._replace(id="", uid=None), len(numbers))
            for node, one in side.items()
        }
        for side in sides
    ]


def _only(nodes: Iterable[NodeId], keys: Mapping[NodeId, Hashable]) -> dict[Hashable, NodeId]:
    """By key, the one node that has it."""
    often = Counter(keys.values())
    return {keys[node]: node for node in nodes if node in keys and often[keys[node]] == 1}


def _in_one_order(
    settled: Mapping[NodeId, NodeId], old: Sequence[NodeId], new: Sequence[NodeId]
) -> list[tuple[NodeId, NodeId]]:
    """The most pairs that stand in the same order on both sides: a longest increasing sequence."""
    place = {node: at for at, node in enumerate(new)}
    pairs = [(node, settled[node]) for node in old if node in settled]
    ends: list[int] = []
    tails: list[int] = []
    came_from: list[int] = []
    for at, (_, node) in enumerate(pairs):
        length = bisect_left(ends, place[node])
        came_from.append(tails[length - 1] if length else -1)
        ends[length : length + 1] = [place[node]]
        tails[length : length + 1] = [at]
    found, at = [], tails[-1] if tails else -1
    while at >= 0:
        found.append(pairs[at])
        at = came_from[at]
    return found[::-1]


def _cut(
    nodes: Sequence[NodeId], anchors: Sequence[NodeId], left: set[NodeId]
) -> Iterator[list[NodeId | None]]:
    """The nodes that are left between the anchors, each part with its boundaries."""
    ends = {*anchors}
    part: list[NodeId | None] = [None]
    for node in nodes:
        if node in ends:
            yield [*part, node]
            part = [node]
        elif node in left:
            part.append(node)
    yield [*part, None]


def _inner(segment: Sequence[NodeId | None]) -> list[NodeId]:
    return [node for node in segment[1:-1] if node is not None]


def _steps(
    done: Compilation, segment: Sequence[NodeId | None]
) -> list[set[tuple[int, str | None]]]:
    """By position of the segment, from its first node on, the edges from the position before it."""
    graph = done.stream_graph
    found = []
    for before, node in pairwise(segment):
        edges = [] if node is None else [graph.edges[edge] for edge in graph.in_edges[node]]
        found.append({_port(edge) for edge in edges if edge.source == before})
    return found


def _rivals(
    graph: StreamGraph, left: set[NodeId], kinds: Mapping[NodeId, int]
) -> Iterator[tuple[NodeId, NodeId]]:
    """Each unmatched operator with a matched one of the same features in a row with it."""
    for node in sorted(left):
        for other in sorted(_beyond(graph, node, left)):
            if kinds[other] == kinds[node]:
                yield node, other


def _beyond(graph: StreamGraph, node: NodeId, left: set[NodeId]) -> set[NodeId]:
    """The matched operators next to an unmatched one, with unmatched operators at most between."""
    found: set[NodeId] = set()
    for edges, end in ((graph.in_edges, "source"), (graph.out_edges, "target")):
        stack, met = [node], {node}
        while stack and len(met) < MOST_BETWEEN:
            near = {getattr(graph.edges[edge], end) for edge in edges[stack.pop()]}
            found |= near - left
            stack += sorted((near & left) - met)
            met |= near
    return found


class _EdgeEnd(NamedTuple):
    """An edge as one of its ends has it."""

    incoming: bool
    other: NodeId
    port: tuple[int, str | None]
    """The target's input, and the side output."""


def _edges_of(graph: StreamGraph, node: NodeId) -> Iterator[_EdgeEnd]:
    for position in graph.in_edges[node]:
        edge = graph.edges[position]
        yield _EdgeEnd(incoming=True, other=edge.source, port=_port(edge))
    for position in graph.out_edges[node]:
        edge = graph.edges[position]
        yield _EdgeEnd(incoming=False, other=edge.target, port=_port(edge))


def _port(edge: StreamEdge) -> tuple[int, str | None]:
    return edge.type_number, edge.side_output
