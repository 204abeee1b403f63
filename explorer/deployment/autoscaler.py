"""The parallelism that the autoscaler of the Kubernetes operator would choose for a running job.

Mirrors ``ScalingMetricEvaluator``, ``JobVertexScaler`` and ``ScalingExecutor`` of the operator's
autoscaler, with the figures of one moment in place of those of its metrics window.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from explorer.errors import ExplorerError
from explorer.flink.key_groups import default_max_parallelism, moved_key_groups
from explorer.flink.option_values import milliseconds
from explorer.flink.regions import producers_first
from explorer.model.frozen import FrozenRecord
from explorer.model.run_figures import SubtaskFigures, TaskFigures
from explorer.model.running_job import RunningJob, RunningTask
from explorer.wording import counted, listed, quoted

PREFIXES: Final = ("job.autoscaler.", "kubernetes.operator.job.autoscaler.")
_EVENLY: Final = "EVENLY_SPREAD"
_EXCLUDED: Final = "vertex.exclude.ids"


class AutoscalerSettings(FrozenRecord, frozen=True, kw_only=True):
    """The autoscaler's options, with the defaults of the operator; times in seconds."""

    target: float = 0.7
    """The utilization that a task should have."""
    upper: float = 1.0
    lower: float = 0.4
    """Bounds of the utilization between which nothing is scaled."""
    least: int = 1
    most: int = 200
    """Bounds of a task's parallelism, which its current parallelism widens."""
    most_up: float = 100_000.0
    most_down: float = 0.6
    catch_up: float = 1800.0
    restart: float = 300.0
    excluded: frozenset[str] = frozenset()
    """Job vertex IDs that are not scaled."""
    aggregator: str = "MAX"
    """How the busy time of the subtasks becomes that of the task: AVG, MAX or MIN."""
    adjustment: str = _EVENLY


class ScaledTask(FrozenRecord, frozen=True, kw_only=True):
    """A task of the running job, and what the autoscaler would do with it; records per second."""

    id: str
    name: str
    parallelism: int
    scaled: int
    max_parallelism: int
    rate: float | None
    """Records that it reads; None: not reported."""
    busy: float | None
    """Share of the time in which it is busy; None: not reported, as of a legacy source."""
    capacity: float | None
    """Its true processing rate: what it would read if it were always busy."""
    needed: float | None
    """The rate that it has to reach at the target utilization, catching up after a restart."""
    keyed: bool
    outside: bool = False
    """Whether its capacity is outside of the bounds of utilization."""
    because: str = ""
    """Why it is not scaled; empty where it may be."""

    @property
    def sentence(self) -> str:
        """The figures and the choice."""
        if self.because:
            return f"stays at {counted(self.parallelism, 'subtask')}: {self.because}."
        figures = (
            f"reads {_rate(self.rate)} records/s and is {self.busy or 0:.0%} busy, so it can read "
            f"{_rate(self.capacity)}; it needs {_rate(self.needed)}"
        )
        if self.scaled == self.parallelism:
            return f"{figures}: it stays at {counted(self.parallelism, 'subtask')}."
        text = f"{figures}: {self.parallelism:,} → {counted(self.scaled, 'subtask')}."
        if not self.keyed:
            return text
        moved = moved_key_groups(self.max_parallelism, self.parallelism, self.scaled)
        even = self.max_parallelism % self.scaled == 0
        return (
            f"{text} Its {self.max_parallelism:,} key groups {'' if even else 'do not '}divide "
            f"evenly; {moved:,} of them get another subtask."
        )


class Autoscaling(FrozenRecord, frozen=True, kw_only=True):
    """The autoscaler's choice for a running job."""

    settings: AutoscalerSettings
    tasks: tuple[ScaledTask, ...]

    @property
    def scales(self) -> bool:
        """Whether the autoscaler scales the job: a task that changes is outside of the bounds."""
        return any(task.outside and task.scaled != task.parallelism for task in self.tasks)

    @property
    def parallelism(self) -> Mapping[str, int]:
        """By job vertex ID, the parallelism after the scaling."""
        return {task.id: task.scaled if self.scales else task.parallelism for task in self.tasks}

    @property
    def overrides(self) -> str:
        """The value of ``pipeline.jobvertex-parallelism-overrides``: all tasks, as it writes it."""
        return ",".join(f"{id}:{number}" for id, number in self.parallelism.items())

    @property
    def sentence(self) -> str:
        """The choice in a sentence."""
        changed = [task for task in self.tasks if task.scaled != task.parallelism]
        if self.scales:
            return f"The autoscaler would scale {counted(len(changed), 'task')}."
        if changed:
            names = listed([quoted(scaled_task.name) for scaled_task in changed])
            return (
                f"The autoscaler would scale nothing: {names} could have another parallelism, and "
                f"utilization is between {self.settings.lower:.0%} and {self.settings.upper:.0%}."
            )
        return "The autoscaler would scale nothing."


def _rate(value: float | None) -> str:
    return "any number" if value is None or math.isinf(value) else f"{value:,.0f}"


