"""The way of a job to its cluster: every call that a step names is one of the release's own."""

import re

import pytest

from explorer.deployment import resources
from explorer.deployment.submission_rows import CLUSTERS, MODES, Cluster, Mode
from explorer.documents import load_document, samples
from explorer.errors import UnsupportedReleaseError
from explorer.flink.compiler import compile_program
from explorer.flink.releases import VERSIONS, release
from explorer.narration.submission import SubmissionStep, routes, submission
from tests.golden_files import cases
from tests.many_cases import for_each

SAMPLE = next(one.path for one in samples() if one.path.name.startswith("05-"))


def steps(version: str, mode: Mode, cluster: Cluster) -> tuple[SubmissionStep, ...]:
    document = load_document(SAMPLE)
    done = compile_program(document, version)
    return submission(done, resources(document, flink_version=version), mode, cluster)


def all_submissions() -> list[tuple[str, Mode, Cluster]]:
    return [(v, mode, cluster) for v in VERSIONS for mode, cluster in routes(release(v))]


@pytest.mark.slow
@for_each("version", VERSIONS)
def test_every_call_is_one_of_the_releases_own_classes(version: str) -> None:
    (has,) = (case["calls"] for case in cases("submission") if case["version"] == version)

    for mode, cluster in routes(release(version)):
        for step in steps(version, mode, cluster):
            assert f"{step.event.class_name}#{step.event.method}" in has, (
                mode,
                cluster,
                step.title,
            )


@pytest.mark.slow
@for_each(("version", "mode", "cluster"), all_submissions())
def test_a_submission_makes_each_graph_once_and_in_order(
    version: str, mode: Mode, cluster: Cluster
) -> None:
    way = steps(version, mode, cluster)

    made = [step.event.makes for step in way if step.event.makes]
    assert made == ["StreamGraph", "JobGraph", "ExecutionGraph"]
    assert [step.number for step in way] == list(range(1, len(way) + 1))
    assert not any(re.search(r"[{}]", step.title + step.sentence) for step in way)


def where(version: str, mode: Mode, cluster: Cluster) -> str:
    return next(s.event.actor for s in steps(version, mode, cluster) if s.event.makes == "JobGraph")


def test_who_makes_the_job_graph_differs_by_mode_and_release() -> None:
    assert where("1.20", "session", "YARN") == "client"
    assert where("1.20", "per-job", "YARN") == "client"
    assert where("1.20", "application", "YARN") == "job manager"
    assert where("2.2", "session", "YARN") == "job master"
    assert where("2.2", "application", "Kubernetes") == "job master"


def test_the_sentences_have_the_jobs_own_numbers() -> None:
    said = " ".join(step.sentence for step in steps("1.20", "session", "standalone"))

    assert "The resource manager receives the requirement of 4 slots." in said
    assert "2 slot sharing groups" in said


def test_a_standalone_clusters_task_managers_are_there_before_the_job() -> None:
    parts = [step.title for step in steps("1.20", "session", "standalone")]
    asked_for = [step.title for step in steps("1.20", "session", "Kubernetes")]

    assert parts.index("task executors register") < parts.index("main() runs in the client")
    assert asked_for.index("task executors register") > asked_for.index("scheduling starts")


def test_every_submission_that_a_release_lacks_is_refused_with_one_that_it_has() -> None:
    with pytest.raises(UnsupportedReleaseError, match=r"choose 1\.20 or earlier"):
        steps("2.0", "per-job", "YARN")
    with pytest.raises(UnsupportedReleaseError, match="YARN alone has one"):
        steps("1.20", "per-job", "Kubernetes")
    with pytest.raises(UnsupportedReleaseError, match=r"choose 1\.11 or later"):
        steps("1.10", "application", "standalone")
    assert len(routes(release("1.20"))) == len(MODES) * len(CLUSTERS) - 2
