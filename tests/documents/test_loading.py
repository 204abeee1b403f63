"""Any document as data: which kind it is, and what is no document."""

from pathlib import Path
from typing import Any

import pytest

from explorer import compile_graph
from explorer.documents import load_document, parse_document
from explorer.documents.limits import MAX_BYTES
from explorer.documents.loading import (
    MAX_MATCHES,
    LessonFileError,
    ResourceFileError,
    as_document,
    data_folder,
    read_file,
    read_values,
)
from explorer.errors import DocumentError
from explorer.model.pipeline import Pipeline
from tests.documents.resources import deployment, stream
from tests.golden_files import cases
from tests.many_cases import for_each
from tests.plans.plans import COUNT, program

LINE: dict[str, Any] = {"transformations": [{"id": "a", "type": "source"}]}


def test_a_document_is_known_by_its_members() -> None:
    graph = compile_graph(program(COUNT)).to_dict()
    running = next(cases("running_jobs"))

    kinds = [
        load_document(LINE).kind,
        load_document({"stream_graph": graph["stream_graph"]}).kind,
        load_document(graph["execution_plan"]).kind,
        load_document(running["running"]).kind,
        load_document(running["plan"]).kind,
    ]
    assert len(set(kinds[:2])) == 2
    assert kinds[1] == kinds[2]
    assert kinds[3] == kinds[4]


def test_a_document_stays_as_it_is() -> None:
    document = load_document(LINE)

    assert as_document(document) is document
    assert as_document(LINE) == document


@for_each(
    ("text", "name"),
    [
        ("transformations: [{id: a, type: source}]", ""),
        ('{"transformations": [{"id": "a", "type": "source"}]}', "a.json"),
        (' {"transformations": [{"id": "a", "type": "source"}]}', "upload"),
        ("{transformations: [{id: a, type: source}]}", "a.YAML"),
    ],
)
def test_the_format_is_that_of_the_name_or_of_the_content(text: str, name: str) -> None:
    assert parse_document(text, name=name) == load_document(LINE)
    assert read_values(text.encode(), name) == LINE


def test_a_file_that_is_no_program_is_refused_with_its_kind() -> None:
    with pytest.raises(LessonFileError, match="this is a lesson; name the file of its pipeline"):
        parse_document("lesson: One\nsteps: []")
    with pytest.raises(ResourceFileError, match="this is a Kubernetes resource"):
        parse_document(stream(deployment()))
    with pytest.raises(ResourceFileError, match=r"capture 'my job\.yaml' --art"):
        parse_document(stream(deployment(), deployment("other")), name="my job.yaml")
    with pytest.raises(DocumentError, match="the document is empty; it must hold a pipeline"):
        parse_document(" \n")


def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="is a folder; name a document in it"):
        read_file(tmp_path)
    with pytest.raises(DocumentError, match=r"cannot read '.*nowhere': no such file"):
        read_file(tmp_path / "nowhere")
    with pytest.raises(DocumentError, match="is not a file name"):
        read_file(Path("a\0b"))
    with pytest.raises(DocumentError, match="or a compiled graph, not a int"):
        load_document(5)  # type: ignore[arg-type]


def test_no_more_of_a_file_is_read_than_shows_that_it_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    path.write_bytes(b"x" * (2 * MAX_BYTES))

    assert len(read_file(path)) == MAX_BYTES + 1


def test_rows_are_found_next_to_a_document_or_in_its_data_folder(tmp_path: Path) -> None:
    assert data_folder(tmp_path / "a.yaml") == tmp_path
    (tmp_path / "data").mkdir()
    assert data_folder(tmp_path / "a.yaml") == tmp_path / "data"


@for_each(
    ("baseline", "says"),
    [
        ({"name": "", "document": LINE}, "baseline.name: must be text of 1 to 200 characters"),
        (
            {"name": "x"},
            "baseline: takes a name, and a document, a savepoint or both; matches, and flink",
        ),
        ({"name": "x", "document": LINE, "other": 1}, "baseline: takes a name"),
        ({"name": "x", "document": []}, "baseline.document: must be a mapping"),
        ({"name": "x", "document": LINE, "matches": {"a": 5}}, "must map up to 1,000 operators"),
        (
            {"name": "x", "document": {**LINE, "baseline": {}}},
            "baseline.document.baseline: a baseline has none of its own",
        ),
        (
            {"name": "x", "document": {"transformations": [{"id": "a"}]}},
            "baseline.document.transformations[0].type: is missing",
        ),
    ],
)
def test_a_baseline_is_a_document_or_a_savepoint(baseline: dict[str, Any], says: str) -> None:
    with pytest.raises(DocumentError) as fault:
        load_document({**LINE, "baseline": baseline})

    assert says in str(fault.value)


def test_a_baseline_may_have_so_many_matches() -> None:
    matches = {str(turn): "a" for turn in range(MAX_MATCHES)}
    document = load_document(
        {**LINE, "baseline": {"name": "x", "document": LINE, "matches": matches}}
    )

    assert isinstance(document, Pipeline)
    assert document.baseline is not None
    assert document.baseline["matches"] == matches
