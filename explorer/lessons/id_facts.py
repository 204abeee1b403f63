"""Questions about operator IDs: which change, and by which input of the hash.

The reasons come from the recorded steps of ``StreamGraphHasherV2``.
"""

from collections.abc import Iterator
from typing import TypeAlias

from explorer.comparison.matching import match_operators
from explorer.flink.compiler import Compilation
from explorer.lessons.choices import one_of, some_of
from explorer.lessons.lesson_case import LessonCase
from explorer.model.lesson import Answer
from explorer.model.steps import NodeHashed, NodeHashedByUid, NodeIdReported
from explorer.model.stream_graph import NodeId
from explorer.wording import counted, listed

Hashed: TypeAlias = NodeHashed | NodeHashedByUid | NodeIdReported
"""A step that gives an operator its ID."""


class Moves:
    """Two traced compilations, and how each operator's ID changes between them."""

    def __init__(self, was: Compilation, compilation: Compilation) -> None:
        self.was, self.compilation = was, compilation
        self.same = match_operators(was, compilation).pairs
        self.before, self.after = (
            {step.node: step for step in item.steps if isinstance(step, Hashed)}
            for item in (was, compilation)
        )

    def verdict(self, node: NodeId) -> str:
        """``kept``, ``moved`` or ``gone``, for an operator of the earlier compilation."""
        node_id = self.same.get(node)
        if node_id is None:
            return "gone"
        return "kept" if self.was.hashes[node] == self.compilation.hashes[node_id] else "moved"

    def reason(self, node: NodeId) -> str:
        """The reason for the verdict."""
        name, node_id = self.was.stream_graph.node(node).name, self.same.get(node)
        if node_id is None:
            return f"{name} is not there any more."
        step, old = self.after.get(node_id), self.before.get(node)
        if isinstance(step, NodeHashedByUid):
            return f"{name} has the uid {step.uid!r}: its ID is computed from that alone."
        if isinstance(old, NodeHashedByUid):
            return (
                f"{name} had the uid {old.uid!r}; now its ID comes from its position in the graph."
            )
        if isinstance(step, NodeHashed) and isinstance(old, NodeHashed):
            why = "; and ".join(self._differences(old, step)) or (
                "none of that changed: its turn, its chained outputs and the IDs of its inputs"
            )
            return f"{name} has no uid: its ID comes from its position in the graph, and {why}."
        return f"The job itself reports the ID of {name}."

    def _differences(self, old: NodeHashed, new: NodeHashed) -> Iterator[str]:
        if old.hashed_before != new.hashed_before:
            yield (
                f"it is operator {new.hashed_before + 1} to be hashed, and was operator "
                f"{old.hashed_before + 1}"
            )
        if old.chained_outputs != new.chained_outputs:
            outputs = counted(new.chained_outputs, "chained output")
            yield f"it has {outputs}, and had {old.chained_outputs}"
        hashes = {mixed_in.hash for mixed_in in old.mixed}
        fresh = [item.input for item in new.mixed if item.hash not in hashes]
        names = dict.fromkeys(self.compilation.stream_graph.node(node_id).name for node_id in fresh)
        if names:
            yield f"the ID of its input {listed(names)} is another one"
        elif len(old.mixed) != len(new.mixed):
            yield f"it has {counted(len(new.mixed), 'input')}, and had {len(old.mixed)}"


def operator_id(case: LessonCase, words: str) -> Answer:
    """Whether one operator's ID changes."""
    moves = Moves(*case.traced)
    node = case.node(case.was.stream_graph)
    choices = {"kept": "It stays", "moved": "It changes"}
    right = moves.verdict(node)
    if right == "gone":
        choices["gone"] = "The operator is removed"
    return one_of(words, choices, right, moves.reason(node))


def moved_ids(moves: Moves, words: str) -> Answer:
    """Which operators get another ID; the choices are those that both compilations have."""
    nodes = [node for node in moves.was.stream_graph.nodes if node.id in moves.same]
    right = [str(node.id) for node in nodes if moves.verdict(node.id) == "moved"]
    reason = f"{len(right):,} of {counted(len(nodes), 'operator')} get another ID."
    reasons = {str(node.id): moves.reason(node.id) for node in nodes}
    names = {str(node.id): node.name for node in nodes}
    return some_of(words, "operators", names, right, (reason, reasons))
