"""Fixes of findings: each removes its finding, and none costs state."""

import pytest

from explorer import check_restore, load_document
from explorer.checks.checking import check_document
from explorer.checks.fixes import FixTrials
from explorer.comparison.baseline import Baseline, baseline_of, baseline_values
from explorer.model.pipeline import Pipeline
from tests.checks.findings import asked, lock_of, of
from tests.checks.pairs import PAIRS
from tests.many_cases import for_each

NO_FIX = {
    "RF01",
    "RW01",
    "DC01",
    "LK05",
    "CP03",
    "RL02",
    "DP02",
    "DP03",
    "OP09",
    "OP10",
    "WM01",
    "WM02",
}
"""Those for which no single change is known: their rows say what to do."""


@pytest.mark.slow
@for_each("code", PAIRS)
def test_a_fix_removes_the_finding(code: str) -> None:
    pair = PAIRS[code]
    document = load_document({"flink": pair.flink, **pair.bad})
    assert isinstance(document, Pipeline)

    found = of(code, asked(pair.bad, pair))[0]
    tried = list(FixTrials(document, lock=lock_of(pair)).fixes(found))
    assert bool(tried) == (code not in NO_FIX)
    for fix in tried:
        after = check_document(fix.pipeline, lock=lock_of(pair))
        assert found.key not in {one.key for one in after.findings}, fix.label


HARMLESS = "sample_graphs/19-harmless-deploy.yaml"


def test_a_fix_pins_the_id_of_the_baseline_and_finds_its_state() -> None:
    document = load_document(HARMLESS)
    assert isinstance(document, Pipeline)
    old = baseline_of(document)
    assert old is not None
    found = next(one for one in check_document(document).findings if one.about == ("delays",))

    (fix,) = FixTrials(document).fixes(found)

    pinned = fix.pipeline.transformation("delays")
    lost = next(one for one in check_restore(old, document).lost if one.transformation == "delays")
    assert pinned.uid_hash == lost.operator_id
    after = check_restore(old, fix.pipeline)
    assert after.holds
    assert after.sentence in fix.effect


def test_a_fix_that_drops_state_is_not_offered() -> None:
    document = load_document(HARMLESS)
    assert isinstance(document, Pipeline)
    same = document.with_baseline(baseline_values(Baseline(name="itself", document=document)))
    finding = next(one for one in check_document(same).findings if one.about == ("delays",))

    labels = [fix.label for fix in FixTrials(same).fixes(finding)]

    assert len(finding.proposals) == 2
    assert labels == ["Give delays the uid delays, and its ID in the baseline as uid hash"]
