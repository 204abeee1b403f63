"""The scheduler that a job gets, by options, kind of cluster and release.

Mirrors ``DefaultSlotPoolServiceSchedulerFactory.getSchedulerType``, the check for reactive mode in
``ClusterEntrypoint``, and ``AdaptiveBatchSchedulerFactory``.
"""

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from explorer.flink.compiler import Compilation
from explorer.flink.option_values import unreadable
from explorer.flink.passes.generation.options import SCHEDULER
from explorer.flink.releases import Release
from explorer.model.frozen import FrozenRecord

SchedulerName = Literal["default", "adaptive", "reactive", "adaptive batch"]
ClusterKind = Literal[
    "standalone application",
    "standalone session",
    "native application",
    "native session",
    "YARN application",
    "YARN session",
]
_KINDS_BY_TARGET: Final[Mapping[str, ClusterKind]] = {
    "remote": "standalone session",
    "kubernetes-application": "native application",
    "kubernetes-session": "native session",
    "yarn-application": "YARN application",
    "yarn-per-job": "YARN application",
    "yarn-session": "YARN session",
}
"""By ``execution.target``."""
SCHEDULER_MODE: Final = "scheduler-mode"
_REACTIVE: Final = (
    "Reactive mode is configured for an unsupported cluster type. At the moment, reactive mode is "
    "only supported by standalone application clusters (bin/standalone-job.sh)."
)
_FAILS_LATER: Final = (
    "Flink gives no words, and only when the job runs. The adaptive batch scheduler needs "
    "exchanges that are BLOCKING or hybrid: set 'execution.batch-shuffle-mode' to "
    "'ALL_EXCHANGES_BLOCKING'."
)
_ONLY_BATCH: Final = "Adaptive batch scheduler only supports batch jobs"


class SchedulerTraits(FrozenRecord, frozen=True, kw_only=True):
    """What a scheduler does with a job, a sentence each."""

    parallelism: str
    slots: str
    rescale: str
    """What a change of slots or of parallelism does to a running job and its key groups."""


_KEY_GROUPS: Final = (
    "The maximum parallelism of each task stays, so keyed state is restored from the latest "
    "checkpoint; without checkpoints all state is lost."
)
SCHEDULERS: Final[Mapping[SchedulerName, SchedulerTraits]] = {
    "default": SchedulerTraits(
        parallelism="Tasks start with the parallelism of the program, or of its overrides.",
        slots="The job needs all its slots, in BATCH mode those of one pipelined region.",
        rescale="Another parallelism needs another submission, which restores a savepoint or a "
        "checkpoint.",
    ),
    "adaptive": SchedulerTraits(
        parallelism="Tasks start with at most the program's parallelism, with fewer subtasks where "
        "slots are lacking.",
        slots="The job starts with one slot for each slot sharing group.",
        rescale=f"The job restarts in place when slots come or go. {_KEY_GROUPS}",
    ),
    "reactive": SchedulerTraits(
        parallelism="Tasks start with as many subtasks as there are slots, up to their maximum "
        "parallelism; the program's parallelism has no effect.",
        slots="The job uses all slots of the cluster and starts with one for each slot sharing "
        "group.",
        rescale=f"The job restarts in place when task managers come or go. {_KEY_GROUPS}",
    ),
    "adaptive batch": SchedulerTraits(
        parallelism="Where the program sets none, the parallelism is decided while the job runs, "
        "from the bytes of the inputs.",
        slots="The job ends with one slot: its tasks run one after the other.",
        rescale="Tasks that have finished do not run again; a BATCH job has no checkpoints.",
    ),
}
"""By scheduler; the default one may have other names."""


