"""Rules about job settings: checkpoints and buffer timeouts."""

import pytest

from tests.checks.findings import found, messages
from tests.checks.pairs import (
    COUNT,
    CUSTOM,
    LINE,
    SOURCE,
    UNALIGNED,
    Document,
    changed,
    job,
    op,
    option,
    within,
)


def labels(code: str, document: Document, flink: str = "1.20") -> list[str]:
    return [one.label for finding in found(code, document, flink) for one in finding.proposals]


def test_refused_unaligned_checkpoints_are_aligned_or_forced() -> None:
    refused = within(CUSTOM, **UNALIGNED)

    assert labels("CP01", refused) == ["Align checkpoints", "Force unaligned checkpoints"]
    assert not found("CP01", refused, "1.11")


@pytest.mark.parametrize(
    ("environment", "flink", "why"),
    [
        ({"checkpointing": {"unaligned": True}}, "1.20", "the job takes no checkpoints"),
        (UNALIGNED, "1.10", "Flink 1.10 has none"),
        (
            {
                "checkpoint_interval": 1000,
                "checkpointing": {"unaligned": True, "mode": "AT_LEAST_ONCE"},
            },
            "1.20",
            "the mode is AT_LEAST_ONCE, in which Flink aligns no barriers",
        ),
    ],
)
def test_unaligned_checkpoints_without_effect_have_a_reason(
    environment: Document, flink: str, why: str
) -> None:
    line = changed(LINE, "s", type="legacy_source")

    assert messages("CP02", within(line, **environment), flink) == [
        f"Unaligned checkpoints are enabled and have no effect: {why}."
    ]


def test_an_option_asks_for_unaligned_checkpoints_too() -> None:
    asked = option(LINE, "execution.checkpointing.unaligned", "true")

    assert messages("CP02", asked)
    assert not messages("CP02", option(LINE, "execution.checkpointing.unaligned", "false"))


def test_a_broadcast_inside_a_chain_has_no_channels() -> None:
    wide = job(SOURCE, op("b", "broadcast", "s"), op("m", "map", "b"), op("out", "sink", "m"))

    (aligned,) = found("CP03", within(wide, **UNALIGNED))

    assert aligned.about == ("s", "m")
    assert not found("CP03", within(LINE, **UNALIGNED))


def test_a_batch_job_and_one_without_state_need_no_checkpoints() -> None:
    assert messages("CP04", COUNT)
    assert not messages("CP04", within(COUNT, runtime_mode="BATCH"))
    assert not messages("CP04", job(SOURCE, op("t", "timestamps", "s"), op("o", "sink", "t")))


def test_the_interval_is_raised_or_a_longer_pause_is_shortened() -> None:
    paused, equal = (
        within(LINE, checkpoint_interval=1000, checkpointing={"min_pause": pause})
        for pause in (5000, 1000)
    )

    assert labels("CP05", paused) == [
        "Set checkpoint interval to 5,000 ms",
        "Set min pause to 1,000 ms",
    ]
    assert not labels("CP05", equal)


def test_a_timeout_counts_where_records_leave_the_task() -> None:
    behind = changed(COUNT, "s", buffer_timeout=0)
    inside = changed(LINE, "s", buffer_timeout=0)

    (flushed,) = found("BT01", behind)
    assert (flushed.about, flushed.path) == (("s",), "transformations[0].buffer_timeout")
    assert labels("BT01", behind) == ["Leave the buffer timeout to Flink"]
    assert not messages("BT01", inside)


def test_the_default_of_an_old_release_is_no_finding() -> None:
    captured = within(COUNT, buffer_timeout=-1)

    assert labels("BT02", captured, "1.20") == ["Leave the buffer timeout to Flink"]
    for flink in ("1.9", "1.20"):
        assert not messages("BT02", COUNT, flink)
