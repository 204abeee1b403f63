"""Flink's conditions for chaining two operators, one row for each rule.

Mirrors ``StreamingJobGraphGenerator.isChainable``. A row contains the condition on one edge, the
reason that page and command line print, the values, the label on the graph, fixes and advice.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
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
    """One edge and all facts that a rule may read."""

    graph: StreamGraph
    settings: JobSettings
    release: Release
    on_input: int
    """How many edges reach the input of the target that this one reaches."""
    edge: StreamEdge
    source: StreamNode
    target: StreamNode
    legacy_head: Callable[[NodeId], bool]
    """Whether the chain that a node is part of starts with a legacy source."""


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """One of Flink's conditions for chaining two operators."""

    code: str
    """Stable: it never changes its meaning."""
    title: str
    holds: Callable[[ChainingQuestion], bool]
    """The condition."""
    reason: str
    """The requirement, and Flink's reason for it."""
    values: Callable[[ChainingQuestion], str]
    """The values that the condition reads, as a phrase."""
    label: str
    """Label of an edge on the graph where the condition fails; ``{source}`` and ``{target}`` are
    its nodes. Empty: the drawing shows the reason already."""
    fixes: Callable[[ChainingQuestion, Pipeline], Iterator[Proposal]] = lambda *_: iter(())
    """Changes of the document that may make the condition hold; default: none."""
    advice: Callable[[ChainingQuestion], str] = lambda _: (
        "No single change of the document makes it hold."
    )
    """Advice where no change makes the condition hold."""
    applies: ByRelease = every_release
    """Whether the release has this condition at all."""
    hashed: ByRelease = every_release
    """Whether the release's ``StreamGraphHasher`` checks it, too."""
    of_chained_source: bool = True
    """Whether it applies to a source that runs in its consumer's task: ``isChainableInput``."""
    needs_head: bool = False
    """Whether it reads the chain's head, so that it can be evaluated only once that is known."""


DIFFERENT_MAX: Final = "pipeline.operator-chaining.chain-operators-with-different-max-parallelism"
"""The option that CH09 reads."""


def _one_group(question: ChainingQuestion, _: Pipeline) -> Iterator[Proposal]:
    for node, other_node in (
        (question.target, question.source),
        (question.source, question.target),
    ):
        id, group = node.transformation or "", other_node.slot_sharing_group
        label = f"Move {id} to slot sharing group {quoted(group)}"
        yield to_set(id, "slot_sharing_group", group, label)


def _let_follow(question: ChainingQuestion, pipeline: Pipeline) -> Iterator[Proposal]:
    transformation = _find_transformation(pipeline, question.target)
    yield from _own_strategy(transformation)
    can_chain_sources = "HEAD_WITH_SOURCES" in KINDS[transformation.type].strategies
    if can_chain_sources and question.source.new_source:
        label = f"Let {transformation.id} take its sources into its task"
        yield to_set(transformation.id, "chaining_strategy", "HEAD_WITH_SOURCES", label)


def _follows_by_nature(question: ChainingQuestion) -> str:
    if question.target.chaining_strategy == "HEAD_WITH_SOURCES":
        return f"{question.target.name} chains FLIP-27 sources to itself, and no other operators."
    return _by_nature(question.target)


def _by_nature(node: StreamNode) -> str:
    return f"{node.chaining_strategy} comes with the operator {node.name} itself."


def _own_strategy(transformation: Transformation) -> Iterator[Proposal]:
    """Remove the program's own strategy; an operator's default stays."""
    if transformation.chaining_strategy in {"NEVER", "HEAD"}:
        id, strategy = transformation.id, transformation.chaining_strategy
        yield to_set(id, "chaining_strategy", None, f"Remove {strategy} from {id}")


def _yielding_and_source(question: ChainingQuestion) -> str:
    yields = "yields" if question.target.yielding else "does not yield"
    starts = "starts" if question.legacy_head(question.edge.source) else "does not start"
    return f"{question.target.name} {yields}, the chain {starts} with a legacy source"


def _new_source(question: ChainingQuestion, pipeline: Pipeline) -> Iterator[Proposal]:
    graph, node = question.graph, question.source
    while graph.in_edges[node.id]:
        node = graph.node(graph.edges[graph.in_edges[node.id][0]].source)
    if question.release.flip27_sources and node.legacy_source:
        yield as_new_source(_find_transformation(pipeline, node))


def as_new_source(old: Transformation) -> Proposal:
    """Propose a FLIP-27 source in the place of a legacy source."""
    width = {} if old.parallel else {"parallelism": 1}
    new = msgspec.structs.replace(old, type=KINDS[old.type].successor, parallel=True, **width)
    change = ReplaceTransformation(transformation=new)
    return Proposal(label=f"Make {old.id} a FLIP-27 source", change=change)


