"""The steps of hashing and chaining in words, one a line that can be read aloud.

A ``Compilation`` made with ``trace=True`` holds its steps as data, in the order in which Flink
executes them; this makes sentences of them, and names the nodes and edges each step looks at.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias, assert_never

import msgspec

from explorer.flink.compiler import Compilation
from explorer.model.narrated_step import Highlighted, NarratedStep, Narration, number_steps
from explorer.model.stream_graph import NodeId
from explorer.model.trace import (
    ChainEntered,
    ChainReturned,
    NodeHashed,
    NodeHashedByUid,
    NodeIdReported,
    NodePutBack,
    Step,
    VertexBuiltAlready,
)
from explorer.wording import counted, listed

Members: TypeAlias = dict[str, Any]
_HIGHLIGHTED: Final = ("node", "waiting", "chain", "edges", "vertex")


def narrate(done: Compilation) -> tuple[NarratedStep[Step], ...]:
    """Every recorded step, hashing first; empty where ``done`` was compiled without a trace."""
    done.refuse_data_set("A list of hashing and chaining steps")
    narrator = _ChainingNarrator(done)
    return number_steps((_part(step), step, narrator.narrate(step)) for step in done.steps)


def as_members(steps: Iterable[NarratedStep[Step]]) -> list[Members]:
    """JSON-ready members; ``facts`` are the values of the recorded step."""
    return [
        step.text()
        | {name: getattr(step.highlighted, name) for name in _HIGHLIGHTED}
        | {"facts": msgspec.to_builtins(step.event)}
        for step in steps
    ]


def _part(step: Step) -> str:
    hashing = isinstance(step, NodeHashed | NodeHashedByUid | NodeIdReported | NodePutBack)
    return "hashing" if hashing else "chaining"


class _ChainingNarrator:
    def __init__(self, done: Compilation) -> None:
        self.done, self.graph = done, done.stream_graph
        self.calls: list[NodeId] = []
        self.chains: dict[NodeId, list[NodeId]] = {}

    def narrate(self, step: Step) -> Narration:  # noqa: PLR0911 - one for each kind of step
        match step:
            case NodeHashed():
                return self.hashed(step)
            case NodeHashedByUid():
                return self.hashed_by_uid(step)
            case NodeIdReported():
                return self.id_reported(step)
            case NodePutBack():
                return self.put_back(step)
            case ChainEntered():
                return self.entered(step)
            case ChainReturned():
                return self.returned(step)
            case VertexBuiltAlready():
                return self.built_already(step)
            case _:
                assert_never(step)

    def name(self, id: NodeId) -> str:
        return self.graph.node(id).name

    def names(self, ids: Sequence[NodeId]) -> str:
        return listed([self.name(id) for id in ids])

    def edges(self, positions: Sequence[int]) -> str:
        ends = [self.graph.edges[position] for position in positions]
        return listed([f"{self.name(one.source)} → {self.name(one.target)}" for one in ends])

    def dequeued(self, name: str) -> str:
        """How a node comes to its turn: from the queue, or with the chain that is made."""
        if self.done.is_adaptive:
            return f"{name} is next in a chain that is made now that its producers have finished."
        return f"{name} is removed from the queue."

    def hashed(self, step: NodeHashed) -> Narration:
        name, count = self.name(step.node), step.hashed_before
        has = "has" if count == 1 else "have"
        return Narration(
            f"hash {name}",
            f"{self.dequeued(name)} {counted(count, 'node')} {has} a hash, so "
            f"the number {count} goes in once for {name}{_times(step.chained_outputs)}: "
            f"{step.put}. Its Murmur3 hash is {step.local}. "
            + _mixed([self.name(one.input) for one in step.mixed])
            + f"The operator ID is {step.result}.",
            Highlighted(step.node, step.queue),
        )

    def hashed_by_uid(self, step: NodeHashedByUid) -> Narration:
        name = self.name(step.node)
        return Narration(
            f"hash {name} by its uid",
            f"{self.dequeued(name)} It has the uid {step.uid!r}, so Murmur3 over the uid's "
            f"bytes is its operator ID, {step.result}; inputs and position do not matter.",
            Highlighted(step.node, step.queue),
        )

    def id_reported(self, step: NodeIdReported) -> Narration:
        name = self.name(step.node)
        return Narration(
            f"take over the ID of {name}",
            f"{self.dequeued(name)} The running job reports that its operator ID is "
            f"{step.result}; whether a uid or its place gave it, it does not say.",
            Highlighted(step.node, step.queue),
        )

    def put_back(self, step: NodePutBack) -> Narration:
        name = self.name(step.node)
        return Narration(
            f"put {name} back",
            f"{name} is removed from the queue. Its input {self.names(step.missing)} has no hash "
            f"yet, so {name} is put back and comes again after that input.",
            Highlighted(step.node, step.queue),
        )

    def entered(self, step: ChainEntered) -> Narration:
        name, starts = self.name(step.node), step.node == step.head
        waiting = tuple(self.calls)
        self.calls.append(step.node)
        chain = self.chains.setdefault(step.head, [])
        chain.append(step.node)
        behind = "" if starts else f", chain index {step.index} after {self.name(step.head)}"
        does = "start a chain at" if starts else "continue with"
        return Narration(
            f"{does} {name}",
            f"{does.capitalize()} {name}{behind}. {self._followed(step.chained, step.others)}",
            Highlighted(step.node, waiting, tuple(chain), (*step.chained, *step.others)),
        )

    def _followed(self, chained: Sequence[int], others: Sequence[int]) -> str:
        if not chained and not others:
            return "It has no outputs."
        parts = []
        if chained:
            verb = "chains" if len(chained) == 1 else "chain"
            parts.append(f"{self.edges(chained)} {verb}, so that comes first")
        if others:
            verb = "does" if len(others) == 1 else "do"
            parts.append(f"{self.edges(others)} {verb} not chain, so a new chain starts after it")
        return f"{'; '.join(parts)}."

    def returned(self, step: ChainReturned) -> Narration:
        if self.calls and self.calls[-1] == step.node:
            self.calls.pop()
        title, sentence, vertex = self._ended(step)
        members = step.members[::-1]
        marks = Highlighted(step.node, tuple(self.calls), members, step.edges, vertex)
        return Narration(title, sentence, marks)

    def _ended(self, step: ChainReturned) -> tuple[str, str, str | None]:
        """Title and sentence; where the chain's head is done, the vertex that is created."""
        name = self.name(step.node)
        if step.node != step.head:
            handed = self.edges(step.edges) if step.edges else "no edge"
            sentence = f"{name} is done. It returns the edges that leave the chain after it: "
            return f"return from {name}", f"{sentence}{handed}.", None
        vertex = self.done.job_graph.task_of(step.head).name
        connected = (
            f"Connect {self.edges(step.edges)}."
            if step.edges
            else "No edge leaves it, so nothing is connected."
        )
        sentence = (
            f"{name} is done, and the chain started here: create the task {vertex} with "
            f"{counted(len(step.members), 'operator')}. {connected}"
        )
        return f"create the task {vertex}", sentence, vertex

    def built_already(self, step: VertexBuiltAlready) -> Narration:
        name = self.name(step.node)
        return Narration(
            f"{name} has its task",
            f"The chain that starts at {name} is built already, so nothing is left to do there.",
            Highlighted(step.node, tuple(self.calls)),
        )


def _mixed(names: Sequence[str]) -> str:
    if not names:
        return "It has no inputs to mix in. "
    what = "hash" if len(names) == 1 else "hashes"
    return (
        f"The {what} of {listed(names)} {'is' if len(names) == 1 else 'are'} mixed in, byte by "
        "byte: times 37, then XOR. "
    )


def _times(outputs: int) -> str:
    more = {0: "", 1: " and once more for its chained output"}
    return more.get(outputs, f" and {outputs} times more for its chained outputs")
