"""Highlights of a drawing at each step of hashing, chaining or a record's route.

All steps are small enough to send whole, and a browser that holds them can play them without asking
again. Node, edge, vertex and job edge are numbers here, those of the keys of
``drawing.view.elements``. Lists that grow and shrink from step to step are sent as changes.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from explorer.drawing.view.elements import GraphView
from explorer.model.narrated_step import NarratedStep
from explorer.model.steps import ChainEntered, NodeHashed, NodeHashedByUid, NodeIdReported, Step
from explorer.wording import cut

Json: TypeAlias = dict[str, Any]
Change: TypeAlias = tuple[list[int], int, int, list[int]]
"""New list: first items, start and length of a slice of the old list, last items."""

MOST: Final = 2000
"""Operators of the largest graph that is stepped through."""
LONGEST_SENTENCE: Final = 600
LONGEST_NAME: Final = 120
_LISTS: Final = ("waiting", "chain", "edges")


def highlighted_steps(view: GraphView, steps: Iterable[NarratedStep[Step]]) -> Json:
    """Return all steps with their highlights, and the names that they mention."""
    previous: dict[str, tuple[int, ...]] = dict.fromkeys(_LISTS, ())
    leaving: dict[str, list[int]] = {vertex.key: [] for vertex in view.vertices}
    for edge in view.edges:
        leaving[view.node_of[edge.source].vertex].append(edge.index)
    reported = []
    for step in steps:
        reported.append(_step_members(view, step, previous, leaving))
        previous = {name: getattr(step.highlighted, name) for name in _LISTS}
    return {
        "steps": reported,
        "nodes": {str(node.id): cut(node.name, LONGEST_NAME) for node in view.nodes},
        "edges": [
            cut(f"{edge.source_name} → {edge.target_name}", LONGEST_NAME) for edge in view.edges
        ],
    }


def _step_members(
    view: GraphView,
    step: NarratedStep[Step],
    previous: Mapping[str, tuple[int, ...]],
    leaving: Mapping[str, list[int]],
) -> Json:
    """Return a step as JSON; ``leaving``: by task, the edges that begin in it."""
    reported, marks = _text(step), step.highlighted
    for name in _LISTS:
        if getattr(marks, name) != previous[name]:
            reported[name] = change(previous[name], getattr(marks, name))
    if isinstance(step.event, NodeHashed | NodeHashedByUid | NodeIdReported):
        reported["hashed"] = True
    if isinstance(step.event, ChainEntered) and step.event.others:
        edges = [view.edge_of[f"e{number}"] for number in step.event.others]
        reasons = [map(" ".join, zip(e.failed, e.against, strict=True)) for e in edges]
        texts = [cut("; ".join(reason), LONGEST_NAME) for reason in reasons]
        reported["cut"] = list(zip(step.event.others, texts, strict=True))
    if marks.vertex is not None:
        vertex = view.node_of[f"n{marks.node}"].vertex
        reported["vertex"], reported["decided"] = _number(vertex), leaving[vertex]
        job_edges = [view.edge_of[f"e{edge}"].job_edge for edge in marks.edges]
        reported["connected"] = [_number(key) for key in job_edges if key]
    return reported


def _text(step: NarratedStep[Any]) -> Json:
    """Text of a step and its operator."""
    return step.text() | {
        "part": cut(step.part, LONGEST_NAME),
        "title": cut(step.title, LONGEST_NAME),
        "sentence": cut(step.sentence, LONGEST_SENTENCE),
        "node": step.highlighted.node,
    }


def steps_apart(steps: Iterable[NarratedStep[Any]]) -> Json:
    """Return steps outside both graphs, with the highlights of a drawing of their own."""
    return {
        "steps": [
            step.text() | {"facts": step.details, "highlighted": step.highlighted.parts}
            for step in steps
        ],
        "nodes": {},
        "edges": [],
        "apart": True,
    }


def highlighted_route(view: GraphView, steps: Iterable[NarratedStep[Any]]) -> Json:
    """Return a record's route; each step highlights the operator, its edge and the route.

    ``whole``: both graphs are there from the first step on.
    """
    previous: dict[str, tuple[int, ...]] = {"chain": (), "edges": ()}
    reported = []
    for step in steps:
        marks = step.highlighted
        current = {"chain": marks.chain, "edges": marks.edges}
        crossed = [view.edge_of[f"e{edge}"].job_edge for edge in marks.edges]
        reported.append(
            {
                **_text(step),
                "vertex": _number(view.node_of[f"n{marks.node}"].vertex),
                "connected": [_number(key) for key in crossed if key],
                "facts": [(head, [cut(t, LONGEST_NAME) for t in ts]) for head, ts in step.details],
                **{name: change(previous[name], current[name]) for name in current},
            }
        )
        previous = current
    return {"steps": reported, "nodes": {}, "edges": [], "whole": True}


def change(old: Sequence[int], new: Sequence[int]) -> Change:
    """Return ``new`` as a change of ``old``: a queue, a stack, or a chain that grows in front.

    >>> change([1, 2, 3], [2, 3, 4]), change([5, 6], [4, 5, 6]), change([1], [7])
    (([], 1, 2, [4]), ([4], 0, 2, []), ([], 0, 0, [7]))
    """
    for front in (0, 1):
        for start in (0, 1):
            retained = min(len(new) - front, len(old) - start)
            if retained > 0 and new[front : front + retained] == old[start : start + retained]:
                return list(new[:front]), start, retained, list(new[front + retained :])
    return [], 0, 0, list(new)


def _number(key: str) -> int:
    return int(key[1:])
