"""A function of an expression: argument types, result type and computation."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import msgspec

from explorer.engine.rows.expressions.kernel import Kernel
from explorer.engine.rows.expressions.time_types import Kind


class Function(msgspec.Struct, frozen=True):
    """A row of the list."""

    name: str
    params: tuple[tuple[Kind, ...], ...]
    """The types that each argument may have."""
    result: Kind | None
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
    problem: Callable[[Sequence[object]], str] | None = None
    """What is wrong with the values of the literals, in their order; empty: nothing."""
    to_text: bool = False
    """Whether arguments of any type are first written as text."""
    symbol: bool = False
    """Whether it is an operator, which a list of functions leaves out."""


def casts(name: str, source: tuple[Kind, ...], result: Kind, kernel: Kernel) -> Iterator[Function]:
    """``cast`` and ``try_cast``: a value that is none of the type fails its row, or becomes NULL.

    ``kernel`` is configured by ``fails``.
    """
    for how, fails in (("cast", True), ("try_cast", False)):
        bound = partial(kernel, fails=fails)
        yield Function(f"{how} {name}", (source,), result, bound, symbol=True)
