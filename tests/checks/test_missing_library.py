"""A rule that needs an optional library is not asked where that library is not installed."""

import pytest

from explorer import check
from explorer.checks import checking
from explorer.locations import sample_folder

SAMPLE = sample_folder() / "09-delays-by-carrier.yaml"


def test_without_its_library_a_rule_is_not_asked_and_all_others_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = check(SAMPLE)
    monkeypatch.setattr(checking, "find_spec", lambda _name: None)
    without = check(SAMPLE)

    assert set(whole.asked) - set(without.asked) == {"RW01"}
    assert without.findings == tuple(item for item in whole.findings if item.code != "RW01")
