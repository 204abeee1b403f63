"""The store of downloads; that a server uses it is a test of connections."""

import pytest
from streamlit.runtime.media_file_storage import MediaFileKind, MediaFileStorageError

from components.server import downloads
from components.server.downloads import RetainedDownloads


def add(store: RetainedDownloads, content: bytes, name: str = "rows.csv") -> str:
    return store.load_and_get_id(content, "text/csv", MediaFileKind.DOWNLOADABLE, name)


def test_of_deleted_files_the_latest_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "MOST_BYTES", 20)
    store = RetainedDownloads("/media")
    first, second, third = (add(store, bytes([each]) * 9) for each in range(3))
    for file_id in (first, second):
        store.delete_file(file_id)
    assert store.get_file(first).content == bytes([0]) * 9

    store.delete_file(third)
    with pytest.raises(MediaFileStorageError):
        store.get_file(first)
    assert store.get_file(second).content == bytes([1]) * 9


def test_the_latest_stays_whatever_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "MOST_BYTES", 20)
    store = RetainedDownloads("/media")
    small, large = add(store, b"small"), add(store, b"x" * 50)
    store.delete_file(small)
    store.delete_file(large)

    assert [*store._files_by_id] == [large]


def test_a_file_that_is_made_again_is_there_until_it_is_deleted_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(downloads, "MOST_BYTES", 0)
    store = RetainedDownloads("/media")
    file_id = add(store, b"rows")
    store.delete_file(file_id)
    assert add(store, b"rows") == file_id
    store.delete_file(add(store, b"others"))

    assert store.get_file(file_id).content == b"rows"


def test_large_files_that_differ_in_one_byte_are_two() -> None:
    store = RetainedDownloads("/media")
    rows = bytearray(4 << 20)
    before = add(store, bytes(rows))
    rows[1 << 20] = 1

    assert add(store, bytes(rows)) != before
    assert add(store, b"rows", "a.csv") != add(store, b"rows", "b.csv")
