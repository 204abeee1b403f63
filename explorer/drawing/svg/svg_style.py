"""Style rules of a drawing, for light and dark backgrounds."""

from collections.abc import Iterable, Iterator
from functools import cache
from operator import itemgetter
from typing import Final, Literal, TypeAlias

from explorer.drawing.layout.looks import OPACITIES, SIZES, dashed, wide
from explorer.drawing.svg.annotated_svg import annotation_rules
from explorer.drawing.svg.highlights import board_class, light_rules
from explorer.drawing.svg.palette import HUES, PARTS, Pair, Shade, light_dark
from explorer.locations import browser_folder

Theme: TypeAlias = Literal["auto", "light", "dark"]
"""``auto`` follows what the reader's system prefers."""

SANS: Final = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif"
MONO: Final = "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace"

SHAPES: Final = (
    (" text", f"font:12px {SANS}"),
    (" .title", "font-size:15px;font-weight:600"),
    (" .head", "font-size:11px;font-weight:600;letter-spacing:.06em"),
    (" .name", f"font-size:{SIZES['name']:g}px"),
    (" .small", f"font-size:{SIZES['small']:g}px"),
    (" .mono", f"font:{SIZES['mono']:g}px {MONO}"),
    (" .task .name", "font-weight:600"),
    (" .box rect", f"{wide('box')};{dashed('box')}"),
    (" .card rect", wide("card")),
    (" .task rect", wide("task")),
    (" .route", f"fill:none;{wide('edge')}"),
    (" .cut .route", dashed("cut")),
    (" .box.solid rect", "stroke-dasharray:none"),
    (" .label text", "paint-order:stroke;stroke-width:4px;stroke-linejoin:round"),
)
"""What is the same on every ground."""

COLOURS: Final = (
    (" .ground", "fill", "ground"),
    (" .rule", "stroke", "rule"),
    (" text", "fill", "ink"),
    (" .mute", "fill", "mute"),
    (" .card rect", "fill", "card"),
    (" .card rect", "stroke", "line"),
    (" .route", "stroke", "route"),
    (" .tip", "fill", "route"),
    (" .cut .route", "stroke", "cut"),
    (" .cut .tip", "fill", "cut"),
    (" .label text", "stroke", "ground"),
)
"""By part, a property and the row of ``PARTS`` that sets it."""


def style_sheet(
    name: str, theme: Theme, *, highlighted: bool = False, annotated: bool = False
) -> str:
    """Return the rules for the drawing with a root of class ``name``.

    ``highlighted``: and of lights; ``annotated``: and of figures and marks.
    """
    shade = itemgetter(theme == "dark")
    rules = [f".{name}{part}{{{rule}}}" for part, rule in SHAPES]
    rules += _shaded_rules(name, shade, highlighted=highlighted, annotated=annotated)
    if theme == "auto":
        dark = "\n".join(
            _shaded_rules(name, itemgetter(1), highlighted=highlighted, annotated=annotated)
        )
        rules.append(f"@media (prefers-color-scheme:dark){{\n{dark}\n}}")
    return "\n".join(rules)


@cache
def board_sheet(name: str) -> str:
    """Return the rules for boards of class ``name``; their colours follow the ground."""
    rules = [f".{name}{part}{{{rule}}}" for part, rule in SHAPES]
    rules += _shaded_rules(name, light_dark, highlighted=False, annotated=False)
    rules += light_rules(name, light_dark, board_class)
    rules += annotation_rules(name, light_dark)
    rules += (f".minimap .k{number}{{fill:{light_dark(pair)}}}" for number, pair in enumerate(HUES))
    return "\n".join((*rules, (browser_folder() / "board" / "main.css").read_text("utf-8")))


def _shaded_rules(name: str, shade: Shade, *, highlighted: bool, annotated: bool) -> Iterator[str]:
    for part, what, row in COLOURS:
        yield f".{name}{part}{{{what}:{shade(PARTS[row])}}}"
    for number, pair in enumerate(HUES):
        hue = f".{name} .k{number}"
        yield f"{hue} rect,{hue} .route{{stroke:{shade(pair)}}}"
        yield f"{hue} .tip{{fill:{shade(pair)}}}"
        yield f"{hue}.box rect{{fill:{shade(_faint(pair))}}}"
    if highlighted:
        yield from light_rules(name, shade)
    # A bar on a highlighted card keeps its colours.
    if annotated:
        yield from annotation_rules(name, shade)


def _faint(hue: Pair) -> Pair:
    """Return the ground of a chain's border, on a light and on a dark ground."""
    light, dark = (round(255 * OPACITIES[name]) for name in ("box-light", "box-dark"))
    return f"{hue[0]}{light:02x}", f"{hue[1]}{dark:02x}"


def adaptive_rules(rules: Iterable[tuple[str, str, str]]) -> str:
    """Rules of a drawing that follows its ground: by part, a property and its row of ``PARTS``."""
    coloured = "".join(f"{place}{{{what}:{light_dark(PARTS[row])}}}" for place, what, row in rules)
    return f":root{{color-scheme:light dark}}text{{font:11px {SANS}}}{coloured}"


def standalone_svg(content: str, size: tuple[float, float], title: str, style: str) -> str:
    """Return an SVG of that width and height, with its own style rules."""
    width, height = (f"{side:.0f}" for side in size)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><title>{title}</title><style>{style}</style>'
        f"{content}</svg>"
    )
