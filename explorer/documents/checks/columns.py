"""Columns of every stream of a program, and whether the inputs of a union agree.

Mirrors the type extraction of the DataStream API, where each call's type follows from its inputs'.
How much is known depends on the program's form: a document alone holds no more than names, literals
and schemas; a trial also has files and expressions.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from typing import Final, NamedTuple, TypeAlias

from explorer.documents.checks.faults import Fault
from explorer.documents.checks.generated_rows import generated_row
from explorer.documents.checks.state_shapes import added_column
from explorer.flink.kinds import KINDS, Gives, own_keys
from explorer.model.pipeline import Rows, Transformation
from explorer.model.row_type import (
    BOOLEAN,
    DOUBLE,
    LONG,
    STRING,
    ColumnType,
    RowType,
    SchemaError,
    parse_schema,
)
from explorer.wording import quoted, step

Columns: TypeAlias = tuple[tuple[str, ColumnType | None], ...]
"""Name and type of each column; the type is None if unknown."""
Shapes: TypeAlias = tuple[Columns | None, ...]
"""The kinds of rows in a stream: one, or several after a union of unlike streams; None: unknown."""

NUMBERS: Final = RowType.of(n=LONG)
"""The columns of a sequence."""
LINES: Final = RowType.of(line=STRING)
"""The columns of a text."""

COUNTS: Final = ("count1", "count2")
"""The columns in which a coGroup counts its inputs' rows."""

_SHOWN: Final = 200
_AGGREGATE: Final = re.compile(r'\s*(\w+)\s*\(\s*(?:(\*)|"([^"]+)"|`([^`]+)`|(\w+))\s*\)\s*')


class UnlikeStreamsError(SchemaError):
    """The inputs of a union have different columns; ``input`` is the first that differs."""

    def __init__(self, union: str, input: int, problem: str) -> None:  # noqa: A002 - Flink's word
        self.union, self.input, self.problem = union, input, problem
        super().__init__(problem)


class InputRows(NamedTuple):
    """Rows of one kind that reach a transformation."""

    input: int
    """As ``StreamEdge`` numbers it: from 1 on where there are several, else 0."""
    columns: Columns | None
    keys: tuple[str, ...] | None
    """The key columns of a keyed stream, where they are named."""
    joined: Columns | None = None
    """The columns of a first input's row with a second's behind them, where there are two."""


class Passage(NamedTuple):
    """The rows that reach a transformation, and the rows that it emits for each of them."""

    transformation: Transformation
    arriving: tuple[InputRows, ...]
    """Empty for a source, which gives one row."""
    gives: Shapes


class Reading(NamedTuple):
    """How much of a program is known."""

    source: Callable[[Transformation], Columns | None]
    """The columns of a source."""
    select: Callable[[Transformation, int, Mapping[str, str], Columns | None], Columns]
    """The columns that a ``select`` on this input computes from these columns."""
    passes_on: bool
    """Whether a function without a description passes its rows on; else its rows are unknown."""


def passages(transformations: Iterable[Transformation], reading: Reading) -> Iterator[Passage]:
    """Derive columns, inputs first; raises ``UnlikeStreamsError`` at a union that Flink refuses.

    The inputs must be sound. What one passage leads to may be refused before the next is made.
    """
    values: dict[str, Shapes] = {}
    late: dict[tuple[str, str], Shapes] = {}
    """Late rows, unchanged, by window and tag."""
    keys: dict[str, tuple[str, ...]] = {}
    for transformation in transformations:
        kind = KINDS[transformation.type]
        if kind.joins:
            _check_union(transformation, [values[name] for name in transformation.inputs])
        if transformation.keys is not None and kind.keyed_stream:
            keys[transformation.id] = transformation.keys
        tagged = (
            late.get((transformation.inputs[0], transformation.tag or ""))
            if transformation.inputs
            else None
        )
        read = values if tagged is None else {**values, transformation.inputs[0]: tagged}
        arriving = _arriving(transformation, read, keys)
        if kind.gives == "rows":
            gives: Shapes = (reading.source(transformation),)
        else:
            gives = tuple(_RULES[kind.gives](transformation, rows, reading) for rows in arriving)
        yield Passage(transformation, arriving, gives)
        values[transformation.id] = distinct(gives)
        if transformation.window is not None and transformation.window.late_output is not None:
            late[transformation.id, transformation.window.late_output] = distinct(
                tuple(rows.columns for rows in arriving)
            )


def _arriving(
    transformation: Transformation,
    values: Mapping[str, Shapes],
    keys: Mapping[str, tuple[str, ...]],
) -> tuple[InputRows, ...]:
    several = len(transformation.inputs) > 1
    joined = (
        _join_columns([values[name] for name in transformation.inputs])
        if brings_together(transformation)
        else None
    )
    own = KINDS[transformation.type].key_selector == "own"
    return tuple(
        InputRows(
            number if several else 0,
            columns,
            own_keys(transformation, number - 1) if own else keys.get(name),
            joined,
        )
        for number, name in enumerate(transformation.inputs, 1)
        for columns in values[name]
    )


