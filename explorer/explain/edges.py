"""Explains why an edge chains or not, and suggests fixes.

All conditions are named, not only the first that fails. For each that fails, the changes that may
fix it are tried: each comes with the changed pipeline and its other effects.
"""

from collections.abc import Callable, Mapping

from explorer.comparison.compare import effect_since
from explorer.explain.data_set_text import data_set_edge_text
from explorer.explain.program_advice import program_advice
from explorer.explain.suggested_fixes import Attempt, SuggestedFix, attempt_change
from explorer.flink.compiler import Compilation
from explorer.flink.rules import failed
from explorer.lookup.identity import edge_identities
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
    compilation: Compilation,
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
    if compilation.data_set is not None:
        return _explain_data_set_edge(compilation, compilation.data_set, edge)
    decision = compilation.decision(edge)
    source = compilation.stream_graph.edges[edge].source
    runs_in_consumer = (
        compilation.chains.chain_index.get(source) == 0 and compilation.release.chained_sources
    )
    chained = decision.chained or runs_in_consumer
    tried, advised = (
        _try_fixes(compilation, edge, since or compilation, pause)
        if fixes and not chained
        else ([], {})
    )
    headline, sentences = _describe(decision, runs_in_consumer=runs_in_consumer)
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


def _explain_data_set_edge(
    compilation: Compilation, plan: DataSetPlan, position: int
) -> EdgeExplanation:
    graph, job = compilation.stream_graph, compilation.job_graph
    edge = graph.edges[position]
    source, target = (graph.node(end).name for end in (edge.source, edge.target))
    ids = [job.vertices[job.vertex_of[end]].id for end in (edge.source, edge.target)]
    chained = ids[0] == ids[1]
    drivers = [task.driver for task in plan.by_task[ids[1]].chained if task.name == target]
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


def _describe(decision: Decision, *, runs_in_consumer: bool) -> tuple[str, tuple[str, ...]]:
    number = sum(verdict.asked for verdict in decision.verdicts)
    if decision.chained:
        return f"Chained: all {number} conditions hold", (
            f"{decision.target} is called by {decision.source} in the same thread: a record is "
            "passed by a method call and never serialised.",
        )
    if runs_in_consumer:
        return f"Chained: the source runs in the task of {decision.target}", (
            f"{decision.target} chains FLIP-27 sources into its own task (HEAD_WITH_SOURCES); "
            "CH01 does not apply there.",
        )
    failed = decision.failed
    headline = f"Not chained: {len(failed)} of {number} conditions fail{'s' * (len(failed) == 1)}"
    return headline, tuple(f"{item.code} fails. {item.shortfall} {item.why}" for item in failed)


def _try_fixes(
    compilation: Compilation, edge: int, baseline: Compilation, pause: Callable[[], None]
) -> tuple[list[SuggestedFix], dict[str, str]]:
    """Return all different fixes, and the advice for each condition without a fix of its own."""
    tried, advised = list[SuggestedFix](), dict[str, str]()
    for rule in failed(compilation.verdicts[edge]):
        if compilation.pipeline is None:
            advised[rule.code] = program_advice(rule, compilation.question(edge))
            continue
        fixes = []
        for proposal in rule.fixes(compilation.question(edge), compilation.pipeline):
            pause()
            attempt = attempt_change(
                compilation.pipeline,
                proposal,
                flink_version=compilation.release.version,
                before=compilation,
            )
            if attempt is not None:
                fixes.append(_checked_again(rule.code, compilation, attempt, edge, baseline))
        pipelines = [fix.pipeline for fix in fixes]
        same = [earlier.code for earlier in tried if earlier.pipeline in pipelines]
        earlier_pipelines = [earlier.pipeline for earlier in tried]
        fresh = [fix for fix in fixes if fix.pipeline not in earlier_pipelines]
        if not fixes:
            advised[rule.code] = rule.advice(compilation.question(edge))
        elif not fresh:
            advised[rule.code] = f"What fixes {same[0]} fixes this too."
        tried += fresh
    return tried, advised


def _checked_again(
    code: str, compilation: Compilation, attempt: Attempt, edge: int, baseline: Compilation
) -> SuggestedFix:
    """The change, with whether the same edge chains after it, and what else is different."""
    solved, effect = _outcome(compilation, attempt, edge, baseline)
    return SuggestedFix(
        code=code,
        label=attempt.proposal.label,
        pipeline=attempt.pipeline,
        solved=solved,
        effect=effect,
    )


def _outcome(
    compilation: Compilation, attempt: Attempt, edge: int, baseline: Compilation
) -> tuple[bool, str]:
    new_compilation = attempt.compilation
    if new_compilation is None:
        return False, attempt.refusal
    old_identity = edge_identities(compilation.stream_graph)[edge]
    chain_of, edges = new_compilation.chains.chain_of, new_compilation.stream_graph.edges
    solved = any(
        identity == old_identity and chain_of[new.source] == chain_of[new.target]
        for new, identity in zip(edges, edge_identities(new_compilation.stream_graph), strict=True)
    )
    effect = effect_since(baseline, compilation, new_compilation)
    lost = lost_by_key_groups(baseline, attempt.pipeline, new_compilation)
    return solved, f"{effect}; {lost}" if lost else effect
