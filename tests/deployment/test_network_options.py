"""Options of network buffers, and the values that Flink refuses."""

import pytest

from explorer.deployment.memory_options import MemoryRefusalError
from explorer.deployment.network_options import network_options, segment_size
from explorer.flink.releases import release

_NETWORK = "taskmanager.network.memory"
_GATE = f"{_NETWORK}.read-buffer.required-per-gate.max"


def test_network_memory_is_cut_into_whole_buffers() -> None:
    found = network_options({}, (1 << 20) + 100, release("1.20"))
    wider = network_options({"taskmanager.memory.segment-size": "64kb"}, 1 << 20, release("1.20"))

    assert (found.buffers, found.buffer_size) == (32, 32 << 10)
    assert (wider.buffers, wider.buffer_size) == (16, 64 << 10)


@pytest.mark.parametrize(
    ("size", "problem"),
    [
        ("1kb", "Minimum memory segment size is 4096"),
        ("5000", "Memory segment size must be a power of 2."),
        ("much", "Could not parse value 'much' for key 'taskmanager.memory.segment-size'."),
    ],
)
def test_a_segment_size_is_refused_in_flinks_words(size: str, problem: str) -> None:
    with pytest.raises(MemoryRefusalError) as refusal:
        segment_size({"taskmanager.memory.segment-size": size})

    assert problem in str(refusal.value)


def test_a_limit_of_a_gate_is_read_from_the_release_on_that_has_it() -> None:
    given = {_GATE: 100}

    assert network_options(given, 1 << 20, release("1.16")).most_required is None
    assert network_options(given, 1 << 20, release("1.17")).most_required == 100
    assert network_options({}, 1 << 20, release("1.17")).most_required is None


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({f"{_NETWORK}.buffers-per-channel": -1}, "Must be non-negative."),
        ({_GATE: 0}, "At least one buffer is required for each gate"),
        ({f"{_NETWORK}.floating-buffers-per-gate": 0}, "should be at least 1"),
    ],
)
def test_preconditions_are_those_of_the_release(given: dict[str, int], problem: str) -> None:
    with pytest.raises(MemoryRefusalError, match=problem):
        network_options(given, 1 << 20, release("1.20"))
    network_options(given, 1 << 20, release("1.16"))


def test_a_hybrid_mode_is_tiered_unless_the_old_one_is_asked_for() -> None:
    mode = {"execution.batch-shuffle-mode": "ALL_EXCHANGES_HYBRID_FULL"}
    old = {**mode, "taskmanager.network.hybrid-shuffle.enable-new-mode": "false"}

    assert [
        network_options(given, 1 << 20, release(version)).tiered
        for given, version in ((mode, "1.20"), (old, "1.20"), (mode, "1.17"), ({}, "1.20"))
    ] == [True, False, False, False]
