"""Checks before the first node is made, and the unbounded sources of a program.

Mirrors ``StreamGraphGenerator.existsUnboundedSource`` and ``transformFeedback``'s checks.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from explorer.errors import FlinkRefusalError, TooLargeError, UnsupportedReleaseError
from explorer.flink.kinds import FOREIGN_FEEDBACK, KINDS, types_with
from explorer.flink.passes.generation.nodes import parallelism
from explorer.flink.passes.generation.taggers import declared_by
from explorer.flink.releases import Release, to_choose
from explorer.model.pipeline import Environment, Pipeline, Resources, Transformation
from explorer.model.stream_graph import NodeId


def check_calls(
    pipeline: Pipeline,
    by_id: Mapping[str, Transformation],
    environment: Environment,
    release: Release,
) -> None:
    """Raise ``FlinkRefusalError`` for the first call that ``release`` refuses.

    ``by_id``: the transformations of ``pipeline`` in the order in which it declares them.
    """
    untimed = types_with(
        lambda kind: kind.needs_event_time_setting and kind.needs_event_time_setting(release),
        pipeline,
    )
    for t in by_id.values():
        if t.type in untimed:
            msg = "Time-bounded stream joins are only supported in event time"
            exception = "UnsupportedTimeCharacteristicException"
            raise FlinkRefusalError(msg, exception=exception, transformations=[t.id])
        if t.iteration is not None:
            # ``IterativeStream.closeWith`` asks ``Transformation.getTransitivePredecessors`` while
            # the program is built: this refusal comes before any that the generator makes.
            if not _comes_from(t.inputs[0], t.iteration, by_id, release):
                raise _refuse(FOREIGN_FEEDBACK, t.iteration, t.inputs[0])
            _check_feedback(by_id[t.inputs[0]], by_id[t.iteration], by_id, environment)
        if t.resources is not None and release.refuses_weight_with_resources:
            _check_resources(t, t.resources)
    if pipeline.types >= {"split", "side_output"}:
        _check_side_outputs_of_splits(by_id)


def _check_side_outputs_of_splits(by_id: Mapping[str, Transformation]) -> None:
    """Refuse getSideOutput() and split() of one stream; mirrors ``SingleOutputStreamOperator``."""
    first: dict[str, Transformation] = {}
    for t in by_id.values():
        if t.type not in {"split", "side_output"}:
            continue
        old_transformation = first.setdefault(t.inputs[0], t)
        operator = KINDS[by_id[t.inputs[0]].type].node
        if operator and old_transformation.type != t.type:
            msg = (
                "getSideOutput() and split() may not be called on the same DataStream. As a "
                "work-around, please add a no-op map function before the split() call."
            )
            raise _refuse(msg, t.id, old_transformation.id)


def check_split(split: Transformation, by_id: Mapping[str, Transformation]) -> None:
    """Refuse to split a stream that is split already; mirrors ``validateSplitTransformation``."""
    waiting = list(split.inputs)
    visited: set[str] = set()
    while waiting:
        id = waiting.pop(0)
        t = by_id[id]
        if t.type in {"split", "select", "side_output"}:
            following = t.type == "side_output"
            what = "Split after side-outputs" if following else "Consecutive multiple splits"
            msg = f"{what} are not supported. Splits are deprecated. Please use side-outputs."
            ends = [split.id, t.id]
            raise FlinkRefusalError(msg, exception="IllegalStateException", transformations=ends)
        kind = KINDS[t.type]
        if (kind.joins or kind.partitions) and id not in visited:
            # ``StreamGraphGenerator.validateSplitTransformation`` descends depth first: of two
            # faults upstream, the one that it meets first names the operators in its message.
            waiting[:0] = t.inputs
        visited.add(id)


def _check_feedback(
    back: Transformation,
    iteration: Transformation,
    by_id: Mapping[str, Transformation],
    environment: Environment,
) -> None:
    subtasks, feedback_subtasks = (
        parallelism(end, by_id, environment) for end in (iteration, back)
    )
    if subtasks != feedback_subtasks:
        msg = (
            "Parallelism of the feedback stream must match the parallelism of the original "
            f"stream. Parallelism of original stream: {subtasks}; parallelism of feedback stream: "
            f"{feedback_subtasks}. Parallelism can be modified using DataStream#setParallelism() "
            "method"
        )
        raise _refuse(msg, iteration.id, back.id)


def _comes_from(
    id: str, origin: str, by_id: Mapping[str, Transformation], release: Release
) -> bool:
    """Whether ``origin`` is among the transitive predecessors that Flink finds."""
    known, stack = set(), [id]
    while stack:
        current = stack.pop()
        t = by_id[current]
        if current == origin:
            return True
        hides = KINDS[t.type].hides_inputs
        if hides and hides(release):
            if t.inputs[0] == origin:
                return True
        elif current not in known:
            known.add(current)
            stack.extend(t.inputs)
    return False


def _refuse(msg: str, *ids: str) -> FlinkRefusalError:
    return FlinkRefusalError(msg, exception="UnsupportedOperationException", transformations=ids)


def _check_resources(t: Transformation, resources: Resources) -> None:
    weight = t.managed_memory_weight
    # 1 is ``Transformation.DEFAULT_MANAGED_MEMORY_WEIGHT``.
    if weight in {None, 1}:
        return
    heap = resources.heap_mb
    msg = (
        "The resources and managed memory weight should not be specified at the same time. "
        f"resources: ResourceSpec{{cpuCores={float(resources.cpu)}, "
        f"taskHeapMemory={heap}.000mb ({heap << 20} bytes), taskOffHeapMemory=0 bytes, "
        f"managedMemory=0 bytes}}, managed memory weight: {weight}"
    )
    raise FlinkRefusalError(msg, exception="IllegalArgumentException", transformations=[t.id])


STREAMS: Final = 4
"""Inputs of all transformations for each edge that is allowed, each union counted as the streams
that it stands for; what is only passed through makes no edge."""


class GraphSize(msgspec.Struct, kw_only=True):
    """Size of the graph that a program makes, counted before it is made."""

    pipeline: Pipeline
    most_edges: int
    streams: int = 0
    edges: int = 0

    def add(self, streams: int, t: Transformation, *, node: bool) -> None:
        """Count what ``t`` reads, an edge each where it is a ``node``; refuse what multiplies.

        Two unions of each other, thirty times over, are 2^30 streams.
        """
        self.streams += streams
        self.edges += streams if node else 0
        if self.edges > self.most_edges:
            raise TooLargeError(self._too_large("edges", self.most_edges, t))
        if self.streams > STREAMS * self.most_edges:
            raise TooLargeError(self._too_large("streams", STREAMS * self.most_edges, t))

    def _too_large(self, what: str, maximum: int, t: Transformation) -> str:
        mine = declared_by(t)
        position = [transformation.id for transformation in self.pipeline.transformations].index(
            mine
        )
        return (
            f"transformations[{position}] ({mine!r}): up to here the inputs stand for "
            f"more than {maximum:,} {what}, each union counted as all that it joins; at most that "
            "many are translated here, so join fewer or let fewer operators read the union"
        )


def check_edges(edges: int, maximum: int) -> None:
    """Refuse a graph that was passed with more edges than are allowed."""
    if edges > maximum:
        msg = f"this graph has {edges:,} edges; at most {maximum:,} are translated here"
        raise TooLargeError(msg)


def check_release(pipeline: Pipeline, release: Release) -> None:
    """Refuse transformations and window assigners that ``release`` does not have."""
    absent = types_with(lambda kind: kind.exists and not kind.exists(release), pipeline)
    if not absent and release.partition_windows:
        return
    for position, t in enumerate(pipeline.transformations):
        exists = KINDS[t.type].exists
        if exists and t.type in absent:
            absence = KINDS[t.type].absence
            reason = f". {absence}" if absence else ""
            msg = (
                f"transformations[{position}] ({t.id!r}): Flink {release.version} has no "
                f"{t.type!r}; choose {to_choose(exists)}{reason}"
            )
            raise UnsupportedReleaseError(msg)
        ends = t.window is not None and t.window.assigner == "end_of_stream"
        if ends and not release.partition_windows:
            msg = (
                f"transformations[{position}] ({t.id!r}).window.assigner: Flink {release.version} "
                "has no 'end_of_stream' windows; choose "
                f"{to_choose(lambda other_release: other_release.partition_windows)}"
            )
            raise UnsupportedReleaseError(msg)


def check_operators(pipeline: Pipeline) -> None:
    """Refuse a program of which nothing is registered: a source counts once it is read.

    Mirrors ``StreamExecutionEnvironment.getStreamGraphGenerator``.
    """
    if not types_with(lambda kind: kind.registered, pipeline):
        msg = "No operators defined in streaming topology. Cannot execute."
        hint = "Add an operator or a sink: a source counts once something reads from it."
        raise FlinkRefusalError(msg, exception="IllegalStateException", hint=hint)


def unbounded_sources(pipeline: Pipeline, release: Release) -> list[str]:
    """The legacy sources that an operator reads; each may or may not end.

    A broadcast connect may name its first input, but not its successors.
    """
    legacy_types = types_with(lambda kind: kind.legacy_source, pipeline)
    if not legacy_types:
        return []
    legacy = [t.id for t in pipeline.transformations if t.type in legacy_types]
    read: set[str] = set()
    named: set[str] = set()
    for t in reversed(pipeline.transformations):
        kind = KINDS[t.type]
        # closeWith reads the feedback stream at once, as an operator does when it is registered.
        # ``StreamGraphGenerator.existsUnboundedSource`` looks at registered transformations and
        # their predecessors: an unbounded source that nobody reads leaves AUTOMATIC mode on BATCH.
        if not kind.registered and kind.numbered and t.id not in read:
            continue
        if kind.hides_inputs and kind.hides_inputs(release):
            named.add(t.inputs[0])
        else:
            read.update(t.inputs)
    named |= read
    return [id for id in legacy if id in named]


def check_iteration(
    t: Transformation, number: NodeId, parallelism: int, *, closed: bool, batch: bool
) -> None:
    """Refuse an iteration in a batch job, or one that is never closed.

    ``number``: that of its transformation.
    """
    if batch:
        msg = (
            "Iterations are not supported in BATCH execution mode. If you want to execute such a "
            "pipeline, please set the 'execution.runtime-mode'=STREAMING"
        )
        raise _refuse(msg, t.id)
    if not closed:
        msg = (
            f"Iteration FeedbackTransformation{{id={number}, name='Feedback', outputType=Row, "
            f"parallelism={parallelism}}} does not have any feedback edges."
        )
        raise FlinkRefusalError(msg, exception="IllegalStateException", transformations=[t.id])
