"""The functions that an expression may use, with their types: one row per function."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import pyarrow.compute as pc

from explorer.engine.rows.expressions import conditional, numbers, patterns
from explorer.engine.rows.expressions import strings as text
from explorer.engine.rows.expressions.ir import TIMES, Kind
from explorer.engine.rows.expressions.kernel import (
    Function,
    Kernel,
    Value,
    arrow,
    casts,
    with_literal,
)
from explorer.engine.rows.expressions.time_functions import TIME_FUNCTIONS
from explorer.engine.rows.expressions.times import NAMED_PARTS
from explorer.model.row_type import BOOLEAN, DOUBLE, LONG, STRING
from explorer.wording import counted

ANY: Final = (LONG, DOUBLE, STRING, BOOLEAN)
ALL: Final = (*ANY, *TIMES)
NUMBER: Final = (LONG, DOUBLE)
ORDERED: Final = (LONG, DOUBLE, STRING)
COMPARED: Final = (*ORDERED, *TIMES)
TEXT: Final = (STRING,)
TRUTH: Final = (BOOLEAN,)
WHOLE: Final = (LONG,)
REAL: Final = (DOUBLE,)
"""A LONG argument is widened if only DOUBLE is accepted."""


def common(types: Sequence[Kind | None], owner: str) -> Kind | None:
    """Return the common type: DOUBLE for LONG and DOUBLE; raises ``TypeError`` if there is none.

    ``owner``: the function or the values in the message.
    """
    present = list(dict.fromkeys(kind for kind in types if kind is not None))
    if not present:
        return None
    if len(present) == 1:
        return present[0]
    if set(present) == {LONG, DOUBLE}:
        return DOUBLE
    msg = f"{owner} cannot join {' and '.join(map(str, present))}; cast one of them"
    raise TypeError(msg)


def _arithmetic(name: str, kernel: Kernel) -> Function:
    return Function(name, (NUMBER, NUMBER), None, kernel, alike=True, symbol=True)


def _comparison(name: str, params: tuple[Kind, ...], kernel: Kernel) -> Function:
    return Function(name, (params, params), BOOLEAN, kernel, alike=True, symbol=True)


def _literal_search(name: str, search: Callable[..., Value]) -> Function:
    return Function(name, (TEXT, TEXT), BOOLEAN, with_literal(search), literal=(1,))


def _trim_function(name: str, trim: Callable[..., Value]) -> Function:
    """An Arrow function that removes blanks, or a literal's characters, at the ends of a text."""
    kernel = partial(text.trimmed, trim=trim)
    return Function(name, (TEXT, TEXT), STRING, kernel, required=1, literal=(1,))


def _pattern_function(
    name: str, result: Kind, kernel: Kernel, *third: tuple[Kind, ...]
) -> Function:
    return Function(
        name,
        (TEXT, TEXT, *third),
        result,
        kernel,
        required=2 if third == (WHOLE,) else None,
        literal=(1, 2) if third else (1,),
        problem=_pattern_problem,
    )


def _pattern_problem(values: Sequence[object]) -> str:
    """Return the problem with a pattern, or with the number of a group that follows it."""
    pattern, number = str(values[0]), values[-1]
    problem = patterns.problem(pattern)
    if (
        problem
        or not isinstance(number, int)
        or 0 <= number <= (groups := patterns.groups(pattern))
    ):
        return problem
    return f"the pattern has {counted(groups, 'group')}, not {number}"


_GREATEST: Final = arrow(partial(pc.max_element_wise, skip_nulls=False))
_LEAST: Final = arrow(partial(pc.min_element_wise, skip_nulls=False))
"""Both are NULL if an argument is NULL."""

