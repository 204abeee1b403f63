"""The operator and the StreamNode of a transformation: what program, settings and release say.

Mirrors ``SimpleTransformationTranslator.configure``, ``StreamGraphGenerator.setBufferTimeout`` and
``BatchExecutionUtils.applyBatchExecutionSettings``.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec

from explorer.errors import FlinkRefusalError
from explorer.flink.kinds import KINDS, Kind, emits_at_end, runs_alone
from explorer.flink.passes.generation.taggers import Tagger, declared_by
from explorer.flink.passes.generation.window_names import partition_window_name, window_names
from explorer.flink.releases import Release
from explorer.model.chains import JobSettings
from explorer.model.pipeline import ChainingStrategy, Environment, Transformation
from explorer.model.stream_graph import NodeId, StreamNode


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
    return NodeOperator(
        name=name,
        node_name=kind.prefix + name,
        description=description,
        strategy=_strategy(transformation, release),
        vertex_class=_task(transformation, release),
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


def handed_on(t: Transformation, release: Release, parallelism: int) -> Transformation:
    """A sink with the fields that its parts take from it; ``parallelism``: the sink's."""
    group = t.co_location_group if release.sink_parts_co_located else None
    sets = parallelism if release.sink_parts_set_parallelism else t.parallelism
    return msgspec.structs.replace(t, co_location_group=group, parallelism=sets)


def is_keyed(t: Transformation, keyed_inputs: tuple[bool, ...]) -> bool:
    """Whether the transformation has a state key selector; one keyed input of two is enough."""
    match KINDS[t.type].key_selector:
        case "inputs":
            return any(keyed_inputs)
        case "first input":
            return keyed_inputs[0]
        case "field":
            return t.keyed
        case "own" | "constant":
            return True
        case "none":
            return False


def _strategy(t: Transformation, release: Release) -> ChainingStrategy:
    """What the program asks for, where the transformation passes it on; else the operator's own."""
    kind = KINDS[t.type]
    applies = kind.applies_strategy is None or kind.applies_strategy(release)
    if t.chaining_strategy is not None and applies:
        return t.chaining_strategy
    return kind.strategy_in(release) if kind.strategy_in else kind.strategy


def _task(t: Transformation, release: Release) -> str:
    task = KINDS[t.type].vertex_class
    selects = t.input_selectable and release.selectable_task and task == "TwoInputStreamTask"
    return "TwoInputSelectableStreamTask" if selects else task


def _default_name(
    transformation: Transformation, release: Release, keyed_inputs: tuple[bool, ...]
) -> tuple[str, str | None]:
    """The operator's name where the program sets none, and its description where it differs."""
    if transformation.window is not None:
        return window_names(transformation, transformation.window, release)
    if transformation.output_format is not None:
        return "Unnamed", None
    kind = KINDS[transformation.type]
    keyed = kind.keyed_name is not None and keyed_inputs[0]
    description = partition_window_name(transformation, release)
    return (kind.keyed_name if keyed else kind.name) or "", description


