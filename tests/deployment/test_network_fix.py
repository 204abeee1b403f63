"""Network memory that is proposed where network buffers are lacking."""

import pytest

from explorer.deployment import resources
from explorer.deployment.deploying import ClusterResources
from explorer.deployment.network_fix import sufficient_network_memory
from explorer.documents import as_document, samples
from explorer.flink.compiler import compile_program

OUT_OF_BUFFERS = next(one.path for one in samples() if one.path.name.startswith("18-"))
MIN, MAX = "taskmanager.memory.network.min", "taskmanager.memory.network.max"


def fix_of(options: dict[str, object]) -> tuple[ClusterResources, dict[str, str]]:
    document = as_document(OUT_OF_BUFFERS)
    found = resources(document, options)
    done = compile_program(document)
    return found, dict(sufficient_network_memory(found, done, document, options))


@pytest.mark.parametrize("size", ["64k", "1m", "2m"])
def test_the_proposed_memory_is_the_least_in_mebibytes_that_suffices(size: str) -> None:
    found, given = fix_of({MIN: size, MAX: size})

    assert found.refusal
    assert given == {MIN: "3mb", MAX: "3mb"}
    assert resources(as_document(OUT_OF_BUFFERS), given).refusal is None
    assert resources(as_document(OUT_OF_BUFFERS), dict.fromkeys(given, "2mb")).refusal


def test_the_maximum_stays_where_it_is_high_enough() -> None:
    _, given = fix_of({MIN: "64k", MAX: "1g", "taskmanager.memory.network.fraction": "0.0001"})

    assert given == {MIN: "3mb"}


def test_nothing_is_proposed_where_the_process_has_no_memory_left() -> None:
    # What heap, managed memory and the framework's 256 MiB leave of Flink's memory: 1 MiB.
    sizes = {"flink.size": "449m", "task.heap.size": "100m", "managed.size": "92m"}
    fixed = {f"taskmanager.memory.{name}": size for name, size in sizes.items()}
    found, given = fix_of({MIN: "1m", MAX: "1g", **fixed})

    assert found.refusal
    assert given == {}
