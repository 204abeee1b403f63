"""The plan of a trial: the row types on each edge, and errors before the run."""

from pathlib import Path
from typing import Any

import pytest

from explorer import compile_graph
from explorer.engine.planning.flow import Flow
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.steps.planned import PlanningContext
from explorer.errors import ExplorerError, TrialError
from tests.engine.in_process import report_of, trial
from tests.many_cases import for_each

NUMBERS = {"id": "s", "type": "legacy_source", "rows": {"sequence": {"from": 0, "to": 9}}}
WORDS = {
    "id": "w",
    "type": "legacy_source",
    "rows": {"values": [["a", 1], ["b", 2]], "schema": "word STRING, n LONG"},
}
BY_WORD = {"id": "by", "type": "key_by", "inputs": ["w"], "keys": ["word"]}


def document(*transformations: dict[str, Any], **environment: Any) -> dict[str, Any]:
    return {"environment": environment, "transformations": list(transformations)}


def after(*transformations: dict[str, Any]) -> dict[str, Any]:
    """Sources, the given transformations, and a sink after the last one."""
    last = transformations[-1]["id"]
    sink = {"id": "out", "type": "sink", "inputs": [last]}
    return document(NUMBERS, WORDS, *transformations, sink)


def op(type_: str, *inputs: str, **fields: Any) -> dict[str, Any]:
    return {"id": "x", "type": type_, "inputs": list(inputs), **fields}


WINDOW = {"assigner": "tumbling", "time": "event", "size": 10}

WRONG = [
    (
        after(op("map", "s", select={"m": "n + k"})),
        "transformation 'x', select.m 'n + k', character 5: there is no column 'k'; "
        "the columns are n LONG",
    ),
    (after(op("map", "s", select={"m": "null"})), "a bare NULL has no type"),
    (after(op("filter", "s", where="n")), "expected a BOOLEAN, and this is a LONG"),
    (
        after(op("process", "s", side_outputs={"late": "m > 1"})),
        "transformation 'x', side_outputs.late 'm > 1': there is no column 'm'",
    ),
    (
        after(op("flat_map", "s", split={"value": "n", "pattern": " ", "as": "w"})),
        "transformation 'x', split.value 'n': expected a STRING, and this is a LONG",
    ),
    (
        after(op("flat_map", "w", split={"value": "word", "pattern": "(?=a)", "as": "w"})),
        "transformation 'x', split.pattern '(?=a)': this is no pattern that a trial can match",
    ),
    (
        after(op("flat_map", "w", split={"value": "word", "pattern": "a" * 501, "as": "w"})),
        "it has 501 characters, and 500 are allowed",
    ),
    (
        after(op("co_map", "s", "w", select1={"n": "n"}, select2={"w": "word"})),
        "select1 and select2 must give the same columns, and give n LONG, and w STRING",
    ),
    (
        after(
            op("map", "s", select={"n": "n + 0.5"}),
            {"id": "u", "type": "union", "inputs": ["x", "s"]},
        ),
        "Cannot union streams of different types: ",
    ),
    (
        after({**BY_WORD, "keys": ["wrd"]}, op("reduce", "by", aggregate={"n": "sum(n)"})),
        "transformation 'x', keys 'wrd': there is no column 'wrd'; "
        "the columns are word STRING, n LONG; did you mean 'word'?",
    ),
    (
        after(BY_WORD, op("reduce", "by", aggregate={"total": "sum(n)"})),
        "a reduce gives back the row that it takes, which has no column 'total'",
    ),
    (
        after(BY_WORD, op("reduce", "by", aggregate={"word": "sum(word)"})),
        "sum does not accept 'word', which is STRING",
    ),
    (
        after(BY_WORD, op("reduce", "by", aggregate={"word": "max(n)"})),
        "column 'word' is STRING and cannot hold it",
    ),
    (
        after(BY_WORD, op("window", "by", window=WINDOW, aggregate={"word": "count(*)"})),
        "transformation 'x': column 'word' is named twice",
    ),
    (
        after(op("timestamps", "w", timestamps={"column": "word"})),
        "transformation 'x', timestamps.column 'word': a timestamp is LONG milliseconds",
    ),
    (
        document(
            {**NUMBERS, "rows": {"path": "a.txt", "format": "text"}},
            {"id": "out", "type": "sink", "inputs": ["s"]},
        ),
        "transformation 's' reads the file 'a.txt', and no data directory is given (data_dir)",
    ),
]


@for_each(("wrong", "problem"), WRONG)
def test_an_error_in_rows_is_reported_before_the_run(wrong: dict[str, Any], problem: str) -> None:
    with pytest.raises(ExplorerError) as refusal:
        plan_trial(compile_graph(wrong, "1.20"))

    assert problem in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(("streams", "problem"), [(100, ""), (101, "1,010,000 channels")])
def test_channels_are_counted_before_a_trial(streams: int, problem: str) -> None:
    source = {"id": "s", "type": "source"}
    union = {"id": "u", "type": "union", "inputs": ["s"] * streams}
    all_to_all = {"id": "r", "type": "rebalance", "inputs": ["u"]}
    sink = {"id": "o", "type": "sink", "inputs": ["r"]}
    compiled = compile_graph(document(source, union, all_to_all, sink, parallelism=100), "1.20")
    reported = ""
    try:
        plan_trial(compiled)
    except TrialError as error:
        reported = str(error)

    assert bool(reported) == bool(problem)
    assert problem in reported


