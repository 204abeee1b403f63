"""SVG of records over network buffers: one bar for each buffer.

Not to scale: of a buffer with many records those in the middle are one block that counts them.
"""

from collections.abc import Sequence
from typing import Final

from explorer.drawing.svg.svg_style import adaptive_rules, standalone_svg
from explorer.drawing.svg.svg_text import xml

WIDTH: Final = 640
_LEFT: Final = 70
_HEIGHT: Final = 22
_STEP: Final = 34
_ENDS: Final = 6
"""Records that are drawn at each end of a buffer."""

COLOURS: Final = (
    ("text", "fill", "ink"),
    (".record,.many", "fill", "on-chain"),
    (".spans", "fill", "on-warn"),
    (".free", "fill", "soft"),
    ("rect", "stroke", "line"),
)
SHAPES: Final = (
    "text{font:10px system-ui,sans-serif;text-anchor:middle}"
    ".name{font-size:11.5px;text-anchor:start}"
)

Span = tuple[int, int]
"""Where a record begins in its channel, and its bytes."""


def buffers_svg(spans: Sequence[Span], buffer_size: int, maximum: int) -> str:
    """The first ``maximum`` buffers of a channel; ``spans`` in their order, without gaps."""
    count = min(maximum, -(-(spans[-1][0] + spans[-1][1]) // buffer_size)) if spans else 0
    bars = [_bar(spans, number, buffer_size) for number in range(count)]
    height = max(1, count) * _STEP
    style = f"{adaptive_rules(COLOURS)}{SHAPES}"
    return standalone_svg("".join(bars), (WIDTH, height), "Records over buffers", style)


def _bar(spans: Sequence[Span], number: int, buffer_size: int) -> str:
    begin, end = number * buffer_size, (number + 1) * buffer_size
    visible = [span for span in spans if span[0] < end and span[0] + span[1] > begin]
    blocks = _blocks(visible, begin, end)
    wide = (WIDTH - _LEFT) / max(1, sum(weight for weight, _, _ in blocks))
    at, drawn, top = float(_LEFT), [], number * _STEP + 4
    for weight, text, kind in blocks:
        drawn.append(
            f'<rect class="{kind}" x="{at:.1f}" y="{top}" width="{weight * wide - 1:.1f}" '
            f'height="{_HEIGHT}" rx="2"/>'
            f'<text x="{at + weight * wide / 2:.1f}" y="{top + 15}">{xml(text)}</text>'
        )
        at += weight * wide
    return f'<text class="name" x="0" y="{top + 15}">buffer {number}</text>{"".join(drawn)}'


def _blocks(visible: Sequence[Span], begin: int, end: int) -> list[tuple[float, str, str]]:
    """Return weight, text and kind of each block: a record, a spanning one, many, free space."""

    def one(span: Span) -> tuple[float, str, str]:
        here = min(end, span[0] + span[1]) - max(begin, span[0])
        spans = here < span[1]
        return 1.0, f"{here} of {span[1]}" if spans else str(here), "spans" if spans else "record"

    ends = 2 * _ENDS
    if len(visible) <= ends + 1:
        result = [one(span) for span in visible]
    else:
        middle = f"{len(visible) - ends:,} records"
        result = [*map(one, visible[:_ENDS]), (2.5, middle, "many"), *map(one, visible[-_ENDS:])]
    free = end - (visible[-1][0] + visible[-1][1])
    return [*result, (2.5, f"{free:,} free", "free")] if free > 0 else result
