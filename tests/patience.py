"""How long tests wait for what must happen."""

from typing import Final

PATIENCE: Final = 150.0
"""Seconds after which it has not happened, on the busiest of machines."""
