"""What Flink refuses while a program is built, before it looks at the graph."""

from typing import Any

import pytest

from explorer.documents import load_document
from explorer.errors import FlinkRefusalError, TooLargeError, UnsupportedReleaseError
from explorer.flink.passes.generation.support import (
    GraphSize,
    check_edges,
    check_release,
    unbounded_sources,
)
from explorer.flink.releases import VERSIONS, release
from explorer.model.pipeline import Pipeline
from tests.flink.passes.programs import NEW_SOURCE, SOURCE, compiled
from tests.many_cases import for_each

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
    """As Flink 1.11.4 accepts it."""
    done = compiled(SOURCE, OTHER, ITERATE, CONNECT, CLOSE, version="1.11")

    assert done.stream_graph.nodes[0].name == "IterationSink-3"


def test_its_first_input_is_no_secret() -> None:
    """As Flink 1.20.5 accepts it."""
    done = compiled(SOURCE, OTHER, ITERATE, CONNECT | {"inputs": ["i", "t"]}, CLOSE)

    assert done.stream_graph.nodes[0].name == "IterationSink-3"


@pytest.mark.parametrize("version", ["1.12", "2.3"])
def test_a_broadcast_connect_hides_an_unbounded_source(version: str) -> None:
    """As Flink 1.12.5 and 2.3.0 accept it: the source is behind the broadcast partition."""
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


@for_each("version", VERSIONS)
def test_a_program_without_operators_is_refused(version: str) -> None:
    """In the words of Flink 1.9.3 to 2.3.0, where a source counts once it is read."""
    alone = {"id": "s", "type": "legacy_source"}

    for program in ((), (alone,), (alone, {"id": "k", "type": "rebalance", "inputs": ["s"]})):
        with pytest.raises(FlinkRefusalError, match="No operators defined in streaming topology"):
            compiled(*program, version=version)


@pytest.mark.parametrize("version", ["1.20", "2.0"])
def test_features_that_a_release_lacks_are_refused_with_the_releases_that_have_them(
    version: str,
) -> None:
    pipeline = load_document({"transformations": [SOURCE, ITERATE, BODY, CLOSE]})
    assert isinstance(pipeline, Pipeline)
    if version == "1.20":
        check_release(pipeline, release(version))
        return

    with pytest.raises(UnsupportedReleaseError) as refused:
        check_release(pipeline, release(version))

    assert str(refused.value).startswith(
        "transformations[1] ('i'): Flink 2.0 has no 'iterate'; choose 1.20 or earlier"
    )


def test_a_legacy_source_is_unbounded_once_an_operator_reads_it() -> None:
    steps = [SOURCE, OTHER, {"id": "k", "type": "rebalance", "inputs": ["t"]}]
    unread = load_document({"transformations": [*steps, {**BODY, "inputs": ["s"]}]})
    read = load_document({"transformations": [*steps, {**BODY, "inputs": ["k"]}]})
    assert isinstance(unread, Pipeline)
    assert isinstance(read, Pipeline)

    assert unbounded_sources(unread, release("1.20")) == ["s"]
    assert unbounded_sources(read, release("1.20")) == ["t"]


def test_edges_are_counted_before_they_are_made() -> None:
    pipeline = load_document({"transformations": [SOURCE, {**BODY, "inputs": ["s"]}]})
    assert isinstance(pipeline, Pipeline)
    size = GraphSize(pipeline=pipeline, most_edges=2)
    operator = pipeline.transformation("b")

    size.add(2, operator, node=True)
    size.add(5, operator, node=False)
    with pytest.raises(TooLargeError, match=r"transformations\[1\] \('b'\).*more than 2 edges"):
        size.add(1, operator, node=True)
    with pytest.raises(TooLargeError, match="more than 8 streams"):
        GraphSize(pipeline=pipeline, most_edges=2).add(9, operator, node=False)
    check_edges(2, 2)
    with pytest.raises(TooLargeError, match="this graph has 3 edges; at most 2"):
        check_edges(3, 2)


def test_a_split_of_a_split_and_one_of_a_side_output_are_refused() -> None:
    split = {"id": "p", "type": "split", "inputs": ["s"], "outputs": {"a": "n > 1"}}
    again = {"id": "q", "type": "split", "inputs": ["p"], "outputs": {"a": "n > 1"}}
    side = {"id": "x", "type": "side_output", "inputs": ["b"], "tag": "t"}

    with pytest.raises(FlinkRefusalError, match="Consecutive multiple splits"):
        compiled(SOURCE, split, again, BODY | {"inputs": ["q"]}, version="1.9")
    with pytest.raises(FlinkRefusalError, match="Split after side-outputs"):
        compiled(
            SOURCE,
            {"id": "b", "type": "process", "inputs": ["s"]},
            side,
            split | {"inputs": ["x"]},
            {"id": "o", "type": "sink", "inputs": ["p"]},
            version="1.9",
        )
