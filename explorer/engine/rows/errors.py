"""Errors about rows: an expression that fails, or a file that cannot be read."""

from typing import Any

from explorer.errors import STEERING, ExplorerError
from explorer.wording import printable


class RowsError(ExplorerError):
    """Base of errors about rows, which may quote any character of a file."""

    def __init__(self, sentence: str) -> None:
        super().__init__(printable(sentence))


class SourceError(RowsError):
    """A source's rows cannot be read: names the file or the transformation, and the place in it."""


class MissingFileError(SourceError):
    """A source's file is not in the data directory."""


class SinkError(RowsError):
    """A sink's rows cannot be written: names the sink and the folder."""


SHOWN_ROW = 300
"""Maximum number of characters of a row in a message."""
EXCERPT = 60
"""Characters of an expression before a caret, and from the caret on."""


class ExpressionError(ExplorerError):
    """An expression's text cannot be used."""

    def __init__(
        self, place: str, text: str, problem: str, span: tuple[int, int] | None = None
    ) -> None:
        self.place, self.text, self.problem, self.span = place, text, problem, span
        shown = text if len(text) <= SHOWN_ROW else text[:SHOWN_ROW] + "..."
        at = f", character {span[0] + 1}" if span and span[0] else ""
        super().__init__(f"{place} {shown!r}{at}: {problem}")

    @property
    def excerpt(self) -> str:
        """The faulty line of the text with carets below; empty if the place is unknown."""
        if self.span is None:
            return ""
        start, stop = self.span
        previous = self.text[:start].rpartition("\n")[2][-EXCERPT:]
        remainder = self.text[start:].partition("\n")[0][:EXCERPT]
        carets = "^" * max(1, min(stop - start, len(remainder)))
        return STEERING.sub("\ufffd", f"{previous}{remainder}\n{' ' * len(previous)}{carets}")


class RefusedError(Exception):
    """An expression is refused: the problem, and the range of characters if that is known."""

    def __init__(self, problem: str, span: tuple[int, int] | None = None) -> None:
        self.span = span
        super().__init__(problem)


class RowFailure(Exception):  # noqa: N818 - becomes a RowError once it is known where
    """A function fails on one row; the operator adds its name and the row."""

    def __init__(self, index: int, reason: str) -> None:
        self.index, self.reason = index, reason
        super().__init__(reason)


class RowError(ExplorerError):
    """An expression failed on a row: names the operator, the expression and the row."""

    def __init__(
        self, operator: str, place: str, expression: str, row: dict[str, Any], reason: str
    ) -> None:
        self.operator, self.place, self.expression = operator, place, expression
        self.row, self.reason = row, reason
        shown = ", ".join(f"{name} = {value!r}" for name, value in row.items())
        if len(shown) > SHOWN_ROW:
            shown = shown[:SHOWN_ROW] + "..."
        where = f"{place} {expression!r}" if expression else place
        sentence = f"operator {operator!r}, {where}: {reason}, at the row {shown}"
        super().__init__(printable(sentence))
