"""Documents and compilations that sessions share."""

import gc
import json
from pathlib import Path
from weakref import ref

import pytest

from benchmarks.compile.pipelines import SHAPES, document
from components.session import shared
from components.session.compiled import compile_document
from explorer.errors import DocumentError

CONTENT = json.dumps(document(SHAPES[0], 3)).encode()


def test_equal_content_of_one_name_is_one_document_and_one_compilation() -> None:
    first, second = shared.parse(CONTENT, "a.json"), shared.parse(bytes(CONTENT), "a.json")

    assert first is second
    assert compile_document(first) is compile_document(second)


def test_another_content_or_name_is_another_document() -> None:
    first = shared.parse(CONTENT, "a.json")

    assert shared.parse(CONTENT, "b.json") is not first
    assert shared.parse(CONTENT + b" ", "a.json") is not first


def test_an_object_that_no_session_holds_is_freed() -> None:
    document = shared.parse(CONTENT, "freed.json")
    compiled = compile_document(document)
    freed = ref(document), ref(compiled)
    del document, compiled
    gc.collect()

    assert [one() for one in freed] == [None, None]


def test_a_file_that_changed_is_parsed_again(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(CONTENT)
    first = shared.load(path)
    path.write_bytes(json.dumps(document(SHAPES[0], 4)).encode())

    assert shared.load(path).parts == first.parts + 1


def test_a_refused_document_is_refused_for_each_session() -> None:
    for _ in range(2):
        with pytest.raises(DocumentError):
            shared.parse(b"{}", "a.json")
