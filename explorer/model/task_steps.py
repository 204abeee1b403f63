"""The lifecycle of a task, one record per step, in Flink's order.

Mirrors ``OperatorChain`` as ``StreamTask`` drives it: it is built, its operators are restored and
opened, elements go through it, a checkpoint is taken, and it ends.
"""

from typing import Literal, TypeAlias

import msgspec

from explorer.model.stream_graph import NodeId

Phase = Literal[
    "build",
    "start",
    "record",
    "watermark",
    "watermark status",
    "latency marker",
    "checkpoint",
    "complete",
    "end",
]
Element = Literal["record", "watermark", "watermark status", "latency marker"]


class _InPhase(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag_field="action"):
    """Base of all steps; ``action`` is the kind of step in JSON."""

    phase: Phase


class NetworkOutputMade(_InPhase, frozen=True, kw_only=True, gc=False, tag="network output"):
    """``createStreamOutput``: a writer for a result partition."""

    network: int


class OperatorMade(_InPhase, frozen=True, kw_only=True, gc=False, tag="operator"):
    """``createOperator``: what it writes to is there already."""

    node: NodeId


class WrappersLinked(_InPhase, frozen=True, kw_only=True, gc=False, tag="linked"):
    """``linkOperatorWrappers``, or the array that earlier releases fill."""

    order: tuple[NodeId, ...]
    """Head first; of an array, as it is filled."""


class OperatorCalled(_InPhase, frozen=True, kw_only=True, gc=False, tag="call"):
    """The task calls an operator itself."""

    node: NodeId
    method: str


class ElementPassed(_InPhase, frozen=True, kw_only=True, gc=False, tag="hand on"):
    """An element goes on, by a call in the same thread or over the network."""

    element: Element
    source: NodeId | None
    """The operator that emits it; None: an input of the task, or the chain."""
    target: NodeId | None
    """The operator that gets it; None: it leaves the task."""
    network: int | None
    """The network output that it leaves by."""
    method: str
    """What is called of the target, or of the network output."""
    through: tuple[str, ...]
    """The classes that it goes through."""
    tag: str | None = None
    """The side output of which records go here; None: the main output."""
    copied: bool = False
    alternatives: int = 1
    """Number of outputs, one of which is picked at random."""


class BarrierSent(_InPhase, frozen=True, kw_only=True, gc=False, tag="barrier"):
    """``broadcastEvent``: the checkpoint's barrier leaves by a network output."""

    network: int


EndAction: TypeAlias = Literal[
    "offer queue",
    "find queue",
    "set up",
    "last watermark",
    "take",
    "push",
    "ignore",
    "forget",
    "give up",
    "input ends",
]


class EndActed(_InPhase, frozen=True, kw_only=True, gc=False, tag="iteration"):
    """An action of an iteration's head or tail that no operator performs."""

    does: EndAction


TaskStep: TypeAlias = (
    NetworkOutputMade
    | OperatorMade
    | WrappersLinked
    | OperatorCalled
    | ElementPassed
    | BarrierSent
    | EndActed
)
