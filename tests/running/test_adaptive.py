"""Descriptions of the two JobGraphs of a BATCH job, and of decisions while it runs."""

from typing import Any

import pytest

from explorer import compile_graph
from explorer.documents import load_document
from explorer.explain.flink_check import check_against_flink
from explorer.lookup.whatis import whatis
from explorer.running.adaptive import run_time_decisions, scheduler_note
from tests.golden_files import cases


def case(name: str) -> dict[str, Any]:
    jobs = cases("batch_jobs")
    return next(one for one in jobs if (one["case"], one["flink_version"]) == (name, "2.2.1"))


def test_the_note_counts_the_ids_that_differ() -> None:
    note = scheduler_note(compile_graph(case("union")["document"]))

    assert note is not None
    assert "differ from the client's JobGraph, which jobmanager.scheduler: Default would" in note
    assert scheduler_note(compile_graph(case("union")["document"], "1.20")) is None


def test_decisions_of_the_scheduler_are_reported() -> None:
    decided = {
        name: run_time_decisions(compile_graph(case(name)["document"]))
        for name in ("union", "apart", "sql-three")
    }

    assert [sentence[:44] for sentence in decided["union"]] == [
        "The scheduler decides the parallelism of 5 t"
    ]
    assert "'Source: A' or" not in decided["apart"][-1]
    assert "depend on whether" in decided["apart"][-1]
    assert "may become a broadcast join" in decided["sql-three"][1]


def test_equality_with_the_clients_graph_is_not_claimed_for_the_cluster() -> None:
    document = load_document(case("union")["document"])
    check = check_against_flink(compile_graph(document), document)

    assert check is not None
    assert check.equal
    assert check.short == "equal to the client of Flink 2.2.1"
    assert "while the job runs, which was not compared" in check.sentence


@pytest.mark.parametrize("selected", [True, False])
def test_an_id_of_either_graph_is_found(selected: bool) -> None:  # noqa: FBT001
    document = load_document(case("union")["document"])
    done = compile_graph(document)
    assert done.alternative is not None
    vertex = next(one for one in done.job_graph.vertices if one.name == "MC")
    other = done.alternative.hashes[vertex.head]
    findings = whatis(vertex.id if selected else other, document).findings
    found = {finding.kind: finding for finding in findings if finding.releases[-1] == "2.3"}

    assert set(found) == {"vertex" if selected else "client ID"}
    assert {finding.operator for finding in found.values()} == {"MC"}
