"""The steps of hashing and chaining in words, one a line that can be read aloud.

A ``Compilation`` made with ``trace=True`` holds its steps as data, in the order in which Flink
takes them; this makes sentences of them, and says which nodes and edges each step looks at.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from explorer.flink.compiler import Compilation
from explorer.model.chains import Step
from explorer.model.stream_graph import NodeId
from explorer.wording import counted


class NarratedStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step for a reader and for a drawing."""

    number: int
    """Counted from 1 within its part."""
    part: str
    """``hashing`` or ``chaining``."""
    title: str
    sentence: str
    node: NodeId
    """The node that the step is about."""
    waiting: tuple[NodeId, ...] = ()
    """Hashing: the queue after the step. Chaining: the calls that wait for this one."""
    chain: tuple[NodeId, ...] = ()
    """Chaining: the operators of the current chain so far."""
    edges: tuple[int, ...] = ()
    """Positions of the edges that the step looks at or hands back."""
    vertex: str | None = None
    """The name of the vertex that the step creates."""
    facts: dict[str, Any] = {}


def narrate(done: Compilation) -> tuple[NarratedStep, ...]:
    """Every recorded step, hashing first; empty where ``done`` was compiled without a trace."""
    narrator = _Narrator(done)
    return tuple(narrator.narrate(step) for step in done.steps)


