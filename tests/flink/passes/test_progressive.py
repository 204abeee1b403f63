"""The order in which the adaptive batch scheduler makes vertices, as session clusters ended."""

from typing import Any

import pytest

from explorer import Compilation, compile_graph
from explorer.flink.compiler import as_reported
from tests.flink.passes.programs import compiled
from tests.golden_files import as_printed, cases


def of_cluster(case: dict[str, Any]) -> list[str]:
    return [vertex["id"] for vertex in case["cluster"]["vertices"]]


def source(id: str) -> dict[str, Any]:
    return {"id": id, "type": "source", "name": id}


def keyed(id: str, upstream: str, **more: Any) -> tuple[dict[str, Any], ...]:
    key = {"id": f"k{id}", "type": "key_by", "inputs": [upstream], "keys": ["n"]}
    return key, {"id": id, "type": "reduce", "name": id, "inputs": [f"k{id}"], **more}


def batch(*transformations: dict[str, Any], **options: Any) -> Compilation:
    return compiled(
        *transformations, version="2.2", runtime_mode="BATCH", configuration=options or {}
    )


@pytest.mark.slow
def test_the_vertices_are_the_clusters_unless_the_finishing_order_decides() -> None:
    """Two chains in an order that is open until the job runs are named, and no others differ."""
    total = differing = 0
    for case in cases("batch_jobs"):
        done = compile_graph(case["document"])
        made = as_printed(done.to_dict())["adaptive_job_graph"]
        ours, theirs = [vertex["id"] for vertex in made["vertices"]], of_cluster(case)
        open_ids = {done.hashes[node] for node in done.decided_at_run_time}
        total += 1
        differing += ours != theirs
        assert ours == theirs or set(ours) - set(theirs) <= open_ids
        assert not set(ours) - open_ids - set(theirs)
    assert total > 25
    assert 0 < differing < total / 5


def test_a_jobs_ids_show_the_order_in_which_its_tasks_finished() -> None:
    reordered = 0
    for case in cases("batch_jobs"):
        done = compile_graph(case["document"])
        if [vertex.id for vertex in done.job_graph.vertices] == of_cluster(case):
            continue
        found = as_reported(done, of_cluster(case))
        assert found is not None
        assert [vertex.id for vertex in found.job_graph.vertices] == of_cluster(case)
        assert found.client == done.client
        reordered += 1
    assert reordered


def test_other_ids_are_not_explained_by_an_order() -> None:
    done = batch(source("a"), source("b"), *keyed("ra", "a"), *keyed("rb", "b"))

    assert as_reported(done, ["0" * 32]) is None
    assert as_reported(batch(source("a"), *keyed("r", "a")), ["0" * 32]) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", ["batch", "batch_jobs"])
def test_the_edges_are_the_clusters_but_for_adaptive_joins(name: str) -> None:
    for case in cases(name):
        done = compile_graph(case["document"])
        made = as_printed(done.to_dict())["adaptive_job_graph"]
        if made is None or [vertex["id"] for vertex in made["vertices"]] != of_cluster(case):
            continue
        joins = any(vertex["name"].startswith("AdaptiveJoin") for vertex in made["vertices"])
        members = ("target", "source") if joins else ("target", "source", "ship_strategy")
        assert [[edge[one] for one in members] for edge in made["edges"]] == [
            [edge[one] for one in members] for edge in case["cluster"]["edges"]
        ]


def test_a_2_x_batch_job_has_both_graphs_and_the_configuration_selects() -> None:
    steps = (source("a"), source("b"), *keyed("ra", "a"), *keyed("rb", "b"))
    adaptive, default = batch(*steps), batch(*steps, **{"jobmanager.scheduler": "Default"})
    recovered = batch(*steps, **{"execution.batch.job-recovery.enabled": True})

    assert [done.is_adaptive for done in (adaptive, default, recovered)] == [True, False, False]
    assert adaptive.client.job_graph == recovered.job_graph
    assert adaptive.client.hashes == default.hashes
    assert default.scheduled is not None
    assert default.scheduled.hashes == adaptive.hashes
    members = [done.to_dict() for done in (adaptive, default, recovered)]
    assert [one["selected"] for one in members] == ["adaptive_job_graph", "job_graph", "job_graph"]
    assert len({one["adaptive_job_graph"]["vertices"][2]["id"] for one in members}) == 1
    assert len({str(one["hashes"]) for one in members}) == 1


@pytest.mark.parametrize(("version", "mode"), [("1.20", "BATCH"), ("2.2", "STREAMING")])
def test_other_jobs_have_one_graph(version: str, mode: str) -> None:
    done = compiled(source("a"), *keyed("r", "a"), version=version, runtime_mode=mode)

    assert done.alternative is None
    assert done.to_dict()["adaptive_job_graph"] is None


def test_a_chain_waits_for_all_producers_and_those_ready_together_come_by_number() -> None:
    done = batch(
        source("a"),
        {"id": "ma", "type": "map", "name": "ma", "inputs": ["a"], "chaining_strategy": "HEAD"},
        source("b"),
        {"id": "u", "type": "union", "inputs": ["ma", "b"]},
        *keyed("r", "u"),
        *keyed("q", "b"),
    )

    assert [vertex.name for vertex in done.job_graph.vertices] == [
        *("Source: a", "Source: b", "ma", "q", "r"),
    ]


def test_an_order_that_the_producers_fix_is_not_called_open() -> None:
    done = batch(
        source("a"), *keyed("r", "a"), *keyed("q", "r"), *keyed("p", "r"), *keyed("o", "q")
    )

    # Both readers of r are made when it has finished; the reader of q comes later.
    assert done.decided_at_run_time == {}


def test_operators_whose_id_depends_on_the_finishing_order_are_named() -> None:
    done = batch(
        source("a"), source("b"), *keyed("ra", "a"), *keyed("rb", "b", uid="rb"), *keyed("q", "rb")
    )
    names = {done.stream_graph.by_id[node].name for node in done.decided_at_run_time}

    assert names == {"ra", "q"}


def test_neighbours_alone_are_compared_in_a_large_job(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = (source("a"), source("b"), *keyed("ra", "a"), *keyed("rb", "b"), *keyed("q", "rb"))
    exact = batch(*steps).decided_at_run_time
    monkeypatch.setattr("explorer.flink.passes.progressive.MOST_COMPARED", 1)

    assert set(exact) <= set(batch(*steps).decided_at_run_time)


def test_the_steps_are_those_of_the_scheduler() -> None:
    document = {
        "environment": {"runtime_mode": "BATCH"},
        "transformations": [source("a"), source("b"), *keyed("ra", "a"), *keyed("rb", "b")],
    }
    done = compile_graph(document, "2.2", trace=True)
    hashed = {step.node: step.result for step in done.steps if hasattr(step, "result")}

    assert hashed == dict(done.hashes)
    assert done.client.steps != done.steps
