"""Sentences on the steps of a traced record."""

import pytest

from explorer.documents import as_document
from explorer.engine.report.record_narration import (
    LONGEST_VALUE,
    RecordStep,
    as_members,
    narrate_route,
)
from explorer.engine.task.choices import ChannelChoice
from explorer.engine.task.record_route import (
    RouteStep,
    RowChained,
    RowCollected,
    RowEnded,
    RowFedBack,
    RowRead,
    RowSent,
    RowWorked,
    TracedRow,
    TracedRows,
)
from explorer.flink.compiler import Compilation, compile_program
from tests.engine.report.reported import DOCUMENT

KIB = 1024
ROW = TracedRow(number=0, values=(("n", 7), ("w", None)), timestamp=None)
ONE = TracedRows(shown=(ROW,), count=1)


@pytest.fixture(scope="module")
def done() -> Compilation:
    return compile_program(as_document(DOCUMENT), "1.20")


def narrated(done: Compilation, step: RouteStep) -> RecordStep:
    (found,) = narrate_route(done, [step], 32 * KIB)
    return found


def sent(start: int, size: int, data: str = "00ff") -> RowSent:
    choice = ChannelChoice(
        channel=1, consumers=(1,), partitioner="REBALANCE", keyed=None, why="It was its turn."
    )
    return RowSent(
        node=1,
        subtask=0,
        edge=0,
        job_edge=0,
        target=3,
        choice=choice,
        start=start,
        size=size,
        bytes=data,
        row=ROW,
    )


def test_a_row_that_is_read_is_counted_from_one(done: Compilation) -> None:
    step = narrated(done, RowRead(node=1, subtask=0, place=3, row=ROW))

    assert step.title == "Source: Custom Source reads row 4"
    assert step.sentence == (
        "Source: Custom Source, subtask 0, reads row 4 and emits it: (n 7, w null)."
    )


@pytest.mark.parametrize(
    ("start", "size", "says"),
    [
        (0, 14, "from byte 0 on: buffer 0 of 32 KiB."),
        (32 * KIB, 14, "from byte 32,768 on: buffer 1 of 32 KiB."),
        (32 * KIB - 1, 2, "on: buffers 0 to 1 of 32 KiB, which it spans."),
    ],
)
def test_a_row_that_is_sent_names_its_buffers(
    done: Compilation, start: int, size: int, says: str
) -> None:
    step = narrated(done, sent(start, size))

    assert step.title == "Source: Custom Source → =1+1, REBALANCE"
    assert "It was its turn." in step.sentence
    assert says in step.sentence
    assert step.part == "between tasks"


def test_only_the_first_bytes_are_spelled(done: Compilation) -> None:
    facts = dict(narrated(done, sent(0, 100, "ab" * 100)).details)

    assert facts["bytes"] == (" ".join(["ab"] * 64) + " …",)
    assert dict(narrated(done, sent(0, 2)).details)["bytes"] == ("00 ff",)


def test_work_names_the_rows_that_took_part(done: Compilation) -> None:
    many = TracedRows(shown=(ROW,), count=3)
    step = narrated(
        done,
        RowWorked(
            node=3, subtask=1, input=0, does=None, tag="late", taken=many, made=many, later=2
        ),
    )

    assert "2 other rows contributed with it." in step.sentence
    assert "It emits (n 7, w null) and 2 more rows to side output 'late'." in step.sentence
    assert step.sentence.endswith("The row also contributed to 2 later rows.")
    assert dict(step.details)["input rows"] == ("(n 7, w null)", "and 2 more")


def test_work_of_one_row_names_no_others(done: Compilation) -> None:
    worked = RowWorked(node=3, subtask=1, input=0, does=None, tag=None, taken=ONE, made=ONE)

    sentence = narrated(done, worked).sentence
    assert sentence.endswith(" It emits (n 7, w null).")
    assert "other row" not in sentence


def test_a_step_of_each_kind_has_a_title(done: Compilation) -> None:
    titles = [
        narrated(done, step).title
        for step in (
            RowEnded(node=3, subtask=0, input=0, does=None, row=ROW),
            RowChained(node=3, subtask=0, edge=1, target=4, row=ROW),
            RowFedBack(node=3, subtask=0, target=1, row=ROW),
            RowCollected(node=4, subtask=0, place=0, row=ROW),
        )
    ]

    assert titles == [
        "=1+1 emits nothing",
        "=1+1 → Sink: Print to Std. Out, chained",
        "=1+1 → Source: Custom Source, another round",
        "Sink: Print to Std. Out collects it as row 1",
    ]


def test_long_values_are_cut_and_timestamps_are_shown_next_to_them(done: Compilation) -> None:
    row = TracedRow(number=0, values=(("w", "x" * 1000),), timestamp=5)
    step = narrated(done, RowCollected(node=4, subtask=0, place=0, row=row))

    assert f"(w '{'x' * (LONGEST_VALUE - 1)}…') at 5" in step.sentence
    assert dict(step.details)["row"][1] == "timestamp: 5"


def test_members_name_the_operators_of_the_route_so_far(done: Compilation) -> None:
    route: list[RouteStep] = [
        RowRead(node=1, subtask=0, place=0, row=ROW),
        sent(0, 14),
        RowCollected(node=4, subtask=0, place=0, row=ROW),
    ]
    members = as_members(narrate_route(done, route, 32 * KIB))

    assert [one["passed"] for one in members] == [[1], [1], [1, 4]]
    assert [one["edges"] for one in members] == [[], [0], []]
