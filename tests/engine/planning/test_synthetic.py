"""A program without known functions runs synthetic operators with given figures."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import compile_graph, preview
from explorer.documents import document_values, dump_json, load_document, parse_document, samples
from explorer.edits import set_synthetic
from explorer.engine import plan
from explorer.engine.planning.operator_work import DEFAULT_SOURCE
from explorer.engine.planning.synthetic import NOTE, SYNTHETIC_RECORDS, expected_records
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.report.trial_report import TrialReport
from explorer.engine.rows.batch import from_rows
from explorer.engine.steps.step_work import SubtaskContext
from explorer.engine.steps.synthesize import Synthesize, SynthesizeWork
from explorer.errors import DocumentError, TrialError
from explorer.model.document import StreamGraphDocument
from explorer.model.stream_graph import NodeId
from tests.engine.in_process import report_of
from tests.engine.task.batches import batches, shown
from tests.golden_files import cases
from tests.many_cases import for_each

FLIGHTS = {
    "flink": "1.20",
    "environment": {"parallelism": 3},
    "transformations": [
        {"id": "in", "type": "source", "rows": {"values": [["WN"]], "schema": "carrier STRING"}},
        {"id": "sort", "type": "process", "inputs": ["in"], "side_outputs": {"late": "true"}},
        {"id": "late", "type": "side_output", "inputs": ["sort"], "tag": "late"},
        {"id": "alarm", "type": "sink", "inputs": ["late"], "name": "alarm"},
        {"id": "by", "type": "key_by", "inputs": ["sort"], "keys": ["carrier"]},
        {"id": "sum", "type": "reduce", "inputs": ["by"], "aggregate": {"carrier": "max(carrier)"}},
        {"id": "out", "type": "sink", "inputs": ["sum"], "name": "out"},
    ],
}


def document(**figures: dict[str, Any]) -> StreamGraphDocument:
    """The StreamGraph of a pipeline with named keys; ``figures`` by operator name."""
    graph = compile_graph(FLIGHTS).to_dict()["stream_graph"]
    found = load_document({"flink": "1.20", "stream_graph": graph})
    assert isinstance(found, StreamGraphDocument)
    for node in found.stream_graph.nodes:
        for field, value in figures.get(node.name.split(" ")[-1].lower(), {}).items():
            found = set_synthetic(found, node.id, field, value)
    return found


def records(report: TrialReport) -> dict[str, tuple[int, int]]:
    return {one.name: (one.records_in or 0, one.records_out or 0) for one in report.operators}


def test_a_trial_names_the_event_time_of_a_program_that_it_leaves_out() -> None:
    for case in cases("event_times"):
        (note,) = [
            text for text in plan_trial(compile_graph(case)).warnings if "leaves out" in text
        ]

        assert note.partition("leaves out ")[2] == (
            "idleness (Source: aligned and assigned), watermark alignment (Source: aligned, "
            "Source: never idle and assigned), all but one source of a hybrid source (Source: "
            "hybrid), window offset (tumbling, sliding and by the clock) and allowed lateness "
            "(sliding and session)"
        )
    warnings = plan_trial(compile_graph(document())).warnings
    assert not [text for text in warnings if "leaves out" in text]


def test_without_figures_each_record_is_forwarded_and_the_trial_warns() -> None:
    report = report_of(compile_graph(document()))

    assert records(report)["Keyed Reduce"] == (SYNTHETIC_RECORDS, SYNTHETIC_RECORDS)
    assert report.warnings == (NOTE,)
    assert f"sends {SYNTHETIC_RECORDS:,} numbers" in NOTE
    assert DEFAULT_SOURCE.rows == plan.SequenceRows(first=0, last=SYNTHETIC_RECORDS - 1)


def test_a_trial_counts_the_typed_and_the_expected_figures() -> None:
    done = compile_graph(
        document(
            source={"records": 900},
            process={"records_out": 1.5, "side_outputs": {"late": 0.1}},
            reduce={"records_out": 0.2},
        )
    )
    counted = records(report_of(done))

    assert counted["Process"] == (900, 1350 + 90)
    assert counted["Keyed Reduce"][0] == 1350
    assert counted["Sink: alarm"] == (90, 0)
    # A subtask that gets other than its share rounds at another place.
    assert abs(counted["Sink: out"][0] - 270) <= 3
    expected = expected_records(done)
    names = {node.id: node.name for node in done.stream_graph.nodes}
    for id, one in expected.items():
        assert abs(one.records_in - counted[names[id]][0]) <= 3


def test_the_cost_of_a_record_is_busy_time_of_the_operator() -> None:
    done = compile_graph(document(source={"cost": 20}, reduce={"cost": 30.0}, out={"cost": 10}))
    busy = {one.name: one.operator_ms or 0 for one in report_of(done).operators}

    assert busy["Source: Custom Source"] >= 20 * SYNTHETIC_RECORDS / 1000
    assert busy["Keyed Reduce"] >= 30 * SYNTHETIC_RECORDS / 1000
    assert busy["Sink: out"] >= 10 * SYNTHETIC_RECORDS / 1000
    assert sum(one.seconds for one in expected_records(done).values()) == pytest.approx(0.06)


@given(batches(), st.integers(0, 3_000_000), st.integers(1, 5), st.data())
def test_how_records_are_cut_into_batches_changes_nothing(
    batch: Any, ratio: int, parallelism: int, data: st.DataObject
) -> None:
    share = SubtaskContext(data.draw(st.integers(0, parallelism - 1)), parallelism, {})
    cut = data.draw(st.integers(0, len(batch)))
    step = Synthesize(outputs=((None, ratio), ("tag", 1_000_000)), cost=0.0)

    def run(*parts: Any) -> list[str]:
        operator = SynthesizeWork(step, share)
        made = (one for part in parts for one in operator.process(part))
        return [row for tag, part in made if tag is None for row in shown(part)]

    whole = run(batch)
    assert run(batch.slice(0, cut), batch.slice(cut, len(batch))) == whole
    wanted = Fraction(len(batch) * ratio, 1_000_000) + Fraction(share.subtask, parallelism)
    assert len(whole) == int(wanted)


def test_subtasks_with_equal_input_emit_as_many_records_as_one() -> None:
    step = Synthesize(outputs=((None, 10_000),), cost=0.0)
    batch = from_rows(DEFAULT_SOURCE.row_type, [(number,) for number in range(10)])
    made = [
        sum(
            len(each)
            for _, each in SynthesizeWork(step, SubtaskContext(subtask, 40, {})).process(batch)
        )
        for subtask in range(40)
    ]

    assert sum(made) == 4
    assert max(made) == 1


@for_each(
    ("operator", "figures", "words"),
    [
        (1, {"records_out": 2.0}, "a source has no records in; give records"),
        (2, {"records": 5}, "only a source sends records of its own"),
        (2, {"records_out": 101}, "must be 0 to 100, but is 101"),
        (2, {"records_out": -0.5}, "must be 0 to 100, but is -0.5"),
        (2, {"cost": 2e6}, "must be 0 to 1,000,000 microseconds, but is 2000000.0"),
        (2, {"side_outputs": {"lost": 1}}, "no edge reads this side output of the operator; they"),
        (6, {"side_outputs": {"lost": 1}}, "this side output of the operator; it has none"),
        (1, {"records": 2.5}, "must be a whole number"),
        (1, {"records": -1}, "must be 0 to 1,000,000,000, but is -1"),
        (1, {"speed": 2}, "there is no field 'speed'"),
    ],
)
def test_a_figure_that_cannot_be_is_refused_with_its_place(
    operator: int, figures: dict[str, Any], words: str
) -> None:
    values = document_values(document())
    for node in values["stream_graph"]["nodes"]:
        if node["id"] == operator:
            node["synthetic"] = figures
    with pytest.raises(DocumentError, match=words) as raised:
        load_document(values)

    assert raised.value.path.startswith("stream_graph.nodes[")


def test_figures_are_written_and_read_again_and_none_are_left_out() -> None:
    typed = document(process={"records_out": 0.25, "side_outputs": {"late": 0.5}, "cost": 3.5})
    node = next(one for one in typed.stream_graph.nodes if one.synthetic)

    assert parse_document(dump_json(typed), name="x.json") == typed
    for field in ("records_out", "side_outputs", "cost"):
        typed = set_synthetic(typed, node.id, field, None)
    assert typed == document()
    assert "synthetic" not in dump_json(typed)


def test_figures_change_neither_graph_nor_flinks_word() -> None:
    found = document()
    typed = set_synthetic(found, NodeId(2), "cost", 5.0)
    before, after = compile_graph(found), compile_graph(typed)

    assert after.job_graph == before.job_graph
    assert after.hashes == before.hashes


def test_a_trial_that_would_not_end_is_refused_beforehand() -> None:
    many = document(source={"records": 90_000_000}, process={"records_out": 2})
    with pytest.raises(TrialError, match="would have 180,000,000 records, and one of a trial has"):
        plan_trial(compile_graph(many))
    slow = document(reduce={"cost": 1_000_000.0}, source={"records": 4000})
    with pytest.raises(TrialError, match=r"would cost 4,000 s together, and it may take 3,600 s"):
        plan_trial(compile_graph(slow))


@pytest.mark.law
@pytest.mark.parametrize("path", [one.path for one in samples()], ids=lambda path: path.stem)
def test_the_stream_graph_of_every_sample_describes_its_run_and_runs(path: Path) -> None:
    done = compile_graph(path)
    graph = load_document(
        {"flink": done.release.version, "stream_graph": done.to_dict()["stream_graph"]}
    )
    compiled = compile_graph(graph)

    with pytest.raises(TrialError, match="does not hold the program's functions"):
        preview(compiled)
    report = report_of(compiled)

    assert NOTE in report.warnings
    counted = {one.node: one.records_in or 0 for one in report.operators}
    for node, one in expected_records(compiled).items():
        if len(compiled.stream_graph.in_edges[node]):
            assert counted[node] > 0 or one.records_in == 0
