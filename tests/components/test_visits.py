"""A visit outlives a reload, and what it left running ends when the visitor has gone."""

import pytest
from streamlit import runtime
from streamlit.runtime import Runtime

from components.session.visits import FORGOTTEN, GONE, RESUMABLE, Visits, is_open_elsewhere


class Run:
    """Something that runs until it is cancelled."""

    def __init__(self) -> None:
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class Here:
    """Which sessions have a page open, and what time it is."""

    def __init__(self) -> None:
        self.open: set[str] = set()
        self.now = 0.0
        self.visits = Visits(lambda session: session in self.open, lambda: self.now)

    def later(self, seconds: float) -> None:
        self.now += seconds
        self.visits.look()


def test_a_page_that_is_loaded_anew_is_the_same_visit() -> None:
    here = Here()
    first = here.visits.of("token", "session 1")

    assert here.visits.of("token", "session 2") is first
    assert here.visits.of("another", "session 3") is not first
    assert first.owner != here.visits.of("another", "session 3").owner


def test_a_run_continues_while_a_page_is_open_and_for_a_minute_after() -> None:
    here, run = Here(), Run()
    here.open = {"session 1"}
    here.visits.of("token", "session 1").running = (run,)
    here.later(10 * GONE)
    here.open = set()
    here.later(GONE)
    assert not run.cancelled

    here.later(1)
    assert run.cancelled


def test_a_reload_within_a_minute_does_not_stop_a_run() -> None:
    here, run = Here(), Run()
    here.visits.of("token", "session 1").running = (run,)
    here.later(GONE - 1)
    here.open = {"session 2"}
    here.visits.of("token", "session 2")
    here.later(2 * FORGOTTEN)

    assert not run.cancelled


def test_a_visit_is_forgotten_in_the_end() -> None:
    here = Here()
    visit = here.visits.of("token", "session 1")
    here.later(FORGOTTEN)
    assert here.visits.of("token", "session 1") is visit

    here.later(FORGOTTEN + 1)
    assert here.visits.of("token", "session 2") is not visit


def test_a_session_is_closed_when_its_page_was_closed_for_longer_than_it_is_resumed() -> None:
    here = Here()
    here.open = {"session 1", "session 2"}
    for session in sorted(here.open):
        here.visits.of("token", session)
    here.now = 10 * RESUMABLE
    assert here.visits.closed_sessions() == ()

    here.open = {"session 2"}
    here.now += RESUMABLE
    assert here.visits.closed_sessions() == ()
    here.now += 1
    assert here.visits.closed_sessions() == ("session 1",)
    assert here.visits.closed_sessions() == ()
    assert here.visits.has_gone("session 1")
    assert not here.visits.has_gone("session 2")


def test_a_server_may_end_after_it_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Runtime, "_instance", None)
    monkeypatch.setattr(runtime, "exists", lambda: True)

    assert not is_open_elsewhere("a session")
