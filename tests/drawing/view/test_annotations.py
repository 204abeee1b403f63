"""What a text format adds to an operator, a task or an edge."""

from explorer.drawing.view.annotations import (
    BARE,
    Annotations,
    Figures,
    Mark,
    job_notes,
    stream_notes,
)

ADDED = Annotations(
    figures=Figures(
        bars={"v1": (0.5, "5 ms, skew 2.0", (0.5, 0.5))},
        edges={"j0": "10 rows, 1 KiB"},
        operators={"n1": "10 → 20"},
    ),
    marks={
        "n1": Mark(severity="warning", line="warning ST01"),
        "e0": Mark(severity="note", line="n"),
    },
)


def test_an_operator_has_its_rows_and_its_findings() -> None:
    assert stream_notes(ADDED, "n1") == ("10 → 20", "warning ST01")
    assert stream_notes(ADDED, "e0") == ("n",)
    assert stream_notes(ADDED, "n2") == ()


def test_a_task_has_its_time_and_an_edge_its_rows() -> None:
    assert job_notes(ADDED, "v1") == ("5 ms, skew 2.0",)
    assert job_notes(ADDED, "j0") == ("10 rows, 1 KiB",)
    assert stream_notes(BARE, "n1") == job_notes(BARE, "v1") == ()
