"""The StreamNode of a transformation: what the program, the environment and the release say.

Mirrors ``SimpleTransformationTranslator.configure``, ``StreamGraphGenerator.setBufferTimeout`` and
``BatchExecutionUtils.applyBatchExecutionSettings``.
"""

from collections.abc import Mapping

from explorer.errors import FlinkRefusalError
from explorer.flink.kinds import KINDS, runs_alone
from explorer.flink.passes.generation.operators import Operator
from explorer.flink.releases import Release
from explorer.model.chains import JobSettings
from explorer.model.pipeline import Environment, Transformation
from explorer.model.stream_graph import NodeId, StreamNode


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
        self.buffer_timeout = -1 if job.batch else streaming

    def make(
        self,
        t: Transformation,
        id: NodeId,
        operator: Operator,
        slot_sharing_group: str,
        *,
        keyed: bool = False,
    ) -> StreamNode:
        """Make the node; ``slot_sharing_group``: that of its inputs, for want of its own.

        ``keyed``: whether it has a state key selector. Raises ``FlinkRefusalError`` where Flink
        does.
        """
        strategy, weight = operator.strategy, t.managed_memory_weight
        if self.job.batch and keyed:
            _check_sortable(t)
            strategy = "HEAD" if strategy in {"ALWAYS", "HEAD_WITH_SOURCES"} else strategy
            weight = self.release.keyed_batch_memory_weight
        timeout = -1 if t.buffer_timeout is None else t.buffer_timeout
        return StreamNode(
            id=id,
            name=operator.node_name,
            description=operator.description,
            parallelism=parallelism(t, self.by_id, self.environment),
            parallelism_configured=_sets_parallelism(t),
            max_parallelism=self.max_parallelism(t),
            slot_sharing_group=t.slot_sharing_group or slot_sharing_group,
            co_location_group=t.co_location_group,
            uid=operator.uid,
            uid_hash=t.uid_hash,
            buffer_timeout=self.buffer_timeout if timeout < 0 else timeout,
            chaining_strategy=strategy,
            yielding=operator.yielding,
            legacy_source=KINDS[t.type].legacy_source,
            vertex_class=operator.vertex_class,
            supports_concurrent_attempts=operator.concurrent_attempts
            if self.release.concurrent_attempts
            else None,
            transformation=t.id,
            operator_memory_weight=weight,
            resources=t.resources,
            sink=KINDS[t.type].data_sink,
            input_format=t.input_format,
            output_format=t.output_format,
            input_selectable=t.input_selectable,
        )

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
    """Its own, else the environment's; timestamps take that of the transformation before."""
    while t.parallelism is None and KINDS[t.type].input_parallelism:
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
    return FlinkRefusalError(msg, exception="IllegalStateException", transformations=[t.id])


def _sets_parallelism(t: Transformation) -> bool:
    """Whether the program sets it; ``MultipleInputTransformation`` takes it when constructed."""
    return KINDS[t.type].sets_parallelism or runs_alone(t) or t.parallelism is not None


def heard(t: Transformation) -> Transformation:
    """The transformation without the fields for which the API has no setter."""
    unheard = [field for field in KINDS[t.type].unheard if getattr(t, field) is not None]
    if not unheard:
        return t
    fields = {field: getattr(t, field) for field in t.__struct_fields__}
    return Transformation(**(fields | dict.fromkeys(unheard)))
