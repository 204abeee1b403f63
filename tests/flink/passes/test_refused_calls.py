"""What Flink refuses while a program is built, before it looks at the graph."""

from typing import Any

import pytest

from explorer.errors import FlinkRefusalError
from explorer.flink.releases import VERSIONS
from tests.flink.passes.programs import NEW_SOURCE, SOURCE, compiled

ITERATE: dict[str, Any] = {"id": "i", "type": "iterate", "inputs": ["s"]}
BODY: dict[str, Any] = {"id": "b", "type": "map", "inputs": ["i"]}
CLOSE: dict[str, Any] = {"id": "c", "type": "close_iteration", "inputs": ["b"], "iteration": "i"}
OTHER: dict[str, Any] = {"id": "t", "type": "legacy_source"}
CONNECT: dict[str, Any] = {"id": "b", "type": "broadcast_connect", "inputs": ["t", "i"]}


@pytest.mark.parametrize("version", ["1.12", "1.20"])
def test_a_broadcast_connect_hides_the_iteration_that_it_reads(version: str) -> None:
    """In the words of Flink 1.12.5 and 1.20.5: only what it reads directly is a predecessor."""
    with pytest.raises(FlinkRefusalError, match="does not originate from said iteration"):
        compiled(SOURCE, OTHER, ITERATE, CONNECT, CLOSE, version=version)


def test_in_older_releases_it_does_not() -> None:
    """As Flink 1.11.4 takes it."""
    done = compiled(SOURCE, OTHER, ITERATE, CONNECT, CLOSE, version="1.11")

    assert done.stream_graph.nodes[0].name == "IterationSink-3"


def test_its_first_input_is_no_secret() -> None:
    """As Flink 1.20.5 takes it."""
    done = compiled(SOURCE, OTHER, ITERATE, CONNECT | {"inputs": ["i", "t"]}, CLOSE)

    assert done.stream_graph.nodes[0].name == "IterationSink-3"


@pytest.mark.parametrize("version", ["1.12", "2.3"])
def test_a_broadcast_connect_hides_an_unbounded_source(version: str) -> None:
    """As Flink 1.12.5 and 2.3.0 take it: the source is behind the broadcast partition."""
    done = compiled(
        NEW_SOURCE, OTHER, CONNECT | {"inputs": ["s", "t"]}, version=version, runtime_mode="BATCH"
    )
    assert done.settings.batch

    with pytest.raises(FlinkRefusalError, match="Detected an UNBOUNDED source"):
        compiled(
            NEW_SOURCE,
            OTHER,
            CONNECT | {"inputs": ["t", "s"]},
            version=version,
            runtime_mode="BATCH",
        )


def test_an_iteration_that_is_never_closed_is_named_as_flink_names_it() -> None:
    """In the words of Flink 1.20.5, but for the type."""
    message = (
        r"Iteration FeedbackTransformation\{id=2, name='Feedback', outputType=Row, parallelism=1"
    )

    with pytest.raises(FlinkRefusalError, match=message):
        compiled(SOURCE, ITERATE, BODY)


def test_calls_are_refused_before_the_graph_is_made() -> None:
    """As in Flink 1.20.5, where the FORWARD before the loop is never reached."""
    forward = {"id": "f", "type": "forward", "inputs": ["s"]}
    join = {"id": "j", "type": "co_map", "inputs": ["s", "f"], "parallelism": 4}

    with pytest.raises(FlinkRefusalError, match="Parallelism of the feedback stream must match"):
        compiled(SOURCE, forward, join, ITERATE | {"inputs": ["j"]}, BODY, CLOSE)


def test_cores_are_written_as_java_writes_them() -> None:
    """In the words of Flink 1.11.4."""
    fields = {"resources": {"cpu": 1, "heap_mb": 10}, "managed_memory_weight": 128}

    with pytest.raises(FlinkRefusalError, match=r"cpuCores=1\.0, taskHeapMemory=10\.000mb \(10485"):
        compiled(SOURCE, {"id": "m", "type": "map", "inputs": ["s"]} | fields, version="1.11")


@pytest.mark.parametrize(("version", "spaces"), [("1.12", "  "), ("1.20", " ")])
def test_unaligned_checkpoints_of_a_loop_are_refused(version: str, spaces: str) -> None:
    """In the words of Flink 1.12.5 and 1.20.5."""
    how = {"unaligned": True, "force": True}

    with pytest.raises(FlinkRefusalError, match=f"for iterative jobs,{spaces}as rescaling"):
        compiled(
            SOURCE,
            ITERATE,
            BODY,
            CLOSE,
            version=version,
            checkpoint_interval=500,
            checkpointing=how,
        )


def test_a_loop_was_never_checkpointed_by_default() -> None:
    """In the words of Flink 1.9.3."""
    with pytest.raises(FlinkRefusalError, match="Checkpointing is currently not supported by def"):
        compiled(SOURCE, ITERATE, BODY, CLOSE, version="1.9", checkpoint_interval=500)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_program_without_operators_is_refused(version: str) -> None:
    """In the words of Flink 1.9.3 to 2.3.0, where a source counts once it is read."""
    alone = {"id": "s", "type": "legacy_source"}

    for program in ((), (alone,), (alone, {"id": "k", "type": "rebalance", "inputs": ["s"]})):
        with pytest.raises(FlinkRefusalError, match="No operators defined in streaming topology"):
            compiled(*program, version=version)
