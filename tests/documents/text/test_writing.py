"""What is written can be read again, by us and by any other YAML reader."""

import json
import stat
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from hypothesis import given

from explorer.documents import check_pipeline, dump_json, dump_yaml, load_document, parse_document
from explorer.documents.text.writing import (
    bare_text,
    flow_text,
    pipeline_json,
    to_values,
    write_file,
)
from explorer.errors import UnwritableFileError
from explorer.model.pipeline import Pipeline
from tests.examples import examples
from tests.full_disks import full_disk
from tests.golden_files import FILES, cases
from tests.many_cases import for_each
from tests.strategies import documents, pipelines


@examples(100)
@given(pipelines(compiles=False))
def test_what_is_written_reads_as_the_same_pipeline(pipeline: Pipeline) -> None:
    """As YAML and as JSON; any other reader of YAML reads the same values."""
    text = dump_yaml(pipeline)

    assert parse_document(text, name="a.yaml") == pipeline
    assert yaml.safe_load(text) == to_values(pipeline)
    assert parse_document(dump_json(pipeline), name="a.json") == pipeline


@examples(60)
@given(documents(compiles=False))
def test_a_mapping_and_its_json_text_are_the_same_document(document: dict[str, Any]) -> None:
    assert parse_document(json.dumps(document)) == load_document(document)


@examples(60)
@given(pipelines(iterations=True))
def test_writing_twice_gives_the_same_text(pipeline: Pipeline) -> None:
    text = dump_yaml(pipeline)

    assert dump_yaml(parse_document(text)) == text  # type: ignore[arg-type]


@pytest.mark.law
def test_every_pipeline_that_flink_was_given_loads_and_survives_a_round_trip() -> None:
    for name in FILES:
        for case in cases(name):
            pipeline = load_document(case["pipeline"])

            assert isinstance(pipeline, Pipeline)
            assert parse_document(dump_yaml(pipeline)) == pipeline
            assert parse_document(dump_json(pipeline)) == pipeline
            check_pipeline(pipeline)
            assert msgspec.convert(case["pipeline"], Pipeline) == pipeline


def test_the_yaml_reads_as_a_person_would_write_it() -> None:
    document = {
        "name": "word count",
        "flink": "1.20",
        "environment": {"parallelism": 2, "configuration": {"a.b": "true"}},
        "transformations": [
            {"id": "lines", "type": "legacy_source", "rows": {"path": "a.txt", "format": "text"}},
            {
                "id": "words",
                "type": "flat_map",
                "inputs": ["lines"],
                "name": "Split into words, one for each",
                "split": {"value": "lower(line)", "pattern": "[^a-z]+", "as": "word"},
            },
        ],
    }
    pipeline = load_document(document)
    assert isinstance(pipeline, Pipeline)

    assert dump_yaml(pipeline) == (
        "name: word count\n"
        'flink: "1.20"\n'
        "environment:\n"
        "  parallelism: 2\n"
        '  configuration: {a.b: "true"}\n'
        "transformations:\n"
        "  - {id: lines, type: legacy_source, rows: {path: a.txt, format: text}}\n"
        '  - {id: words, type: flat_map, inputs: [lines], name: "Split into words, one for each",\n'
        '     split: {value: "lower(line)", pattern: "[^a-z]+", as: word}}\n'
    )


@for_each(
    ("text", "written"),
    [
        ("word", "word"),
        ("two words", "two words"),
        ("a/b-c.d", "a/b-c.d"),
        ("yes", '"yes"'),
        ("Null", '"Null"'),
        ("", '""'),
        ("5", '"5"'),
        ("a: b", '"a: b"'),
        ("é", '"é"'),
        ("\u2028", '"\\u2028"'),
    ],
)
def test_a_word_is_bare_where_every_reader_reads_it_as_that_text(text: str, written: str) -> None:
    assert bare_text(text) == written
    assert parse_document(f"name: {written}\ntransformations: []").name == text


@for_each(
    ("value", "written"),
    [(1e300, "1.0e+300"), (0.1, "0.1"), (True, "true"), (None, "null"), ([1, "a"], "[1, a]")],
)
def test_a_value_stands_on_one_line(value: object, written: str) -> None:
    assert flow_text(value) == written


def test_a_file_is_written_with_the_folders_that_are_missing(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b.yaml"
    write_file(path, "é\n", parents=True)

    assert path.read_bytes() == "é\n".encode()
    with pytest.raises(UnwritableFileError):
        write_file(tmp_path / "c" / "d.yaml", "x")


def test_a_transformation_is_written_on_a_line_of_json() -> None:
    pipeline = load_document({"name": "x", "transformations": [{"id": "a", "type": "source"}] * 1})
    assert isinstance(pipeline, Pipeline)

    assert pipeline_json(pipeline) == (
        '{\n  "name": "x",\n  "transformations": [\n    {"id": "a", "type": "source"}\n  ]\n}\n'
    )


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    new, old = tmp_path / "new.svg", tmp_path / "old.svg"
    old.write_text("before", encoding="utf-8")
    with full_disk(1_000):
        for path in (new, old):
            with pytest.raises(UnwritableFileError, match="file too large"):
                write_file(path, "x" * 5_000)

    assert [path.name for path in tmp_path.iterdir()] == ["old.svg"]
    assert old.read_text(encoding="utf-8") == "before"


def test_a_replaced_file_has_the_old_permissions_and_its_link(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.touch(0o640)
    link.symlink_to(file)

    write_file(link, "after")

    assert (link.is_symlink(), file.read_text(encoding="utf-8")) == (True, "after")
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
