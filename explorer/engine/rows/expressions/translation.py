"""Translates the parsed forms that an expression may use to typed expressions.

Forms that the tables here do not list are refused by name: a subquery, a cast to another type, an
unknown function.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from sqlglot import exp

from explorer.engine.rows.errors import RefusedError
from explorer.engine.rows.expressions.functions import FUNCTION_NAMES, FUNCTIONS
from explorer.engine.rows.expressions.ir import (
    DATE,
    NULL,
    TIMESTAMP,
    ColumnRef,
    Expr,
    Kind,
    Literal,
    TimeType,
)
from explorer.engine.rows.expressions.times import COUNTED, FLOORED, NAMED_PARTS, PARTS, is_moment
from explorer.engine.rows.expressions.typing import apply, case, cast
from explorer.errors import did_you_mean
from explorer.java_numbers import fits_long
from explorer.model.row_type import BOOLEAN, DOUBLE, LONG, STRING, RowType

_SHOWN: Final = 200
"""Maximum number of characters of a list of columns."""

_FORMS: Final[dict[type[exp.Expression], tuple[str, tuple[str, ...]]]] = {
    exp.Mul: ("*", ("this", "expression")),
    exp.Div: ("/", ("this", "expression")),
    exp.Mod: ("%", ("this", "expression")),
    exp.EQ: ("=", ("this", "expression")),
    exp.NEQ: ("<>", ("this", "expression")),
    exp.LT: ("<", ("this", "expression")),
    exp.LTE: ("<=", ("this", "expression")),
    exp.GT: (">", ("this", "expression")),
    exp.GTE: (">=", ("this", "expression")),
    exp.NullSafeEQ: ("is not distinct from", ("this", "expression")),
    exp.Not: ("not", ("this",)),
    exp.Abs: ("abs", ("this",)),
    exp.Round: ("round", ("this", "decimals")),
    exp.Sign: ("sign", ("this",)),
    exp.Sqrt: ("sqrt", ("this",)),
    exp.Exp: ("exp", ("this",)),
    exp.Ln: ("ln", ("this",)),
    exp.Pow: ("power", ("this", "expression")),
    exp.Greatest: ("greatest", ("this", "expressions")),
    exp.Least: ("least", ("this", "expressions")),
    exp.Coalesce: ("coalesce", ("this", "expressions")),
    exp.Concat: ("concat", ("expressions",)),
    exp.DPipe: ("concat", ("this", "expression")),
    exp.Lower: ("lower", ("this",)),
    exp.Upper: ("upper", ("this",)),
    exp.Length: ("length", ("this",)),
    exp.Reverse: ("reverse", ("this",)),
    exp.Substring: ("substring", ("this", "start", "length")),
    exp.Left: ("left", ("this", "expression")),
    exp.Right: ("right", ("this", "expression")),
    exp.Replace: ("replace", ("this", "expression", "replacement")),
    exp.StartsWith: ("starts_with", ("this", "expression")),
    exp.EndsWith: ("ends_with", ("this", "expression")),
    exp.Contains: ("contains", ("this", "expression")),
}
"""Parsed forms that are one function each, and the parts that are its arguments."""

_TYPES: Final[dict[exp.DType, Kind]] = {
    exp.DType.BIGINT: LONG,
    exp.DType.INT: LONG,
    exp.DType.SMALLINT: LONG,
    exp.DType.TINYINT: LONG,
    exp.DType.DOUBLE: DOUBLE,
    exp.DType.FLOAT: DOUBLE,
    exp.DType.TEXT: STRING,
    exp.DType.VARCHAR: STRING,
    exp.DType.BOOLEAN: BOOLEAN,
    exp.DType.TIMESTAMP: TIMESTAMP,
    exp.DType.DATE: DATE,
}
"""The types that a cast may name."""
_TRIMS: Final = {"": "trim", "BOTH": "trim", "LEADING": "ltrim", "TRAILING": "rtrim"}
_Form: TypeAlias = Callable[[Any], Expr]


class Translation:
    """Translates sqlglot's nodes over one row type."""

    def __init__(self, row_type: RowType) -> None:
        self._row = row_type
        self._special: dict[type[exp.Expression], _Form] = {
            exp.Paren: lambda node: self.node(node.this),
            exp.Column: self._column,
            exp.Literal: lambda node: (
                Literal(value=node.this, type=STRING) if node.is_string else _number(node.this)
            ),
            exp.Boolean: lambda node: Literal(value=bool(node.this), type=BOOLEAN),
            exp.Null: lambda _: NULL,
            exp.Neg: self._translate_negation,
            exp.And: self._junction,
            exp.Or: self._junction,
            exp.Is: self._is,
            exp.NullSafeNEQ: lambda node: apply(
                "not", [apply("is not distinct from", self._both(node))]
            ),
            exp.Like: self._like,
            exp.In: self._in,
            exp.Between: self._between,
            exp.Case: self._case,
            exp.If: self._if,
            exp.Nullif: self._nullif,
            exp.Cast: lambda node: self._cast(node, "cast"),
            exp.TryCast: lambda node: self._cast(node, "try_cast"),
            exp.Trim: self._trim,
            exp.Anonymous: self._translate_named,
            exp.Extract: lambda node: self._part(
                _unit(node.this, PARTS, "extract"), node.expression
            ),
            exp.Floor: lambda node: self._translate_rounding(node, "floor"),
            exp.Ceil: lambda node: self._translate_rounding(node, "ceil"),
            exp.Add: lambda node: self._translate_sum(node, "+"),
            exp.Sub: lambda node: self._translate_sum(node, "-"),
        }

    def node(self, node: exp.Expression) -> Expr:
        """Translate a node with its children; raises ``RefusedError`` with the place."""
        try:
            return self._translate_node(node)
        except TypeError as mismatch:
            raise RefusedError(str(mismatch), _span(node)) from None
        except RefusedError as refused:
            refused.span = refused.span or _span(node)
            raise

    def _translate_node(self, node: exp.Expression) -> Expr:
        special = self._special.get(type(node))
        if special is not None:
            return special(node)
        form = _FORMS.get(type(node))
        if form is None:
            raise RefusedError(_unknown(node))
        name, parts = form
        _only(node, parts)
        args: list[Expr] = []
        for part in parts:
            value = node.args.get(part)
            if isinstance(value, list):
                args.extend(self.node(item) for item in value)
            elif value is not None:
                args.append(self.node(value))
        return apply(name, args)

    def _translate_named(self, node: exp.Anonymous) -> Expr:
        """Translate a function for which the parser has no form."""
        name, args = str(node.name).lower(), node.expressions
        if name in NAMED_PARTS and len(args) == 1:
            return self._part(NAMED_PARTS[name], args[0])
        if name in ("timestampadd", "timestampdiff") and len(args) == 3:
            unit = _unit(args[0], COUNTED, name)
            return apply(f"{name} {unit}", [self.node(arg) for arg in args[1:]])
        if name not in FUNCTIONS or FUNCTIONS[name].symbol:
            raise RefusedError(_unknown(node))
        return apply(name, [self.node(value) for value in args])

    def _part(self, part: str, of: exp.Expression) -> Expr:
        value = self.node(of)
        if not isinstance(value.type, TimeType):
            msg = f"{part} is a part of a TIMESTAMP or a DATE, and this is {value.type}; cast it"
            raise RefusedError(msg)
        return apply(f"extract {part} {value.type}", [value])

    def _translate_rounding(self, node: exp.Floor | exp.Ceil, name: str) -> Expr:
        _only(node, ("this", "to"))
        unit = node.args.get("to")
        if unit is None:
            return apply(name, [self.node(node.this)])
        return apply(f"{name} {_unit(unit, FLOORED, name)}", [self.node(node.this)])

    def _translate_sum(self, node: exp.Add | exp.Sub, symbol: str) -> Expr:
        """Translate a sum or a difference of numbers, or of a time and an interval."""
        right = node.expression
        if not isinstance(right, exp.Interval):
            return apply(symbol, self._both(node))
        unit = _unit(right.args.get("unit"), COUNTED, "interval")
        text = right.this.name if isinstance(right.this, exp.Literal) else ""
        if not text.lstrip("+-").isdigit():
            msg = "an interval is one number and its unit, as in interval '5' minute"
            raise RefusedError(msg)
        count = Literal(value=int(f"{symbol}1") * int(text), type=LONG)
        return apply(f"timestampadd {unit}", [count, self.node(node.this)])

    def _column(self, node: exp.Column) -> Expr:
        _only(node, ("this",))
        name = node.name
        if name not in self._row.names or not isinstance(node.this, exp.Identifier):
            columns = str(self._row)
            shown = columns if len(columns) <= _SHOWN else columns[:_SHOWN] + "..."
            hint = did_you_mean(name, self._row.names)
            msg = f"there is no column {name!r}; the columns are {shown}{hint}"
            raise RefusedError(msg)
        place = self._row.index(name)
        return ColumnRef(index=place, type=self._row.types[place])

    def _translate_negation(self, node: exp.Neg) -> Expr:
        if isinstance(node.this, exp.Literal) and not node.this.is_string:
            return _number("-" + node.this.this)
        return apply("negate", [self.node(node.this)])

    def _junction(self, node: exp.And | exp.Or) -> Expr:
        """Flatten ``a and b and c``, so that a long condition is not nested deeply."""
        args: list[exp.Expression] = []
        pending: list[exp.Expression] = [node]
        while pending:
            expression = pending.pop()
            if type(expression) is type(node):
                pending += [expression.args["expression"], expression.this]
            else:
                args.append(expression)
        name = "and" if isinstance(node, exp.And) else "or"
        return apply(name, [self.node(arg) for arg in args])

    def _is(self, node: exp.Is) -> Expr:
        value, wanted_value = self.node(node.this), node.expression
        if isinstance(wanted_value, exp.Null):
            return apply("is null", [value])
        if isinstance(wanted_value, exp.Boolean):
            return apply("is not distinct from", [value, self.node(wanted_value)])
        raise RefusedError(_unknown(node))

    def _both(self, node: exp.Expression) -> list[Expr]:
        return [self.node(node.this), self.node(node.expression)]

    def _like(self, node: exp.Like) -> Expr:
        match = apply("like", self._both(node))
        return apply("not", [match]) if node.args.get("negate") else match

    def _in(self, node: exp.In) -> Expr:
        _only(node, ("this", "expressions"))
        value = self.node(node.this)
        choices = [self.node(expression) for expression in node.expressions]
        if not choices:
            raise RefusedError(_unknown(node))
        # A choice of another type, or one that is computed, is compared on its own.
        plain: list[Expr] = []
        compared: list[Expr] = []
        for literal in choices:
            is_alike = isinstance(literal, Literal) and literal.type is value.type is not None
            (plain if is_alike else compared).append(literal)
        joined = [apply("in", [value, *plain])] if plain else []
        return apply("or", [*joined, *(apply("=", [value, choice]) for choice in compared)])

    def _between(self, node: exp.Between) -> Expr:
        _only(node, ("this", "low", "high"))
        value = self.node(node.this)
        low = apply(">=", [value, self.node(node.args["low"])])
        return apply("and", [low, apply("<=", [value, self.node(node.args["high"])])])

    def _case(self, node: exp.Case) -> Expr:
        subject = self.node(node.this) if node.this is not None else None
        branches: list[tuple[Expr, Expr]] = []
        for branch in node.args["ifs"]:
            condition = self.node(branch.this)
            if subject is not None:
                condition = apply("=", [subject, condition])
            branches.append((condition, self.node(branch.args["true"])))
        default = node.args.get("default")
        return case(branches, NULL if default is None else self.node(default))

    def _if(self, node: exp.If) -> Expr:
        otherwise = node.args.get("false")
        branch = (self.node(node.this), self.node(node.args["true"]))
        return case([branch], NULL if otherwise is None else self.node(otherwise))

    def _nullif(self, node: exp.Nullif) -> Expr:
        value, other_literal = self._both(node)
        return case([(apply("=", [value, other_literal]), NULL)], value)

    def _cast(self, node: exp.Cast, how: str) -> Expr:
        target = _TYPES.get(node.to.this)
        digits = [expression.name for expression in node.to.expressions]
        of_millis = node.to.this is exp.DType.TIMESTAMP and digits == ["3"]
        if target is None or (digits and not of_millis):
            msg = (
                f"no cast to {node.to.sql()}; it may be to LONG, DOUBLE, STRING, BOOLEAN, DATE or "
                "TIMESTAMP(3)"
            )
            raise RefusedError(msg)
        value = self.node(node.this)
        if isinstance(value, Literal) and isinstance(target, TimeType) and how == "cast":
            text = str(value.value)
            if value.type is STRING and not is_moment(text, target):
                msg = f"{text[:80]!r} is no {target}; write it as '2024-12-31 23:59:59.999'"
                raise RefusedError(msg)
        return cast(value, target, how)

    def _trim(self, node: exp.Trim) -> Expr:
        _only(node, ("this", "expression", "position"))
        name = _TRIMS[str(node.args.get("position") or "").upper()]
        characters = node.args.get("expression")
        args = [self.node(node.this)]
        return apply(name, args if characters is None else [*args, self.node(characters)])


