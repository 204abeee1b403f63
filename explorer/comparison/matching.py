"""Matches the operators of two programs by one alignment of the two graphs.

Nothing in Flink mirrors this: Flink knows operators by their IDs alone. A uid and the ids of two
pipeline documents are certain, where the operators are of one kind. The rest is aligned by what
the operators are (``operator_features``) and by their edges to matched operators
(``alignment``). Where several operators are equally good, none is chosen.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from explorer.comparison.alignment import align_sequences
from explorer.comparison.operator_features import (
    Features,
    operator_features,
    same_kind,
    same_state,
    similarity,
)
from explorer.flink.compiler import Compilation
from explorer.lookup.identity import operator_identities
from explorer.model.frozen import FrozenRecord
from explorer.model.operator_ids import is_same_id, is_unknown
from explorer.model.stream_graph import NodeId, StreamEdge, StreamGraph

Grade = Literal["certain", "likely", "ambiguous", "none"]
"""How sure a match is: by a uid, an id of the documents or the user's choice; by the alignment;
several operators are equally good; no operator of its kind is at its place."""
ROUNDS: Final = 4
"""Limit of alignments; each one uses the matches of the one before it."""

MOST_BETWEEN: Final = 64
"""Limit of unmatched operators between an operator and a matched one."""


class Match(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The operator of the new program that an old one is."""

    grade: Grade
    node: NodeId | None = None
    """The new program's operator; None: not known."""
    candidates: tuple[NodeId, ...] = ()
    """If ``node`` is None: the operators that it may be."""


class Matching(FrozenRecord, frozen=True, kw_only=True):
    """All matches of one program's operators with another's; no operator is matched twice."""

    matches: Mapping[NodeId, Match]
    """Maps nodes of the old program, in its order."""

    @property
    def pairs(self) -> dict[NodeId, NodeId]:
        """Maps nodes of the old program to the new program's nodes that are the same operators."""
        return {old: match.node for old, match in self.matches.items() if match.node is not None}


NOT_MATCHED: Final = Match(grade="none")
_Same: TypeAlias = Callable[[Features, Features], bool]


def match_operators(
    previous: Compilation, following: Compilation, chosen: Mapping[NodeId, NodeId] | None = None
) -> Matching:
    """Match the operators of two programs.

    Args:
        previous, following: The two programs.
        chosen: Maps nodes of ``previous`` to the nodes of ``following`` chosen by the user.
    """
    return _Matcher(previous, following).matching(chosen or {})


