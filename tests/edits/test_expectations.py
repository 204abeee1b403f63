"""Expectations and silenced findings follow the transformations that they name."""

import pytest
from msgspec.structs import replace

from explorer import edits
from explorer.edits.expectations import rename_expectations, set_expectation, set_expected_id
from explorer.errors import EditError
from explorer.model.changes import SetExpectation
from explorer.model.pipeline import CheckSettings, Expectations, Pipeline
from tests.edits.pipelines import pipeline


@pytest.fixture
def line() -> Pipeline:
    return pipeline(
        {"id": "s", "type": "source"},
        {"id": "o", "type": "sink", "inputs": ["s"], "parallelism": 2},
    )


def test_an_expectation_is_renamed_with_its_transformation(line: Pipeline) -> None:
    meant = replace(
        line,
        expect=Expectations(chained=(("s", "o"),), ids={"o": "0" * 32}, tasks=1),
        check=CheckSettings(silenced={"ST01": {"o": "why"}, "ST02": "all"}),
    )

    renamed = edits.rename(meant, "o", "out")
    assert renamed.expect.chained == (("s", "out"),)
    assert renamed.expect.ids == {"out": "0" * 32}
    assert renamed.check.silenced == {"ST01": {"out": "why"}, "ST02": "all"}
    deleted = edits.delete_transformation(renamed, "out")
    assert deleted.expect == Expectations(tasks=1)
    assert deleted.check.silenced == {"ST02": "all"}
    assert edits.apply_change(meant, SetExpectation(field="tasks", value=None)).expect.tasks is None
    with pytest.raises(EditError, match="choose tasks or slots"):
        edits.apply_change(meant, SetExpectation(field="chained", value=1))


def test_an_expected_number_is_set_and_removed(line: Pipeline) -> None:
    changed = set_expectation(set_expectation(line, "tasks", 2), "slots", 4)

    assert changed.expect == Expectations(tasks=2, slots=4)
    assert set_expectation(changed, "tasks", None).expect == Expectations(slots=4)


def test_an_expected_id_changes_no_other(line: Pipeline) -> None:
    both = set_expected_id(set_expected_id(line, "s", "1" * 32), "o", "2" * 32)

    assert set_expected_id(both, "s", "3" * 32).expect.ids == {"o": "2" * 32, "s": "3" * 32}
    assert set_expected_id(both, "s", None).expect.ids == {"o": "2" * 32}


def test_two_names_change_places(line: Pipeline) -> None:
    meant = replace(
        line,
        expect=Expectations(apart=(("s", "o"),), ids={"s": "1" * 32, "o": "2" * 32}),
        check=CheckSettings(silenced={"ST01": {"s": "why"}}),
    )
    found = rename_expectations(meant, {"s": "o", "o": "s"})

    assert found.expect == Expectations(apart=(("o", "s"),), ids={"o": "1" * 32, "s": "2" * 32})
    assert found.check.silenced == {"ST01": {"o": "why"}}
