"""Evaluates an expression for the rows of a batch.

Arguments that not every row needs (of ``and``, ``or``, ``coalesce``, ``case``) are computed for all
rows, but fail only on the rows that need them.
"""

from collections.abc import Callable
from functools import reduce
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.batch import Batch, Bools, Column
from explorer.engine.rows.errors import RowFailure
from explorer.engine.rows.expressions.functions import FUNCTIONS
from explorer.engine.rows.expressions.ir import Call, Case, ColumnRef, Expr, Expression, Literal
from explorer.engine.rows.expressions.kernel import BatchRows, Kernel, Value, arrow_type, as_array
from explorer.engine.rows.sizes import WORK_BYTES, BatchTooLargeError, Budget


def evaluate(expression: Expression, batch: Batch, budget: Budget | None = None) -> Column:
    """Compute ``expression`` for every row; raises ``RowFailure`` for a row that has no value.

    Raises ``BatchTooLargeError`` where several rows together would need more than the budget.
    """
    rows = BatchRows(len(batch), budget or Budget())
    try:
        return as_array(_value(expression.root, batch, rows), rows)
    except BatchTooLargeError:
        if rows.count > 1:
            raise
        reason = f"this takes more than the {WORK_BYTES:,} bytes that are allowed for a row"
        raise RowFailure(0, reason) from None


def holds(expression: Expression, batch: Batch, budget: Budget | None = None) -> Bools:
    """Return the mask of rows for which a condition is true: neither false nor NULL."""
    return _is_true(evaluate(expression, batch, budget))


def _is_true(column: Column) -> Bools:
    certain = pc.fill_null(column, fill_value=False) if column.null_count else column
    numpy: Bools = certain.to_numpy(zero_copy_only=False)
    return numpy


def _value(node: Expr, batch: Batch, rows: BatchRows) -> Value:
    match node:
        case ColumnRef():
            return batch.columns[node.index]
        case Literal():
            return pa.scalar(node.value, arrow_type(node.type))
        case Case():
            return _case(node, batch, rows)
        case Call():
            lazy = _LAZY.get(node.function)
            return lazy(node, batch, rows) if lazy is not None else _call(node, batch, rows)


def _call(node: Call, batch: Batch, rows: BatchRows) -> Value:
    args = [_value(arg, batch, rows) for arg in node.args]
    kernel = FUNCTIONS[node.function].kernel
    if all(isinstance(arg, pa.Scalar) for arg in args):
        return _constant(node, args, rows)
    try:
        return rows.made(kernel(rows, *args))
    except pa.ArrowInvalid:
        return _computed_where_asked(kernel, _where_asked(args, rows), rows)
    except BatchTooLargeError:
        if rows.active is None or rows.active.all():
            raise
        return rows.made(kernel(rows, *_where_asked(args, rows)))


def _where_asked(args: list[Value], rows: BatchRows) -> list[Value]:
    """Replace the values of rows that are not active by NULL."""
    if rows.active is None:
        return args
    active_rows = pa.array(rows.active)
    return [
        arg if isinstance(arg, pa.Scalar) else pc.if_else(active_rows, arg, None) for arg in args
    ]


def _computed_where_asked(kernel: Kernel, args: list[Value], rows: BatchRows) -> Value:
    """Try again with active rows only; if that fails too, find the failing row."""
    start, stop, reason = 0, rows.count, ""
    try:
        return kernel(rows, *args)
    except pa.ArrowInvalid as error:
        reason = str(error).partition("\n")[0]
    while stop - start > 1:
        middle = (start + stop) // 2
        half = [arg if isinstance(arg, pa.Scalar) else arg[start:middle] for arg in args]
        try:
            kernel(BatchRows(middle - start, rows.budget), *half)
            start = middle
        except pa.ArrowInvalid as error:
            stop, reason = middle, str(error).partition("\n")[0]
    raise RowFailure(start, reason)


def _constant(node: Call, args: list[Value], rows: BatchRows) -> Value:
    """Compute a function of literals once; it fails on the first active row, if there is one."""
    asking = np.flatnonzero(rows.active)[:1] if rows.active is not None else range(rows.count)[:1]
    function = FUNCTIONS[node.function]
    first = (pa.array([args[0].as_py()], args[0].type), *args[1:])
    remaining_values = [
        arg if place in function.literal or place == 0 else pa.array([arg.as_py()], arg.type)
        for place, arg in enumerate(first)
    ]
    try:
        return function.kernel(BatchRows(1, rows.budget), *remaining_values)[0]
    except (RowFailure, pa.ArrowInvalid) as error:
        if len(asking):
            raise RowFailure(int(asking[0]), str(error).partition("\n")[0]) from None
    except BatchTooLargeError:
        if len(asking):
            raise
    return pa.scalar(None, arrow_type(node.type))


def _junction(node: Call, batch: Batch, rows: BatchRows) -> Value:
    """Compute ``and``, which stops at false, or ``or``, which stops at true."""
    stops = node.function == "or"
    join = pc.or_kleene if stops else pc.and_kleene
    values: list[Value] = []
    for arg in node.args:
        values.append(as_array(_value(arg, batch, rows), rows))
        stopped = pc.fill_null(pc.equal(values[-1], pa.scalar(stops)), fill_value=False)
        rows = rows.among(~stopped.to_numpy(zero_copy_only=False))
    return reduce(join, values)


def _coalesce(node: Call, batch: Batch, rows: BatchRows) -> Value:
    values: list[Value] = []
    for arg in node.args:
        values.append(as_array(_value(arg, batch, rows), rows))
        rows = rows.among(pc.is_null(values[-1]).to_numpy(zero_copy_only=False))
    return rows.made(pc.coalesce(*values))


def _case(node: Case, batch: Batch, rows: BatchRows) -> Value:
    conditions: list[Any] = []
    values: list[Value] = []
    for condition, value in node.branches:
        met = _is_true(as_array(_value(condition, batch, rows), rows))
        conditions.append(met)
        values.append(as_array(_value(value, batch, rows.among(met)), rows))
        rows = rows.among(~met)
    values.append(as_array(_value(node.default, batch, rows), rows))
    names = [str(place) for place in range(len(conditions))]
    table = pa.StructArray.from_arrays([pa.array(met) for met in conditions], names=names)
    return rows.made(pc.case_when(table, *values))


_LAZY: Final[dict[str, Callable[[Call, Batch, BatchRows], Value]]] = {
    "and": _junction,
    "or": _junction,
    "coalesce": _coalesce,
}
"""Functions that need only some of their arguments for a row."""
