"""What a job asks of a cluster: slots, task managers, the memory of both processes."""

import json
from pathlib import Path
from typing import Any

import pytest

from explorer.cli.main import main
from explorer.deployment import MemoryRefusalError, resources
from explorer.documents import load_document, parse_document, samples
from explorer.flink.compiler import compile_program
from tests.many_cases import for_each

TWO_GROUPS = next(one.path for one in samples() if one.path.name.startswith("05-"))


def job(mode: str) -> dict[str, Any]:
    """A source, in a streaming job one that every release has, and a sink."""
    source = {"id": "s", "type": "source" if mode == "BATCH" else "legacy_source"}
    steps = [source, {"id": "o", "type": "sink", "inputs": ["s"]}]
    return {"environment": {"runtime_mode": mode}, "transformations": steps}


@pytest.mark.parametrize("slots", ["0", "-1"])
def test_a_task_manager_without_slots_is_refused(slots: str) -> None:
    with pytest.raises(MemoryRefusalError, match="positive number of CPU cores"):
        resources(TWO_GROUPS, {"taskmanager.numberOfTaskSlots": slots})


def test_the_oldest_release_has_slots_and_no_split() -> None:
    found = resources(TWO_GROUPS, flink_version="1.9")

    assert (found.task_manager, found.job_manager, found.slots) == (None, None, 4)
    assert resources(TWO_GROUPS, flink_version="1.10").job_manager is None


@for_each(
    ("release", "mode", "balance", "strategy"),
    [
        ("1.9", "STREAMING", "TASKS", "any free slot"),
        ("1.20", "STREAMING", "TASKS", "local input"),
        ("2.2", "STREAMING", "tasks", "balanced tasks"),
        ("2.2", "STREAMING", "SLOTS", "local input"),
        ("2.2", "BATCH", "TASKS", "local input"),
    ],
)
def test_only_a_recent_release_balances_the_tasks_of_a_streaming_job(
    release: str, mode: str, balance: str, strategy: str
) -> None:
    options = {"taskmanager.load-balance.mode": balance}

    assert resources(job(mode), options, flink_version=release).strategy == strategy


@pytest.mark.parametrize("mode", ["STREAMING", "BATCH"])
def test_undecided_parts_of_a_batch_deployment_are_null(mode: str) -> None:
    found = resources(job(mode), flink_version="1.20")
    members = found.to_dict()

    assert (members["placement"] is None) == (members["network"] is None) == (mode == "BATCH")
    assert (members["undecided_network"] is None) == (mode == "STREAMING")


def test_the_shell_prints_what_python_gives(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--option", "taskmanager.numberOfTaskSlots=3", "--flink", "1.20"]

    assert main(["deploy", str(TWO_GROUPS), *options, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert main(["deploy", str(TWO_GROUPS), *options]) == 0
    text = capsys.readouterr().out

    found = resources(TWO_GROUPS, {"taskmanager.numberOfTaskSlots": 3}, flink_version="1.20")
    assert printed == json.loads(json.dumps(found.to_dict()))
    assert text.startswith("Flink 1.20: 4 slots, 2 task managers of 3 slots\n")
    assert "network" in text


def test_a_refusal_is_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    options = ["--option", "taskmanager.memory.process.size=10m"]

    assert main(["deploy", str(TWO_GROUPS), *options]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "exceed configured Total Process Memory (10.000mb (10485760 bytes))" in said


def test_the_sample_that_runs_out_does_and_what_its_words_offer_fits() -> None:
    sample = next(one for one in samples() if one.path.name.startswith("18-"))
    twice = {f"taskmanager.memory.network.{bound}": "4m" for bound in ("min", "max")}
    text = sample.path.read_text(encoding="utf-8")
    half = text.replace("parallelism: 8", "parallelism: 4")

    found = resources(sample.path)

    assert "Insufficient number of network buffers" in (found.refusal or "")
    assert sum(one.local + one.remote for one in found.channels) == 72
    assert resources(sample.path, twice).refusal is None
    assert resources(parse_document(half.encode())).refusal is None


def test_the_shell_prints_the_resources_of_a_change(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    wide = next(one.path for one in samples() if one.path.name.startswith("18-"))
    narrow = tmp_path / "narrow.yaml"
    text = wide.read_text(encoding="utf-8")
    narrow.write_text(text.replace("parallelism: 8", "parallelism: 4"), encoding="utf-8")

    assert main(["deploy", str(wide), "--baseline", str(narrow)]) == 1
    said = capsys.readouterr().out
    assert main(["deploy", str(wide), "--baseline", str(narrow), "--json"]) == 1
    members = json.loads(capsys.readouterr().out)

    sentence = "It needs 1 more task manager, and its network buffers no longer suffice."
    assert f"against the baseline: {sentence}" in said
    assert "task managers: 1 before, 2 now" in said
    assert members["baseline"]["sentence"] == sentence


def test_the_shell_prints_the_steps_of_the_submission(capsys: pytest.CaptureFixture[str]) -> None:
    way = ["--way", "application/kubernetes", "--flink", "1.20"]

    assert main(["deploy", str(TWO_GROUPS), *way]) == 0
    said = capsys.readouterr().out
    assert main(["deploy", str(TWO_GROUPS), *way, "--json"]) == 0
    members = json.loads(capsys.readouterr().out)

    assert "job manager: main() runs in the job manager" in said
    assert [step["number"] for step in members["submission"]] == list(range(1, 30))


def test_a_deployment_mode_that_a_release_lacks_is_one_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["deploy", str(TWO_GROUPS), "--way", "per-job/YARN", "--flink", "2.0"]) == 1
    assert "choose 1.20 or earlier" in capsys.readouterr().err


def test_the_shell_prints_the_bytes_over_the_network(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    sample = next(one.path for one in samples() if one.path.name.startswith("18-"))
    ids = {one.name: one.id for one in compile_program(load_document(sample)).job_graph.vertices}
    vertices = [
        {"id": ids["Source: flights"], "bytes_out": 800},
        {"id": ids["late only -> to carrier"], "bytes_out": 6400},
    ]
    report = tmp_path / "report.json"
    report.write_text(json.dumps({"vertices": vertices}), encoding="utf-8")

    assert main(["deploy", str(sample), "--figures", str(report), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["bytes"] == {"sent": 7200, "over_network": 3600}
    report.write_text("no report", encoding="utf-8")
    assert main(["deploy", str(sample), "--figures", str(report)]) == 1
    assert "is no report: give the output of trial --json" in capsys.readouterr().err


@pytest.mark.parametrize(
    "option",
    [
        "execution.batch-shuffle-mode=ALL_EXCHANGES_PIPELINED",
        "pipeline.operator-chaining=false",
        "parallelism.default=3",
        "taskmanager.numberOfTaskSlots=3",
    ],
)
def test_an_option_changes_the_same_by_both_of_its_names(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file := tmp_path / "batch.yaml").write_text(json.dumps(job("BATCH")))
    answers = []
    for name in ("--option", "-D"):
        code = main(["resources", str(file), name, option, "--json"])
        answers.append((code, capsys.readouterr()))

    assert answers[0] == answers[1]
