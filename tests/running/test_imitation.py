"""A trial of a captured program does what a recorded cluster's job of it did."""

import pytest
from msgspec.structs import replace

from explorer.documents import JobGraphDocument, StreamGraphDocument, load_document
from explorer.documents.document_kinds import check_edit, document_values
from explorer.documents.readers.observed import Observed, imitations
from explorer.flink.compiler import Compilation, compile_program
from explorer.model.stream_graph import NodeId, Synthetic
from explorer.running.imitation import imitate_job
from explorer.running.job_report import job_report
from tests.engine.in_process import report_of
from tests.golden_files import cases

pytestmark = pytest.mark.law

RECORDED = {case["flink"]: case for case in cases("running_jobs")}


def imitated(version: str) -> tuple[StreamGraphDocument, StreamGraphDocument]:
    """The captured program, and the one that imitates the job."""
    program, job = (load_document(RECORDED[version][name]) for name in ("captured", "running"))
    assert isinstance(program, StreamGraphDocument)
    assert isinstance(job, JobGraphDocument)
    done = compile_program(program)
    return program, imitate_job(program, done, job_report(job.job, done))


def cheaper(done: Compilation) -> Compilation:
    """The program with a hundredth of the time for each record."""
    nodes = tuple(
        replace(node, synthetic=replace(node.synthetic, cost=node.synthetic.cost / 100))
        if node.synthetic
        else node
        for node in done.stream_graph.nodes
    )
    return replace(done, stream_graph=done.stream_graph.with_nodes(nodes))


@pytest.mark.parametrize("version", RECORDED)
def test_a_trial_has_the_jobs_selectivities(version: str) -> None:
    program, found = imitated(version)
    check_edit(found, program)
    assert load_document(document_values(found)) == found
    assert compile_program(found).job_graph == compile_program(program).job_graph
    rows = {one.name: one for one in report_of(cheaper(compile_program(found))).operators}
    assert rows["slow -> down, (twice)"].records_out == 1000
    assert rows['<none> & "few"'].records_in == 1000
    assert rows['<none> & "few"'].records_out == 0
    assert rows["negative"].records_out == 0


def test_a_task_that_was_busy_costs_its_head_what_it_cost_in_the_job() -> None:
    _, found = imitated("1.20.5")
    source, *_ = found.stream_graph.nodes
    # It sleeps 5 ms a record, and that is nearly all that its task does.
    assert source.synthetic is not None
    assert 1_000 <= source.synthetic.cost < 50_000


@pytest.mark.parametrize("version", RECORDED)
def test_a_submitted_job_imitates_itself(version: str) -> None:
    job = load_document(RECORDED[version]["running"])
    rows = {one.name: one for one in report_of(cheaper(compile_program(job))).operators}
    assert rows["negative"].records_in == 1000
    assert rows["negative"].records_out == 0


def test_behaviour_that_is_not_reported_is_not_imitated() -> None:
    chain = [
        Observed(node=NodeId(1), records_in=0, records_out=0),
        Observed(node=NodeId(2), records_in=None, records_out=None),
        Observed(node=NodeId(3), records_in=10, records_out=10),
        Observed(node=NodeId(4), records_in=10, records_out=5, mixed=True),
        Observed(node=NodeId(5), records_in=1, records_out=1_000_000),
        Observed(node=NodeId(6), records_in=1000, records_out=999),
        Observed(node=NodeId(7), records_in=2, records_out=1),
    ]
    assert dict(imitations(chain, 100, subtasks=1, source=False)) == {
        NodeId(5): Synthetic(records_out=100.0),
        NodeId(7): Synthetic(records_out=0.5),
    }
