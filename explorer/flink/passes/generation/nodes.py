"""The operator and the StreamNode of a transformation, by program, settings and release.

Mirrors ``SimpleTransformationTranslator.configure``, ``StreamGraphGenerator.setBufferTimeout`` and
``BatchExecutionUtils.applyBatchExecutionSettings``.
"""

from collections.abc import Mapping
from operator import attrgetter
from typing import Final

import msgspec

from explorer.errors import FlinkRefusalError
from explorer.flink.kinds import KINDS, emits_at_end, runs_alone
from explorer.flink.passes.generation.taggers import Tagger, declared_by
from explorer.flink.passes.generation.window_names import partition_window_name, window_names
from explorer.flink.releases import Release
from explorer.model.chains import JobSettings
from explorer.model.pipeline import ChainingStrategy, Environment, Transformation
from explorer.model.stream_graph import EventTime, NodeId, StreamNode


class NodeOperator(msgspec.Struct, frozen=True, kw_only=True):
    """Facts of an operator that are not fields of its transformation."""

    name: str
    """The transformation's name."""
    node_name: str
    """The StreamNode's, as with a ``Source: `` before it."""
    description: str | None = None
    strategy: ChainingStrategy
    vertex_class: str
    uid: str | None = None
    yielding: bool = False
    concurrent_attempts: bool = True


def operator_of(
    transformation: Transformation, release: Release, *, keyed_inputs: tuple[bool, ...]
) -> NodeOperator:
    """The operator that ``transformation`` makes; ``keyed_inputs``: which inputs are ``key_by``."""
    default, description = _default_name(transformation, release, keyed_inputs)
    name = transformation.name if transformation.name is not None else default
    kind = KINDS[transformation.type]
    selectable = transformation.input_selectable and release.selectable_task
    selects = selectable and kind.vertex_class == "TwoInputStreamTask"
    return NodeOperator(
        name=name,
        node_name=kind.prefix + name,
        description=description,
        strategy=_strategy(transformation, release),
        vertex_class="TwoInputSelectableStreamTask" if selects else kind.vertex_class,
        uid=transformation.uid,
        yielding=kind.yields and release.async_yields,
        # An OutputFormatSinkFunction does not say that it supports them.
        concurrent_attempts=transformation.output_format is None,
    )


CACHE_WRITE: Final = "CacheWrite"
"""The name of the node that fills a cache."""
_SINK_UIDS: Final = {
    "Writer": "{}",
    "Committer": "Sink Committer: {}",
    "Global Committer": "Sink {} Global Committer",
}
"""By part of a sink, the uid that it gets from the sink's."""


def sink_part(t: Transformation, part: str, release: Release) -> NodeOperator:
    """The writer, the committer or the global committer of a sink."""
    name = f"{KINDS[t.type].name if t.name is None else t.name}: {part}"
    alone = part == "Writer" and not (t.committer or t.global_committer)
    late = part == "Global Committer" and release.global_committer_declared_late
    return NodeOperator(
        name=name,
        node_name=name,
        strategy="ALWAYS" if late else t.chaining_strategy or "ALWAYS",
        vertex_class="OneInputStreamTask",
        uid=None if t.uid is None else _SINK_UIDS[part].format(t.uid),
        yielding=part == "Writer",
        concurrent_attempts=alone or late,
    )


def with_inherited_fields(t: Transformation, release: Release, parallelism: int) -> Transformation:
    """A sink with the fields that its parts inherit; ``parallelism``: the sink's."""
    group = t.co_location_group if release.sink_parts_co_located else None
    sets = parallelism if release.sink_parts_set_parallelism else t.parallelism
    return msgspec.structs.replace(t, co_location_group=group, parallelism=sets)


def is_keyed(t: Transformation, keyed_inputs: tuple[bool, ...]) -> bool:
    """Whether the transformation has a state key selector; one keyed input of two is enough."""
    match KINDS[t.type].key_selector:
        case "inputs":
            return any(keyed_inputs)
        # ``BroadcastConnectedStream.process`` asks its first stream alone for a key.
        case "first input":
            return keyed_inputs[0]
        case "field":
            return t.keyed
        case "own" | "constant":
            return True
        case "none":
            return False


def _strategy(t: Transformation, release: Release) -> ChainingStrategy:
    """The program's strategy if the transformation passes it on; else the operator's own."""
    kind = KINDS[t.type]
    applies = kind.applies_strategy is None or kind.applies_strategy(release)
    if t.chaining_strategy is not None and applies:
        return t.chaining_strategy
    return kind.strategy_in(release) if kind.strategy_in else kind.strategy


def _default_name(
    transformation: Transformation, release: Release, keyed_inputs: tuple[bool, ...]
) -> tuple[str, str | None]:
    """The operator's default name, and its description if that differs."""
    if transformation.window is not None:
        return window_names(transformation, transformation.window, release)
    if transformation.output_format is not None:
        return "Unnamed", None
    kind = KINDS[transformation.type]
    keyed = kind.keyed_name is not None and keyed_inputs[0]
    description = partition_window_name(transformation, release)
    return (kind.keyed_name if keyed else kind.name) or "", description