def _unit(node: exp.Expression | None, known: Sequence[str], name: str) -> str:
    unit = node.name.lower() if node is not None else ""
    if unit not in known:
        msg = f"{name} has no unit {unit[:40]!r}; choose one of {', '.join(known)}"
        raise RefusedError(msg)
    return unit


def _number(text: str) -> Literal:
    if text.lstrip("-").isdigit():
        number = int(text)
        if not fits_long(number):
            msg = f"{text} does not fit a LONG; write {text}.0 for a DOUBLE"
            raise RefusedError(msg)
        return Literal(value=number, type=LONG)
    try:
        return Literal(value=float(text), type=DOUBLE)
    except ValueError:
        msg = f"{text[:40]!r} is no number"
        raise RefusedError(msg) from None


def _span(node: exp.Expression) -> tuple[int, int] | None:
    """Return the range of characters of a node, as far as its tokens have positions."""
    places = [expr.meta for expr in node.walk() if "start" in expr.meta]
    if not places:
        return None
    return min(place["start"] for place in places), max(place["end"] for place in places) + 1


def _only(node: exp.Expression, parts: tuple[str, ...]) -> None:
    """Refuse a form with other parts than these."""
    for part, value in node.args.items():
        if part not in parts and isinstance(value, exp.Expression | list) and value:
            msg = f"this form of {_name_of(node)} is not among what an expression may use"
            raise RefusedError(msg)


def _name_of(node: exp.Expression) -> str:
    if isinstance(node, exp.Anonymous):
        return str(node.name).lower()
    if isinstance(node, exp.Func):
        return node.sql_name().lower()
    return node.key.upper()


def _unknown(node: exp.Expression) -> str:
    name = _name_of(node)
    if isinstance(node, exp.Func):
        listed = ", ".join(FUNCTION_NAMES)
        hint = did_you_mean(name, FUNCTION_NAMES)
        return f"there is no function {name[:60]!r}; the functions are {listed}{hint}"
    return f"{name} is not among what an expression may use"
