"""How does a drawing become a PDF? By resvg, which comes in the wheel of vl-convert."""


def to_pdf(svg: str) -> bytes:
    """A page as large as the drawing, its lines and letters kept as such.

    ``svg``: a drawing for a light or a dark ground; what follows the reader's stays light.
    """
    import vl_convert

    made: bytes = vl_convert.svg_to_pdf(svg)
    return made
