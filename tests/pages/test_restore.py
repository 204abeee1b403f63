"""The baseline, run by AppTest: set, named, kept; what is measured from it, and carried over."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.session import places
from components.session.keys import Key
from components.session.work import selected
from explorer import compile_graph
from explorer.documents import document_values, load_document
from explorer.locations import BASELINE_RELEASE_VARIABLE, BASELINE_VARIABLE
from tests.comparison.captured_programs import captured, chain
from tests.golden_files import cases
from tests.pages.opened import drawn, html, opened, sent, uploader, with_graphs

CASE: dict[str, Any] = next(cases("restores"))
METADATA = base64.b64decode(CASE["flink"][1]["metadata"])


def with_savepoint(pipeline: str, content: bytes = METADATA, tab: str = "Restore") -> AppTest:
    page = opened(tab=tab)
    document = json.dumps({**CASE[pipeline], "flink": "2.2"}).encode()
    uploader(page).upload("mine.json", document, "application/json").run()
    uploader(page, Key.DEPLOYED).upload("_metadata", content).run()
    assert not page.exception
    return page


@pytest.mark.slow
def test_a_savepoint_of_this_pipeline_restores() -> None:
    page = with_savepoint("old")

    table = sent(page, "Saved state")["rows"]
    rows = {row["cells"][1]: row["cells"] for row in table}
    assert (
        "Against _metadata (Flink 2.1 to 2.3): IDs and parallelism match under Flink 2.2: 3 states "
        "found, 0 lost" in html(page)
    )
    assert rows["Keyed Reduce"][2] == "0f059a5c7899bfb760eef84d65cf4d49"
    assert rows["Keyed Reduce"][0] == {"text": "unchanged", "tone": "good"}
    assert rows["Keyed Reduce"][4]["text"] == "its keyed state is found by its ID"
    page = with_graphs(page)
    assert {row["key"] for row in table} == set(drawn(page, "stream"))
    assert any(" keyed<" in card for card in drawn(page, "stream").values())
    assert any(" of state" in card for card in drawn(page, "job").values())


def test_a_savepoint_that_is_opened_becomes_the_baseline() -> None:
    page = opened()
    uploader(page).upload("sp-1", METADATA).run()

    assert page.session_state[Key.TABS] == "Restore"
    assert "Against sp-1" in html(page)


@pytest.mark.slow
def test_a_savepoint_of_an_older_version_is_refused_in_flinks_words() -> None:
    page = with_savepoint("new")

    assert "Cannot map checkpoint/savepoint state for operator" in html(page)
    page.toggle(key="allow-non-restored").set_value(True).run()
    assert "drops the state of &#x27;Keyed Reduce&#x27;" in html(page)


@pytest.mark.slow
def test_an_invalid_file_gets_an_error_and_the_document_stays() -> None:
    page = with_savepoint("old", b"transformations: []")

    assert "this is no savepoint" in html(page)
    assert len(drawn(with_graphs(page), "stream")) == len(
        [
            one
            for one in CASE["old"]["transformations"]
            if one["type"] not in {"key_by", "partition_custom"}
        ]
    )


COUNT: dict[str, Any] = {
    "flink": "2.2",
    "name": "orders",
    "transformations": [
        {"id": "lines", "type": "source"},
        {"id": "words", "type": "flat_map", "inputs": ["lines"]},
        {"id": "by", "type": "key_by", "inputs": ["words"]},
        {"id": "count", "type": "reduce", "inputs": ["by"], "name": "count"},
        {"id": "out", "type": "sink", "inputs": ["count"]},
    ],
}
CLEANED: dict[str, Any] = {
    **COUNT,
    "transformations": [
        COUNT["transformations"][0],
        {"id": "clean", "type": "filter", "inputs": ["lines"]},
        {**COUNT["transformations"][1], "inputs": ["clean"]},
        *COUNT["transformations"][2:],
    ],
}


def measured(tab: str = "Restore", now: dict[str, Any] = CLEANED) -> AppTest:
    """The page with ``now`` open and COUNT as its baseline."""
    page = opened(tab=tab)
    baseline = {"name": "v1.json", "document": COUNT}
    content = json.dumps({**now, "baseline": baseline}).encode()
    uploader(page).upload("mine.json", content, "application/json").run()
    assert not page.exception
    return page


def counts(page: AppTest) -> str:
    return next(text for text in html(page).splitlines() if "x-counts" in text and "task" in text)


@pytest.mark.slow
def test_an_upload_becomes_the_baseline_and_is_stored_in_the_document() -> None:
    page = opened(tab="Restore")
    uploader(page).upload("now.json", json.dumps(CLEANED).encode(), "application/json").run()
    assert "1 state found" not in html(page)
    uploader(page, Key.DEPLOYED).upload("v1.json", json.dumps(COUNT).encode()).run()

    assert "Against v1.json (Flink 2.2): Flink 2.2 refuses" in html(page)
    assert page.session_state["work"].document.baseline["name"] == "v1.json"
    assert "3 IDs changed" in counts(page)
    page.button(key="undo").click().run()
    assert page.session_state["work"].document.baseline is None


@pytest.mark.slow
def test_a_click_makes_this_the_baseline_and_another_undoes_it() -> None:
    page = measured()
    assert "3 IDs changed" in counts(page)

    page.button(key="make").click().run()
    assert "IDs changed" not in counts(page)
    page.button(key="unmake").click().run()
    assert page.session_state["work"].document.baseline is None


@pytest.mark.slow
def test_pins_carry_the_state_over_and_green_is_green_everywhere() -> None:
    page = measured()
    assert "drops the state of &#x27;count&#x27;" in html(page)

    page.button(key="pin").click().run()

    assert "0 lost" in html(page)
    assert "3 IDs changed, no state lost" in counts(page)
    saved = {row["cells"][1]: row["cells"] for row in sent(page, "Saved state")["rows"]}
    assert saved["count"][0] == {"text": "changed", "tone": "good"}
    values = document_values(page.session_state["work"].document)
    page = measured("IDs", {name: each for name, each in values.items() if name != "baseline"})
    rows = {row["cells"][0]: row["cells"][-1] for row in sent(page, "Operator IDs")["rows"]}
    said = [cell for cell in rows.values() if cell and "found by its uid hash" in cell["text"]]
    assert [cell["tone"] for cell in said] == ["good", "good"]
    page = measured("Compare", {name: each for name, each in values.items() if name != "baseline"})
    changes = [row["cells"][0] for row in sent(page, "Changed operators")["rows"]]
    tones = {change["tone"] for change in changes if change["text"] == "changed"}
    assert tones == {"good"}


def test_uids_carry_the_state_over_too() -> None:
    page = measured()

    page.button(key="give-uids").click().run()

    assert "0 lost" in html(page)
    uids = {one.id: one.uid for one in page.session_state["work"].document.transformations}
    assert uids["count"] == "count"


def test_all_changes_are_shown_with_their_meaning() -> None:
    page = measured(now={**COUNT, "environment": {"parallelism": 4}})

    said = {tuple(row["cells"][:2]): row["cells"] for row in sent(page, "Further changes")["rows"]}
    assert said["count", "parallelism"][3].startswith("96 of 128 key groups get another subtask")
    saved = {row["cells"][1]: row["cells"] for row in sent(page, "Saved state")["rows"]}
    assert "96 key groups reassigned" in saved["count"][4]["text"]


@pytest.mark.slow
def test_a_baseline_stays_when_another_document_is_opened() -> None:
    """Issue 17: uploading version 2 dropped the baseline, and Restore was green."""
    page = opened(tab="Restore")
    without = {name: each for name, each in COUNT.items() if name != "flink"}
    uploader(page).upload("v1.json", json.dumps(without).encode(), "application/json").run()
    release = next(box for box in page.selectbox if box.label == "Flink release")
    release.select("1.20").run()
    page.button(key="make").click().run()
    removed = [one for one in COUNT["transformations"] if one["id"] not in {"by", "count"}]
    removed[-1] = {**removed[-1], "inputs": ["words"]}
    second = json.dumps({**without, "transformations": removed}).encode()
    uploader(page).upload("v2.json", second, "application/json").run()

    work = page.session_state["work"]
    assert work.document.baseline["name"] == "orders"
    assert work.document.flink == "1.20"
    assert "Against orders (Flink 1.20): Flink 1.20 refuses" in html(page)
    assert "1 ID removed" in counts(page)

    next(box for box in page.selectbox if box.label == "Flink release").select("2.2").run()
    assert "Against orders (Flink 1.20): Flink 2.2 refuses" in html(page)
    next(box for box in page.selectbox if "baseline" in box.label).select("1.19").run()
    assert "Against orders (Flink 1.19): Flink 2.2 refuses" in html(page)
    assert page.session_state["work"].document.flink == "2.2"

    next(box for box in page.selectbox if box.label == "Sample").select("02-a-to-e").run()
    assert page.session_state["work"].document.baseline["name"] == "orders"
    assert not page.exception


def test_a_new_pipeline_raises_no_alarm() -> None:
    page = opened(tab="Restore")
    page.button(key="new").click().run()

    assert "Upload the baseline" in html(page)
    assert "IDs changed" not in html(page)


@pytest.mark.slow
def test_compare_opens_on_the_baseline_against_now_and_holds_any_two() -> None:
    page = measured("Compare")
    box = next(box for box in page.selectbox if box.label == "From")
    assert box.value == "the baseline"
    assert "3 IDs change" in html(page)

    next(box for box in page.selectbox if box.label == "To").select("an upload").run()
    next(box for box in page.file_uploader if "compare" in box.label).upload(
        "_metadata", METADATA
    ).run()
    assert "Operator IDs: 0 unchanged, 4 removed, 8 new." in html(page)
    assert not page.exception


@pytest.mark.slow
def test_a_savepoint_is_compared_with_the_document_of_its_state() -> None:
    page = with_savepoint("old", tab="Compare")

    names = {
        row["cells"][1]: row["cells"][0]["text"] for row in sent(page, "Saved operators")["rows"]
    }
    assert names["Keyed Reduce"] == "unchanged"
    assert not page.exception


@pytest.mark.slow
def test_an_id_of_the_baseline_is_explained_and_pinned_by_a_button() -> None:
    page = measured("Find ID")
    done = compile_graph(COUNT)
    old = next(done.hashes[one.id] for one in done.stream_graph.nodes if one.name == "count")
    page.text_area(key="asked").set_value(f"Cannot map checkpoint/savepoint state for {old}")
    next(button for button in page.button if button.label == "Find").click().run()

    assert f"{old} was &#x27;count&#x27; in the baseline (v1.json); it is now" in html(page)
    page.button(key="former-keep-0").click().run()
    assert page.session_state["work"].document.transformation("count").uid_hash == old
    assert "its uid hash finds the state" in html(page)


def test_fixes_are_counted_from_the_baseline() -> None:
    never = {**COUNT["transformations"][1], "chaining_strategy": "NEVER"}
    cut = [COUNT["transformations"][0], never, *COUNT["transformations"][2:]]
    page = measured(now={**COUNT, "transformations": cut})
    page.session_state["work"] = selected(page.session_state["work"], "e0")
    page.run()

    assert "restores " in html(page)
    assert "original ID" in html(page)


def test_a_baseline_that_is_none_gets_a_sentence() -> None:
    page = opened(tab="Restore")
    uploader(page, Key.DEPLOYED).upload("v1.json", b"{}").run()

    assert "v1.json, transformations: is missing" in html(page)
    assert page.session_state["work"].document.baseline is None
    uploader(page, Key.DEPLOYED).upload("_metadata", b"no savepoint").run()
    assert "_metadata: this is no savepoint" in html(page)


@pytest.mark.slow
def test_the_baseline_of_the_environment_variable_applies_to_uploads(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "v0.json").write_text(json.dumps(COUNT))
    monkeypatch.setenv(BASELINE_VARIABLE, str(tmp_path / "v0.json"))
    page = opened(tab="Restore")
    assert "Against v0.json" not in html(page)

    uploader(page).upload("now.json", json.dumps(CLEANED).encode(), "application/json").run()

    assert "Against v0.json (Flink 2.2): Flink 2.2 refuses" in html(page)

    monkeypatch.setenv(BASELINE_RELEASE_VARIABLE, "1.20")
    page = opened(tab="Restore")
    uploader(page).upload("now.json", json.dumps(CLEANED).encode(), "application/json").run()

    assert "Against v0.json (Flink 1.20): Flink 2.2 refuses" in html(page)


@pytest.mark.slow
def test_a_captured_program_is_measured_from_another() -> None:
    def captured(document: dict[str, Any]) -> dict[str, Any]:
        members = compile_graph(document).to_dict()
        return {"flink": "2.2", "stream_graph": members["stream_graph"]}

    page = opened(tab="Restore")
    baseline = {"name": "running", "document": captured(COUNT)}
    content = json.dumps({**captured(CLEANED), "baseline": baseline}).encode()
    uploader(page).upload("now.json", content, "application/json").run()
    page.button(key="pin").click().run()

    assert "3 IDs changed, no state lost" in counts(page)
    assert not page.exception


@pytest.mark.slow
def test_a_new_pipeline_needs_no_more_than_its_skeleton() -> None:
    page = opened(tab="Resources")
    page.button(key="new").click().run()
    page.number_input(key=page.session_state["work"].widget("environment.parallelism")).set_value(
        4
    ).run()

    assert "x-legend" not in html(page)
    assert not page.exception


@pytest.mark.slow
def test_a_savepoint_that_is_none_in_a_document_gets_a_sentence_in_every_tab() -> None:
    values = {"name": "x", "savepoint": {"version": 99}}
    for tab in ("Restore", "Resources", "Compare"):
        page = opened(tab=tab)
        content = json.dumps({**COUNT, "baseline": values}).encode()
        uploader(page).upload("mine.json", content, "application/json").run()
        assert not page.exception
        assert "a bug of" not in html(page)
    page = opened(tab="Restore")
    uploader(page).upload("mine.json", content, "application/json").run()
    assert "savepoint cannot be read" in html(page)


@pytest.mark.slow
def test_the_user_chooses_between_equally_good_operators() -> None:
    old = captured(chain("in:legacy_source", "m:map", "a:reduce", "out:sink"))
    new = captured(chain("in:legacy_source", "m:map", "x:reduce", "a:reduce", "out:sink"))
    page = opened(tab="Restore")
    uploader(page).upload("new.json", json.dumps(new).encode(), "application/json").run()
    uploader(page, Key.DEPLOYED).upload(
        "old.json", json.dumps(old).encode(), "application/json"
    ).run()
    assert "Which operator is which: 1 choice open" in html(page)
    (choice,) = [one for one in page.selectbox if "match." in str(one.key)]
    assert choice.value == "not chosen"
    assert sum("equally good" in option for option in choice.options) == 2

    choice.select(choice.options[2]).run()

    assert not page.exception
    (chosen,) = [one for one in page.selectbox if "match." in str(one.key)]
    assert chosen.value == choice.options[2].replace(", equally good", "")
    assert "Which operator is which: 0 choices open" in html(page)
    verdict = page.session_state["work"].document.baseline["matches"]
    assert list(verdict.values()) == [chosen.value.partition("(")[2].rstrip(")")]
    assert "restores the state of" not in "".join(written_by_all_tabs(page))
    page.button(key="undo").click().run()
    assert all("Which operator restores the state of" in one for one in written_by_all_tabs(page))
    assert "Which operator is which: 1 choice open" in html(page)


def written_by_all_tabs(page: AppTest) -> list[str]:
    """What each tab of *Deploy* writes; the last one is *Restore*."""
    found = []
    for tab in (places.PLAN, "Compare", "Check", "Resources", "Restore"):
        page.session_state[Key.TABS] = tab
        page.run()
        found.append(html(page))
    return found


def test_windows_that_become_sessions_lose_what_is_open() -> None:
    def program(assigner: str, **sizes: int) -> dict[str, Any]:
        window = {"assigner": assigner, "time": "event", **sizes}
        count = {"id": "count", "type": "window", "inputs": ["by"], "uid": "w", "window": window}
        return {**COUNT, "transformations": [*COUNT["transformations"][:3], count]}

    old = document_values(load_document(program("tumbling", size=10)))
    document = program("session", gap=10) | {"baseline": {"name": "old", "document": old}}
    page = opened(tab="Restore")
    uploader(page).upload("mine.json", json.dumps(document).encode(), "text/json").run()

    assert not page.exception
    assert "Lost: " in html(page)
    assert "no open window comes out" in html(page)
