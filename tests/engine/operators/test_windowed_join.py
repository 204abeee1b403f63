"""What joins and coGroups over windows make of rows, which of them took part, and their bytes."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer
from explorer import ExplorerError, compile_graph, load_document
from explorer.checks.lock import lock_names
from explorer.cli.main import main
from explorer.documents.checks.columns import COUNTS
from explorer.engine.operators.windowed_join import WindowedJoin, WindowedJoinWork
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.preview.channel_records import channel_records
from explorer.engine.preview.tracing import traced_run
from explorer.engine.rows.batch import from_rows
from explorer.engine.steps import pairs
from explorer.engine.steps.window_plans import TimeWindows
from explorer.explain.task_internals import task_called
from explorer.model.row_type import LONG, STRING, RowType
from tests.engine.in_process import rows_of, trial
from tests.engine.operators.windows import KINDS, ROW, Assigner, WindowLoop, walk
from tests.examples import examples
from tests.many_cases import for_each

LEFT = {
    "values": [["a", 1, 5], ["b", 2, 7], ["a", 3, 9], ["c", 9, 13]],
    "schema": "k STRING, n LONG, t LONG",
}
RIGHT = {"values": [["a", 10, 6], ["a", 20, 8], ["d", 40, 3]], "schema": "u STRING, m LONG, t LONG"}
TEN = {"assigner": "tumbling", "size": 10}
BOTH = {"k": "coalesce(k, '-')", "n": "n", "m": "m"}


class _CountLoop(WindowLoop):
    """The window operator of a coGroup that counts; values below 0 are of the second input."""

    def row(self, window: tuple[str, int, int]) -> list[Any]:
        key, _, end = window
        second = sum(value < 0 for value in self.open[window])
        return [key, len(self.open[window]) - second, second, end - 1]


@pytest.mark.parametrize("lateness", [0, 3])
@pytest.mark.parametrize("kind", KINDS)
@examples(3)
@given(st.integers(0, 1 << 32))
def test_windows_of_two_inputs_are_a_loop_over_records(
    kind: tuple[Assigner, int, int], lateness: int, seed: int
) -> None:
    assigner, size, slide = kind
    join = WindowedJoin(
        side=0,
        keys=((0,), (0,)),
        joined=ROW,
        columns=(),
        row_type=RowType.of(k=STRING, first=LONG, second=LONG),
        windows=TimeWindows(assigner=assigner, size=size, slide=slide, lateness=lateness),
        function="count",
        sides=(ROW.tagged(1), ROW.tagged(2)),
    )
    work, loop = WindowedJoinWork("j", join), _CountLoop(*kind, lateness)
    for move in walk(seed):
        if isinstance(move, list):
            emissions, wanted = [], []
            for side in dict.fromkeys(value < 0 for _, value, _ in move):
                records = [record for record in move if (record[1] < 0) == side]
                batch = from_rows(join.sides[side], [record[:2] for record in records])
                times = np.array([time for _, _, time in records])
                emissions += work.process(batch.with_timestamps(times), side)
                wanted += [row for record in records for row in loop.add(*record)]
        else:
            emissions, wanted = work.advance(move, 0), loop.advance(move)
            assert work.advance(move, 1) == []
        found = [
            [*row, time]
            for _, batch in emissions
            for row, time in zip(batch.rows(), np.asarray(batch.timestamps).tolist(), strict=True)
        ]

        assert sorted(found) == sorted(wanted)
        assert work.late_dropped == len(loop.late)


def document(type_: str = "join", **fields: Any) -> dict[str, Any]:
    """Two timed sources with a join behind them."""
    given = {"keys": ["k"], "equal_to": ["u"], "window": TEN, **fields}
    transformations: list[dict[str, Any]] = []
    for side, rows in (("l", LEFT), ("r", RIGHT)):
        times = {"id": f"{side}t", "type": "timestamps", "inputs": [side]}
        transformations += [
            {"id": side, "type": "source", "rows": rows},
            {**times, "timestamps": {"column": "t", "watermarks": "punctuated"}},
        ]
    transformations.append({"id": "j", "type": type_, "inputs": ["lt", "rt"], **given})
    transformations.append({"id": "o", "type": "sink", "inputs": ["j"]})
    return {"flink": "1.20", "transformations": transformations}


def rows(made: dict[str, Any]) -> dict[str, int]:
    return rows_of(trial(made))["o"]


PAIRED = {"('a', 1, 10)": 1, "('a', 1, 20)": 1, "('a', 3, 10)": 1, "('a', 3, 20)": 1}
ALONE = {"('b', 2, None)": 1, "('c', 9, None)": 1}
OTHERS = {"('-', None, 40)": 1}


@for_each(
    ("group", "found"),
    [
        (None, PAIRED),
        ("left_outer", PAIRED | ALONE),
        ("right_outer", PAIRED | OTHERS),
        ("full_outer", PAIRED | ALONE | OTHERS),
    ],
)
def test_rows_of_a_window_are_paired(group: str | None, found: dict[str, int]) -> None:
    given = {} if group is None else {"type_": "co_group", "group": group}

    assert rows(document(**given, select=BOTH)) == found


def test_rows_of_a_window_are_counted_and_rows_go_on_without_a_function() -> None:
    counted = trial(document("co_group", group="count"))
    passed = rows(document("co_group"))

    assert tuple(name for name, _ in counted.sinks["o"].columns) == ("k", *COUNTS)
    assert rows_of(counted)["o"] == {
        "('a', 2, 2)": 1,
        "('b', 1, 0)": 1,
        "('d', 0, 1)": 1,
        "('c', 1, 0)": 1,
    }
    assert sum(passed.values()) == 7


def test_pairs_that_are_too_many_at_once_come_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "_PAIRS_AT_ONCE", 1)

    assert rows(document(select=BOTH)) == PAIRED
    assert rows(document("co_group", group="full_outer", select=BOTH)) == PAIRED | ALONE | OTHERS


@pytest.mark.parametrize("lateness", [0, 20])
def test_a_late_row_is_dropped_or_its_window_fires_anew(lateness: int) -> None:
    """The first input has ended when the second comes, so its watermarks are the only ones."""
    made = document("co_group", group="count", window={**TEN, "allowed_lateness": lateness})
    late = {**RIGHT, "values": [["a", 1, 6], ["z", 2, 25], ["a", 3, 8]]}
    made["transformations"][2]["rows"] = late

    assert rows(made).get("('a', 2, 2)", 0) == (1 if lateness else 0)
    assert rows(made)["('a', 2, 1)"] == 1


def test_a_late_row_is_kept_by_a_session_of_its_own_key_alone() -> None:
    """The session of ``a`` is open where the two late rows come, which alone are behind."""
    made = document("co_group", group="count", window={"assigner": "session", "gap": 10})
    made["transformations"][0]["rows"] = {**LEFT, "values": [["a", 1, 16]]}
    made["transformations"][2]["rows"] = {
        **RIGHT,
        "values": [["z", 2, 25], ["a", 3, 8], ["b", 4, 8]],
    }

    report = trial(made)

    assert rows_of(report)["o"] == {"('a', 1, 1)": 1, "('z', 0, 1)": 1}
    assert sum(operator.late_dropped for operator in report.operators) == 1


@pytest.mark.parametrize("equal", ["u", "m"])
def test_the_window_at_the_end_of_time_is_not_lost(equal: str) -> None:
    last = (1 << 63) - 1
    made = document("co_group", group="count", window={"assigner": "session", "gap": 5})
    made["transformations"][0]["rows"] = {**LEFT, "values": [["a", 1, last - 9]]}
    made["transformations"][2]["rows"] = {**RIGHT, "values": [["a", 1, last - 7]]}
    if equal == "u":
        assert rows(made) == {"('a', 1, 1)": 1}
        return
    made["transformations"][4]["equal_to"] = ["m"]
    with pytest.raises(ExplorerError, match="keys of different types, STRING and LONG"):
        plan_trial(compile_graph(made))


def test_a_window_that_ends_at_the_first_of_all_times_accepts_rows() -> None:
    made = document("co_group", group="count", window={"assigner": "tumbling", "size": 8})
    made["transformations"][0]["rows"] = {**LEFT, "values": [["a", 1, (1 << 63) - 1]]}
    made["transformations"][2]["rows"] = {**RIGHT, "values": [["b", 1, 0]]}

    assert rows(made) == {"('a', 1, 0)": 1, "('b', 0, 1)": 1}


def test_the_id_of_a_join_names_its_window_operator() -> None:
    done = compile_graph(load_document(document()))

    assert list(lock_names(done).values())[4:] == ["j input 1", "j input 2", "j", "o"]
    assert task_called(done, "j").name == "TumblingEventTimeWindows -> Sink: Print to Std. Out"


@pytest.mark.parametrize(
    ("given", "place", "took", "says"),
    [
        ({"select": BOTH}, 3, 2, "each row of the first input in it goes on with each"),
        (
            {"type_": "co_group", "group": "count"},
            0,
            4,
            "it holds the number of records",
        ),
        ({"type_": "co_group", "group": "left_outer"}, 4, 1, "each of the second, or with NULLs"),
    ],
)
def test_a_record_route_shows_all_rows_that_took_part(
    given: dict[str, Any], place: int, took: int, says: str
) -> None:
    made = document(**given)
    way = explorer.follow(made, sink="o", row=place + 1)
    back = explorer.follow(made, source=way.ends[0].name, row=way.ends[0].place + 1)

    assert way.ends_count == took
    assert any(says in step.sentence for step in way.reported)
    assert any("one of input 1: a byte more" in step.sentence for step in way.reported)
    assert place in [end.place for end in back.ends]


def test_the_bytes_of_a_channel_are_the_trials() -> None:
    run = traced_run(compile_graph(document(select=BOTH)))
    channels = [channel_records(run, edge, 32_768, 10)[0] for edge in (0, 1)]

    # A timestamp is 9 bytes, the tag 1, the mask 1, a letter 2, a LONG 8, and the length 4.
    assert [one.bytes for one in channels] == [4 * 33, 3 * 33]
    assert [row.row.values[0][1] for row in channels[1].rows] == ["a", "a", "d"]


def test_the_tag_is_reported_among_the_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    row = ["--schema", "k STRING", "--row", '["a"]']
    main(["inspect-bytes", *row, "--input", "2"])
    reported = capsys.readouterr().out
    main(["inspect-bytes", *row])

    assert "union tag" in reported
    assert "second input" in reported
    assert "union tag" not in capsys.readouterr().out
    main(
        [
            "inspect-bytes",
            "--schema",
            "k STRING",
            "--hex",
            "00000005 01 01 00 02 61",
            "--input",
            "1",
        ]
    )
    assert "first input" in capsys.readouterr().out
