"""Records over network buffers."""

import re
from xml.etree import ElementTree as ET

import pytest

from explorer.drawing.svg.buffers_svg import WIDTH, buffers_svg


def texts(svg: str) -> list[str]:
    ET.fromstring(svg)  # noqa: S314 - our own text
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


def spans(*sizes: int) -> list[tuple[int, int]]:
    return [(sum(sizes[:at]), size) for at, size in enumerate(sizes)]


def test_a_record_that_spans_stands_in_both_buffers() -> None:
    assert texts(buffers_svg(spans(60, 60), 100, 5)) == [
        "buffer 0",
        "60",
        "40 of 60",
        "buffer 1",
        "20 of 60",
        "80 free",
    ]


def test_many_records_are_one_block_in_the_middle() -> None:
    words = texts(buffers_svg(spans(*[1] * 100), 100, 1))

    assert words == ["buffer 0", *["1"] * 6, "88 records", *["1"] * 6]


@pytest.mark.parametrize(("most", "bars"), [(1, 1), (3, 3), (9, 5)])
def test_only_the_first_buffers_are_drawn(most: int, bars: int) -> None:
    words = texts(buffers_svg(spans(*[50] * 10), 100, most))

    assert [one for one in words if one.startswith("buffer")] == [
        f"buffer {turn}" for turn in range(bars)
    ]


def test_a_channel_without_records_is_empty() -> None:
    assert texts(buffers_svg([], 100, 5)) == []


@pytest.mark.parametrize("sizes", [(60, 60), (100,), (1,) * 100])
def test_the_blocks_of_a_buffer_follow_one_another(sizes: tuple[int, ...]) -> None:
    svg = buffers_svg(spans(*sizes), 100, 1)
    blocks = [
        (float(left), float(width), float(middle))
        for left, width, middle in re.findall(
            r'<rect class="\w+" x="(\S+)" y="4" width="(\S+)"[^>]*/><text x="(\S+)" y="19"', svg
        )
    ]
    ends = [left + width + 1 for left, width, _ in blocks]

    assert [left for left, _, _ in blocks[1:]] == pytest.approx(ends[:-1], abs=0.2)
    assert ends[-1] == pytest.approx(WIDTH, abs=0.2)
    assert [middle for _, _, middle in blocks] == pytest.approx(
        [left + (width + 1) / 2 for left, width, _ in blocks], abs=0.2
    )
