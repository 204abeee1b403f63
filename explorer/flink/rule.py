"""What a chaining rule is: one row, and the question that is put to it."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property

import msgspec

from explorer.flink.releases import Release
from explorer.model.chains import JobSettings
from explorer.model.changes import Proposal
from explorer.model.pipeline import Pipeline
from explorer.model.stream_graph import NodeId, StreamEdge, StreamGraph, StreamNode


class Question(msgspec.Struct, frozen=True, gc=False):
    """One edge and all that a rule may look at."""

    graph: StreamGraph
    settings: JobSettings
    release: Release
    on_input: Counter[tuple[NodeId, int]]
    """By node and input, how many edges reach it."""
    edge: StreamEdge
    source: StreamNode
    target: StreamNode
    legacy_head: Callable[[NodeId], bool]
    """Whether the chain that a node is part of starts with a legacy source."""


def every_release(_: Release) -> bool:
    """Whatever the release."""
    return True


def no_mend(_: Question, __: Pipeline) -> Iterator[Proposal]:
    """No change of a document would help."""
    return iter(())


def no_single_change(_: Question) -> str:
    """What there is to say where a mend is known, and none fits this document."""
    return "No single change of the document makes it hold."


class Rule(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One of Flink's conditions for chaining two operators."""

    code: str
    """Stable: it never changes its meaning."""
    title: str
    holds: Callable[[Question], bool]
    """The condition; its docstring says what must hold and why Flink wants it."""
    values: Callable[[Question], str]
    """What it looked at, in words."""
    label: str
    """What cuts an edge, in a word or two on the graph; ``{source}`` and ``{target}`` are its
    nodes. Empty: what is drawn there anyhow says it."""
    mends: Callable[[Question, Pipeline], Iterator[Proposal]] = no_mend
    """The changes of the document that may make it hold."""
    advice: Callable[[Question], str] = no_single_change
    """What there is to say where no change makes it hold."""
    applies: Callable[[Release], bool] = every_release
    """Whether the release has this condition at all."""
    hashed: Callable[[Release], bool] = every_release
    """Whether the release's ``StreamGraphHasher`` asks it, too."""
    of_chained_source: bool = True
    """Whether it is asked of a source that runs in its consumer's task: ``isChainableInput``."""
    needs_head: bool = False
    """Whether it looks at the chain's head: on the way there it cannot be asked."""

    @cached_property
    def reason(self) -> str:
        """What must hold and why, in one line."""
        return " ".join((self.holds.__doc__ or "").split())
