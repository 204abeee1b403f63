"""Flink's conditions for chaining two operators, one row for each rule.

Mirrors ``StreamingJobGraphGenerator.isChainable``. A condition answers for one edge; its docstring
states what must hold and why Flink wants it, and the page and the command line print that text.
What belongs to a rule stands with it: its values, its label on the graph, its fixes and its advice.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from typing import Final

import msgspec

from explorer.flink.kinds import KINDS, runs_alone
from explorer.flink.partitioners import FORWARD_CONSECUTIVE_HASH, partitioner_class
from explorer.flink.releases import ByRelease, Release, every_release
from explorer.model.chains import JobSettings
from explorer.model.changes import (
    Proposal,
    ReplaceTransformation,
    SetEnvironment,
    SetOption,
    SetPartitioner,
    to_set,
)
from explorer.model.pipeline import Pipeline, Transformation
from explorer.model.stream_graph import NodeId, StreamEdge, StreamGraph, StreamNode
from explorer.wording import counted, quoted


class ChainingQuestion(msgspec.Struct, frozen=True, gc=False):
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


class Rule(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One of Flink's conditions for chaining two operators."""

    code: str
    """Stable: it never changes its meaning."""
    title: str
    holds: Callable[[ChainingQuestion], bool]
    """The condition; its docstring states what must hold and why Flink wants it."""
    values: Callable[[ChainingQuestion], str]
    """What it looked at, in words that stand alone: what is here where the condition fails."""
    label: str
    """What cuts an edge, in a word or two on the graph; ``{source}`` and ``{target}`` are its
    nodes. Empty: the drawing shows it anyhow."""
    fixes: Callable[[ChainingQuestion, Pipeline], Iterator[Proposal]] = lambda *_: iter(())
    """Changes of the document that may make the condition hold; default: none."""
    advice: Callable[[ChainingQuestion], str] = lambda _: (
        "No single change of the document makes it hold."
    )
    """Advice where no change makes the condition hold."""
    applies: ByRelease = every_release
    """Whether the release has this condition at all."""
    hashed: ByRelease = every_release
    """Whether the release's ``StreamGraphHasher`` asks it, too."""
    of_chained_source: bool = True
    """Whether it is asked of a source that runs in its consumer's task: ``isChainableInput``."""
    needs_head: bool = False
    """Whether it looks at the chain's head: before that it cannot be evaluated."""

    @cached_property
    def reason(self) -> str:
        """What must hold and why, in one line, without the marks of code."""
        return " ".join((self.holds.__doc__ or "").replace("``", "").split())


DIFFERENT_MAX: Final = "pipeline.operator-chaining.chain-operators-with-different-max-parallelism"
"""The option that CH09 asks."""


def single_input(q: ChainingQuestion) -> bool:
    """The downstream operator has this one input edge.

    A second edge brings records from elsewhere, and a chained operator is only ever called by the
    operator before it.
    """
    return len(q.graph.in_edges[q.edge.target]) == 1


def same_slot_sharing_group(q: ChainingQuestion) -> bool:
    """Both ends are in the same slot sharing group.

    A chain is one task in one slot; operators placed in different slots cannot share it.
    """
    return q.source.slot_sharing_group == q.target.slot_sharing_group


def _one_group(q: ChainingQuestion, _: Pipeline) -> Iterator[Proposal]:
    for node, other in ((q.target, q.source), (q.source, q.target)):
        id, group = node.transformation or "", other.slot_sharing_group
        label = f"Move {id} to slot sharing group {quoted(group)}"
        yield to_set(id, "slot_sharing_group", group, label)


def upstream_may_lead(q: ChainingQuestion) -> bool:
    """The upstream operator lets others be chained to it.

    Only NEVER forbids it; that is what ``disableChaining()`` sets.
    """
    return q.source.chaining_strategy != "NEVER"


def downstream_may_follow(q: ChainingQuestion) -> bool:
    """The downstream operator lets itself be chained to the one before it.

    NEVER forbids it, HEAD forbids it too (``startNewChain()``), and HEAD_WITH_SOURCES allows it
    behind a FLIP-27 source only.
    """
    strategy = q.target.chaining_strategy
    return strategy == "ALWAYS" or (strategy == "HEAD_WITH_SOURCES" and q.source.new_source)


