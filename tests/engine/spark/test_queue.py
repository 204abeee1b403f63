"""The queue outlives whatever a trial raises: others wait behind it."""

import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from explorer import compile_graph
from explorer.engine import plan
from explorer.engine.planning.trial_plan import TrialPlan, plan_trial
from explorer.engine.spark import trial_runs
from explorer.engine.spark.counter_delivery import FileProgress, Progress
from explorer.engine.spark.engine import Engine
from explorer.engine.spark.queue import TrialQueue
from explorer.engine.spark.spark_settings import SparkTarget
from explorer.engine.spark.trial_runs import Trial
from explorer.engine.spark.turns import QueuePlace
from explorer.engine.task.local_job import run_job
from explorer.errors import TrialError
from explorer.flink.compiler import Compilation
from tests.patience import PATIENCE
from tests.thread_tracing import traced_threads

FORGED = "EXPLORER-FAILURE \xff,b"
ROOT = str(Path(__file__).parents[3] / "explorer")
DOCUMENT = {
    "environment": {"parallelism": 2},
    "transformations": [
        {"id": "s", "type": "legacy_source", "rows": {"sequence": {"from": 0, "to": 9}}},
        {"id": "r", "type": "rebalance", "inputs": ["s"]},
        {"id": "m", "type": "map", "inputs": ["r"], "select": {"n": "n / 2", "w": "concat(n)"}},
        {"id": "o", "type": "sink", "inputs": ["m"]},
    ],
}


class Here(Engine):
    """An engine that runs every subtask in this process."""

    runs = True

    def __init__(self, target: SparkTarget, folder: Path) -> None:
        self.target, self.where = target, target.master
        self.folder, self._unfit = folder, False

    def run(self, job: plan.Job, group: str, progress: Progress) -> list[bytes]:  # noqa: ARG002
        return run_job(job)

    def progress(self, job: plan.Job, group: str) -> Progress:
        return FileProgress(self.folder / f"{group}.progress", job)

    def cancel(self, group: str) -> None:
        """Nothing runs for long."""

    def give_up(self) -> None:
        self._unfit = True

    def close(self) -> None:
        """Nothing was started."""


class Stuck(Here):
    """An engine with tasks that cannot be stopped; they end when it does."""

    def __init__(self, target: SparkTarget, folder: Path) -> None:
        super().__init__(target, folder)
        self.begun, self.ended = threading.Event(), threading.Event()

    def run(self, job: plan.Job, group: str, progress: Progress) -> list[bytes]:  # noqa: ARG002
        self.begun.set()
        self.ended.wait(PATIENCE)
        raise ConnectionError

    def give_up(self) -> None:
        super().give_up()
        self.ended.set()


class Faults:
    """Notes every function of ours that a trial calls on the queue's thread; raises in one."""

    def __init__(self) -> None:
        self.called: dict[CodeType, None] = {}
        self.target: CodeType | None = None
        self.watches = True
        self.error: type[BaseException] = RuntimeError

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or not self.watches:
            return
        if self.target is None:
            if code.co_filename.startswith(ROOT) and _in_a_trial(frame):
                self.called[code] = None
        elif code is self.target and _in_a_trial(frame):
            self.target, self.watches = None, False
            raise self.error(FORGED)


