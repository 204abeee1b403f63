"""Conversion of an SVG drawing into a PDF, by the resvg in vl-convert's wheel."""

from explorer.extras import optional_libraries


def to_pdf(svg: str) -> bytes:
    """Return a PDF page as large as the drawing, with its lines and text as vectors.

    ``svg``: a drawing for a light or a dark background; one that follows the reader's setting is
    drawn light.
    """
    with optional_libraries():
        import vl_convert

    result: bytes = vl_convert.svg_to_pdf(svg)
    return result
