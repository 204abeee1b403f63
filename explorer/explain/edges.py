"""Explains why an edge chains or not, and suggests fixes.

All conditions are named, not only the first that fails. For each that fails, the changes that may
fix it are tried: each comes with the changed pipeline and its other effects.
"""

from collections.abc import Callable, Mapping

from explorer.comparison.compare import effect_since
from explorer.comparison.identity import edge_identities
from explorer.explain.data_set_text import data_set_edge_text
from explorer.explain.suggested_fixes import Attempt, FixOutcome, SuggestedFix, try_proposal
from explorer.flink.compiler import Compilation
from explorer.flink.rules import failed
from explorer.model.chains import Decision, Verdict
from explorer.model.data_set import DataSetPlan
from explorer.model.frozen import FrozenRecord
from explorer.restore.verdict import lost_by_key_groups


class EdgeExplanation(FrozenRecord, frozen=True, kw_only=True):
    """One edge, explained."""

    edge: int
    source: str
    target: str
    chained: bool
    headline: str
    sentences: tuple[str, ...]
    """For each failed condition the requirement, the actual value, and Flink's reason."""
    reasons: tuple[Verdict, ...]
    fixes: tuple[SuggestedFix, ...]
    advice: Mapping[str, str]
    """Maps the code of each failed condition without a fix of its own to a sentence."""


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
        return _explain_data_set_edge(done, done.data_set, edge)
    decision = done.decision(edge)
    source = done.stream_graph.edges[edge].source
    swallowed = done.chains.chain_index.get(source) == 0 and done.release.chained_sources
    chained = decision.chained or swallowed
    tried, advised = (
        _try_fixes(done, edge, since or done, pause) if fixes and not chained else ([], {})
    )
    headline, sentences = _describe(decision, swallowed=swallowed)
    return EdgeExplanation(
        edge=edge,
        source=decision.source,
        target=decision.target,
        chained=chained,
        headline=headline,
        sentences=sentences,
        reasons=decision.verdicts,
        fixes=tuple(tried),
        advice=advised,
    )


def _explain_data_set_edge(done: Compilation, plan: DataSetPlan, position: int) -> EdgeExplanation:
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
        sentences=(
            *data_set_edge_text(plan, (ids[0], ids[1]), edge.partitioner),
            "The chaining conditions of the DataStream API do not apply to a DataSet program.",
        ),
        reasons=(),
        fixes=(),
        advice={},
    )


def _describe(decision: Decision, *, swallowed: bool) -> tuple[str, tuple[str, ...]]:
    asked = sum(verdict.asked for verdict in decision.verdicts)
    if decision.chained:
        return f"Chained: all {asked} conditions hold", (
            f"{decision.target} is called by {decision.source} in the same thread: a record is "
            "passed by a method call and never serialised.",
        )
    if swallowed:
        return f"Chained: the source runs in the task of {decision.target}", (
            f"{decision.target} chains FLIP-27 sources into its own task (HEAD_WITH_SOURCES); "
            "CH01 does not apply there.",
        )
    failed = decision.failed
    headline = f"Not chained: {len(failed)} of {asked} conditions fail{'s' * (len(failed) == 1)}"
    return headline, tuple(f"{one.code} fails. {one.shortfall} {one.why}" for one in failed)


def _try_fixes(
    done: Compilation, edge: int, since: Compilation, pause: Callable[[], None]
) -> tuple[list[SuggestedFix], dict[str, str]]:
    """Return all different fixes, and the advice for each condition without a fix of its own."""
    tried, advised = list[SuggestedFix](), dict[str, str]()
    for rule in failed(done.verdicts[edge]):
        if done.pipeline is None:
            advised[rule.code] = (
                "A StreamGraph document cannot be edited: change the program, or open its pipeline."
            )
            continue
        fixes = []
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
            fixes += [fix] if fix is not None else []
        same = [other.code for other in tried if any(other.pipeline == m.pipeline for m in fixes)]
        fresh = [m for m in fixes if all(other.pipeline != m.pipeline for other in tried)]
        if not fixes:
            advised[rule.code] = rule.advice(done.question(edge))
        elif not fresh:
            advised[rule.code] = f"What fixes {same[0]} fixes this too."
        tried += fresh
    return tried, advised


def _outcome(done: Compilation, attempt: Attempt, edge: int, since: Compilation) -> FixOutcome:
    """Whether the same edge chains after the change, and what else is different."""
    after = attempt.compilation
    if after is None:
        return FixOutcome(solved=False, effect=attempt.refusal)
    wanted = edge_identities(done.stream_graph)[edge]
    chain_of, edges = after.chains.chain_of, after.stream_graph.edges
    solved = any(
        identity == wanted and chain_of[new.source] == chain_of[new.target]
        for new, identity in zip(edges, edge_identities(after.stream_graph), strict=True)
    )
    effect = effect_since(since, done, after)
    lost = lost_by_key_groups(since, attempt.pipeline, after)
    return FixOutcome(solved=solved, effect=f"{effect}; {lost}" if lost else effect)
