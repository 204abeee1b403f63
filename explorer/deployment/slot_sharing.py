"""Subtasks that share a slot.

Mirrors ``JobGraph.getVerticesSortedTopologicallyFromSources``,
``LocalInputPreferredSlotSharingStrategy`` and, where a cluster of 2.0 or later balances tasks,
``TaskBalancedPreferredSlotSharingStrategy``. Before 1.12 a ``SlotSharingManager`` uses any slot
that is free, in the order of random ids: there each vertex's subtasks are shown in the order of
the slots.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final, Literal, NamedTuple

import msgspec

from explorer.flink.execution_graph import ExecutionEdges, ExecutionGraph
from explorer.flink.subtask_wiring import UndecidedParallelismError
from explorer.model.job_graph import JobGraph

Strategy = Literal["any free slot", "local input", "balanced tasks"]
"""How subtasks find their slots."""


class PlacedSubtask(NamedTuple):
    """A subtask by its vertex's position in ``JobGraph.vertices`` and its number."""

    vertex: int
    number: int


class Slot(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An ``ExecutionSlotSharingGroup``: what runs in one slot."""

    group: int
    """The number of its slot sharing group."""
    subtasks: tuple[PlacedSubtask, ...]
    """In the order in which they came in."""


def sorted_from_sources(graph: ExecutionGraph) -> tuple[int, ...]:
    """Return the positions of the vertices in the order in which the scheduler places them.

    First the vertices without inputs; then, from each placed vertex, depth first, its readers that
    wait for no other vertex.
    """
    readers = _readers(graph)
    waiting = dict.fromkeys(range(len(graph.vertices)))
    order = [item for item in waiting if not graph.vertices[item].inputs]
    for vertex in order:
        del waiting[vertex]
    # ``addNodesThatHaveNoNewPredecessors``: the list grows during the loop, as Flink's does, and a
    # stack replaces the recursion.
    for start in order:
        stack = [iter(readers.get(start, ()))]
        while stack:
            edge = next(stack[-1], None)
            if edge is None:
                stack.pop()
                continue
            target = graph.edges[edge].target
            other_inputs = (input_ for input_ in graph.vertices[target].inputs if input_ != edge)
            if target in waiting and not any(
                graph.edges[input_].source in waiting for input_ in other_inputs
            ):
                order.append(target)
                del waiting[target]
                stack.append(iter(readers.get(target, ())))
    return tuple(order)


def _readers(graph: ExecutionGraph) -> Mapping[int, list[int]]:
    """Map each vertex to the positions of the edges that read it, one data set after another."""
    readers: defaultdict[int, list[int]] = defaultdict(list)
    for vertex in graph.vertices:
        for result in vertex.results:
            intermediate_result = graph.results[result]
            readers[intermediate_result.producer] += intermediate_result.consumers
    return readers


def shared_slots(
    job_graph: JobGraph,
    graph: ExecutionGraph,
    located: Mapping[int, str],
    strategy: Strategy,
) -> tuple[Slot, ...]:
    """Return every slot with its subtasks, in the order in which the slots are created.

    ``located``: by vertex, its co-location group. Raises ``UndecidedParallelismError`` where the
    scheduler decides a parallelism later.
    """
    groups = [vertex.slot_sharing_group for vertex in job_graph.vertices]
    for execution_job_vertex in graph.vertices:
        if not execution_job_vertex.decided:
            raise UndecidedParallelismError(execution_job_vertex.name)
    sharing = _SHARINGS[strategy](graph, groups, located)
    for vertex in sorted_from_sources(graph):
        sharing.place(vertex)
    return sharing.slots()


class _Sharing:
    """The slots created so far while vertices are placed one after the other."""

    def __init__(
        self, graph: ExecutionGraph, groups: Sequence[int], located: Mapping[int, str]
    ) -> None:
        self.graph, self.groups, self.located = graph, groups, located
        self.made: list[tuple[int, list[PlacedSubtask]]] = []
        self.of_group: defaultdict[int, list[int]] = defaultdict(list)
        self.slot_of: dict[PlacedSubtask, int] = {}
        self.constraints: dict[tuple[str | None, int], int] = {}
        """Map a co-location group and a subtask's number to the slot."""

    def slots(self) -> tuple[Slot, ...]:
        return tuple(Slot(group=group, subtasks=tuple(members)) for group, members in self.made)

    def place(self, vertex: int) -> None:
        raise NotImplementedError

    def new(self, group: int) -> int:
        self.made.append((group, []))
        self.of_group[group].append(len(self.made) - 1)
        return len(self.made) - 1

    def add(self, subtask: PlacedSubtask, slot: int) -> None:
        self.made[slot][1].append(subtask)
        self.slot_of[subtask] = slot


class _LocalInput(_Sharing):
    """A subtask goes where a producer of its input is, else to the first free slot."""

    local: ClassVar = True

    def place(self, vertex: int) -> None:
        # ``LocalInputPreferredSlotSharingStrategy`` keeps them in a ``LinkedHashSet``: a vertex
        # uses each slot once, and the oldest free one first.
        free = dict.fromkeys(self.of_group[self.groups[vertex]])
        candidates = _Candidates(self, vertex)
        remainder = []
        for number in range(self.graph.vertices[vertex].parallelism):
            slot = self.constraints.get((self.located.get(vertex), number))
            if slot is None and self.local:
                slot = next((item for item in candidates.of(number) if item in free), None)
            if slot is None:
                remainder.append(number)
                continue
            free.pop(slot, None)
            self.add(PlacedSubtask(vertex, number), slot)
        remaining = iter(free)
        # Only after every subtask with a local input has its slot: one without would take the slot
        # of a producer that a later subtask reads.
        for number in remainder:
            slot = next(remaining, None)
            if slot is None:
                slot = self.new(self.groups[vertex])
            self.add(PlacedSubtask(vertex, number), slot)
        # Constraints are set when the whole vertex is placed: within one vertex, they change
        # nothing.
        if vertex in self.located:
            for number in range(self.graph.vertices[vertex].parallelism):
                key = self.located[vertex], number
                self.constraints[key] = self.slot_of[PlacedSubtask(vertex, number)]


class _FreeSlot(_LocalInput):
    """A subtask goes to the first free slot."""

    local = False


class _Candidates:
    """The slots of the producers of a vertex's inputs, each offered once."""

    def __init__(self, sharing: _LocalInput, vertex: int) -> None:
        self.sharing = sharing
        edges = (sharing.graph.edges[input_] for input_ in sharing.graph.vertices[vertex].inputs)
        self.edges = [
            edge for edge in edges if sharing.groups[edge.source] == sharing.groups[vertex]
        ]
        # All consumers of an all-to-all edge read the same partitions, and what one of them was
        # offered the next is not: it is in use by then, or was not free for this vertex.
        self.whole = {
            # A list's iterator: a generator would be closed with the one that yields it.
            place: iter(list(self._slots(edge, range(edge.producers))))
            for place, edge in enumerate(self.edges)
            if not edge.pointwise
        }

    def of(self, consumer: int) -> Iterator[int]:
        for place, edge in enumerate(self.edges):
            if place in self.whole:
                yield from self.whole[place]
            else:
                yield from self._slots(edge, edge.partitions(consumer))

    def _slots(self, edge: ExecutionEdges, partitions: range) -> Iterator[int]:
        return (
            self.sharing.slot_of[PlacedSubtask(edge.source, partition)] for partition in partitions
        )


class _BalancedTasks(_Sharing):
    """A group has all its slots from the start, and its vertices use them in turn."""

    def __init__(
        self, graph: ExecutionGraph, groups: Sequence[int], located: Mapping[int, str]
    ) -> None:
        super().__init__(graph, groups, located)
        widest: defaultdict[int, int] = defaultdict(int)
        for vertex in sorted_from_sources(graph):
            parallelism = graph.vertices[vertex].parallelism
            # ``TaskBalancedExecutionSlotSharingGroupBuilder`` makes all slots of a group before the
            # first subtask is placed; made one by one, the first slots would be the fullest.
            widest[groups[vertex]] = max(widest[groups[vertex]], parallelism)
        for group, maximum in widest.items():
            for _ in range(maximum):
                self.new(group)
        self.next: defaultdict[int, int] = defaultdict(int)

    def place(self, vertex: int) -> None:
        slots = self.of_group[self.groups[vertex]]
        parallelism = self.graph.vertices[vertex].parallelism
        whole = parallelism == len(slots)
        if vertex in self.located:
            own_slots: set[int] = set()
            for number in range(self.graph.vertices[vertex].parallelism):
                key = self.located[vertex], number
                if key not in self.constraints:
                    self.constraints[key] = slots[self._emptiest(slots, own_slots)]
                self.add(PlacedSubtask(vertex, number), self.constraints[key])
                own_slots.add(self.constraints[key])
            at = self._emptiest(slots, set())
        else:
            start = 0 if whole else self.next[self.groups[vertex]]
            for number in range(parallelism):
                self.add(PlacedSubtask(vertex, number), slots[(start + number) % len(slots)])
            at = (start + parallelism) % len(slots)
        # A vertex as wide as its group begins at the first slot and moves nothing: its turn would
        # put the next, narrower vertex onto the same slots each time.
        if not whole:
            self.next[self.groups[vertex]] = at

    def _emptiest(self, slots: list[int], own_slots: set[int]) -> int:
        """The first of those with the fewest subtasks; the very first where none is left."""
        free = (place for place in range(len(slots)) if slots[place] not in own_slots)
        return min(free, key=lambda place: len(self.made[slots[place]][1]), default=0)


_SHARINGS: Final[Mapping[Strategy, type[_Sharing]]] = {
    "any free slot": _FreeSlot,
    "local input": _LocalInput,
    "balanced tasks": _BalancedTasks,
}
