"""An operator is one module and the row of ``kinds`` that names it: every part of a run uses it."""

import sys
from typing import Any

import pytest

from explorer.documents import load_document
from explorer.engine.preview.preview import preview_trial
from explorer.engine.starting import follow
from explorer.engine.steps.step import Step
from explorer.flink.compiler import compile_program
from explorer.flink.kinds import KINDS, Kind
from tests import toy_operator
from tests.engine.in_process import rows_of, trial

REPEAT = Kind(type="repeat", call="repeat", name="Repeat", operator="repeat")
WORDS = {"id": "words", "type": "source", "rows": {"values": [["a"]], "schema": "word STRING"}}
TWICE = {"id": "twice", "type": "repeat", "inputs": ["words"], "name": "ab"}
OUT = {"id": "out", "type": "sink", "inputs": ["twice"]}
DOCUMENT: dict[str, Any] = {"transformations": [WORDS, TWICE, OUT]}


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, REPEAT.type, REPEAT)
    monkeypatch.setitem(sys.modules, "explorer.engine.operators.repeat", toy_operator)


def test_it_runs() -> None:
    assert rows_of(trial(DOCUMENT)) == {"out": {"('a',)": 2}}


def test_a_preview_shows_its_rows() -> None:
    done = compile_program(load_document(DOCUMENT))
    node = next(one.id for one in done.stream_graph.nodes if one.transformation == "twice")

    (table,) = preview_trial(done).of(node)
    assert table.rows == 2


def test_a_traced_row_is_narrated_in_its_words() -> None:
    titles = {one.title: one.sentence for one in follow(DOCUMENT, source="words").reported}

    assert "It emits every row 2 times." in titles["ab repeats it"]


def test_its_traits_decide_about_a_loop() -> None:
    turn = {"id": "round", "type": "iterate", "inputs": ["words"], "max_wait": 10}
    back = {"id": "back", "type": "close_iteration", "inputs": ["twice"], "iteration": "round"}
    loop = [WORDS, turn, {**TWICE, "inputs": ["round"]}, back, OUT]

    report = trial({"transformations": loop, "flink": "1.20"})
    assert any("no operator on the loop drops a record" in one for one in report.warnings)


def test_a_step_that_lacks_a_part_fails_at_import() -> None:
    missing = "traits, work, explain_emission, explain_silence"
    with pytest.raises(TypeError, match=f"the step Half must define {missing}"):

        class Half(Step, frozen=True, kw_only=True):
            verb = "does half"
