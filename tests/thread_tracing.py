"""Trace functions for the threads that a test starts."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


@contextmanager
def traced_threads(trace: Callable[[FrameType, str, Any], Any]) -> Iterator[None]:
    """Trace the threads that start meanwhile; later ones are traced as before.

    Without the trace of before, coverage would record no thread of any later test.
    """
    before = threading.gettrace()
    threading.settrace(trace)
    try:
        yield
    finally:
        threading.settrace(before)
