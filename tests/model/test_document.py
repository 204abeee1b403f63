"""Documents: what each kind of program says of itself, and what is changed of it."""

from explorer import compile_graph
from explorer.documents import DataSetDocument, JobGraphDocument, load_document
from explorer.model.document import StreamGraphDocument
from tests.comparison.recorded_jobs import RECORDED, job
from tests.comparison.small_jobs import COUNT, program
from tests.golden_files import cases


def captured() -> StreamGraphDocument:
    """A captured program, with Flink's own JobGraph."""
    document = load_document(RECORDED["1.20.5"]["captured"])
    assert isinstance(document, StreamGraphDocument)
    return document


def test_a_stream_graph_has_operators_that_can_be_changed_and_no_pipeline() -> None:
    document = captured()

    assert document.operators is document
    assert (document.pipeline, document.submitted) == (None, None)
    assert document.parts == len(document.stream_graph.nodes)
    assert document.chaining is document.stream_graph.chaining_enabled is True


def test_flinks_own_job_graph_is_retained_for_its_release_alone() -> None:
    document = captured()
    release = document.flink or ""
    assert document.flink_job_graph is not None

    assert document.under(release).flink_job_graph == document.flink_job_graph
    assert document.under("2.0").flink_job_graph is None
    assert document.under("2.0").flink == "2.0"
    off = document.with_chaining(on=False)
    assert off.flink_job_graph is None
    assert not off.chaining
    assert len(compile_graph(off).job_graph.vertices) == document.parts


def test_a_running_job_is_submitted_and_not_changed_by_itself() -> None:
    running = job("1.20.5")

    assert running.submitted is running
    assert running.operators is None
    assert not isinstance(running, DataSetDocument)
    data_set = load_document(next(cases("data_set_programs")))
    assert isinstance(data_set, JobGraphDocument)
    assert data_set.submitted is data_set


def test_a_heading_is_the_title_else_the_name() -> None:
    plain = load_document({**program(COUNT), "name": "counts"})
    titled = load_document({**program(COUNT), "name": "counts", "title": "Counting words"})

    assert (plain.heading, titled.heading) == ("counts", "Counting words")


def test_a_baseline_is_added_to_any_kind_and_removed() -> None:
    values = {"name": "v1", "document": program(COUNT)}
    for document in (captured(), job("1.20.5"), load_document(program(COUNT))):
        since = document.with_baseline(values)

        assert since.baseline == values
        assert since.with_baseline(None) == document.with_baseline(None)
