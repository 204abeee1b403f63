"""The programs that are compiled: lines and branches of any size, with and without uids."""

from typing import Any, NamedTuple


class Shape(NamedTuple):
    """What a program looks like."""

    name: str
    nodes_a_branch: int | None
    """None: one line of all nodes."""
    uids: bool

    def branches(self, nodes: int) -> int:
        """How many lines ``nodes`` operators make."""
        return 1 if self.nodes_a_branch is None else max(1, nodes // self.nodes_a_branch)


SHAPES = (
    Shape("line", None, uids=False),
    Shape("line", None, uids=True),
    Shape("wide", 10, uids=False),
    Shape("wide", 10, uids=True),
)


def document(shape: Shape, nodes: int) -> dict[str, Any]:
    """A program of ``nodes`` operators: each branch is a source, maps and a sink.

    In the middle of each branch is a rebalance, so that it makes two vertices.
    """
    transformations: list[dict[str, Any]] = []
    branches = shape.branches(nodes)
    length = nodes // branches
    for branch in range(branches):
        last = f"source {branch}"
        transformations.append({"id": last, "type": "source"})
        for place in range(1, length):
            if place == length // 2:
                cut = {"id": f"rebalance {branch}", "type": "rebalance", "inputs": [last]}
                transformations.append(cut)
                last = f"rebalance {branch}"
            type_ = "sink" if place == length - 1 else "map"
            id_ = f"{type_} {branch} {place}"
            transformations.append({"id": id_, "type": type_, "inputs": [last]})
            last = id_
    if shape.uids:
        for step in transformations:
            if step["type"] != "rebalance":
                step["uid"] = f"uid of {step['id']}"
    return {"name": f"{shape.name} of {nodes}", "transformations": transformations}