def brings_together(transformation: Transformation) -> bool:
    """Whether a row that comes out has columns of two inputs."""
    gives = KINDS[transformation.type].gives
    return (
        transformation.between is not None
        or gives == "windowed pairs"
        or transformation.group is not None
        or (gives == "looked up" and transformation.select is not None)
    )


def _join_columns(inputs: Sequence[Shapes]) -> Columns | None:
    """Join both inputs' columns; as in Flink SQL, a repeated name gets the first free digit."""
    if any(len(shapes) != 1 or shapes[0] is None for shapes in inputs):
        return None
    column_types: dict[str, ColumnType | None] = {}
    for (columns,) in inputs:
        for name, kind in columns or ():
            names = chain((name,), (f"{name}{number}" for number in count()))
            column_types[next(item for item in names if item not in column_types)] = kind
    return tuple(column_types.items())


def distinct(shapes: Shapes) -> Shapes:
    """Each kind of row once, in order of first sight."""
    return tuple(dict.fromkeys(shapes)) if len(shapes) > 1 else shapes


def _check_union(union: Transformation, inputs: Sequence[Shapes]) -> None:
    """Refuse inputs that are known to have different columns; a type that is unknown fits all."""
    first: tuple[str, Columns] | None = None
    for number, (name, shapes) in enumerate(zip(union.inputs, inputs, strict=True)):
        columns = _common(shapes)
        if columns is None:
            continue
        if first is None:
            first = name, columns
        elif not _agree(first[1], columns):
            problem = (
                f"Cannot union streams of different types: {quoted(first[0])} has "
                f"{_list_columns(first[1])}, but {quoted(name)} has {_list_columns(columns)}; "
                "give both the same columns with a select"
            )
            raise UnlikeStreamsError(union.id, number, problem)


def _common(shapes: Shapes) -> Columns | None:
    """Return the columns that all rows of a stream share; None where they differ."""
    first = shapes[0] if shapes else None
    if first is None:
        return None
    pairs = first
    for columns in shapes[1:]:
        if columns is None or not _agree(pairs, columns):
            return None
        pairs = tuple(
            (name, kind if kind is other_column_type else None)
            for (name, kind), (_, other_column_type) in zip(pairs, columns, strict=True)
        )
    return pairs


def _agree(pairs: Columns, other_pairs: Columns) -> bool:
    """Whether the names are equal, in order, and no type is known to differ."""
    return [name for name, _ in pairs] == [name for name, _ in other_pairs] and all(
        a is None or b is None or a is b for (_, a), (_, b) in zip(pairs, other_pairs, strict=True)
    )


def _list_columns(columns: Columns) -> str:
    shown = ", ".join(f"{step(name)} {kind or ''}".rstrip() for name, kind in columns)
    return f"({shown})" if len(shown) <= _SHOWN else f"({shown[:_SHOWN]}…)"


def columns_of(row: RowType) -> Columns:
    """The columns of a row if all types are known."""
    return tuple(zip(row.names, row.types, strict=True))


def known_row(rows: Rows) -> RowType | None:
    """The row that ``rows`` itself describes; None: a file does."""
    if rows.hybrid is not None:
        return next(filter(None, map(known_row, rows.hybrid)), None)
    if rows.sequence is not None:
        return NUMBERS
    if rows.generate is not None:
        return generated_row(rows.generate)
    if rows.format == "text":
        return LINES
    return None if rows.schema is None else parse_schema(rows.schema)


def read_aggregate(text: str) -> tuple[str, str | None] | None:
    """The function and the column of ``sum(n)``; None for the column: ``*``; None: it is neither.

    >>> read_aggregate("Sum( n )"), read_aggregate("count(*)"), read_aggregate("n + 1")
    (('sum', 'n'), ('count', None), None)
    """
    match = _AGGREGATE.fullmatch(text)
    return match and (match[1].lower(), match[3] or match[4] or match[5])


Rule: TypeAlias = Callable[[Transformation, InputRows, Reading], Columns | None]


def _columns_of_function(
    transformation: Transformation, rows: InputRows, reading: Reading
) -> Columns | None:
    """Return no columns: a function makes rows of its own, which no document describes."""
    return rows.columns if reading.passes_on else None


def _co_map(transformation: Transformation, rows: InputRows, reading: Reading) -> Columns | None:
    return _select_columns(
        transformation,
        transformation.select1 if rows.input == 1 else transformation.select2,
        rows,
        reading,
    )


def _select_columns(
    transformation: Transformation,
    texts: Mapping[str, str] | None,
    rows: InputRows,
    reading: Reading,
) -> Columns | None:
    return (
        reading.select(transformation, rows.input, texts, rows.columns) if texts else rows.columns
    )


def _by_input(transformation: Transformation, rows: InputRows, reading: Reading) -> Columns | None:
    if transformation.selects is None:
        return rows.columns
    name = transformation.inputs[max(rows.input - 1, 0)]
    return _select_columns(transformation, transformation.selects.get(name), rows, reading)


def _reduce(transformation: Transformation, rows: InputRows, reading: Reading) -> Columns | None:
    """Return the input's columns; None if the aggregate names a column that is not among them."""
    names = dict(rows.columns or ())
    return rows.columns if all(name in names for name in transformation.aggregate or ()) else None


