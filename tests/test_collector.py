"""What the garbage collector is spared."""

import gc
import weakref

from explorer.collector import MANY, has_grown, spare_collections


class Record:
    """A record that refers to itself, as those of a session do."""

    def __init__(self) -> None:
        self.itself = self


def test_a_collection_looks_at_nothing_that_was_there_before() -> None:
    former = [0]
    spare_collections()
    try:
        later = [former]
        collected = {id(each) for each in gc.get_objects()}
        assert id(former) not in collected
        assert id(later) in collected
    finally:
        gc.unfreeze()


def test_garbage_that_was_spared_is_collected_the_next_time() -> None:
    record = Record()
    reference = weakref.ref(record)
    spare_collections()
    try:
        del record
        gc.collect()
        assert reference() is not None
        spare_collections()
        assert reference() is None
    finally:
        gc.unfreeze()


def test_many_new_objects_are_noticed_until_they_are_spared() -> None:
    spare_collections()
    try:
        assert not has_grown()
        many = max(MANY, gc.get_freeze_count() // 4)
        records = [Record() for _ in range(many + 1)]
        gc.collect()
        assert has_grown()
        spare_collections()
        assert not has_grown()
        assert len(records) > many
    finally:
        gc.unfreeze()
