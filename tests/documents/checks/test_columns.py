"""One schema reader and one walk: what a document's check says of rows, a trial says too."""

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import compile_graph, load_document
from explorer.engine.planning.flow import Flow
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.steps.planned import PlanningContext
from explorer.errors import DocumentError, ExplorerError
from tests.engine.in_process import trial
from tests.many_cases import for_each

SINK = {"id": "out", "type": "sink"}


def _program(*transformations: dict[str, Any]) -> dict[str, Any]:
    last = transformations[-1]["id"]
    return {"transformations": [*transformations, {**SINK, "inputs": [last]}]}


def _source(schema: str, *row: Any, id_: str = "s") -> dict[str, Any]:
    return {"id": id_, "type": "legacy_source", "rows": {"values": [list(row)], "schema": schema}}


@for_each(
    ("schema", "expression"),
    [
        ("größe LONG", "größe + 1"),
        ("größe LONG", '"größe" + 1'),
        ("1a LONG", '"1a" + 1'),
        ("1a LONG", "`1a` + 1"),
        ("_ LONG", "_ + 1"),
        ("流 long", "流 + 1"),
    ],
)
def test_a_column_of_a_schema_can_be_named_in_an_expression(schema: str, expression: str) -> None:
    document = _program(
        _source(schema, 41),
        {"id": "m", "type": "map", "inputs": ["s"], "select": {"answer": expression}},
    )

    assert trial(load_document(document)).sinks["out"].data == ((42,),)  # type: ignore[arg-type]


@given(st.text("nk1ä -.\"`'(\t", min_size=1, max_size=6))
def test_a_schema_is_one_for_both_or_for_neither(name: str) -> None:
    document = _program(_source(f"{name} LONG", 1))
    try:
        flow = Flow(compile_graph(load_document(document), "1.20"), None, PlanningContext())
    except DocumentError as refusal:
        found = [refusal.path]
    else:
        found = [str(one) for outcome in flow.outcomes.values() for one in outcome.main]

    assert found in (["transformations[0].rows.schema"], [f"{name.strip()} LONG"])


WIDE = ", ".join(f"c{number} LONG" for number in range(1001))


def test_a_row_that_is_too_wide_for_a_trial_is_too_wide_for_a_document() -> None:
    with pytest.raises(DocumentError, match="a row has at most 1,000 columns, not 1,001"):
        load_document(_program(_source(WIDE, *range(1001))))


WINDOW = {
    "type": "window",
    "window": {"assigner": "tumbling", "size": 10},
    "aggregate": {"c": "count(*)"},
}
BY = {"id": "by", "type": "key_by", "inputs": ["s"], "keys": ["k"]}


def _union(one: str, other: str) -> dict[str, Any]:
    return {"id": "u", "type": "union", "inputs": [one, other]}


UNLIKE = [
    (
        "a computed type",
        (
            _source("n LONG", 1),
            {"id": "x", "type": "map", "inputs": ["s"], "select": {"n": "n + 0.5"}},
            _union("x", "s"),
        ),
        "'x' has (n DOUBLE), but 's' has (n LONG)",
    ),
    (
        "a name",
        (
            _source("n LONG", 1),
            {"id": "x", "type": "map", "inputs": ["s"], "select": {"m": "n"}},
            _union("x", "s"),
        ),
        "'x' has (m LONG), but 's' has (n LONG)",
    ),
    (
        "an aggregate",
        (
            _source("k LONG", 1),
            BY,
            {**WINDOW, "id": "w", "inputs": ["by"]},
            {
                "id": "x",
                "type": "map",
                "inputs": ["w"],
                "select": {
                    "k": "k",
                    "window_start": "window_start",
                    "window_end": "window_end",
                    "c": "1.5",
                },
            },
            _union("w", "x"),
        ),
        "c LONG), but 'x' has",
    ),
]


@pytest.mark.parametrize(("transformations", "problem"), [row[1:] for row in UNLIKE])
def test_a_unions_disagreement_is_reported_in_the_same_words(
    transformations: tuple[dict[str, Any], ...], problem: str
) -> None:
    with pytest.raises(ExplorerError) as refusal:
        plan_trial(compile_graph(load_document(_program(*transformations)), "1.20"))

    start = "Cannot union streams of different types: "
    assert start in str(refusal.value)
    assert problem in str(refusal.value)
    assert "give both the same columns with a select" in str(refusal.value)


def test_streams_that_may_be_unlike_are_not_judged() -> None:
    """What joins give is the program's affair; a trial emits both sides."""
    joined = {"id": "j", "type": "co_map", "inputs": ["s", "t"]}
    document = _program(_source("n LONG", 1), _source("w STRING", "a", id_="t"), joined)
    more = {**document, "transformations": [*document["transformations"][:-1], _union("j", "s")]}
    more["transformations"].append({**SINK, "inputs": ["u"]})

    report = trial(load_document(more))  # type: ignore[arg-type]

    assert sorted(map(str, report.sinks["out"].data or ())) == ["('a',)", "(1,)", "(1,)"]


@pytest.mark.process
def test_a_document_is_checked_without_the_libraries_of_a_trial() -> None:
    code = (
        "import sys, explorer.documents.checks.columns, explorer.documents\n"
        "print([one for one in ('pyarrow', 'numpy', 'sqlglot', 'pandas') if one in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