def _take_partitioner_off(question: ChainingQuestion, _: Pipeline) -> Iterator[Proposal]:
    if not question.edge.via:
        # REBALANCE because the parallelism differs: fixing that fixes this.
        return
    source, target = question.source.transformation or "", question.target.transformation or ""
    partitioner = question.edge.partitioner
    if question.source.parallelism == question.target.parallelism:
        partitioner = f"the partitioner {partitioner}"
    change = SetPartitioner(source=source, target=target, partitioner=None)
    yield Proposal(label=f"Remove {partitioner} from {source} → {target}", change=change)


def _partitioner_stays(question: ChainingQuestion) -> str:
    partitioner, target = question.edge.partitioner, question.target.name
    if not question.edge.via and question.source.parallelism != question.target.parallelism:
        return (
            f"Flink chose {partitioner} because the parallelism differs: a fix of CH08 also "
            "fixes CH06."
        )
    if partitioner_class(question.edge.partitioner_class).prints == "HASH":
        return f"{target} is keyed: its input must be HASH-partitioned, so it cannot be chained."
    return f"{target} requires the partitioner {partitioner}."


def _propose_pipelined(question: ChainingQuestion, pipeline: Pipeline) -> Iterator[Proposal]:
    for id in question.edge.via:
        if pipeline.transformation(id).exchange_mode == "BATCH":
            yield to_set(id, "exchange_mode", "UNDEFINED", f"Remove the BATCH exchange from {id}")


def _one_parallelism(question: ChainingQuestion, pipeline: Pipeline) -> Iterator[Proposal]:
    for node, other_node in (
        (question.target, question.source),
        (question.source, question.target),
    ):
        transformation = _find_transformation(pipeline, node)
        if not runs_alone(transformation):
            id, number = transformation.id, other_node.parallelism
            yield to_set(id, "parallelism", number, f"Set parallelism of {id} to {number}")


def _both_maxima(question: ChainingQuestion) -> str:
    may = "may" if question.settings.chain_different_max_parallelism else "may not"
    maxima = (node.max_parallelism for node in (question.source, question.target))
    text = " and ".join(str(maximum) if maximum > 0 else "unset" for maximum in maxima)
    return f"max parallelism {text}, which {may} differ"


def _one_maximum(question: ChainingQuestion, _: Pipeline) -> Iterator[Proposal]:
    change = SetOption(name=DIFFERENT_MAX, value=None)
    yield Proposal(label="Allow different max parallelism in a chain", change=change)
    if question.source.max_parallelism > 0:
        id, number = question.target.transformation or "", question.source.max_parallelism
        yield to_set(id, "max_parallelism", number, f"Set max parallelism of {id} to {number}")


def _chaining_on(_: ChainingQuestion, pipeline: Pipeline) -> Iterator[Proposal]:
    if not pipeline.environment.chaining:
        change = SetEnvironment(field="chaining", value=True)
        yield Proposal(label="Turn chaining on", change=change)


def _find_transformation(pipeline: Pipeline, node: StreamNode) -> Transformation:
    """The transformation that the node comes from."""
    return pipeline.transformation(node.transformation or "")


