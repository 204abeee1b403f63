"""The scheduler of a job, as every release chooses it and real clusters run it."""

from typing import Any

import msgspec
import pytest

from explorer.deployment import ClusterResources
from explorer.deployment.cluster_options import cluster_options
from explorer.deployment.deploying import compute_resources
from explorer.deployment.schedulers import SCHEDULERS, choose_scheduler
from explorer.documents import load_document
from explorer.errors import FlinkRefusalError
from explorer.flink.compiler import Compilation, compile_program
from tests.deployment.ask_scheduler_choices import CLUSTERS
from tests.golden_files import cases
from tests.many_cases import for_each

_KINDS = {entry: kind for kind, entry in CLUSTERS.items()}


def _job(version: str, mode: str, *, dynamic: bool) -> Compilation:
    found = compile_program(
        load_document(
            {
                "environment": {"runtime_mode": mode},
                "transformations": [
                    {"id": "numbers", "type": "source"},
                    {"id": "out", "type": "sink", "inputs": ["numbers"]},
                ],
            }
        ),
        version,
    )
    settings = msgspec.structs.replace(found.settings, dynamic=dynamic)
    return msgspec.structs.replace(found, settings=settings)


def _choice(about: str, options: dict[str, str], version: str) -> str:
    """What Flink answered, in the explorer's words."""
    kind, *words = about.split()
    mode, graph = words if kind == "job" else ("STREAMING", "static")
    cluster: Any = _KINDS[words[0]] if kind == "cluster" else None
    found = choose_scheduler(_job(version, mode, dynamic=graph == "dynamic"), options, cluster)
    unreadable = [one for one in found.refusals if "Could not parse" in one or cluster]
    return unreadable[0] if unreadable else "accepted" if cluster else found.name


@pytest.mark.slow
@for_each("case", list(cases("scheduler_choices")), str)
def test_a_scheduler_is_chosen_as_every_release_does(case: dict[str, Any]) -> None:
    for answer, versions in case["answers"].items():
        reactive = "reactive" in case["options"].get("scheduler-mode", "").lower()
        wanted = {"Adaptive": "reactive" if reactive else "adaptive", "Ng": "default"}.get(
            answer, {"AdaptiveBatch": "adaptive batch", "Default": "default"}.get(answer, answer)
        )
        for version in versions:
            found = _choice(case["about"], case["options"], version)
            assert found.partition(" Expected")[0] == _simple(wanted), version


def _simple(answer: str) -> str:
    """Flink's answer, with the exception as the explorer spells it."""
    text = answer.replace("org.apache.flink.configuration.", "")
    return text.partition(" Expected")[0]


def _ends(question: str, version: str) -> tuple[list[str], dict[str, str]]:
    """The words of a question and its options; the job's win over the cluster's."""
    words = question.split()
    if version.startswith("1.17."):
        # 1.17 reads overrides from the cluster's configuration alone.
        words = [word for word in words if not word.startswith("job:pipeline.jobvertex")]
    options: dict[str, str] = {}
    for place in ("cluster:", "job:"):
        pairs = (word.removeprefix(place).split("=", 1) for word in words if word.startswith(place))
        options |= dict(pairs)
    return words, options


def _program(words: list[str], options: dict[str, str], version: str) -> dict[str, Any]:
    kind, first, second = words[2], int(words[3]), int(words[4])
    most = [int(word.removeprefix("max=")) for word in words if word.startswith("max=")]
    steps: list[dict[str, Any]] = [
        {"id": "numbers", "type": "source", "uid": "numbers", "parallelism": first}
    ]
    if kind != "batch":
        slow = {"id": "slow", "type": "map", "inputs": ["numbers"], "uid": "slow"}
        steps.append({**slow, "parallelism": first})
    before = steps[-1]["id"]
    between = {"id": "between", "type": "forward", "inputs": [before]}
    last: dict[str, Any] = {"id": "last", "type": "map", "chaining_strategy": "HEAD"}
    if kind != "forward":
        between = {"id": "between", "type": "key_by", "inputs": [before], "keys": ["n"]}
        last = {"id": "last", "type": "reduce"}
    last |= {"inputs": ["between"], "uid": "last", "parallelism": second, "name": "last"}
    if most:
        last["max_parallelism"] = most[0]
    if kind == "groups":
        last["slot_sharing_group"] = "other"
    mode = "BATCH" if kind == "batch" else "STREAMING"
    environment = {"runtime_mode": mode, "configuration": options}
    return {
        "flink": version.rpartition(".")[0],
        "environment": environment,
        "transformations": [*steps, between, last],
    }


