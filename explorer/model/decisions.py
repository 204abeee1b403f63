"""Why an edge chains or not: every condition with its code, its verdict and what it looked at."""

import msgspec


class Verdict(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One condition, asked for one edge."""

    code: str
    """Stable: ``CH01`` never changes its meaning."""
    title: str
    holds: bool
    asked: bool
    """Whether the chosen Flink release has this condition at all."""
    values: str
    """What the condition looked at, in words."""
    text: str
    """What must hold, and why Flink wants it."""


class Decision(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """All conditions of one edge."""

    edge: int
    """The position in ``StreamGraph.edges``."""
    source: str
    """The source operator's name."""
    target: str
    verdicts: tuple[Verdict, ...]

    @property
    def chained(self) -> bool:
        """Whether Flink lets the edge's ends share a task."""
        return all(verdict.holds for verdict in self.verdicts)

    @property
    def failed(self) -> tuple[Verdict, ...]:
        """The conditions that do not hold."""
        return tuple(verdict for verdict in self.verdicts if not verdict.holds)
