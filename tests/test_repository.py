"""The project as others meet it: workflow, templates, metadata and the repository's address."""

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any, Final

import yaml
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager
from markdown_it import MarkdownIt
from packaging.specifiers import SpecifierSet
from trove_classifiers import classifiers

from reference.hooks import on_page_markdown, repository

ROOT: Final = Path(__file__).resolve().parents[1]
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOW: Final = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())
JOBS: Final = WORKFLOW["jobs"]
TRIGGERS: Final = WORKFLOW[True]
"""YAML 1.1 reads the key ``on`` as true."""
TEMPLATES: Final = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


def metadata() -> ProjectMetadata[Any]:
    """Return the metadata that wheel and source distribution carry."""
    return ProjectMetadata(str(ROOT), PluginManager())


def commands(job: str) -> list[str]:
    """Return the shell commands of a job of the workflow."""
    return [step["run"] for step in JOBS[job]["steps"] if "run" in step]


def test_every_python_of_the_metadata_is_tested_on_push_and_pull_request() -> None:
    prefix = "Programming Language :: Python :: "
    pythons = [
        name.removeprefix(prefix)
        for name in PROJECT["classifiers"]
        if re.fullmatch(rf"{prefix}3\.\d+", name)
    ]

    assert {"push", "pull_request"} <= TRIGGERS.keys()
    assert (
        JOBS["quick"]["strategy"]["matrix"]["python"]
        == pythons
        == [*SpecifierSet(PROJECT["requires-python"]).filter(pythons)]
    )
    assert {"make check", "make quick"} <= {*commands("quick")}


def test_the_whole_gate_runs_at_night_and_its_durations_are_stored() -> None:
    gate = JOBS["gate"]
    (artefact,) = [
        step["with"]["path"] for step in gate["steps"] if "with" in step and "path" in step["with"]
    ]

    assert TRIGGERS["schedule"]
    assert "github.event_name == 'schedule'" in gate["if"]
    assert ".ci/run" in commands("gate")
    options = gate["env"]["PYTEST_ADDOPTS"].split()
    assert options[0] == f"--junitxml={artefact}"
    assert options[1::2] == ["--examples", "--mutations"]
    assert int(options[2]) > 100
    assert int(options[4]) > 300


def test_a_release_waits_for_all_checks_and_attests_what_it_builds() -> None:
    release = JOBS["release"]
    uses = [step.get("uses", "") for step in release["steps"]]

    assert {*release["needs"]} == JOBS.keys() - {"release"}
    assert release["if"] == "startsWith(github.ref, 'refs/tags/v')"
    assert all(
        release["if"] in JOBS[name].get("if", release["if"]) or "!=" in JOBS[name]["if"]
        for name in release["needs"]
    )
    assert release["permissions"]["attestations"] == release["permissions"]["id-token"] == "write"
    assert any(name.startswith("actions/attest-build-provenance@") for name in uses)


def test_only_the_release_may_write_and_every_make_target_exists() -> None:
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert [name for name, job in JOBS.items() if "permissions" in job] == ["release"]
    targets = [
        line.split()[1] for job in JOBS for line in commands(job) if line.startswith("make ")
    ]
    subprocess.run(["make", "-n", *targets], cwd=ROOT, check=True, capture_output=True)  # noqa: S607


def test_the_address_stands_in_one_place() -> None:
    listed = subprocess.run(
        ["git", "grep", "-lE", re.escape(repository()), "--", ":!tests"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    guides = [name for name in listed if name.startswith("docs/")]

    assert {*listed} - {*guides} <= {"pyproject.toml", "reference/hooks.py"}
    assert on_page_markdown("uses: OWNER/REPOSITORY/x@v1") == f"uses: {repository()}/x@v1"
    assert all(repository() in url for url in metadata().core.urls.values())


def test_the_metadata_has_known_classifiers_and_every_licence() -> None:
    core = metadata().core

    assert {*core.classifiers} <= {*classifiers}
    assert core.keywords
    bundled = [
        path.relative_to(ROOT).as_posix()
        for room in ("components", "explorer")
        for path in ROOT.glob(f"{room}/**/*LICENSES*")
    ]
    assert bundled
    assert {*core.license_files} == {"LICENSE", *bundled}


def test_every_link_of_the_readme_works_outside_of_the_repository() -> None:
    text = metadata().core.readme
    targets = [
        str(child.attrs.get("href") or child.attrs.get("src"))
        for block in MarkdownIt().parse(text)
        for child in block.children or ()
        if child.type in {"link_open", "image"}
    ]
    prefix = (
        re.escape(f"https://github.com/{repository()}/") + rf"(?:blob|raw)/v{PROJECT['version']}/"
    )

    assert len(targets) > 15
    assert [link for link in targets if not link.startswith("https://")] == []
    files = [
        re.sub(prefix, "", link).partition("#")[0] for link in targets if re.match(prefix, link)
    ]
    assert [name for name in files if not (ROOT / name).exists()] == []


def test_every_issue_template_asks_for_named_answers() -> None:
    forms = {path.stem: yaml.safe_load(path.read_text()) for path in TEMPLATES}
    assert forms.pop("config")["blank_issues_enabled"] is True
    assert len(forms) == 3
    for form in forms.values():
        assert form["name"]
        assert form["description"]
        fields = [part for part in form["body"] if part["type"] != "markdown"]
        assert len({part["id"] for part in fields}) == len(fields) > 0
        assert any(part["validations"]["required"] for part in fields)
