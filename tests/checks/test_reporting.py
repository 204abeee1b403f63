"""Reports of checked files: lines of text, JSON and GitHub's annotations, each with its place."""

import json

from explorer.checks.reporting import (
    annotation,
    checked,
    github_report,
    json_report,
    text_report,
    unreadable,
)
from explorer.checks.table import BY_CODE
from explorer.errors import DocumentError, ExplorerError
from tests.checks.checked_files import COUNT, checked_file


def test_each_finding_has_its_line_in_the_file_or_in_its_lock() -> None:
    places = {finding.code: (file, place.line) for finding, file, place in checked_file().located()}

    assert places["ST01"] == ("counts.yaml", 6)
    assert places["CP04"] == ("counts.yaml", 1)
    file, line = places["LK03"]
    assert (file, line > 1) == ("counts.lock", True)


def test_a_line_has_the_place_the_level_and_what_to_do() -> None:
    lines = text_report([checked_file()]).splitlines()

    start = "counts.yaml:6: warning ST01: count has keyed state and has no uid"
    (at,) = [turn for turn, line in enumerate(lines) if line.startswith(start)]
    assert lines[at + 1] == f"    {BY_CODE['ST01'].todo}"
    silenced = [turn for turn, line in enumerate(lines) if ": silenced MP01: " in line]
    assert lines[silenced[0] + 1] == "    because: fixed"
    assert lines[-1] == f"counts.yaml: {checked_file().findings.sentence}"


def test_fixes_that_were_tried_stand_in_place_of_the_advice() -> None:
    text = text_report([checked_file(tried=True)])

    assert "    fix: Give count the uid count, and its current ID as uid hash: " in text
    assert BY_CODE["ST01"].todo not in text
    members = json.loads(json_report([checked_file(tried=True)]))["files"][0]
    (uid,) = [one for one in members["findings"] if one["code"] == "ST01"]
    assert uid["fixes"][0].keys() == {"label", "effect"}


def test_the_json_has_a_member_a_file_with_the_place_of_each_finding() -> None:
    first, second = json.loads(json_report([checked_file(), checked_file()]))["files"]

    assert first == second
    assert first["file"] == "counts.yaml"
    renamed = next(one for one in first["findings"] if one["code"] == "LK03")
    assert (renamed["file"], renamed["column"] > 0) == ("counts.lock", True)


def test_an_annotation_escapes_what_ends_a_property_or_a_line() -> None:
    lines = github_report([checked_file()]).splitlines()

    keeping = [line for line in lines if "title=CP04" in line]
    assert keeping[0].startswith("::warning file=counts.yaml,line=1,col=1,title=CP04 ")
    assert not [line for line in lines if "MP01" in line]
    assert lines[-1].startswith("counts.yaml: ")
    assert annotation("note", "a,b:c", "100%", "x\ny") == (
        "::notice file=a%2Cb%3Ac,title=100%25::x%0Ay"
    )


def test_a_file_that_cannot_be_read_is_a_finding_at_its_place() -> None:
    error = DocumentError("transformations[2].type", "there is no type 'redcue'")

    found = unreadable("counts.yaml", error)

    (finding,) = found.findings
    assert (finding.code, finding.severity) == ("DC01", "error")
    assert finding.path == "transformations[2].type"
    report = checked("counts.yaml", "counts.lock", COUNT, "", found)
    assert [place.line for _, _, place in report.located()] == [6]
    assert unreadable("x", ExplorerError("no file")).findings[0].path == ""
