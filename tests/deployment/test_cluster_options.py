"""Options of a cluster: the document's, the given ones and those of a distribution."""

import pytest

from explorer.deployment import resources, task_manager_memory
from explorer.deployment.cluster_options import cluster_options
from explorer.documents import as_document, samples
from explorer.errors import ExplorerError
from explorer.flink.releases import release
from tests.plans.plans import COUNT, program

TWO_GROUPS = next(one.path for one in samples() if one.path.name.startswith("05-"))


def test_a_distributions_sizes_hold_where_none_is_given() -> None:
    bare = resources(TWO_GROUPS, flink_version="1.20")
    sized = resources(TWO_GROUPS, {"taskmanager.memory.flink.size": "2g"}, flink_version="1.20")

    assert dict(bare.options.assumed) == {
        "taskmanager.memory.process.size": "1728m",
        "jobmanager.memory.process.size": "1600m",
    }
    assert bare.task_manager == task_manager_memory(bare.options.assumed, "1.20")
    assert list(sized.options.assumed) == ["jobmanager.memory.process.size"]
    assert sized.task_manager is not None
    assert sized.task_manager.total_flink == 2 << 30


@pytest.mark.parametrize("part", ["task.heap", "managed"])
def test_one_part_of_a_task_managers_memory_is_a_part_of_a_distributions_total(part: str) -> None:
    sized = resources(TWO_GROUPS, {f"taskmanager.memory.{part}.size": "256m"})
    split = resources(
        TWO_GROUPS,
        {f"taskmanager.memory.{name}.size": "256m" for name in ("task.heap", "managed")},
    )

    assert sized.options.assumed["taskmanager.memory.process.size"] == "1728m"
    assert sized.task_manager is not None
    assert sized.task_manager.total_process == 1728 << 20
    assert {"task.heap": sized.task_manager.task_heap, "managed": sized.task_manager.managed}[
        part
    ] == 256 << 20
    assert list(split.options.assumed) == ["jobmanager.memory.process.size"]


def test_options_win_over_those_of_the_document() -> None:
    document = {
        "environment": {"configuration": {"taskmanager.numberOfTaskSlots": 2}},
        "transformations": [
            {"id": "s", "type": "legacy_source"},
            {"id": "o", "type": "sink", "inputs": ["s"]},
        ],
    }

    assert resources(document).slots_of_one == 2
    assert resources(document, {"taskmanager.numberOfTaskSlots": 5}).slots_of_one == 5


@pytest.mark.parametrize("key", ["", "two words"])
def test_an_invalid_option_name_is_refused(key: str) -> None:
    with pytest.raises(ExplorerError, match="is no option's name"):
        resources(TWO_GROUPS, {key: "1"})


def test_a_value_is_written_as_flinks_files_have_it() -> None:
    found = cluster_options(as_document(program(COUNT)), {"a.b": True, "c.d": 3}, release("1.20"))

    assert (found.values["a.b"], found.values["c.d"]) == ("true", "3")
    assert set(found.values) - {"a.b", "c.d"} == set(found.assumed)


def test_a_release_without_a_size_of_its_own_assumes_none() -> None:
    assert cluster_options(as_document(program(COUNT)), {}, release("1.9")).assumed == {}
