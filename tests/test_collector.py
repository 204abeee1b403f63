"""What the garbage collector is spared."""

import gc
import subprocess
import sys
import threading
import weakref

import pytest

from explorer.collector import has_grown, spare_collections


class Record:
    """A record that refers to itself, as those of a session do."""

    def __init__(self) -> None:
        self.itself = self


@pytest.mark.slow
def test_a_collection_looks_at_nothing_that_was_there_before() -> None:
    former = [0]
    spare_collections()
    later = [former]
    collected = {id(each) for each in gc.get_objects()}
    assert id(former) not in collected
    assert id(later) in collected


@pytest.mark.slow
def test_garbage_that_was_spared_is_collected_the_next_time() -> None:
    record = Record()
    reference = weakref.ref(record)
    spare_collections()
    del record
    gc.collect()
    assert reference() is not None
    spare_collections()
    assert reference() is None


GROWING = """
import gc
from explorer.collector import has_grown, spare_collections

held = [[number] for number in range(300_000)]
spare_collections()
assert not has_grown()
made = []
while not has_grown():
    # How long a collection takes is the machine's; eightfold what was there is much.
    assert len(made) < 8 * gc.get_freeze_count()
    made += [[number] for number in range(gc.get_freeze_count() // 2)]
    gc.collect()
spare_collections()
gc.collect()
assert not has_grown()
"""
"""In a process of its own: in this one the tests are there already, by the million objects."""


@pytest.mark.process
def test_many_new_objects_are_noticed_until_they_are_spared() -> None:
    subprocess.run([sys.executable, "-c", GROWING], check=True)


def test_a_look_at_the_growth_leaves_tuples_that_are_built_meanwhile_alone() -> None:
    """A tuple that something else refers to while it is built raises a SystemError."""
    ended, former = threading.Event(), sys.getswitchinterval()

    def look() -> None:
        while not ended.is_set():
            has_grown()

    looking = threading.Thread(target=look)
    sys.setswitchinterval(0.000_01)
    try:
        looking.start()
        for _ in range(2_000):
            # The first collection takes the unfinished tuple to the objects that are looked at.
            assert len(tuple(gc.collect(1) if n == 0 else n for n in range(20))) == 20
    finally:
        ended.set()
        looking.join()
        sys.setswitchinterval(former)
