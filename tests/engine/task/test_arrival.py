"""Frames are read producer by producer, independent of the order of their arrival."""

from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.task import arrival
from explorer.engine.task.arrival import in_order
from explorer.engine.task.frames import FrameKind, pack, unpack
from explorer.errors import BrokenInvariantError

TASKS = {0: 0, 1: 0, 2: 3}
"""The task that writes each edge."""
PRODUCERS = [(0, 0), (0, 1), (0, 2), (3, 0), (3, 1)]
SOURCES = {edge: (True, task) for edge, task in TASKS.items()}
LANES = [(True, *producer) for producer in PRODUCERS]


def _block(producer: tuple[int, int], count: int, size: int = 10) -> list[bytes]:
    """Frames of one producer, on its edges in turn."""
    task, subtask = producer
    edges = [edge for edge, source in TASKS.items() if source == task]
    return [
        pack(FrameKind.BATCH, edges[at % len(edges)], subtask, at, 0, bytes(size))
        for at in range(count)
    ]


def _places(frames: Iterable[bytes]) -> list[tuple[int, int, int]]:
    found = map(unpack, frames)
    return [(TASKS[frame.edge], frame.producer, frame.number) for frame in found]


def _lanes(frames: Iterable[bytes]) -> list[tuple[bool, int, int, int]]:
    """Whether each frame's edge waits for edge 1, its task, subtask and number."""
    found = map(unpack, frames)
    return [(one.edge != 1, TASKS[one.edge], one.producer, one.number) for one in found]


@given(
    st.lists(st.integers(0, 4), min_size=len(PRODUCERS), max_size=len(PRODUCERS)),
    st.randoms(use_true_random=False),
    st.sampled_from((0, 25, 10**6)),
)
def test_any_order_of_producers_is_brought_into_one(
    counts: list[int], random: Random, room: int
) -> None:
    blocks = [_block(producer, count) for producer, count in zip(PRODUCERS, counts, strict=True)]
    wanted = [frame for block in blocks for frame in block]
    random.shuffle(blocks)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrival, "HELD_BYTES", room)
        found = list(in_order([frame for block in blocks for frame in block], SOURCES, LANES))

    assert found == wanted


@given(
    st.lists(st.integers(0, 4), min_size=len(PRODUCERS), max_size=len(PRODUCERS)),
    st.randoms(use_true_random=False),
)
def test_frames_of_an_edge_that_is_read_first_precede_those_of_the_same_producer(
    counts: list[int], random: Random
) -> None:
    sources = {edge: (edge != 1, task) for edge, task in TASKS.items()}
    lanes = sorted({(*sources[edge], at) for edge in TASKS for at in range(3)})
    blocks = [_block(producer, count) for producer, count in zip(PRODUCERS, counts, strict=True)]
    sent = [frame for block in blocks for frame in block]
    random.shuffle(blocks)
    found = in_order([frame for block in blocks for frame in block], sources, lanes)

    assert _lanes(found) == sorted(_lanes(sent))


def test_frames_in_order_are_forwarded_as_they_come() -> None:
    frames = [frame for producer in PRODUCERS for frame in _block(producer, 2)]
    taken: list[bytes] = []

    def coming() -> Iterable[bytes]:
        for frame in frames:
            taken.append(frame)
            yield frame

    for number, frame in enumerate(in_order(coming(), SOURCES, LANES), start=1):
        assert (frame, len(taken)) == (frames[number - 1], number)


def test_a_producer_whose_frames_come_apart_is_our_bug() -> None:
    first, second = _block((0, 0), 2), _block((0, 1), 1)
    with pytest.raises(BrokenInvariantError, match="came apart"):
        list(in_order([first[0], *second, first[1]], SOURCES, LANES))
    with pytest.raises(BrokenInvariantError, match="without a reader"):
        list(in_order(_block((0, 7), 1), SOURCES, LANES))


def test_places_are_by_task_subtask_and_number() -> None:
    frames = [*_block((3, 0), 2), *_block((0, 1), 2), *_block((0, 0), 1)]

    assert _places(in_order(frames, SOURCES, LANES)) == [
        (0, 0, 0),
        (0, 1, 0),
        (0, 1, 1),
        (3, 0, 0),
        (3, 0, 1),
    ]
