"""Flink's conditions for chaining two operators, one function each.

A condition answers for one edge. Its docstring says what must hold and why Flink wants it; the page
and the command line print that text.
"""

from collections import Counter
from collections.abc import Callable

import msgspec

from explorer.flink.release import Release
from explorer.model.chains import JobSettings
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


def single_input(q: Question) -> bool:
    """The downstream operator has this one input edge.

    A second edge brings records from elsewhere, and a chained operator is only ever called by the
    operator before it.
    """
    return len(q.graph.in_edges[q.edge.target]) == 1


def same_slot_sharing_group(q: Question) -> bool:
    """Both ends are in the same slot sharing group.

    A chain is one task in one slot; operators kept in different slots cannot share it.
    """
    return q.source.slot_sharing_group == q.target.slot_sharing_group


def upstream_may_lead(q: Question) -> bool:
    """The upstream operator lets others be chained to it.

    Only NEVER forbids it; that is what ``disableChaining()`` sets.
    """
    return q.source.chaining_strategy != "NEVER"


def downstream_may_follow(q: Question) -> bool:
    """The downstream operator lets itself be chained to the one before it.

    NEVER forbids it, HEAD forbids it too (``startNewChain()``), and HEAD_WITH_SOURCES allows it
    behind a FLIP-27 source only.
    """
    strategy = q.target.chaining_strategy
    return strategy == "ALWAYS" or (strategy == "HEAD_WITH_SOURCES" and q.source.new_source)


def no_yielding_behind_legacy_source(q: Question) -> bool:
    """No operator that yields to its mailbox shares a task with a legacy source.

    A legacy source emits from a thread of its own while it holds the checkpoint lock; an operator
    that waits for its mailbox in that thread would wait for ever.
    """
    return not (q.target.yielding and q.legacy_head(q.edge.source))


def forward_partitioning(q: Question) -> bool:
    """Records go to the subtask of the same number: the partitioner is FORWARD.

    A chained operator is called in its own thread, so a record cannot go to another subtask.
    """
    return q.edge.partitioner == "FORWARD"


def no_batch_exchange(q: Question) -> bool:
    """The exchange is not BATCH.

    A BATCH exchange writes the whole result before its consumer starts; a call stack cannot.
    """
    return q.edge.exchange_mode != "BATCH"


def same_parallelism(q: Question) -> bool:
    """Both ends run with equally many subtasks.

    A record handed on by a method call cannot change its subtask.
    """
    return q.source.parallelism == q.target.parallelism


def same_max_parallelism(q: Question) -> bool:
    """Both ends have the same maximum parallelism, where the job asks for that.

    A vertex takes its head's maximum; with
    ``pipeline.operator-chaining.chain-operators-with-different-max-parallelism`` set to false,
    operators with another one stay outside.
    """
    return (
        q.settings.chain_different_max_parallelism
        or q.source.max_parallelism == q.target.max_parallelism
    )


def chaining_enabled(q: Question) -> bool:
    """Chaining is on for the job.

    ``disableOperatorChaining()`` turns it off for all operators.
    """
    return q.graph.chaining_enabled


def both_have_operators(q: Question) -> bool:
    """Both ends have an operator.

    The two ends of an iteration are tasks of their own, without one.
    """
    return q.source.chaining_strategy is not None and q.target.chaining_strategy is not None


def no_union_on_input(q: Question) -> bool:
    """No other edge reaches the same input of the downstream operator.

    A union merges streams at the network; a chained edge does not pass it.
    """
    return q.on_input[q.edge.target, q.edge.type_number] == 1
