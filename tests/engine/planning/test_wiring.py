"""The channels that a trial opens are those of the execution graph, release by release."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import compile_graph
from explorer.engine import plan
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.task.input_gate import InputGate
from explorer.engine.task.record_writer import RecordWriter
from explorer.flink.releases import VERSIONS
from tests.many_cases import for_each

Pair = tuple[int, int]
COUNTS = st.integers(1, 70)


def _document(kind: str, producers: int, consumers: int, **environment: Any) -> dict[str, Any]:
    source = "source" if environment else "legacy_source"
    return {
        "environment": environment,
        "transformations": [
            {"id": "in", "type": source, "parallelism": producers},
            {"id": "by", "type": kind, "inputs": ["in"]},
            {"id": "out", "type": "sink", "inputs": ["by"], "parallelism": consumers},
        ],
    }


def _written(edge: plan.Edge, producers: int) -> list[Pair]:
    """Producer and consumer of every channel that gets a watermark."""
    sent: list[Pair] = []
    for producer in range(producers):

        def emit(consumer: int, _frame: bytes, producer: int = producer) -> None:
            sent.append((producer, consumer))

        RecordWriter(edge, producer, "in", emit).watermark(0)
    return sorted(sent)


def _read(edge: plan.Edge, consumers: int) -> list[Pair]:
    """Producer and consumer of every channel on which a consumer waits."""
    return sorted(
        (producer, consumer)
        for consumer in range(consumers)
        for _, producer in InputGate([edge], consumer).channels
    )


def _only_edge(document: Any, version: str) -> tuple[plan.Edge, tuple[int, int]]:
    job = plan_trial(compile_graph(document, version)).job
    source, target = job.tasks
    return target.inputs[0], (source.parallelism, target.parallelism)


def _holds(version: str, kind: str, producers: int, consumers: int, **environment: Any) -> None:
    document = _document(kind, producers, consumers, **environment)
    (compiled,) = compile_graph(document, version).execution_graph.edges
    pairs = sorted(compiled.pairs())

    edge, ends = _only_edge(document, version)

    assert ends == (producers, consumers)
    # In BATCH mode whoever reads two subpartitions is told the time in each.
    assert sorted(set(_written(edge, producers))) == _read(edge, consumers) == pairs


@pytest.mark.slow
@for_each("version", VERSIONS)
@for_each(("producers", "consumers"), [(14, 16), (62, 14), (2, 5), (7, 3)])
def test_a_rescale_is_wired_as_in_the_execution_graph_of_its_release(
    version: str, producers: int, consumers: int
) -> None:
    _holds(version, "rescale", producers, consumers)


@given(
    version=st.sampled_from(VERSIONS),
    kind=st.sampled_from(["rescale", "rebalance", "broadcast", "shuffle"]),
    producers=COUNTS,
    consumers=COUNTS,
)
def test_a_trial_opens_the_channels_of_the_execution_graph(
    version: str, kind: str, producers: int, consumers: int
) -> None:
    _holds(version, kind, producers, consumers)


@given(
    kind=st.sampled_from(["rescale", "rebalance", "broadcast"]), producers=COUNTS, consumers=COUNTS
)
def test_so_does_a_batch_job(kind: str, producers: int, consumers: int) -> None:
    _holds("1.20", kind, producers, consumers, runtime_mode="BATCH")