def _types(compiled: dict[str, Any], data_dir: Path | None = None) -> dict[str, list[str]]:
    done = compile_graph(compiled, "1.20")
    flow = Flow(done, data_dir, PlanningContext())
    return {
        done.stream_graph.node(node).transformation or "": [str(one) for one in outcome.main]
        for node, outcome in flow.outcomes.items()
    }


def test_row_types_are_followed_through_the_graph() -> None:
    aggregate = {"c": "count(*)", "most": "max(word)"}
    types = _types(
        document(
            WORDS,
            {"id": "t", "type": "timestamps", "inputs": ["w"], "timestamps": {"column": "n"}},
            {**BY_WORD, "inputs": ["t"]},
            {
                "id": "win",
                "type": "window",
                "inputs": ["by"],
                "window": WINDOW,
                "aggregate": aggregate,
            },
            op("map", "win", select={"x": "c / 2", "w": "lower(word)"}),
            {"id": "out", "type": "sink", "inputs": ["x"]},
        )
    )

    assert types == {
        "w": ["word STRING, n LONG"],
        "t": ["word STRING, n LONG"],
        "win": ["word STRING, window_start LONG, window_end LONG, c LONG, most STRING"],
        "x": ["x DOUBLE, w STRING"],
        "out": [],
    }


def test_unlike_streams_may_meet_in_an_operator_without_fields() -> None:
    report = trial(after(op("co_map", "s", "w")))

    assert report.sinks["out"].columns == ()
    assert sorted(map(repr, report.sinks["out"].data or ())) == sorted(
        map(repr, [("a", 1), ("b", 2), *((n,) for n in range(10))])
    )


def test_processing_time_windows_do_not_fire_and_warn() -> None:
    window = {**WINDOW, "time": "processing"}
    report = trial(after(BY_WORD, op("window", "by", window=window, aggregate={"c": "count(*)"})))

    assert report.sinks["out"].rows == 0
    assert [one for one in report.warnings if "no window fires" in one]


def test_a_source_without_rows_emits_a_thousand_numbers() -> None:
    report = trial(
        document(
            {"id": "s", "type": "source"},
            {"id": "out", "type": "sink", "inputs": ["s"]},
            parallelism=3,
        )
    )

    assert sorted(report.sinks["out"].data or ()) == [(n,) for n in range(1000)]


def test_a_sink_with_a_committer_collects_once() -> None:
    sink = {"id": "out", "type": "sink_v2", "inputs": ["s"], "committer": True}
    report = trial(document(NUMBERS, sink))

    assert report.sinks["out"].rows == 10
    assert len(report.sinks["out"].data or ()) == 10


def test_columns_are_inferred_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("a,b\n1,x\n2,y\n")
    source = {"id": "s", "type": "legacy_source", "rows": {"path": "in.csv", "format": "csv"}}
    sink = {"id": "out", "type": "sink", "inputs": ["s"]}

    assert _types(document(source, sink), tmp_path)["s"] == ["a LONG, b STRING"]
    assert sorted(trial(document(source, sink), tmp_path).sinks["out"].data or ()) == [
        (1, "x"),
        (2, "y"),
    ]


def test_a_source_with_a_strategy_of_its_own_feeds_windows() -> None:
    parts = [
        {"values": [[1, "a"], [2, "b"]], "schema": "t LONG, k STRING"},
        {"values": [[13, "a"], [14, "b"]], "schema": "t LONG, k STRING"},
    ]
    alignment = {"group": "all", "max_drift": 10}
    window = {"assigner": "tumbling", "size": 10, "offset": 3}
    document = {
        "transformations": [
            {
                "id": "s",
                "type": "source",
                "rows": {"hybrid": parts},
                "timestamps": {"column": "t", "alignment": alignment, "idleness": 5},
            },
            {"id": "by", "type": "key_by", "inputs": ["s"], "keys": ["k"]},
            {
                "id": "w",
                "type": "window",
                "inputs": ["by"],
                "window": window,
                "aggregate": {"n": "count(*)"},
            },
            {"id": "out", "type": "sink", "inputs": ["w"]},
        ]
    }
    report = report_of(compile_graph(document))

    assert sorted(report.to_dict()["sinks"]["out"]["data"]) == [
        ["a", -7, 3, 1],
        ["a", 13, 23, 1],
        ["b", -7, 3, 1],
        ["b", 13, 23, 1],
    ]
    for words in ("rows of the next source were late", "idle by the clock", "wait for each other"):
        assert any(words in warning for warning in report.warnings)


@pytest.mark.parametrize(
    ("column", "says"),
    [("x", "'x'; the columns are t and k"), ("k", "must be LONG milliseconds, but is STRING")],
)
def test_a_source_needs_its_column_of_timestamps(column: str, says: str) -> None:
    rows = {"values": [[1, "a"]], "schema": "t LONG, k STRING"}
    source = {"id": "s", "type": "source", "rows": rows, "timestamps": {"column": column}}
    document = {"transformations": [source, {"id": "out", "type": "sink", "inputs": ["s"]}]}

    with pytest.raises(ExplorerError, match=says):
        report_of(compile_graph(document))
