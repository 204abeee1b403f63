"""The rows of an exchange: every class is the release's own, and made by its maker."""

from itertools import chain

import pytest

from explorer.deployment.buffers import BLOCKING, BOUNDED, HYBRID, PIPELINED
from explorer.deployment.exchanges.exchange_rows import (
    APPROXIMATE,
    BROADCAST,
    HYBRID_RESULT,
    PIPELINED_RESULT,
    SELECTED,
    SORTED,
    TIERED,
    exchange_rows,
    result_form,
)
from explorer.deployment.exchanges.exchange_rows import BOUNDED as BOUNDED_RESULT
from explorer.flink.releases import VERSIONS, value_in
from tests.capture.flinks import VERSIONS as CACHED
from tests.deployment.ask_exchange import asked
from tests.golden_files import cases
from tests.many_cases import for_each


@for_each("version", VERSIONS)
def test_every_class_is_one_of_the_releases_own(version: str) -> None:
    (case,) = (case for case in cases("wire") if case["version"] == version)
    for row in chain(*exchange_rows().values()):
        name, maker = value_in(row.class_name, version), value_in(row.maker, version)
        assert not name or name in case["classes"]
        assert not (name and maker) or [maker, name] in case["makes"]


@pytest.mark.flink
def test_the_golden_file_has_the_answers_of_the_jars() -> None:
    """One release is asked again, of such files each another; one program asked them all."""
    answer = asked(CACHED[1])
    assert answer == next(case for case in cases("wire") if case["version"] == answer["version"])


def test_every_kind_of_a_result_has_rows_of_its_own() -> None:
    kinds = [PIPELINED_RESULT, APPROXIMATE, BOUNDED_RESULT, SORTED, HYBRID_RESULT, TIERED]
    every = {row.only for row in chain(*exchange_rows().values())}

    assert every == {"", *kinds, BROADCAST, SELECTED}
    for kind in kinds:
        assert "result partition" in {
            row.part for row in chain(*exchange_rows().values()) if row.only == kind
        }


def test_a_result_type_has_one_form() -> None:
    def found(kinds: frozenset[str], *, is_sorted: bool = False, tiered: bool = False) -> set[str]:
        return {result_form(kind, is_sorted=is_sorted, tiered=tiered) for kind in kinds}

    assert found(PIPELINED) == {PIPELINED_RESULT}
    assert found(BOUNDED - PIPELINED) == {APPROXIMATE}
    assert found(BLOCKING) == {BOUNDED_RESULT}
    assert found(BLOCKING, is_sorted=True, tiered=True) == {SORTED}
    assert found(HYBRID) == {HYBRID_RESULT}
    assert found(HYBRID, is_sorted=True, tiered=True) == {TIERED}
