"""Configuration options: what a release reads, what wins over it, and what it cannot read."""

from typing import Any

import pytest

from explorer.errors import FlinkRefusalError
from tests.flink.passes.programs import NEW_SOURCE, SINK, SOURCE, compiled
from tests.many_cases import for_each

TIMEOUT = "execution.buffer-timeout"


def timeouts(version: str, options: dict[str, Any], **environment: Any) -> list[int]:
    done = compiled(SOURCE, SINK, version=version, configuration=options, **environment)
    return [node.buffer_timeout for node in done.stream_graph.nodes]


def test_an_option_the_release_does_not_know_is_a_warning() -> None:
    option = "pipeline.vertex-name-include-index-prefix"

    done = compiled(SOURCE, SINK, version="1.14", configuration={option: "true"})

    assert done.warnings == (
        f"environment.configuration: the option {option!r} does not exist in Flink 1.14 and has no "
        "effect",
    )


def test_an_option_without_effect_is_a_warning() -> None:
    done = compiled(SOURCE, SINK, configuration={"some.option": "x"})

    assert done.warnings == (
        "environment.configuration: the option 'some.option' is not one that the explorer reads; "
        "it is carried along and has no effect",
    )


def test_the_oldest_release_reads_no_options() -> None:
    """As Flink 1.9.3 prints it."""
    options = {"pipeline.operator-chaining": "false", "pipeline.max-parallelism": "77"}

    done = compiled(SOURCE, SINK, version="1.9", configuration=options)
    assert done.stream_graph.chaining_enabled
    assert done.stream_graph.nodes[0].max_parallelism == -1
    assert len(done.warnings) == 2


@pytest.mark.parametrize("version", ["1.10", "2.3"])
def test_options_stand_in_for_setters(version: str) -> None:
    """As Flink 1.10.3 and 2.3.0 print it."""
    options = {
        "pipeline.max-parallelism": "77",
        TIMEOUT: "5 ms",
        "execution.checkpointing.interval": "2 min",
        "execution.checkpointing.mode": "at_least_once",
        "pipeline.operator-chaining": "FALSE",
    }

    done = compiled(SOURCE, SINK, version=version, configuration=options)
    node = done.stream_graph.nodes[0]
    settings = done.job_graph.checkpointing
    assert (node.max_parallelism, node.buffer_timeout) == (77, 5)
    assert (settings.interval, settings.exactly_once) == (120_000, False)
    assert not done.stream_graph.chaining_enabled
    assert done.warnings == ()


def test_a_setter_wins_over_an_option() -> None:
    """As Flink 1.20.5 prints it."""
    options = {"pipeline.max-parallelism": "77", "execution.checkpointing.interval": "2 min"}

    done = compiled(
        SOURCE, SINK, configuration=options, max_parallelism=128, checkpoint_interval=500
    )
    assert done.stream_graph.nodes[0].max_parallelism == 128
    assert done.job_graph.checkpointing.interval == 500


@pytest.mark.parametrize(("version", "timeout"), [("1.15", 5), ("1.18", 5), ("1.19", -1)])
def test_who_wins_where_an_option_turns_the_buffer_timeout_off(version: str, timeout: int) -> None:
    """As Flink 1.15.4, 1.18.1 and 1.19.3 print it."""
    off = {f"{TIMEOUT}.enabled": "false"}

    assert timeouts(version, off, buffer_timeout=5) == [timeout, timeout]


@pytest.mark.parametrize(("version", "timeout"), [("1.15", 3), ("1.16", 9)])
def test_a_renamed_option_wins_over_its_old_name(version: str, timeout: int) -> None:
    """As Flink 1.15.4 and 1.16.3 print it."""
    both = {TIMEOUT: "3 ms", f"{TIMEOUT}.interval": "9 ms"}

    assert timeouts(version, both) == [timeout, timeout]


@pytest.mark.parametrize("version", ["1.12", "2.3"])
def test_the_runtime_mode_can_be_an_option(version: str) -> None:
    """As Flink 1.12.5 and 2.3.0 print it."""
    options = {"execution.runtime-mode": "BATCH"}

    assert compiled(NEW_SOURCE, SINK, version=version, configuration=options).settings.batch


