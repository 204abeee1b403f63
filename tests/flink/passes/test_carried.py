"""What a JobGraph carries besides chains: formats, checkpoints, savepoints, files, committers."""

from typing import Any

import pytest

from explorer.errors import FlinkRefusalError
from tests.flink.passes.programs import SINK, SOURCE, compiled

NEVER = 2**63 - 1


UNALIGNED = {"unaligned": True}
CUSTOM = (
    SOURCE,
    {"id": "p", "type": "partition_custom", "inputs": ["s"]},
    SINK | {"inputs": ["p"]},
)


def test_formats_of_a_chain_make_a_format_vertex() -> None:
    done = compiled(
        SOURCE | {"input_format": "org.example.Rows"},
        SINK | {"output_format": "org.example.Files"},
    )

    (vertex,) = done.job_graph.vertices
    assert [(f.operator_id, f.kind, f.class_name) for f in vertex.formats] == [
        (vertex.operators[1].operator_id, "output", "org.example.Files"),
        (vertex.id, "input", "org.example.Rows"),
    ]


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
    """As Flink 2.1.3 refuses and 2.3.0 takes it."""
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


def test_a_batch_job_takes_no_checkpoints() -> None:
    done = compiled(
        SOURCE | {"type": "source"}, SINK, checkpoint_interval=500, runtime_mode="BATCH"
    )

    assert done.job_graph.checkpointing.interval == NEVER


@pytest.mark.parametrize("version", ["1.16", "2.3"])
def test_readers_share_a_data_set_where_they_read_one_partition(version: str) -> None:
    """As Flink 1.16.3 and 2.3.0 print it: every call brings a selector of its own, and only an
    interval join takes over those of its inputs."""
    window = {"type": "window_all", "window": {"assigner": "tumbling", "size": 1000}}
    key = {"type": "key_by", "inputs": ["s"], "keys": ["a"]}
    custom = {"type": "partition_custom", "inputs": ["s"]}
    done = compiled(
        {"id": "s", "type": "source"},
        {"id": "v", "inputs": ["s"]} | window,
        {"id": "w", "inputs": ["s"]} | window,
        {"id": "k"} | key,
        {"id": "l"} | key,
        {"id": "a", "type": "reduce", "inputs": ["k"]},
        {"id": "b", "type": "reduce", "inputs": ["k"]},
        {"id": "c", "type": "reduce", "inputs": ["l"]},
        {"id": "j", "type": "interval_join", "inputs": ["l", "k"]},
        {"id": "p"} | custom,
        {"id": "q"} | custom,
        {"id": "d", "type": "map", "inputs": ["p"]},
        {"id": "e", "type": "map", "inputs": ["q"]},
        {"id": "f", "type": "map", "inputs": ["q"]},
        version=version,
        runtime_mode="BATCH",
    )

    indexes = [edge.dataset_index for edge in done.job_graph.edges]
    assert indexes == [0, 1, 2, 2, 3, 2, 3, 4, 5, 5]


def test_savepoint_and_files_go_with_the_job() -> None:
    done = compiled(
        SOURCE,
        SINK,
        savepoint={"path": "file:/sp-1", "allow_non_restored_state": True, "claim_mode": "CLAIM"},
        artifacts={"model": "hdfs:/model.bin"},
    ).to_dict()["job_graph"]

    assert done["savepoint"] == {
        "path": "file:/sp-1",
        "allow_non_restored_state": True,
        "claim_mode": "CLAIM",
    }
    assert done["artifacts"] == {"model": "hdfs:/model.bin"}


LOOP: tuple[dict[str, Any], ...] = (
    SOURCE,
    {"id": "i", "type": "iterate", "inputs": ["s"]},
    {"id": "b", "type": "map", "inputs": ["i"]},
    {"id": "c", "type": "close_iteration", "inputs": ["b"], "iteration": "i"},
)
PAIR = (
    SOURCE,
    {"id": "t", "type": "legacy_source"},
    {"id": "j", "name": "Join", "type": "co_map", "inputs": ["s", "t"], "input_selectable": True},
)


