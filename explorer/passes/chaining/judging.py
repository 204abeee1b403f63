"""Every rule asked for every edge.

None is left out because an earlier one failed: the answer is kept as one bit a rule, and made into
words when somebody asks.
"""

from collections import Counter
from collections.abc import Callable
from typing import Final

from explorer.model.chains import JobSettings
from explorer.model.decisions import Decision, Verdict
from explorer.model.release import Release
from explorer.model.stream_graph import NodeId, StreamEdge, StreamGraph, StreamNode
from explorer.passes.chaining.conditions import Question, no_yielding_behind_legacy_source
from explorer.passes.chaining.rules import BIT, RULES


def judge_edges(graph: StreamGraph, settings: JobSettings, release: Release) -> tuple[int, ...]:
    """Ask every rule for every edge: by edge, the bits of the rules that do not hold; 0: chains."""
    rules = tuple((BIT[r.code], r.holds) for r in RULES if r.applies(release))
    question = _question(graph, settings, release)
    by_id, verdicts = graph.by_id, []
    for edge in graph.edges:
        question.edge = edge
        question.source, question.target = by_id[edge.source], by_id[edge.target]
        bits = 0
        for bit, holds in rules:
            if not holds(question):
                bits |= bit
        verdicts.append(bits)
    return tuple(verdicts)


def decide(
    graph: StreamGraph, settings: JobSettings, release: Release, edge: int, bits: int
) -> Decision:
    """The verdicts of one edge in words; ``bits`` as ``judge_edges`` gave them."""
    question = _question(graph, settings, release)
    question.edge = graph.edges[edge]
    question.source = graph.by_id[question.edge.source]
    question.target = graph.by_id[question.edge.target]
    return Decision(
        edge=edge,
        source=question.source.name,
        target=question.target.name,
        verdicts=tuple(
            Verdict(
                code=rule.code,
                title=rule.title,
                holds=not bits & BIT[rule.code],
                asked=rule.applies(release),
                values=rule.values(question),
            )
            for rule in RULES
        ),
    )


_NOBODY: Final = (
    StreamEdge(source=NodeId(0), target=NodeId(0), partitioner="", partitioner_class=""),
    StreamNode(id=NodeId(0), name="", parallelism=1),
    StreamNode(id=NodeId(0), name="", parallelism=1),
)
"""What a question holds before it is asked of an edge."""


def _question(graph: StreamGraph, settings: JobSettings, release: Release) -> Question:
    on_input = Counter((edge.target, edge.type_number) for edge in graph.edges)
    legacy = _legacy_heads(graph, settings, release, on_input)
    return Question(graph, settings, release, on_input, *_NOBODY, legacy_head=legacy)


def _legacy_heads(
    graph: StreamGraph,
    settings: JobSettings,
    release: Release,
    on_input: Counter[tuple[NodeId, int]],
) -> Callable[[NodeId], bool]:
    """Walk from a node to its chain's head, as ``getHeadOperator`` does, and remember the way."""
    known: dict[NodeId, bool] = {}
    rules = tuple(
        r.holds
        for r in RULES
        if r.applies(release) and r.holds is not no_yielding_behind_legacy_source
    )

    def legacy(start: NodeId) -> bool:
        way: list[NodeId] = []
        id = start
        while id not in known:
            way.append(id)
            edges = graph.in_edges[id]
            if len(edges) != 1 or not chains(edges[0]):
                known[id] = graph.by_id[id].legacy_source
                break
            id = graph.edges[edges[0]].source
        head = known[id]
        for passed in reversed(way):
            # A yielding operator that meets a legacy source starts a chain of its own.
            head = head and not graph.by_id[passed].yielding
            known[passed] = head
        return known[start]

    def chains(position: int) -> bool:
        edge = graph.edges[position]
        question.edge = edge
        question.source, question.target = graph.by_id[edge.source], graph.by_id[edge.target]
        return all(holds(question) for holds in rules)

    question = Question(graph, settings, release, on_input, *_NOBODY, legacy_head=legacy)
    return legacy