@pytest.mark.parametrize(("scheduler", "parallelism"), [("AdaptiveBatch", -1), ("Default", 2)])
def test_another_scheduler_decides_no_parallelism(scheduler: str, parallelism: int) -> None:
    """As Flink 1.20.5 prints it."""
    options = {"jobmanager.scheduler": scheduler}

    done = compiled(NEW_SOURCE, SINK, runtime_mode="BATCH", parallelism=2, configuration=options)
    assert done.job_graph.vertices[0].parallelism == parallelism


@for_each(
    ("version", "options", "message"),
    [
        ("1.15", {TIMEOUT: "3 elephants"}, f"'3 elephants' for key '{TIMEOUT}'."),
        ("1.16", {TIMEOUT: "3 elephants"}, f"'3 elephants' for key '{TIMEOUT}.interval'."),
        ("1.16", {TIMEOUT: "-1"}, f"'-1' for key '{TIMEOUT}.interval'."),
        (
            "1.20",
            {"pipeline.max-parallelism": "12.0"},
            "'12.0' for key 'pipeline.max-parallelism'.",
        ),
        ("1.20", {"pipeline.max-parallelism": "abc"}, "'abc' for key 'pipeline.max-parallelism'."),
        ("1.20", {"execution.runtime-mode": "x"}, "'x' for key 'execution.runtime-mode'."),
        (
            "1.20",
            {"pipeline.operator-chaining": "yes"},
            "'yes' for key 'pipeline.operator-chaining.enabled'.",
        ),
    ],
)
def test_a_value_that_cannot_be_read_is_refused(
    version: str, options: dict[str, Any], message: str
) -> None:
    """In the words of Flink 1.15.4, 1.16.3 and 1.20.5."""
    with pytest.raises(FlinkRefusalError) as refused:
        compiled(SOURCE, SINK, version=version, configuration=options)
    assert refused.value.flink_message == f"Could not parse value {message}"


CHECKPOINTING = "execution.checkpointing."


@for_each(
    ("option", "value", "message"),
    [
        ("pipeline.max-parallelism", "0", "The maximum parallelism must be greater than 0."),
        (
            "pipeline.max-parallelism",
            "99999",
            "Maximum parallelism must be between 1 and 32768. Found: 99999",
        ),
        (
            f"{CHECKPOINTING}interval",
            "5 ms",
            "Checkpoint interval must be larger than or equal to 10 ms",
        ),
        (
            f"{CHECKPOINTING}max-concurrent-checkpoints",
            "0",
            "The maximum number of concurrent attempts must be at least one.",
        ),
    ],
)
def test_a_value_that_cannot_be_set_is_refused(option: str, value: str, message: str) -> None:
    """In the words of Flink 2.3.0."""
    with pytest.raises(FlinkRefusalError) as refused:
        compiled(SOURCE, SINK, version="2.3", configuration={option: value})
    assert refused.value.flink_message == message


@for_each(
    ("value", "timeout"),
    [("7", 7), ("1 H", 3_600_000), (" 2min ", 120_000), ("1500 micros", 1), ("0 ns", 0)],
)
def test_durations_are_read_as_flink_reads_them(value: str, timeout: int) -> None:
    """As Flink 1.20.5 prints it."""
    assert timeouts("1.20", {TIMEOUT: value}) == [timeout, timeout]


@pytest.mark.parametrize(("option", "parallelism"), [("true", -1), ("false", 2)])
def test_an_option_prevents_the_scheduler_from_deciding_parallelism(
    option: str, parallelism: int
) -> None:
    done = compiled(
        NEW_SOURCE,
        SINK,
        runtime_mode="BATCH",
        parallelism=2,
        configuration={"execution.batch.adaptive.auto-parallelism.enabled": option},
    )

    assert done.job_graph.vertices[0].parallelism == parallelism
    assert done.warnings == ()


def test_uids_are_asked_for_before_memory_weights_are_compared() -> None:
    """In the words of Flink 1.14.6, which looks at the uid of a translated operator first."""
    key = {"id": "k", "type": "key_by", "inputs": ["s"]}
    sort = {"id": "r", "type": "reduce", "inputs": ["k"], "managed_memory_weight": 2}

    with pytest.raises(FlinkRefusalError, match="Auto generated UIDs have been disabled"):
        compiled(
            NEW_SOURCE | {"uid": "s"},
            key,
            sort,
            version="1.14",
            runtime_mode="BATCH",
            auto_generate_uids=False,
        )
