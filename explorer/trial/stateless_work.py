"""What does each transformation do with the rows that reach it, and what rows come out?

One row a transformation type in ``BUILDERS``; a type that is not there passes its rows on, and in
a sink they end.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from explorer.model.pipeline import Transformation
from explorer.rows.errors import ExpressionError
from explorer.rows.expressions.parser import compile_expression
from explorer.rows.row_type import BOOLEAN, STRING, RowType, SchemaError, checked
from explorer.task import plan
from explorer.task.operators.splitting import split_column
from explorer.trial.keyed_work import reduce, timestamps, window
from explorer.trial.work import Arriving, Builder, Outcome, Setting, distinct, each, pass_on, where

MAX_PATTERN: Final = 500
"""Characters in a pattern that splits text."""


def _select_step(
    t: Transformation, field: str, texts: Mapping[str, str], row_type: RowType
) -> tuple[plan.Step, RowType]:
    columns = tuple(
        compile_expression(text, row_type, f"{where(t, field)}.{name}")
        for name, text in texts.items()
    )
    for column in columns:
        if column.type is None:
            problem = "a bare NULL has no type; write cast(null as LONG), for example"
            raise ExpressionError(column.place, column.text, problem)
    kinds = tuple(column.type for column in columns if column.type is not None)
    result = checked(RowType(names=tuple(texts), types=kinds))
    return plan.Select(columns=columns, row_type=result), result


def _map(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    if not t.select:
        return pass_on(t, arriving, setting)
    texts = t.select
    return each(arriving, lambda one: _select_step(t, "select", texts, one.row_type))


def _co_map(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    selects = {1: ("select1", t.select1), 2: ("select2", t.select2)}

    def build(one: Arriving) -> tuple[plan.Step, RowType]:
        field, texts = selects.get(one.input, ("select", None))
        if not texts:
            return plan.PassOn(), one.row_type
        return _select_step(t, field, texts, one.row_type)

    outcome = each(arriving, build)
    if t.select1 and t.select2 and len(outcome.main) > 1:
        one, other = outcome.main[:2]
        msg = (
            f"transformation {t.id!r}: select1 and select2 must give the same columns, and give "
            f"{one}, and {other}"
        )
        raise SchemaError(msg)
    return outcome


def _filter(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    if t.where is None:
        return pass_on(t, arriving, setting)
    text = t.where

    def build(one: Arriving) -> tuple[plan.Step, RowType]:
        condition = compile_expression(text, one.row_type, where(t, "where"), BOOLEAN)
        return plan.Where(condition=condition), one.row_type

    return each(arriving, build)


def _flat_map(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    if t.split is None:
        return pass_on(t, arriving, setting)
    split = t.split
    _check_pattern(t, split.pattern)
    result = RowType(names=(split.as_,), types=(STRING,))

    def build(one: Arriving) -> tuple[plan.Step, RowType]:
        value = compile_expression(split.value, one.row_type, where(t, "split.value"), STRING)
        return plan.SplitText(value=value, pattern=split.pattern, row_type=result), result

    return each(arriving, build)


def _check_pattern(t: Transformation, pattern: str) -> None:
    place = where(t, "split.pattern")
    if len(pattern) > MAX_PATTERN:
        problem = f"it has {len(pattern):,} characters, and {MAX_PATTERN} are allowed"
        raise ExpressionError(place, pattern, problem)
    problem = pattern_problem(pattern)
    if problem:
        raise ExpressionError(place, pattern, problem)


def pattern_problem(pattern: str) -> str:
    """What is wrong with a pattern; empty: nothing. Patterns are matched in linear time, by RE2."""
    import pyarrow as pa

    try:
        split_column(pa.array(["a b"]), pattern, None)
    except (pa.ArrowException, UnicodeEncodeError) as error:
        reason = str(error).partition("\n")[0].removeprefix("Invalid regular expression: ")
        return f"this is no pattern that a trial can match: {reason}"
    return ""


def _process(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    if not t.side_outputs:
        return pass_on(t, arriving, setting)
    conditions = t.side_outputs

    def build(one: Arriving) -> tuple[plan.Step, RowType]:
        compiled = tuple(
            (tag, compile_expression(text, one.row_type, where(t, f"side_outputs.{tag}"), BOOLEAN))
            for tag, text in conditions.items()
        )
        return plan.Route(conditions=compiled), one.row_type

    outcome = each(arriving, build)
    return msgspec.structs.replace(outcome, tags=dict.fromkeys(conditions, outcome.main))


def collect(sink: str, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    """Count all rows, and keep them if they are wanted; none goes on."""
    types = distinct([one.row_type for one in arriving])
    limit = setting.limit if setting.collect else 0
    return Outcome(
        steps=tuple(
            (
                one.input,
                one.row_type,
                plan.Collect(sink=sink, row_type=types.index(one.row_type), limit=limit),
            )
            for one in arriving
        )
    )


BUILDERS: Final[dict[str, Builder]] = {
    "map": _map,
    "co_map": _co_map,
    "filter": _filter,
    "flat_map": _flat_map,
    "process": _process,
    "reduce": reduce,
    "timestamps": timestamps,
    "window": window,
    "window_all": window,
}
