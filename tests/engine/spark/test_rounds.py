"""Two settings in turns: who begins, what is counted, what is noise, and how it ends."""

from pathlib import Path

import pytest

from explorer import compile_graph
from explorer.cli.comparing import text_of
from explorer.documents import as_document
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.report.trial_report import TrialReport
from explorer.engine.spark import trial_runs
from explorer.engine.spark.queue import TrialQueue
from explorer.engine.spark.rounds import Rounds, compare_reports
from explorer.engine.spark.spark_settings import SparkTarget
from explorer.engine.spark.trial_runs import Trial
from explorer.engine.spark.turns import QueuePlace
from explorer.engine.starting import compare_chaining, compare_object_reuse
from explorer.errors import TrialError
from explorer.flink.compiler import Compilation
from tests.engine.in_process import report_of
from tests.engine.spark.test_queue import DOCUMENT, Here, Stuck
from tests.patience import PATIENCE


class Line:
    """Lines trials up for an engine in this process, and notes what was asked for."""

    def __init__(self, folder: Path) -> None:
        self.tasks: list[int] = []
        self.queue = TrialQueue(lambda target: Here(target, folder))

    def __call__(self, compilation: Compilation) -> Trial:
        self.tasks.append(len(compilation.job_graph.vertices))
        trial = Trial(
            compilation,
            plan_trial(compilation, limit=0),
            target=SparkTarget(master="here"),
            timeout=None,
            limit=0,
        )
        self.queue.put(trial, QueuePlace())
        return trial


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Line:
    """The line, in the place of the page's."""
    made = Line(tmp_path)
    monkeypatch.setattr(trial_runs, "QUEUE", made.queue)
    return made


def reports(walls: list[float], *, on: bool) -> list[TrialReport]:
    done = compile_graph(as_document(DOCUMENT).with_chaining(on=on), "1.20")
    report = report_of(done)
    return [
        TrialReport(
            **{name: getattr(report, name) for name in report.__struct_fields__} | {"wall_ms": wall}
        )
        for wall in walls
    ]


def test_settings_alternate_and_a_first_round_is_not_counted(line: Line) -> None:
    rounds = compare_chaining(as_document(DOCUMENT), line, 3)
    assert rounds.wait(PATIENCE)
    found = rounds.outcome()

    assert line.tasks == [2, 3, 3, 2, 2, 3, 3, 2]
    assert (found.rounds, rounds.done, rounds.trials) == (3, 8, 8)
    assert (found.first.name, found.second.name) == ("chained", "unchained")
    assert (found.first.tasks, found.second.tasks) == (2, 3)
    assert (found.first.records, found.second.records) == (10, 20)
    assert found.operators[0].name == "Source: Custom Source"
    assert found.to_dict()["wall_ms"]["first"]["median"] > 0


def test_copying_and_reusing_objects_alternate(line: Line) -> None:
    rounds = compare_object_reuse(as_document(DOCUMENT), line, 3)
    assert rounds.wait(PATIENCE)
    found = rounds.outcome()

    assert line.tasks == [2] * 8
    assert (found.first.name, found.second.name) == ("copied", "reused")
    assert (found.first.copies, found.second.copies) == (10, 0)
    assert found.copy_ms.first.least > 0
    assert found.copy_ms.second.most == 0
    assert not found.copy_ms.noise
    assert "records copied in tasks" in text_of(found)


@pytest.mark.parametrize(
    ("second", "said"),
    [([30.0, 40.0, 50.0], "x 2.00"), ([21.0, 40.0, 50.0], "within noise")],
)
def test_a_difference_within_the_spread_of_rounds_is_noise(second: list[float], said: str) -> None:
    first = [20.0, 10.0, 22.0]
    found = compare_reports(
        ("chained", "unchained"), reports(first, on=True), reports(second, on=False)
    )

    assert (found.wall_ms.first.median, found.wall_ms.second.median) == (20.0, 40.0)
    assert (found.wall_ms.first.least, found.wall_ms.first.most) == (10.0, 22.0)
    assert found.wall_ms.noise is (said == "within noise")
    whole = next(text for text in text_of(found).split("\n") if text.startswith("whole run"))
    assert whole.endswith(said)
    assert "20.0 (10.0 to 22.0)" in whole


def test_a_comparison_that_is_cancelled_ends_its_trial_and_starts_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial_runs, "_CANCEL_AGAIN", 0.001)
    line, stuck = Line(tmp_path), Stuck(SparkTarget(master="here"), tmp_path)
    line.queue = TrialQueue(lambda _: stuck)
    monkeypatch.setattr(trial_runs, "QUEUE", line.queue)
    rounds = compare_chaining(as_document(DOCUMENT), line, 2)
    assert stuck.begun.wait(PATIENCE)
    rounds.cancel()

    assert rounds.wait(PATIENCE)
    assert (line.tasks, rounds.has_ended, rounds.comparison) == ([2], True, None)
    with pytest.raises(TrialError, match="the trial was cancelled"):
        rounds.outcome()


def test_a_trial_that_fails_ends_the_comparison_with_its_words(tmp_path: Path) -> None:
    def refuse(_: Compilation) -> Trial:
        msg = "no trial today"
        raise TrialError(msg)

    rounds: Rounds = compare_chaining(as_document(DOCUMENT), refuse, 2)
    assert rounds.wait(PATIENCE)
    with pytest.raises(TrialError, match="no trial today"):
        rounds.outcome()
