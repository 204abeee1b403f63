"""Every rule of ``check``: what it finds, what it passes over, and what removes its findings."""

import json

import pytest

from explorer import compile_graph
from explorer.checks import check
from explorer.checks.checking import check_document
from explorer.checks.lock import make_lock
from explorer.checks.table import CHECKS
from explorer.documents import load_document
from explorer.flink.releases import VERSIONS, release
from explorer.locations import sample_folder
from tests.checks.findings import asked, of
from tests.checks.pairs import LINE, PAIRS, changed, within
from tests.checks.sql_pairs import SQL_PAIRS
from tests.many_cases import for_each

CODES = [rule.code for rule in CHECKS]


def test_every_rule_has_its_pair_and_its_page() -> None:
    assert len(CODES) == len(set(CODES)) >= 25
    assert set(CODES) - set(PAIRS) == {"DC01", *SQL_PAIRS}
    assert set(PAIRS) <= set(CODES)


@pytest.mark.slow
@for_each("code", PAIRS)
def test_it_finds_what_is_wrong_and_passes_over_what_is_well(code: str) -> None:
    pair = PAIRS[code]

    found = of(code, asked(pair.bad, pair))
    assert found
    assert pair.says in found[0].message
    assert found[0].path == pair.path
    assert not of(code, asked(pair.good, pair))


@pytest.mark.slow
@for_each("code", [code for code in PAIRS if code not in {"RF01", "EX01"}])
def test_a_rule_is_asked_for_its_releases_alone(code: str) -> None:
    rule = next(rule for rule in CHECKS if rule.code == code)
    document = {k: v for k, v in PAIRS[code].bad.items() if k != "flink"}
    for version in around_changes([rule.applies(release(version)) for version in VERSIONS]):
        codes = check(document, flink_version=version).asked
        assert code not in codes or rule.applies(release(version))


def around_changes(applies: list[bool]) -> list[str]:
    """The oldest release, the newest, and the two at each change of the answer."""
    changes = [place for place in range(1, len(applies)) if applies[place] != applies[place - 1]]
    places = {0, len(applies) - 1, *changes, *(place - 1 for place in changes)}
    return [VERSIONS[place] for place in sorted(places)]


def test_a_stream_graph_is_offered_no_change_that_cannot_be_made() -> None:
    captured = json.loads((sample_folder() / "15-hourly-delays.json").read_text())
    expecting = load_document({**captured, "expect": {"tasks": 99}})

    found = of("EX03", check_document(expecting))
    assert [one.proposals for one in found] == [()]


def test_a_locked_maximum_is_offered_only_to_an_operator_that_has_a_setter_for_it() -> None:
    alone = changed(LINE, "out", parallelism=2)
    before, now = (within(alone, max_parallelism=most) for most in (128, 256))

    found = of("LK04", check(now, lock=make_lock(compile_graph(before))))

    offered = {one.about: [made.label for made in one.proposals] for one in found}
    assert offered == {
        ("s",): ["Set max parallelism to 128 at s"],
        ("m",): ["Set max parallelism to 128 at s"],
        # ``DataStreamSink`` has none.
        ("out",): [],
    }