class Scheduler(FrozenRecord, frozen=True, kw_only=True):
    """The scheduler of a job on a cluster."""

    name: SchedulerName
    refusals: tuple[str, ...] = ()
    """Flink's refusals of this job or cluster, with their exceptions."""

    @property
    def traits(self) -> SchedulerTraits:
        """The scheduler's row of the table."""
        return SCHEDULERS[self.name]

    @property
    def sentence(self) -> str:
        """What the scheduler does with parallelism, slots and a rescale."""
        row = self.traits
        return f"{self.name} scheduler: {row.parallelism} {row.slots} {row.rescale}"

    @property
    def fits_slots(self) -> bool:
        """Whether a streaming job runs with fewer slots than it asks for."""
        return self.name in {"adaptive", "reactive"}


def choose_scheduler(
    compilation: Compilation, options: Mapping[str, str], kind: ClusterKind | None = None
) -> Scheduler:
    """Return the scheduler of a job; ``kind``: its cluster's, None: the one that options name."""
    kind = kind or _KINDS_BY_TARGET.get(options.get("execution.target", ""))
    name = _name(compilation, options)
    return Scheduler(name=name, refusals=tuple(_refusals(compilation, options, name, kind)))


def _is_reactive(options: Mapping[str, str], release: Release) -> bool:
    return bool(release.schedulers) and options.get(SCHEDULER_MODE, "").lower() == "reactive"


def _find_choice(options: Mapping[str, str], release: Release) -> str:
    """The name of the chosen scheduler, as Flink spells it; empty where none is chosen."""
    value = options.get(SCHEDULER, "").lower()
    return next((name for name in release.schedulers if name.lower() == value), "")


def _name(compilation: Compilation, options: Mapping[str, str]) -> SchedulerName:
    """``getSchedulerType``: reactive mode wins; a BATCH job has no adaptive scheduler."""
    release, settings = compilation.release, compilation.settings
    chosen, reactive = _find_choice(options, release), _is_reactive(options, release)
    # ``DefaultSlotPoolServiceSchedulerFactory.getSchedulerType`` asks for the kind of job before
    # the option: the adaptive scheduler cannot run blocking results.
    if settings.batch:
        if reactive or chosen == "Adaptive":
            return "adaptive batch" if release.batch_instead_of_adaptive else "default"
        by_default = not chosen and settings.dynamic and release.batch_instead_of_adaptive
        return "adaptive batch" if chosen == "AdaptiveBatch" or by_default else "default"
    if reactive:
        return "reactive"
    names: Mapping[str, SchedulerName] = {
        "Adaptive": "adaptive",
        "AdaptiveBatch": "adaptive batch",
    }
    return names.get(chosen, "default")


def _refusals(
    compilation: Compilation,
    options: Mapping[str, str],
    name: SchedulerName,
    kind: ClusterKind | None,
) -> Iterator[str]:
    release = compilation.release
    if SCHEDULER in options and release.schedulers and not _find_choice(options, release):
        yield (
            f"java.lang.IllegalArgumentException: {unreadable(SCHEDULER, options[SCHEDULER])} "
            f"Expected one of: [{', '.join(release.schedulers)}]."
        )
    mode = options.get(SCHEDULER_MODE, "reactive")
    if release.schedulers and mode.lower() != "reactive":
        yield f"java.lang.IllegalArgumentException: {unreadable(SCHEDULER_MODE, mode)}"
    # ``ClusterEntrypoint`` refuses when the cluster starts, before any job is known.
    if _is_reactive(options, release) and kind not in {None, "standalone application"}:
        yield f"IllegalConfigurationException: {_REACTIVE}"
    if name == "adaptive batch":
        yield from _of_adaptive_batch(compilation)


def _of_adaptive_batch(compilation: Compilation) -> Iterator[str]:
    """``AdaptiveBatchSchedulerFactory.createScheduler`` and ``checkAllExchangesAreSupported``."""
    if not compilation.settings.batch:
        yield f"java.lang.IllegalStateException: {_ONLY_BATCH}"
    elif any(edge.result_type.startswith("PIPELINED") for edge in compilation.job_graph.edges):
        words = _FAILS_LATER if compilation.is_adaptive else compilation.release.pipelined_refusal
        yield f"java.lang.IllegalStateException: {words}"