class _Matcher:
    """Two programs, their features, and the matches that are settled so far."""

    def __init__(self, previous: Compilation, following: Compilation) -> None:
        self.before, self.after = previous, following
        self.old, self.new = operator_features(previous), operator_features(following)
        self.settled: dict[NodeId, NodeId] = {}
        self.open: dict[NodeId, tuple[NodeId, ...]] = {}
        self.alone: set[NodeId] = set()
        # Operators with the same features but for ID and uid share a number.
        numbers: dict[tuple[object, ...], int] = {}
        self.old_kinds, self.new_kinds = (
            {
                node: numbers.setdefault(features.without_ids, len(numbers))
                for node, features in side.items()
            }
            for side in (self.old, self.new)
        )
        self.similar: dict[tuple[int, int], int | None] = {}

    def matching(self, chosen: Mapping[NodeId, NodeId]) -> Matching:
        """Apply the user's choices, then certain matches, then likely ones."""
        self.settled |= chosen
        graphs = self.before.stream_graph, self.after.stream_graph
        is_documented = all(
            node.transformation is not None for graph in graphs for node in graph.nodes
        )
        if is_documented:
            old, new = map(operator_identities, graphs)
            self._pair(old, new, same_kind)
        self._pair_uid_hashes()
        self._pair_by(lambda features: features.uid, same_state)
        self._pair_reported()
        certain = frozenset(self.settled)
        if is_documented:
            self._pair_by(lambda item: None if is_unknown(item.id) else item.id, same_kind)
        else:
            self._pair_by(
                lambda feature: feature.own_function and (feature.kind, feature.own_function),
                same_kind,
            )
            self._pair_by(
                lambda operator: (operator.kind, operator.name) if operator.rare_name else None,
                same_kind,
            )
            node_ids = frozenset(self.settled)
            self._align()
            self._doubt_rivals(node_ids)
            self._look_between()
        matched = set(self.settled.values())
        return Matching(matches={node: self._match(node, certain, matched) for node in self.old})

    def _match(self, node: NodeId, certain: frozenset[NodeId], matched: set[NodeId]) -> Match:
        if node in self.settled:
            grade: Grade = "certain" if node in certain else "likely"
            return Match(grade=grade, node=self.settled[node])
        candidates = tuple(node_id for node_id in self.open.get(node, ()) if node_id not in matched)
        return Match(grade="ambiguous", candidates=candidates) if candidates else NOT_MATCHED

    def _list_unmatched(self) -> tuple[list[NodeId], list[NodeId]]:
        """Return the unmatched operators of both sides, in the order of their graphs."""
        matched = set(self.settled.values())
        return (
            [node for node in self.old if node not in self.settled],
            [node for node in self.new if node not in matched],
        )

    def _pair_by(self, key: Callable[[Features], Hashable | None], same_features: _Same) -> None:
        """Match operators that are the only ones with a key on either side; None is no key."""
        old, new = (
            {node: name for node, features in side.items() if (name := key(features)) is not None}
            for side in (self.old, self.new)
        )
        self._pair(old, new, same_features)

    def _pair(
        self, old: Mapping[NodeId, Hashable], new: Mapping[NodeId, Hashable], same_features: _Same
    ) -> None:
        """Match operators by keys, where one operator alone has a key on either side."""
        left, right = self._list_unmatched()
        candidates = _only(right, new)
        for name, node in _only(left, old).items():
            if name in candidates and same_features(self.old[node], self.new[candidates[name]]):
                self.settled[node] = candidates[name]

    def _pair_uid_hashes(self) -> None:
        """Match operators by uid hashes, which are IDs of old operators."""
        left, right = self._list_unmatched()
        ids = {self.before.hashes[node]: node for node in left}
        for node in right:
            uid_hash = self.after.stream_graph.by_id[node].uid_hash
            old = ids.get(uid_hash.lower()) if uid_hash is not None else None
            if old is not None and same_state(self.old[old], self.new[node]):
                self.settled.setdefault(old, node)

    def _pair_reported(self) -> None:
        """Match operators with one ID and one name, of which a cluster reported one side.

        A cluster reports neither uids nor kinds: an operator with two inputs is imported as one
        that reads a union.
        """
        left, right = self._list_unmatched()
        nodes = self.after.stream_graph.by_id
        ids = {self.after.hashes[node]: nodes[node] for node in right}
        for node in left:
            old, new = self.before.stream_graph.by_id[node], ids.get(self.before.hashes[node])
            if new is None or is_unknown(self.before.hashes[node]):
                continue
            if (old.is_reported or new.is_reported) and old.name.split() == new.name.split():
                self.settled[node] = new.id

    def _align(self) -> None:
        """Align unmatched operators between matched ones until no more matches are found."""
        for _ in range(ROUNDS):
            previous = len(self.settled)
            self.open = {}
            for segment in self._segments():
                self._align_segment(*segment)
            self._settle_by_edges()
            if len(self.settled) == previous or not self.open:
                return

    def _segments(self) -> list[tuple[Sequence[NodeId | None], Sequence[NodeId | None]]]:
        """Cut the unmatched operators at matched ones that come in one order on both sides.

        Each segment begins and ends with a pair of matched operators, or with None at the ends.
        """
        anchors = _in_one_order(self.settled, list(self.old), list(self.new))
        left, right = (set(side) for side in self._list_unmatched())
        olds = _cut(list(self.old), [old for old, _ in anchors], left)
        news = _cut(list(self.new), [new for _, new in anchors], right)
        return list(zip(olds, news, strict=True))

    def _align_segment(self, old: Sequence[NodeId | None], new: Sequence[NodeId | None]) -> None:
        """Align one segment; both ends of each side are boundaries."""
        first, second = ([node for node in side[1:-1] if node is not None] for side in (old, new))
        if not first or not second:
            return
        old_steps, new_steps = _steps(self.before, old), _steps(self.after, new)
        result = align_sequences(
            len(first),
            len(second),
            lambda row, column: self._similarity(first[row], second[column]),
            lambda row, column: not old_steps[row].isdisjoint(new_steps[column]),
        )
        for node, partners in zip(first, result, strict=True):
            if partners.settled is not None:
                self.settled[node] = second[partners.settled]
            elif partners.positions:
                self.open[node] = tuple(second[position] for position in partners.positions)
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
        """Pick candidates with all edges to matched operators that the others have, and more."""
        wanted_node_ids: dict[NodeId, NodeId] = {}
        for node, candidates in self.open.items():
            if node not in self.alone:
                edges = {candidate: self._same_edges(node, candidate) for candidate in candidates}
                best = max(candidates, key=lambda node_id: len(edges[node_id]))
                if all(
                    edges[candidate] < edges[best] for candidate in candidates if candidate != best
                ):
                    wanted_node_ids[node] = best
        often = Counter(wanted_node_ids.values())
        self.settled |= {old: new for old, new in wanted_node_ids.items() if often[new] == 1}

    def _doubt_rivals(self, node_ids: frozenset[NodeId]) -> None:
        """Leave operators open that are in a row with an unmatched one of the same features.

        No edge shows which of the two was inserted or removed. ``node_ids``: matches that rest on a
        uid, a function or a name.
        """
        left, right = (set(side) for side in self._list_unmatched())
        back = {new: old for old, new in self.settled.items() if old not in node_ids}
        doubted: defaultdict[NodeId, set[NodeId]] = defaultdict(set)
        for node, old in _rivals(self.before.stream_graph, left, self.old_kinds):
            if old not in node_ids:
                doubted[node].add(self.settled[old])
                doubted[old].add(self.settled[old])
        for node, new in _rivals(self.after.stream_graph, right, self.new_kinds):
            if new in back:
                doubted[back[new]] |= {new, node}
        for old, candidates in doubted.items():
            self.settled.pop(old, None)
            self.open[old] = tuple(sorted({*self.open.get(old, ()), *candidates}))

    def _same_edges(self, old: NodeId, new: NodeId) -> set["_EdgeEnd"]:
        """Return the edges between an operator and matched ones that both sides have."""
        new_edges = set(_edges_of(self.after.stream_graph, new))
        return {
            edge
            for edge in _edges_of(self.before.stream_graph, old)
            if edge.other in self.settled
            and edge._replace(other=self.settled[edge.other]) in new_edges
        }

    def _look_between(self) -> None:
        """Add unmatched operators of the same kind, with other functions, as candidates.

        Such an operator has the same edges as the old one, or the same ID.
        """
        left, right = self._list_unmatched()
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
            node_ids = tuple(
                node_id
                for node_id in dict.fromkeys(edge.other for edge in near)
                if node_id in free
                and self._same_edges(node, node_id) == edges
                and self._alike(node, node_id)
            )
            if node_ids:
                self.open[node] = node_ids

    def _alike(self, old: NodeId, new: NodeId) -> bool:
        old_features, new_features = self.old[old], self.new[new]
        return same_kind(old_features._replace(function=None), new_features._replace(function=None))


