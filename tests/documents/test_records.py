"""Plain values as records, and misfits as sentences with a path."""

from typing import Any

import pytest

from explorer.documents.records import to_record
from explorer.errors import DocumentError
from explorer.model.pipeline import Environment, Pipeline
from tests.many_cases import for_each


def problem(values: object, record: type = Pipeline) -> str:
    with pytest.raises(DocumentError) as fault:
        to_record(values, record)
    return str(fault.value)


@for_each(
    ("values", "sentence"),
    [
        (
            {"transformations": [{"id": 5, "type": "map"}]},
            'transformations[0].id: must be text, but is the number 5; quote it: "5"',
        ),
        (
            {"transformations": [{"id": "a", "type": "source", "parallelism": "many"}]},
            "transformations[0].parallelism: must be a whole number, but is the text 'many'",
        ),
        (
            {"transformations": [{"type": "map"}]},
            "transformations[0].id: is missing and must be given",
        ),
        (
            {"transformations": [], "nmae": "x"},
            "nmae: there is no field 'nmae'; did you mean 'name'?",
        ),
        ({"transformations": [], "flink": 1.2}, 'flink: write the release in quotes, as in "1.20"'),
        ({"transformations": {}}, "transformations: must be a list, but is a mapping"),
    ],
)
def test_a_misfit_has_its_path(values: object, sentence: str) -> None:
    assert problem(values).startswith(sentence)


def test_a_word_that_is_not_among_the_choices_names_them() -> None:
    assert problem({"runtime_mode": "BATHC"}, Environment).startswith("runtime_mode: must be ")
    assert "did you mean 'BATCH'?" in problem({"runtime_mode": "BATHC"}, Environment)


def test_a_key_that_is_no_text_is_named() -> None:
    assert problem({"configuration": {5: "x"}}, Environment) == (
        'configuration: a column or option name must be text, but is the number 5; quote it: "5"'
    )


def test_the_entry_of_a_mapping_that_is_at_fault_is_found() -> None:
    assert problem({"configuration": {"a": 1, "b": [2]}}, Environment).startswith(
        "configuration.b: must be "
    )


def test_values_that_no_text_can_hold_are_refused() -> None:
    inside: dict[str, Any] = {}
    inside["configuration"] = inside

    assert problem(inside, Environment) == "the document contains itself"
    for value in ("\ud800", 2**70, object()):
        assert problem({"configuration": {"a": value}}, Environment).startswith("configuration.a: ")
