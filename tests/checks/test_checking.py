"""Checks of a document: which rules are asked, with which weights, and what refuses them."""

import pytest

from explorer.checks.checking import check, check_document, own_baseline, weights_of
from explorer.checks.lock import lock_text, make_lock
from explorer.checks.table import CHECKS
from explorer.comparison.baseline import Baseline, baseline_values
from explorer.documents import load_document
from explorer.errors import DocumentError
from explorer.flink.compiler import compile_program
from explorer.locations import sample_folder
from explorer.model.pipeline import CheckSettings
from tests.checks.findings import messages
from tests.checks.pairs import BARE, COUNT, LINE, PAIRS, changed


def test_a_refused_program_is_asked_the_rules_of_refusals_alone() -> None:
    asked = check(PAIRS["ST04"].bad, flink_version="1.20").asked

    needs = {rule.code: rule.needs for rule in CHECKS}
    assert {needs[code] for code in asked} == {"refusal"}
    assert "ST01" not in asked


def test_rules_of_a_lock_are_asked_with_a_lock_alone() -> None:
    lock = make_lock(compile_program(load_document(COUNT)))

    with_lock = {code for code in check(COUNT, lock=lock).asked if code.startswith("LK")}

    assert len(with_lock) == 6
    assert not [code for code in check(COUNT).asked if code.startswith("LK")]


def test_a_printed_plan_is_not_asked_for_uids() -> None:
    graph = compile_program(load_document(BARE), "1.20").to_dict()["stream_graph"]
    for node in graph["nodes"]:
        node.pop("transformation")
    plan = {"flink": "1.20", "stream_graph": graph}

    assert "ST01" in check(BARE).asked
    assert "ST01" not in check(plan).asked
    assert "ED04" in check(plan).asked


def test_the_callers_weights_win_over_the_documents() -> None:
    document = load_document({**BARE, "check": {"severities": {"st01": "off", "MP01": "error"}}})
    weights = CheckSettings(severities={"ST01": "error"})

    codes = {one.code: one.severity for one in check_document(document, weights=weights).findings}

    assert (codes["ST01"], codes["MP01"]) == ("error", "error")
    assert weights_of(document.check).severities == {"ST01": "off", "MP01": "error"}
    assert "ST01" not in check_document(document).asked


def test_a_finding_is_silenced_by_the_operators_that_it_names() -> None:
    other = changed(BARE, "out", type="reduce", inputs=["by"])
    document = load_document({**other, "check": {"silenced": {"MP01": {"count": "fixed"}}}})

    found = [one for one in check_document(document).findings if one.code == "MP01"]

    assert [(one.about, one.silenced) for one in found] == [(("count",), "fixed"), (("out",), None)]


def test_a_code_of_no_rule_is_refused_at_its_place() -> None:
    with pytest.raises(DocumentError, match=r"check\.silenced\.ST99: there is no check 'ST99'"):
        weights_of(CheckSettings(silenced={"ST99": "no"}))


def test_a_lock_may_be_given_as_a_file(tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("locks") / "line.lock"
    file.write_text(lock_text(make_lock(compile_program(load_document(LINE)))))

    codes = [one.code for one in check(changed(LINE, "m", name="x"), lock=file).findings]

    assert "LK03" in codes


def test_a_baseline_that_cannot_be_read_is_left_out() -> None:
    document = load_document(LINE)
    held = baseline_values(Baseline(name="v1", document=document))
    assert own_baseline(document.with_baseline(held)) is not None

    broken = document.with_baseline({"name": "v1", "savepoint": {"operators": 3}})

    assert own_baseline(broken) is None
    assert messages("DP02", LINE) == []


@pytest.mark.parametrize("name", ["06-cut-by-partitioner", "12-legacy-source-and-async"])
def test_findings_are_sorted_by_severity_then_by_rule(name: str) -> None:
    found = check(sample_folder() / f"{name}.yaml").findings

    order = {rule.code: at for at, rule in enumerate(CHECKS)}
    ranks = [(("error", "warning", "note").index(one.severity), order[one.code]) for one in found]
    assert len(ranks) > 3
    assert ranks == sorted(ranks)