def _keyed_state(
    transformation: Transformation, rows: InputRows, reading: Reading
) -> Columns | None:
    """The row, followed by the columns of the state's shape."""
    if transformation.state is None or rows.columns is None:
        return _columns_of_function(transformation, rows, reading)
    added = added_column(
        transformation.state, dict(rows.columns).get(transformation.state.column or "")
    )
    return rows.columns if added is None else (*rows.columns, added)


def _pairs(transformation: Transformation, rows: InputRows, reading: Reading) -> Columns | None:
    """Return what ``select`` computes of both rows' columns; without one, all columns."""
    if not brings_together(transformation):
        return _columns_of_function(transformation, rows, reading)
    joined = rows.joined
    return (
        reading.select(transformation, 0, transformation.select, joined)
        if transformation.select
        else joined
    )


def _groups(transformation: Transformation, rows: InputRows, reading: Reading) -> Columns | None:
    """Pairs, or the first input's key columns and how many rows of each input there are."""
    if transformation.group != "count":
        return _pairs(transformation, rows, reading)
    if rows.joined is None:
        return None
    types = dict(rows.joined)
    keys = transformation.keys or tuple(name for name, _ in rows.joined[: len(rows.joined) // 2])
    return (*((key, types.get(key)) for key in keys), *((name, LONG) for name in COUNTS))


def _window(transformation: Transformation, rows: InputRows, reading: Reading) -> Columns | None:
    """The key columns, the window's ends, then the aggregates."""
    if not transformation.aggregate:
        return _columns_of_function(transformation, rows, reading)
    types = dict(rows.columns or ())
    whole = KINDS[transformation.type].key_selector in {"constant", "none"}
    keys = () if whole else rows.keys
    if keys is None:
        # Where no column is named, the whole row is the key.
        if rows.columns is None:
            return None
        keys = tuple(types)
    timed = transformation.window is not None and not transformation.window.is_global
    ends = (("window_start", LONG), ("window_end", LONG)) if timed else ()
    aggregates = [
        (name, _aggregate_type(text, types)) for name, text in transformation.aggregate.items()
    ]
    return (*((key, types.get(key)) for key in keys), *ends, *aggregates)


def _aggregate_type(text: str, types: Mapping[str, ColumnType | None]) -> ColumnType | None:
    """Return LONG for a count, else the type of the aggregated column."""
    read = read_aggregate(text)
    if read is None:
        return None
    return LONG if read[1] is None else types.get(read[1])


_RULES: Final[Mapping[Gives, Rule]] = {
    "inputs": lambda _, rows, __: rows.columns,
    "select": lambda transformation, rows, reading: _select_columns(
        transformation, transformation.select, rows, reading
    ),
    "selects": _co_map,
    "split": lambda transformation, rows, _: (
        ((transformation.split.as_, STRING),) if transformation.split else rows.columns
    ),
    "reduced": _reduce,
    "windows": _window,
    "keyed state": _keyed_state,
    "pairs": _pairs,
    "windowed pairs": _pairs,
    "groups": _groups,
    "looked up": _pairs,
    "by input": _by_input,
}
"""The rule for output columns, by describing member; a source has a rule of its own."""

_LITERALS: Final = (
    (re.compile(r"[-+]?\d+"), LONG),
    (re.compile(r"[-+]?\d+\.\d*|[-+]?\.\d+"), DOUBLE),
    (re.compile(r"'[^']*'"), STRING),
    (re.compile(r"true|false", re.IGNORECASE), BOOLEAN),
)


def _source(source: Transformation) -> Columns | None:
    row = None if source.rows is None else known_row(source.rows)
    return None if row is None else columns_of(row)


def _select(
    owner: Transformation, number: int, texts: Mapping[str, str], columns: Columns | None
) -> Columns:
    types = dict(columns or ())
    return tuple((name, _type(text.strip(), types)) for name, text in texts.items())


def _type(expression: str, types: Mapping[str, ColumnType | None]) -> ColumnType | None:
    """The type of a bare column or a literal; None for any other expression."""
    if expression in types:
        return types[expression]
    return next((kind for form, kind in _LITERALS if form.fullmatch(expression)), None)


KNOWN: Final = Reading(source=_source, select=_select, passes_on=False)
"""The rows as a document itself describes them."""


def check_unions(
    transformations: Sequence[Transformation], positions: Mapping[str, int]
) -> tuple[int, Fault] | None:
    """The first union with inputs of different known columns, and what is wrong."""
    described = any(
        (
            transformation.rows,
            transformation.select,
            transformation.select1,
            transformation.select2,
            transformation.split,
            transformation.aggregate,
        )
        != (None,) * 6
        for transformation in transformations
    )
    if not described or not any(
        KINDS[transformation.type].joins for transformation in transformations
    ):
        return None
    try:
        for _ in passages(transformations, KNOWN):
            pass
    except UnlikeStreamsError as error:
        return positions[error.union], Fault(f"inputs[{error.input}]", error.problem)
    return None
