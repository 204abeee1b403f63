"""The kernel of the playground, asked as its page asks: with messages and uploaded bytes."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from explorer import check_restore, compile_graph
from explorer.checks import checking
from explorer.documents import samples
from explorer.documents.text.link_text import DAMAGED
from explorer.locations import sample_folder
from explorer.playground.page_kernel import FIRST, Kernel, sample_menu
from explorer.playground.reports import NO_BASELINE, REPORTS

UPGRADE = sample_folder() / "upgrade"


@pytest.fixture
def kernel() -> Kernel:
    return Kernel()


def upload(kernel: Kernel, path: Path, do: str = "upload") -> dict[str, Any]:
    return send(kernel, path.read_bytes(), path.name, do)


def send(kernel: Kernel, content: bytes, name: str, do: str = "upload") -> dict[str, Any]:
    packed = base64.b64encode(content).decode()
    return kernel.answer({"do": do, "name": name, "content": packed})


def report(kernel: Kernel, name: str) -> dict[str, Any]:
    answer: dict[str, Any] = kernel.answer({"do": "report", "name": name})["report"]
    return answer


def test_it_begins_with_a_sample_and_answers_in_json(kernel: Kernel) -> None:
    answer = json.loads(kernel.answer_text('{"do": "traits", "values": {}}'))
    graph = compile_graph(sample_folder() / f"{FIRST}.yaml")

    assert answer["traits"]["_scene"]["name"] == "Word count"
    assert answer["editor"]["marks"] == []
    cells = [row["cells"] for row in report(kernel, "ids")["table"]["rows"]]
    assert [row[3] for row in cells] == [node.hash for node in graph.view.nodes]


def test_a_toggle_changes_graph_and_text_and_can_be_undone(kernel: Kernel) -> None:
    off = kernel.answer({"do": "chaining", "value": False})
    assert off["traits"]["_scene"]["counts"] == "Flink 2.3 · 5 operators · 5 tasks · 2 slots"
    assert "chaining: false" in off["editor"]["text"]

    undone = kernel.answer({"do": "undo"})
    assert "3 tasks" in undone["traits"]["_scene"]["counts"]
    assert "chaining" not in undone["editor"]["text"]


def test_typed_text_is_compiled_and_its_fault_marked_while_the_graph_stays(kernel: Kernel) -> None:
    text = kernel.answer({"do": "sample", "key": "02-a-to-e"})["editor"]["text"]
    faulty = kernel.answer(
        {"do": "type", "text": text.replace("parallelism", "paralelism"), "serial": 1}
    )
    (mark,) = faulty["editor"]["marks"]
    assert (mark["path"], "did you mean 'parallelism'" in mark["text"]) == (
        "environment.paralelism",
        True,
    )
    assert "5 operators" in faulty["traits"]["_scene"]["counts"]

    typed = kernel.answer({"do": "type", "text": f"# mine\n{text}", "serial": 2})
    assert typed["editor"]["marks"] == []
    edited = kernel.answer({"do": "chaining", "value": False})
    assert edited["editor"]["text"].startswith("# mine\n")


def test_check_says_which_rule_is_not_asked(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "not asked" not in report(kernel, "check")["sentence"]
    monkeypatch.setattr(checking, "find_spec", lambda _name: None)
    assert "(RW01 is not asked here: it needs sqlglot.)" in report(kernel, "check")["sentence"]


def test_steps_and_lesson_close_each_other(kernel: Kernel) -> None:
    learning = kernel.answer({"do": "traits", "values": {"learning": True}})["traits"]
    assert learning["_lesson"]["steps"]
    assert learning["_steps"] is None
    playing = kernel.answer({"do": "traits", "values": {"playing": True}})["traits"]
    assert (playing["learning"], playing["_lesson"]) == (False, None)
    assert playing["_steps"]
    assert playing["_scene"]["taught"]
    bare = (sample_folder() / "02-a-to-e.yaml").read_bytes()
    uploaded = send(kernel, bare, "own.yaml")["traits"]
    assert (uploaded["_scene"]["taught"], uploaded["_lesson"]) == (False, None)


def test_a_restore_is_judged_from_a_document_and_from_metadata(kernel: Kernel) -> None:
    upload(kernel, UPGRADE / "orders-2.json")
    assert report(kernel, "restore") == {"name": "restore", "sentence": NO_BASELINE}

    metadata = UPGRADE / "savepoint" / "_metadata"
    for path in (UPGRADE / "orders-1.json", metadata):
        assert upload(kernel, path, "baseline")["baseline"] == path.name
        old = metadata.read_bytes() if path == metadata else path
        verdict = check_restore(old, UPGRADE / "orders-2.json")
        shown = report(kernel, "restore")
        assert verdict.error is not None
        assert "refuses" in shown["sentence"]
        assert verdict.error in shown["text"]
        assert "Do not deploy" in report(kernel, "plan")["page"]
    assert kernel.answer({"do": "forget"})["baseline"] is None


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_has_a_table_a_text_or_a_page(kernel: Kernel, name: str) -> None:
    kernel.answer({"do": "baseline", "current": True})
    assert {"table", "text", "page"} & report(kernel, name).keys()


def test_a_link_holds_the_document(kernel: Kernel) -> None:
    changed = kernel.answer({"do": "release", "value": "1.13"})
    link = kernel.answer({"do": "link"})["link"]
    followed = Kernel().answer({"do": "follow", "link": link})
    assert followed["traits"]["_scene"]["counts"] == changed["traits"]["_scene"]["counts"]
    assert DAMAGED in Kernel().answer({"do": "follow", "link": "zz"})["traits"]["_scene"]["refused"]


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ({"do": "sample", "key": "no"}, "there is no such sample"),
        ({"do": "upload", "name": "a.yaml", "content": "!"}, "cut off"),
        ({"do": "report", "name": "no"}, "reload the page"),
        ({"do": "nothing"}, "something that there is not"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(
    kernel: Kernel, message: dict[str, Any], sentence: str
) -> None:
    assert sentence in kernel.answer(message)["traits"]["_scene"]["refused"]


def test_a_broken_upload_leaves_the_program_as_it_was(kernel: Kernel) -> None:
    for content in (b"transformations: [", b"PK\x03\x04", b"\xff\xfe\x00", b""):
        scene = send(kernel, content, "broken.yaml")["traits"]["_scene"]
        assert scene["refused"]
        assert "a bug of the explorer" not in scene["refused"]
        assert scene["name"] == "Word count"


@pytest.mark.parametrize(
    ("ending", "begins"),
    [("svg", "<svg"), ("html", "<!doctype html>"), ("mermaid", "flowchart"), ("dot", "digraph")],
)
def test_a_picture_is_a_file(kernel: Kernel, ending: str, begins: str) -> None:
    file = kernel.answer({"do": "picture", "ending": ending})["file"]
    assert file["text"].startswith(begins)
    assert file["name"].startswith("word-count.")


def test_the_menu_has_every_sample_once() -> None:
    keys = [entry["key"] for group in sample_menu() for entry in group["entries"]]
    assert sorted(keys) == sorted(sample.key for sample in samples())
