"""One table of colours, and everything on the screen reads its own from there."""

import re
import tomllib
from pathlib import Path
from typing import Final

from components.style import STYLE
from explorer.drawing.svg.memory_bar import COLOURS
from explorer.drawing.svg.palette import HUES, PARTS, SERIES

ROOT: Final = Path(__file__).parents[2]
SOURCES: Final = sorted(
    path
    for room in ("components", "explorer")
    for path in (ROOT / room).rglob("*")
    if path.suffix in {".css", ".js", ".py"} and path.name not in {"palette.py", "codemirror.js"}
)
"""All but the table itself and the editor's library, which is built and not ours."""
COLOUR: Final = re.compile(r"#(?:[0-9a-fA-F]{3,4}){1,2}\b|\b(?:rgba?|hsla?)\(")
LENGTHS: Final = {
    *("label", "top", "left", "right", "below", "course", "grip-below"),
    *("drawer", "left-edge", "right-edge", "grip-left", "around"),
}
"""Properties of the page's style that are no colours."""


def test_no_colour_stands_outside_the_table() -> None:
    found = {path.name: COLOUR.findall(path.read_text(encoding="utf-8")) for path in SOURCES}

    assert {name: colours for name, colours in found.items() if colours} == {}


def test_every_colour_that_is_asked_for_stands_in_the_table() -> None:
    for path in SOURCES:
        text = path.read_text(encoding="utf-8") if path.suffix != ".py" else ""
        asked = {*re.findall(r"var\(--x-([a-z-]+)", text)}
        asked |= {*re.findall(r'\btheme(?:\.|\[")([a-z-]+)\b', text)} - {
            "dark",
            "sans",
            "mono",
            "js",
            "looks",
        }

        assert asked - LENGTHS <= set(PARTS), path


def test_the_page_gives_its_styles_every_colour_on_both_grounds() -> None:
    for part, (light, dark) in PARTS.items():
        assert f"--x-{part}:light-dark({light},{dark})" in STYLE


def test_streamlits_own_widgets_have_the_same_colours() -> None:
    parts = {
        "primaryColor": PARTS["accent"],
        "backgroundColor": PARTS["panel"],
        "secondaryBackgroundColor": PARTS["hover"],
        "textColor": PARTS["ink"],
        "borderColor": PARTS["border"],
    }
    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["theme"]

    for ground, name in enumerate(("light", "dark")):
        assert theme[name] == {key: pair[ground] for key, pair in parts.items()}


def test_no_chain_has_a_colour_of_charts() -> None:
    chains = {colour for pair in HUES for colour in pair}
    pairs = (
        *SERIES,
        *(PARTS[name] for name in ("busy", "write", "read", "track")),
        *COLOURS.values(),
    )
    charts = {colour for pair in pairs for colour in pair}

    assert not chains & charts
