"""Which functions may an expression use, on which types, and what do they yield?

The closed list: one row a function. What is not here does not run.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

import msgspec
import pyarrow.compute as pc

from explorer.rows.expressions import conditional, numbers
from explorer.rows.expressions import strings as text
from explorer.rows.expressions.kernel import Kernel, arrow
from explorer.rows.row_type import BOOLEAN, DOUBLE, LONG, STRING, ColumnType

Types: TypeAlias = Sequence[ColumnType | None]

ANY: Final = (LONG, DOUBLE, STRING, BOOLEAN)
NUMBER: Final = (LONG, DOUBLE)
ORDERED: Final = (LONG, DOUBLE, STRING)
TEXT: Final = (STRING,)
TRUTH: Final = (BOOLEAN,)
WHOLE: Final = (LONG,)
REAL: Final = (DOUBLE,)
"""A LONG given where only DOUBLE is taken is widened."""


def common(types: Types) -> ColumnType | None:
    """The type that all fit: DOUBLE where LONG and DOUBLE meet; raises ``TypeError`` else."""
    present = list(dict.fromkeys(kind for kind in types if kind is not None))
    if not present:
        return None
    if len(present) == 1:
        return present[0]
    if set(present) == {LONG, DOUBLE}:
        return DOUBLE
    raise TypeError(" and ".join(str(kind) for kind in present))


class Function(msgspec.Struct, frozen=True):
    """A row of the list."""

    name: str
    params: tuple[tuple[ColumnType, ...], ...]
    """The types that each argument may have."""
    result: ColumnType | None
    """None: the type that the arguments have in common."""
    kernel: Kernel
    required: int | None = None
    """Arguments that must be given; None: all."""
    variadic: bool = False
    """Whether the last parameter may be given any number of times."""
    alike: bool = False
    """Whether all arguments are brought to the type they have in common."""
    literal: tuple[int, ...] = ()
    """Arguments that must be literals."""
    to_text: bool = False
    """Whether arguments of any type are first written as text."""
    symbol: bool = False
    """Whether it is an operator, which a list of functions leaves out."""


def _computed(name: str, kernel: Kernel) -> Function:
    """Arithmetic on two numbers, in the type that they have in common."""
    return Function(name, (NUMBER, NUMBER), None, kernel, alike=True, symbol=True)


def _compared(name: str, params: tuple[ColumnType, ...], kernel: Kernel) -> Function:
    """A comparison of two values of one type."""
    return Function(name, (params, params), BOOLEAN, kernel, alike=True, symbol=True)


_ROWS: Final = (
    _computed("+", arrow(pc.add)),
    _computed("-", arrow(pc.subtract)),
    _computed("*", arrow(pc.multiply)),
    _computed("%", numbers.modulo),
    Function("/", (REAL, REAL), DOUBLE, arrow(pc.divide), symbol=True),
    Function("negate", (NUMBER,), None, arrow(pc.negate), symbol=True),
    _compared("=", ANY, arrow(pc.equal)),
    _compared("<>", ANY, arrow(pc.not_equal)),
    _compared("<", ORDERED, arrow(pc.less)),
    _compared("<=", ORDERED, arrow(pc.less_equal)),
    _compared(">", ORDERED, arrow(pc.greater)),
    _compared(">=", ORDERED, arrow(pc.greater_equal)),
    Function("in", (ANY,), BOOLEAN, conditional.among, variadic=True, symbol=True),
    _compared("is not distinct from", ANY, conditional.same),
    Function("and", (TRUTH,), BOOLEAN, conditional.lazy, variadic=True, symbol=True),
    Function("or", (TRUTH,), BOOLEAN, conditional.lazy, variadic=True, symbol=True),
    Function("not", (TRUTH,), BOOLEAN, arrow(pc.invert), symbol=True),
    Function("is null", (ANY,), BOOLEAN, arrow(pc.is_null), symbol=True),
    Function("like", (TEXT, TEXT), BOOLEAN, text.like, literal=(1,), symbol=True),
    Function("coalesce", (ANY,), None, conditional.lazy, variadic=True, alike=True),
    Function("abs", (NUMBER,), None, arrow(pc.abs)),
    Function("ceil", (NUMBER,), None, numbers.ceil),
    Function("floor", (NUMBER,), None, numbers.floor),
    Function("round", (NUMBER, WHOLE), None, numbers.round_half_up, required=1, literal=(1,)),
    Function("sign", (NUMBER,), None, numbers.sign),
    Function("sqrt", (REAL,), DOUBLE, arrow(pc.sqrt)),
    Function("exp", (REAL,), DOUBLE, arrow(pc.exp)),
    Function("ln", (REAL,), DOUBLE, arrow(pc.ln)),
    Function("power", (REAL, REAL), DOUBLE, arrow(pc.power)),
    Function("mod", (NUMBER, NUMBER), None, numbers.modulo, alike=True),
    Function("greatest", (ORDERED,), None, conditional.greatest, variadic=True, alike=True),
    Function("least", (ORDERED,), None, conditional.least, variadic=True, alike=True),
    Function("concat", (ANY,), STRING, text.concat, variadic=True, to_text=True),
    Function("lower", (TEXT,), STRING, text.lower),
    Function("upper", (TEXT,), STRING, text.upper),
    Function("length", (TEXT,), LONG, text.length),
    Function("reverse", (TEXT,), STRING, arrow(pc.utf8_reverse)),
    Function("substring", (TEXT, WHOLE, WHOLE), STRING, text.substring, required=2),
    Function("left", (TEXT, WHOLE), STRING, text.left),
    Function("right", (TEXT, WHOLE), STRING, text.right),
    Function("trim", (TEXT, TEXT), STRING, text.trim, required=1, literal=(1,)),
    Function("ltrim", (TEXT, TEXT), STRING, text.ltrim, required=1, literal=(1,)),
    Function("rtrim", (TEXT, TEXT), STRING, text.rtrim, required=1, literal=(1,)),
    Function("replace", (TEXT, TEXT, TEXT), STRING, text.replace, literal=(1, 2)),
    Function("starts_with", (TEXT, TEXT), BOOLEAN, text.starts_with, literal=(1,)),
    Function("ends_with", (TEXT, TEXT), BOOLEAN, text.ends_with, literal=(1,)),
    Function("contains", (TEXT, TEXT), BOOLEAN, text.contains, literal=(1,)),
    Function("cast LONG", (ANY,), LONG, numbers.to_long, symbol=True),
    Function("cast DOUBLE", (ANY,), DOUBLE, numbers.to_double, symbol=True),
    Function("cast STRING", (ANY,), STRING, text.to_text, symbol=True),
    Function("cast BOOLEAN", (ANY,), BOOLEAN, conditional.to_boolean, symbol=True),
    Function("try_cast LONG", (ANY,), LONG, numbers.try_to_long, symbol=True),
    Function("try_cast DOUBLE", (ANY,), DOUBLE, numbers.try_to_double, symbol=True),
    Function("try_cast STRING", (ANY,), STRING, text.to_text, symbol=True),
    Function("try_cast BOOLEAN", (ANY,), BOOLEAN, conditional.try_to_boolean, symbol=True),
)


FUNCTIONS: Final[dict[str, Function]] = {function.name: function for function in _ROWS}

SPECIAL_FORMS: Final = ("case", "cast", "if", "nullif", "try_cast")
"""Written like functions, but turned into other nodes by the parser."""

FUNCTION_NAMES: Final = tuple(
    sorted([name for name, row in FUNCTIONS.items() if not row.symbol] + [*SPECIAL_FORMS])
)
"""What a form can offer and an error can list."""