class _Narrator:
    def __init__(self, done: Compilation) -> None:
        self.done, self.graph = done, done.stream_graph
        self.numbers = {"hashing": 0, "chaining": 0}
        self.calls: list[NodeId] = []
        self.chains: dict[NodeId, list[NodeId]] = {}

    def narrate(self, step: Step) -> NarratedStep:
        part = "chaining" if step.action in _CHAINING else "hashing"
        self.numbers[part] += 1
        told = _TELL[step.action](self, step)
        return NarratedStep(
            number=self.numbers[part], part=part, node=step.node, facts=step.facts, **told
        )

    def name(self, id: NodeId) -> str:
        return self.graph.node(id).name

    def edge(self, position: int) -> str:
        edge = self.graph.edges[position]
        return f"{self.name(edge.source)} → {self.name(edge.target)}"

    def names(self, ids: Sequence[NodeId]) -> str:
        return _listed([self.name(id) for id in ids])

    def hashed(self, step: Step) -> dict[str, Any]:
        facts, name = step.facts, self.name(step.node)
        count, outputs = int(facts["hashed_before"]), int(facts["chained_outputs"])  # type: ignore[call-overload]
        mixed: Any = facts["mixed"]
        return {
            "title": f"hash {name}",
            "sentence": (
                f"Take {name} from the queue. {counted(count, 'node')} {_has(count)} a hash, so "
                f"the number {count} goes in once for {name}{_times(outputs)}: {facts['put']}. "
                f"Murmur3 makes {facts['local']} of it. "
                + _mixed([self.name(m["input"]) for m in mixed])
                + f"The operator ID is {facts['result']}."
            ),
            "waiting": tuple(facts.get("queue", ())),  # type: ignore[arg-type]
        }

    def hashed_uid(self, step: Step) -> dict[str, Any]:
        name, facts = self.name(step.node), step.facts
        return {
            "title": f"hash {name} by its uid",
            "sentence": (
                f"Take {name} from the queue. It has the uid {facts['uid']!r}, so Murmur3 over "
                f"the uid's bytes is its operator ID, {facts['result']}; inputs and position do "
                "not matter."
            ),
            "waiting": tuple(facts.get("queue", ())),  # type: ignore[arg-type]
        }

    def put_back(self, step: Step) -> dict[str, Any]:
        name = self.name(step.node)
        missing: Any = step.facts["missing"]
        return {
            "title": f"put {name} back",
            "sentence": (
                f"Take {name} from the queue. Its input {self.names(missing)} has no hash yet, so "
                f"{name} is put back: it comes again behind that input."
            ),
            "waiting": tuple(step.facts.get("queue", ())),  # type: ignore[arg-type]
        }

    def create_chain(self, step: Step) -> dict[str, Any]:
        facts: Any = step.facts
        name, head = self.name(step.node), facts["head"]
        chained, others = facts["chained"], facts["others"]
        waiting = tuple(self.calls)
        self.calls.append(step.node)
        chain = self.chains.setdefault(head, [])
        chain.append(step.node)
        starts = step.node == head
        where = (
            f"Start a chain at {name}"
            if starts
            else f"Go on to {name}, chain index {facts['index']} behind {self.name(head)}"
        )
        return {
            "title": f"start a chain at {name}" if starts else f"go on to {name}",
            "sentence": f"{where}. {self._edges(chained, others)}",
            "waiting": waiting,
            "chain": tuple(chain),
            "edges": (*chained, *others),
        }

    def _edges(self, chained: Sequence[int], others: Sequence[int]) -> str:
        if not chained and not others:
            return "It has no outputs."
        parts = []
        if chained:
            verb = "chains" if len(chained) == 1 else "chain"
            parts.append(f"{_listed([self.edge(e) for e in chained])} {verb}, so that comes first")
        if others:
            verb = "does" if len(others) == 1 else "do"
            parts.append(
                f"{_listed([self.edge(e) for e in others])} {verb} not chain, so a new chain "
                "starts behind"
            )
        return f"{'; '.join(parts)}."

    def returned(self, step: Step) -> dict[str, Any]:
        facts: Any = step.facts
        name, head = self.name(step.node), facts["head"]
        if self.calls and self.calls[-1] == step.node:
            self.calls.pop()
        edges = tuple(facts["edges"])
        told: dict[str, Any] = {
            "waiting": tuple(self.calls),
            "chain": tuple(reversed(facts["members"])),
            "edges": edges,
        }
        handed = _listed([self.edge(e) for e in edges]) if edges else "no edge"
        if step.node != head:
            return told | {
                "title": f"return from {name}",
                "sentence": f"{name} is done. It hands back the edges that leave the chain behind "
                f"it: {handed}.",
            }
        vertex = self._vertex(head)
        connected = (
            f"Connect {_listed([self.edge(e) for e in edges])}."
            if edges
            else "No edge leaves it, so nothing is connected."
        )
        return told | {
            "title": f"create the vertex {vertex}",
            "sentence": f"{name} is done, and the chain started here: create the job vertex "
            f"{vertex} with {counted(len(facts['members']), 'operator')}. {connected}",
            "vertex": vertex,
        }

    def _vertex(self, head: NodeId) -> str:
        job_graph = self.done.job_graph
        return job_graph.vertices[job_graph.vertex_of[head]].name

    def built_already(self, step: Step) -> dict[str, Any]:
        name = self.name(step.node)
        return {
            "title": f"{name} has its vertex",
            "sentence": f"The chain that starts at {name} is built already, so nothing is left to "
            "do there.",
            "waiting": tuple(self.calls),
        }


_CHAINING: Final = frozenset({"create chain", "return", "built already"})

_TELL: Final[Mapping[str, Callable[[_Narrator, Step], dict[str, Any]]]] = {
    "hash": _Narrator.hashed,
    "hash uid": _Narrator.hashed_uid,
    "put back": _Narrator.put_back,
    "create chain": _Narrator.create_chain,
    "return": _Narrator.returned,
    "built already": _Narrator.built_already,
}


def _listed(names: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *front, last = names
    return f"{', '.join(front)} and {last}" if front else last


def _mixed(names: Sequence[str]) -> str:
    if not names:
        return "It has no inputs to mix in. "
    what = "hash" if len(names) == 1 else "hashes"
    return (
        f"The {what} of {_listed(names)} {'is' if len(names) == 1 else 'are'} mixed in, byte by "
        "byte: times 37, then XOR. "
    )


def _has(number: int) -> str:
    return "has" if number == 1 else "have"


def _times(outputs: int) -> str:
    more = {0: "", 1: " and once more for its chained output"}
    return more.get(outputs, f" and {outputs} times more for its chained outputs")
