"""What Flink refuses while the program is still being built, call by call.

Mirrors ``IterativeStream.closeWith``, ``FeedbackTransformation.addFeedbackEdge``, the setters of
``Transformation`` and ``KeyedStream.intervalJoin``. No graph is made before all calls went well.
"""

from collections.abc import Mapping
from typing import Final

from explorer.errors import FlinkRefusalError
from explorer.flink.kinds import KINDS
from explorer.flink.passes.generation.nodes import parallelism
from explorer.flink.release import Release
from explorer.model.pipeline import Environment, Transformation

_DEFAULT_WEIGHT: Final = 1


def check_calls(
    by_id: Mapping[str, Transformation], environment: Environment, release: Release
) -> None:
    """Raise ``FlinkRefusalError`` for the first call that ``release`` refuses.

    ``by_id``: the transformations in the order in which the program declares them.
    """
    for t in by_id.values():
        kind = KINDS[t.type]
        if kind.needs_event_time_setting and kind.needs_event_time_setting(release):
            msg = "Time-bounded stream joins are only supported in event time"
            exception = "UnsupportedTimeCharacteristicException"
            raise FlinkRefusalError(msg, exception=exception, transformations=[t.id])
        if t.iteration is not None:
            _check_origin(t.inputs[0], t.iteration, by_id, release)
            _check_feedback(by_id[t.inputs[0]], by_id[t.iteration], by_id, environment)
        if release.refuses_weight_with_resources:
            _check_resources(t)


def _check_origin(
    id: str, iteration: str, by_id: Mapping[str, Transformation], release: Release
) -> None:
    if not _comes_from(id, iteration, by_id, release):
        msg = (
            "Cannot close an iteration with a feedback DataStream that does not originate from "
            "said iteration."
        )
        raise _unsupported(msg, iteration, id)


def _check_feedback(
    back: Transformation,
    iteration: Transformation,
    by_id: Mapping[str, Transformation],
    environment: Environment,
) -> None:
    own, other = (parallelism(end, by_id, environment) for end in (iteration, back))
    if own != other:
        msg = (
            "Parallelism of the feedback stream must match the parallelism of the original "
            f"stream. Parallelism of original stream: {own}; parallelism of feedback stream: "
            f"{other}. Parallelism can be modified using DataStream#setParallelism() method"
        )
        raise _unsupported(msg, iteration.id, back.id)


def _comes_from(
    id: str, origin: str, by_id: Mapping[str, Transformation], release: Release
) -> bool:
    """Whether ``origin`` is among the transitive predecessors that Flink finds."""
    seen, stack = set(), [id]
    while stack:
        current = stack.pop()
        t = by_id[current]
        if current == origin:
            return True
        hides = KINDS[t.type].hides_inputs
        if hides and hides(release):
            if t.inputs[0] == origin:
                return True
        elif current not in seen:
            seen.add(current)
            stack.extend(t.inputs)
    return False


def _unsupported(msg: str, *ids: str) -> FlinkRefusalError:
    return FlinkRefusalError(msg, exception="UnsupportedOperationException", transformations=ids)


def _check_resources(t: Transformation) -> None:
    weight = t.managed_memory_weight
    if t.resources is None or weight is None or weight == _DEFAULT_WEIGHT:
        return
    heap = t.resources.heap_mb
    msg = (
        "The resources and managed memory weight should not be specified at the same time. "
        f"resources: ResourceSpec{{cpuCores={float(t.resources.cpu)}, "
        f"taskHeapMemory={heap}.000mb ({heap << 20} bytes), taskOffHeapMemory=0 bytes, "
        f"managedMemory=0 bytes}}, managed memory weight: {weight}"
    )
    raise FlinkRefusalError(msg, exception="IllegalArgumentException", transformations=[t.id])