def _in_a_trial(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code is Trial.run_on.__code__:
            return True
        frame = frame.f_back
    return False


@cache
def planned() -> tuple[Compilation, TrialPlan]:
    """What every trial here runs; hundreds do."""
    compilation = compile_graph(DOCUMENT, "1.20")
    return compilation, plan_trial(compilation)


def lined_up(queue: TrialQueue) -> Trial:
    options: dict[str, Any] = {"timeout": None, "limit": None}
    trial = Trial(*planned(), target=SparkTarget(master="here"), **options)
    queue.put(trial, QueuePlace())
    return trial


def run_two(folder: Path, faults: Faults) -> tuple[Trial, Trial]:
    """Two trials of one queue, the first with the fault."""
    queue = TrialQueue(lambda target: Here(target, folder))
    with traced_threads(faults):
        first = lined_up(queue)
        assert first.wait(PATIENCE)
    faults.watches = False
    second = lined_up(queue)
    assert second.wait(PATIENCE)
    return first, second


@pytest.mark.law
@pytest.mark.parametrize(("error", "each"), [(SystemExit, 1), (RuntimeError, 5), (MemoryError, 5)])
def test_whatever_is_raised_ends_one_trial_alone(
    tmp_path: Path, error: type[BaseException], each: int
) -> None:
    """In each place what no handler of ordinary errors stops; in each fifth an ordinary error."""
    watched = Faults()
    first, _ = run_two(tmp_path, watched)
    assert first.state == "finished"
    assert len(watched.called) > 100
    for target in [*watched.called][::each]:
        faults = Faults()
        faults.target, faults.error = target, error
        first, second = run_two(tmp_path, faults)

        assert faults.target is None, target
        assert first.state == "failed", target
        assert first.error is not None
        assert "\n" not in first.error
        assert second.report is not None, target
        assert second.report.sinks["o"].rows == 10


def test_an_engine_that_cannot_be_stopped_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial_runs, "_CANCEL_AGAIN", 0.001)
    stuck, here = (
        Stuck(SparkTarget(master="here"), tmp_path),
        Here(SparkTarget(master="here"), tmp_path),
    )
    engines = iter((stuck, here))
    queue = TrialQueue(lambda _: next(engines))
    first, second = lined_up(queue), lined_up(queue)
    assert stuck.begun.wait(PATIENCE)
    first.cancel()

    assert first.wait(PATIENCE)
    assert second.wait(PATIENCE)
    assert (first.state, first.error) == ("cancelled", "the trial was cancelled")
    assert (second.state, next(engines, None)) == ("finished", None)


def test_an_engine_without_its_folder_is_not_used_again(tmp_path: Path) -> None:
    folders = [tmp_path / "first", tmp_path / "second"]
    for folder in folders:
        folder.mkdir()
    left = iter(folders)
    queue = TrialQueue(lambda target: Here(target, next(left)))
    first = lined_up(queue)
    assert first.wait(PATIENCE)
    folders[0].rmdir()
    second = lined_up(queue)

    assert second.wait(PATIENCE)
    assert (first.state, second.state) == ("finished", "finished")
    assert next(left, None) is None


class Turn:
    """A trial that notes its turn."""

    def __init__(self, name: str, turns: list[str], gate: threading.Event) -> None:
        self.name, self.turns, self.gate = name, turns, gate
        self.done = threading.Event()

    def run_on(self, engine: Callable[[SparkTarget], Engine]) -> None:  # noqa: ARG002
        self.gate.wait(PATIENCE)
        self.turns.append(self.name)
        self.done.set()

    def give_up(self, error: BaseException) -> None:
        raise error


def test_turns_are_fair_whichever_session_lines_up_more() -> None:
    queue, turns, gate = TrialQueue(), list[str](), threading.Event()
    many = [Turn(f"a{n}", turns, gate) for n in range(5)]
    for trial in many:
        queue.put(trial, QueuePlace(owner="a"))
    others = [Turn("b0", turns, gate), Turn("b1", turns, gate), Turn("c0", turns, gate)]
    for trial, owner in zip(others, "bbc", strict=True):
        queue.put(trial, QueuePlace(owner=owner))
    places = [queue.place(trial) for trial in others]
    gate.set()
    assert all(trial.done.wait(PATIENCE) for trial in (*many, *others))

    assert turns in (
        ["a0", "b0", "c0", "a1", "b1", "a2", "a3", "a4"],
        ["a0", "b0", "c0", "b1", "a1", "a2", "a3", "a4"],
    )
    # The first of them may not have begun when the places were asked for.
    assert places in ([1, 3, 2], [1, 4, 2], [2, 5, 3], [1, 3, 2])


