"""A transformation type is one row of ``kinds``: every package accepts a made-up one at once."""

from typing import Any

import pytest
from msgspec.structs import replace

from components.explore.pipeline.fields import FIRST, MORE, fields_of
from explorer import compile_graph
from explorer.documents import load_document
from explorer.documents.checks.columns import KNOWN, passages
from explorer.errors import DocumentError, UnsupportedReleaseError
from explorer.flink.kinds import KINDS, Kind
from explorer.flink.operator_state import registered_states
from explorer.model.pipeline import Pipeline, Transformation
from explorer.model.row_type import STRING
from tests.engine.in_process import rows_of, trial
from tests.pages.opened import html, opened, sent

TEE = Kind(
    type="tee",
    call="tee",
    exists=lambda release: release.sink_v2,
    name="Tee",
    prefix="Copy: ",
    fields=("select",),
    side_outputs=True,
    strategy="HEAD",
    gives="select",
    operator="map",
)
WORDS = {"values": [["a"], ["b"]], "schema": "word STRING"}


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, TEE.type, TEE)


def document(*more: dict[str, Any], **tee: Any) -> dict[str, Any]:
    return {
        "transformations": [
            {"id": "words", "type": "source", "rows": WORDS},
            {"id": "copy", "type": "tee", "inputs": ["words"], **tee},
            {"id": "out", "type": "sink", "inputs": ["copy"]},
            *more,
        ]
    }


def test_its_fields_are_checked() -> None:
    loaded = load_document(document(select={"w": "word"}))
    assert isinstance(loaded, Pipeline)

    assert loaded.transformations[1].select == {"w": "word"}
    with pytest.raises(DocumentError, match="tee takes no where; filter does"):
        load_document(document(where="true"))
    with pytest.raises(DocumentError, match="a tee takes 1 input, but has 2"):
        load_document(document(inputs=["words", "words"]))
    with pytest.raises(DocumentError, match="must be NEVER or HEAD"):
        load_document(document(chaining_strategy="ALWAYS"))


def test_fields_that_its_row_forbids_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    row = replace(TEE, needs=(("select", "n: n"),), keyed=True, alone=True, uid_hash=False)
    monkeypatch.setitem(KINDS, TEE.type, row)
    keyed = {"id": "by", "type": "key_by", "inputs": ["words"], "keys": ["word"]}
    made = document(inputs=["by"], select={"w": "word"})
    made["transformations"].insert(1, keyed)

    load_document(made)
    del made["transformations"][2]["select"]
    with pytest.raises(DocumentError, match="a tee needs it, as in n: n"):
        load_document(made)
    with pytest.raises(DocumentError, match="a tee reads a keyed stream"):
        load_document(document(select={"w": "word"}))
    with pytest.raises(DocumentError, match="non parallel operator must be 1"):
        load_document(document(parallelism=2))
    with pytest.raises(DocumentError, match="custom UID hash"):
        load_document(document(uid_hash="0" * 32))


def test_its_columns_are_known_and_its_tags_accepted() -> None:
    late = {"id": "late", "type": "side_output", "inputs": ["copy"], "tag": "late"}
    union = {"id": "all", "type": "union", "inputs": ["words", "copy"]}
    made = load_document(document(late, select={"w": "word"}))
    assert isinstance(made, Pipeline)

    assert [one.gives for one in passages(made.transformations, KNOWN)][1] == ((("w", STRING),),)
    with pytest.raises(DocumentError, match=r"'words' has \(word STRING\), but 'copy' has \(w"):
        load_document(document(union, select={"w": "word"}))


def test_it_is_translated_and_runs() -> None:
    done = compile_graph(document(), "1.20")

    assert [vertex.name for vertex in done.job_graph.vertices] == [
        "Source: Custom Source",
        "Copy: Tee -> Sink: Print to Std. Out",
    ]
    assert rows_of(trial(document())) == {"out": {"('a',)": 1, "('b',)": 1}}
    doubled = document(select={"w": "concat(word, word)"})
    assert rows_of(trial(doubled)) == {"out": {"('aa',)": 1, "('bb',)": 1}}
    with pytest.raises(UnsupportedReleaseError, match=r"no 'tee'; choose 1\.15 or later"):
        compile_graph(document(), "1.14")


def test_a_savepoint_and_a_form_ask_its_row() -> None:
    shown = fields_of(Transformation(id="copy", type="tee"), (*FIRST, *MORE))

    done = compile_graph(document(), "1.20")
    held = registered_states(done.stream_graph, done.pipeline, done.release)
    assert [one.certainty for one in held.values()] == ["known", "possible", "none"]
    assert KINDS["tee"].offered_strategies == ("HEAD", "NEVER")
    assert {field.name for field in shown} == set(TEE.allowed_fields)


@pytest.mark.slow
def test_the_page_offers_it_and_shows_its_form() -> None:
    page = opened()
    page.button(key="add").click().run()
    assert "one input · tee — tee" in page.selectbox(key="add.type").options
    page.selectbox(key="add.type").set_value("tee").run()
    page.button(key="add.do").click().run()

    assert "<code>tee</code>" in html(page)
    assert [*sent(page, "graphs")["stream"]["names"].values()][-1] == "tee"
