"""Checks the argument types of a function and returns its result type.

Raises ``TypeError`` with a sentence; the parser adds the place and the text.
"""

from collections.abc import Sequence

from explorer.engine.rows.expressions.functions import FUNCTIONS, common
from explorer.engine.rows.expressions.ir import Call, Case, Expr, Kind, Literal, TimeType
from explorer.engine.rows.expressions.kernel import Function
from explorer.model.row_type import BOOLEAN, DOUBLE, LONG, STRING
from explorer.wording import counted


def apply(name: str, args: Sequence[Expr]) -> Expr:
    """Call ``name`` on typed arguments, widening LONG to DOUBLE where needed."""
    function = FUNCTIONS[name]
    _check_count(function, len(args))
    _check_literals(function, args)
    fitted = [_fit_argument(function, place, arg) for place, arg in enumerate(args)]
    shared = fitted[0].type if fitted else None
    if function.alike:
        shared = common([arg.type for arg in fitted], function.name)
        fitted = [coerced(arg, shared) for arg in fitted]
    return Call(function=name, args=tuple(fitted), type=function.result or shared)


def _check_count(function: Function, values: int) -> None:
    maximum = len(function.params)
    minimum = maximum if function.required is None else function.required
    if values < minimum or (values > maximum and not function.variadic):
        expected = (
            counted(minimum, "argument")
            if minimum == maximum
            else f"{minimum} to {maximum} arguments"
        )
        expected = f"at least {counted(minimum, 'argument')}" if function.variadic else expected
        msg = f"{function.name} takes {expected}, not {values}"
        raise TypeError(msg)


def _check_literals(function: Function, args: Sequence[Expr]) -> None:
    values: list[object] = []
    for place in function.literal:
        if place < len(args):
            arg = args[place]
            if not isinstance(arg, Literal) or arg.value is None:
                msg = f"argument {place + 1} of {function.name} must stand there as a literal"
                raise TypeError(msg)
            values.append(arg.value)
    if function.problem is not None and (problem := function.problem(values)):
        raise TypeError(problem)


def _fit_argument(function: Function, place: int, arg: Expr) -> Expr:
    """Convert an argument to a type that the function accepts at its position."""
    allowed = function.params[min(place, len(function.params) - 1)]
    if function.to_text:
        return cast(arg, STRING)
    if arg.type is None:
        return coerced(arg, allowed[0]) if not function.alike else arg
    if arg.type in allowed:
        return arg
    if arg.type is LONG and DOUBLE in allowed:
        return coerced(arg, DOUBLE)
    expected = " or ".join(str(kind) for kind in allowed)
    msg = f"{function.name} takes {expected}, and argument {place + 1} is {arg.type}"
    raise TypeError(msg)


def coerced(node: Expr, target: Kind | None) -> Expr:
    """Give NULL the type ``target``, and widen LONG to DOUBLE; other values stay unchanged."""
    if target is None or node.type is target:
        return node
    if isinstance(node, Literal) and (node.value is None or target is DOUBLE):
        value = float(node.value) if isinstance(node.value, int) else None
        return Literal(value=value, type=target)
    return cast(node, target)


def cast(node: Expr, target: Kind, how: str = "cast") -> Expr:
    """Convert ``node`` to ``target`` unless it has that type."""
    if node.type is target:
        return node
    if isinstance(node, Literal) and node.value is None:
        return Literal(value=None, type=target)
    name = f"{how} {target}"
    if isinstance(node.type, TimeType) or isinstance(target, TimeType):
        # A conversion from a time never fails, so ``try_cast`` equals ``cast``.
        name = f"{how if node.type is STRING else 'cast'} {target} {node.type}"
        if name not in FUNCTIONS:
            msg = f"no cast from {node.type} to {target}"
            raise TypeError(msg)
    return Call(function=name, args=(node,), type=target)


def case(branches: Sequence[tuple[Expr, Expr]], default: Expr) -> Expr:
    """Create a CASE: conditions are BOOLEAN, values have a common type."""
    for condition, _ in branches:
        if condition.type not in (BOOLEAN, None):
            msg = f"a condition must be BOOLEAN, and this is {condition.type}"
            raise TypeError(msg)
    shared = common([*(value.type for _, value in branches), default.type], "the values of a case")
    return Case(
        branches=tuple(
            (coerced(condition, BOOLEAN), coerced(value, shared)) for condition, value in branches
        ),
        default=coerced(default, shared),
        type=shared,
    )
