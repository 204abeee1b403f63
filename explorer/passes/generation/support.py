"""What is settled before the first node is made: what the release has, which sources never end.

Mirrors ``StreamGraphGenerator.existsUnboundedSource`` and ``FeedbackTransformation``'s checks.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from explorer.errors import FlinkRefusalError, TooLargeError, UnsupportedReleaseError
from explorer.model.chains import JobSettings
from explorer.model.pipeline import Pipeline, Transformation
from explorer.model.release import Release
from explorer.passes.generation.nodes import UNREGISTERED, NodeMaker

_NEEDS: Final = {
    "source": ("flip27_sources", "1.12 or later"),
    "multiple_input": ("multiple_input", "1.12 or later"),
    "timestamps": ("timestamps", "1.11 or later"),
    "sink_v2": ("sink_v2", "1.15 or later"),
    "iterate": ("iterations", "1.20 or earlier"),
}


MOST_STREAMS: Final = 2_000_000
"""Inputs of all transformations, each union counted as the streams that it stands for."""


def check_size(streams: int, t: Transformation, by_id: Mapping[str, Transformation]) -> None:
    """Refuse unions that multiply: two of each other, thirty times over, are 2^30 streams.

    ``streams``: how many all transformations up to ``t`` read.
    """
    if streams <= MOST_STREAMS:
        return
    msg = (
        f"transformations[{list(by_id).index(t.id)}] ({t.id!r}): up to here the inputs stand for "
        f"more than {MOST_STREAMS:,} streams, each union counted as all that it joins; at most "
        "that many are translated, so join fewer or let fewer operators read the union"
    )
    raise TooLargeError(msg)


def check_release(pipeline: Pipeline, release: Release) -> None:
    """Refuse what ``release`` does not have."""
    for position, t in enumerate(pipeline.transformations):
        switch, since = _NEEDS.get(t.type, ("", ""))
        if switch and not getattr(release, switch):
            msg = (
                f"transformations[{position}] ({t.id!r}): Flink {release.version} has no "
                f"{t.type!r}; choose {since}"
            )
            raise UnsupportedReleaseError(msg)
        if t.type == "interval_join" and release.interval_join_needs_event_time_setting:
            msg = "Time-bounded stream joins are only supported in event time"
            exception = "UnsupportedTimeCharacteristicException"
            raise FlinkRefusalError(msg, exception=exception, transformations=[t.id])


def unbounded_sources(pipeline: Pipeline) -> list[str]:
    """The legacy sources that an operator reads; nobody can tell whether one of them ends."""
    read: set[str] = set()
    for t in reversed(pipeline.transformations):
        if t.type not in UNREGISTERED or t.type == "close_iteration" or t.id in read:
            read.update(t.inputs)
    return [t.id for t in pipeline.transformations if t.id in read and t.type == "legacy_source"]


def check_iterations(
    t: Transformation,
    feedback: Sequence[str],
    by_id: Mapping[str, Transformation],
    maker: NodeMaker,
    job: JobSettings,
) -> None:
    """Refuse an iteration that Flink refuses; ``feedback``: ids of the streams fed back."""
    if job.batch:
        msg = (
            "Iterations are not supported in BATCH execution mode. If you want to execute such a "
            "pipeline, please set the 'execution.runtime-mode'=STREAMING"
        )
        raise _unsupported(msg, t.id)
    if not feedback:
        msg = f"Iteration {t.id} does not have any feedback edges."
        raise FlinkRefusalError(msg, exception="IllegalStateException", transformations=[t.id])
    own = maker.parallelism(t)
    for id in feedback:
        other = maker.parallelism(by_id[id])
        if other != own:
            msg = (
                "Parallelism of the feedback stream must match the parallelism of the original "
                f"stream. Parallelism of original stream: {own}; parallelism of feedback stream: "
                f"{other}. Parallelism can be modified using DataStream#setParallelism() method"
            )
            raise _unsupported(msg, t.id, id)
        if not _comes_from(id, t.id, by_id):
            msg = (
                "Cannot close an iteration with a feedback DataStream that does not originate from "
                "said iteration."
            )
            raise _unsupported(msg, t.id, id)


def _comes_from(id: str, origin: str, by_id: Mapping[str, Transformation]) -> bool:
    seen, stack = set(), [id]
    while stack:
        current = stack.pop()
        if current == origin:
            return True
        if current not in seen:
            seen.add(current)
            stack.extend(by_id[current].inputs)
    return False


def _unsupported(msg: str, *ids: str) -> FlinkRefusalError:
    return FlinkRefusalError(msg, exception="UnsupportedOperationException", transformations=ids)
