"""Measures the time and the memory of a document's compilation."""

import gc
import json
import time
import tracemalloc
from collections.abc import Callable
from typing import Any, NamedTuple, cast

import msgspec

from benchmarks.compile.pipelines import Shape, document
from explorer import compile_graph
from explorer.documents import dump_yaml, load_document, parse_document
from explorer.documents.limits import MAX_BYTES, MAX_TRANSFORMATIONS
from explorer.model.pipeline import Pipeline

RELEASE = "1.20"
SPAN = 0.25
"""Processor seconds of a round, which repeats the work: the JVM's clock has steps of 10 ms."""


class Figures(NamedTuple):
    """Processor seconds, the least of all rounds; bytes beyond the document."""

    load: float
    """From plain values to a checked ``Pipeline``."""
    compile: float
    """From there to the JobGraph."""
    json: float | None
    """From JSON text to a checked ``Pipeline``; None: larger than what is read from a file."""
    yaml: float | None
    retained: int
    """What the ``Compilation`` holds."""
    peak: int
    """The most memory that was held meanwhile."""


def least(rounds: int, work: Callable[[], object]) -> float:
    """The mean processor time in the fastest round; results are dropped outside the clock."""
    return min([_mean(work) for _ in range(rounds)])


def _mean(work: Callable[[], object]) -> float:
    """The mean processor time of as many calls as fill a span."""
    gc.collect()
    passed, calls = 0.0, 0
    while passed < SPAN:
        start = time.process_time()
        result = work()
        passed += time.process_time() - start
        calls += 1
        del result
    return passed / calls


def measure(shape: Shape, nodes: int, rounds: int, *, texts: bool) -> Figures:
    """All figures of one program; ``texts``: also those of reading it as JSON and as YAML."""
    values = document(shape, nodes)
    pipeline = loaded(values)
    retained, peak = memory(pipeline)
    written = json.dumps(values)
    small = len(values["transformations"]) <= MAX_TRANSFORMATIONS and len(written) <= MAX_BYTES
    readable = texts and small
    return Figures(
        load=least(rounds, lambda: load_document(values)),
        compile=least(rounds, lambda: compile_graph(pipeline, RELEASE)),
        json=least(rounds, lambda: parse_document(written, name="a.json")) if readable else None,
        yaml=yaml_time(pipeline) if readable else None,
        retained=retained,
        peak=peak,
    )


def yaml_time(pipeline: Pipeline) -> float | None:
    """One round: YAML is far slower than all the rest."""
    text = dump_yaml(pipeline)
    if len(text) > MAX_BYTES:
        return None
    return least(1, lambda: parse_document(text, name="a.yaml"))


def toggle(nodes: int, rounds: int, *, incremental: bool) -> float:
    """The time from a changed strategy in the middle of a line to the new JobGraph.

    ``incremental``: compile with the graph before the edit, as the page does.
    """
    pipeline = loaded(document(Shape("line", None, uids=False), nodes))
    before = pipeline.transformations
    # The one in the middle is a rebalance, and the operator after it starts a chain in any case.
    middle = len(before) // 2 + 2
    changed = msgspec.structs.replace(before[middle], chaining_strategy="HEAD")
    edited = msgspec.structs.replace(
        pipeline, transformations=(*before[:middle], changed, *before[middle + 1 :])
    )
    old = compile_graph(pipeline, RELEASE) if incremental else None
    return least(rounds, lambda: compile_graph(edited, RELEASE, before=old))


def memory(pipeline: Pipeline) -> tuple[int, int]:
    """Return the bytes that a compilation retains, and its peak."""
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    done = compile_graph(pipeline, RELEASE)
    gc.collect()
    after, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del done
    return after - before, peak - before


def loaded(values: dict[str, Any]) -> Pipeline:
    """The document as data."""
    return cast("Pipeline", load_document(values))
