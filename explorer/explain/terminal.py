"""Explanations, steps, answers and release tables as plain text for a terminal."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from explorer.comparison.compare import Comparison
from explorer.comparison.release_changes import UNCHANGED, ReleaseChange, SwitchRow
from explorer.explain.edges import EdgeExplanation
from explorer.lookup.whatis import Identification, other_sentences
from explorer.model.narrated_step import NarratedStep
from explorer.model.operator_ids import ID_CHANGES
from explorer.model.steps import Step


def explanation_text(edges: Iterable[EdgeExplanation]) -> str:
    """Show each edge with its headline, every condition and suggested fixes."""
    return "\n\n".join("\n".join(_explanation(edge)) for edge in edges) or "The job has no edges."


def failures_text(edges: Iterable[EdgeExplanation]) -> str:
    """Show edges that do not chain with the conditions that fail, and Flink's reasons."""
    parts = (
        "\n".join((f"{edge.source} -> {edge.target}", f"  {edge.headline}", *_reasons(edge)))
        for edge in edges
    )
    return "\n\n".join(parts) or "Every edge chains."


def _reasons(edge: EdgeExplanation) -> Iterator[str]:
    return (f"  {sentence}" for sentence in edge.sentences)


def _explanation(edge: EdgeExplanation) -> Iterator[str]:
    yield f"{edge.source} -> {edge.target}"
    yield f"  {edge.headline}"
    for reason in edge.reasons:
        mark = "ok " if reason.holds else "NO "
        note = "" if reason.asked else "  (this release has no such condition)"
        yield f"  {mark}{reason.code}  {reason.title:<44} {reason.values}{note}"
    yield from _reasons(edge)
    for fix in edge.fixes:
        result = "chains then" if fix.solved else "does not chain yet"
        yield f"  fix {fix.code}: {fix.label}: {fix.effect}; {result}"
    yield from (f"  fix {code}: {sentence}" for code, sentence in edge.advice.items())


def steps_text(steps: Iterable[NarratedStep[Step]]) -> str:
    """Show numbered steps, hashing and chaining each counted from 1."""
    parts = [
        [part.capitalize(), *(f"{step.number:>4}. {step.sentence}" for step in group)]
        for part, group in groupby(steps, lambda step: step.part)
    ]
    return "\n\n".join("\n".join(lines) for lines in parts)


def answer_text(answer: Identification, previous: Iterable[str] = ()) -> str:
    """Describe each ID of a message; ``previous``: their descriptions in the baseline."""
    sentences = (finding.sentence for finding in answer.findings)
    lines = (*previous, *sentences, *other_sentences(answer))
    return "\n".join(lines) or "No ID and no operator's name in this text."


def switches_text(rows: Iterable[SwitchRow]) -> str:
    """Show the release table, one line for each change."""
    return "\n".join(
        f"{row.since:<5} {row.about} {row.before} -> {row.value}"
        + (f" ({row.issue})" if row.issue else "")
        for row in rows
    )


def release_change_text(change: ReleaseChange) -> str:
    """Show the changes of one program between two releases."""
    lines = list(change.sentences())
    head = f"From Flink {change.first} to {change.last}:"
    if not lines:
        return f"{head} {UNCHANGED}"
    return "\n".join([head, *(f"  {line}" for line in lines)])


def comparison_text(comparison: Comparison, old: str, new: str) -> str:
    """Show the changes between two documents: tasks, then each operator with a changed ID."""
    lines = [f"From {old} to {new}: {comparison.sentence()}."]
    for change in comparison.operators:
        states = [state for state in (change.before, change.after) if state is not None]
        if change.verdict != "kept":
            ids = " -> ".join(dict.fromkeys(state.id for state in states))
            lines.append(f"  {ID_CHANGES[change.verdict]:<7} {states[-1].name}: {ids}")
    lines += (
        f"  result of {edge}: {was} -> {current}" for edge, was, current in comparison.result_types
    )
    lines += (f"  {change.sentence}" for change in comparison.changes)
    return "\n".join(lines)
