"""A rehearsal on the page, run by AppTest: the command to copy, an upload, nonsense."""

import json
from typing import Any

import msgspec
from streamlit.testing.v1 import AppTest

from components.session.keys import Key
from explorer import compile_graph
from explorer.model.rehearsal import Rehearsal, RehearsedOperator, RehearsedState
from tests.pages.opened import html, opened, sent, uploader
from tests.pages.test_page import work_of

PIPELINE = {
    "name": "counts",
    "flink": "1.20",
    "transformations": [
        {"id": "lines", "type": "legacy_source"},
        {"id": "by", "type": "key_by", "inputs": ["lines"], "keys": ["a"]},
        {"id": "count", "type": "keyed_process", "inputs": ["by"], "uid": "count"},
        {"id": "out", "type": "sink", "inputs": ["count"]},
    ],
}


def rehearsal() -> Rehearsal:
    done = compile_graph(PIPELINE)
    (node,) = [one for one in done.stream_graph.nodes if one.uid == "count"]
    states = (
        RehearsedState(name="seen", verdict="restored", entries_read=50),
        RehearsedState(name="total", verdict="refused", error="StateMigrationException: no"),
    )
    operator = RehearsedOperator(
        operator_id=done.hashes[node.id],
        name=node.name,
        uid="count",
        verdict="refused",
        states=states,
        error="StateMigrationException: no",
    )
    return Rehearsal(
        verdict="refused",
        flink_version="1.20.5",
        backend="rocksdb",
        seconds=4.2,
        savepoint="sp-1",
        target="new.jar",
        operators=(operator,),
        unchecked=("Rescaling was not tried.",),
    )


def page_with(content: bytes) -> AppTest:
    page = opened(tab="Restore")
    document = json.dumps(PIPELINE).encode()
    uploader(page).upload("mine.json", document, "application/json").run()
    page.file_uploader[-1].upload("mine.rehearsal.json", content, "application/json").run()
    assert not page.exception
    return page


def test_the_command_that_makes_one_is_offered() -> None:
    page = opened(tab="Restore")

    commands = [one.value for one in page.code if "explorer rehearse" in one.value]
    assert len(commands) == 1
    assert commands[0].endswith(".rehearsal.json")


def test_a_sample_shows_the_rehearsal_of_it() -> None:
    page = opened(tab="Restore")
    page.session_state[Key.WORK] = work_of("17-late-flights-captured")
    page.run()

    assert not page.exception
    assert "Restored from savepoint-late-flights into late-flights.jar." in html(page)
    rows = [row["cells"] for row in sent(page, "Rehearsed operators")["rows"]]
    assert ["delay by carrier", "restored"] in [[row[0], row[2]["text"]] for row in rows]


def test_an_uploaded_rehearsal_is_shown_state_by_state() -> None:
    page = page_with(msgspec.json.encode(rehearsal().to_dict()))

    table: dict[str, Any] = sent(page, "Rehearsed operators")
    cells = [row["cells"] for row in table["rows"]]
    assert "This program cannot go on from the savepoint with Flink 1.20.5" in html(page)
    assert [(row[2]["text"], row[3], row[4]) for row in cells] == [
        ("restored", "seen", "50"),
        ("refused", "total", None),
    ]
    assert all(row["key"] for row in table["rows"])
    assert "Rescaling was not tried." in html(page)
    assert "No operator ID of this rehearsal" not in html(page)


def test_a_rehearsal_of_another_program_is_reported_as_such() -> None:
    other = msgspec.structs.replace(rehearsal(), operators=())

    page = page_with(msgspec.json.encode(other.to_dict()))

    assert "No operator ID of this rehearsal is in the pipeline" in html(page)


def test_an_invalid_file_is_one_sentence() -> None:
    assert "this is no rehearsal" in html(page_with(b"{}"))