def _let_follow(q: ChainingQuestion, pipeline: Pipeline) -> Iterator[Proposal]:
    transformation = _declared(pipeline, q.target)
    yield from _own_strategy(transformation)
    can_chain_sources = "HEAD_WITH_SOURCES" in KINDS[transformation.type].strategies
    if can_chain_sources and q.source.new_source:
        label = f"Let {transformation.id} take its sources into its task"
        yield to_set(transformation.id, "chaining_strategy", "HEAD_WITH_SOURCES", label)


def _follows_by_nature(q: ChainingQuestion) -> str:
    if q.target.chaining_strategy == "HEAD_WITH_SOURCES":
        return f"{q.target.name} chains FLIP-27 sources to itself, and no other operators."
    return _by_nature(q.target)


def _by_nature(node: StreamNode) -> str:
    return f"{node.chaining_strategy} comes with the operator {node.name} itself."


def _own_strategy(transformation: Transformation) -> Iterator[Proposal]:
    """Remove the program's own strategy; an operator's default stays."""
    if transformation.chaining_strategy in {"NEVER", "HEAD"}:
        id, strategy = transformation.id, transformation.chaining_strategy
        yield to_set(id, "chaining_strategy", None, f"Remove {strategy} from {id}")


def no_yielding_behind_legacy_source(q: ChainingQuestion) -> bool:
    """No operator that yields to its mailbox shares a task with a legacy source.

    A legacy source emits from a thread of its own while it holds the checkpoint lock; an operator
    that waits for its mailbox in that thread would wait for ever.
    """
    return not (q.target.yielding and q.legacy_head(q.edge.source))


def _yielding_and_source(q: ChainingQuestion) -> str:
    yields = "yields" if q.target.yielding else "does not yield"
    starts = "starts" if q.legacy_head(q.edge.source) else "does not start"
    return f"{q.target.name} {yields}, the chain {starts} with a legacy source"


def _new_source(q: ChainingQuestion, pipeline: Pipeline) -> Iterator[Proposal]:
    graph, node = q.graph, q.source
    while graph.in_edges[node.id]:
        node = graph.node(graph.edges[graph.in_edges[node.id][0]].source)
    if q.release.flip27_sources and node.legacy_source:
        yield as_new_source(_declared(pipeline, node))


def as_new_source(old: Transformation) -> Proposal:
    """A legacy source as the FLIP-27 source that does the same."""
    one = {} if old.parallel else {"parallelism": 1}
    new = msgspec.structs.replace(old, type=KINDS[old.type].successor, parallel=True, **one)
    change = ReplaceTransformation(transformation=new)
    return Proposal(label=f"Make {old.id} a FLIP-27 source", change=change)


def forward_partitioning(q: ChainingQuestion) -> bool:
    """Records go to the subtask of the same number: the partitioner is FORWARD.

    A chained operator is called in the same thread, so a record cannot go to another subtask.
    """
    return partitioner_class(q.edge.partitioner_class).forward


def _take_partitioner_off(q: ChainingQuestion, _: Pipeline) -> Iterator[Proposal]:
    if not q.edge.via:
        # REBALANCE because the parallelism differs: fixing that fixes this.
        return
    source, target = q.source.transformation or "", q.target.transformation or ""
    what = q.edge.partitioner
    if q.source.parallelism == q.target.parallelism:
        what = f"the partitioner {what}"
    change = SetPartitioner(source=source, target=target, partitioner=None)
    yield Proposal(label=f"Remove {what} from {source} → {target}", change=change)


def _partitioner_stays(q: ChainingQuestion) -> str:
    partitioner, target = q.edge.partitioner, q.target.name
    if not q.edge.via and q.source.parallelism != q.target.parallelism:
        return (
            f"Flink chose {partitioner} because the parallelism differs: a fix of CH08 also "
            "fixes CH06."
        )
    if partitioner_class(q.edge.partitioner_class).prints == "HASH":
        return f"{target} is keyed: its input must be HASH-partitioned, so it cannot be chained."
    return f"{target} requires the partitioner {partitioner}."


def no_batch_exchange(q: ChainingQuestion) -> bool:
    """The exchange is not BATCH.

    A BATCH exchange writes the whole result before its consumer starts; a call stack cannot.
    Between two SQL operators that hash by the same keys, Flink does without it.
    """
    return q.edge.exchange_mode != "BATCH" or q.edge.partitioner_class == FORWARD_CONSECUTIVE_HASH


