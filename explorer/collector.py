"""Spares Python's cyclic garbage collector what it need not look at.

A compilation makes a few records a node and drops hardly any. The collector traverses all of them
again and again as their number grows, which makes a large graph cost more a node than a small one.

Streamlit ends every run of the page with a full collection. Over all modules it lasts about 80 ms,
in which no thread sends what the page has drawn.
"""

import gc
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

MANY: Final = 20_000
"""Objects that a full collection passes over in about 10 ms: fewer are not worth a look."""


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
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def has_grown() -> bool:
    """Whether many objects are there that the last ``spare_collections`` did not see.

    Many are a quarter of those that it saw, as for Python's own full collections: however large a
    server grows, looking at all of it costs a bounded share of what made it grow.
    """
    return len(gc.get_objects(generation=2)) > max(MANY, gc.get_freeze_count() // 4)
