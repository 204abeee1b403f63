"""The picture formats, a row each: from a scene and a graph to a file."""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from components.session.routes import Visible
from explorer.drawing.html.free_layout import job_pyvis, offline_page, stream_pyvis
from explorer.drawing.html.standalone import to_html
from explorer.drawing.layout.orientation import DOWN, Orientation
from explorer.drawing.svg.both_graphs import TITLES, Levels, to_svg
from explorer.drawing.svg.execution_svg import execution_svg
from explorer.drawing.svg.highlights import LIGHTS
from explorer.drawing.svg.pdf import to_pdf
from explorer.drawing.svg.svg_style import Theme
from explorer.drawing.text.dot import execution_dot, job_dot, stream_dot
from explorer.drawing.text.mermaid import execution_mermaid, job_mermaid, stream_mermaid
from explorer.drawing.view.annotations import BARE, Annotations
from explorer.drawing.view.selection import exists
from explorer.flink.compiler import Compilation

Lights = Mapping[str, tuple[str, ...]]


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """The visible scene: the drawn part, its folds, highlights, background and marks."""

    compilation: Compilation
    visible: Visible
    name: str
    theme: Theme
    lights: Lights
    added: Annotations = BARE
    orientation: Orientation = DOWN


class FileFormat(msgspec.Struct, frozen=True):
    """One kind of file."""

    label: str
    title: str
    ending: str
    mime: str
    draw: Callable[[Scene, Levels], str | bytes]
    both: bool = True
    """Whether one file can hold both graphs."""
    execution: bool = True
    """Whether there is one of the ExecutionGraph."""
    painted: str = ""
    """What the browser paints of the drawing: a ``file`` of points, or a ``copy``."""

    def holds(self, levels: Levels) -> bool:
        """Whether a file of this kind can hold these graphs."""
        return {BOTH: self.both, "execution": self.execution}.get(levels, True)


def _svg(scene: Scene, levels: Levels) -> str:
    if levels == "execution":
        view, theme = scene.visible.view, scene.theme
        return execution_svg(scene.compilation, view, scene.name, theme=theme, lights=scene.lights)
    return to_svg(
        scene.visible.view,
        scene.name,
        levels,
        folded=scene.visible.folded,
        theme=scene.theme,
        lights=scene.lights,
        added=scene.added,
        orientation=scene.orientation,
    )


def _html(scene: Scene, levels: Levels) -> str:
    return to_html(
        scene.compilation,
        scene.visible.view,
        scene.name,
        levels,
        folded=scene.visible.folded,
        theme=scene.theme,
        added=scene.added,
    )


def _mermaid(scene: Scene, levels: Levels) -> str:
    if levels == "execution":
        return execution_mermaid(scene.compilation, scene.visible.view, scene.added)
    if levels == "job":
        return job_mermaid(scene.visible.view, scene.added)
    return stream_mermaid(scene.visible.view, scene.visible.folded, scene.added)


def _dot(scene: Scene, levels: Levels) -> str:
    if levels == "execution":
        return execution_dot(scene.compilation, scene.visible.view, scene.added)
    if levels == "job":
        return job_dot(scene.visible.view, scene.added)
    return stream_dot(scene.visible.view, scene.visible.folded, scene.added)


def _free(scene: Scene, levels: Levels) -> str:
    view = scene.visible.view
    is_job = levels == "job"
    return offline_page(job_pyvis(view) if is_job else stream_pyvis(view, scene.visible.folded))


def _pdf(scene: Scene, levels: Levels) -> bytes:
    return to_pdf(_svg(scene, levels))


FORMATS: Final[Mapping[str, FileFormat]] = {
    "svg": FileFormat("SVG", "Save as SVG", "svg", "image/svg+xml", _svg),
    "png": FileFormat("PNG", "Save as PNG", "png", "image/png", _svg, painted="file"),
    "pdf": FileFormat("PDF", "Save as PDF", "pdf", "application/pdf", _pdf),
    "html": FileFormat("HTML", "Save as standalone HTML", "html", "text/html", _html),
    "free": FileFormat(
        "Free layout",
        "Free layout: save as HTML with cards to drag (pyvis)",
        "free.html",
        "text/html",
        _free,
        both=False,
        execution=False,
    ),
    "mermaid": FileFormat("Mermaid", "Save as Mermaid", "mmd", "text/plain", _mermaid, both=False),
    "dot": FileFormat("DOT", "Save as DOT", "dot", "text/vnd.graphviz", _dot, both=False),
    "copy": FileFormat("Copy", "Copy as image", "png", "image/png", _svg, painted="copy"),
}
"""By name."""

BOTH: Final[Levels] = "both"
WHICH: Final[Mapping[Levels, str]] = {
    BOTH: "Both graphs",
    "stream": TITLES["stream"],
    "job": TITLES["job"],
    "execution": "ExecutionGraph",
}
"""By graph, its name in the menu."""


def lights_of(
    visible: Visible, highlighted: frozenset[str], selection: str | None, steps: object
) -> Lights:
    """Highlights of each element: the selection, its neighbours, a step that is played.

    ``steps``: what a browser reports as shown, by key a list of lights; it is not trusted.
    """
    result: dict[str, set[str]] = {key: {"highlighted"} for key in highlighted}
    if selection is not None:
        result[selection] = {"picked"}
    for key, lights in steps.items() if isinstance(steps, dict) else ():
        if exists(visible.view, key) and isinstance(lights, list):
            result.setdefault(key, set()).update(light for light in lights if light in LIGHTS)
    return {key: tuple(light for light in LIGHTS if light in item) for key, item in result.items()}