_ROWS: Final = (
    _arithmetic("+", arrow(pc.add)),
    _arithmetic("-", arrow(pc.subtract)),
    _arithmetic("*", arrow(pc.multiply)),
    _arithmetic("%", numbers.modulo),
    Function("/", (REAL, REAL), DOUBLE, arrow(pc.divide), symbol=True),
    Function("negate", (NUMBER,), None, arrow(pc.negate), symbol=True),
    _comparison("=", ALL, arrow(pc.equal)),
    _comparison("<>", ALL, arrow(pc.not_equal)),
    _comparison("<", COMPARED, arrow(pc.less)),
    _comparison("<=", COMPARED, arrow(pc.less_equal)),
    _comparison(">", COMPARED, arrow(pc.greater)),
    _comparison(">=", COMPARED, arrow(pc.greater_equal)),
    Function("in", (ANY,), BOOLEAN, conditional.among, variadic=True, symbol=True),
    _comparison("is not distinct from", ALL, conditional.same),
    Function("and", (TRUTH,), BOOLEAN, conditional.lazy, variadic=True, symbol=True),
    Function("or", (TRUTH,), BOOLEAN, conditional.lazy, variadic=True, symbol=True),
    Function("not", (TRUTH,), BOOLEAN, arrow(pc.invert), symbol=True),
    Function("is null", (ALL,), BOOLEAN, arrow(pc.is_null), symbol=True),
    Function("like", (TEXT, TEXT), BOOLEAN, with_literal(pc.match_like), literal=(1,), symbol=True),
    Function("coalesce", (ALL,), None, conditional.lazy, variadic=True, alike=True),
    Function("abs", (NUMBER,), None, arrow(pc.abs)),
    Function("ceil", (NUMBER,), None, numbers.whole(pc.ceil)),
    Function("floor", (NUMBER,), None, numbers.whole(pc.floor)),
    Function("round", (NUMBER, WHOLE), None, numbers.round_half_up, required=1, literal=(1,)),
    Function("sign", (NUMBER,), None, numbers.sign),
    Function("sqrt", (REAL,), DOUBLE, arrow(pc.sqrt)),
    Function("exp", (REAL,), DOUBLE, arrow(pc.exp)),
    Function("ln", (REAL,), DOUBLE, arrow(pc.ln)),
    Function("power", (REAL, REAL), DOUBLE, arrow(pc.power)),
    Function("mod", (NUMBER, NUMBER), None, numbers.modulo, alike=True),
    Function("greatest", (COMPARED,), None, _GREATEST, variadic=True, alike=True),
    Function("least", (COMPARED,), None, _LEAST, variadic=True, alike=True),
    Function("concat", (ANY,), STRING, text.concat, variadic=True, to_text=True),
    Function("lower", (TEXT,), STRING, text.lower),
    Function("upper", (TEXT,), STRING, text.upper),
    Function("length", (TEXT,), LONG, text.length),
    Function("reverse", (TEXT,), STRING, arrow(pc.utf8_reverse)),
    Function("substring", (TEXT, WHOLE, WHOLE), STRING, text.substring, required=2),
    Function("left", (TEXT, WHOLE), STRING, text.left),
    Function("right", (TEXT, WHOLE), STRING, text.right),
    _trim_function("trim", pc.utf8_trim),
    _trim_function("ltrim", pc.utf8_ltrim),
    _trim_function("rtrim", pc.utf8_rtrim),
    Function("replace", (TEXT, TEXT, TEXT), STRING, text.replace, literal=(1, 2)),
    _literal_search("starts_with", pc.starts_with),
    _literal_search("ends_with", pc.ends_with),
    _literal_search("contains", pc.match_substring),
    _pattern_function("regexp", BOOLEAN, patterns.found),
    _pattern_function("regexp_count", LONG, patterns.count),
    _pattern_function("regexp_extract", STRING, patterns.extracted, WHOLE),
    _pattern_function("regexp_replace", STRING, patterns.replaced, TEXT),
    _pattern_function("regexp_substr", STRING, patterns.extracted),
    *TIME_FUNCTIONS,
    *casts("LONG", ANY, LONG, numbers.to_long),
    *casts("DOUBLE", ANY, DOUBLE, numbers.to_double),
    *casts("STRING", ANY, STRING, text.to_text),
    *casts("BOOLEAN", ANY, BOOLEAN, conditional.to_boolean),
)


FUNCTIONS: Final[dict[str, Function]] = {function.name: function for function in _ROWS}

SPECIAL_FORMS: Final = (
    *("case", "cast", "extract", "if", "nullif", "timestampadd", "timestampdiff"),
    *("try_cast", *NAMED_PARTS),
)
"""Forms that look like functions, and become other nodes in the parser."""

FUNCTION_NAMES: Final = tuple(
    sorted([name for name, row in FUNCTIONS.items() if not row.symbol] + [*SPECIAL_FORMS])
)
"""The functions that a form offers and an error lists."""
