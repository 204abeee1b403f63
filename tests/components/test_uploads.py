"""Uploaded files are stored within bounds, and only where a widget announced them."""

import pytest
from msgspec.structs import replace
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from components.server import uploads
from components.server.hosting import OWN, PUBLIC
from components.server.uploads import MOST_EXPECTED, BoundedUploads, UploadRefusedError
from components.session.visits import FORGOTTEN, GONE, Visits

MOST = 1_000


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> BoundedUploads:
    """A store in which a page may have a thousand bytes, and all pages three thousand."""
    limits = replace(OWN, upload_bytes=MOST, all_upload_bytes=3 * MOST)
    monkeypatch.setattr(uploads, "hosting", lambda: limits)
    return BoundedUploads("/_stcore/upload_file")


def announce(store: BoundedUploads, session: str) -> str:
    return store.get_upload_urls(session, ["a.yaml"])[0].file_id


def put(store: BoundedUploads, session: str, size: int, file_id: str | None = None) -> str:
    """Upload as the server does: the gate reserves room, then the file is stored."""
    file_id = file_id or announce(store, session)
    with store.arriving(session, file_id, size):
        record = UploadedFileRec(file_id=file_id, name="a.yaml", type="", data=b"x" * size)
        store.add_file(session, record)
    return file_id


def held(store: BoundedUploads) -> int:
    return sum(len(file.data) for files in store.file_storage.values() for file in files.values())


def test_a_file_that_no_widget_announced_is_refused(store: BoundedUploads) -> None:
    with pytest.raises(UploadRefusedError, match="no field of this page asked"):
        put(store, "session", 1, "any")
    with pytest.raises(UploadRefusedError, match="no field of this page asked"):
        put(store, "another session", 1, announce(store, "session"))
    once = put(store, "session", 1)
    with pytest.raises(UploadRefusedError, match="no field of this page asked"):
        put(store, "session", 1, once)

    assert held(store) == 1


def test_a_page_may_hold_so_many_bytes(store: BoundedUploads) -> None:
    first = put(store, "session", MOST - 1)
    put(store, "session", 1)
    with pytest.raises(UploadRefusedError, match="the files of one page take"):
        put(store, "session", 1)
    store.remove_file("session", first)
    put(store, "session", MOST - 1)

    assert held(store) == MOST


def test_all_pages_together_may_hold_so_many_bytes(store: BoundedUploads) -> None:
    for number in range(3):
        put(store, f"session {number}", MOST)
    with pytest.raises(UploadRefusedError, match="too many files are held here"):
        put(store, "session 3", 1)
    store.remove_session_files("session 0")
    put(store, "session 3", MOST)

    assert held(store) == 3 * MOST


def test_requests_that_are_being_read_count_too(store: BoundedUploads) -> None:
    first, second = announce(store, "session"), announce(store, "session")
    with store.arriving("session", first, MOST), pytest.raises(UploadRefusedError):
        put(store, "session", 1, second)
    put(store, "session", MOST, second)


def test_a_body_longer_than_announced_is_not_stored(store: BoundedUploads) -> None:
    file_id = announce(store, "session")
    record = UploadedFileRec(file_id=file_id, name="a.yaml", type="", data=b"x" * 11)
    with store.arriving("session", file_id, 10):
        store.add_file("session", record)

    assert held(store) == 0


def test_announcements_are_bounded_and_the_latest_count(store: BoundedUploads) -> None:
    first = announce(store, "session")
    assert len(store.get_upload_urls("session", ["a"] * 10_000)) == MOST_EXPECTED
    with pytest.raises(UploadRefusedError):
        put(store, "session", 1, first)
    put(store, "session", 1)


def test_the_files_of_closed_pages_are_dropped_after_a_minute(store: BoundedUploads) -> None:
    now, active = [0.0], {"open", "reloaded"}
    visits = Visits(active.__contains__, lambda: now[0])
    for session in ("open", "reloaded", "never seen"):
        put(store, session, 1)
    visits.of("token", "open")
    visits.of("another", "reloaded")
    active.remove("reloaded")
    assert not visits.has_gone("reloaded")
    now[0] = GONE + 1
    visits.look()
    gone = [session for session in store.sessions() if visits.has_gone(session)]
    assert sorted(gone) == ["never seen", "reloaded"]
    now[0] = FORGOTTEN + 1
    visits.look()
    assert not visits.has_gone("open")


def test_the_largest_file_fits_a_public_page_twice() -> None:
    largest = 21 << 20
    assert 2 * largest <= PUBLIC.upload_bytes <= PUBLIC.all_upload_bytes
    assert PUBLIC.upload_bytes <= OWN.upload_bytes
