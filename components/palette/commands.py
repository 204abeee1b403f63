"""Actions of the search field, a row for each."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

import msgspec

from components.deploy import baselines
from components.explore.pipeline import adding
from components.learn import lesson_tab
from components.palette.entries import Entry
from components.run.trial import runs
from components.server.hosting import hosting
from components.session import actions, routes, session
from components.session.work import Work
from components.widgets import picture
from explorer.drawing.view.elements import GraphWords
from explorer.model.pipeline import Pipeline


class PageCommand(msgspec.Struct, frozen=True, kw_only=True):
    """An action of the page."""

    title: str
    keys: str = ""
    """The keys that do the same."""
    run: Callable[[], None]
    offered: Callable[[Work], bool] = lambda _: True


COMMANDS: Final[Mapping[str, PageCommand]] = {
    "undo": PageCommand(
        title="Undo", run=actions.undo, offered=lambda work: bool(work.history.past)
    ),
    "redo": PageCommand(
        title="Redo", run=actions.redo, offered=lambda work: bool(work.history.future)
    ),
    "new": PageCommand(title="New pipeline", run=actions.open_new),
    "add": PageCommand(
        title="Add a transformation",
        run=adding.open_dialog,
        offered=lambda work: work.document.kind == Pipeline.kind,
    ),
    "fold": PageCommand(title="Fold each chain to one card", run=lambda: actions.fold_all(on=True)),
    "unfold": PageCommand(
        title="Draw the operators of each chain", run=lambda: actions.fold_all(on=False)
    ),
    "chain": PageCommand(
        title="Turn chaining on",
        run=lambda: actions.turn_chaining(on=True),
        offered=lambda work: not work.document.chaining,
    ),
    "unchain": PageCommand(
        title="Turn chaining off",
        run=lambda: actions.turn_chaining(on=False),
        offered=lambda work: work.document.chaining,
    ),
    "settle": PageCommand(title="Make this document the baseline", run=baselines.make_this),
    "clear": PageCommand(
        title="Select nothing: job settings and overview",
        run=actions.clear,
        offered=lambda work: work.selection is not None,
    ),
    **{
        f"route-{name}": PageCommand(
            title=route.title, run=partial(routes.go, name), offered=route.offered
        )
        for name, route in routes.ROUTES.items()
    },
    "glossary": PageCommand(title="Glossary: what the words mean", run=lesson_tab.open_glossary),
    "trial": PageCommand(title="Trial run", run=runs.start, offered=lambda _: hosting().trials > 0),
}
"""By name."""

IN_THE_BROWSER: Final[Mapping[str, tuple[str, str]]] = {
    "fit": ("Fit both graphs", "0"),
    "zoom": ("Zoom to the selection", "Z"),
    "tour": ("Tour of the page", ""),
    "present": ("Present: larger, panels away", ""),
}
"""By name, the title and the keys of what the browser does alone."""


def offered(work: Work) -> Iterator[Entry]:
    """Yield the actions that are available now."""
    for name, (title, keys) in IN_THE_BROWSER.items():
        yield Entry(kind="action", title=title, detail=keys, does=f"here:{name}")
    view = session.compiled(work.document).view
    for row in picture.menu(view.words if view else GraphWords()):
        for value in row["formats"]:
            does = f"here:picture:{value['name']}:{row['which']}"
            yield Entry(kind="action", title=value["title"], detail="export", does=does)
    for name, command in COMMANDS.items():
        if command.offered(work):
            yield Entry(kind="action", title=command.title, detail=command.keys, does=f"do:{name}")
