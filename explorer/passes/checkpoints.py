"""How the job takes checkpoints, and which jobs must not take any.

Mirrors ``StreamingJobGraphGenerator.configureCheckpointing`` and ``preValidate``.
"""

from typing import Final

from explorer.errors import FlinkRefusalError
from explorer.model.chains import Chains, JobSettings, Wiring
from explorer.model.job_graph import CheckpointSettings
from explorer.model.release import Release
from explorer.model.stream_graph import NodeId, StreamGraph, StreamNode

NEVER: Final = 2**63 - 1
"""``Long.MAX_VALUE``: the interval of a job without checkpoints."""

_RETENTION: Final = {
    "NO_EXTERNALIZED_CHECKPOINTS": "NEVER_RETAIN_AFTER_TERMINATION",
    "DELETE_ON_CANCELLATION": "RETAIN_ON_FAILURE",
    "RETAIN_ON_CANCELLATION": "RETAIN_ON_CANCELLATION",
}

_FORCE: Final = (
    "\nThe user can force Unaligned Checkpoints by using 'execution.checkpointing.unaligned.forced'"
)


def pre_validate(graph: StreamGraph, settings: JobSettings, release: Release) -> None:
    """Refuse what cannot be checkpointed; raises ``FlinkRefusalError``."""
    if settings.checkpoint_interval is None or not release.validates_checkpoints:
        return
    how = settings.checkpointing
    iteration = [node for node in graph.nodes if node.chaining_strategy is None]
    if iteration and not how.force:
        raise _refusal(_ITERATIVE, iteration)
    unaligned = release.validates_unaligned and how.unaligned and not how.force_unaligned
    if unaligned and iteration:
        msg = (
            "Unaligned Checkpoints are currently not supported for iterative jobs, as rescaling "
            "would require alignment (in addition to the reduced checkpointing guarantees)."
        )
        raise _refusal(msg + _FORCE, iteration)
    custom = [graph.by_id[e.source] for e in graph.edges if e.partitioner == "CUSTOM"]
    if unaligned and custom:
        msg = (
            "Unaligned checkpoints are currently not supported for custom partitioners, as "
            "rescaling is not guaranteed to work correctly."
        )
        raise _refusal(msg + _FORCE, custom)
    for node in graph.nodes:
        if node.input_selectable:
            msg = (
                "Checkpointing is currently not supported for operators that implement "
                f"InputSelectable:{node.name}"
            )
            raise _refusal(msg, [node])


_ITERATIVE: Final = (
    "Checkpointing is currently not supported by default for iterative jobs, as we cannot "
    "guarantee exactly once semantics. State checkpoints happen normally, but records in-transit "
    "during the snapshot will be lost upon failure. \nThe user can force enable state checkpoints "
    "with the reduced guarantees by calling: env.enableCheckpointing(interval,true)"
)


def _refusal(msg: str, nodes: list[StreamNode]) -> FlinkRefusalError:
    who = [node.transformation or node.name for node in nodes]
    return FlinkRefusalError(msg, exception="UnsupportedOperationException", transformations=who)


def checkpoint_settings(
    chains: Chains,
    wiring: Wiring,
    hashes: dict[NodeId, str],
    settings: JobSettings,
    release: Release,
) -> CheckpointSettings:
    """What the JobGraph says of checkpoints, also where they are off."""
    how, asked = settings.checkpointing, settings.checkpoint_interval
    exactly_once = asked is not None and how.mode == "EXACTLY_ONCE"
    ids = [hashes[chain.head] for chain in chains.chains]
    listed = release.lists_checkpoint_vertices
    starts = tuple(id for vertex, id in enumerate(ids) if not wiring.inputs.get(vertex))
    return CheckpointSettings(
        interval=NEVER if asked is None else asked,
        timeout=how.timeout,
        min_pause=how.min_pause,
        max_concurrent=how.max_concurrent,
        retention=_RETENTION[how.retention],
        exactly_once=exactly_once,
        unaligned=how.unaligned and exactly_once and release.unaligned_checkpoints,
        tolerable_failures=how.tolerable_failures,
        trigger=starts if listed else None,
        acknowledge=tuple(ids) if listed else None,
        commit=tuple(ids) if listed else None,
    )
