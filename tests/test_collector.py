"""What the garbage collector is spared."""

import gc
import subprocess
import sys
import threading

import pytest

from explorer.collector import has_grown

SPARED = """
import gc
import weakref
from explorer.collector import spare_collections

class Record:
    def __init__(self):
        self.itself = self  # as those of a session refer to one another

former, record = [0], Record()
reference = weakref.ref(record)
spare_collections()
later = [former]
collected = {id(each) for each in gc.get_objects()}
assert id(former) not in collected
assert id(later) in collected

del record
gc.collect()
assert reference() is not None
spare_collections()
assert reference() is None
"""
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


@pytest.mark.process
@pytest.mark.parametrize("script", [SPARED, GROWING], ids=["spared", "growing"])
def test_objects_are_spared_until_the_next_time(script: str) -> None:
    """In a process of its own: in this one the tests are there already, by the million objects."""
    subprocess.run([sys.executable, "-c", script], check=True)


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
