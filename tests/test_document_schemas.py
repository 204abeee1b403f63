"""The schemas accept what the readers accept; published files equal the output of ``schema``."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from hypothesis import given

from explorer.checks.lock import lock_text, make_lock
from explorer.document_schemas import ROOTS, document_schema
from explorer.documents import load_document
from explorer.documents.text.writing import to_values
from explorer.flink.compiler import compile_program
from explorer.locations import sample_folder
from explorer.model.pipeline import Pipeline
from tests.many_cases import for_each
from tests.strategies import pipelines

SAMPLES = sorted(sample_folder().glob("*.yaml"))


@cache
def validator(name: str) -> Any:
    """Return what checks a document of this kind; importing its library lasts a second."""
    from jsonschema import Draft202012Validator

    return Draft202012Validator(document_schema(name))


def kind_of(path: Path) -> str:
    return "lesson" if path.name.endswith(".lesson.yaml") else "pipeline"


@pytest.mark.slow
@pytest.mark.parametrize("name", ROOTS)
def test_a_schema_is_a_schema_and_is_published_as_it_is(name: str) -> None:
    schema = document_schema(name)
    validator(name).check_schema(schema)
    published = sample_folder() / "schemas" / f"{name}.schema.json"
    assert json.loads(published.read_text(encoding="utf-8")) == schema


@pytest.mark.slow
@for_each("path", SAMPLES, lambda path: path.stem)
def test_a_sample_names_its_schema_and_fulfils_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    line, kind = text.partition("\n")[0], kind_of(path)
    assert line == f"# yaml-language-server: $schema=schemas/{kind}.schema.json"
    validator(kind).validate(yaml.safe_load(text))


def test_a_lock_fulfils_its_schema() -> None:
    lock = make_lock(compile_program(load_document(sample_folder() / "08-late-flights.yaml")))
    values = yaml.safe_load(lock_text(lock))
    validator("lock").validate(values)


@given(pipelines())
def test_documents_that_the_reader_accepts_fulfil_the_schema(pipeline: Pipeline) -> None:
    validator("pipeline").validate(msgspec.json.decode(msgspec.json.encode(to_values(pipeline))))


@for_each(
    ("wrong", "path"),
    [
        ({"transformations": [{"id": "a", "type": "maap"}]}, ["transformations", 0, "type"]),
        ({"transformations": [{"id": "a", "type": "map", "keys": ["k"]}]}, ["transformations", 0]),
        ({"transformations": [], "flink": "3.0"}, ["flink"]),
        (
            {"transformations": [], "environment": {"parallelism": "2"}},
            ["environment", "parallelism"],
        ),
    ],
)
def test_forms_that_the_reader_refuses_the_schema_refuses(
    wrong: object, path: list[object]
) -> None:
    errors = validator("pipeline").iter_errors(wrong)
    assert [list(error.absolute_path) for error in errors][:1] == [path]


def test_every_field_of_a_document_is_described() -> None:
    bare = [
        f"{owner}.{field}"
        for name in ROOTS
        for owner, record in document_schema(name)["$defs"].items()
        for field, reported in record.get("properties", {}).items()
        if not reported.get("description")
    ]
    assert bare == []
