"""What becomes of partial matches in a restore into another pattern.

Mirrors ``NFA``: a saved partial match names the stage that it is in, and the next event of its key
looks that name up in the new pattern. Nothing else of the old pattern is saved. Every key that the
pattern changed has a match without events in the first stage.
``tests/golden/pattern_restores.jsonl.gz`` has the results of clusters.
"""

from collections.abc import Iterable, Iterator
from typing import Final, Literal, TypeAlias

from explorer.model.frozen import FrozenRecord
from explorer.model.stream_graph import EventPattern, PatternStage
from explorer.wording import first_listed, listed, quoted

RestoredMatches: TypeAlias = Literal["fails", "unknown", "kept", "same"]
"""A task fails; that depends on stages that are not known; they go on in another pattern; the
patterns are equal, as far as they are not code of the program."""

OPERATOR: Final = "CepOperator"
"""The class of both the CEP library's and SQL's operator."""
MATCHES: Final = "nfaStateName"
"""The state with the partial matches of a key."""
START: Final = "Start"
"""The kind of a pattern's first stage."""
STOP: Final = "Stop"
"""The kind of a stage that no event may reach: that of ``notFollowedBy``."""
_NAMES: Final = 5


class PatternChange(FrozenRecord, frozen=True, kw_only=True):
    """What becomes of the partial matches of an operator, with the reason."""

    outcome: RestoredMatches
    sentence: str


def missing_stages(stages: Iterable[str], new: EventPattern) -> tuple[str, ...]:
    """Return the stages that the new pattern does not have, sorted."""
    return tuple(sorted(set(stages) - {stage.name for stage in new.stages}))


def describe_missing(stages: tuple[str, ...]) -> str:
    """Describe the failure of partial matches in stages that the new pattern does not have."""
    names = first_listed([quoted(name) for name in stages], _NAMES)
    return (
        f"in {names}, which the new pattern does not have: Flink fails at the next event of such a "
        f"key with State {stages[0]} does not exist in the NFA"
    )


def displaced_stages(first_stages: Iterable[str], new: EventPattern) -> tuple[str, ...]:
    """Return the stages with which a match begins and the new pattern does not, sorted."""
    later_stages = {stage.name for stage in new.stages if stage.kind != START}
    return tuple(sorted(later_stages.intersection(first_stages)))


def describe_displaced(stages: tuple[str, ...]) -> str:
    """Describe the failure of matches without events in a stage that needs an event before it."""
    names = first_listed([quoted(name) for name in stages], _NAMES)
    return (
        f"that wait for their first event in {names}, which is not the first stage of the new "
        "pattern: Flink fails at the next event of such a key with NullPointerException"
    )


def pattern_differences(old: EventPattern, new: EventPattern) -> tuple[str, ...]:
    """Return what differs between two patterns, conditions aside, which are code."""
    return tuple(_differences(old, new))


def _differences(old: EventPattern, new: EventPattern) -> Iterator[str]:
    old_stages, new_stages = ({stage.name: stage for stage in side.stages} for side in (old, new))
    for verb, names in (
        ("added", new_stages.keys() - old_stages),
        ("removed", old_stages.keys() - new_stages),
    ):
        if names:
            quoted_names = [quoted(name) for name in sorted(names)]
            yield f"{first_listed(quoted_names, _NAMES)} {verb}"
    for name in sorted(old_stages.keys() & new_stages):
        yield from _stage_differences(old_stages[name], new_stages[name])
    if old.within != new.within:
        is_shorter = new.within is not None and (old.within is None or new.within < old.within)
        effect = ", so that older partial matches time out" if is_shorter else ""
        yield f"within {_limit(new.within)}, which was {_limit(old.within)}{effect}"
    if old.skip != new.skip:
        yield f"the skip strategy is {new.skip}, which was {old.skip}"


def _stage_differences(old: PatternStage, new: PatternStage) -> Iterator[str]:
    if old.transitions != new.transitions:
        yield (
            f"{quoted(new.name)} has the transitions {listed(new.transitions) or 'none'}, which "
            f"were {listed(old.transitions) or 'none'}"
        )
    if old.within != new.within:
        limits = f"{_limit(new.within)}, which was {_limit(old.within)}"
        yield f"{quoted(new.name)} is within {limits}, of the event before"


def _limit(milliseconds: int | None) -> str:
    return "no limit" if milliseconds is None else f"{milliseconds:,} ms"
