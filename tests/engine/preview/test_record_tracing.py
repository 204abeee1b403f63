"""Routes of a row: forward and back are inverse, and every step has its numbers."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import explorer
from explorer.cli.main import main
from explorer.engine import plan
from explorer.engine.preview.channel_records import channel_records
from explorer.engine.preview.record_tracing import (
    RecordRoute,
    source_nodes,
    trace_from_sink,
    trace_from_source,
)
from explorer.engine.preview.sampling import RowSample
from explorer.engine.preview.tracing import TRACED_LIMITS, TracedRun, traced_run
from explorer.engine.report.gathering import make_report
from explorer.engine.task.local_job import run_job
from explorer.engine.task.record_route import RowCollected, RowEnded, RowRead, RowSent, RowWorked
from explorer.errors import ExplorerError
from tests.engine.in_process import rows_of
from tests.engine.running_pipelines import running_pipelines
from tests.examples import examples
from tests.many_cases import for_each

LINES = {
    "id": "lines",
    "type": "legacy_source",
    "parallelism": 1,
    "rows": {"values": [["the cat"], ["a cat"], ["--"], ["the the"]], "schema": "line STRING"},
}
COUNT: list[dict[str, Any]] = [
    LINES,
    {
        "id": "words",
        "type": "flat_map",
        "inputs": ["lines"],
        "split": {"value": "line", "pattern": "[^a-z]+", "as": "word"},
    },
    {"id": "ones", "type": "map", "inputs": ["words"], "select": {"word": "word", "n": "1"}},
    {"id": "by", "type": "key_by", "inputs": ["ones"], "keys": ["word"]},
    {"id": "count", "type": "reduce", "inputs": ["by"], "aggregate": {"n": "sum(n)"}},
    {"id": "out", "type": "sink", "inputs": ["count"]},
]


def of(*transformations: dict[str, Any], **asked: Any) -> RecordRoute:
    """The route through a pipeline of parallelism 2."""
    document = {"environment": {"parallelism": 2}, "transformations": transformations}
    return explorer.follow(document, flink_version="1.20", **asked)


@examples(25)
@given(running_pipelines(), st.data())
def test_forward_and_back_are_inverse(document: dict[str, Any], data: st.DataObject) -> None:
    run = traced_run(explorer.compile_graph(document, "1.20"))
    forward = {
        (source, record)
        for node in source_nodes(run).values()
        for record in run.source_records(node)
        for source in [record]
    }
    sinks = {one for sink in run.plan.sinks for one in run.sink_records(sink).tolist()}
    down = {(s, t) for s, _ in forward for t in run.ancestry.descendants(s) & sinks}
    up = {(s, t) for t in sinks for s in run.ancestry.source_ancestors(t)}
    assert down == up

    taken = [sink for sink in run.plan.sinks if len(run.sink_records(sink))]
    if taken:
        sink = data.draw(st.sampled_from(taken))
        place = data.draw(st.integers(0, len(run.sink_records(sink)) - 1))
        _check_source_ancestors(run, trace_from_sink(run, sink.id, place))


def _check_source_ancestors(run: TracedRun, route: RecordRoute) -> None:
    """A run with only its source ancestors emits a sink's row, and each of them leads to it."""
    origins: dict[int, set[int]] = {}
    for end in route.ends:
        origins.setdefault(end.node, set()).add(end.place)
    job = replace(run.plan.job, tasks=tuple(_with(task, origins) for task in run.plan.job.tasks))
    asked: dict[str, Any] = {"master": "", "wall_ms": 0, "limit": None}
    report = make_report(run.compilation, replace(run.plan, job=job), run_job(job), **asked)
    row = tuple(value for _, value in route.start.row.values)
    assert row in (report.sinks[route.start.name].data or ())

    one = route.ends[-1]
    reached = trace_from_source(run, one.name, one.place)
    assert (route.start.name, route.start.place) in {(end.name, end.place) for end in reached.ends}


def _with(task: plan.Task, origins: dict[int, set[int]]) -> plan.Task:
    """The task with only these rows of its sources; each row stays with its subtask."""

    def fewer(one: plan.Operator) -> plan.Operator:
        if one.source is None or not isinstance(one.source.rows, plan.SequenceRows):
            return one
        places = tuple(sorted(origins.get(one.node, ())))
        values = tuple((one.source.rows.first + place,) for place in places)
        rows = plan.InlineRows(values=values, places=places)
        return replace(one, source=replace(one.source, rows=rows))

    return replace(task, operators=tuple(map(fewer, task.operators)))


