"""``check`` and ``lock`` as a person and as a CI server run them."""

import io
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from explorer import check
from explorer.checks.lock import read_lock
from explorer.checks.table import CHECKS
from explorer.cli.main import main
from explorer.errors import DocumentError
from tests.many_cases import for_each

COUNT = """\
name: counts
flink: "1.20"
transformations:
  - {id: s, type: source, uid: s}
  - {id: by, type: key_by, inputs: [s], keys: [k]}
  - {id: count, type: reduce, inputs: [by], name: count}
  - {id: out, type: sink, inputs: [count], name: out}
"""
MEANT = COUNT + "expect: {chained: [[s, count]]}\n"
FORMATS = ("text", "json", "sarif", "junit", "github")

TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name", "rules"],
                                "properties": {
                                    "name": {"type": "string", "minLength": 1},
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id", "shortDescription", "help"],
                                            "properties": {
                                                "id": {"type": "string"},
                                                "shortDescription": TEXT,
                                                "fullDescription": TEXT,
                                                "help": TEXT,
                                                "defaultConfiguration": {
                                                    "properties": {"level": LEVEL}
                                                },
                                            },
                                        },
                                    },
                                },
                            }
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["ruleId", "message", "locations"],
                            "properties": {
                                "ruleIndex": {"type": "integer", "minimum": 0},
                                "level": LEVEL,
                                "message": TEXT,
                                "locations": {
                                    "type": "array",
                                    "minItems": 1,
                                    "items": {
                                        "type": "object",
                                        "required": ["physicalLocation"],
                                        "properties": {
                                            "physicalLocation": {
                                                "required": ["artifactLocation", "region"],
                                                "properties": {
                                                    "region": {
                                                        "properties": {
                                                            "startLine": {"minimum": 1},
                                                            "startColumn": {"minimum": 1},
                                                        }
                                                    }
                                                },
                                            }
                                        },
                                    },
                                },
                                "suppressions": {
                                    "type": "array",
                                    "items": {
                                        "required": ["kind"],
                                        "properties": {"kind": {"enum": ["inSource", "external"]}},
                                    },
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}
"""What SARIF 2.1.0 requires of the members that are written here."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "counts.yaml"
    path.write_text(COUNT)
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(each) for each in arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def codes(out: str) -> list[str]:
    return [one["code"] for one in json.loads(out)["files"][0]["findings"]]


def test_warnings_do_not_fail_unless_asked_to(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "check", file)

    assert (code, err) == (0, "")
    assert f"{file}:6: warning ST01: count has keyed state and has no uid" in out
    assert "fix: Give count the uid count, and its current ID as uid hash: 2 tasks" in out
    assert out.splitlines()[-1] == f"{file}: 2 warnings, 2 notes"
    assert run(capsys, "check", file, "--fail-on", "warning")[0] == 1
    assert run(capsys, "check", file, "--severity", "ST01=error")[0] == 1
    assert run(capsys, "check", file, "--severity", "st01=off", "--fail-on", "warning")[0] == 1


def test_an_expectation_that_fails_is_an_error_on_its_line(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(MEANT)
    code, out, _ = run(capsys, "check", file)

    assert code == 1
    assert f"{file}:8: error EX01: s and count should share a task but are in two" in out


def test_a_finding_is_silenced_with_a_reason(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reason = "the state can be read again"
    file.write_text(MEANT + f"check: {{silenced: {{EX01: {{count: {reason}}}, ST01: {reason}}}}}\n")
    code, out, _ = run(capsys, "check", file)
    assert code == 0
    assert "silenced EX01: s and count should share a task" in out
    assert f"because: {reason}" in out

    file.write_text(MEANT + f"check: {{silenced: {{EX01: {{out: {reason}}}}}}}\n")
    assert run(capsys, "check", file)[0] == 1
    assert run(capsys, "check", file, "--silence", f"EX01={reason}")[0] == 0


def test_severities_are_set_in_the_document(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(COUNT + "check: {severities: {ST01: error, CP04: off}}\n")
    code, out, _ = run(capsys, "check", file, "--format", "json")

    assert code == 1
    assert codes(out)[0] == "ST01"
    assert "CP04" not in codes(out)


def test_a_code_of_no_rule_is_refused_at_its_place(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(COUNT + "check: {severities: {ST99: error}}\n")
    code, out, _ = run(capsys, "check", file)

    assert code == 1
    assert f"{file}:8: error DC01: check.severities.ST99: there is no check 'ST99'" in out
    with pytest.raises(DocumentError, match=r"check\.severities\.ST99: there is no check"):
        check(file)


@for_each(
    "arguments",
    [
        [],
        ["--format", "xml", "x.yaml"],
        ["x.yaml", "--severity", "ST99=error"],
        ["x.yaml", "--severity", "ST01=loud"],
        ["x.yaml", "--silence", "ST01="],
    ],
)
def test_wrong_use_is_two(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = main(["check", *arguments])
    except SystemExit as ended:
        code = int(ended.code or 0)

    assert code == 2
    assert "error: " in capsys.readouterr().err


@pytest.mark.parametrize("form", FORMATS)
def test_an_unreadable_document_is_a_finding_in_every_format(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad, refused = (tmp_path / f"{name}.yaml" for name in ("good", "bad", "refused"))
    good.write_text(COUNT)
    bad.write_text(COUNT.replace("type: reduce", "type: redcue"))
    refused.write_text(COUNT.replace("id: count, ", "id: count, uid: s, "))
    code, out, err = run(capsys, "check", good, bad, refused, tmp_path / "none", "--format", form)

    assert (code, err) == (1, "")
    assert "did you mean 'reduce'" in out.replace("&apos;", "'")
    assert "Hash collision" in out or "end in the same operator ID" in out
    assert "no such file or directory" in out
    assert "Traceback" not in out


@pytest.mark.slow
def test_sarif_has_the_members_that_the_standard_requires(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import jsonschema  # not while collecting

    file.write_text(MEANT + "check: {silenced: {EX01: for a test}}\n")
    _, out, _ = run(capsys, "check", file, "--format", "sarif")
    log: dict[str, Any] = json.loads(out)

    jsonschema.Draft202012Validator(SARIF).validate(log)
    (made,) = log["runs"]
    rules = made["tool"]["driver"]["rules"]
    assert [one["id"] for one in rules] == [rule.code for rule in CHECKS]
    for result in made["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    silent = next(one for one in made["results"] if one["ruleId"] == "EX01")
    assert silent["suppressions"] == [{"kind": "inSource", "justification": "for a test"}]
    place = silent["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == file.as_uri()
    assert place["region"] == {"startLine": 8, "startColumn": 20}
    for rule, row in zip(rules, CHECKS, strict=True):
        assert row.todo in rule["help"]["text"]
        assert rule["help"]["markdown"] == row.page


def test_junit_has_a_case_a_rule_and_a_failure_an_error(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(MEANT)
    _, out, _ = run(capsys, "check", file, "--format", "junit")
    root = ET.fromstring(out)  # noqa: S314 - our own

    (suite,) = root
    cases = {case.get("name", "").partition(" ")[0]: case for case in suite}
    assert root.get("failures") == suite.get("failures") == "1"
    assert int(suite.get("tests") or 0) == len(cases) > 25
    failure = cases["EX01"].find("failure")
    assert failure is not None
    assert f"{file}:8: error: s and count" in (failure.text or "")
    assert cases["ST01"].find("failure") is None
    assert "count has keyed state" in (cases["ST01"].findtext("system-out") or "")
    assert len(cases["ST06"]) == 0


def test_github_gets_file_line_and_rule(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(MEANT.replace("name: count}", 'name: "100%, a:b::c"}'))
    _, out, _ = run(capsys, "check", file, "--format", "github")
    command = re.compile(
        r"::(error|warning|notice) file=([^,:]+),line=(\d+),col=\d+,title=([^:]+)::(.+)"
    )
    found = [command.fullmatch(line) for line in out.splitlines()[:-1]]

    assert found
    assert all(found)
    reported = {(one[1], one[3], one[4].partition(" ")[0]) for one in found if one}
    assert ("error", "8", "EX01") in reported
    assert ("warning", "6", "ST01") in reported
    assert "100%25, a:b::c has keyed state" in out


def test_a_lock_holds_until_something_moves(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "check", file, "--locked")
    assert code == 1
    assert f"there is no {file}.lock" in out
    assert run(capsys, "lock", file)[:2] == (
        0,
        f"{file}.lock: 3 operators, 2 chains; written for the first time\n",
    )
    assert run(capsys, "check", file, "--locked")[0] == 0
    assert run(capsys, "lock", file)[1].endswith("; nothing changed\n")

    file.write_text(COUNT.replace("id: count, ", "id: count, uid: c, max_parallelism: 720, "))
    code, out, _ = run(capsys, "check", file, "--locked")
    assert code == 1
    old, new = '"dfd0360a6589006654bcb19c36eef019"', "is now 'id: "
    assert f"{file}.lock:12: error LK01: count: 'id: {old}' {new}" in out
    assert "An existing savepoint holds its state under the old ID" in out
    assert "fix: Keep dfd0360a… as uid hash of count" in out
    assert "'max_parallelism: 128' is now 'max_parallelism: 720'" in out
    assert run(capsys, "lock", file)[1].endswith(" lines changed\n")
    assert run(capsys, "check", file, "--locked")[0] == 0


def test_the_members_of_a_lock_are_printed_with_its_file(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = run(capsys, "lock", file, "--json")
    members = json.loads(out)
    written = read_lock(Path(f"{file}.lock").read_bytes())

    assert code == 0
    assert members["file"] == f"{file}.lock"
    assert members["flink_version"] == written.flink
    assert members["operators"]["count"]["id"] == written.operators["count"].id
    assert members["chains"] == [list(chain) for chain in written.chains]

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(file.read_bytes())))
    code, out, _ = run(capsys, "lock", "-", "--json")
    assert code == 0
    assert json.loads(out) == {**members, "file": None}


def test_a_file_that_is_no_lock_is_reported(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lock = Path(f"{file}.lock")
    for text, says in (
        ("- 1\n", "this is no lock"),
        ("lock: 2\nflink: x\n", "lock: must be 1"),
        ("lock: 1\nflink: x\n\nchains: 3\n", ".lock:4: error DC01: chains: must be"),
        ("lock: 1\nflink: '1.20'\noperators: {a: {id: 3, name: a, max_parallelism: 1}}", "must be"),
        ("lock: [", "this is not YAML"),
    ):
        lock.write_text(text)
        code, out, err = run(capsys, "check", file, "--locked")
        assert (code, err) == (1, "")
        assert f"{lock}:" in out
        assert says in out


def test_a_page_of_each_rule_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "check", "--explain")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == [rule.code for rule in CHECKS]
    for rule in CHECKS:
        code, out, _ = run(capsys, "check", "--explain", rule.code.lower())
        assert code == 0
        assert out.rstrip("\n") == rule.page.rstrip("\n")
    code, _, err = run(capsys, "check", "--explain", "ST9")
    assert code == 1
    assert "there is no check 'ST9'" in err


def test_python_finds_the_same(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "lock", file)
    found = check(file, lock=f"{file}.lock")
    _, out, _ = run(capsys, "check", file, "--locked", "--format", "json")

    assert [one.code for one in found.findings] == codes(out)
    assert found.to_dict()["counts"] == {"error": 0, "warning": 2, "note": 2}
    assert not found.failing
