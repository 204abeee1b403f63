"""The savepoint tab, run by AppTest: a real cluster's metadata, and what is said of it."""

import base64
import json
from typing import Any

from streamlit.testing.v1 import AppTest

from tests.golden_files import cases
from tests.pages.opened import html, opened, sent

CASE: dict[str, Any] = next(cases("restores"))
METADATA = base64.b64decode(CASE["flink"][1]["metadata"])


def with_savepoint(pipeline: str, content: bytes = METADATA) -> AppTest:
    page = opened(tab="Savepoint")
    document = json.dumps({**CASE[pipeline], "flink": "2.2"}).encode()
    page.file_uploader[0].upload("mine.json", document, "application/json").run()
    page.file_uploader[1].upload("_metadata", content).run()
    assert not page.exception
    return page


def test_a_savepoint_of_this_pipeline_restores() -> None:
    page = with_savepoint("old")

    rows = {row["cells"][1]: row["cells"] for row in sent(page, "Saved state")["rows"]}
    assert "Flink 2.2 restores this pipeline." in html(page)
    assert rows["0f059a5c7899bfb760eef84d65cf4d49"][2] == "Keyed Reduce, by its generated ID"
    assert rows["0f059a5c7899bfb760eef84d65cf4d49"][0]["text"] == "restored"


def test_a_savepoint_of_an_older_version_is_refused_in_flinks_words() -> None:
    page = with_savepoint("new")

    assert "Cannot map checkpoint/savepoint state for operator" in html(page)
    page.toggle(key="allow-non-restored").set_value(True).run()
    assert "dropping the state of 1 operator" in html(page)


def test_nonsense_gets_a_sentence_and_the_document_stays() -> None:
    page = with_savepoint("old", b"transformations: []")

    assert "this is no savepoint" in html(page)
    assert len(sent(page, "graphs")["stream"]["cards"]) == len(
        [
            one
            for one in CASE["old"]["transformations"]
            if one["type"] not in {"key_by", "partition_custom"}
        ]
    )
