"""Rules about the expressions of a document: the columns that they name.

A trial compiles each expression over the rows of its files. These rules know the rows that the
document itself describes, and judge names alone.
"""

import re
from collections.abc import Iterator
from typing import Any, ClassVar, Final

from explorer.checks.check_case import CheckCase
from explorer.checks.rule import Found, error_rule, of_operators
from explorer.documents.checks.columns import (
    KNOWN,
    Columns,
    InputRows,
    Passage,
    brings_together,
    passages,
)
from explorer.errors import did_you_mean
from explorer.model.pipeline import Transformation
from explorer.model.row_type import SchemaError
from explorer.wording import first_listed, quoted

_WORD: Final = re.compile(r"""'[^']*'|["`$@{#]|--|/\*|\.?[^\W\d]\w*(?:\s*\()?""")
"""A word with what makes it none of a column: a dot before it, a parenthesis after it; a text in
quotes; and what can hide a word from this pattern, other quotes and the beginnings of comments."""
_RESERVED: Final = frozenset(
    {
        *("and", "or", "not", "null", "true", "false", "between", "like"),
        *("case", "when", "then", "else"),
    }
)
"""Words that SQLGlot never reads as a column's name."""
_NAMES: Final = 8
_UNITS: Final = frozenset(
    f"{unit}{plural}"
    for unit in ("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND")
    for plural in ("", "S")
)
"""Units of time, which ``timestampadd`` reads where other functions have a column."""


def _unknown_columns(case: CheckCase) -> Iterator[Found]:
    if not any(map(_has_expressions, case.transformations)):
        return
    try:
        for passage in passages(case.transformations, KNOWN):
            yield from _of_passage(case, passage)
    except SchemaError:
        return  # The reader of the document reports it.


def _of_passage(case: CheckCase, passage: Passage) -> Iterator[Found]:
    transformation = passage.transformation
    messages: dict[str, str] = {}
    for rows in passage.arriving:
        for field, text in _expressions(transformation, rows):
            is_of_both = field.startswith("select.") and brings_together(transformation)
            columns = rows.joined if is_of_both else rows.columns
            if columns is not None and (missing := _missing(text, columns)):
                messages.setdefault(field, _message(transformation, field, missing, columns))
    node = case.operator(transformation.id)
    for field, message in messages.items():
        yield of_operators((node,) if node else (), message, case.path_of(transformation.id, field))


def _message(transformation: Transformation, field: str, missing: str, columns: Columns) -> str:
    names = [name for name, _ in columns]
    rows = f"its rows have {first_listed(names, _NAMES)}{did_you_mean(missing, names) or '.'}"
    return f"{field} of {transformation.id} names the column {quoted(missing)}; {rows}"


def _has_expressions(transformation: Transformation) -> bool:
    fields = (
        transformation.where,
        transformation.select,
        transformation.select1,
        transformation.select2,
        transformation.selects,
        transformation.split,
    )
    return any((*fields, transformation.side_outputs, transformation.outputs))


def _expressions(transformation: Transformation, rows: InputRows) -> Iterator[tuple[str, str]]:
    """List the expressions over rows of this input, each with its field in the document."""
    if transformation.where is not None:
        yield "where", transformation.where
    if transformation.split is not None:
        yield "split.value", transformation.split.value
    by_input = {1: ("select1", transformation.select1), 2: ("select2", transformation.select2)}
    name, texts = by_input.get(rows.input, ("", None))
    mappings = [
        ("select", transformation.select),
        (name, texts),
        ("outputs", transformation.outputs),
    ]
    if transformation.state is None:
        mappings.append(("side_outputs", transformation.side_outputs))
    if transformation.selects is not None:
        source = transformation.inputs[max(rows.input - 1, 0)]
        mappings.append((f"selects.{source}", transformation.selects.get(source)))
    for field, expressions in mappings:
        for column, text in (expressions or {}).items():
            yield f"{field}.{column}", text


def _missing(text: str, columns: Columns) -> str | None:
    """The first column of an expression that is none of these; None where it does not parse."""
    names = {name for name, _ in columns}
    if all(word in names or _names_no_column(word) for word in _WORD.findall(text)):
        return None  # without the parser, which takes a third of the command's time to load
    return next((name for name in _columns_of(text) if name not in names), None)


def _names_no_column(word: str) -> bool:
    """Whether a match is a text, a reserved word or the name of a function."""
    return word.startswith("'") or word.lower() in _RESERVED or (word[0] != "." and word[-1] == "(")


def _columns_of(text: str) -> list[str]:
    """The names of the columns of an expression, in its order; loads the parser when needed."""
    from sqlglot import exp, parse_one
    from sqlglot.dialects.dialect import Dialect
    from sqlglot.errors import SqlglotError
    from sqlglot.tokens import Tokenizer as SqlTokenizer

    class Quoted(Dialect):
        """Plain SQL, in which backticks quote column names as double quotes do."""

        class Tokenizer(SqlTokenizer):
            """The quotes of identifiers."""

            IDENTIFIERS: ClassVar[list[Any]] = ['"', "`"]

    try:
        tree = parse_one(text, read=Quoted)
    except (SqlglotError, RecursionError):
        return []
    result = [column.name for column in tree.find_all(exp.Column, bfs=False)]
    return [name for name in result if name.upper() not in _UNITS]


COLUMN_RULES: Final = (
    error_rule(
        code="RW01",
        title="An expression names a column that its rows do not have.",
        why="The rows of a source with a schema have these columns alone, and what a program "
        "makes of them follows from its selects. A trial refuses the expression.",
        todo="Name a column of the rows, or select it before.",
        finds=_unknown_columns,
        library="sqlglot",
    ),
)
"""Rules about expressions."""