def autoscaler_settings(options: Mapping[str, object]) -> AutoscalerSettings:
    """Read the autoscaler's options; raises ``ExplorerError`` for a value of another type."""
    target = _number(options, "utilization.target", _number(options, "target.utilization", 0.7))
    boundary = _number(options, "target.utilization.boundary", 0.3)
    return AutoscalerSettings(
        target=target,
        upper=_number(options, "utilization.max", target + boundary),
        lower=_number(options, "utilization.min", target - boundary),
        least=int(_number(options, "vertex.min-parallelism", 1)),
        most=int(_number(options, "vertex.max-parallelism", 200)),
        most_up=_number(options, "scale-up.max-factor", 100_000),
        most_down=_number(options, "scale-down.max-factor", 0.6),
        catch_up=_seconds(options, "catch-up.duration", 1800),
        restart=_seconds(options, "restart.time", 300),
        excluded=frozenset(
            item.strip().lower()
            for item in _text(options, _EXCLUDED).replace(",", ";").split(";")
            if item.strip()
        ),
        aggregator=_text(options, "metrics.busy-time.aggregator").upper() or "MAX",
        adjustment=(_text(options, "scaling.key-group.partitions.adjust.mode").upper() or _EVENLY),
    )


def _text(options: Mapping[str, object], name: str) -> str:
    values = (options[prefix + name] for prefix in PREFIXES if prefix + name in options)
    return str(next(values, "")).strip()


def _number(options: Mapping[str, object], name: str, default: float) -> float:
    text = _text(options, name)
    try:
        return float(text) if text else default
    except ValueError:
        msg = f"{PREFIXES[0]}{name} is {quoted(text)}: give a number"
        raise ExplorerError(msg) from None


def _seconds(options: Mapping[str, object], name: str, default: float) -> float:
    text = _text(options, name)
    try:
        return milliseconds(text) / 1000 if text else default
    except ValueError:
        msg = f"{PREFIXES[0]}{name} is {quoted(text)}: give a duration, as in 5 min"
        raise ExplorerError(msg) from None


def autoscale(job: RunningJob, settings: AutoscalerSettings) -> Autoscaling:
    """Compute the autoscaler's choice from a job's figures; raises ``ExplorerError`` without."""
    if not job.figures:
        msg = (
            "the autoscaler needs the figures of a running job: give its address, or what "
            "'capture http://HOST:8081/jobs/ID' wrote while it ran"
        )
        raise ExplorerError(msg)
    flow = _Flow(job, settings)
    return Autoscaling(settings=settings, tasks=tuple(flow.scaled(task) for task in job.tasks))


