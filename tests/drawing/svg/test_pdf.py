"""A drawing as a PDF."""

import pytest

from explorer import compile_graph
from explorer.drawing.svg.pdf import to_pdf
from tests.drawing.drawn import LINE


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_drawing_becomes_one_page(theme: str) -> None:
    svg = compile_graph({"transformations": LINE}, "1.20").to_svg(theme=theme)  # type: ignore[arg-type]
    pdf = to_pdf(svg)

    assert pdf.startswith(b"%PDF-")
    assert pdf.rstrip().endswith(b"%%EOF")
    assert pdf.count(b"/Count 1") == 1