@pytest.mark.parametrize(
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
def test_what_cannot_be_checkpointed_is_refused(
    transformations: tuple[dict[str, Any], ...], checkpointing: dict[str, Any], message: str
) -> None:
    with pytest.raises(FlinkRefusalError, match=message):
        compiled(*transformations, checkpoint_interval=500, checkpointing=checkpointing)


@pytest.mark.parametrize("transformations", [LOOP, CUSTOM])
def test_what_is_forced_is_not_refused(transformations: tuple[dict[str, Any], ...]) -> None:
    forced = UNALIGNED | {"force": True, "force_unaligned": True}

    done = compiled(*transformations, checkpoint_interval=500, checkpointing=forced)
    assert done.job_graph.checkpointing.interval == 500


def test_a_keyed_multiple_input_sorts_in_batch_mode() -> None:
    """Its strategy becomes HEAD, so its source keeps a task of its own."""
    transformations = (
        {"id": "s", "type": "source"},
        {"id": "k", "type": "key_by", "inputs": ["s"]},
        {"id": "m", "type": "multiple_input", "inputs": ["k"], "keyed": True},
    )

    node = compiled(*transformations, runtime_mode="BATCH").stream_graph.nodes[-1]
    assert node.chaining_strategy == "HEAD"
    assert node.operator_memory_weight == 128


@pytest.mark.parametrize(
    ("version", "number"), [("1.15", 8), ("1.18", 8), ("1.19", 11), ("2.3", 11)]
)
def test_a_global_committer_runs_alone_behind_the_committer(version: str, number: int) -> None:
    """As Flink 1.15.4, 1.18.1, 1.19.3 and 2.3.0 print it: number, name, uid, parallelism."""
    done = compiled(
        SOURCE,
        {"id": "o", "type": "sink_v2", "inputs": ["s"], "uid": "out", "global_committer": True},
        parallelism=2,
        version=version,
    )

    node = done.stream_graph.nodes[-1]
    edge = done.stream_graph.edges[-1]
    assert (node.id, node.name, node.uid) == (
        number,
        "Sink: Global Committer",
        "Sink out Global Committer",
    )
    assert (node.parallelism, node.max_parallelism) == (1, 1)
    assert (edge.source, edge.partitioner, edge.exchange_mode) == (5, "GLOBAL", "UNDEFINED")


def test_a_keyed_sink_sorts_in_batch_mode() -> None:
    """As Flink 1.20.5 prints it: the writer takes number 5."""
    done = compiled(
        {"id": "s", "type": "source"},
        {"id": "k", "type": "key_by", "inputs": ["s"]},
        {"id": "o", "type": "sink_v2", "inputs": ["k"]},
        runtime_mode="BATCH",
    )

    writer = done.stream_graph.nodes[-1]
    assert (writer.id, writer.chaining_strategy, writer.operator_memory_weight) == (5, "HEAD", 128)


def test_a_window_over_all_keys_runs_alone() -> None:
    done = compiled(
        SOURCE,
        {
            "id": "w",
            "type": "window_all",
            "inputs": ["s"],
            "window": {"assigner": "tumbling", "size": 5000},
        },
        parallelism=2,
        max_parallelism=720,
    )

    window = done.stream_graph.nodes[-1]
    assert (window.id, window.name) == (3, "TumblingEventTimeWindows")
    assert (window.parallelism, window.max_parallelism) == (1, 1)
    assert done.stream_graph.edges[0].partitioner == "HASH"


def test_an_unbounded_source_is_refused_in_batch_mode() -> None:
    with pytest.raises(FlinkRefusalError, match="Detected an UNBOUNDED source"):
        compiled(SOURCE, SINK, runtime_mode="BATCH")


def test_a_feedback_of_other_parallelism_is_refused() -> None:
    source, iterate, body, close = LOOP

    with pytest.raises(FlinkRefusalError, match="Parallelism of the feedback stream must match"):
        compiled(source, iterate, body | {"parallelism": 3}, close)
