"""Compiles a SQL text to a typed tree: sqlglot parses it, and ``translation.py`` checks it."""

from functools import lru_cache
from typing import ClassVar, Final

import sqlglot
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError
from sqlglot.parser import Parser as SqlParser
from sqlglot.tokens import Tokenizer as SqlTokenizer

from explorer.engine.rows.errors import ExpressionError, RefusedError
from explorer.engine.rows.expressions.functions import FUNCTIONS
from explorer.engine.rows.expressions.ir import Expr, Expression, TimeType
from explorer.engine.rows.expressions.times import NAMED_PARTS
from explorer.engine.rows.expressions.translation import Translation
from explorer.engine.rows.expressions.typing import coerced
from explorer.model.row_type import ColumnType, RowType

MAX_LENGTH: Final = 5000
"""Characters in an expression."""
MAX_DEPTH: Final = 30
"""Depth of nested parentheses."""
FUNCTIONS_BY_NAME: Final = frozenset(
    {"timestampadd", "timestampdiff", *NAMED_PARTS}
    | {name for name in FUNCTIONS if name.startswith("regexp")}
)
"""Functions that are translated by name, not by a form of sqlglot."""


class _Dialect(Dialect):
    """Plain SQL, in which backticks quote column names as double quotes do."""

    class Tokenizer(SqlTokenizer):
        """The quotes of identifiers."""

        IDENTIFIERS: ClassVar = ['"', "`"]

    class Parser(SqlParser):
        """The functions with a form of their own; those of times and patterns have none."""

        FUNCTIONS: ClassVar = {
            name: form
            for name, form in SqlParser.FUNCTIONS.items()
            if name.lower() not in FUNCTIONS_BY_NAME
        }


def compile_expression(
    text: str, row_type: RowType, place: str, expected: ColumnType | None = None
) -> Expression:
    """Parse and type ``text`` over rows of ``row_type``; raises ``ExpressionError``.

    >>> from explorer.model.row_type import LONG
    >>> compile_expression("n / 4", RowType.of(n=LONG), "select.x").type
    <ColumnType.DOUBLE: 'DOUBLE'>
    """
    try:
        root = _as_expected(Translation(row_type).node(_parse_cached(text)), expected)
    except RefusedError as refused:
        raise ExpressionError(place, text, str(refused), refused.span) from None
    except RecursionError:
        raise ExpressionError(place, text, "it is nested too deeply; split it up") from None
    return Expression(text=text, place=place, row_type=row_type, root=root)


def _as_expected(root: Expr, expected: ColumnType | None) -> Expr:
    if isinstance(root.type, TimeType):
        msg = (
            f"this is a {root.type}, which no column holds; cast it to STRING, or extract a part "
            "of it"
        )
        raise RefusedError(msg)
    if expected is None:
        return root
    if root.type not in (expected, None):
        msg = f"expected a {expected}, and this is a {root.type}"
        raise RefusedError(msg)
    return coerced(root, expected)


@lru_cache(maxsize=32)
def _parse_cached(text: str) -> exp.Expression:
    """Parse a text, cached because most texts of a pipeline stay the same from run to run.

    Callers must not change the tree.
    """
    if problem := _size_problem(text):
        raise RefusedError(problem)
    try:
        expr = sqlglot.parse_one(text, read=_Dialect)
    except SqlglotError as error:
        raise RefusedError(_syntax_problem(error)) from None
    if not isinstance(expr, exp.Expression):
        msg = "this is not an expression"
        raise RefusedError(msg)
    return expr


def _size_problem(text: str) -> str:
    """Return why a text is refused before it is parsed; empty: it is not."""
    if len(text) > MAX_LENGTH:
        return f"it has {len(text):,} characters, and {MAX_LENGTH:,} are allowed"
    if not text.strip():
        return "it is empty"
    depth = deepest = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        deepest = max(deepest, depth)
    if deepest > MAX_DEPTH:
        return f"parentheses are {deepest} deep, and {MAX_DEPTH} are allowed"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "it holds half of a surrogate pair, which is no character"
    return ""


def _syntax_problem(error: SqlglotError) -> str:
    details = getattr(error, "errors", None)
    if not details:
        return "this is not an expression"
    first = details[0]
    near = first.get("highlight") or ""
    at = f" at character {first['col']}" if first.get("col") else ""
    return f"the syntax is wrong{at}" + (f", near {near[:40]!r}" if near else "")
