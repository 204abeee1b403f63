"""Why an edge chains or not, in words, and what would fix it.

All conditions are named, not only the first that fails. For each that fails, the changes that may
fix it are tried: each comes with the pipeline that it makes and what else it changes.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from explorer.analysis.compare import effect_since
from explorer.analysis.data_set_text import data_set_edge_text
from explorer.analysis.identity import edge_identities
from explorer.analysis.suggested_fixes import Attempt, FixOutcome, SuggestedFix, try_proposal
from explorer.flink.compiler import Compilation
from explorer.flink.rules import Rule, failed
from explorer.model.chains import Decision, Verdict
from explorer.model.data_set import DataSetPlan
from explorer.model.frozen import FrozenRecord

NO_CONDITION: Final = (
    "The chaining conditions of the DataStream API do not apply to a DataSet program."
)


class EdgeExplanation(FrozenRecord, frozen=True, kw_only=True):
    """One edge, explained."""

    edge: int
    source: str
    target: str
    chained: bool
    headline: str
    sentences: tuple[str, ...]
    """For each failed condition what is needed, what is here instead, and why Flink wants it."""
    reasons: tuple[Verdict, ...]
    fixes: tuple[SuggestedFix, ...]
    advice: Mapping[str, str]
    """By code of a failed condition that has no fix of its own, what there is to say of it."""


def explain_edge(
    done: Compilation,
    edge: int,
    *,
    fixes: bool = True,
    since: Compilation | None = None,
    pause: Callable[[], None] = lambda: None,
) -> EdgeExplanation:
    """Explain the edge at this position of ``stream_graph.edges``.

    ``fixes=False`` leaves out the changes: trying one compiles the document again. ``since``: the
    baseline, from which the IDs that a fix changes are counted. ``pause`` is called between two
    changes; what it raises ends the explanation.
    """
    if done.data_set is not None:
        return _of_data_set(done, done.data_set, edge)
    decision = done.decision(edge)
    source = done.stream_graph.edges[edge].source
    swallowed = done.chains.chain_index.get(source) == 0 and done.release.chained_sources
    chained = decision.chained or swallowed
    tried, advised = _tried(done, edge, since or done, pause) if fixes and not chained else ([], {})
    return EdgeExplanation(
        edge=edge,
        source=decision.source,
        target=decision.target,
        chained=chained,
        headline=_headline(decision, swallowed=swallowed),
        sentences=tuple(_sentences(decision, swallowed=swallowed)),
        reasons=decision.verdicts,
        fixes=tuple(tried),
        advice=advised,
    )


def _of_data_set(done: Compilation, plan: DataSetPlan, position: int) -> EdgeExplanation:
    """Flink's own words for an edge of a DataSet program, which no chaining condition decided."""
    graph, job = done.stream_graph, done.job_graph
    edge = graph.edges[position]
    source, target = (graph.node(end).name for end in (edge.source, edge.target))
    ids = [job.vertices[job.vertex_of[end]].id for end in (edge.source, edge.target)]
    chained = ids[0] == ids[1]
    drivers = [one.driver for one in plan.by_task[ids[1]].chained if one.name == target]
    driver = f" as {drivers[0]}" if chained and len(drivers) == 1 else ""
    within = f"Chained: JobGraphGenerator put {target} into the task of {source}{driver}"
    return EdgeExplanation(
        edge=position,
        source=source,
        target=target,
        chained=chained,
        headline=within if chained else "Not chained: JobGraphGenerator made two tasks",
        sentences=(*data_set_edge_text(plan, (ids[0], ids[1]), edge.partitioner), NO_CONDITION),
        reasons=(),
        fixes=(),
        advice={},
    )


def _headline(decision: Decision, *, swallowed: bool) -> str:
    asked = sum(verdict.asked for verdict in decision.verdicts)
    failing = len(decision.failed)
    if decision.chained:
        return f"Chained: all {asked} conditions hold"
    if swallowed:
        return f"Chained: the source runs in the task of {decision.target}"
    return f"Not chained: {failing} of {asked} conditions fail{'s' * (failing == 1)}"


def _sentences(decision: Decision, *, swallowed: bool) -> Iterator[str]:
    if decision.chained:
        yield (
            f"{decision.target} is called by {decision.source} in the same thread: a record is "
            "passed by a method call and never serialised."
        )
    elif swallowed:
        yield (
            f"{decision.target} chains FLIP-27 sources into its own task (HEAD_WITH_SOURCES); "
            "CH01 does not apply there."
        )
    else:
        for verdict in decision.failed:
            yield f"{verdict.code} fails. {verdict.shortfall} {verdict.why}"


def _tried(
    done: Compilation, edge: int, since: Compilation, pause: Callable[[], None]
) -> tuple[list[SuggestedFix], dict[str, str]]:
    """All fixes that differ; and for each condition without one of its own, what else to say."""
    tried, advised = list[SuggestedFix](), dict[str, str]()
    for rule in failed(done.verdicts[edge]):
        fixes = list(_own(done, edge, rule, since, pause))
        same = [other.code for other in tried if any(other.pipeline == m.pipeline for m in fixes)]
        fresh = [m for m in fixes if all(other.pipeline != m.pipeline for other in tried)]
        if not fixes:
            advised[rule.code] = (
                "A StreamGraph document cannot be edited: change the program, or open its pipeline."
                if done.pipeline is None
                else rule.advice(done.question(edge))
            )
        elif not fresh:
            advised[rule.code] = f"What fixes {same[0]} fixes this too."
        tried += fresh
    return tried, advised


def _own(
    done: Compilation, edge: int, rule: Rule, since: Compilation, pause: Callable[[], None]
) -> Iterator[SuggestedFix]:
    """The fixes that the rule proposes, checked again; none for a StreamGraph document."""
    if done.pipeline is None:
        return
    for proposal in rule.fixes(done.question(edge), done.pipeline):
        pause()
        fix = try_proposal(
            done.pipeline,
            proposal,
            code=rule.code,
            check=lambda attempt: _outcome(done, attempt, edge, since),
            flink_version=done.release.version,
            before=done,
        )
        if fix is not None:
            yield fix


def _outcome(done: Compilation, attempt: Attempt, edge: int, since: Compilation) -> FixOutcome:
    """Whether the edge chains after the change, and what else is different."""
    after = attempt.compilation
    if after is None:
        return FixOutcome(solved=False, effect=attempt.refusal)
    return FixOutcome(
        solved=_chains_now(done, after, edge), effect=effect_since(since, done, after)
    )


def _chains_now(done: Compilation, after: Compilation, edge: int) -> bool:
    """Whether the same edge chains after the change."""
    wanted = edge_identities(done.stream_graph)[edge]
    chain_of = after.chains.chain_of
    return any(
        identity == wanted and chain_of[new.source] == chain_of[new.target]
        for new, identity in zip(
            after.stream_graph.edges, edge_identities(after.stream_graph), strict=True
        )
    )
