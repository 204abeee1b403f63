"""Checkpoint settings of a job, and refusals of jobs that cannot be checkpointed.

Mirrors ``StreamingJobGraphGenerator.configureCheckpointing`` and ``preValidate``.
"""

from collections.abc import Mapping
from typing import Final

from explorer.errors import FlinkRefusalError
from explorer.flink.java_order import hash_order
from explorer.flink.partitioners import CUSTOM
from explorer.flink.releases import Release
from explorer.java_numbers import LONG_MAX
from explorer.model.chains import Chains, JobSettings, Wiring
from explorer.model.job_graph import CheckpointSettings
from explorer.model.pipeline import Checkpointing
from explorer.model.stream_graph import NodeId, StreamGraph, StreamNode

NEVER: Final = LONG_MAX
"""The interval of a job without checkpoints."""

# ``configureCheckpointing`` asks only whether a cancellation deletes checkpoints: what it deletes
# is still kept when the job fails, which the program's own name for it hides.
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
    # ``preValidate`` asks nothing without ``CheckpointConfig.isCheckpointingEnabled``: an
    # iteration, or a custom partitioner with unaligned checkpoints, is refused only together with
    # an interval.
    if settings.checkpoint_interval is None:
        return
    checkpointing = settings.checkpointing
    iteration = [node for node in graph.nodes if node.chaining_strategy is None]
    if iteration and not checkpointing.force:
        raise _refusal(_ITERATIVE, iteration)
    ignored = release.unaligned_at_least_once == "ignored" and checkpointing.mode != "EXACTLY_ONCE"
    if checkpointing.unaligned and not checkpointing.force_unaligned and not ignored:
        _check_unaligned(graph, iteration, release)
    for node in graph.nodes:
        if node.input_selectable and release.validates_input_selection:
            msg = (
                "Checkpointing is currently not supported for operators that implement "
                f"InputSelectable:{node.name}"
            )
            raise _refusal(msg, [node])


def _check_unaligned(graph: StreamGraph, iteration: list[StreamNode], release: Release) -> None:
    if iteration and release.unaligned_iterations_refusal:
        raise _refusal(release.unaligned_iterations_refusal + _FORCE, iteration)
    custom = [graph.by_id[e.source] for e in graph.edges if e.partitioner_class == CUSTOM]
    if custom and release.validates_unaligned_custom:
        msg = (
            "Unaligned checkpoints are currently not supported for custom partitioners, as "
            "rescaling is not guaranteed to work correctly."
        )
        raise _refusal(msg + _FORCE, custom)


_ITERATIVE: Final = (
    "Checkpointing is currently not supported by default for iterative jobs, as we cannot "
    "guarantee exactly once semantics. State checkpoints happen normally, but records in-transit "
    "during the snapshot will be lost upon failure. \nThe user can force enable state checkpoints "
    "with the reduced guarantees by calling: env.enableCheckpointing(interval,true)"
)


def _refusal(msg: str, nodes: list[StreamNode]) -> FlinkRefusalError:
    owner = [node.handle for node in nodes]
    return FlinkRefusalError(msg, exception="UnsupportedOperationException", transformations=owner)


def checkpoint_settings(
    chains: Chains,
    wiring: Wiring,
    hashes: Mapping[NodeId, str],
    settings: JobSettings,
    release: Release,
) -> CheckpointSettings:
    """The JobGraph's settings of checkpoints, also where they are off.

    Raises ``FlinkRefusalError`` for unaligned checkpoints of which several may run at once.
    """
    checkpointing, asked = settings.checkpointing, settings.checkpoint_interval
    on = asked is not None or release.exactly_once_without_checkpoints
    exactly_once = on and checkpointing.mode == "EXACTLY_ONCE"
    pause = checkpointing.min_pause if release.interval_at_least_pause else 0
    ids: tuple[str, ...] | None = None
    starts: tuple[str, ...] | None = None
    if release.lists_checkpoint_vertices:
        # ``jobVertices`` is a HashMap<Integer, JobVertex>, filled as the vertices are made.
        heads = hash_order(chain.head for chain in chains.chains)
        ids = tuple(hashes[head] for head in heads)
        first = (head for head in heads if not wiring.inputs.get(chains.chain_of[head]))
        starts = tuple(hashes[head] for head in first)
    return CheckpointSettings(
        interval=NEVER if asked is None else max(asked, pause),
        timeout=checkpointing.timeout,
        min_pause=checkpointing.min_pause,
        max_concurrent=checkpointing.max_concurrent,
        retention=_RETENTION[checkpointing.retention],
        exactly_once=exactly_once,
        unaligned=_is_unaligned(checkpointing, release, exactly_once=exactly_once),
        tolerable_failures=checkpointing.tolerable_failures,
        trigger=starts,
        acknowledge=ids,
        commit=ids,
    )


def _is_unaligned(checkpointing: Checkpointing, release: Release, *, exactly_once: bool) -> bool:
    retained = exactly_once or release.unaligned_at_least_once == "kept"
    if not (checkpointing.unaligned and release.unaligned_checkpoints and retained):
        return False
    # The constructor of ``CheckpointCoordinatorConfiguration`` refuses it, after the whole
    # translation: every refusal of the graph comes before this one.
    if checkpointing.max_concurrent > 1:
        msg = "maxConcurrentCheckpoints can't be > 1 if UnalignedCheckpoints enabled"
        raise FlinkRefusalError(msg, exception="IllegalArgumentException")
    return True
