"""Loops: records go round until none is left, in one process or in Spark's workers."""

import re
from typing import Any

import pytest

from explorer import ExplorerError, compile_graph, follow
from explorer.engine.operators.map import Select
from explorer.engine.planning.loops import ENDLESS
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.preview.preview import preview_trial
from explorer.engine.report.record_narration import narrate_route
from explorer.engine.report.trial_report import TrialReport
from explorer.engine.starting import run_trial
from explorer.engine.task import loop
from explorer.engine.task.record_route import RowFedBack, RowWorked
from explorer.engine.task.stages import stages
from tests.engine.in_process import rows_of, trial, unchained
from tests.golden_files import cases

Document = dict[str, Any]


def counting_down(
    *body: Document, subtasks: int = 1, max_wait: int | None = 1000, where: str = "n > 0"
) -> Document:
    """A loop that decrements the numbers from 1 to 10; ``body``: operators before the decrement."""
    wait = {} if max_wait is None else {"max_wait": max_wait}
    last = body[-1]["id"] if body else "i"
    return {
        "environment": {"parallelism": subtasks},
        "transformations": [
            {"id": "s", "type": "legacy_source", "rows": {"sequence": {"from": 1, "to": 10}}},
            {"id": "i", "type": "iterate", "inputs": ["s"], **wait},
            *body,
            {"id": "m", "type": "map", "inputs": [last], "select": {"n": "n - 1"}},
            {"id": "again", "type": "filter", "inputs": ["m"], "where": where},
            {"id": "c", "type": "close_iteration", "inputs": ["again"], "iteration": "i"},
            {"id": "done", "type": "filter", "inputs": ["m"], "where": "n <= 0"},
            {"id": "o", "type": "sink", "inputs": ["done"]},
        ],
    }


def figures(report: TrialReport) -> list[tuple[Any, ...]]:
    return [
        (v.name, tuple(s.records_in for s in v.subtasks), v.records_out, v.bytes_out)
        for v in report.vertices
    ]


def in_and_out(report: TrialReport) -> list[tuple[int, int]]:
    return [(vertex.records_in, vertex.records_out) for vertex in report.vertices]


REBALANCED = {"id": "r", "type": "rebalance", "inputs": ["i"]}


@pytest.mark.slow
@pytest.mark.parametrize("subtasks", [1, 2, 4])
@pytest.mark.parametrize("body", [(), (REBALANCED,)])
def test_each_record_goes_round_as_often_as_it_must(
    body: tuple[Document, ...], subtasks: int
) -> None:
    report = trial(counting_down(*body, subtasks=subtasks))

    # Of 1 to 10 the number n comes back n - 1 times.
    assert in_and_out(report) == [(0, 45), (0, 10), (55, 45), (45, 0)]
    assert rows_of(report)["o"] == {"(0,)": 10}
    assert report.warnings == ()


def test_an_operator_of_the_loop_counts_every_round() -> None:
    report = trial(counting_down())

    counts = {one.name: (one.records_in, one.records_out) for one in report.operators}
    assert counts["Map"] == (55, 55)
    assert counts["IterationSource-2"] == (0, 45)
    assert counts["IterationSink-2"] == (45, 0)


def test_subtasks_of_a_loop_form_groups_along_forward_edges() -> None:
    """With forward edges each subtask of the loop is a group, with others all form one group."""
    apart, together = (
        next(one for one in stages(plan_trial(compile_graph(d, "1.20")).job) if one.looped)
        for d in (counting_down(subtasks=3), counting_down(REBALANCED, subtasks=3))
    )

    assert [len(group) for group in apart.groups] == [3, 3, 3]
    assert [len(group) for group in together.groups] == [9]
    assert [task.name for task in apart.tasks][-1] == "IterationSink-2"


def test_a_head_that_waits_for_ever_is_reported() -> None:
    (warning,) = trial(counting_down(max_wait=None)).warnings

    assert warning.startswith("IterationSource-2: without max_wait its head waits for ever")


def test_an_operator_that_sees_the_order_is_named() -> None:
    keyed: Document = {"id": "k", "type": "key_by", "inputs": ["i"], "keys": ["n"]}
    new = {"id": "d", "type": "keyed_process", "inputs": ["k"], "state": {"shape": "deduplicate"}}
    report = trial(counting_down(keyed, new, subtasks=2))

    (warning,) = report.warnings
    assert "it is chance in which order records that come back and others reach" in warning
    assert "'KeyedProcess'" in warning
    # State lives through the rounds: each number from 1 to 10 passes once, whoever brings it.
    assert report.sinks["o"].rows == 1


def test_a_loop_within_a_loop_is_one() -> None:
    nested = next(r for r in cases("runs_operators") if r["name"].startswith("nested"))
    two = next(r for r in cases("runs_operators") if r["name"].startswith("two loops"))
    loops = [
        [len(one.tasks) for one in stages(plan_trial(compile_graph(run["pipeline"], "1.20")).job)]
        for run in (nested, two)
    ]

    assert max(loops[0]) > 4
    assert sorted(loops[1])[-2:] == [3, 3]


