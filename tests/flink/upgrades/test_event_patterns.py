"""Patterns that replace others; ``tests/restore/test_restored_patterns.py`` asks clusters."""

from explorer.flink.upgrades.event_patterns import (
    describe_displaced,
    describe_missing,
    displaced_stages,
    missing_stages,
    pattern_differences,
)
from explorer.model.stream_graph import EventPattern, PatternStage


def pattern(*names: str, within: int | None = None, skip: str | None = None) -> EventPattern:
    """A pattern with these stages, each of which takes its event and goes to the next one."""
    ends = (*names[1:], "$endState$")
    stages = [
        PatternStage(
            name=name,
            kind="Start" if name == names[0] else "Normal",
            transitions=(f"TAKE {end}",),
        )
        for name, end in zip(names, ends, strict=True)
    ]
    end = PatternStage(name="$endState$", kind="Final")
    return EventPattern(stages=(end, *stages), within=within, skip=skip)


def test_stages_that_are_gone_or_no_longer_first_fail() -> None:
    assert missing_stages(("b", "a", "b:0"), pattern("a", "c")) == ("b", "b:0")
    assert displaced_stages(("a",), pattern("z", "a")) == ("a",)
    assert displaced_stages(("a",), pattern("a", "z")) == ()
    assert describe_missing(("b", "b:0")) == (
        "in 'b' and 'b:0', which the new pattern does not have: Flink fails at the next event of "
        "such a key with State b does not exist in the NFA"
    )
    assert "NullPointerException" in describe_displaced(("a",))


def test_differences_name_stages_transitions_limits_and_the_skip_strategy() -> None:
    old = pattern("a", "b", skip="NoSkipStrategy{}")
    new = pattern("a", "x", "b", within=1000, skip="SkipToNextStrategy{}")

    assert pattern_differences(old, old) == ()
    assert pattern_differences(old, new) == (
        "'x' added",
        "'a' has the transitions TAKE x, which were TAKE b",
        "within 1,000 ms, which was no limit, so that older partial matches time out",
        "the skip strategy is SkipToNextStrategy{}, which was NoSkipStrategy{}",
    )
    assert pattern_differences(new, old)[2] == "within no limit, which was 1,000 ms"
