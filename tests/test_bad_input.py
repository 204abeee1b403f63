"""Bad input: one sentence with the path in the document, in the shell and in Python alike.

Each case is tried in three ways: ``load_document``, ``compile`` in this process, and for a few that
need a real one, a process of its own. Exit code 1, one line, no traceback.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer.cli.main import main
from explorer.documents import load_document, parse_document
from explorer.errors import DocumentError, ExplorerError
from tests.bad_documents import CASES, PLAIN_CASES, SOURCE, Bad, after_source, by_name, doc
from tests.many_cases import for_each
from tests.strategies import NAUGHTY


@pytest.fixture
def written(tmp_path: Path) -> Callable[[Bad], Path]:
    def write(case: Bad) -> Path:
        path = tmp_path / "document"
        content = case.content
        path.write_bytes(
            content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        )
        return path

    return write


@pytest.mark.slow
@for_each("case", CASES, by_name)
def test_the_shell_prints_one_sentence_with_the_path(
    case: Bad, written: Callable[[Bad], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(case)

    assert main(["compile", str(path)]) == 1
    reported = capsys.readouterr()
    assert reported.out == ""
    assert reported.err.count("\n") == 1
    assert len(reported.err) < 1_000
    assert "Traceback" not in reported.err
    assert case.path in reported.err
    assert case.says in reported.err
    with pytest.raises(DocumentError) as caught:
        load_document(path)
    assert " ".join(str(caught.value).split()) in reported.err
    assert caught.value.path.startswith(case.path)


@pytest.mark.slow
@for_each("case", [c for c in CASES if isinstance(c.content, str)], by_name)
def test_an_upload_is_refused_in_the_same_words(case: Bad, written: Callable[[Bad], Path]) -> None:
    with pytest.raises(DocumentError) as from_file:
        load_document(written(case))
    with pytest.raises(DocumentError) as from_upload:
        parse_document(case.content)

    assert str(from_upload.value) == str(from_file.value)


@for_each("case", PLAIN_CASES, by_name)
def test_a_mapping_is_refused_in_the_same_words(case: Bad) -> None:
    with pytest.raises(DocumentError) as caught:
        load_document(json.loads(case.content))

    assert caught.value.path.startswith(case.path)
    assert case.says in str(caught.value)


@for_each(
    ("mapping", "says"),
    [
        ({"transformations": [{"id": "s", "type": "source", "name": object()}]}, "plain value"),
        ({"transformations": [{"id": "s", "type": "source", 5: 1}]}, "a field's name is a word"),
        ({"transformations": [{"id": "s\ud800", "type": "source"}]}, "half of a character"),
        ({"transformations": ({"id": "s", "type": "source", "rows": {1, 2}},)}, "but is a set"),
    ],
)
def test_a_mapping_that_json_could_not_hold_is_refused_in_a_sentence(
    mapping: dict[str, Any], says: str
) -> None:
    with pytest.raises(DocumentError, match=says):
        load_document(mapping)


def test_a_mapping_that_holds_itself_is_refused() -> None:
    loop: dict[str, Any] = {"transformations": []}
    loop["transformations"].append({"id": "s", "type": "source", "rows": loop})

    with pytest.raises(ExplorerError):
        load_document(loop)


@for_each("name", NAUGHTY, lambda name: ascii(name)[:40])
def test_a_naughty_name_is_read_and_written_unchanged(name: str) -> None:
    document = {
        "name": name,
        "transformations": [
            {"id": name[:200], "type": "source", "name": name, "uid": name},
            {"id": "out", "type": "sink", "inputs": [name[:200]]},
        ],
    }
    loaded = parse_document(json.dumps(document))

    assert loaded == load_document(document)
    assert loaded.name == name


@for_each("name", NAUGHTY, lambda name: ascii(name)[:40])
def test_a_message_shows_a_naughty_id_in_one_harmless_line(name: str) -> None:
    document = {"transformations": [{"id": name[:200], "type": "map", "inputs": [name]}]}
    with pytest.raises(DocumentError) as caught:
        load_document(document)
    text = str(caught.value)

    assert text.isprintable()
    assert len(text) < 500


def shell(*arguments: str, content: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "explorer", *arguments]
    return subprocess.run(command, input=content, capture_output=True, check=False)


@pytest.mark.process
@pytest.mark.parametrize(
    ("arguments", "content", "says"),
    [
        (["compile", "no such file"], b"", "cannot read 'no such file': no such file or directory"),
        (["compile", "tests"], b"", "'tests' is a folder"),
        (["compile", "-"], b"\xff\x80", "not UTF-8"),
        (["compile", "-"], b"", "is empty"),
        (["compile", "-"], doc(SOURCE, SOURCE).encode(), "transformations[1].id"),
        (["compile", "-", "--flink", "1.8"], doc(SOURCE).encode(), "'1.8'"),
        (["trial", "-"], after_source(parallelism=0).encode(), "transformations[1].parallelism"),
    ],
)
def test_a_process_of_its_own_ends_with_1_and_one_line(
    arguments: list[str], content: bytes, says: str
) -> None:
    ended = shell(*arguments, content=content)
    reported = ended.stderr.decode()

    assert ended.returncode == 1
    assert ended.stdout == b""
    assert says in reported
    assert reported.count("\n") == 1
    assert "Traceback" not in reported


@pytest.mark.slow
def test_a_file_of_50_mb_is_refused_unread(tmp_path: Path) -> None:
    large = tmp_path / "large.yaml"
    with large.open("wb") as file:
        file.truncate(50 * 2**20)
    ended = shell("compile", str(large))

    assert ended.returncode == 1
    assert b"larger than 5 MB" in ended.stderr


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    with pytest.raises(DocumentError, match=r"cannot read '.*/a/b.yaml': not a directory"):
        load_document(tmp_path / "a" / "b.yaml")
    with pytest.raises(DocumentError, match="is not a file name"):
        load_document("a\0b")
