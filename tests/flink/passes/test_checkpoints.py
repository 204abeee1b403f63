"""How a job takes checkpoints, release by release, and which jobs must not take any."""

from typing import Any

import pytest

from explorer.errors import FlinkRefusalError
from tests.flink.passes.programs import LOOP, SINK, SOURCE, compiled
from tests.many_cases import for_each

NEVER = 2**63 - 1
"""``Long.MAX_VALUE``."""
UNALIGNED = {"unaligned": True}
CUSTOM = (
    SOURCE,
    {"id": "p", "type": "partition_custom", "inputs": ["s"]},
    SINK | {"inputs": ["p"]},
)
PAIR = (
    SOURCE,
    {"id": "t", "type": "legacy_source"},
    {"id": "j", "name": "Join", "type": "co_map", "inputs": ["s", "t"], "input_selectable": True},
)


def test_without_an_interval_checkpoints_are_off() -> None:
    settings = compiled(SOURCE, SINK).job_graph.checkpointing

    assert (settings.interval, settings.exactly_once) == (NEVER, False)


def test_checkpoint_settings_reach_the_job_graph() -> None:
    settings = compiled(
        SOURCE,
        SINK,
        checkpoint_interval=500,
        checkpointing={
            "timeout": 5000,
            "min_pause": 7,
            "max_concurrent": 1,
            "retention": "DELETE_ON_CANCELLATION",
            "unaligned": True,
            "tolerable_failures": 3,
        },
    ).job_graph.checkpointing

    assert (settings.interval, settings.timeout, settings.min_pause) == (500, 5000, 7)
    assert (settings.max_concurrent, settings.tolerable_failures) == (1, 3)
    assert settings.retention == "RETAIN_ON_FAILURE"
    assert settings.exactly_once
    assert settings.unaligned
    assert settings.trigger is None


def test_unaligned_needs_exactly_once() -> None:
    settings = compiled(
        SOURCE,
        SINK,
        checkpoint_interval=500,
        checkpointing={"unaligned": True, "mode": "AT_LEAST_ONCE"},
    ).job_graph.checkpointing

    assert not settings.unaligned


def test_old_releases_list_the_vertices_of_a_checkpoint() -> None:
    """As Flink 1.11.4 prints them: in the order of a hash map of the heads' numbers."""
    done = compiled(SOURCE, SINK | {"parallelism": 2}, version="1.11", checkpoint_interval=500)

    source, sink = (vertex.id for vertex in done.job_graph.vertices)
    assert done.job_graph.checkpointing.trigger == (source,)
    assert done.job_graph.checkpointing.acknowledge == (source, sink)
    assert done.job_graph.checkpointing.commit == (source, sink)


@pytest.mark.parametrize("version", ["1.11", "2.3"])
def test_unaligned_checkpoints_run_one_at_a_time(version: str) -> None:
    """In the words of Flink 1.11.4 and 2.3.0."""
    how = UNALIGNED | {"max_concurrent": 2}
    message = "maxConcurrentCheckpoints can't be > 1 if UnalignedCheckpoints enabled"

    with pytest.raises(FlinkRefusalError, match=message):
        compiled(SOURCE, SINK, version=version, checkpoint_interval=500, checkpointing=how)


@pytest.mark.parametrize(("version", "interval"), [("2.2", 500), ("2.3", 60_000)])
def test_the_pause_between_checkpoints_can_lengthen_the_interval(
    version: str, interval: int
) -> None:
    """As Flink 2.2.1 and 2.3.0 print it."""
    how = {"min_pause": 60_000}

    done = compiled(SOURCE, SINK, version=version, checkpoint_interval=500, checkpointing=how)
    assert done.job_graph.checkpointing.interval == interval


@pytest.mark.parametrize(("version", "unaligned"), [("1.20", False), ("2.0", True), ("2.3", False)])
def test_unaligned_checkpoints_at_least_once(version: str, *, unaligned: bool) -> None:
    """As Flink 1.20.5, 2.0.2 and 2.3.0 print it: 2.0 turns them off too late."""
    how = UNALIGNED | {"mode": "AT_LEAST_ONCE"}

    done = compiled(SOURCE, SINK, version=version, checkpoint_interval=500, checkpointing=how)
    assert done.job_graph.checkpointing.unaligned == unaligned


def test_unaligned_checkpoints_that_are_off_are_not_checked() -> None:
    """As Flink 2.1.3 refuses and 2.3.0 accepts it."""
    how = UNALIGNED | {"mode": "AT_LEAST_ONCE"}

    with pytest.raises(FlinkRefusalError, match="not supported for custom partitioners"):
        compiled(*CUSTOM, version="2.1", checkpoint_interval=500, checkpointing=how)
    done = compiled(*CUSTOM, version="2.3", checkpoint_interval=500, checkpointing=how)
    assert not done.job_graph.checkpointing.unaligned


@pytest.mark.parametrize(("version", "exactly_once"), [("1.9", True), ("1.10", False)])
def test_the_mode_of_a_job_without_checkpoints(version: str, *, exactly_once: bool) -> None:
    """As Flink 1.9.3 and 1.10.3 print it."""
    done = compiled(SOURCE, SINK, version=version)

    assert done.job_graph.checkpointing.exactly_once == exactly_once


def test_a_batch_job_has_no_checkpoints() -> None:
    done = compiled(
        SOURCE | {"type": "source"}, SINK, checkpoint_interval=500, runtime_mode="BATCH"
    )

    assert done.job_graph.checkpointing.interval == NEVER


@for_each(
    ("transformations", "checkpointing", "message"),
    [
        (LOOP, {}, "Checkpointing is currently not supported by default for iterative jobs"),
        (
            LOOP,
            UNALIGNED | {"force": True},
            "Unaligned Checkpoints are currently not supported for iterative jobs",
        ),
        (
            CUSTOM,
            UNALIGNED,
            "Unaligned checkpoints are currently not supported for custom partitioners",
        ),
        (PAIR, {}, "operators that implement InputSelectable:Join"),
    ],
)
def test_jobs_that_cannot_be_checkpointed_are_refused(
    transformations: tuple[dict[str, Any], ...], checkpointing: dict[str, Any], message: str
) -> None:
    with pytest.raises(FlinkRefusalError, match=message):
        compiled(*transformations, checkpoint_interval=500, checkpointing=checkpointing)


@pytest.mark.parametrize("transformations", [LOOP, CUSTOM])
def test_forced_checkpoints_are_not_refused(transformations: tuple[dict[str, Any], ...]) -> None:
    forced = UNALIGNED | {"force": True, "force_unaligned": True}

    done = compiled(*transformations, checkpoint_interval=500, checkpointing=forced)
    assert done.job_graph.checkpointing.interval == 500


@pytest.mark.parametrize(("version", "spaces"), [("1.12", "  "), ("1.20", " ")])
def test_unaligned_checkpoints_of_a_loop_are_refused(version: str, spaces: str) -> None:
    """In the words of Flink 1.12.5 and 1.20.5."""
    how = {"unaligned": True, "force": True}

    with pytest.raises(FlinkRefusalError, match=f"for iterative jobs,{spaces}as rescaling"):
        compiled(
            *LOOP,
            version=version,
            checkpoint_interval=500,
            checkpointing=how,
        )


def test_a_loop_was_never_checkpointed_by_default() -> None:
    """In the words of Flink 1.9.3."""
    with pytest.raises(FlinkRefusalError, match="Checkpointing is currently not supported by def"):
        compiled(*LOOP, version="1.9", checkpoint_interval=500)
