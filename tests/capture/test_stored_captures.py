"""Stored captures: whole, or made again, whatever has become of their files."""

import hashlib
import multiprocessing
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer.capture.stored_captures import (
    BrokenCaptureError,
    store_documents,
    stored_documents,
)
from tests.full_disks import full_disk

DOCUMENTS: list[dict[str, Any]] = [{"name": "a", "stream_graph": {"nodes": [1, 2.5, None]}}]


def test_stored_documents_are_read(tmp_path: Path) -> None:
    file = tmp_path / "captures" / "a.json"
    assert stored_documents(file) is None
    store_documents(file, DOCUMENTS)

    assert stored_documents(file) == DOCUMENTS
    assert [place.name for place in file.parent.iterdir()] == ["a.json"]


@pytest.mark.parametrize(
    "content", [b"", b"null", b"5", b"[5]", b"[{}]", b"{", b"\xff\n\xff", b"[" * 100_000]
)
def test_a_damaged_file_is_recognised(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(BrokenCaptureError):
        stored_documents(tmp_path / "a.json")


@pytest.mark.parametrize("text", [b"null", b"5", b"[5]", b"[]", b"{}", b"[[]]", b"{", b"[" * 9_999])
def test_documents_of_another_kind_are_recognised(tmp_path: Path, text: bytes) -> None:
    """Also under a digest that is right."""
    digest = hashlib.sha256(text).hexdigest().encode()
    (tmp_path / "a.json").write_bytes(digest + b"\n" + text)
    with pytest.raises(BrokenCaptureError):
        stored_documents(tmp_path / "a.json")


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_what_is_no_file_is_recognised(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "a.json")
    with pytest.raises(BrokenCaptureError):
        stored_documents(tmp_path / "a.json")
    store_documents(tmp_path / "a.json", DOCUMENTS)

    assert [place.name for place in tmp_path.iterdir()] == ["a.json"]


@pytest.mark.parametrize("position", [0, 40, 64, 65, 80, -1])
def test_a_changed_or_missing_byte_is_recognised(tmp_path: Path, position: int) -> None:
    file = tmp_path / "a.json"
    store_documents(file, DOCUMENTS)
    content = bytearray(file.read_bytes())
    content[position] ^= 1
    for damaged in (bytes(content), file.read_bytes()[:position]):
        file.write_bytes(damaged)
        with pytest.raises(BrokenCaptureError):
            stored_documents(file)
        store_documents(file, DOCUMENTS)


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    store_documents(file, DOCUMENTS)
    with full_disk(1_000):
        store_documents(file, [{"name": "x" * 10_000}])

    assert stored_documents(file) == DOCUMENTS
    assert [place.name for place in tmp_path.iterdir()] == ["a.json"]


def _store_again(file: Path, number: int) -> None:
    while True:
        store_documents(file, [{"name": str(number) * 1_000_000}])


@pytest.mark.process
def test_readers_of_two_killed_writers_see_whole_files(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    method = multiprocessing.get_context("spawn")
    writers = [method.Process(target=_store_again, args=(file, number)) for number in (1, 2)]
    for writer in writers:
        writer.start()
    names = set()
    for _ in range(2_000):
        if stored := stored_documents(file):
            names.add(stored[0]["name"][:1])
        if len(names) == 2:
            break
        time.sleep(0.02)
    for writer in writers:
        writer.kill()
        writer.join()

    assert names == {"1", "2"}
    assert stored_documents(file) is not None
    for part in tmp_path.glob("part-*"):
        os.utime(part, (0, 0))
    store_documents(file, DOCUMENTS)
    assert [place.name for place in tmp_path.iterdir()] == ["a.json"]
