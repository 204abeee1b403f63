"""The widget of a notebook: what the middle of the page does, in a cell. Knows anywidget, alone.

The kernel compiles, the browser draws. Where no kernel runs, the cell shows the same pictures: the
drawing that a compilation shows is put before the widget, which hides it while it is alive.
"""

from typing import TYPE_CHECKING, Any, Final

import anywidget
import traitlets
from IPython.display import display

from explorer.datastream.shown_graph import (
    ElementName,
    Part,
    Step,
    change_field,
    redo_change,
    replace_document,
    select_element,
    show_document,
    undo_change,
)
from explorer.datastream.widget_traits import OpenedProgram, scene_to_draw, steps_to_play
from explorer.documents import Document, as_document
from explorer.drawing.html.widget_scene import widget_module, widget_styles
from explorer.drawing.view.selection import exists
from explorer.errors import ExplorerError
from explorer.model.lesson import Lesson

if TYPE_CHECKING:
    from collections.abc import Callable

VIEW: Final = "application/vnd.jupyter.widget-view+json"
RUN_IT: Final = "Run the cell to change the graph: this is the widget's place."


class GraphWidget(anywidget.AnyWidget):
    """Both graphs of a program in a cell, linked, and changed from the browser or from Python.

    Its traits can be read, set and observed: ``selection``, ``document``, ``release``,
    ``chaining`` and ``playing``; ``compilation`` is what the document compiles to now.
    """

    _esm = widget_module()
    _sheets = traitlets.Unicode(widget_styles()).tag(sync=True)
    _scene = traitlets.Dict().tag(sync=True)
    _picked = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    _steps: Any = traitlets.Any(None, allow_none=True).tag(sync=True)
    _lesson: Any = traitlets.Any(None, allow_none=True).tag(sync=True)
    _still = traitlets.Unicode().tag(sync=True)

    selection: Any = traitlets.Any(None, allow_none=True)
    """What is selected, as the view has it: its name, IDs and settings; None: nothing. It may be
    set to an operator's id in the document, its name, number or ID, to an edge, a pair or
    ``A->B``, and to a record or a key of the compilation's ``view``."""
    document: Any = traitlets.Any()
    """The program; it may be set to whatever ``load_document`` accepts."""
    release = traitlets.Unicode()
    """The Flink release."""
    chaining = traitlets.Bool()
    """Whether the job may chain at all."""
    playing = traitlets.Bool(default_value=False).tag(sync=True)
    """Whether the steps of hashing and chaining are open below the graphs."""

    learning = traitlets.Bool(default_value=False).tag(sync=True)
    """Whether the lesson is open below the graphs, if there is one; the steps are not, then."""

    def __init__(self, document: Document, lesson: Lesson | None = None) -> None:
        self._opened = OpenedProgram(document=document, lesson=lesson)
        self._shown = show_document(document)
        self._telling = False
        super().__init__()
        self._still = self.model_id
        self.on_msg(lambda _widget, message, _buffers: self._ask(message))
        self._report()

    @property
    def compilation(self) -> Any:
        """What the document compiles to now: a ``CompiledGraph``."""
        return self._shown.compiled

    def change(self, field: str, value: object) -> None:
        """Set a field of what is selected; None resets it to the default.

        An operator has ``parallelism``, ``chaining_strategy``, ``uid`` and the like, an edge its
        ``partitioner``. Raises ``ExplorerError`` where it cannot be; nothing has changed then.
        """
        if self._shown.picked is None:
            msg = "nothing is selected: set the widget's selection first"
            raise ExplorerError(msg)
        key = self._shown.picked
        self._apply(lambda widget_graph: change_field(widget_graph, key, field, value))

    def undo(self) -> None:
        """Undo the latest change."""
        self._apply(undo_change)

    def redo(self) -> None:
        """Redo the change that was undone last."""
        self._apply(redo_change)

    def _apply(self, step: Step) -> None:
        """Apply a step and report the new record; a step that raises changes nothing."""
        try:
            self._shown = step(self._shown)
        finally:
            self._report()

    def _ask(self, message: dict[str, Any]) -> None:
        """Apply the step that the browser asks for, or report why it is refused."""
        try:
            self._shown = self._opened.requested_step(message)(self._shown)
        except ExplorerError as error:
            self._report(refused=str(error))
        else:
            self._report()

    def _report(self, refused: str = "") -> None:
        """Set every trait from the record, the scene first because the others refer to it."""
        graph, self._telling = self._shown, True
        try:
            taught = self._opened.lesson is not None
            self._scene = scene_to_draw(graph, refused, taught=taught)
            self._picked = graph.picked
            self.selection, self.document = graph.part, graph.document
            self.release, self.chaining = graph.compiled.release.version, graph.document.chaining
            self._report_players()
        finally:
            self._telling = False

    def _report_players(self) -> None:
        self._steps = steps_to_play(self._shown) if self.playing else None
        self._lesson = self._opened.lesson_to_play(self._shown) if self.learning else None

    @traitlets.validate("selection")
    def _selected_part(self, proposal: dict[str, ElementName]) -> Part | None:
        return select_element(self._shown, proposal["value"]).part

    @traitlets.observe("selection")
    def _select_named(self, change: dict[str, Part | None]) -> None:
        part = change["new"]
        self._select(part.key if part else None)

    @traitlets.observe("_picked")
    def _select_clicked(self, change: dict[str, str | None]) -> None:
        key = change["new"]
        self._select(key if key is not None and exists(self._shown.compiled.view, key) else None)

    def _select(self, key: str | None) -> None:
        if self._telling or key == self._shown.picked:
            return
        self._shown = select_element(self._shown, key)
        self._telling = True
        try:
            self._picked, self.selection = key, self._shown.part
        finally:
            self._telling = False

    @traitlets.observe("document", "release", "chaining")
    def _replace_document(self, change: dict[str, Any]) -> None:
        if self._telling:
            return
        result: dict[str, Callable[[Document], Document]] = {
            "document": lambda _: as_document(change["new"]),
            "release": lambda document: document.under(change["new"]),
            "chaining": lambda document: document.with_chaining(on=change["new"]),
        }
        self._apply(
            lambda widget_graph: replace_document(
                widget_graph, result[change["name"]](widget_graph.document)
            )
        )

    @traitlets.observe("playing", "learning")
    def _open_player(self, change: dict[str, Any]) -> None:
        """Open the steps or the lesson and close the other, since both highlight the graphs."""
        if change["new"]:
            setattr(self, {"playing": "learning", "learning": "playing"}[change["name"]], False)
        self._report_players()

    def __repr__(self) -> str:
        return f"<GraphWidget of {self._shown.compiled!r}>"

    def _ipython_display_(self) -> None:
        """Display what needs no kernel, then the widget, which hides it while alive."""
        still = self._shown.compiled._repr_mimebundle_()
        if "text/html" in still:
            still["text/html"] = f'<div data-still-of="{self.model_id}">{still["text/html"]}</div>'
        display(still, raw=True)
        view = {"version_major": 2, "version_minor": 1, "model_id": self.model_id}
        display({VIEW: view, "text/plain": RUN_IT}, raw=True)