def test_a_line_is_followed_to_its_counts() -> None:
    route = of(*COUNT, row=4)
    assert [step.title for step in route.reported] == [
        "Source: Custom Source reads row 4",
        "Source: Custom Source → Flat Map, REBALANCE",
        "Flat Map splits it",
        "Flat Map → Map, chained",
        "Map makes a row of it",
        "Map → Keyed Reduce, HASH",
        "Keyed Reduce adds it up",
        "Keyed Reduce → Sink: Print to Std. Out, chained",
        "Sink: Print to Std. Out collects it as row 5",
        "Flat Map → Map, chained",
        "Map makes a row of it",
        "Map → Keyed Reduce, HASH",
        "Keyed Reduce adds it up",
        "Keyed Reduce → Sink: Print to Std. Out, chained",
        "Sink: Print to Std. Out collects it as row 6",
    ]
    read, dealt = route.steps[:2]
    assert isinstance(read, RowRead)
    assert isinstance(dealt, RowSent)
    # The fourth record that the one source deals out to two channels, from 0 on.
    assert (dealt.choice.channel, dealt.choice.consumers) == (1, (1,))
    assert (dealt.size, dealt.start) == (14, 12)
    assert [end.row.values for end in route.ends] == [
        (("word", "the"), ("n", 2)),
        (("word", "the"), ("n", 3)),
    ]


def test_a_key_is_reported_number_by_number() -> None:
    sent = [one for one in of(*COUNT, row=4).steps if isinstance(one, RowSent)][1]
    keyed = sent.choice.keyed
    assert keyed is not None
    assert (keyed.key, keyed.hash_code) == ("'the'", 114801)
    assert keyed.key_group * 2 // 128 == keyed.operator_index == sent.choice.consumers[0]
    reported = of(*COUNT, row=4).reported[5]
    facts = dict(reported.details)
    assert facts["key group"] == (f"{keyed.key_group} of 128",)
    assert facts["bytes"] == ("00 00 00 0e 01 00 04 74 68 65 00 00 00 00 00 00 00 01",)
    assert "buffer 0 of 32 KiB" in reported.sentence


def test_a_trace_and_an_exchange_fill_buffers_of_the_same_size() -> None:
    numbers = {"id": "n", "type": "source", "rows": {"sequence": {"from": 0, "to": 999}}}
    wide = {"id": "m", "type": "rebalance", "inputs": ["n"]}
    out = {"id": "o", "type": "sink", "inputs": ["m"]}
    environment = {"parallelism": 1, "configuration": {"taskmanager.memory.segment-size": "4kb"}}
    document = {"environment": environment, "transformations": [numbers, wide, out]}
    done = explorer.compile_graph(document, "1.20")
    run = traced_run(done)

    row = channel_records(run, 0, 4096, 1000)[0].rows[-1]
    assert row.buffers == (5, 5)
    reported = trace_from_source(run, "n", 999).reported[1]
    assert dict(reported.details)["buffer"] == ("buffer 5 of 4 KiB",)
    given = trace_from_source(run, "n", 999, {"taskmanager.memory.segment-size": "8kb"}).reported[1]
    assert dict(given.details)["buffer"] == ("buffer 2 of 8 KiB",)


def test_a_count_comes_of_all_rows_of_its_key_so_far() -> None:
    route = of(*COUNT, sink="out", row=6)
    assert route.start.row.values == (("word", "the"), ("n", 3))
    assert [(end.place, end.row.values) for end in route.ends] == [
        (0, (("line", "the cat"),)),
        (3, (("line", "the the"),)),
    ]
    summed = route.steps[2]
    assert isinstance(summed, RowWorked)
    assert summed.taken.count == 3
    assert isinstance(route.steps[-1], RowRead)


def test_a_row_that_a_sink_reads_twice_has_the_place_of_its_last_time() -> None:
    document = {
        "transformations": [
            {"id": "s", "type": "source", "rows": {"values": [["a"], ["b"]], "schema": "w STRING"}},
            {"id": "u", "type": "union", "inputs": ["s", "s"]},
            {"id": "o", "type": "sink", "inputs": ["u"]},
        ]
    }
    run = traced_run(explorer.compile_graph(document))
    (sink,) = run.plan.sinks
    records = run.sink_records(sink).tolist()
    last = {number: place for place, number in enumerate(records)}

    assert len(records) == 2 * len(last) == 4
    assert {number: run.place_in_sink(sink, 0, number) for number in last} == last


