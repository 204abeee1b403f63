"""The page's style sheet, with every colour of the one table as ``--x-`` and its name."""

from pathlib import Path
from typing import Final

from explorer.drawing.svg.palette import properties

SHEET: Final = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
STYLE: Final = f"<style>:root{{{properties('--x-')}}}\n{SHEET}</style>"
