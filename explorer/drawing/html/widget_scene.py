"""Content of a notebook's widget: both graphs as markup, and facts as plain JSON.

The widget's own files are those of the standalone page, with the player of the page's steps.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from explorer.drawing.html.linked_modules import link_modules
from explorer.drawing.html.page_facts import OWN, page_facts
from explorer.drawing.html.standalone import ASSETS, arrangement, pane_lines
from explorer.drawing.layout.captions import facts
from explorer.drawing.svg.both_graphs import draw_largest
from explorer.drawing.svg.palette import properties
from explorer.drawing.svg.svg_style import MONO, SANS, board_sheet
from explorer.drawing.view.elements import GraphView
from explorer.drawing.view.highlighted_steps import MOST
from explorer.drawing.view.one_line import one_line
from explorer.flink.compiler import Compilation
from explorer.flink.kinds import KINDS
from explorer.flink.partitioners import PARTITIONER_CLASSES
from explorer.flink.releases import VERSIONS
from explorer.locations import browser_folder

Json = dict[str, Any]
SPACE: Final = (740.0, 364.0)
"""Width and height of both graphs in a notebook's cell."""
PLAYERS: Final = {"steps": "stepper", "lessons": "lesson"}
"""By part of the widget, the folder of its player."""


def scene(
    compilation: Compilation,
    view: GraphView,
    name: str,
    *,
    chaining: bool,
    folded: bool,
    fixed: bool,
) -> Json:
    """Everything that is drawn of a compilation; ``fixed``: its operators cannot be changed."""
    view = view.bundled
    graphs = draw_largest(view, "both", SPACE, folded=folded)
    return {
        "name": one_line(name),
        "counts": facts(view),
        "graphs": ["".join(pane_lines(graph)) for graph in graphs],
        "arrangement": arrangement(graphs),
        "facts": page_facts(compilation, view),
        "forms": {} if fixed else dict(_forms(compilation, view)),
        "release": view.release,
        "releases": VERSIONS[::-1],
        "chaining": chaining,
        "folded": folded,
        "playable": 0 < len(view.nodes) <= MOST,
    }


def _forms(compilation: Compilation, view: GraphView) -> Iterator[tuple[str, list[Json]]]:
    """Yield the key of each operator and edge with the fields that can be changed."""
    every = tuple(dict.fromkeys(strategy for row in KINDS.values() for strategy in row.strategies))
    pipeline = compilation.pipeline is not None
    for node in view.nodes:
        if node.type or not pipeline:
            decided = node.parallelism if node.parallelism > 0 else None
            kind = KINDS.get(node.type)
            choices = every if kind is None else kind.offered_strategies
            strategy = _field("chaining_strategy", node.strategy, choices=choices)
            yield node.key, [_field("parallelism", decided), strategy]
    forms = {}
    for edge in view.edges:
        chosen = edge.partitioner if edge.via or not pipeline else None
        own = () if chosen is None or chosen in PARTITIONER_CLASSES else (chosen,)
        choices, hint = (*own, *PARTITIONER_CLASSES), OWN if pipeline else None
        forms[edge.key] = [_field("partitioner", chosen, hint, choices=choices)]
    yield from forms.items()
    yield from ((job.key, forms[job.edge]) for job in view.job_edges)


def _field(name: str, value: object, hint: str | None = None, **choices: tuple[str, ...]) -> Json:
    """Return a field of a form; without ``choices`` it accepts a number."""
    label = name.replace("_", " ")
    return {"field": name, "label": label, "value": value, **choices, "hint": hint}


@cache
def widget_module() -> str:
    """The widget's program, as anywidget expects it."""
    return link_modules(ASSETS / "widget.js")


@cache
def widget_styles() -> str:
    """The widget's rules of style, for a light notebook and for a dark one."""
    theirs = (
        f".{part} {{ {_text(browser_folder() / name / 'main.css')} }}"
        for part, name in PLAYERS.items()
    )
    return "\n".join(
        (
            f".widget{{--sans:{SANS};--mono:{MONO};--st-font:{SANS};--st-code-font:{MONO};"
            f"{properties('--x-')}}}",
            board_sheet("sg"),
            *theirs,
            _text(ASSETS / "page.css"),
            _text(ASSETS / "widget.css"),
        )
    )


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")
