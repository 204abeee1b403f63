"""Fails a test that does not end, with the stacks of all threads: no gate waits for ever."""

import faulthandler
import signal
import threading
from collections.abc import Generator
from types import FrameType
from typing import Final, NoReturn

import pytest

LONGEST: Final = 1_200.0
"""Seconds for a test, and for its fixtures, on the busiest of machines."""
USUAL_MUTATIONS: Final = 1_200.0
AGAIN: Final = 60.0
"""Seconds after which a test that caught the failure fails again."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Bound a test, a setup or a teardown; drawn examples have as much more time as there are."""
    if threading.current_thread() is not threading.main_thread():
        return (yield)
    longer = max(1.0, item.config.getoption("mutations") / USUAL_MUTATIONS)
    before = signal.signal(signal.SIGALRM, _fail)
    signal.setitimer(signal.ITIMER_REAL, LONGEST * longer, AGAIN)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


pytest_runtest_setup = pytest_runtest_teardown = pytest_runtest_call


def _fail(_signal: int, _frame: FrameType | None) -> NoReturn:
    faulthandler.dump_traceback(2)
    pytest.fail("the test did not end")