def _deployed(question: str, version: str) -> ClusterResources:
    words, options = _ends(question, version)
    document = load_document(_program(words, options, version))
    cluster = {
        "kubernetes.taskmanager.replicas": words[0],
        "taskmanager.numberOfTaskSlots": words[1],
    }
    compiled = compile_program(document)
    return compute_resources(compiled, cluster_options(document, cluster, compiled.release))


def _refusals(question: str, version: str) -> str:
    try:
        return "; ".join(_deployed(question, version).refusals)
    except FlinkRefusalError as error:
        return str(error)


def _id(case: dict[str, Any]) -> str:
    return f"{case['flink']} {case['question']}"


@for_each("case", list(cases("schedulers")), _id)
def test_a_job_starts_as_on_a_real_cluster(case: dict[str, Any]) -> None:
    answer = case["answer"]
    refused = answer.get("refused") or answer.get("failed")
    if refused:
        # Flink keeps no exception of a job that lacked slots from the beginning, from 2.0 on.
        words = refused.rpartition("Exception: ")[2] if "Exception: " in refused else "Exception"
        assert words.partition(" 3000 ms")[0] in _refusals(case["question"], case["flink"])
        return
    found = _deployed(case["question"], case["flink"])
    assert not found.refusals
    words, options = _ends(case["question"], case["flink"])
    compiled = compile_program(load_document(_program(words, options, case["flink"])))
    started = {one.id: one.scheduled for one in found.sizes}
    for vertex, whole in zip(
        compiled.job_graph.vertices, compiled.execution_graph.vertices, strict=True
    ):
        (task,) = (one for one in answer["tasks"] if one["id"] == vertex.id)
        assert started.get(vertex.id, vertex.parallelism) == task["parallelism"]
        assert whole.max_parallelism == task["max_parallelism"]
    starved = tuple(n for n, read in enumerate(answer["read"]) if not read)
    if words[2] == "forward" and found.broken_forwards:
        assert found.broken_forwards[0].starved == starved


def test_a_rescale_restores_all_keys_where_checkpoints_are_on() -> None:
    asked = {
        (one["flink"], "checkpointing" in one["question"]): one["answer"]
        for one in cases("schedulers")
        if "rescale=4" in one["question"] and "after" in one["answer"]
    }

    assert set(asked) == {(version, on) for version in ("1.20.5", "2.2.1") for on in (True, False)}
    for (_, with_checkpoints), answer in asked.items():
        after = answer["after"]
        assert [one["parallelism"] for one in after] == [2, 4]
        assert [one["max_parallelism"] for one in after] == [128, 128]
        assert answer["restarted_keys"] == (0 if with_checkpoints else 64)
    assert "without checkpoints all state is lost" in SCHEDULERS["adaptive"].rescale


def test_a_request_beyond_the_maximum_parallelism_is_refused() -> None:
    for one in cases("schedulers"):
        if "rescale=200" in one["question"] and one["flink"] != "1.17.2":
            assert "exceeds its maximum parallelism 128" in one["answer"]["rescale"]


def test_every_scheduler_has_a_row() -> None:
    for name, row in SCHEDULERS.items():
        assert all(text.endswith(".") for text in (row.parallelism, row.slots, row.rescale)), name


@pytest.mark.parametrize("target", ["remote", "yarn-application", "kubernetes-session"])
def test_the_target_of_a_submission_decides_about_reactive_mode(target: str) -> None:
    options = {"scheduler-mode": "reactive", "execution.target": target}
    job = _job("1.20", "STREAMING", dynamic=False)

    (refusal,) = choose_scheduler(job, options).refusals
    assert "only supported by standalone application clusters" in refusal
    assert not choose_scheduler(job, options, "standalone application").refusals