def _pipelined(q: ChainingQuestion, pipeline: Pipeline) -> Iterator[Proposal]:
    for id in q.edge.via:
        if pipeline.transformation(id).exchange_mode == "BATCH":
            yield to_set(id, "exchange_mode", "UNDEFINED", f"Remove the BATCH exchange from {id}")


def same_parallelism(q: ChainingQuestion) -> bool:
    """Both ends run with the same number of subtasks.

    A record that is passed by a method call stays in its subtask.
    """
    return q.source.parallelism == q.target.parallelism


def _one_parallelism(q: ChainingQuestion, pipeline: Pipeline) -> Iterator[Proposal]:
    for node, other in ((q.target, q.source), (q.source, q.target)):
        transformation = _declared(pipeline, node)
        if not runs_alone(transformation):
            id, number = transformation.id, other.parallelism
            yield to_set(id, "parallelism", number, f"Set parallelism of {id} to {number}")


def same_max_parallelism(q: ChainingQuestion) -> bool:
    """Both ends have the same maximum parallelism, where the job asks for that.

    A vertex takes its head's maximum; with
    ``pipeline.operator-chaining.chain-operators-with-different-max-parallelism`` set to false,
    operators with another one stay outside.
    """
    return (
        q.settings.chain_different_max_parallelism
        or q.source.max_parallelism == q.target.max_parallelism
    )


def _both_maxima(q: ChainingQuestion) -> str:
    may = "may" if q.settings.chain_different_max_parallelism else "may not"
    both = (node.max_parallelism for node in (q.source, q.target))
    text = " and ".join(str(maximum) if maximum > 0 else "unset" for maximum in both)
    return f"max parallelism {text}, which {may} differ"


def _one_maximum(q: ChainingQuestion, _: Pipeline) -> Iterator[Proposal]:
    change = SetOption(name=DIFFERENT_MAX, value=None)
    yield Proposal(label="Allow different max parallelism in a chain", change=change)
    if q.source.max_parallelism > 0:
        id, number = q.target.transformation or "", q.source.max_parallelism
        yield to_set(id, "max_parallelism", number, f"Set max parallelism of {id} to {number}")


def chaining_enabled(q: ChainingQuestion) -> bool:
    """Chaining is on for the job.

    ``disableOperatorChaining()`` turns it off for all operators.
    """
    return q.graph.chaining_enabled


def _chaining_on(_: ChainingQuestion, pipeline: Pipeline) -> Iterator[Proposal]:
    if not pipeline.environment.chaining:
        change = SetEnvironment(field="chaining", value=True)
        yield Proposal(label="Turn chaining on", change=change)


def both_have_operators(q: ChainingQuestion) -> bool:
    """Both ends have an operator.

    The two ends of an iteration are tasks of their own, without one.
    """
    return q.source.chaining_strategy is not None and q.target.chaining_strategy is not None


def no_union_on_input(q: ChainingQuestion) -> bool:
    """No other edge reaches the same input of the downstream operator.

    A union merges streams at the network; a chained edge does not pass it.
    """
    return q.on_input[q.edge.target, q.edge.type_number] == 1


def _declared(pipeline: Pipeline, node: StreamNode) -> Transformation:
    """The transformation that the node comes from."""
    return pipeline.transformation(node.transformation or "")


