"""Pauses Python's cyclic garbage collector while a large graph is compiled.

A compilation makes a few records a node and drops hardly any. The collector traverses all of them
again and again as their number grows, which makes a large graph cost more a node than a small one.
"""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Generator[None]:
    """Pause the collector; only who paused it starts it again.

    In several threads at once the first to end starts it for all, which costs time and no more.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