_SHARED: Final = attrgetter(
    "type",
    "window",
    "timestamps",
    "function",
    "keyed",
    "parallelism",
    "parallel",
    "max_parallelism",
    "slot_sharing_group",
    "co_location_group",
    "chaining_strategy",
    "buffer_timeout",
    "managed_memory_weight",
    "input_selectable",
    "input_format",
    "output_format",
)
"""The fields of a transformation that its node depends on; ``make_operator`` reads the others."""


class NodeMaker:
    """Makes the nodes of one program."""

    def __init__(
        self,
        environment: Environment,
        by_id: Mapping[str, Transformation],
        job: JobSettings,
        release: Release,
    ) -> None:
        self.environment, self.by_id, self.job, self.release = environment, by_id, job, release
        buffer_timeout = environment.buffer_timeout
        streaming = release.default_buffer_timeout if buffer_timeout is None else buffer_timeout
        self.models: dict[tuple[object, ...], tuple[StreamNode, str, str]] = {}
        """By the facts that nodes share, one node, the prefix of its name and the default name."""
        keyed_types = {kind.type for kind in KINDS.values() if kind.keyed_stream}
        self.keyed = {id for id, t in by_id.items() if t.type in keyed_types}
        # ``StreamGraphGenerator.configureStreamGraph`` turns flushing off for a BATCH job.
        self.buffer_timeout = -1 if job.batch else streaming

    def keyed_inputs(self, t: Transformation) -> tuple[bool, ...]:
        """By input of ``t``, whether it is a keyed stream."""
        return tuple(map(self.keyed.__contains__, t.inputs))

    def make_operator(
        self, t: Transformation, id: NodeId, group: str, keyed_inputs: tuple[bool, ...]
    ) -> StreamNode:
        """Make the node of a transformation that becomes one node.

        ``group``: the slot sharing group of its inputs; ``keyed_inputs``: which inputs are
        ``key_by``. Transformations that agree in ``_SHARED`` get copies of one node. Raises as
        ``make`` does.
        """
        key = (_SHARED(t), group, keyed_inputs)
        model = self.models.get(key) if type(t) is Transformation else None
        if model is None:
            operator = operator_of(t, self.release, keyed_inputs=keyed_inputs)
            node = self.make(t, id, operator, group, keyed=is_keyed(t, keyed_inputs))
            if not _follows_input(t):
                default, _ = _default_name(t, self.release, keyed_inputs)
                self.models[key] = node, KINDS[t.type].prefix, default
            return node
        shared, prefix, default = model
        return msgspec.structs.replace(
            shared,
            id=id,
            name=prefix + (default if t.name is None else t.name),
            uid=t.uid,
            uid_hash=t.uid_hash,
            transformation=t.id,
            resources=t.resources,
        )

    def make(
        self,
        t: Transformation,
        id: NodeId,
        operator: NodeOperator,
        slot_sharing_group: str,
        *,
        keyed: bool = False,
    ) -> StreamNode:
        """Make the node; ``slot_sharing_group``: that of its inputs, for want of its own.

        ``keyed``: whether it has a state key selector. Raises ``FlinkRefusalError`` where Flink
        does.
        """
        kind, timeout = KINDS[t.type], t.buffer_timeout
        tags, declared = (t.tags, t.of) if isinstance(t, Tagger) else (0, t.id)
        at_end = emits_at_end(t, self.release)
        strategy, weight = self._batch_settings(t, operator, keyed=keyed, at_end=at_end)
        return StreamNode(
            id=id,
            name=operator.node_name,
            description=operator.description,
            parallelism=self.parallelism(t),
            # An argument of ``MultipleInputTransformation`` counts as set by the program.
            parallelism_configured=t.parallelism is not None
            or kind.sets_parallelism
            or runs_alone(t),
            max_parallelism=self.max_parallelism(t),
            slot_sharing_group=t.slot_sharing_group or slot_sharing_group,
            co_location_group=t.co_location_group,
            # ``StreamGraphGenerator`` reads a negative ``Transformation.getBufferTimeout`` as none:
            # a transformation cannot turn flushing off for itself.
            buffer_timeout=self.buffer_timeout if timeout is None or timeout < 0 else timeout,
            chaining_strategy=strategy,
            yielding=operator.yielding,
            legacy_source=kind.legacy_source,
            vertex_class=operator.vertex_class,
            supports_concurrent_attempts=operator.concurrent_attempts
            if self.release.concurrent_attempts
            else None,
            transformation=declared,
            uid=operator.uid,
            uid_hash=t.uid_hash,
            resources=t.resources,
            tags=tags,
            operator_memory_weight=weight,
            sink=kind.data_sink,
            input_format=t.input_format,
            output_format=t.output_format,
            input_selectable=t.input_selectable,
            output_only_after_end_of_stream=at_end,
            event_time=_event_time(t),
        )

    def _batch_settings(
        self, t: Transformation, operator: NodeOperator, *, keyed: bool, at_end: bool
    ) -> tuple[ChainingStrategy, int | None]:
        """Chaining strategy and memory weight, as ``BatchExecutionUtils`` sets them in BATCH mode.

        Raises ``FlinkRefusalError`` for an operator that cannot read sorted inputs.
        """
        kind, strategy = KINDS[t.type], operator.strategy
        # An operator that emits only at the end runs as in a BATCH job, in a streaming one too.
        if not keyed or not (self.job.batch or at_end) or kind.sorts_itself:
            weight = kind.memory_weight
            return strategy, t.managed_memory_weight if weight is None else weight
        if t.input_selectable:
            msg = (
                "Batch state backend and sorting inputs are not supported in graphs with an "
                "InputSelectable operator."
            )
            raise _illegal_state(msg, t)
        # ``adjustChainingStrategy``: the operator reads its whole input first.
        strategy = "HEAD" if strategy in {"ALWAYS", "HEAD_WITH_SOURCES"} else strategy
        return strategy, self.release.keyed_batch_memory_weight

    def make_cache(self, t: Transformation, id: NodeId, source: StreamNode) -> StreamNode:
        """The node that writes what ``source`` gives into a data set of the cluster.

        Mirrors ``CacheTransformationTranslator``: no transformation stands behind it.
        """
        return StreamNode(
            id=id,
            name=CACHE_WRITE,
            parallelism=source.parallelism,
            parallelism_configured=source.parallelism_configured,
            max_parallelism=self.max_parallelism(t),
            slot_sharing_group=source.slot_sharing_group,
            co_location_group=None,
            buffer_timeout=self.buffer_timeout,
            # As ``CacheTransformationTranslator`` sets it: the data set is a result on the network.
            chaining_strategy="HEAD",
            vertex_class="OneInputStreamTask",
            supports_concurrent_attempts=True if self.release.concurrent_attempts else None,
            transformation=t.id,
        )

    def parallelism(self, t: Transformation) -> int:
        """The value of ``parallelism`` in this program."""
        return parallelism(t, self.by_id, self.environment)

    def max_parallelism(self, t: Transformation) -> int:
        """The maximum of ``t``, else the environment's, else -1; ``forceNonParallel`` sets 1."""
        if KINDS[t.type].alone:
            return 1
        return t.max_parallelism or self.environment.max_parallelism or -1

    def check(self, t: Transformation, node: StreamNode) -> None:
        """Refuse a node for its uid or its memory, as Flink does once it is translated."""
        named = self.environment.auto_generate_uids or node.uid is not None
        if not named and t.uid_hash is None:
            msg = (
                "Auto generated UIDs have been disabled but no UID or hash has been assigned to "
                f"operator {node.name.removeprefix(KINDS[t.type].prefix)}"
            )
            raise _illegal_state(msg, t)
        # ``Transformation.declareManagedMemoryUseCaseAtOperatorScope`` was called with the
        # program's weight before ``BatchExecutionUtils`` sets its own; the second call compares the
        # two.
        has, expected = node.operator_memory_weight, t.managed_memory_weight
        if expected is not None and expected != has and self.release.weights_conflict:
            msg = (
                "Conflict managed memory consumer weights for 'OPERATOR' were configured: "
                f"'{has}' and '{expected}'."
            )
            raise _illegal_state(msg, t)


