"""Which drawn operator does a found ID mean, and what is said of an ID that is not there?"""

from collections.abc import Callable, Iterator
from typing import Final

from explorer.views.graph_view import GraphView, NodeView
from explorer.views.whatis import Answer, Finding

WHOLE: Final = 32
"""Digits of an ID; of a shorter one only the beginning was given."""


def node_key(finding: Finding, view: GraphView) -> str | None:
    """The key of the operator that was found; None where the drawn graph has no such one.

    The ID may be that of another release, or of the job without chaining: an operator is then
    known by the transformation that it comes from, or by its name.
    """
    origin, name = finding.transformation, finding.operator
    ways: tuple[Callable[[NodeView], bool], ...] = (
        lambda node: (node.transformation, node.name) == (origin, name),
        lambda node: node.hash == finding.id,
        lambda node: origin is not None and node.transformation == origin,
        lambda node: node.name == name,
    )
    return next((node.key for way in ways for node in view.nodes if way(node)), None)


def other_sentences(answer: Answer) -> Iterator[str]:
    """What there is to say of IDs that this pipeline does not have."""
    for id, positions in answer.positions.items():
        places = "; or ".join(position.sentence() for position in positions)
        yield f"{id} is not in this pipeline. Elsewhere it can be {places}."
    for id in answer.unknown:
        if len(id) < WHOLE:
            yield f"No ID of this pipeline begins with {id}, under any release."
            continue
        yield (
            f"{id} is not in this pipeline, under no release, and no simple pipeline has it: look "
            "for a uid that was changed, or for a pipeline with joins."
        )
    if answer.left_out:
        yield f"{answer.left_out:,} more IDs of this text were not looked up."
