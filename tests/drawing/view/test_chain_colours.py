"""Colours of chains over an edit."""

from explorer import compile_graph
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.graph_view import graph_view, keep_colours
from tests.drawing.drawn import LINE, view_of


def colours(view: GraphView) -> dict[str | None, int]:
    """Map the transformation of each chain's head to its colour."""
    return {view.node_of[chain.nodes[0]].transformation: chain.colour for chain in view.vertices}


def test_a_chain_keeps_its_colour_while_its_head_is_the_same_operator() -> None:
    whole = view_of()
    parted = keep_colours(view_of(chaining_strategy="NEVER"), whole)

    assert colours(whole) == {"s": 1, "a": 2, "o": 3}
    assert colours(parted) == {"s": 1, "a": 2, "b": 4, "o": 3}
    assert [chain.number for chain in parted.vertices] == [1, 2, 3, 4]
    assert parted.vertex_of == {chain.key: chain for chain in parted.vertices}
    assert colours(keep_colours(view_of(), parted)) == colours(whole)


def test_a_chain_without_its_former_head_gives_its_colour_to_the_next_new_one() -> None:
    rest = [{**each, "inputs": ["s"]} if each["id"] == "spread" else each for each in LINE]
    shorter = [each for each in rest if each["id"] not in {"a", "b"}]
    renamed = [*shorter, {"id": "c", "type": "map", "inputs": ["s"], "parallelism": 2}]
    renamed.append({"id": "p", "type": "sink", "inputs": ["c"]})
    graph = graph_view(
        compile_graph({"environment": {"parallelism": 2}, "transformations": renamed}, "1.20")
    )

    assert colours(keep_colours(graph, view_of())) == {"s": 1, "o": 3, "c": 2}
