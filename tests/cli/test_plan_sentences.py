"""Other commands print the sentences of the plan's sections."""

import json
from pathlib import Path
from typing import Any

import pytest

from explorer import plan
from explorer.cli.main import main
from explorer.plans import Plan
from tests.plans.plans import COUNT, FILTERED, program


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """Two versions that differ in IDs, parallelism, a name and a setting."""
    old = program(COUNT, parallelism=2)
    new = program(
        [{**one, "name": "sum"} if one["id"] == "count" else one for one in FILTERED],
        parallelism=4,
        checkpoint_interval=1000,
    )
    names = tmp_path / "old.json", tmp_path / "new.json"
    for name, values in zip(names, (old, new), strict=True):
        name.write_text(json.dumps(values))
    return str(names[0]), str(names[1])


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    main(list(arguments))
    return capsys.readouterr().out


def found(files: tuple[str, str]) -> Plan:
    return plan(files[1], old=files[0])


def test_restore_prints_the_sentences_of_the_state_section(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    text = printed(capsys, "restore", *files)
    section = found(files).section("state")

    assert section.sentence in text
    for row in section.changes:
        first = row.sentence.partition(". ")[0]
        assert f"{row.subject}: {first[0].lower()}{first[1:]}".lower() in text.lower()


def test_compare_prints_the_sentences_of_the_graph_section(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    text = printed(capsys, "compare", *files)
    rows = [row for row in found(files).section("graph").changes if " " in str(row.before)]

    settings = [row for row in rows if row.before and row.after and "task" not in row.before]
    assert settings
    for row in settings:
        assert row.sentence in text


def test_deploy_has_the_figures_of_the_resources_section(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = files
    text = printed(capsys, "deploy", new, "--baseline", old)
    section = found(files).section("resources")

    assert section.sentence in text
    assert f"{found(files).section('state').sentence}" in text
    assert "slots: 2 before, 4 now" in text
    assert ("2", "4") in [(one.before, one.after) for one in section.changes]


def test_check_has_the_findings_of_the_checks_section(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    members: dict[str, Any] = json.loads(printed(capsys, "check", files[1], "--format", "json"))
    messages = {f"{one['code']}: {one['message']}" for one in members["files"][0]["findings"]}

    assert {row.sentence for row in found(files).section("checks").changes} <= messages


def test_bridge_has_the_pins_of_the_fix(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    text = printed(capsys, "bridge", *files)

    (fix,) = found(files).fixes
    assert fix.restores
    assert all(line in text for line in fix.lines)
    assert fix.outcome in text
