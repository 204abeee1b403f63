"""A request is ended beyond its CPU time or memory, and nothing of that reaches the next one."""

import importlib
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest
from msgspec.structs import replace

from components import tabs
from components.server import budget, hosting
from components.server.hosting import MB, PUBLIC
from components.session import visits
from explorer.locations import PUBLIC_VARIABLE
from tests.pages.opened import html, opened
from tests.patience import PATIENCE
from tests.thread_tracing import traced_threads


@pytest.fixture
def _frequent_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the watchdog look five times as often, so that as many looks cost a fifth of the time."""
    monkeypatch.setattr(budget, "_LOOK", budget._LOOK / 5)


def spin(seconds: float) -> None:
    """Use CPU time in Python."""
    begun = time.thread_time()
    while time.thread_time() - begun < seconds:
        pass


def grow(bytes_: int) -> list[bytes]:
    """Use memory."""
    return [bytes(b"x" * MB) for _ in range(bytes_ // MB)]


def grow_and_stay() -> None:
    retained = grow(300 * MB)
    spin(5.0)
    del retained


def test_work_beyond_its_budget_is_ended() -> None:
    begun = time.thread_time()
    with pytest.raises(budget.OverBudgetError), budget.bounded(0.2, 1000 * MB):
        spin(5.0)

    assert time.thread_time() - begun < 2.0


def test_memory_alone_ends_work() -> None:
    with pytest.raises(budget.OverBudgetError), budget.bounded(60.0, 100 * MB):
        grow_and_stay()


@pytest.mark.usefixtures("_frequent_looks")
def test_work_within_its_budget_goes_on_and_later_work_has_none() -> None:
    for _ in range(3):
        with budget.bounded(5.0, 1000 * MB):
            spin(0.02)
    with pytest.raises(budget.OverBudgetError), budget.bounded(0.02, 1000 * MB):
        spin(5.0)
    spin(0.1)


@pytest.mark.slow
@pytest.mark.usefixtures("_frequent_looks")
def test_an_error_that_arrives_late_does_not_end_the_next_request() -> None:
    """Work ends by itself about when it is ended: the error arrives within, or not at all."""
    for turn in range(40):
        try:
            with budget.bounded(0.004, 1000 * MB):
                spin(0.004 + turn / 5000)
        except budget.OverBudgetError:
            pass
        spin(0.002)


@pytest.mark.usefixtures("_frequent_looks")
def test_an_import_is_not_ended_halfway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would leave Python's lock of imports locked, and every later import waiting for it."""
    source = "import time\nend = time.thread_time() + 0.1\nwhile time.thread_time() < end: pass\n"
    (tmp_path / "slow_to_import.py").write_text(source + "whole = True\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    def import_and_spin() -> None:
        importlib.import_module("slow_to_import")
        spin(5.0)

    with pytest.raises(budget.OverBudgetError), budget.bounded(0.025, 1000 * MB):
        import_and_spin()

    assert sys.modules.pop("slow_to_import").whole


@pytest.mark.slow
@pytest.mark.usefixtures("_frequent_looks")
def test_locks_written_in_python_are_not_left_locked() -> None:
    condition = threading.Condition(threading.Lock())
    for _ in range(6):
        with suppress(budget.OverBudgetError), budget.bounded(0.02, 1000 * MB):
            while True:
                with condition:
                    pass
        assert condition.acquire(blocking=False)
        condition.release()


def test_an_error_that_python_dropped_ends_the_request_and_not_the_next_one() -> None:
    """As in a finalizer: what is raised there is printed, and the code around it continues."""
    dropped = suppress(BaseException)
    with pytest.raises(budget.OverBudgetError), budget.bounded(0.05, 1000 * MB), dropped:
        spin(5.0)

    with budget.bounded(60.0, 1000 * MB):
        spin(0.1)


def test_a_dropped_error_leaves_no_flag_that_stops_traced_threads() -> None:
    """CPython's flag of an error on its way is for all threads: a traced one would spin at it."""
    request = budget.RunningRequest(5.0, 1000 * MB, thread=threading.get_ident())
    with pytest.raises(budget.OverBudgetError), budget.Watchdog().watching(request):
        request.is_ended = True  # As after an error that a finalizer swallowed.

    with traced_threads(lambda *_: None):
        traced = Thread(target=lambda: None, daemon=True)
        traced.start()
    traced.join(PATIENCE)
    assert not traced.is_alive()


@pytest.mark.slow
def test_a_page_beyond_its_budget_shows_a_sentence_and_can_continue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(PUBLIC_VARIABLE, "1")
    page = opened()
    with monkeypatch.context() as patch:
        patch.setattr(hosting, "PUBLIC", replace(PUBLIC, work_seconds=0.5))
        patch.setattr(tabs, "show", lambda *_: spin(9.0))
        page.run()
    refused = html(page)
    page.button(key="failed-again").click().run()

    assert "CPU time" in refused
    assert "Your document is unchanged" in refused
    assert "CPU time" not in html(page)
    assert not page.exception


@pytest.mark.slow
def test_the_requests_of_an_address_share_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = replace(PUBLIC, minute_seconds=0.2)
    monkeypatch.setattr(budget, "hosting", lambda: limits)
    for _ in range(2):
        with budget.spending("192.0.2.1"):
            spin(0.15)

    with pytest.raises(budget.BusyMinuteError), budget.spending("192.0.2.1"):
        pass
    for free in ("192.0.2.2", ""):
        with budget.spending(free):
            spin(0.01)


def start(address: str, seconds: float, outcomes: list[str], *, share: float = 1.0) -> Thread:
    """Start a request of an address, which uses CPU time in a thread of its own."""

    def work() -> None:
        try:
            with budget.spending(address, share=share):
                spin(seconds)
            outcomes.append("answered")
        except budget.BusyMinuteError:
            outcomes.append("busy")

    thread = Thread(target=work)
    thread.start()
    return thread


@pytest.mark.slow
def test_requests_that_run_count_in_the_minute_of_their_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A browser asks for the next run before the last one has ended, as often as it likes."""
    monkeypatch.setattr(budget, "hosting", lambda: replace(PUBLIC, minute_seconds=0.3))
    outcomes: list[str] = []
    threads = [start("192.0.2.5", 0.25, outcomes) for _ in range(20)]
    for thread in threads:
        thread.join(PATIENCE)

    assert len(outcomes) == 20
    # Those that began together, and the one that brought them beyond the minute.
    assert outcomes.count("answered") <= budget.MOST_AT_ONCE + 1


def test_an_address_has_few_requests_at_once_and_a_queue_with_an_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(budget, "MOST_AT_ONCE", 1)
    monkeypatch.setattr(budget, "MOST_WAITING", 3)
    monkeypatch.setattr(budget, "hosting", lambda: PUBLIC)
    outcomes: list[str] = []
    with budget.spending("192.0.2.6"):
        waiting = [start("192.0.2.6", 0.0, outcomes) for _ in range(5)]
        end = time.monotonic() + PATIENCE
        while len(outcomes) < 2 and time.monotonic() < end:
            time.sleep(0.01)
        assert outcomes == ["busy"] * 2
        other = start("192.0.2.7", 0.0, outcomes)
        other.join(PATIENCE)
    for thread in waiting:
        thread.join(PATIENCE)

    assert sorted(outcomes) == ["answered"] * 4 + ["busy"] * 2


def test_a_request_that_its_browser_gave_up_leaves_the_queue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(budget, "MOST_AT_ONCE", 0)
    monkeypatch.setattr(budget, "hosting", lambda: PUBLIC)

    def superseded() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError), budget.spending("192.0.2.8", pause=superseded):
        pass
    assert not budget._addresses._waiting["192.0.2.8"]


@pytest.mark.slow
def test_callbacks_leave_a_share_of_the_budget_for_the_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(budget, "hosting", lambda: replace(PUBLIC, work_seconds=1.0))
    begun = time.thread_time()
    with pytest.raises(budget.OverBudgetError), budget.spending("", share=0.5):
        spin(9.0)

    assert time.thread_time() - begun < 0.9


@pytest.mark.slow
def test_a_page_of_an_address_beyond_its_minute_shows_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = opened()
    monkeypatch.setattr(visits, "address", lambda: "192.0.2.3")
    monkeypatch.setattr(budget, "hosting", lambda: replace(PUBLIC, minute_seconds=-1.0))
    page.run()

    assert "try again in a minute" in html(page)
    assert page.button(key="failed-again").label == "Go on"
    assert not page.exception
