"""Programs in a FILE's place: captured once, then read from the cache."""

import json
from pathlib import Path

import pytest

from explorer.capture import cached
from explorer.capture.cached import captured_program
from explorer.cli.main import main
from explorer.documents import load_document
from explorer.model.pipeline import Pipeline
from explorer.targets.target import with_configuration
from explorer.targets.target_options import is_program
from tests.capture.flinks import lib

SCRIPT = """
CREATE TABLE clicks (user_id BIGINT, ts TIMESTAMP(3)) WITH ('connector' = 'datagen');
CREATE TABLE counts (user_id BIGINT, n BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO counts SELECT user_id, COUNT(*) FROM clicks GROUP BY user_id;
"""


def test_programs_and_addresses_are_targets_and_documents_are_not() -> None:
    for name in ("job.jar", "a/QUERY.SQL", "job.py", "http://localhost:8081/jobs/x"):
        assert is_program(name), name
    for name in ("job.yaml", "job.json", "-", "savepoint-1"):
        assert not is_program(name), name


@pytest.mark.parametrize(
    ("command", "option", "reported"),
    [
        ("deploy", "execution.batch-shuffle-mode=ALL_EXCHANGES_PIPELINED", "adaptive batch"),
        ("check", "execution.batch-shuffle-mode=ALL_EXCHANGES_PIPELINED", "adaptive batch"),
        ("deploy", "parallelism.default=three", "Could not parse value 'three'"),
    ],
)
def test_an_option_of_the_command_wins_over_those_of_a_document(
    command: str,
    option: str,
    reported: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = tmp_path / "job.yaml"
    document.write_text(
        "environment:\n  runtime_mode: BATCH\n"
        "  configuration: {execution.batch-shuffle-mode: ALL_EXCHANGES_BLOCKING}\n"
        "transformations:\n  - {id: a, type: source}\n"
        "  - {id: r, type: rebalance, inputs: [a]}\n  - {id: o, type: sink, inputs: [r]}\n"
    )
    flags = ["--flink", "1.20"]

    main([command, str(document), *flags])
    assert reported not in "".join(capsys.readouterr())
    main([command, str(document), *flags, "-D", option])
    assert reported in "".join(capsys.readouterr())


@pytest.mark.parametrize(("own", "wanted"), [(1, 3), (2, 2)])
def test_the_default_parallelism_is_that_of_a_program_that_sets_none(own: int, wanted: int) -> None:
    steps = [{"id": "s", "type": "source"}, {"id": "o", "type": "sink", "inputs": ["s"]}]
    environment = {"parallelism": own}
    document = load_document({"environment": environment, "transformations": steps})

    changed = with_configuration(document, {"parallelism.default": "3"})
    assert isinstance(changed, Pipeline)
    assert changed.environment.parallelism == wanted


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_commands_accept_a_script_and_capture_it_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = tmp_path / "old.sql", tmp_path / "new.sql"
    old.write_text(SCRIPT)
    new.write_text(SCRIPT.replace("COUNT(*) FROM", "COUNT(*) + 1 FROM"))
    monkeypatch.setenv("FLINK_HOME", str(lib("2.2.1").parent))
    monkeypatch.setattr(cached, "cache_folder", lambda: tmp_path / "cache" / "flink")

    assert main(["compile", str(old)]) == 0
    compiled = json.loads(capsys.readouterr().out)
    assert "GroupAggregate" in json.dumps(compiled["stream_graph"])
    assert main(["compare", str(old), str(new)]) == 0
    assert "Calc" in capsys.readouterr().out

    captured: list[object] = []
    assert captured_program(old, captured.append).documents[0]["name"]
    assert captured == []
    old.write_text(SCRIPT + "-- changed\n")
    captured_program(old, captured.append)
    assert len(captured) == 1

    for stored in (tmp_path / "cache" / "captures").iterdir():
        stored.write_text("[5]")
    capsys.readouterr()
    assert main(["compile", str(old)]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("the stored capture ")
    assert lines[0].endswith(" cannot be read (it is damaged): the program is captured again")


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_a_program_with_several_jobs_is_refused_with_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "two.sql"
    insert = SCRIPT.strip().splitlines()[-1]
    script.write_text(f"{SCRIPT}\n{insert}\n")
    monkeypatch.setenv("FLINK_HOME", str(lib("2.2.1").parent))
    monkeypatch.setattr(cached, "cache_folder", lambda: tmp_path / "cache" / "flink")

    assert main(["explain", str(script)]) == 1
    message = capsys.readouterr().err
    assert "has 2 jobs" in message
    assert f"capture {script} --job NAME --out FILE" in message
