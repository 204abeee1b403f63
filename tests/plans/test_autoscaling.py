"""The autoscaler's rows of a plan."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from explorer.cli.main import main
from explorer.errors import ExplorerError
from explorer.plans.autoscaling import autoscaling_of
from explorer.targets.deploy_plan import plan
from tests.golden_files import cases
from tests.plans.plans import compared, program


def running(version: str, folder: Path) -> Path:
    """A captured running job of that version, as a file."""
    (case,) = (one for one in cases("running_jobs") if one["flink"] == version)
    path = folder / "running.json"
    path.write_bytes(msgspec.json.encode(case["running"]))
    return path


def test_a_plan_has_a_row_for_each_task_and_the_resources_of_the_scaled_job(
    tmp_path: Path,
) -> None:
    found = plan(str(running("1.20.5", tmp_path)), autoscale=True).section("resources")

    rows = [one for one in found.changes if one.sentence.startswith("autoscaler: ")]
    assert [(one.before, one.after) for one in rows] == [("1", "2"), ("2", "1"), ("2", "1")]
    assert any("after the scaling, network buffers" in one.sentence for one in found.changes)
    assert any(
        one.sentence.startswith("The autoscaler would scale 3 tasks") for one in found.changes
    )


def test_overrides_are_ignored_from_2_0_on_unless_the_scheduler_is_adaptive(
    tmp_path: Path,
) -> None:
    job = str(running("2.2.1", tmp_path))
    bounds = {"job.autoscaler.utilization.max": "0.75"}

    ignored = plan(job, autoscale=True, configuration=bounds).section("resources")
    adaptive = {**bounds, "jobmanager.scheduler": "adaptive"}
    rescaled = plan(job, autoscale=True, configuration=adaptive).section("resources")

    assert any("FLINK-38770" in one.sentence for one in ignored.changes)
    assert not any("FLINK-38770" in one.sentence for one in rescaled.changes)


def test_nothing_is_computed_unless_it_is_requested() -> None:
    steps: list[dict[str, Any]] = [
        {"id": "a", "type": "source"},
        {"id": "out", "type": "sink", "inputs": ["a"]},
    ]

    assert autoscaling_of(compared(None, program(steps))) is None
    with pytest.raises(ExplorerError, match="needs the figures of a running job"):
        autoscaling_of(compared(None, program(steps), autoscale=True))


def test_a_program_has_no_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "job.yaml"
    steps = "[{id: a, type: source}, {id: out, type: sink, inputs: [a]}]"
    file.write_text(f"transformations: {steps}", encoding="utf-8")

    assert main(["plan", str(file), "--autoscale"]) == 1
    assert "--autoscale needs the figures of a running job" in capsys.readouterr().err
    assert main(["plan", str(running("1.20.5", tmp_path)), "--autoscale"]) == 0
    assert "autoscaler" in capsys.readouterr().out
