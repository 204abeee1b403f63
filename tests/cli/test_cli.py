"""The command line: what it prints, where, and with which exit code."""

import base64
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from explorer import compile_graph, load_document
from explorer.cli.command_table import ALIASES, COMMANDS
from explorer.cli.main import _interrupts, main
from explorer.documents import Sample, samples
from explorer.engine.spark import workspace
from explorer.flink.releases import LATEST
from explorer.locations import sample_folder
from tests.engine.on_spark import children, wait_until
from tests.golden_files import cases
from tests.many_cases import for_each
from tests.patience import PATIENCE

pytestmark = pytest.mark.process

SAMPLES = samples()
COUNT = SAMPLES[0].path
CAPTURED = {"equals_flink": True, "differs_from_flink": []}
"""Further lines on a captured program."""
SHORT: list[dict[str, Any]] = [
    {"id": "s", "type": "source"},
    {"id": "o", "type": "sink", "inputs": ["s"]},
]
NAUGHTY_NAME = "\x1b[31mred\x1b[0m \u202ebackwards 流\nnext line"


def run(
    *arguments: object, stdin: bytes = b"", environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a command as a shell would."""
    return subprocess.run(
        [sys.executable, "-m", "explorer", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, **(environment or {})},
    )


@pytest.fixture
def naughty(tmp_path: Path) -> Path:
    """A pipeline with a name that would control a terminal."""
    path = tmp_path / "naughty.json"
    source = {"id": "s", "type": "legacy_source", "name": NAUGHTY_NAME}
    sink = {"id": "o", "type": "sink", "inputs": ["s"]}
    path.write_text(json.dumps({"transformations": [source, sink]}))
    return path


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.key)
def test_compile_prints_the_result_of_the_python_function(
    sample: Sample, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compile", str(sample.path), "--flink", "1.20"]) == 0
    printed = json.loads(capsys.readouterr().out)
    reported = {name: printed.pop(name) for name in CAPTURED if name in printed}

    assert printed == json.loads(json.dumps(compile_graph(sample.path, "1.20").to_dict()))
    assert reported == ({} if sample.runs else CAPTURED)


def test_a_document_may_come_from_standard_input_in_either_format() -> None:
    yaml_text = COUNT.read_bytes()
    json_text = json.dumps({"transformations": SHORT}).encode()
    from_yaml, from_json = (
        run("compile", "-", stdin=yaml_text),
        run("compile", "-", stdin=json_text),
    )

    assert (from_yaml.returncode, from_json.returncode) == (0, 0)
    assert json.loads(from_yaml.stdout)["flink"] == LATEST
    assert json.loads(from_json.stdout)["stream_graph"]["nodes"][0]["id"] == 1


@for_each("line", ["compile -", "check -", "savepoint -", "plan -", f"restore - {COUNT}", "draw -"])
def test_a_pipe_from_a_command_that_failed_is_reported_as_such(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\n")))

    assert main(line.split()) == 1
    printed = "".join(capsys.readouterr())
    assert "standard input is empty: nothing was printed into it" in printed


def test_the_output_of_compile_can_be_compiled() -> None:
    printed = run("compile", COUNT, "--flink", "1.20").stdout
    again = run("compile", "-", stdin=printed)

    assert again.returncode == 0
    assert json.loads(again.stdout)["hashes"] == json.loads(printed)["hashes"]


@pytest.mark.parametrize(
    ("emit", "member"),
    [
        ("stream-graph", "stream_graph"),
        ("job-graph", "job_graph"),
        ("execution-plan", "nodes"),
        ("execution-graph", "vertices"),
    ],
)
def test_a_part_of_the_compilation_can_be_asked_for(
    emit: str, member: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compile", str(COUNT), "--emit", emit]) == 0
    assert member in json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("command", ["compile", "explain"])
def test_an_option_that_nothing_reads_is_warned_of(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "option.json"
    options = {"configuration": {"no.such.option": "1"}}
    path.write_text(json.dumps({"environment": options, "transformations": SHORT}))

    assert main([command, str(path)]) == 0
    reported = capsys.readouterr()
    assert reported.err.startswith(
        "warning: environment.configuration: the option 'no.such.option'"
    )
    if command == "compile":
        (warning,) = json.loads(reported.out)["warnings"]
        assert f"warning: {warning}\n" == reported.err


def test_warnings_go_to_standard_error_a_line_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = compile_graph(COUNT).to_dict()["execution_plan"]
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(plan))

    assert main(["compile", str(path)]) == 0
    reported = capsys.readouterr()
    assert json.loads(reported.out)["execution_plan"]["nodes"]
    assert all(line.startswith("warning: The plan ") for line in reported.err.splitlines())
    assert len(reported.err.splitlines()) == 5


@pytest.mark.parametrize(
    "arguments",
    [[], ["compil"], ["compile"], ["compile", "a", "--emit", "x"], ["ui", "--port", "x"]],
)
def test_wrong_usage_exits_with_2_and_prints_the_usage(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)

    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("usage: python -m explorer")


ENDED = """
import atexit, sys
from explorer.__main__ import run
class Freed:
    def __del__(self):
        print("freed")
freed = Freed()
sys.argv = ["explorer", "compile", "-"]
code = run()
atexit.register(print, "handled")
sys.exit(code)
"""


def test_a_process_ends_after_its_exit_handlers_with_the_code_and_frees_nothing() -> None:
    line = [sys.executable, "-c", ENDED]
    ended = subprocess.run(line, input=b"5", capture_output=True, check=False)

    assert (ended.stdout.decode(), ended.returncode) == ("handled\n", 1)
    assert ended.stderr.startswith(b"error: ")


def test_edges_lead_to_the_right_in_svg_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", str(COUNT), "--direction", "right", "--format", "dot"]) == 2
    assert capsys.readouterr().err == "error: --direction right needs --format svg, not dot.\n"


@pytest.mark.parametrize(
    ("line", "usage", "hint"),
    [
        (["compil"], "COMMAND ...", "unknown command 'compil'; did you mean 'compile'?"),
        (["--verson"], "COMMAND ...", "unknown option '--verson'; did you mean '--version'?"),
        (["check", "a", "--fial-on", "x"], "check", "--fial-on x; did you mean '--fail-on'?"),
    ],
)
def test_a_slip_is_answered_with_the_nearest_name(
    line: list[str], usage: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(line)
    printed = capsys.readouterr().err

    assert ended.value.code == 2
    assert usage in printed.partition("\n")[0]
    assert hint in printed


def test_a_list_of_installed_releases_takes_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["flink", "list", "2.2"]) == 2
    assert capsys.readouterr().err == "error: flink list takes no release, and was given '2.2'\n"


def test_a_sample_is_read_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = (["compile", "01-word-count"], ["compile", str(COUNT)])
    by_name, by_path = ((main(line), capsys.readouterr().out) for line in lines)

    assert by_name == by_path
    assert main(["compile", "01-word-cuont"]) == 2
    assert "no sample '01-word-cuont'; did you mean '01-word-count'?" in capsys.readouterr().err
    assert main(["compile", "word-count"]) == 2
    assert "no sample 'word-count'; did you mean '01-word-count'?" in capsys.readouterr().err
    assert main(["lesson", "01-word-count"]) == 0
    lesson = capsys.readouterr().out
    assert main(["lesson", "01-word-count.yaml"]) == 0
    assert capsys.readouterr().out == lesson
    (tmp_path / "01-word-count").write_text(json.dumps({"transformations": SHORT}))
    assert main(["compile", "01-word-count", "--emit", "stream-graph"]) == 0
    assert len(json.loads(capsys.readouterr().out)["stream_graph"]["nodes"]) == 2


def test_the_samples_are_listed_and_copied(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["samples"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [sample.key for sample in SAMPLES]
    folder = tmp_path / "samples"
    assert main(["samples", "--copy", str(folder)]) == 0
    assert main(["compile", str(folder / COUNT.name)]) == 0
    assert main(["samples", "--copy", str(folder)]) == 2
    assert "exists already" in capsys.readouterr().err


@pytest.mark.parametrize(("alias", "name"), ALIASES.items())
def test_an_alias_is_its_command(alias: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--edge", "ones->count"] if name == "exchange" else []
    lines = ([one, str(COUNT), *options] for one in (alias, name))
    first, second = ((main(line), capsys.readouterr()) for line in lines)

    assert first == second
    assert first[0] == 0


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])

    printed = capsys.readouterr().out
    usage, *_ = printed.split("\n\n")
    assert ended.value.code == 0
    assert COMMANDS[name].does in " ".join(printed.split())
    # Rare options are listed below all others, and are no part of the usage.
    assert "--without-sandbox" not in usage
    assert printed.rfind("--without-sandbox") == -1 or printed.rfind("--format") < printed.find(
        "--without-sandbox"
    )


@pytest.mark.parametrize("name", sorted({*COMMANDS} - {"completion", "mcp", "ui"}))
def test_what_a_command_prints_has_a_format(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([name, "--help"])

    printed = capsys.readouterr().out
    formats = re.search(r"--format \{(.+?)\}", printed)
    assert formats is not None
    assert ("json" in formats[1].split(",")) == ("--json" in printed) == (name != "draw")


def test_json_is_short_for_its_format(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["plan", str(COUNT), "--from", str(COUNT)], ["check", str(COUNT)], ["samples"]):
        printed = [
            (main([*words, *options]), json.loads(capsys.readouterr().out))
            for options in (["--json"], ["--format", "json"])
        ]
        assert printed[0] == printed[1]

    assert main(["compile", str(COUNT)]) == main(["compile", str(COUNT), "--json"]) == 0
    both = capsys.readouterr().out
    assert both[: len(both) // 2] == both[len(both) // 2 :]


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
)
def test_names_are_printed_as_utf_8_whatever_the_locale(
    naughty: Path, environment: dict[str, str]
) -> None:
    ended = run("compile", naughty, environment=environment)

    assert ended.returncode == 0
    assert json.loads(ended.stdout)["stream_graph"]["nodes"][0]["name"] == (
        f"Source: {NAUGHTY_NAME}"
    )


@pytest.mark.parametrize("command", ["explain", "steps"])
def test_a_name_cannot_steer_the_terminal(
    command: str, naughty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, str(naughty)]) == 0
    reported = capsys.readouterr().out

    assert "流" in reported
    assert not {"\x1b", "\u202e"} & set(reported)


def test_an_error_shows_no_character_that_could_steer_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.json"
    item = {"id": "a", "type": "map", "inputs": [NAUGHTY_NAME]}
    path.write_text(json.dumps({"transformations": [item]}))

    assert main(["compile", str(path)]) == 1
    reported = capsys.readouterr().err
    assert reported.rstrip("\n").isprintable()


def test_a_reader_that_closes_the_pipe_ends_the_command_quietly() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "explorer", "compile", str(COUNT)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        command.stdout.close()
        reported = command.stderr.read()

    assert command.returncode == 0
    assert reported == b""


def test_a_full_disk_is_one_sentence() -> None:
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "explorer", "compile", str(COUNT)],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert ended.returncode == 1
    assert ended.stderr == b"error: cannot write the result: no space left on device\n"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_a_closed_stream_is_no_traceback(closed: str) -> None:
    command = f"'{sys.executable}' -m explorer compile - {closed}"
    ended = subprocess.run(["/bin/sh", "-c", command], input=b"", capture_output=True, check=False)

    assert ended.returncode == 1
    assert b"Traceback" not in ended.stderr


def test_a_bug_of_ours_is_one_sentence_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = io.TextIOWrapper(io.BytesIO(b""))
    broken.detach()
    monkeypatch.setattr(sys, "stdin", broken)

    assert main(["compile", "-"]) == 70
    assert capsys.readouterr().err.startswith("error: a bug of the explorer, not of yours: ")


def test_an_error_that_an_interrupt_led_to_is_the_interrupt() -> None:
    """Closing a JVM whose answer was interrupted can fail in ways of its own."""

    def fails_to_close() -> None:
        try:
            raise KeyboardInterrupt
        finally:
            raise ValueError

    with pytest.raises(KeyboardInterrupt), _interrupts():
        fails_to_close()
    with pytest.raises(ValueError, match="own"), _interrupts():
        int("its own")


def test_the_trial_names_the_java_that_it_lacks(tmp_path: Path) -> None:
    ended = run("trial", COUNT, environment={"PATH": str(tmp_path), "JAVA_HOME": ""})
    reported = ended.stderr.decode()

    assert ended.returncode == 2
    assert reported.count("\n") == 1
    assert "install Java 17 or newer" in reported


@pytest.mark.parametrize("path", ["missing.csv", "link.csv"])
def test_a_trial_reads_no_file_outside_its_data_folder(path: str, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (tmp_path / "secret.csv").write_text("a\n1\n")
    (data / "link.csv").symlink_to(tmp_path / "secret.csv")
    rows = {"path": path, "format": "csv", "schema": "a LONG"}
    document = tmp_path / "pipeline.json"
    source, sink = SHORT
    document.write_text(json.dumps({"transformations": [{**source, "rows": rows}, sink]}))
    ended = run("trial", document)

    assert ended.returncode == 1
    assert ended.stderr.count(b"\n") == 1
    assert path.encode() in ended.stderr


@pytest.mark.spark
@pytest.mark.parametrize("schema", ["", ", schema: 'b LONG'"])
def test_a_small_file_that_overflows_a_stack_is_one_sentence(
    tmp_path: Path, schema: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "deep.jsonl").write_text('{"a": ' + "[" * 20_000 + "]" * 20_000 + "}\n")
    document = tmp_path / "deep.yaml"
    document.write_text(
        "transformations:\n"
        f"  - {{id: s, type: source, rows: {{path: deep.jsonl, format: jsonl{schema}}}}}\n"
        "  - {id: o, type: sink, inputs: [s]}\n"
    )

    assert main(["trial", str(document)]) == 1
    reported = capsys.readouterr().err
    assert reported.count("\n") == 1
    assert reported.startswith("error: file 'deep.jsonl' nests its values more than 100 deep")


@pytest.mark.spark
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.key)
def test_every_sample_runs_from_its_file(
    sample: Sample, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trial", str(sample.path), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    vertices = compile_graph(load_document(sample.path)).job_graph.vertices

    assert [one["id"] for one in report["vertices"]] == [vertex.id for vertex in vertices]
    assert sum(sink["rows"] for sink in report["sinks"].values()) > 0


HEEDING = ("env", "--default-signal=INT")
"""A shell that starts the tests in the background has its children ignore an interrupt."""


@contextmanager
def endless_trial(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A trial of the shell with running subtasks; it is ended with all that it started.

    It runs in a project that has a package ``explorer`` of its own.
    """
    (folder / "explorer").mkdir()
    (folder / "explorer" / "__init__.py").write_text("raise SystemExit('not our package')")
    # It never ends by itself; the filter keeps its records off the disk.
    endless = {"sequence": {"from": 1, "to": 10**12}}
    items = [
        {"id": "s", "type": "legacy_source", "rows": endless},
        {"id": "f", "type": "filter", "inputs": ["s"], "where": "n < 0"},
        {"id": "r", "type": "rebalance", "inputs": ["f"]},
        {"id": "o", "type": "sink", "inputs": ["r"]},
    ]
    document = folder / "endless.json"
    document.write_text(json.dumps({"transformations": items}))
    with subprocess.Popen(
        [*HEEDING, sys.executable, "-P", "-m", "explorer", "trial", str(document)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(sample_folder().parent)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as command:
        try:
            wait_until(lambda: runs(command))
            yield command
        finally:
            with suppress(ProcessLookupError):
                os.killpg(command.pid, signal.SIGKILL)


def runs(command: subprocess.Popen[bytes]) -> bool:
    """Whether a subtask of the command's trial has said that it runs."""
    assert command.poll() is None
    reported = workspace._parent().glob(f"explorer-trial-{command.pid}-*/*.progress")
    return any(any(file.read_bytes()) for file in reported)


@pytest.mark.process
def test_an_interrupt_while_modules_are_imported_ends_with_130_and_no_traceback() -> None:
    with subprocess.Popen(
        [*HEEDING, sys.executable, "-X", "importtime", "-m", "explorer", "--version"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as command:
        assert command.stderr is not None
        imported = next(line for line in command.stderr if line.split()[-1] == "argparse")
        command.send_signal(signal.SIGINT)
        printed = command.stderr.read()

    assert imported
    assert command.returncode == 130
    assert "Traceback" not in printed


@pytest.mark.spark
def test_an_interrupt_ends_a_trial_with_130_and_no_traceback(tmp_path: Path) -> None:
    with endless_trial(tmp_path) as command:
        java = children(command.pid, b"java")[0]
        started = [java, *children(java, b"explorer.engine.spark.workers")]
        started += children(started[-1], b"explorer.engine.spark.workers")
        command.send_signal(signal.SIGINT)
        _, reported = command.communicate(timeout=PATIENCE)

    assert command.returncode == 130
    assert b"Traceback" not in reported
    assert len(started) > 2
    wait_until(lambda: not any(Path(f"/proc/{process}").exists() for process in started))


@pytest.mark.spark
def test_an_interrupt_while_spark_starts_leaves_no_process_behind() -> None:
    sample = sample_folder() / "09-delays-by-carrier.yaml"
    with subprocess.Popen(
        [*HEEDING, sys.executable, "-m", "explorer", "trial", str(sample)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as command:
        launched: list[int] = []
        while not launched:
            assert command.poll() is None
            launched = children(command.pid, b"SparkSubmit")
        command.send_signal(signal.SIGINT)
        _, reported = command.communicate(timeout=PATIENCE)

    assert (command.returncode, reported) == (130, b"")
    assert not any(Path(f"/proc/{process}").exists() for process in launched)


@pytest.mark.spark
def test_a_java_that_is_killed_is_one_sentence(tmp_path: Path) -> None:
    with endless_trial(tmp_path) as command:
        os.kill(children(command.pid, b"java")[0], signal.SIGKILL)
        _, reported = command.communicate(timeout=PATIENCE)

    assert command.returncode == 1
    assert reported.startswith(b"error: Spark's Java process ended in the middle of 'Source: ")
    assert reported.count(b"\n") == 1


def test_a_savepoint_is_listed_and_a_restore_is_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = next(cases("restores"))
    (tmp_path / "_metadata").write_bytes(base64.b64decode(case["flink"][1]["metadata"]))
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps(case["old"]))
    new.write_text(json.dumps(case["new"]))

    assert main(["savepoint", str(tmp_path), str(old)]) == 0
    assert "Keyed Reduce, by its generated ID" in capsys.readouterr().out
    assert main(["restore", str(tmp_path), str(old), "--flink", "2.2"]) == 3
    assert "IDs and parallelism match under Flink 2.2: 3 states found" in capsys.readouterr().out
    assert main(["restore", str(old), str(old), "--flink", "2.2"]) == 0
    assert "nothing that Flink checks differs" in capsys.readouterr().out
    assert main(["restore", str(tmp_path), str(new), "--flink", "2.2", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["verdict"] == "refused"
    assert main(["restore", str(tmp_path), str(new), "--flink", "2.2", "--allow-non-restored"]) == 3
    assert "drops the state of 'Keyed Reduce'" in capsys.readouterr().out


def test_a_bridge_is_written_and_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = next(cases("restores"))
    old, new, out = (tmp_path / name for name in ("old.json", "new.json", "out.yaml"))
    old.write_text(json.dumps(case["old"]))
    new.write_text(json.dumps(case["new"]))

    assert main(["restore", str(old), str(new), "--flink", "2.2"]) == 1
    assert "refuses" in capsys.readouterr().out
    assert main(["bridge", str(old), str(new), "--flink", "2.2", "--out", str(out)]) == 0
    assert "0 lost" in capsys.readouterr().out
    assert main(["restore", str(old), str(out), "--flink", "2.2"]) == 3
    assert "uid hash" in capsys.readouterr().out
    assert main(["bridge", str(old), str(new), "--flink", "2.2", "--uids", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["then"]["verdict"] == "restored"


def test_changes_are_measured_from_a_baseline(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = next(cases("restores"))
    (tmp_path / "_metadata").write_bytes(base64.b64decode(case["flink"][1]["metadata"]))
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps({**case["old"], "flink": "2.2"}))
    new.write_text(json.dumps({**case["new"], "flink": "2.2"}))
    lost = "0f059a5c7899bfb760eef84d65cf4d49"

    assert main(["whatis", lost, str(new), "--baseline", str(old)]) == 0
    assert f"{lost} was 'Keyed Reduce' in the baseline (old.json)" in capsys.readouterr().out
    assert main(["explain", str(new), "--baseline", str(old), "--json"]) == 0
    capsys.readouterr()
    assert main(["compare", str(tmp_path), str(new)]) == 0
    assert f"changed   {lost} -> " in capsys.readouterr().out
    assert main(["ui", "--port", "1", "--baseline", str(tmp_path / "nowhere.yaml")]) == 1


def test_a_refused_trial_ends_in_peace_while_pyspark_is_still_imported() -> None:
    half = "sys.modules['pyspark'] = types.ModuleType('pyspark')"
    code = f"import sys, types; import explorer.engine.spark.spark_context; {half}"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)

    assert ended.stderr == b""


@pytest.mark.parametrize("side", [1, 2])
@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("a: [", ", line 2, column 1: this is not YAML"),
        ("transformations: 5", ", transformations: must be a list"),
        ("", ": the document is empty"),
    ],
)
def test_what_is_wrong_with_a_document_comes_with_its_file(
    side: int, content: str, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "words.yaml"
    file.write_text(content, encoding="utf-8")
    line = ["compare", str(COUNT), str(COUNT)]
    line[side] = str(file)

    assert main(line) == 1

    assert capsys.readouterr().err.startswith(f"error: {file}{problem}")


@pytest.mark.parametrize("command", ["compile", "check"])
def test_a_file_of_another_form_is_named_in_a_sentence(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "words.yaml"
    file.write_bytes(COUNT.read_text(encoding="utf-8").encode("utf-16"))

    assert main([command, str(file)]) == 1

    assert "the document is UTF-16 text; save it as UTF-8" in "".join(capsys.readouterr())


@pytest.mark.parametrize("command", ["preview", "follow"])
def test_a_missing_file_of_rows_is_named_with_its_folder(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = {"path": "gone.csv", "format": "csv", "schema": "n LONG"}
    file = tmp_path / "job.json"
    transformations = [SHORT[0] | {"rows": rows}, SHORT[1]]
    file.write_text(json.dumps({"transformations": transformations}), encoding="utf-8")

    assert main([command, str(file)]) == 1

    folder = f"The data directory is {str(tmp_path)!r}; --data-dir names another"
    assert folder in capsys.readouterr().err


def test_explain_prints_the_edges_that_do_not_chain_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", "--failed", str(COUNT)]) == 0
    text = capsys.readouterr().out
    assert main(["explain", "--failed", "--json", str(COUNT)]) == 0
    edges = json.loads(capsys.readouterr().out)

    assert edges
    assert not any(edge["chained"] for edge in edges)
    assert [f"{edge['source']} -> {edge['target']}" for edge in edges] == [
        part.partition("\n")[0] for part in text.split("\n\n")
    ]
    assert "Chained:" not in text
    assert "  ok " not in text
    assert all(sentence in text for edge in edges for sentence in edge["sentences"])
    short = tmp_path / "short.json"
    short.write_text(json.dumps({"transformations": SHORT}), encoding="utf-8")
    assert main(["explain", "--failed", str(short)]) == 0
    assert capsys.readouterr().out == "Every edge chains.\n"
