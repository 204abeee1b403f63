"""Which columns flow where, as far as a document tells, and whether a union's inputs agree.

Columns are known of inline rows, sequences, texts, schemas, of what a ``select`` names, and of what
passes them on. A type is None where only the trial run can tell it; unknown columns are None.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from explorer.documents.faults import Fault
from explorer.documents.rows_checks import read_schema
from explorer.flink.kinds import KINDS, Gives
from explorer.model.pipeline import Rows, Transformation
from explorer.wording import quoted, step

Columns: TypeAlias = tuple[tuple[str, str | None], ...] | None
Infer: TypeAlias = Callable[[Transformation, Sequence[Columns], Sequence[Transformation]], Columns]

_SHOWN: Final = 200
_LITERALS: Final = (
    (re.compile(r"[-+]?\d+"), "LONG"),
    (re.compile(r"[-+]?\d+\.\d*|[-+]?\.\d+"), "DOUBLE"),
    (re.compile(r"'[^']*'"), "STRING"),
    (re.compile(r"true|false", re.IGNORECASE), "BOOLEAN"),
)


def columns_of(
    transformations: Sequence[Transformation], positions: Mapping[str, int]
) -> list[Columns]:
    """The columns that each transformation gives, by position; inputs must be sound."""
    known: list[Columns] = []
    for transformation in transformations:
        inputs = [known[positions[name]] for name in transformation.inputs]
        sources = [transformations[positions[name]] for name in transformation.inputs]
        rule = _RULES[KINDS[transformation.type].gives]
        known.append(rule(transformation, inputs, sources))
    return known


def check_unions(
    transformations: Sequence[Transformation], positions: Mapping[str, int]
) -> tuple[int, Fault] | None:
    """The first union whose inputs are known to have different columns, and what is wrong."""
    unions = [at for at, one in enumerate(transformations) if KINDS[one.type].joins]
    if not unions or not any(map(_tells, transformations)):
        return None
    known = columns_of(transformations, positions)
    for position in unions:
        transformation = transformations[position]
        inputs = [known[positions[name]] for name in transformation.inputs]
        if fault := _disagreement(transformation, inputs):
            return position, fault
    return None


def _tells(transformation: Transformation) -> bool:
    return any(
        field is not None
        for field in (transformation.rows, transformation.select, transformation.split)
    )


def _disagreement(union: Transformation, inputs: Sequence[Columns]) -> Fault | None:
    first = next((number for number, columns in enumerate(inputs) if columns), None)
    if first is None:
        return None
    for number, columns in enumerate(inputs):
        if columns and not _agree(inputs[first] or (), columns):
            one, other = quoted(union.inputs[first]), quoted(union.inputs[number])
            problem = (
                f"Cannot union streams of different types: {one} has {_shown(inputs[first])}, "
                f"but {other} has {_shown(columns)}; give both the same columns with a select"
            )
            return Fault(f"inputs[{number}]", problem)
    return None


def _agree(one: Sequence[tuple[str, str | None]], other: Sequence[tuple[str, str | None]]) -> bool:
    """Whether the names are equal, in order, and no type is known to differ."""
    return [name for name, _ in one] == [name for name, _ in other] and all(
        a is None or b is None or a == b for (_, a), (_, b) in zip(one, other, strict=True)
    )


def _shown(columns: Columns) -> str:
    shown = ", ".join(f"{step(name)} {kind or ''}".rstrip() for name, kind in columns or ())
    return f"({shown})" if len(shown) <= _SHOWN else f"({shown[:_SHOWN]}…)"


def _source(
    transformation: Transformation, inputs: Sequence[Columns], sources: Sequence[Transformation]
) -> Columns:
    rows = transformation.rows
    return None if rows is None else _of_rows(rows)


def _of_rows(rows: Rows) -> Columns:
    if rows.sequence is not None:
        return (("n", "LONG"),)
    if rows.format == "text":
        return (("line", "STRING"),)
    return None if rows.schema is None else read_schema(rows.schema)


def _same(
    transformation: Transformation, inputs: Sequence[Columns], sources: Sequence[Transformation]
) -> Columns:
    """All inputs' columns where they are equal: what most operators pass on."""
    first = inputs[0] if inputs else None
    return first if all(columns == first for columns in inputs) else None


def _map(
    transformation: Transformation, inputs: Sequence[Columns], sources: Sequence[Transformation]
) -> Columns:
    if transformation.select is None:
        return inputs[0]
    return _selected(transformation.select, inputs[0])


def _selected(select: Mapping[str, str], columns: Columns) -> Columns:
    types = dict(columns or ())
    return tuple((name, _type(text.strip(), types)) for name, text in select.items())


def _type(expression: str, types: Mapping[str, str | None]) -> str | None:
    """The type of a bare column or a literal; None for any other expression."""
    if expression in types:
        return types[expression]
    return next((kind for form, kind in _LITERALS if form.fullmatch(expression)), None)


def _flat_map(
    transformation: Transformation, inputs: Sequence[Columns], sources: Sequence[Transformation]
) -> Columns:
    split = transformation.split
    return inputs[0] if split is None else ((split.as_, "STRING"),)


def _co_map(
    transformation: Transformation, inputs: Sequence[Columns], sources: Sequence[Transformation]
) -> Columns:
    selects = (transformation.select1, transformation.select2)
    one, other = (
        columns if select is None else _selected(select, columns)
        for select, columns in zip(selects, inputs, strict=True)
    )
    return one if one == other else None


def _reduce(
    transformation: Transformation, inputs: Sequence[Columns], sources: Sequence[Transformation]
) -> Columns:
    """The columns of the input; a column that only the aggregate names makes them unknown."""
    names = dict(inputs[0] or ())
    return inputs[0] if all(name in names for name in transformation.aggregate or ()) else None


def _window(
    transformation: Transformation, inputs: Sequence[Columns], sources: Sequence[Transformation]
) -> Columns:
    """The key columns, the window's ends and the aggregates, where both are named."""
    keys = sources[0].keys if KINDS[sources[0].type].keyed_stream else ()
    if transformation.aggregate is None or keys is None:
        return None
    types = dict(inputs[0] or ())
    ends = (("window_start", "LONG"), ("window_end", "LONG"))
    aggregates = tuple((name, None) for name in transformation.aggregate)
    return (*((key, types.get(key)) for key in keys), *ends, *aggregates)


def _unknown(
    transformation: Transformation, inputs: Sequence[Columns], sources: Sequence[Transformation]
) -> Columns:
    return None


_RULES: Final[dict[Gives, Infer]] = {
    "inputs": _same,
    "rows": _source,
    "select": _map,
    "selects": _co_map,
    "split": _flat_map,
    "reduced": _reduce,
    "windows": _window,
    "unknown": _unknown,
}
"""By what tells them, how columns come out."""