def test_a_row_that_is_sent_nowhere_has_a_reason() -> None:
    route = of(*COUNT, row=3)
    assert isinstance(route.steps[-1], RowEnded)
    assert "no part is left" in route.reported[-1].sentence
    assert route.ends == ()

    late = {"id": "f", "type": "filter", "inputs": ["lines"], "where": "length(line) > 5"}
    dropped = of(LINES, late, row=3).reported[-1]
    assert "condition 'length(line) > 5' does not hold" in dropped.sentence


def test_side_outputs_and_broadcasts_are_reported() -> None:
    parts = {
        "id": "p",
        "type": "process",
        "inputs": ["lines"],
        "side_outputs": {"short": "length(line) < 3"},
    }
    side = {"id": "s", "type": "side_output", "inputs": ["p"], "tag": "short"}
    all_ = {"id": "b", "type": "broadcast", "inputs": ["s"]}
    route = of(LINES, parts, side, all_, {"id": "o", "type": "sink", "inputs": ["b"]}, row=3)

    routed = next(one for one in route.reported if one.title == "Process routes it")
    assert "condition 'length(line) < 3' of side output 'short' holds" in routed.sentence
    assert dict(routed.details)["side output"] == ("short",)
    sent = route.steps[-3]
    assert isinstance(sent, RowSent)
    assert sent.choice.consumers == (0, 1)
    assert [type(one) for one in route.steps[-2:]] == [RowCollected, RowCollected]
    assert route.ends_count == 2


NUMBERS = {"id": "n", "type": "source", "rows": {"sequence": {"from": 0, "to": 49_999}}}
OUT = {"id": "out", "type": "sink", "inputs": ["n"]}


@pytest.mark.slow
def test_rows_are_chosen_by_a_condition_and_stay_with_their_subtasks() -> None:
    route = of(NUMBERS, OUT, where="n % 20000 = 19999", row=2)
    assert route.start.place == 39_999
    assert route.start.row.values == (("n", 39_999),)
    read = route.steps[0]
    assert isinstance(read, RowRead)
    assert read.subtask == 39_999 % 2


@pytest.mark.slow
def test_of_ten_thousand_rows_that_become_one_some_are_reported_and_all_counted() -> None:
    times = {"column": "n", "out_of_orderness": 0}
    timed = {"id": "t", "type": "timestamps", "inputs": ["n"], "timestamps": times}
    window = {
        "id": "w",
        "type": "window_all",
        "inputs": ["t"],
        "window": {"assigner": "tumbling", "time": "event", "size": 100_000},
        "aggregate": {"c": "count(*)"},
    }
    route = of(NUMBERS, timed, window, {**OUT, "inputs": ["w"]}, sink="out")
    assert route.start.row.values[-1] == ("c", 10_000)
    assert (route.ends_count, len(route.ends)) == (10_000, 1000)
    assert route.cut == ("Source: Custom Source",)
    fired = next(one for one in route.steps if isinstance(one, RowWorked) and one.taken.count > 1)
    assert (fired.taken.count, len(fired.taken.shown)) == (10_000, 20)
    reported = next(one for one in route.reported if one.title.endswith("puts it into windows"))
    assert dict(reported.details)["window"] == ("0 to 100000",)


