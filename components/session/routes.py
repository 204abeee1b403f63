"""Routes through the graphs: what is around the selection, what is shown alone, which chains fold.

The visible scene is a value: the part of the view that is drawn, the chains that are one card each,
and what is highlighted around the selection. Both graphs and every picture are drawn from it.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
import streamlit as st

from components.session import session
from components.session.callbacks import attempt
from components.session.guard import guarded
from components.session.work import Work
from explorer.drawing.view.elements import GraphView, through
from explorer.drawing.view.reachability import (
    ALL,
    Direction,
    isolate_operators,
    operators_of,
    reached,
)
from explorer.drawing.view.selection import TRANSFORMATION
from explorer.lookup.identity import Identity

FOLDED: Final = 200
"""Number of operators from which each chain is drawn as one card by default."""


class Visible(msgspec.Struct, frozen=True, kw_only=True):
    """The drawn part of a view."""

    view: GraphView
    """The whole, or the part that is shown alone."""
    folded: frozenset[str]
    """The chains that are one card each."""
    around: frozenset[str]
    """The highlighted elements other than the selection and its counterparts."""
    operators: int
    """How many there are, shown or not."""


def visible(work: Work, view: GraphView) -> Visible:
    """Return the drawn part of a view; equal answers are the same objects."""
    shown_view = session.shared("alone", (view, work.alone), _alone)
    is_folded = len(shown_view.nodes) > FOLDED if work.folded is None else work.folded
    folded = session.shared("folds", (shown_view, work.folds, is_folded), _folded_chains)
    return Visible(
        view=shown_view,
        folded=folded,
        around=around(work, shown_view),
        operators=len(view.nodes),
    )


def _alone(view: GraphView, alone: frozenset[Identity]) -> GraphView:
    """Return the isolated part; the whole view where nothing of that part is left."""
    keys = {node.key for node in view.nodes if node.identity in alone}
    return isolate_operators(view, keys) if keys else view


def _folded_chains(
    view: GraphView,
    folds: frozenset[Identity],
    is_folded: bool,  # noqa: FBT001
) -> frozenset[str]:
    folded_vertices = {node.vertex for node in view.nodes if node.identity in folds}
    return frozenset(view.vertex_of) - folded_vertices if is_folded else frozenset(folded_vertices)


def around(work: Work, view: GraphView) -> frozenset[str]:
    """Return the elements reachable from the selection, and their counterparts."""
    return session.shared("around", (view, work.selection, *work.reach), _around)


def _around(view: GraphView, selection: str | None, up: int, down: int) -> frozenset[str]:
    near = _reachable_keys(view, selection, (up, down))
    if not near:
        return near
    pairs = view.counterparts
    return near | {other_pair for key in near for other_pair in pairs.get(key, ())}


def _reachable_keys(
    view: GraphView, selection: str | None, reach: tuple[int, int]
) -> frozenset[str]:
    result: set[str] = set()
    for key in _selected_elements(view, selection):
        result |= reached(view, key, "upstream", reach[0])
        result |= reached(view, key, "downstream", reach[1])
    return frozenset(result)


def _selected_elements(view: GraphView, selection: str | None) -> tuple[str, ...]:
    if selection is None:
        return ()
    if selection.startswith(TRANSFORMATION):
        return through(view, selection.removeprefix(TRANSFORMATION))
    return (selection,)


def _view(work: Work) -> GraphView | None:
    return session.compiled(work.document).view or session.last_view(work)


def _reach(direction: Direction, *, everything: bool = False) -> Callable[[Work], Work]:
    def step(work: Work) -> Work:
        steps = list(work.reach)
        at = 0 if direction == "upstream" else 1
        steps[at] = ALL if everything or steps[at] == ALL else steps[at] + 1
        return msgspec.structs.replace(work, reach=(steps[0], steps[1]))

    return step


def _isolate(work: Work) -> Work:
    view = _view(work)
    if view is None:
        return work
    chosen = _selected_elements(view, work.selection)
    keys = operators_of(view, (*chosen, *_reachable_keys(view, work.selection, work.reach)))
    alone = frozenset(view.node_of[key].identity for key in keys)
    return msgspec.structs.replace(work, alone=alone)


def _fold_one(work: Work) -> Work:
    """Fold or unfold the selected chain, or the chains of both ends of an edge."""
    view = _view(work)
    if view is None:
        return work
    keys = {
        view.node_of[key].vertex
        for key in operators_of(view, _selected_elements(view, work.selection))
    }
    folded = visible(work, view).folded
    turned = keys if keys <= folded else keys - folded
    heads = frozenset(view.node_of[view.vertex_of[key].nodes[0]].identity for key in turned)
    members = {node.identity for node in view.nodes if node.vertex in turned}
    folds = work.folds - members if work.folds & members else work.folds | heads
    return msgspec.structs.replace(work, folds=folds)


def _is_part(work: Work) -> bool:
    return bool(work.alone) or work.reach != (0, 0)


def _show_all(work: Work) -> Work:
    return msgspec.structs.replace(work, alone=frozenset(), reach=(0, 0))


class GraphAction(msgspec.Struct, frozen=True):
    """A button below both graphs, and an action of Ctrl+K."""

    group: str
    """What stands before the button."""
    label: str
    title: str
    step: Callable[[Work], Work]
    shows: Callable[[Work], bool] | None = None
    """Whether there is something to undo; None: it is for a selection."""

    @property
    def selects(self) -> bool:
        """Whether the action starts at the selection."""
        return self.shows is None

    def offered(self, work: Work) -> bool:
        """Whether the action is available."""
        return work.selection is not None if self.shows is None else self.shows(work)


ROUTES: Final[Mapping[str, GraphAction]] = {
    "up": GraphAction(
        "Upstream", "step", "Upstream of the selection, one step further", _reach("upstream")
    ),
    "up-all": GraphAction(
        "", "all", "Upstream of the selection, all of it", _reach("upstream", everything=True)
    ),
    "down": GraphAction(
        "Downstream", "step", "Downstream of the selection, one step further", _reach("downstream")
    ),
    "down-all": GraphAction(
        "", "all", "Downstream of the selection, all of it", _reach("downstream", everything=True)
    ),
    "isolate": GraphAction("", "Isolate", "Show only the highlighted part", _isolate),
    "fold": GraphAction(
        "", "Fold chain", "Fold the selected chain to one card, or unfold it", _fold_one
    ),
    "all": GraphAction("", "Show all", "Show all again", _show_all, shows=_is_part),
}
"""By name."""


def buttons(work: Work) -> list[dict[str, Any]]:
    """Return the commands as the graphs show them."""
    return [
        {
            "name": name,
            "group": route.group,
            "label": route.label,
            "title": route.title,
            "selects": route.selects,
            "offered": route.offered(work),
        }
        for name, route in ROUTES.items()
    ]


def go(name: str) -> None:
    """Apply a route command."""
    attempt(session.PAGE, ROUTES[name].step)


@guarded
def take(widget: str) -> None:
    """Apply the command that was chosen below the graphs."""
    chosen = st.session_state[widget]["route"]
    if chosen is not None and chosen["name"] in ROUTES:
        go(str(chosen["name"]))