@pytest.mark.parametrize(
    ("limit", "says"),
    [
        ("MAX_ROUNDS", "after 20 rounds records still go round"),
        ("MAX_FED_BACK", "more than 20 rec"),
    ],
)
def test_a_loop_without_end_is_ended(
    monkeypatch: pytest.MonkeyPatch, limit: str, says: str
) -> None:
    endless = counting_down(where="n < 100")
    monkeypatch.setattr(loop, limit, 20)

    with pytest.raises(ExplorerError, match=re.escape("'IterationSource-2' does not end: " + says)):
        trial(endless)


def test_a_loop_may_run_as_many_rounds_as_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "MAX_ROUNDS", 9)
    monkeypatch.setattr(loop, "MAX_FED_BACK", 45)

    assert trial(counting_down()).sinks["o"].rows == 10


def test_a_preview_of_a_loop_without_end_is_ended() -> None:
    with pytest.raises(ExplorerError, match=r"the preview ended after 0\.2 s of work"):
        preview_trial(compile_graph(counting_down(where="n < 100"), "1.20"), seconds=0.2)


TIMED: Document = {
    "id": "t",
    "type": "timestamps",
    "inputs": ["i"],
    "timestamps": {"column": "n", "watermarks": "punctuated"},
}


@pytest.mark.parametrize("body", [(), (TIMED,)])
def test_records_of_a_loop_that_drops_none_are_not_fed_back(body: tuple[Document, ...]) -> None:
    """A filter without a condition drops no record."""
    report = trial(_without_where(*body))

    assert in_and_out(report) == [(0, 0), (0, 10), (10, 10), (10, 0)]
    (warning,) = report.warnings
    assert warning.startswith("IterationSink-2: no operator on the loop drops a record")


def looked_up(*inputs: str) -> tuple[Document, ...]:
    """A lookup join of two inputs, ``i`` and the table ``t``, that gives the first one's number."""
    return (
        {"id": "t", "type": "legacy_source", "rows": {"sequence": {"from": 1, "to": 5}}},
        *({"id": f"by_{id}", "type": "key_by", "inputs": [id], "keys": ["n"]} for id in inputs),
        {
            "id": "l",
            "type": "keyed_co_process",
            "inputs": [f"by_{id}" for id in inputs],
            "select": {"n": "n"},
        },
    )


@pytest.mark.parametrize(
    ("inputs", "fed_back", "endless"), [(("i", "t"), 0, True), (("t", "i"), 5, False)]
)
def test_a_lookup_join_drops_no_record_of_its_first_input_and_each_of_its_second(
    inputs: tuple[str, str],
    fed_back: int,
    endless: bool,  # noqa: FBT001
) -> None:
    report = trial(_without_where(*looked_up(*inputs)))

    head, *_ = report.vertices
    assert (head.name, head.records_out) == ("IterationSource-2", fed_back)
    assert (ENDLESS.format(name="IterationSink-2") in report.warnings) is endless


def _without_where(*body: Document) -> Document:
    document = counting_down(*body)
    del document["transformations"][-4]["where"]
    return document


def test_other_columns_are_not_fed_back() -> None:
    document = counting_down()
    document["transformations"][2]["select"] = {"other": "n - 1"}
    document["transformations"][3]["where"] = "other > 0"
    document["transformations"][5]["where"] = "other <= 0"

    with pytest.raises(ExplorerError, match=r"'i': what is fed back has .*other.*same columns"):
        trial(document)


@pytest.mark.slow
@pytest.mark.parametrize("body", [(), (REBALANCED,)])
def test_a_row_that_goes_round_is_followed_through_every_round(body: tuple[Document, ...]) -> None:
    """The row 4 is fed back three times, and the route from the sink leads back to it."""
    document = counting_down(*body, subtasks=2)
    forward = follow(document, flink_version="1.20", source="s", row=4)
    worked = [step for step in forward.steps if isinstance(step, RowWorked)]
    passes = [one.made.shown[0].values for one in worked if isinstance(one.does, Select)]
    rounds = [step for step in forward.steps if isinstance(step, RowFedBack)]

    assert passes == [(("n", n),) for n in (3, 2, 1, 0)]
    assert [dict(step.row.values)["n"] for step in rounds] == [3, 2, 1]
    (end,) = forward.ends
    back = follow(document, flink_version="1.20", sink="o", row=end.place + 1)
    assert [one.place for one in back.ends] == [3]
    again = [step for step in back.steps if isinstance(step, RowFedBack)]
    assert [dict(step.row.values)["n"] for step in again] == [1, 2, 3]
    reported = [
        step.title for step in narrate_route(compile_graph(document, "1.20"), forward.steps, 32_768)
    ]
    assert reported.count("IterationSink-2 → IterationSource-2, another round") == 3


@pytest.mark.spark
def test_loops_run_on_spark() -> None:
    """Figures equal those in this process, with separate and with connected subtasks."""
    together = unchained(counting_down(REBALANCED, subtasks=2))
    for document in (counting_down(subtasks=2), together):
        report = run_trial(document, flink_version="1.20")

        assert figures(report) == figures(trial(document))
        assert rows_of(report)["o"] == {"(0,)": 10}
