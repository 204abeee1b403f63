"""Questions about operator IDs: which stay, which change, and what in the hash made them.

The reasons are read from the steps of ``StreamGraphHasherV2``: what was put and what was mixed in.
"""

from collections.abc import Iterator
from typing import TypeAlias

from explorer.analysis.lessons.choices import one_of, some_of
from explorer.analysis.lessons.lesson_case import LessonCase
from explorer.analysis.matching import match_operators
from explorer.flink.compiler import Compilation
from explorer.model.lesson import Answer
from explorer.model.stream_graph import NodeId
from explorer.model.trace import NodeHashed, NodeHashedByUid, NodeIdReported
from explorer.wording import counted, listed

Hashed: TypeAlias = NodeHashed | NodeHashedByUid | NodeIdReported
"""A step that gives an operator its ID."""


class Moves:
    """Two traced compilations, and what became of each operator's ID between them."""

    def __init__(self, was: Compilation, done: Compilation) -> None:
        self.was, self.done = was, done
        self.same = match_operators(was, done).pairs
        self.before, self.after = _steps(was), _steps(done)

    def verdict(self, node: NodeId) -> str:
        """``kept``, ``moved`` or ``gone``, of an operator of before."""
        now = self.same.get(node)
        if now is None:
            return "gone"
        return "kept" if self.was.hashes[node] == self.done.hashes[now] else "moved"

    def reason(self, node: NodeId) -> str:
        """Why it is so."""
        name, now = self.was.stream_graph.node(node).name, self.same.get(node)
        if now is None:
            return f"{name} is not there any more."
        step, old = self.after.get(now), self.before.get(node)
        if isinstance(step, NodeHashedByUid):
            return f"{name} has the uid {step.uid!r}: its ID is computed from that alone."
        if isinstance(old, NodeHashedByUid):
            return (
                f"{name} had the uid {old.uid!r}; now its ID comes from its position in the graph."
            )
        if isinstance(step, NodeHashed) and isinstance(old, NodeHashed):
            return f"{name} has no uid: {self._of_its_place(old, step)}"
        return f"The job itself reports the ID of {name}."

    def _of_its_place(self, old: NodeHashed, new: NodeHashed) -> str:
        text = list(self._differences(old, new))
        if text:
            return f"its ID comes from its position in the graph, and {'; and '.join(text)}."
        return (
            "its ID comes from its position in the graph, and none of that changed: its turn, its "
            "chained outputs and the IDs of its inputs."
        )

    def _differences(self, old: NodeHashed, new: NodeHashed) -> Iterator[str]:
        if old.hashed_before != new.hashed_before:
            yield (
                f"it is operator {new.hashed_before + 1} to be hashed, and was operator "
                f"{old.hashed_before + 1}"
            )
        if old.chained_outputs != new.chained_outputs:
            outputs = counted(new.chained_outputs, "chained output")
            yield f"it has {outputs}, and had {old.chained_outputs}"
        known = {one.hash for one in old.mixed}
        fresh = [one.input for one in new.mixed if one.hash not in known]
        names = dict.fromkeys(self.done.stream_graph.node(one).name for one in fresh)
        if names:
            yield f"the ID of its input {listed(names)} is another one"
        elif len(old.mixed) != len(new.mixed):
            yield f"it has {counted(len(new.mixed), 'input')}, and had {len(old.mixed)}"


def _steps(done: Compilation) -> dict[NodeId, Hashed]:
    return {step.node: step for step in done.steps if isinstance(step, Hashed)}


def operator_id(case: LessonCase, words: str) -> Answer:
    """What becomes of one operator's ID."""
    moves = Moves(case.was, case.done)
    node = case.node(case.was.stream_graph)
    choices = {
        "kept": "It stays",
        "moved": "It changes",
        "gone": "The operator is removed",
    }
    right = moves.verdict(node)
    if right != "gone":
        del choices["gone"]
    return one_of(words, choices, right, moves.reason(node))


def operator_ids(case: LessonCase, words: str) -> Answer:
    """Which operators get another ID."""
    return moved_ids(Moves(case.was, case.done), words)


def moved_ids(moves: Moves, words: str) -> Answer:
    """The same for two compilations; the choices are the operators of before, by number."""
    nodes = [node for node in moves.was.stream_graph.nodes if node.id in moves.same]
    right = [str(node.id) for node in nodes if moves.verdict(node.id) == "moved"]
    reason = f"{len(right):,} of {counted(len(nodes), 'operator')} get another ID."
    reasons = {str(node.id): moves.reason(node.id) for node in nodes}
    names = {str(node.id): node.name for node in nodes}
    return some_of(words, "operators", names, right, (reason, reasons))
