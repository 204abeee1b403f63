"""Spares Python's cyclic garbage collector what it need not look at.

A compilation makes a few records a node and drops hardly any. The collector traverses all of them
again and again as their number grows, which makes a large graph cost more a node than a small one.

A full collection over all modules lasts about 80 ms, in which no thread sends what the page has
drawn.
"""

import gc
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Final

SECONDS: Final = 0.01
"""CPU time of a full collection that is worth a look: over about 20,000 objects."""


class _FullCollections:
    """CPU seconds of the latest full collection, which the collector tells by ``gc.callbacks``.

    To count the objects by ``gc.get_objects`` would refer to each for a moment: a tuple that
    another thread is building from a generator cannot be resized then, and raises a SystemError.
    """

    def __init__(self) -> None:
        self.begun = self.latest = self.over_all = 0.0
        """``over_all``: of the latest one that spared nothing."""

    def __call__(self, phase: str, info: Mapping[str, int]) -> None:
        if info["generation"] == 2 and phase == "start":  # noqa: PLR2004 - the oldest one
            self.begun = time.thread_time()
        elif info["generation"] == 2:  # noqa: PLR2004
            self.latest = time.thread_time() - self.begun


_full_collections: Final = _FullCollections()


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


def spare_collections() -> None:
    """Collect what is garbage now; collections to come do not look at what is left."""
    if _full_collections not in gc.callbacks:
        gc.callbacks.append(_full_collections)
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    _full_collections.over_all, _full_collections.latest = _full_collections.latest, 0.0


def has_grown() -> bool:
    """Whether a full collection has much to look at that the last ``spare_collections`` did not.

    Much costs a quarter of what that one cost, as for Python's own full collections: however large
    a server grows, looking at all of it costs a bounded share of what made it grow.
    """
    return _full_collections.latest > max(SECONDS, _full_collections.over_all / 4)