class _Shape(NamedTuple):
    """The fields of a node in which many nodes of a program agree."""

    description: str | None
    parallelism: int
    parallelism_configured: bool
    max_parallelism: int
    co_location_group: str | None
    buffer_timeout: int
    chaining_strategy: ChainingStrategy
    yielding: bool
    legacy_source: bool
    vertex_class: str
    supports_concurrent_attempts: bool | None
    tags: int
    operator_memory_weight: int | None
    sink: bool
    input_format: str | None
    output_format: str | None
    input_selectable: bool
    output_only_after_end_of_stream: bool


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
        given = environment.buffer_timeout
        streaming = release.default_buffer_timeout if given is None else given
        self.models: dict[_Shape, StreamNode] = {}
        self.buffer_timeout = -1 if job.batch else streaming

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
        strategy, weight = operator.strategy, kind.memory_weight
        if weight is None:
            weight = t.managed_memory_weight
        # An operator that emits only at the end runs as in a BATCH job, in a streaming one too.
        if keyed and (self.job.batch or at_end) and not kind.sorts_itself:
            strategy, weight = self._sorting(t, strategy), self.release.keyed_batch_memory_weight
        shape = _Shape(
            operator.description,
            parallelism(t, self.by_id, self.environment),
            _sets_parallelism(t, kind),
            self.max_parallelism(t),
            t.co_location_group,
            # A negative one sets none: a transformation cannot turn flushing off for itself.
            self.buffer_timeout if timeout is None or timeout < 0 else timeout,
            strategy,
            operator.yielding,
            kind.legacy_source,
            operator.vertex_class,
            operator.concurrent_attempts if self.release.concurrent_attempts else None,
            tags,
            weight,
            kind.data_sink,
            t.input_format,
            t.output_format,
            t.input_selectable,
            at_end,
        )
        return msgspec.structs.replace(
            self.models.get(shape) or self._model(shape),
            id=id,
            name=operator.node_name,
            slot_sharing_group=t.slot_sharing_group or slot_sharing_group,
            uid=operator.uid,
            uid_hash=t.uid_hash,
            transformation=declared,
            resources=t.resources,
        )

    def _model(self, shape: _Shape) -> StreamNode:
        """A node of that shape; a copy of it is made faster than a node of 25 fields."""
        made = self.models[shape] = StreamNode(id=NodeId(0), name="", **shape._asdict())
        return made

    def _sorting(self, t: Transformation, strategy: ChainingStrategy) -> ChainingStrategy:
        """Return the chaining strategy of an operator that reads its whole input first.

        Mirrors ``adjustChainingStrategy``.
        """
        _check_sortable(t)
        return "HEAD" if strategy in {"ALWAYS", "HEAD_WITH_SOURCES"} else strategy

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
            chaining_strategy="HEAD",
            vertex_class="OneInputStreamTask",
            supports_concurrent_attempts=True if self.release.concurrent_attempts else None,
            transformation=t.id,
        )

    def parallelism(self, t: Transformation) -> int:
        """The value of ``parallelism`` in this program."""
        return parallelism(t, self.by_id, self.environment)

    def max_parallelism(self, t: Transformation) -> int:
        """Its own, else the environment's, else -1; ``forceNonParallel`` sets it to 1."""
        if KINDS[t.type].alone:
            return 1
        return t.max_parallelism or self.environment.max_parallelism or -1

    def check(self, t: Transformation, name: str, node: StreamNode) -> None:
        """Refuse a node for its uid or its memory, as Flink does once it is translated.

        ``name``: the operator's.
        """
        named = node.uid is not None or t.uid_hash is not None
        if not named and not self.environment.auto_generate_uids:
            msg = (
                "Auto generated UIDs have been disabled but no UID or hash has been assigned to "
                f"operator {name}"
            )
            raise _illegal_state(msg, t)
        has, wanted = node.operator_memory_weight, t.managed_memory_weight
        if self.release.weights_conflict and wanted not in {None, has}:
            msg = (
                "Conflict managed memory consumer weights for 'OPERATOR' were configured: "
                f"'{has}' and '{wanted}'."
            )
            raise _illegal_state(msg, t)


def parallelism(
    t: Transformation, by_id: Mapping[str, Transformation], environment: Environment
) -> int:
    """Its own, else the environment's; timestamps and taggers take that of what they read."""
    while t.parallelism is None and (KINDS[t.type].input_parallelism or isinstance(t, Tagger)):
        t = by_id[t.inputs[0]]
    return 1 if runs_alone(t) else t.parallelism or environment.parallelism


def _check_sortable(t: Transformation) -> None:
    if t.input_selectable:
        msg = (
            "Batch state backend and sorting inputs are not supported in graphs with an "
            "InputSelectable operator."
        )
        raise _illegal_state(msg, t)


def _illegal_state(msg: str, t: Transformation) -> FlinkRefusalError:
    return FlinkRefusalError(
        msg, exception="IllegalStateException", transformations=[declared_by(t)]
    )


def _sets_parallelism(t: Transformation, kind: Kind) -> bool:
    """Whether the program sets it; ``MultipleInputTransformation`` takes it when constructed."""
    return t.parallelism is not None or kind.sets_parallelism or runs_alone(t)


def without_ignored(t: Transformation) -> Transformation:
    """The transformation without the fields for which the API has no setter."""
    ignored = KINDS[t.type].ignored
    return msgspec.structs.replace(t, **dict.fromkeys(ignored)) if ignored else t
