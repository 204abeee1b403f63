"""Options of the heap of Flink 1.9, against how released Flinks split the memory."""

from explorer.deployment.cluster_options import cluster_options
from explorer.deployment.kubernetes_operator import effective_options
from explorer.deployment.legacy_heap import legacy_heaps, size_of
from explorer.deployment.memory import job_manager_memory, task_manager_memory
from explorer.deployment.memory_options import MemoryRefusalError
from explorer.flink.releases import release
from explorer.model.kubernetes import FlinkResource
from explorer.model.pipeline import Pipeline
from tests.golden_files import cases


def answer(of: str, on: str, text: str, version: str) -> str:
    options = dict(pair.split("=") for pair in text.split(";") if pair)
    split = task_manager_memory if of == "task manager" else job_manager_memory
    try:
        heaps = legacy_heaps(options, release(version), containers=on == "containers")
        memory = split(options | {heap.stands_for: size_of(heap) for heap in heaps}, version)
    except MemoryRefusalError as error:
        return f"!{error.flink_message}"
    return f"{memory.total_flink} {memory.total_process}"


def test_legacy_heaps_count_as_in_released_flinks() -> None:
    for case in cases("legacy_heap"):
        # A legacy option of the other process is refused where that one's memory is computed.
        if case["of"].split()[0] in case["options"].split(".")[0] or not case["options"]:
            ours = answer(case["of"], case["on"], case["options"], case["release"])
            assert ours == case["answer"], case


def test_a_whole_configuration_has_no_sizes_of_a_distribution() -> None:
    document = Pipeline(transformations=())

    assert cluster_options(document, {}, release("1.20")).assumed
    assert not cluster_options(document, {}, release("1.20"), is_complete=True).assumed


def test_a_legacy_heap_is_the_whole_process_on_kubernetes() -> None:
    resource = FlinkResource(
        kind="FlinkDeployment",
        name="app",
        configuration={"taskmanager.heap.size": "2g"},
    )

    options, _ = effective_options(resource, resource, {}, "1.20")

    assert options["taskmanager.memory.process.size"] == "2g"
    assert "taskmanager.heap.size" not in options
