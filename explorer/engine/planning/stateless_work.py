"""What does each transformation do with the rows that reach it?

A type that gives rows of its own has its builder by what tells their columns; of the others, some
have one by their name. All else passes its rows on, and in a sink they end.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from explorer.engine import plan
from explorer.engine.planning.joins import interval_join, look_up, windowed_join
from explorer.engine.planning.keyed_work import reduce, timestamps, window
from explorer.engine.planning.state_work import keyed_process
from explorer.engine.planning.work import (
    Arriving,
    Builder,
    Outcome,
    Setting,
    distinct_types,
    each,
    given_type,
    pass_on,
    where,
)
from explorer.engine.rows.errors import ExpressionError
from explorer.engine.rows.expressions.parser import compile_expression
from explorer.engine.rows.expressions.patterns import problem as pattern_problem
from explorer.flink.kinds import KINDS, Gives
from explorer.model.pipeline import Transformation
from explorer.model.row_type import BOOLEAN, STRING, SchemaError


def _map(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    return each(arriving, lambda one: _select_step(t, one)) if t.select else Outcome()


def _select_step(t: Transformation, one: Arriving) -> plan.Step:
    for column in one.selected:
        if column.type is None:
            problem = "a bare NULL has no type; write cast(null as LONG), for example"
            raise ExpressionError(column.place, column.text, problem)
    made = given_type(t, one.gives)
    if t.mutates and made != one.row_type:
        msg = (
            f"transformation {t.id!r}: mutates changes the row that comes in, so select must give "
            f"its columns, {one.row_type}, and gives {made}"
        )
        raise SchemaError(msg)
    return plan.Select(columns=one.selected, row_type=made, in_place=t.mutates)


def _co_map(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    alike = "select1 and select2" if t.select1 and t.select2 else ""
    return _each_selected(t, arriving, alike, ", and ")


def _by_input(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    return _each_selected(t, arriving, "all inputs" if t.selects else "", "; and ")


def _each_selected(
    t: Transformation, arriving: Sequence[Arriving], alike: str, between: str
) -> Outcome:
    """Each input's own select; ``alike``: what must give the same columns, if anything must."""
    outcome = each(arriving, lambda one: _select_step(t, one) if one.selected else plan.PassOn())
    given = distinct_types(given_type(t, one.gives) for one in arriving)
    if alike and len(given) > 1:
        shown = between.join(map(str, given))
        msg = f"transformation {t.id!r}: {alike} must give the same columns, and give {shown}"
        raise SchemaError(msg)
    return outcome


def _filter(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    if t.where is None:
        return Outcome()
    text = t.where

    def build(one: Arriving) -> plan.Step:
        condition = compile_expression(text, one.row_type, where(t, "where"), BOOLEAN)
        return plan.Where(condition=condition)

    return each(arriving, build)


def _flat_map(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    if t.split is None:
        return Outcome()
    split = t.split
    problem = pattern_problem(split.pattern)
    if problem:
        raise ExpressionError(where(t, "split.pattern"), split.pattern, problem)

    def build(one: Arriving) -> plan.Step:
        value = compile_expression(split.value, one.row_type, where(t, "split.value"), STRING)
        row_type = given_type(t, one.gives)
        return plan.SplitText(value=value, pattern=split.pattern, row_type=row_type)

    return each(arriving, build)


def _process(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    if not t.side_outputs:
        return Outcome()
    conditions = t.side_outputs

    def build(one: Arriving) -> plan.Step:
        compiled = tuple(
            (tag, compile_expression(text, one.row_type, where(t, f"side_outputs.{tag}"), BOOLEAN))
            for tag, text in conditions.items()
        )
        return plan.Route(conditions=compiled)

    return each(arriving, build)


def collect(arriving: Sequence[Arriving], setting: Setting, cost: float) -> Outcome:
    """Count all rows, and keep them if they are wanted; none goes on.

    ``cost``: microseconds that each row takes.
    """
    types = distinct_types(one.row_type for one in arriving)

    def build(one: Arriving) -> plan.Step:
        kind = types.index(one.row_type)
        return plan.Collect(row_type=kind, limit=setting.limit, cost=cost)

    return each(arriving, build)


def tag_rows(tag: int, arriving: Sequence[Arriving]) -> Outcome:
    """Every row goes on as one of input ``tag`` of a join over windows."""
    outcome = each(arriving, lambda _: plan.Tag(tag=tag))
    types = distinct_types(one.row_type.tagged(tag) for one in arriving)
    return msgspec.structs.replace(outcome, main=types)


def _async(t: Transformation, arriving: Sequence[Arriving], setting: Setting) -> Outcome:
    if t.wait is None or not t.wait.delay:
        return Outcome()
    wait = t.wait
    step = plan.Await(delay=wait.delay, capacity=wait.capacity)
    warning = (
        f"transformation {t.id!r}: a trial waits {wait.delay:,} ms for each {wait.capacity:,} rows "
        "of a subtask, in their order"
    )
    return msgspec.structs.replace(each(arriving, lambda _: step), warnings=(warning,))


_BY_TYPE: Final[dict[str, Builder]] = {
    "async": _async,
    "filter": _filter,
    "process": _process,
    "timestamps": timestamps,
}
_BY_COLUMNS: Final[dict[Gives, Builder]] = {
    "select": _map,
    "selects": _co_map,
    "split": _flat_map,
    "reduced": reduce,
    "windows": window,
    "keyed state": keyed_process,
    "pairs": interval_join,
    "windowed pairs": windowed_join,
    "groups": windowed_join,
    "looked up": look_up,
    "by input": _by_input,
}
"""By what tells the columns that come out."""


def builder(t: Transformation) -> Builder:
    """What makes the steps of such a transformation; without a row of its own it passes rows on."""
    return _BY_TYPE.get(t.type) or _BY_COLUMNS.get(KINDS[t.type].gives, pass_on)
