"""The tabs below the graphs, run by AppTest: steps, execution graph, comparison, found IDs."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.session.keys import Key
from components.session.work import selected
from components.widgets.table import NONE
from explorer import compile_graph
from explorer.documents import samples
from explorer.running.execution import size
from tests.pages.opened import all_sent, drawn, html, opened, sent, uploader, with_graphs

SAMPLES = [sample.key for sample in samples()]
RESTORE = (
    "java.lang.IllegalStateException: Failed to rollback to checkpoint/savepoint file:/tmp/sp-1. "
    "Cannot map checkpoint/savepoint state for operator {id} to the new program, because the "
    "operator is not available in the new program."
)


def uploaded(tab: str, document: dict[str, Any]) -> AppTest:
    page = opened(tab=tab)
    content = json.dumps(document).encode()
    uploader(page).upload("mine.json", content, "application/json").run()
    assert not page.exception
    return page


def chosen(page: AppTest, label: str, value: str) -> AppTest:
    next(box for box in page.selectbox if box.label == label).select(value).run()
    assert not page.exception
    return page


def sent_to(page: AppTest) -> list[str]:
    """The labels of all components."""
    return [str(each.get("label")) for each in all_sent(page)]


@pytest.mark.law
@pytest.mark.parametrize("sample", SAMPLES)
def test_every_sample_can_be_stepped_through(sample: str) -> None:
    page = opened(tab="Steps", sample=sample)
    steps = sent(page, "Steps")["steps"]

    made = {f"v{step['vertex']}" for step in steps if "vertex" in step}
    assert made == set(drawn(page, "job"))
    hashed = {f"n{step['node']}" for step in steps if step.get("hashed")}
    assert hashed == set(drawn(page, "stream"))
    assert next(step["number"] for step in steps if step["part"] == "hashing") == 1
    assert "Operator IDs" not in sent_to(page)


@pytest.mark.law
@pytest.mark.parametrize("sample", SAMPLES)
def test_every_sample_has_its_execution_graph(sample: str) -> None:
    page = opened(tab="Execution graph", sample=sample)
    path = next(each.path for each in samples() if each.key == sample)
    graph = compile_graph(path, iterations_before=0).execution_graph

    assert f"<bdi>{size(graph)}</bdi>" in html(page)
    assert 'alt="Subtasks and channels"' in html(page)
    page.session_state[Key.EXECUTION_VIEW] = "Tasks"
    page.run()
    assert len(sent(page, "Tasks")["rows"]) == len(graph.vertices)
    page.session_state[Key.EXECUTION_VIEW] = "Edges"
    page.run()
    assert len(sent(page, "Edges")["rows"]) == len(graph.edges)
    page.session_state[Key.EXECUTION_VIEW] = "Subtasks"
    page.run()
    assert len(sent(page, "Subtasks")["rows"]) == graph.counts.subtasks


@pytest.mark.law
@pytest.mark.parametrize("sample", SAMPLES)
def test_every_sample_is_compared_with_itself_under_another_release(sample: str) -> None:
    page = opened(tab="Compare", sample=sample)
    chosen(page, "From release", "1.9")

    assert 'class="x-outcome"' in html(page)
    switches = sent(page, "Differences of the releases")["rows"]
    assert switches[0]["cells"][0] == "1.10"
    assert switches[-1]["key"] is None
    issues = [row["cells"][-1] for row in switches]
    assert NONE in issues
    assert "FLINK-17653" in issues


@pytest.mark.slow
def test_a_large_graph_shows_how_many_operators_can_be_stepped_through() -> None:
    line: list[dict[str, Any]] = [{"id": "m0", "type": "source"}]
    line += [{"id": f"m{n}", "type": "map", "inputs": [f"m{n - 1}"]} for n in range(1, 2002)]
    page = uploaded("Steps", {"transformations": line})

    assert "2,002 operators are too many to play as steps; the limit is 2,000." in html(page)
    assert "Steps" not in sent_to(page)


@pytest.mark.slow
def test_a_hundred_million_edges_are_counted_and_subtasks_are_windowed() -> None:
    wide = {
        "transformations": [
            {"id": "a", "type": "source", "parallelism": 10_000},
            {"id": "k", "type": "rebalance", "inputs": ["a"]},
            {"id": "b", "type": "map", "inputs": ["k"], "parallelism": 10_000},
        ]
    }
    page = uploaded("Execution graph", wide)
    assert "100,000,000 edges" in html(page)

    page.session_state[Key.EXECUTION_VIEW] = "Subtasks"
    page.run()
    assert sent(page, "Subtasks")["note"] == "1,000 of 20,000 subtasks"
    next(box for box in page.number_input if box.label == "from subtask").set_value(9_999).run()
    names = [row["cells"][0]["text"] for row in sent(page, "Subtasks")["rows"]]
    assert [name.rpartition(" ")[2] for name in names] == ["(9999/10000)", "(10000/10000)"] * 2


def test_the_subtasks_of_a_selected_vertex_are_drawn_alone() -> None:
    page = opened(tab="Execution graph")
    page.session_state[Key.EXECUTION_VIEW] = "Subtasks"
    page.session_state[Key.WORK] = selected(page.session_state[Key.WORK], "v2")
    page.run()

    names = [row["cells"][0]["text"] for row in sent(page, "Subtasks")["rows"]]
    assert names == ["words -> ones (1/2)", "words -> ones (2/2)"]


def test_more_subtasks_than_the_maximum_allows_are_refused_in_a_sentence() -> None:
    line = {
        "transformations": [
            {"id": "a", "type": "source"},
            {"id": "b", "type": "map", "inputs": ["a"], "parallelism": 9},
        ]
    }
    graph = compile_graph(line).to_dict()["stream_graph"]
    graph["nodes"][-1]["max_parallelism"] = 4
    page = uploaded("Execution graph", {"stream_graph": graph})

    assert "is higher than the max parallelism (4)" in html(page)
    assert "Tasks" not in sent_to(page)


@pytest.mark.slow
def test_an_edited_document_is_compared_with_the_opened_one() -> None:
    page = opened(tab="Compare")
    toggle = next(each for each in page.toggle if each.label == "Chaining")
    toggle.set_value(False).run()
    chosen(page, "From", "the original version")

    assert "3 tasks → 5" in html(page)
    rows = sent(page, "Changed operators")["rows"]
    assert any(isinstance(cell, dict) and "old" in cell for row in rows for cell in row["cells"])
    assert {row["key"] for row in rows} == {"n1", "n2", "n3", "n5", "n6"}


def test_a_document_is_compared_with_another_sample() -> None:
    page = chosen(opened(tab="Compare"), "From", "02-a-to-e")

    verdicts = {row["cells"][0]["text"] for row in sent(page, "Changed operators")["rows"]}
    assert verdicts == {"removed", "new"}


@pytest.mark.slow
def test_a_document_is_compared_with_an_upload_and_an_invalid_file_is_refused() -> None:
    page = chosen(opened(tab="Compare"), "From", "an upload")
    assert "Changed operators" not in sent_to(page)
    box = next(each for each in page.file_uploader if "compare" in each.label)
    box.upload("broken.yaml", b"transformations: [{id: a, type: mapp}]", "application/yaml").run()
    assert "did you mean &#x27;map&#x27;" in html(page)

    path = next(each.path for each in samples() if each.key == "01-word-count")
    box = next(each for each in page.file_uploader if "compare" in each.label)
    box.upload("same.yaml", path.read_bytes(), "application/yaml").run()
    assert "Nothing changes: same tasks, same IDs, same names." in html(page)


def test_a_refusal_of_one_release_is_reported_where_the_other_compiles() -> None:
    page = opened(tab="Compare", sample="11-multi-input")
    chosen(page, "From release", "1.9")

    assert "Only one of them compiles." in html(page)
    assert "Flink 1.9 has no &#x27;source&#x27;" in html(page)


def test_a_document_that_its_release_refuses_can_still_be_compared() -> None:
    page = opened(tab="Compare", sample="11-multi-input")
    chosen(page, "Flink release", "1.9")
    assert sent(with_graphs(page), "graphs")["stale"]

    assert "Only one of them compiles." in html(page)


def asked(page: AppTest, text: str) -> AppTest:
    page.text_area(key=Key.ASKED).set_value(text)
    next(each for each in page.button if each.label == "Find").click().run()
    assert not page.exception
    return page


@pytest.mark.slow
def test_an_error_message_selects_the_operator_that_it_names() -> None:
    page = opened(tab="Find ID")
    asked(page, RESTORE.format(id="20ba6b65f97481d5570070de90e4e791"))

    assert sent(page, "graphs")["selection"] == "n2"
    (row,) = sent(page, "Found")["rows"]
    assert row["cells"][0] == "words"
    assert "Flink 1.12 to 2.3" in row["cells"][1]


@pytest.mark.slow
def test_a_selection_does_not_drop_what_is_reported_of_the_address() -> None:
    page = opened(sample="nope", tab="Find ID")
    asked(page, RESTORE.format(id="e6d2d3fa73bb1969bec8dbd493924e43"))

    assert sent(page, "graphs")["selection"] == "n1"
    assert "There is no sample" in html(page)
    next(toggle for toggle in page.toggle if toggle.label == "Chaining").set_value(False).run()
    assert "There is no sample" not in html(page)


def test_several_ids_are_listed_and_one_is_picked() -> None:
    page = asked(opened(tab="Find ID"), "bc764cd8 and c09dc291 and 12345678")

    rows = sent(page, "Found")["rows"]
    assert [row["key"] for row in rows] == ["n1", "n3"]
    assert sent(page, "graphs")["selection"] is None
    assert "No ID of this pipeline begins with 12345678" in html(page)


def test_a_text_without_an_id_and_one_of_markup_are_only_text() -> None:
    page = asked(opened(tab="Find ID"), "<img src=x onerror=alert(1)>")

    assert "There is no ID in this text" in html(page)
    assert "<img" not in html(page)


def test_the_inside_of_a_task_is_drawn_with_a_step_for_all_that_lights_it() -> None:
    page = opened(tab="Task internals", sample=next(one for one in SAMPLES if "diamond" in one))
    player = sent(page, "Steps")
    keys = {box["key"] for box in player["picture"]["boxes"]}

    assert {key for step in player["steps"] for key in step["highlighted"]} <= keys | {"in"}
    assert player["steps"][0]["title"] == "make network output 0"
    assert "SourceStreamTask" in player["note"]
    written = [row["cells"][1] for row in sent(page, "StreamConfig")["rows"]]
    assert "chainedTaskConfig_" in written
    assert "vertexNonChainedOutputs" in written
