"""Sizes of cards, and the lines of their names.

A name is shown whole where there is space for it: an operator's card grows to the right, a task's
card, which its ID makes wide already, downwards.
"""

from collections.abc import Sequence
from typing import Final

from explorer.drawing.layout.layers import Size
from explorer.drawing.layout.looks import SIZES
from explorer.drawing.view.one_line import extent, shortened, wrapped

OPERATOR: Final = (168.0, 42.0)
"""Least width, and height, of an operator's card."""
WIDEST: Final = 272.0
"""An operator's card at most."""
SIDES: Final = 62.0
"""Space of an operator's card in addition to its name: margins and the parallelism."""
CARD_MARGIN: Final = 12.0
"""Between a card's side and its text."""
FOLDED: Final = 3
"""Lines of a folded chain's name at most."""
SINGLE_LINE: Final = 26.0
"""Height of an operator's card with one line."""
LONGEST_STRATEGY: Final = "HEAD_WITH_SOURCES ×12"
"""What a card of one line has space for behind the name."""
FIGURES: Final = 22.0
"""How much higher the card is when it carries a trial's figures."""
LINE: Final = 17.0
"""How much higher it is for each further line of the name."""
MARGIN: Final = 15.0
LONGEST: Final = 832.0
"""Length of a task's name in all of its lines."""
WIDEST_TASK: Final = 207.0
"""Space of a name to which a narrow task's card grows for a word of it."""
UNREAD: Final = "not in the graph: nothing reads it"
"""Second line of the card of such a transformation."""
SPACE: Final = 8.0
"""Between an operator's own name and Flink's."""
NAME: Final = SIZES["name"]
"""How high names are drawn."""
BOLD: Final = 13.2
"""A bold letter is wider; this is the size in which a plain one is as wide."""


def operator_card(name: str, default_name: str = "") -> Size:
    """Width and height of an operator's card; ``default_name``: Flink's, behind its own."""
    wide = extent(shortened(name), NAME) + SIDES
    if default_name:
        wide += SPACE + extent(shortened(default_name), SIZES["small"])
    return (min(WIDEST, max(OPERATOR[0], wide)), OPERATOR[1])


def folded_lines(name: str) -> tuple[str, ...]:
    """Return the lines of a folded chain's name, which has the names of all of its operators."""
    return wrapped(name, WIDEST - 2 * CARD_MARGIN, NAME, FOLDED)


def folded_card(name: str) -> Size:
    """Width and height of the card of a folded chain."""
    width, height = operator_card(name)
    return (width, height + LINE * (len(folded_lines(name)) - 1))


def single_line_card(name: str) -> Size:
    """Width and height of an operator's card with its strategy behind its name.

    Its width does not depend on the strategy, which a change of the pipeline would move.
    """
    facts = SPACE + extent(LONGEST_STRATEGY, SIZES["small"]) + 2 * CARD_MARGIN
    return (min(WIDEST - SIDES, extent(shortened(name), NAME)) + facts, SINGLE_LINE)


def unread_card(id: str) -> Size:
    """Width and height of the card of a transformation that nothing reads."""
    reason = extent(UNREAD, SIZES["small"]) + 2 * MARGIN
    return (max(operator_card(id)[0], reason), OPERATOR[1])


def task_lines(name: str, card: Size) -> tuple[str, ...]:
    """Return the lines of a task's name on its ``card``."""
    longest = max(extent(word, BOLD) for word in shortened(name).split(" "))
    space = max(card[0] - 2 * MARGIN, min(WIDEST_TASK, longest + 1))
    return wrapped(name, space, BOLD, round(LONGEST / space))


def task_card(lines: Sequence[str], card: Size, *, figures: bool) -> Size:
    """Return width and height of a task's ``card`` with a name of these lines."""
    width = max(card[0], *(extent(line, BOLD) + 2 * MARGIN for line in lines))
    further = LINE * (len(lines) - 1)
    return (width, card[1] + further + (FIGURES if figures else 0.0))
