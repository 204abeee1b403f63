"""The budget of a request: how much CPU time and memory one run of the page may use.

A request is one run of the page's script with the callbacks before it. Everything that it compiles,
draws, previews and searches happens in one thread, so one watchdog bounds all of it: it compares
the CPU time of that thread, and the growth of the server's memory, with ``Hosting``, and raises
``OverBudgetError`` within the thread. ``components.session.guard`` turns that into a sentence.

The requests of one address share a budget for each minute, and few of them run at once: a browser
may ask for the next run before the last one has ended, as often as it likes.
"""

import ctypes
import sys
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import Final

from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.server.hosting import MB, hosting
from explorer.process_memory import resident_bytes

_LOOK: Final = 0.05
"""Seconds between two looks of the watchdog."""
MINUTE: Final = 60.0
CALLBACK_SHARE: Final = 0.7
"""Of a request's CPU time that its callbacks may use; the rest is for the page after them."""
MOST_AT_ONCE: Final = 2
"""Requests of one address that run at once; further ones wait for their turn."""
MOST_WAITING: Final = 60
"""Requests of one address that wait; further ones are refused."""
LOCKING: Final = ("/threading.py", "/queue.py", "/logging/__init__.py")
"""Files of Python with locks that are written in Python."""
_TURN: Final = 0.2
"""Seconds after which a waiting request looks whether its browser still waits for it."""


class OverBudgetError(BaseException):
    """A request has used its budget; no handler of ordinary errors may swallow it."""

    def __str__(self) -> str:
        limits = hosting()
        return (
            f"this needs more than {limits.work_seconds:g} s of the server's CPU time or "
            f"{limits.work_bytes // MB:,} MB of its memory, which is what this page spends on one "
            "click; open a smaller document, or run the explorer on your own machine"
        )


class BusyMinuteError(OverBudgetError):
    """The requests of an address have used the budget of this minute, or too many of them wait."""

    def __str__(self) -> str:
        return (
            f"your address has used the {hosting().minute_seconds:g} s of the server's CPU time "
            f"that it has in a minute, or {MOST_WAITING} of its requests wait; try again in a "
            "minute"
        )


class RunningRequest:
    """A running request: what it has used, and what it may use."""

    def __init__(self, seconds: float, memory: int, *, thread: int) -> None:
        """``seconds`` of CPU time, ``memory`` in bytes."""
        self.thread = thread
        self.seconds = seconds
        self._clock = time.pthread_getcpuclockid(thread)
        self._cpu_at_start = time.clock_gettime(self._clock)
        self._memory_at_start = resident_bytes()
        self._memory = memory
        self.is_ended = False
        """Whether the watchdog has raised its error in the thread."""

    def cpu_seconds(self) -> float:
        """Return the CPU time since the beginning, in seconds."""
        return time.clock_gettime(self._clock) - self._cpu_at_start

    def is_late(self) -> bool:
        """Whether the CPU time is used up."""
        return self.cpu_seconds() > self.seconds

    def is_large(self, memory: int) -> bool:
        """Whether a process of this many bytes has grown too much since the beginning."""
        return memory - self._memory_at_start > self._memory

    def forget_growth(self) -> None:
        """Count the growth of memory from here: what was ended has given its own up."""
        self._memory_at_start = resident_bytes()


class Watchdog:
    """Ends requests beyond their budget; its thread looks only while there are requests."""

    def __init__(self) -> None:
        self._requests: dict[int, RunningRequest] = {}
        """By thread."""
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    @contextmanager
    def watching(self, request: RunningRequest) -> Iterator[None]:
        """End the request, which runs in this thread, once it is beyond its budget."""
        if request.is_late():
            raise OverBudgetError
        request.is_ended = False
        with self._changed:
            self._requests[request.thread] = request
            if self._thread is None:
                self._thread = threading.Thread(target=self._look, name="budgets", daemon=True)
                self._thread.start()
            self._changed.notify()
        arrived = False
        try:
            yield
        except OverBudgetError:
            arrived = True
            raise
        finally:
            with self._changed:
                self._requests.pop(request.thread, None)
            if request.is_ended:
                _receive_error()
                if not arrived:
                    raise OverBudgetError

    def _look(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._requests))
                for request in self._find_exceeding():
                    # Again at each look: where Python dropped the error, the work went on.
                    if _may_end(request.thread):
                        request.is_ended = True
                        _end_thread(request.thread)
            time.sleep(_LOOK)

    def _find_exceeding(self) -> list[RunningRequest]:
        """Return the requests to end; of those during which memory grew, the busiest one."""
        late = [request for request in self._requests.values() if request.is_late()]
        if late:
            return late
        memory = resident_bytes()
        large = [request for request in self._requests.values() if request.is_large(memory)]
        return [max(large, key=RunningRequest.cpu_seconds)] if large else []


def _may_end(thread: int) -> bool:
    """Whether an error may arrive where a thread is now.

    Python's import system and the locks that are written in Python would stay locked for ever, for
    all threads, where one arrives between a lock and the block that releases it.
    """
    frame = sys._current_frames().get(thread)  # noqa: SLF001 - Python offers no other way
    if frame is None or frame.f_code.co_filename.endswith(LOCKING):
        return False
    while frame is not None and "importlib._bootstrap" not in frame.f_code.co_filename:
        frame = frame.f_back
    return frame is None


def _end_thread(thread: int) -> None:
    """Raise ``OverBudgetError`` in a thread, between two of its bytecodes."""
    error = ctypes.py_object(OverBudgetError)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), error)


