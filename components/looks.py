"""Which colours does the page use? The drawings' own, and one more."""

from typing import Final

from explorer.drawing.palette import hue

__all__ = ["NO_HUE", "hue"]

NO_HUE: Final = ("#cbd5e1", "#475569")
"""For what is no operator."""
