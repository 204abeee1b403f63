"""The steps of hashing and chaining in words, one a line that can be read aloud.

A ``Compilation`` made with ``trace=True`` holds its steps as data, in the order in which Flink
executes them; this makes sentences of them, and names the nodes and edges each step looks at.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias, assert_never

import msgspec

from explorer.flink.compiler import Compilation
from explorer.model.narrated_step import Highlighted, NarratedStep, Narration, number_steps
from explorer.model.steps import (
    ChainEntered,
    ChainReturned,
    NodeHashed,
    NodeHashedByUid,
    NodeIdReported,
    NodePutBack,
    Step,
    VertexBuiltAlready,
)
from explorer.model.stream_graph import NodeId
from explorer.wording import counted, listed

Members: TypeAlias = dict[str, Any]
_HIGHLIGHTED: Final = ("node", "waiting", "chain", "edges", "vertex")


def narrate(result: Compilation) -> tuple[NarratedStep[Step], ...]:
    """Every recorded step, hashing first; empty where ``result`` was compiled without a trace."""
    result.refuse_data_set("A list of hashing and chaining steps")
    narrator = _ChainingNarrator(result)
    hashing = NodeHashed | NodeHashedByUid | NodeIdReported | NodePutBack
    return number_steps(
        ("hashing" if isinstance(step, hashing) else "chaining", step, narrator.narrate(step))
        for step in result.steps
    )


def as_members(steps: Iterable[NarratedStep[Step]]) -> list[Members]:
    """JSON-ready members; ``facts`` are the values of the recorded step."""
    return [
        step.text()
        | {name: getattr(step.highlighted, name) for name in _HIGHLIGHTED}
        | {"facts": msgspec.to_builtins(step.event)}
        for step in steps
    ]


class _ChainingNarrator:
    def __init__(self, result: Compilation) -> None:
        self.compilation, self.graph = result, result.stream_graph
        self.calls: list[NodeId] = []
        self.chains: dict[NodeId, list[NodeId]] = {}

    def narrate(self, step: Step) -> Narration:  # noqa: PLR0911 - one for each kind of step
        name = self.name(step.node)
        match step:
            case NodeHashed():
                return self.narrate_hash(step, name)
            case NodeHashedByUid():
                return Narration(
                    f"hash {name} by its uid",
                    f"{self.dequeued(name)} It has the uid {step.uid!r}, so Murmur3 over the uid's "
                    f"bytes is its operator ID, {step.result}; inputs and position do not matter.",
                    Highlighted(step.node, step.queue),
                )
            case NodeIdReported():
                return Narration(
                    f"take over the ID of {name}",
                    f"{self.dequeued(name)} The running job reports that its operator ID is "
                    f"{step.result}; whether a uid or its place gave it, it does not say.",
                    Highlighted(step.node, step.queue),
                )
            case NodePutBack():
                return Narration(
                    f"put {name} back",
                    f"{name} is removed from the queue. Its input {self.names(step.missing)} has "
                    f"no hash yet, so {name} is put back and comes again after that input.",
                    Highlighted(step.node, step.queue),
                )
            case ChainEntered():
                return self.narrate_entry(step, name)
            case ChainReturned():
                return self.narrate_return(step, name)
            case VertexBuiltAlready():
                return Narration(
                    f"{name} has its task",
                    f"The chain that starts at {name} is built already, so nothing is left to do "
                    "there.",
                    Highlighted(step.node, tuple(self.calls)),
                )
            case _:
                assert_never(step)

    def name(self, id: NodeId) -> str:
        return self.graph.node(id).name

    def names(self, ids: Sequence[NodeId]) -> str:
        return listed([self.name(id) for id in ids])

    def edges(self, positions: Sequence[int]) -> str:
        ends = [self.graph.edges[position] for position in positions]
        return listed([f"{self.name(end.source)} → {self.name(end.target)}" for end in ends])

    def dequeued(self, name: str) -> str:
        """How a node comes to its turn: from the queue, or with the chain that is made."""
        if self.compilation.is_adaptive:
            return f"{name} is next in a chain that is made now that its producers have finished."
        return f"{name} is removed from the queue."

    def narrate_hash(self, step: NodeHashed, name: str) -> Narration:
        count = step.hashed_before
        has = "has" if count == 1 else "have"
        mixed = "It has no inputs to mix in."
        if step.mixed:
            inputs = self.names([mixed_in.input for mixed_in in step.mixed])
            what, are = ("hash", "is") if len(step.mixed) == 1 else ("hashes", "are")
            mixed = f"The {what} of {inputs} {are} mixed in, byte by byte: times 37, then XOR."
        times = {0: "", 1: " and once more for its chained output"}.get(
            step.chained_outputs,
            f" and {step.chained_outputs} times more for its chained outputs",
        )
        return Narration(
            f"hash {name}",
            f"{self.dequeued(name)} {counted(count, 'node')} {has} a hash, so "
            f"the number {count} goes in once for {name}{times}: "
            f"{step.put}. Its Murmur3 hash is {step.local}. "
            f"{mixed} The operator ID is {step.result}.",
            Highlighted(step.node, step.queue),
        )

    def narrate_entry(self, step: ChainEntered, name: str) -> Narration:
        starts = step.node == step.head
        waiting = tuple(self.calls)
        self.calls.append(step.node)
        chain = self.chains.setdefault(step.head, [])
        chain.append(step.node)
        behind = "" if starts else f", chain index {step.index} after {self.name(step.head)}"
        does = "start a chain at" if starts else "continue with"
        return Narration(
            f"{does} {name}",
            f"{does.capitalize()} {name}{behind}. {self.list_outputs(step.chained, step.others)}",
            Highlighted(step.node, waiting, tuple(chain), (*step.chained, *step.others)),
        )

    def list_outputs(self, chained: Sequence[int], unchained: Sequence[int]) -> str:
        if not chained and not unchained:
            return "It has no outputs."
        parts = []
        if chained:
            verb = "chains" if len(chained) == 1 else "chain"
            parts.append(f"{self.edges(chained)} {verb}, so that comes first")
        if unchained:
            verb = "does" if len(unchained) == 1 else "do"
            parts.append(
                f"{self.edges(unchained)} {verb} not chain, so a new chain starts after it"
            )
        return f"{'; '.join(parts)}."

    def narrate_return(self, step: ChainReturned, name: str) -> Narration:
        if self.calls and self.calls[-1] == step.node:
            self.calls.pop()
        marks = Highlighted(step.node, tuple(self.calls), step.members[::-1], step.edges)
        if step.node != step.head:
            handed = self.edges(step.edges) if step.edges else "no edge"
            return Narration(
                f"return from {name}",
                f"{name} is done. It returns the edges that leave the chain after it: {handed}.",
                marks,
            )
        vertex = self.compilation.job_graph.task_of(step.head).name
        connected = "No edge leaves it, so nothing is connected."
        if step.edges:
            connected = f"Connect {self.edges(step.edges)}."
        return Narration(
            f"create the task {vertex}",
            f"{name} is done, and the chain started here: create the task {vertex} with "
            f"{counted(len(step.members), 'operator')}. {connected}",
            msgspec.structs.replace(marks, vertex=vertex),
        )