class _Flow:
    """Rates of a job's tasks, and the rates that they need from their sources on."""

    def __init__(self, job: RunningJob, settings: AutoscalerSettings) -> None:
        self.settings = settings
        self.figures = {figure.id: figure for figure in job.figures}
        self.tasks = {task.id: task for task in job.tasks}
        pairs = dict.fromkeys((edge.source, edge.target) for edge in job.edges)
        self.inputs: defaultdict[str, list[str]] = defaultdict(list)
        self.outputs: defaultdict[str, list[str]] = defaultdict(list)
        for source, target in pairs:
            self.inputs[target].append(source)
            self.outputs[source].append(target)
        self.keyed = {
            edge.target for edge in job.edges if edge.ship_strategy.upper().startswith("HASH")
        }
        self.targets: dict[str, float | None] = {}
        for id in producers_first(list(self.tasks), pairs):
            self.targets[id] = self._target(id)

    def scaled(self, task: RunningTask) -> ScaledTask:
        rate, busy = self._rate_in(task.id), self._busy(task.id)
        maximum = task.max_parallelism or default_max_parallelism(task.parallelism)
        target = self.targets.get(task.id)
        capacity = None if rate is None or busy is None else _capacity(rate, busy)
        required = None if target is None else self._compute_need(target, self.settings.target)
        because = self._reason(task, capacity, required)
        scaled, outside = task.parallelism, False
        if not because and capacity is not None and required is not None and target is not None:
            scaled = self._scale(task, maximum, required / capacity)
            outside = self._is_outside(capacity, target)
        return ScaledTask(
            id=task.id,
            name=task.name,
            parallelism=task.parallelism,
            scaled=scaled,
            max_parallelism=maximum,
            rate=rate,
            busy=busy,
            capacity=capacity,
            needed=required,
            keyed=task.id in self.keyed,
            outside=outside,
            because=because,
        )

    def _reason(self, task: RunningTask, capacity: float | None, required: float | None) -> str:
        if task.id in self.settings.excluded:
            return f"{PREFIXES[0]}{_EXCLUDED} names it"
        if capacity is None:
            return "its busy time is not reported, as of legacy sources and before 1.16"
        return "" if required is not None else "the rates of its inputs are not reported"

    def _compute_need(self, target: float, utilization: float, *, restarts: bool = True) -> float:
        """``AutoScalerUtils.getTargetProcessingCapacity``, without a lag of the sources."""
        utilization = min(max(utilization, 0.0), 1.0)
        if utilization == 0:
            return math.inf
        settings = self.settings
        again = target * settings.restart / settings.catch_up if settings.catch_up else 0.0
        # ``Math.round``: half up.
        return float(math.floor((again if restarts else 0.0) + target / utilization + 0.5))

    def _is_outside(self, capacity: float, target: float) -> bool:
        minimum = self._compute_need(target, self.settings.upper, restarts=False)
        return capacity < minimum or capacity > self._compute_need(target, self.settings.lower)

    def _scale(self, task: RunningTask, maximum: int, factor: float) -> int:
        settings, current = self.settings, task.parallelism
        # ``computeScaleTargetParallelism``: the factor is capped before ``scale`` rounds it up, and
        # the current parallelism widens both bounds, so a task beyond them is not forced back.
        factor = min(max(factor, 1 - settings.most_down), 1 + settings.most_up)
        upper = min(maximum, max(current, settings.most))
        lower = min(current, settings.least)
        parallelism = min(max(lower, math.ceil(factor * current)), upper)
        if task.id not in self.keyed or parallelism == current:
            return parallelism
        return aligned(
            current, parallelism, maximum, lower, upper, evenly=settings.adjustment == _EVENLY
        )

    def _target(self, id: str) -> float | None:
        """The rate that a task has to read: its own if it is a source, else its inputs'."""
        if not self.inputs[id]:
            return self._rate_in(id)
        total = 0.0
        for source in self.inputs[id]:
            target, ratio = self.targets[source], self._ratio(source, id)
            if target is None or ratio is None:
                return None
            total += target * ratio
        return total

    def _ratio(self, source: str, target: str) -> float | None:
        """Records that reach ``target`` for each record that ``source`` reads."""
        rate = self._rate_in(source)
        # ``computeEdgeOutputRatio``: 0 without records in, which would divide by zero.
        if not rate:
            return rate
        sent = self._rate_between(source, target)
        # Less than nothing is left where the other inputs were counted later.
        return None if sent is None else max(sent, 0.0) / rate

    def _rate_between(self, source: str, target: str) -> float | None:
        """``computeEdgeDataRate``: Flink counts by task and not by edge."""
        other_inputs = [input_ for input_ in self.inputs[target] if input_ != source]
        if any(len(self.outputs[other_input]) > 1 for other_input in other_inputs):
            return self._rate_of(source, self.figures[source].records_out)
        total = self._rate_in(target)
        for other_input in other_inputs:
            sent = self._rate_of(other_input, self.figures[other_input].records_out)
            total = None if total is None or sent is None else total - sent
        return total

    def _rate_in(self, id: str) -> float | None:
        """Records that a task reads per second; of a source, those of its first operator."""
        figures = self.figures.get(id)
        if figures is None:
            return None
        if self.inputs[id]:
            return self._rate_of(id, figures.records_in)
        # Sources count no input of their task; one that counts none at all is measured by its
        # output, or it would seem to need no capacity.
        head = self.tasks[id].operators[0].node
        counts = next((operator for operator in figures.operators if operator.node == head), None)
        read = (counts.records_in or counts.records_out) if counts else 0
        return self._rate_of(id, read or figures.records_out)

    def _rate_of(self, id: str, records: int) -> float | None:
        times = [time for subtask in self.figures[id].subtasks if (time := _milliseconds(subtask))]
        return records * 1000 * len(times) / sum(times) if times else None

    def _busy(self, id: str) -> float | None:
        shares = list(_busy_shares(self.figures[id])) if id in self.figures else []
        if not shares:
            return None
        if self.settings.aggregator == "AVG":
            return sum(shares) / len(shares)
        return min(shares) if self.settings.aggregator == "MIN" else max(shares)


def _milliseconds(figures: SubtaskFigures) -> int | None:
    """How long a subtask has run; None: not reported."""
    parts = (figures.busy_ms, figures.idle_ms, figures.back_pressured_ms)
    return None if figures.busy_ms is None else sum(part or 0 for part in parts) or None


def _busy_shares(figures: TaskFigures) -> Iterator[float]:
    for subtask in figures.subtasks:
        if time := _milliseconds(subtask):
            yield (subtask.busy_ms or 0) / time


def _capacity(rate: float, busy: float) -> float:
    """``computeTprFromBusyTime``: without records any rate is assumed."""
    return rate / busy if rate and busy else math.inf


def aligned(
    current: int, target: int, groups: int, lower: int, upper: int, *, evenly: bool = True
) -> int:
    """The parallelism near ``target`` that fits the key groups, as ``JobVertexScaler.scale`` does.

    >>> aligned(4, 6, 128, 1, 128), aligned(4, 70, 128, 1, 200), aligned(8, 5, 128, 1, 128)
    (8, 128, 8)
    """
    up = target > current
    bound = min(groups, upper) if up else min(current, groups, upper)
    for p in range(target, bound + 1):
        if groups % p == 0 or (not evenly and groups // p < groups // target):
            return p
    # Downwards to where the fullest subtask has more key groups than with the target parallelism.
    p = next((p for p in range(target, 0, -1) if groups // p > groups // target), 0)
    if p and groups % p:
        p += 1
    p = max(p, lower)
    inverted = p <= current if up else p >= current
    return current if inverted else p
