"""How legible a text is, light and dark: measured in the browser, and of each pair of colours."""

from pathlib import Path
from typing import Final, Literal

import pytest

from explorer.drawing.svg.palette import PARTS
from tests.journeys.screen import Screen

Scheme = Literal["light", "dark"]
MEASURE: Final = Path(__file__).with_name("contrast.js").read_text(encoding="utf-8")
LEAST: Final = 4.5
"""The contrast that WCAG 2.2 asks of text, level AA."""
PATIENCE: Final = 20
"""Tenths of a second in which what fades in must be there."""
GROUNDS: Final = ("ground", "card", "panel", "glow", "highlighted")
"""On what the canvas and the tables write."""


def schemes(screen: Screen) -> tuple[Scheme, Scheme]:
    """The colour scheme that is shown, and the other one."""
    is_dark = screen.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    return ("dark", "light") if is_dark else ("light", "dark")


def faint(screen: Screen) -> list[str]:
    """The texts that are hard to read, in the scheme that is shown and then in the other one."""
    found: list[str] = []
    for scheme in schemes(screen):
        screen.page.emulate_media(color_scheme=scheme)
        screen.settle(60)
        found += [f"{scheme}: {text}" for text in faint_now(screen)]
    return found


def faint_now(screen: Screen) -> list[str]:
    # What the server is about to send again is faded until it has, and what is new fades in.
    screen.until("!document.querySelector('[data-stale=true]')")
    found: list[str] = []
    for _ in range(PATIENCE):
        found = screen.page.evaluate(MEASURE, LEAST)
        if not found:
            break
        screen.page.wait_for_timeout(100)
    return found


@pytest.mark.parametrize("turn", [0, 1], ids=["light", "dark"])
def test_every_text_is_legible_on_its_background(turn: int) -> None:
    for ground in GROUNDS:
        for ink in ("ink", "mute", "cut"):
            assert contrast(PARTS[ink][turn], PARTS[ground][turn]) >= LEAST, (ink, ground)


def contrast(one: str, other: str) -> float:
    """The ratio of two colours' luminances as WCAG defines it.

    >>> contrast("#ffffff", "#000000")
    21.0
    """
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    """The relative luminance of a colour, 0 to 1."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4 for each in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