def parallelism(
    t: Transformation, by_id: Mapping[str, Transformation], environment: Environment
) -> int:
    """The parallelism of ``t``, by default the environment's; some types take their input's."""
    while _follows_input(t):
        t = by_id[t.inputs[0]]
    return 1 if runs_alone(t) else t.parallelism or environment.parallelism


def _follows_input(t: Transformation) -> bool:
    """Whether the transformation has the parallelism of its input."""
    inherits = KINDS[t.type].input_parallelism or isinstance(t, Tagger)
    return t.parallelism is None and inherits


def _event_time(t: Transformation) -> EventTime | None:
    """The settings of event time that neither name nor description shows."""
    stamps, window = t.timestamps, t.window
    if stamps is None and window is None:
        return None
    times = EventTime(
        idleness=stamps.idleness if stamps else None,
        alignment=stamps.alignment if stamps else None,
        window_offset=(window.offset or 0) if window else 0,
        allowed_lateness=(window.allowed_lateness or 0) if window else 0,
    )
    return None if times == _NO_EVENT_TIME else times


_NO_EVENT_TIME: Final = EventTime()


def _illegal_state(msg: str, t: Transformation) -> FlinkRefusalError:
    return FlinkRefusalError(
        msg, exception="IllegalStateException", transformations=[declared_by(t)]
    )


def without_ignored(t: Transformation) -> Transformation:
    """The transformation without the fields for which the API has no setter."""
    return msgspec.structs.replace(t, **dict.fromkeys(KINDS[t.type].ignored))
