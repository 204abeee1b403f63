"""``explain --upstream`` and ``--downstream``: operators that lead to or from an operator."""

import argparse
from typing import Final, get_args

import msgspec

from explorer.cli.command import argument, either, print_found
from explorer.drawing.view.graph_view import graph_view
from explorer.drawing.view.reachability import Direction, steps_to
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.lookup.edge_lookup import matching_operators
from explorer.wording import counted, listed, quoted

DIRECTIONS: Final[tuple[Direction, ...]] = get_args(Direction)


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
    """The direction and the start; None if no direction is given."""
    reported = ((direction, getattr(args, direction)) for direction in DIRECTIONS)
    return next(((direction, text) for direction, text in reported if text is not None), None)


class Reached(msgspec.Struct, frozen=True, kw_only=True):
    """A reachable operator."""

    steps: int
    """Distance in edges."""
    node: int
    name: str
    operator_id: str
    chain: int
    """The number of its chain, as drawings have it."""


def print_reached(
    args: argparse.Namespace, compilation: Compilation, direction: Direction, text: str
) -> None:
    """Print the reachable operators, the nearest first."""
    nodes = sorted(matching_operators(compilation.stream_graph, text))
    if len(nodes) > 1:
        numbers = listed(map(str, nodes))
        msg = f"{quoted(text)} names several operators; give a node number of {numbers}"
        raise ExplorerError(msg)
    view = graph_view(compilation)
    begin = view.node_of[f"n{nodes[0]}"]
    ends = steps_to(view, begin.key, direction).items()
    reacheds = tuple(
        Reached(
            steps=steps,
            node=node.id,
            name=node.name,
            operator_id=node.hash,
            chain=view.vertex_of[node.vertex].number,
        )
        for node, steps in ((view.node_of[end], steps) for end, steps in ends)
    )
    print_found(
        args, lambda: reacheds, lambda: _text(begin.name, direction, reacheds, view.words.chain)
    )


def _text(name: str, direction: Direction, reacheds: tuple[Reached, ...], chain: str) -> str:
    if not reacheds:
        return f"nothing is {direction} of {name}"
    lines = (
        f"  {counted(item.steps, 'step'):<9}{item.operator_id}  {chain} {item.chain:<4}{item.name}"
        for item in reacheds
    )
    return "\n".join((f"{direction} of {name}: {counted(len(reacheds), 'operator')}", *lines))