def test_an_owner_has_so_many_trials_and_no_more() -> None:
    queue, turns, gate = TrialQueue(), list[str](), threading.Event()
    mine = [Turn(f"a{n}", turns, gate) for n in range(4)]
    for trial in mine[:3]:
        queue.put(trial, QueuePlace(owner="a", most=3))
    with pytest.raises(TrialError, match="3 trials of yours wait or run, and 3 may"):
        queue.put(mine[3], QueuePlace(owner="a", most=3))
    other = Turn("b0", turns, gate)
    queue.put(other, QueuePlace(owner="b", most=3))
    gate.set()

    assert all(trial.done.wait(PATIENCE) for trial in (*mine[:3], other))
    assert not mine[3].done.is_set()


def test_an_engine_is_started_before_a_trial_asks_and_for_no_second_time(tmp_path: Path) -> None:
    begun, gate, started = threading.Event(), threading.Event(), list[str]()

    def slowly(target: SparkTarget) -> Engine:
        started.append(target.master)
        begun.set()
        gate.wait(PATIENCE)
        return Here(target, tmp_path)

    queue = TrialQueue(slowly)
    queue.prepare(SparkTarget(master="here"))
    assert begun.wait(PATIENCE)
    trial = lined_up(queue)
    waiting = queue.place(trial)
    gate.set()

    assert trial.wait(PATIENCE)
    assert (trial.state, waiting, started) == ("finished", 0, ["here"])
    queue.prepare(SparkTarget(master="here"))
    assert lined_up(queue).wait(PATIENCE)
    assert started == ["here"]


@pytest.mark.parametrize("waits", [False, True])
def test_a_small_job_is_run_before_the_first_where_no_session_waits_for_it(
    tmp_path: Path, *, waits: bool
) -> None:
    ran: list[str] = []
    begun, gate, practised = threading.Event(), threading.Event(), threading.Event()

    class Noting(Here):
        def run(self, job: plan.Job, group: str, progress: Progress) -> list[bytes]:
            ran.append(group.partition("-")[0])
            practised.set()
            return super().run(job, group, progress)

    def slowly(target: SparkTarget) -> Engine:
        begun.set()
        gate.wait(PATIENCE)
        return Noting(target, tmp_path)

    queue = TrialQueue(slowly)
    queue.prepare(SparkTarget(master="here"))
    assert begun.wait(PATIENCE)
    trial = lined_up(queue) if waits else None
    gate.set()
    assert practised.wait(PATIENCE)
    last = trial or lined_up(queue)

    assert last.wait(PATIENCE)
    assert ran == (["trial"] if waits else ["practice", "trial"])


def test_an_engine_that_does_not_start_early_is_reported_by_the_trial_that_needs_it(
    tmp_path: Path,
) -> None:
    def broken(_: SparkTarget) -> Here:
        msg = "Spark could not be started"
        raise TrialError(msg)

    failed = threading.Event()

    def broken_at_first(target: SparkTarget) -> Engine:
        if failed.is_set():
            return Here(target, tmp_path)
        failed.set()
        return broken(target)

    queue = TrialQueue(broken_at_first)
    queue.prepare(SparkTarget(master="here"))
    assert failed.wait(PATIENCE)
    trial = lined_up(queue)

    assert trial.wait(PATIENCE)
    assert trial.state == "finished"


def test_a_trial_that_waits_for_spark_alone_reports_that_spark_starts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    begun, gate = threading.Event(), threading.Event()

    def slowly(target: SparkTarget) -> Engine:
        begun.set()
        gate.wait(PATIENCE)
        return Here(target, tmp_path)

    queue = TrialQueue(slowly)
    monkeypatch.setattr(trial_runs, "QUEUE", queue)
    first = lined_up(queue)
    assert begun.wait(PATIENCE)
    second = lined_up(queue)
    seen = [(one.state, one.place) for one in (first, second)]
    gate.set()

    assert all(trial.wait(PATIENCE) for trial in (first, second))
    assert seen == [("starting", 0), ("waiting", 1)]
    assert first.progress().waited_ms > 0