RULES: Final = (
    Rule(
        code="CH01",
        title="single input",
        holds=single_input,
        values=lambda q: counted(len(q.graph.in_edges[q.edge.target]), "input edge"),
        label="several inputs",
        advice=lambda q: (
            f"No setting changes this: {q.target.name} reads several streams, so it starts a task "
            "of its own. Operators behind it can still chain to it."
        ),
        of_chained_source=False,
    ),
    Rule(
        code="CH02",
        title="same slot sharing group",
        holds=same_slot_sharing_group,
        values=lambda q: (
            f"slot sharing groups {quoted(q.source.slot_sharing_group)} "
            f"and {quoted(q.target.slot_sharing_group)}"
        ),
        label="slot sharing group {source.slot_sharing_group} / {target.slot_sharing_group}",
        fixes=_one_group,
    ),
    Rule(
        code="CH03",
        title="upstream allows chaining",
        holds=upstream_may_lead,
        values=lambda q: f"strategy {q.source.chaining_strategy}",
        label="upstream strategy forbids chaining",
        fixes=lambda q, pipeline: _own_strategy(_declared(pipeline, q.source)),
        advice=lambda q: _by_nature(q.source),
    ),
    Rule(
        code="CH04",
        title="downstream allows chaining",
        holds=downstream_may_follow,
        values=lambda q: f"strategy {q.target.chaining_strategy}",
        label="downstream strategy forbids chaining",
        fixes=_let_follow,
        advice=_follows_by_nature,
    ),
    Rule(
        code="CH05",
        title="no yielding operator after a legacy source",
        holds=no_yielding_behind_legacy_source,
        values=_yielding_and_source,
        label="legacy source",
        fixes=_new_source,
        advice=lambda _: (
            "This release has no FLIP-27 source that could take the legacy source's place."
        ),
        applies=lambda release: release.yielding_rule,
        needs_head=True,
    ),
    Rule(
        code="CH06",
        title="forward partitioning",
        holds=forward_partitioning,
        values=lambda q: f"partitioner {q.edge.partitioner}",
        label="",
        fixes=_take_partitioner_off,
        advice=_partitioner_stays,
    ),
    Rule(
        code="CH07",
        title="no batch exchange",
        holds=no_batch_exchange,
        values=lambda q: f"exchange mode {q.edge.exchange_mode}",
        label="batch exchange",
        fixes=_pipelined,
        hashed=lambda release: release.hash_sees_exchange_mode,
    ),
    Rule(
        code="CH08",
        title="same parallelism",
        holds=same_parallelism,
        values=lambda q: f"parallelism {q.source.parallelism} and {q.target.parallelism}",
        label="parallelism {source.parallelism} / {target.parallelism}",
        fixes=_one_parallelism,
    ),
    Rule(
        code="CH09",
        title="same max parallelism",
        holds=same_max_parallelism,
        values=_both_maxima,
        label="max parallelism {source.max_parallelism} / {target.max_parallelism}",
        fixes=_one_maximum,
        applies=lambda release: release.max_parallelism_rule,
    ),
    Rule(
        code="CH10",
        title="chaining enabled",
        holds=chaining_enabled,
        values=lambda q: f"chaining {'on' if q.graph.chaining_enabled else 'off'}",
        label="chaining is off",
        fixes=_chaining_on,
    ),
    Rule(
        code="CH11",
        title="both ends have an operator",
        holds=both_have_operators,
        values=lambda q: f"{q.source.vertex_class} and {q.target.vertex_class}",
        label="no operator",
        advice=lambda _: (
            "Both ends of an iteration are tasks of their own; no setting changes this."
        ),
    ),
    Rule(
        code="CH12",
        title="no union on this input",
        holds=no_union_on_input,
        values=lambda q: (
            f"{counted(q.on_input[q.edge.target, q.edge.type_number], 'edge')} "
            f"on input {q.edge.type_number}"
        ),
        label="union",
        advice=lambda q: (
            f"A union ends in the network: {q.target.name} could chain if no other stream reached "
            "this input."
        ),
        applies=lambda release: release.chained_sources,
    ),
)
"""Every condition, in the order in which the page shows them."""

BIT: Final = {rule.code: 1 << position for position, rule in enumerate(RULES)}
"""By code, the bit that is set where the rule does not hold."""


def bits_of(rules: Iterable[Rule]) -> int:
    """The bits of these rules together."""
    return sum(BIT[rule.code] for rule in rules)


@cache
def failed(bits: int) -> tuple[Rule, ...]:
    """The rules that do not hold; ``bits`` as ``judge_edges`` gives them for an edge."""
    return tuple(rule for rule in RULES if bits & BIT[rule.code])


@cache
def rules_of(release: Release) -> tuple[Rule, ...]:
    """The conditions that a release has, in the order of the table."""
    return tuple(rule for rule in RULES if rule.applies(release))


@cache
def hashed_bits(release: Release) -> int:
    """The bits of the conditions that its ``StreamGraphHasher`` asks, too."""
    return bits_of(rule for rule in RULES if rule.hashed(release))


OF_CHAINED_SOURCE: Final = bits_of(rule for rule in RULES if rule.of_chained_source)
"""The bits of the conditions of ``isChainableInput``."""
