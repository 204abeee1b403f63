"""Comparisons and BOOLEAN values in three-valued logic: NULL stands for unknown."""

from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from explorer.engine.rows.expressions.kernel import (
    BatchRows,
    Value,
    as_array,
    as_numpy,
    check_read,
    column_of,
)
from explorer.errors import BrokenInvariantError

# The words of ``BinaryStringDataUtil.toBooleanSQL``, in letters of either size.
_WORDS: Final = {
    **dict.fromkeys(("true", "t", "yes", "y", "1"), True),
    **dict.fromkeys(("false", "f", "no", "n", "0"), False),
}


def same(_: BatchRows, left: Value, right: Value) -> Value:
    """``left IS NOT DISTINCT FROM right``: true also for two NULLs."""
    both_null = pc.and_(pc.is_null(left), pc.is_null(right))
    return pc.or_(both_null, pc.fill_null(pc.equal(left, right), fill_value=False))


def among(_: BatchRows, value: Value, *choices: Value) -> Value:
    """``value IN (choices)``, where the choices are literals of the value's type."""
    wanted_values = [
        choice[0].as_py() if isinstance(choice, pa.Array) else choice.as_py() for choice in choices
    ]
    if pa.types.is_floating(value.type):
        # Arrow's ``is_in`` distinguishes -0.0 from 0.0, and NaN equals itself; unlike ``=``.
        values, nulls = as_numpy(value)
        return column_of(np.isin(values, wanted_values), nulls)
    result = pc.is_in(value, value_set=pa.array(wanted_values, value.type))
    return pc.if_else(pc.is_valid(value), result, None)


def lazy(_: BatchRows, *_values: Value) -> Value:
    """Placeholder for a function that the evaluator computes, argument by argument."""
    msg = "the evaluator computes this function itself"
    raise BrokenInvariantError(msg)


def to_boolean(rows: BatchRows, value: Value, *, fails: bool) -> Value:
    """Convert to BOOLEAN: a number is true unless 0; an unknown word ``fails`` or becomes NULL."""
    if pa.types.is_boolean(value.type):
        return value
    if not pa.types.is_string(value.type):
        return pc.not_equal(value, pa.scalar(0, value.type))
    words = pc.utf8_lower(pc.utf8_trim_whitespace(as_array(value, rows)))
    known = pa.array(list(_WORDS.values())).take(pc.index_in(words, pa.array(list(_WORDS))))
    if fails:
        check_read(rows, words, known, "BOOLEAN")
    return known