def _only(nodes: Iterable[NodeId], keys: Mapping[NodeId, Hashable]) -> dict[Hashable, NodeId]:
    often = Counter(keys.values())
    return {keys[node]: node for node in nodes if node in keys and often[keys[node]] == 1}


def _in_one_order(
    settled: Mapping[NodeId, NodeId], old: Sequence[NodeId], new: Sequence[NodeId]
) -> list[tuple[NodeId, NodeId]]:
    """Return the most pairs in the same order on both sides: a longest increasing sequence."""
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
    result, at = [], tails[-1] if tails else -1
    while at >= 0:
        result.append(pairs[at])
        at = came_from[at]
    return result[::-1]


def _cut(
    nodes: Sequence[NodeId], anchors: Sequence[NodeId], left: set[NodeId]
) -> Iterator[list[NodeId | None]]:
    """Return the unmatched nodes between the anchors, each part with its boundaries."""
    ends = {*anchors}
    part: list[NodeId | None] = [None]
    for node in nodes:
        if node in ends:
            yield [*part, node]
            part = [node]
        elif node in left:
            part.append(node)
    yield [*part, None]


def _steps(
    compilation: Compilation, segment: Sequence[NodeId | None]
) -> list[set[tuple[int, str | None]]]:
    graph = compilation.stream_graph
    result = []
    for old_node_id, node in pairwise(segment):
        edges = [] if node is None else [graph.edges[edge] for edge in graph.in_edges[node]]
        result.append({_port(edge) for edge in edges if edge.source == old_node_id})
    return result


def _rivals(
    graph: StreamGraph, left: set[NodeId], kinds: Mapping[NodeId, int]
) -> Iterator[tuple[NodeId, NodeId]]:
    """Pair each unmatched operator with matched ones of the same features in a row with it."""
    for node in sorted(left):
        for other_node_id in sorted(_nearest_matched(graph, node, left)):
            if kinds[other_node_id] == kinds[node]:
                yield node, other_node_id


def _nearest_matched(graph: StreamGraph, node: NodeId, left: set[NodeId]) -> set[NodeId]:
    """Return the matched operators with only unmatched ones between them and the node."""
    node_ids: set[NodeId] = set()
    for edges, end in ((graph.in_edges, "source"), (graph.out_edges, "target")):
        stack, met = [node], {node}
        while stack and len(met) < MOST_BETWEEN:
            near = {getattr(graph.edges[edge], end) for edge in edges[stack.pop()]}
            node_ids |= near - left
            stack += sorted((near & left) - met)
            met |= near
    return node_ids


class _EdgeEnd(NamedTuple):
    """An edge from the view of one end."""

    incoming: bool
    other: NodeId
    port: tuple[int, str | None]
    """The target's input, and the side output."""


def _edges_of(graph: StreamGraph, node: NodeId) -> Iterator[_EdgeEnd]:
    for edge in map(graph.edges.__getitem__, graph.in_edges[node]):
        yield _EdgeEnd(incoming=True, other=edge.source, port=_port(edge))
    for edge in map(graph.edges.__getitem__, graph.out_edges[node]):
        yield _EdgeEnd(incoming=False, other=edge.target, port=_port(edge))


def _port(edge: StreamEdge) -> tuple[int, str | None]:
    return edge.type_number, edge.side_output
