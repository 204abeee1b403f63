"""Partial matches of restored patterns: whether the new pattern has the stages they are in."""

from typing import Final

from explorer.comparison.baseline import CompiledBaseline
from explorer.flink.compiler import Compilation
from explorer.flink.upgrades.event_patterns import (
    MATCHES,
    OPERATOR,
    START,
    STOP,
    PatternChange,
    describe_displaced,
    describe_missing,
    displaced_stages,
    missing_stages,
    pattern_differences,
)
from explorer.model.stream_graph import EventPattern, NodeId, OperatorFacts
from explorer.savepoints import OperatorState
from explorer.savepoints.partial_matches import PartialMatches

_NOT_SHOWN: Final = "a savepoint, or the captured old program, shows these"
_NOT_READ: Final = "its stages were not compared with those of its saved partial matches"


def pattern_change(
    old: CompiledBaseline, saved: OperatorState, new: Compilation, taker: NodeId | None
) -> PatternChange | None:
    """Compare the stages of saved partial matches with the pattern that restores them.

    None: the state is not that of a pattern, or an operator without one restores it. The stages are
    the savepoint's, else, where these cannot be read, those of the old program's pattern.
    """
    old_facts, new_facts = _facts(old.program, old.nodes.get(saved.operator_id)), _facts(new, taker)
    is_replaced = new_facts is not None and not _is_pattern(new_facts)
    if taker is None or is_replaced or not _has_matches(old, saved, old_facts, new_facts):
        return None
    if new_facts is None or new_facts.pattern is None:
        return _open("the new pattern is not known: capture the program with this version")
    old_pattern = old_facts.pattern if old_facts is not None else None
    matches, owner = saved.partial_matches or PartialMatches(problem=_NOT_SHOWN), "saved"
    if matches.problem is not None and old_pattern is not None:
        matches, owner = _possible_matches(old_pattern), "the old pattern's"
    if failure := _failure(matches, new_facts.pattern):
        return PatternChange(outcome="fails", sentence=f"has {owner} partial matches {failure}")
    if matches.problem is not None:
        return _open(matches.problem)
    return _kept(old_pattern, new_facts.pattern)


def _has_matches(
    old: CompiledBaseline,
    saved: OperatorState,
    old_facts: OperatorFacts | None,
    new_facts: OperatorFacts | None,
) -> bool:
    """Whether the state is that of a pattern; of state that cannot be read, by the operators."""
    if old.real and not saved.schema.problems:
        return MATCHES in saved.state_names
    return _is_pattern(old_facts if old_facts is not None else new_facts)


def _failure(matches: PartialMatches, new: EventPattern) -> str | None:
    """Describe why a task fails with these partial matches; None: it does not."""
    if missing := missing_stages(matches.stages, new):
        return describe_missing(missing)
    displaced = displaced_stages(matches.first_stages, new)
    return describe_displaced(displaced) if displaced else None


def _possible_matches(pattern: EventPattern) -> PartialMatches:
    """The partial matches that a pattern's keys can have: those in a stop stage are dropped."""
    return PartialMatches(
        stages=tuple(stage.name for stage in pattern.stages if stage.kind != STOP),
        first_stages=tuple(stage.name for stage in pattern.stages if stage.kind == START),
    )


def _kept(old: EventPattern | None, new: EventPattern) -> PatternChange:
    differences = pattern_differences(old, new) if old is not None else ()
    if not differences:
        return PatternChange(outcome="same", sentence="has the stages of its partial matches")
    sentence = (
        f"has another pattern, in which its partial matches go on from their stages: "
        f"{'; '.join(differences)}"
    )
    return PatternChange(outcome="kept", sentence=sentence)


def _open(reason: str) -> PatternChange:
    sentence = (
        f"has a pattern, and {_NOT_READ} ({reason}); a rehearsal compares them. Where one is "
        "missing, Flink fails at the next event with State ... does not exist in the NFA"
    )
    return PatternChange(outcome="unknown", sentence=sentence)


def _facts(program: Compilation | None, node: NodeId | None) -> OperatorFacts | None:
    """The captured parts of an operator; None: it was not captured."""
    return None if program is None or node is None else program.stream_graph.by_id[node].operator


def _is_pattern(facts: OperatorFacts | None) -> bool:
    return facts is not None and (facts.class_name or "").endswith(f".{OPERATOR}")
