"""What a check says when it finds something: where in a transformation, and the sentence."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import msgspec

from explorer.model.pipeline import Environment, Transformation


class Fault(NamedTuple):
    """A broken rule."""

    at: str
    """The place, seen from the transformation: ``rows.path``; empty for the whole of it."""
    problem: str


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """What a check may look at besides its transformation."""

    environment: Environment
    transformations: tuple[Transformation, ...]
    positions: dict[str, int]
    """By id, the position of each transformation."""

    def input_of(self, transformation: Transformation, position: int = 0) -> Transformation:
        """The transformation behind an input; it must be declared."""
        return self.transformations[self.positions[transformation.inputs[position]]]


Check: TypeAlias = Callable[[Transformation, Program], Fault | None]