RULES: Final = (
    Rule(
        code="CH01",
        title="single input",
        holds=lambda question: len(question.graph.in_edges[question.edge.target]) == 1,
        reason="The downstream operator has this one input edge. A second edge brings records "
        "from elsewhere, and a chained operator is only ever called by the operator before it.",
        values=lambda question: counted(
            len(question.graph.in_edges[question.edge.target]), "input edge"
        ),
        label="several inputs",
        advice=lambda question: (
            f"No setting changes this: {question.target.name} reads several streams, so it starts "
            "a task of its own. Operators behind it can still chain to it."
        ),
        of_chained_source=False,
    ),
    Rule(
        code="CH02",
        title="same slot sharing group",
        holds=lambda question: (
            question.source.slot_sharing_group == question.target.slot_sharing_group
        ),
        reason="Both ends are in the same slot sharing group. A chain is one task in one slot; "
        "operators placed in different slots cannot share it.",
        values=lambda question: (
            f"slot sharing groups {quoted(question.source.slot_sharing_group)} "
            f"and {quoted(question.target.slot_sharing_group)}"
        ),
        label="slot sharing group {source.slot_sharing_group} / {target.slot_sharing_group}",
        fixes=_one_group,
    ),
    Rule(
        code="CH03",
        title="upstream allows chaining",
        holds=lambda question: question.source.chaining_strategy != "NEVER",
        reason="The upstream operator lets others be chained to it. Only NEVER forbids it; that "
        "is what disableChaining() sets.",
        values=lambda question: f"strategy {question.source.strategy_words}",
        label="upstream strategy forbids chaining",
        fixes=lambda question, pipeline: _own_strategy(
            _find_transformation(pipeline, question.source)
        ),
        advice=lambda question: _by_nature(question.source),
    ),
    Rule(
        code="CH04",
        title="downstream allows chaining",
        holds=lambda question: (
            question.target.chaining_strategy == "ALWAYS"
            or (
                question.target.chaining_strategy == "HEAD_WITH_SOURCES"
                and question.source.new_source
            )
        ),
        reason="The downstream operator lets itself be chained to the one before it. NEVER "
        "forbids it, HEAD forbids it too (startNewChain()), and HEAD_WITH_SOURCES allows it "
        "behind a FLIP-27 source only.",
        values=lambda question: f"strategy {question.target.strategy_words}",
        label="downstream strategy forbids chaining",
        fixes=_let_follow,
        advice=_follows_by_nature,
    ),
    Rule(
        code="CH05",
        title="no yielding operator after a legacy source",
        holds=lambda question: (
            not (question.target.yielding and question.legacy_head(question.edge.source))
        ),
        reason="No operator that yields to its mailbox shares a task with a legacy source. A "
        "legacy source emits from a thread of its own while it holds the checkpoint lock; an "
        "operator that waits for its mailbox in that thread would wait for ever.",
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
        holds=lambda question: partitioner_class(question.edge.partitioner_class).forward,
        reason="Records go to the subtask of the same number: the partitioner is FORWARD. A "
        "chained operator is called in the same thread, so a record cannot go to another subtask.",
        values=lambda question: f"partitioner {question.edge.partitioner}",
        label="",
        fixes=_take_partitioner_off,
        advice=_partitioner_stays,
    ),
    Rule(
        code="CH07",
        title="no batch exchange",
        holds=lambda question: (
            question.edge.exchange_mode != "BATCH"
            or question.edge.partitioner_class == FORWARD_CONSECUTIVE_HASH
        ),
        reason="The exchange is not BATCH. A BATCH exchange writes the whole result before its "
        "consumer starts; a call stack cannot. Between two SQL operators that hash by the same "
        "keys, Flink does without it.",
        values=lambda question: f"exchange mode {question.edge.exchange_mode}",
        label="batch exchange",
        fixes=_propose_pipelined,
        hashed=lambda release: release.hash_sees_exchange_mode,
    ),
    Rule(
        code="CH08",
        title="same parallelism",
        holds=lambda question: question.source.parallelism == question.target.parallelism,
        reason="Both ends run with the same number of subtasks. A record that is passed by a "
        "method call stays in its subtask.",
        values=lambda question: (
            f"parallelism {question.source.parallelism} and {question.target.parallelism}"
        ),
        label="parallelism {source.parallelism} / {target.parallelism}",
        fixes=_one_parallelism,
    ),
    Rule(
        code="CH09",
        title="same max parallelism",
        holds=lambda question: (
            question.settings.chain_different_max_parallelism
            or question.source.max_parallelism == question.target.max_parallelism
        ),
        reason="Both ends have the same maximum parallelism, where the job asks for that. A "
        "vertex takes its head's maximum; with "
        "pipeline.operator-chaining.chain-operators-with-different-max-parallelism set to false, "
        "operators with another one stay outside.",
        values=_both_maxima,
        label="max parallelism {source.max_parallelism} / {target.max_parallelism}",
        fixes=_one_maximum,
        applies=lambda release: release.max_parallelism_rule,
    ),
    Rule(
        code="CH10",
        title="chaining enabled",
        holds=lambda question: question.graph.chaining_enabled,
        reason="Chaining is on for the job. disableOperatorChaining() turns it off for all "
        "operators.",
        values=lambda question: f"chaining {'on' if question.graph.chaining_enabled else 'off'}",
        label="chaining is off",
        fixes=_chaining_on,
    ),
    Rule(
        code="CH11",
        title="both ends have an operator",
        holds=lambda question: (
            question.source.chaining_strategy is not None
            and question.target.chaining_strategy is not None
        ),
        reason="Both ends have an operator. The two ends of an iteration are tasks of their own, "
        "without one.",
        values=lambda question: (
            f"{question.source.vertex_class} and {question.target.vertex_class}"
        ),
        label="no operator",
        advice=lambda _: (
            "Both ends of an iteration are tasks of their own; no setting changes this."
        ),
    ),
    Rule(
        code="CH12",
        title="no union on this input",
        holds=lambda question: question.on_input == 1,
        reason="No other edge reaches the same input of the downstream operator. A union merges "
        "streams at the network; a chained edge does not pass it.",
        values=lambda question: (
            f"{counted(question.on_input, 'edge')} on input {question.edge.type_number}"
        ),
        label="union",
        advice=lambda question: (
            f"A union ends in the network: {question.target.name} could chain if no other stream "
            "reached this input."
        ),
        applies=lambda release: release.chained_sources,
    ),
)
"""Every condition, in the order in which the page shows them."""

NODE_FACTS: Final = (
    "slot_sharing_group",
    "chaining_strategy",
    "vertex_class",
    "yielding",
    "parallelism",
    "max_parallelism",
)
"""The fields of an edge's ends that decide about it; with these and ``EDGE_FACTS`` the rules have
the same verdict on two edges that have no edges beside them and a target that does not yield."""
EDGE_FACTS: Final = ("partitioner_class", "exchange_mode")

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
    """The bits of the conditions that its ``StreamGraphHasher`` checks, too."""
    return bits_of(rule for rule in RULES if rule.hashed(release))


OF_CHAINED_SOURCE: Final = bits_of(rule for rule in RULES if rule.of_chained_source)
"""The bits of the conditions of ``isChainableInput``."""
