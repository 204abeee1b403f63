"""Findings of one document: which of them count, and their identity."""

import json

import pytest
from msgspec.structs import replace

from explorer.checks.checking import check_document
from explorer.checks.findings import LEVELS, Findings
from explorer.documents import load_document
from explorer.model.pipeline import CheckSettings
from tests.checks.findings import found
from tests.checks.pairs import BARE, LINE, changed, within

BAD = within(
    changed(BARE, "out", parallelism=2),
    checkpoint_interval=1000,
    checkpointing={"min_pause": 5000},
)


@pytest.fixture(scope="module")
def checked() -> Findings:
    weights = CheckSettings(
        severities={"ST01": "error"}, silenced={"MP01": "the parallelism is fixed"}
    )
    return check_document(load_document(BAD), flink_version="1.20", weights=weights)


def test_a_level_includes_the_heavier_ones_and_no_silenced_finding(checked: Findings) -> None:
    codes = {level: [one.code for one in checked.at_least(level)] for level in LEVELS}

    assert codes["error"] == [one.code for one in checked.failing] == ["ST01"]
    assert codes["warning"] == ["ST01", "ED01"]
    assert codes["note"] == ["ST01", "ED01", "CP05"]
    assert "MP01" not in codes["note"]
    assert "MP01" in {one.code for one in checked.findings}


def test_the_sentence_counts_by_severity_and_names_silenced_findings(checked: Findings) -> None:
    assert checked.counts == {"error": 1, "warning": 1, "note": 1}
    assert checked.sentence == "1 error, 1 warning, 1 note, 1 silenced"
    assert Findings(name="", flink_version="", findings=()).sentence == "no findings"


def test_a_finding_has_the_same_key_when_its_message_and_place_change() -> None:
    (before,) = found("ED04", changed(LINE, "m", chaining_strategy="HEAD"))
    (after,) = found("ED04", changed(LINE, "m", chaining_strategy="HEAD", name="other"))

    assert before.message != after.message
    assert before.key == after.key
    assert replace(before, path="elsewhere").key == before.key
    assert replace(before, about=()).key == ("ED04", (), before.path)


def test_the_record_is_json_and_names_the_fixes(checked: Findings) -> None:
    members = json.loads(json.dumps(checked.to_dict()))

    assert members["counts"]["error"] == 1
    (uid,) = (one for one in members["findings"] if one["code"] == "ST01")
    assert uid["fixes"][-1] == "Give count the uid count"
    assert "proposals" not in uid
    silenced = next(one for one in members["findings"] if one["code"] == "MP01")
    assert silenced["silenced"] == "the parallelism is fixed"