@for_each(
    ("asked", "words"),
    [
        ({"source": "line"}, "there is no source 'line'; there are 'lines'"),
        ({"sink": "lines"}, "there is no sink 'lines'; there are 'out'"),
        ({"row": 5}, "source 'lines' has no row 5: the run took 4 rows; choose 1 to 4"),
        ({"sink": "out", "row": 7}, "sink 'out' has no row 7: it took 6 rows; choose 1 to 6"),
        ({"where": "nope > 1"}, "nope"),
        ({"where": "false"}, "source 'lines' has no row 1: the run took 0 rows"),
        ({"where": "cast(line as long) > 1"}, "fails for row 1"),
    ],
)
def test_a_row_that_cannot_be_traced_is_reported(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(ExplorerError) as refused:
        of(*COUNT, **asked)
    assert words in str(refused.value)


def test_two_sources_must_be_distinguished() -> None:
    other = {"id": "other", "type": "sink", "inputs": ["lines"]}
    with pytest.raises(ExplorerError, match="2 sources; say which: 'lines' and 'n'"):
        of(LINES, NUMBERS, OUT, other)
    assert of(LINES, NUMBERS, OUT, other, source="n").start.name == "n"


def test_the_command_prints_the_lineage_of_a_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "count.json"
    file.write_text(json.dumps({"flink": "1.20", "transformations": COUNT}))
    assert main(["follow", str(file), "--sink", "out", "--row", "4"]) == 0
    text = capsys.readouterr().out
    assert "It comes of 2 rows of sources:" in text
    assert "lines, row 1: line 'the cat'" in text
    assert main(["follow", str(file), "--where", "line like 'a%'", "--json"]) == 0
    reported = json.loads(capsys.readouterr().out)
    assert reported["start"]["row"]["values"] == [["line", "a cat"]]
    assert [step["number"] for step in reported["steps"]] == list(
        range(1, len(reported["steps"]) + 1)
    )
    assert main(["follow", str(file), "--row", "9"]) == 1
    assert main_refuses(["follow", str(file), "--row", "0"], capsys)


def main_refuses(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> bool:
    with pytest.raises(SystemExit):
        main(arguments)
    return "is no row: write 1 for the first one" in capsys.readouterr().err


def test_a_traced_run_of_files_is_the_trial(tmp_path: Path) -> None:
    (tmp_path / "l.txt").write_text("a b\nb\n\na a c\n")
    document = {"transformations": [{**LINES, "rows": {"path": "l.txt", "format": "text"}}]}
    document["transformations"] += [
        {**COUNT[1], "split": {"value": "line", "pattern": " ", "as": "word"}},
        {"id": "out", "type": "sink", "inputs": ["words"]},
    ]
    done = explorer.compile_graph(document, "1.20")
    run = traced_run(done, data_dir=tmp_path, sample=RowSample(rows=3))
    assert rows_of(run.report) == {"out": Counter({"('a',)": 1, "('b',)": 2})}
    assert run.cut == ("Source: Custom Source",)


VALUES = {"values": [["a", 1], ["b", 12], ["a", 3], ["a", 15]], "schema": "k STRING, t LONG"}
EVENTS: list[dict[str, Any]] = [
    {"id": "s", "type": "legacy_source", "parallelism": 1, "rows": VALUES},
    {
        "id": "times",
        "type": "timestamps",
        "inputs": ["s"],
        "parallelism": 1,
        "timestamps": {"column": "t", "out_of_orderness": 0, "watermarks": "punctuated"},
    },
    {"id": "by", "type": "key_by", "inputs": ["times"], "keys": ["k"]},
]


def test_a_row_that_comes_too_late_for_its_windows_is_followed_to_its_side_output() -> None:
    window = {
        "id": "w",
        "type": "window",
        "inputs": ["by"],
        "window": {"assigner": "tumbling", "time": "event", "size": 10, "late_output": "late"},
        "aggregate": {"c": "count(*)"},
    }
    side = {"id": "late", "type": "side_output", "inputs": ["w"], "tag": "late"}
    route = of(*EVENTS, window, side, {"id": "out", "type": "sink", "inputs": ["late"]}, row=3)
    assert route.ends_count == 1
    assert "comes too late" in next(s.sentence for s in route.reported if "windows" in s.title)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"shape": "count"}, "so far behind the row by k"),
        ({"shape": "deduplicate"}, "It is the first row with these values."),
    ],
)
def test_the_effect_of_keyed_state_is_described(state: dict[str, Any], words: str) -> None:
    keyed = {"id": "p", "type": "keyed_process", "inputs": ["by"], "state": state}
    route = of(*EVENTS, keyed, {"id": "out", "type": "sink", "inputs": ["p"]})
    assert any(words in step.sentence for step in route.reported)
    assert route.ends


def test_a_job_of_many_edges_reads_fewer_rows_and_ends_at_so_many_transfers() -> None:
    """Each record is retained once for each edge: here 36 edges, and two layers of them."""
    sources = [{"id": f"s{n}", "type": "source"} for n in range(6)]
    union = {"id": "u", "type": "union", "inputs": [one["id"] for one in sources]}
    maps = [{"id": f"m{n}", "type": "map", "inputs": ["u"]} for n in range(6)]
    again = {"id": "v", "type": "union", "inputs": [one["id"] for one in maps]}
    sinks = [{"id": f"o{n}", "type": "sink", "inputs": ["v"]} for n in range(6)]
    flat = explorer.compile_graph({"transformations": [*sources, union, *maps]})
    deep = explorer.compile_graph({"transformations": [*sources, union, *maps, again, *sinks]})
    limits = replace(TRACED_LIMITS, transfers=3_600)

    run = traced_run(flat, limits=limits)

    assert [len(run.source_records(node)) for node in source_nodes(run).values()] == [100] * 6
    assert len(run.cut) == 6
    with pytest.raises(ExplorerError, match="ended at 3,600 records between tasks"):
        traced_run(deep, limits=limits)