def _receive_error() -> None:
    """Let an error that is on its way to this thread arrive here, not in the next request.

    Where Python dropped it, as in a finalizer, none would arrive, so it is sent once more, until
    one does: a thread has one at most. Undoing it with NULL instead leaves the flag of CPython's
    ``PyThreadState_SetAsyncExc`` set: all threads stop at it from then on, and one that is traced
    never passes its first bytecode.
    """
    with suppress(OverBudgetError):
        while True:
            _end_thread(threading.get_ident())


class Addresses:
    """The requests of each address: their turns, and the CPU time that they use in a minute."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._ended: dict[str, deque[tuple[float, float]]] = defaultdict(deque)
        """By address, when a request ended and the CPU time that it used, in seconds."""
        self._running: dict[str, list[Callable[[], float]]] = defaultdict(list)
        """By address, what the requests that run have used by now, in seconds."""
        self._waiting: Counter[str] = Counter()

    @contextmanager
    def turn(
        self, address: str, request: RunningRequest, pause: Callable[[], object]
    ) -> Iterator[None]:
        """Wait for a turn, and note the CPU time that the request uses in the block.

        ``pause`` is called while it waits, and may raise. Raises ``BusyMinuteError`` where the
        address has used its minute, or has too many requests that wait.
        """
        cpu_at_turn = request.cpu_seconds()

        def turn_seconds() -> float:
            return request.cpu_seconds() - cpu_at_turn

        self._await_turn(address, turn_seconds, pause)
        try:
            yield
        finally:
            with self._changed:
                self._running[address].remove(turn_seconds)
                if not self._running[address]:
                    del self._running[address]
                self._ended[address].append((time.monotonic(), turn_seconds()))
                self._changed.notify_all()

    def _await_turn(
        self, address: str, turn_seconds: Callable[[], float], pause: Callable[[], object]
    ) -> None:
        end = time.monotonic() + MINUTE
        with self._changed:
            if self._waiting[address] >= MOST_WAITING:
                raise BusyMinuteError
            self._waiting[address] += 1
        try:
            while not self._begin(address, turn_seconds):
                pause()
                if time.monotonic() > end:
                    raise BusyMinuteError
        finally:
            with self._changed:
                self._waiting[address] -= 1
                if not self._waiting[address]:
                    del self._waiting[address]

    def _begin(self, address: str, turn_seconds: Callable[[], float]) -> bool:
        """Begin a request if it is its turn; else wait for a moment."""
        with self._changed:
            if self.seconds_used(address) > hosting().minute_seconds:
                raise BusyMinuteError
            if len(self._running.get(address, ())) < MOST_AT_ONCE:
                self._running[address].append(turn_seconds)
                return True
            self._changed.wait(_TURN)
            return False

    def seconds_used(self, address: str) -> float:
        """Return what an address used in the last minute, requests that run included."""
        with self._changed:
            self._forget()
            ended = sum(seconds for _, seconds in self._ended.get(address, ()))
            return ended + sum(turn_seconds() for turn_seconds in self._running.get(address, ()))

    def _forget(self) -> None:
        minute_start = time.monotonic() - MINUTE
        for address, requests in list(self._ended.items()):
            while requests and requests[0][0] < minute_start:
                requests.popleft()
            if not requests:
                del self._ended[address]


_watchdog: Final = Watchdog()
_addresses: Final = Addresses()
_in_thread: Final = threading.local()
"""``request`` of this thread, and its ``run``, an object that Streamlit makes for each run."""


def _go_on() -> None:
    """What a request does while it waits outside of a script: nothing."""


@contextmanager
def spending(
    address: str,
    *,
    share: float = 1.0,
    minimum_seconds: float = 0.0,
    pause: Callable[[], object] = _go_on,
) -> Iterator[None]:
    """Run a part of a request under its budget; parts within do not count twice.

    ``share``: how much of the request's CPU time this part and those before it may use;
    ``minimum_seconds``: what the part has in any case; ``pause``: called while it waits for its
    turn. Raises ``OverBudgetError``, also where the ``address`` has used up its minute; "": this
    machine, which has no limits by address.
    """
    if getattr(_in_thread, "watched", False):
        yield
        return
    request = _current_request()
    request.seconds = max(hosting().work_seconds * share, request.cpu_seconds() + minimum_seconds)
    turn = _addresses.turn(address, request, pause) if address else nullcontext()
    with turn:
        _in_thread.watched = True
        try:
            with _watchdog.watching(request):
                yield
        except OverBudgetError:
            request.forget_growth()
            raise
        finally:
            _in_thread.watched = False


def _current_request() -> RunningRequest:
    """Return the request of this run of the script, or a new one outside of a script."""
    context = get_script_run_ctx(suppress_warning=True)
    run = None if context is None else context.parallel_coordinator
    request: RunningRequest | None = getattr(_in_thread, "request", None)
    if request is None or run is None or _in_thread.run is not run:
        limits = hosting()
        request = new_request(limits.work_seconds, limits.work_bytes)
        _in_thread.request, _in_thread.run = request, run
    return request


def new_request(seconds: float, memory: int) -> RunningRequest:
    """Begin a request in this thread."""
    return RunningRequest(seconds, memory, thread=threading.get_ident())


@contextmanager
def bounded(seconds: float, memory: int, *, address: str = "") -> Iterator[None]:
    """Run work outside of a session under a budget of its own, and in a turn of the address.

    Raises ``OverBudgetError``.
    """
    request = new_request(seconds, memory)
    turn = _addresses.turn(address, request, _go_on) if address else nullcontext()
    with turn, _watchdog.watching(request):
        yield
