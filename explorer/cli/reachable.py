"""``explain --upstream`` and ``--downstream``: operators that lead to or from an operator."""

import argparse
from typing import Final, get_args

import msgspec

from explorer.analysis.edge_lookup import matching_operators
from explorer.cli.command import argument, either, print_found
from explorer.drawing.elements import GraphView
from explorer.drawing.graph_view import graph_view
from explorer.drawing.reachability import Direction, steps_to
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.model.stream_graph import NodeId
from explorer.wording import counted, listed, quoted

DIRECTIONS: Final[tuple[Direction, ...]] = get_args(Direction)


class SeveralOperatorsError(ExplorerError):
    """A text that names more than one operator."""


ROUTE: Final = either(
    *(
        argument(
            f"--{direction}",
            metavar="OPERATOR",
            help=f"list the operators {direction} of this one (id, name or node number), with "
            "their distance",
        )
        for direction in DIRECTIONS
    )
)
"""One of both directions, and where to begin."""


def asked(args: argparse.Namespace) -> tuple[Direction, str] | None:
    """The direction, and where to begin; None: neither was asked for."""
    reported = ((direction, getattr(args, direction)) for direction in DIRECTIONS)
    return next(((direction, text) for direction, text in reported if text is not None), None)


class Reached(msgspec.Struct, frozen=True, kw_only=True):
    """An operator that is reached."""

    steps: int
    """Distance in edges."""
    node: int
    name: str
    operator_id: str
    chain: int
    """The number of its chain, as drawings have it."""


def print_reached(
    args: argparse.Namespace, done: Compilation, direction: Direction, text: str
) -> None:
    """Print what is reached, the nearest first."""
    view = graph_view(done)
    begin = view.node_of[f"n{_node(done, text)}"]
    found = _reached(view, begin.key, direction)
    print_found(args, lambda: found, lambda: _text(begin.name, direction, found, view.words.chain))


def _node(done: Compilation, text: str) -> NodeId:
    nodes = sorted(matching_operators(done.stream_graph, text))
    if len(nodes) > 1:
        numbers = listed(map(str, nodes))
        msg = f"{quoted(text)} names several operators; give a node number of {numbers}"
        raise SeveralOperatorsError(msg)
    return nodes[0]


def _reached(view: GraphView, key: str, direction: Direction) -> tuple[Reached, ...]:
    ends = ((view.node_of[end], steps) for end, steps in steps_to(view, key, direction).items())
    return tuple(
        Reached(
            steps=steps,
            node=node.id,
            name=node.name,
            operator_id=node.hash,
            chain=view.vertex_of[node.vertex].number,
        )
        for node, steps in ends
    )


def _text(name: str, direction: Direction, found: tuple[Reached, ...], chain: str) -> str:
    if not found:
        return f"nothing is {direction} of {name}"
    lines = (
        f"  {counted(one.steps, 'step'):<9}{one.operator_id}  {chain} {one.chain:<4}{one.name}"
        for one in found
    )
    return "\n".join((f"{direction} of {name}: {counted(len(found), 'operator')}", *lines))
