"""The whole page, run by AppTest: every sample, every kind of selection, every edit."""

import json
import re
import traceback
from collections import defaultdict
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from msgspec.structs import replace
from streamlit.testing.v1 import AppTest

import components
from components import graph
from components.explore.detail.node import EDITED
from components.session import link, session, visits
from components.session.compiled import compile_document
from components.session.keys import Key
from components.session.work import Work
from components.session.work import opened as opened_work
from components.widgets.pieces import fields
from explorer import compile_graph
from explorer.documents import (
    StreamGraphDocument,
    dump_json,
    load_document,
    parse_document,
    samples,
)
from explorer.drawing.html.page_facts import page_facts
from explorer.model.pipeline import Pipeline
from explorer.model.stream_graph import NodeId
from tests.pages.opened import drawn, html, opened, sent, uploader
from tests.strategies import NAUGHTY

SAMPLES = [sample.key for sample in samples()]
STREAM_GRAPHS = ("15-hourly-delays", "16-airport-report", "17-late-flights-captured")
"""Those that hold a StreamGraph in place of a pipeline."""


def work_of(sample: str) -> Work:
    found = next(each for each in samples() if each.key == sample)
    return opened_work(load_document(found.path), sample)


def line() -> Work:
    """A source with a sink behind it."""
    sink = {"id": "out", "type": "sink", "inputs": ["numbers"]}
    transformations = [{"id": "numbers", "type": "source"}, sink]
    return opened_work(load_document({"transformations": transformations}), "line.yaml")


def shown(work: Work, selection: str | None = None) -> AppTest:
    """The page with a document and a selection, as a link brings them."""
    text = link.to_link(replace(work, selection=selection))
    assert text is not None
    return opened(**{link.PARAMETER: text})


def current(page: AppTest) -> Work:
    work = page.session_state[Key.WORK]
    assert isinstance(work, Work)
    return work


def widget(page: AppTest, name: str) -> str:
    return current(page).widget(name)


def uploaded(name: str, content: bytes) -> AppTest:
    page = opened()
    page.file_uploader[0].upload(name, content, "application/yaml").run()
    assert not page.exception
    return page


@pytest.mark.law
@pytest.mark.parametrize("sample", SAMPLES)
def test_every_sample_is_drawn_with_every_kind_of_selection(sample: str) -> None:
    work = work_of(sample)
    view = compile_document(work.document).view
    assert view is not None
    cut = next((edge.key for edge in view.edges if not edge.chained), view.edges[0].key)
    keys = [None, view.nodes[-1].key, cut, view.vertices[0].key]
    keys += [edge.key for edge in view.job_edges[:1]]

    for key in keys:
        page = shown(work, key)
        assert sent(page, "graphs")["selection"] == key
        assert set(drawn(page, "stream")) == set(view.node_of)
        assert set(drawn(page, "job")) == set(view.vertex_of)
        assert len(sent(page, "Operator IDs")["rows"]) == len(view.nodes)
        assert not page.error


def transformations_by_type() -> dict[str, list[tuple[str, str]]]:
    """By type of a transformation its first two, as sample and ID, in different samples."""
    firsts: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for sample in SAMPLES:
        pipeline = work_of(sample).document.pipeline
        for one in pipeline.transformations if pipeline else ():
            firsts[one.type].setdefault(sample, one.id)
    return {type: list(ids.items())[:2] for type, ids in firsts.items()}


@pytest.mark.law
@pytest.mark.parametrize("type", FORMS := transformations_by_type())
def test_every_type_of_transformation_has_its_form(type: str) -> None:
    for sample, id in FORMS[type]:
        page = shown(work_of(sample), f"t:{id}")
        assert page.text_input(key=widget(page, f"{id}.id")).value == id


@pytest.mark.slow
@pytest.mark.parametrize("sample", STREAM_GRAPHS)
def test_operators_of_a_stream_graph_document_have_a_form(sample: str) -> None:
    document = work_of(sample).document
    assert isinstance(document, StreamGraphDocument)
    for node in document.stream_graph.nodes[::3]:
        page = shown(work_of(sample), f"n{node.id}")
        assert page.text_input(key=widget(page, f"#{node.id}.name")).value == node.name


def test_the_panel_shows_what_the_standalone_page_shows() -> None:
    work = work_of("01-word-count")
    done = compile_document(work.document)
    assert done.compilation is not None
    assert done.view is not None
    parts = page_facts(done.compilation, done.view)["parts"]
    cut = next(edge.key for edge in done.view.edges if not edge.chained)

    for key in (done.view.nodes[1].key, done.view.vertices[0].key, cut):
        reported = html(shown(work, key))
        for name, value in parts[key]["rows"]:
            if name in {"type", "transformation", *EDITED} or name[-1].isdigit():
                continue  # they stand in the heading, in the form and in a list
            (row,) = re.findall("<dt.*</dd>", fields([(name, value)]))
            assert row in reported


@pytest.mark.slow
def test_a_field_is_changed_and_the_change_is_undone() -> None:
    page = shown(work_of("01-word-count"), "n3")
    before = sent(page, "Operator IDs")["rows"][2]["cells"]
    page.text_input(key=widget(page, "ones.uid")).set_value("mine").run()
    row = sent(page, "Operator IDs")["rows"][2]["cells"]

    assert row[2] == "mine"
    assert row[3]["old"] == before[3]
    assert row[6]["text"].startswith("ID changed")
    assert current(page).selection == "n3"
    page.button(key="undo").click().run()
    assert sent(page, "Operator IDs")["rows"][2]["cells"] == before


@pytest.mark.slow
def test_a_browser_that_still_reports_the_fields_of_another_selection_edits_nothing() -> None:
    page = shown(work_of("02-a-to-e"), "n1")
    late_states, document = page._tree.get_widget_states(), current(page).document
    # A browser reports a button once, when it is clicked.
    for state in [
        state for state in late_states.widgets if state.WhichOneof("value") == "trigger_value"
    ]:
        late_states.widgets.remove(state)
    assert late_states.widgets
    for selection in (None, "n4"):
        page.session_state[Key.WORK] = replace(current(page), selection=selection)
        page.run()
        page._run(late_states)
        assert not page.exception
        assert current(page).document is document


@pytest.mark.slow
def test_a_refused_value_is_replaced_by_the_one_in_force_below_its_error() -> None:
    page = shown(work_of("01-word-count"), "n3")
    document = current(page).document
    page.number_input(key=widget(page, "ones.parallelism")).set_value(40_000).run()

    assert page.number_input(key=widget(page, "ones.parallelism")).value == 2
    assert "transformations[2].parallelism" in html(page)
    page.text_input(key=widget(page, "ones.id")).set_value("words").run()
    assert page.text_input(key=widget(page, "ones.id")).value == "ones"
    assert html(page).count("x-complaint") == 1
    assert current(page).document is document

    # Several lines are a draft to correct.
    page.text_area(key=widget(page, "ones.select")).set_value("no colon here").run()
    assert page.text_area(key=widget(page, "ones.select")).value == "no colon here"
    assert "write each line as" in html(page)
    page.text_input(key=widget(page, "ones.uid")).set_value("mine").run()
    assert page.text_area(key=widget(page, "ones.select")).value == "word: word\nn: 1"
    assert "x-complaint" not in html(page)


def test_a_program_has_its_command_to_copy_and_a_samples_lesson_opens_the_sample() -> None:
    page = uploaded("my job.jar", b"PK")
    command = "python -m explorer capture &#x27;my job.jar&#x27; --out job.json"
    assert f'data-copy="{command}"' in html(page)

    path = next(sample.path for sample in samples() if sample.key == "02-a-to-e")
    lesson = path.with_name("02-a-to-e.lesson.yaml")
    page.file_uploader[0].upload(lesson.name, lesson.read_bytes()).run()
    assert current(page).origin == "02-a-to-e"
    assert page.session_state[Key.TABS] == "Lesson"
    assert "x-complaint" not in html(page)


@pytest.mark.slow
def test_an_opened_file_of_rows_is_offered_to_the_sources() -> None:
    page = uploaded("mine.csv", b"a,b\n1,2\n")
    assert page.session_state[Key.TABS] == "Local run"
    page.button(key="use.mine.csv.lines").click().run()
    document = current(page).document
    assert isinstance(document, Pipeline)
    source = document.transformation("lines").rows
    assert source is not None
    assert source.path == "mine.csv"

    captured = shown(work_of("16-airport-report"), "n1")
    uploader(captured).upload("mine.csv", b"a,b\n1,2\n", "text/csv").run()
    assert "only the sources of a pipeline read" in html(captured)


@pytest.mark.slow
def test_a_value_that_flink_refuses_stays_in_its_field_with_the_error_next_to_it() -> None:
    page = shown(work_of("01-word-count"), "n3")
    page.text_input(key=widget(page, "ones.uid")).set_value("twice").run()
    page = shown(current(page), "n2")
    page.text_input(key=widget(page, "words.uid")).set_value("twice").run()

    assert current(page).place == "words.uid"
    assert page.text_input(key=widget(page, "words.uid")).value == "twice"
    assert html(page).count("x-complaint") == 1
    page.text_input(key=widget(page, "words.name")).set_value("other").run()
    assert current(page).place == "words.uid"
    page.text_input(key=widget(page, "words.uid")).set_value("once").run()
    assert current(page).place == ""
    assert "x-complaint" not in html(page)
    assert current(page).selection == "n2"


@pytest.mark.slow
def test_an_operator_of_a_plan_that_flink_refuses_still_has_a_form() -> None:
    compiled = compile_document(work_of("01-word-count").document).compilation
    assert compiled is not None
    document = StreamGraphDocument(flink="1.20", stream_graph=compiled.stream_graph)
    page = shown(opened_work(document, "plan"), "n3")
    page.text_input(key=widget(page, "#3.uid")).set_value("twice").run()
    page = shown(current(page), "n2")
    page.text_input(key=widget(page, "#2.uid")).set_value("twice").run()

    assert "x-refused" in html(page)
    assert page.text_input(key=widget(page, "#2.uid")).value == "twice"
    assert html(page).count("x-complaint") == 1


def test_structured_fields_are_read_as_the_document_writes_them() -> None:
    page = shown(work_of("01-word-count"), "n1")
    rows = page.text_area(key=widget(page, "lines.rows"))
    assert "path: " in str(rows.value)
    rows.set_value("sequence: {from: 1, to: 10}").run()
    document = current(page).document
    assert isinstance(document, Pipeline)
    source = document.transformation("lines").rows

    assert source is not None
    assert source.sequence is not None
    assert source.sequence.last == 10


def test_a_strategy_toggle_restores_the_operators_own() -> None:
    page = shown(work_of("01-word-count"), "n3")
    key = widget(page, "ones.chaining_strategy")
    page.segmented_control(key=key).set_value("NEVER").run()
    assert len(drawn(page, "job")) == 4
    page.segmented_control(key=key).set_value("ALWAYS").run()
    document = current(page).document

    assert isinstance(document, Pipeline)
    assert document.transformation("ones").chaining_strategy is None
    assert len(drawn(page, "job")) == 3


def test_chaining_is_turned_off_and_another_release_is_chosen() -> None:
    page = opened()
    page.toggle(key=widget(page, Key.CHAINING)).set_value(False).run()
    assert len(drawn(page, "job")) == 5
    page.selectbox(key=widget(page, Key.FLINK)).set_value("1.13").run()

    assert current(page).document.flink == "1.13"
    assert not page.exception


def test_an_edge_gets_its_own_partitioner_and_a_fix_removes_it() -> None:
    page = shown(work_of("01-word-count"), "e1")
    page.selectbox(key=widget(page, "words>ones.partitioner")).set_value("SHUFFLE").run()
    assert len(drawn(page, "job")) == 4
    fixes = [button for button in page.button if "partitioner" in button.label]
    fixes[0].click().run()

    assert len(drawn(page, "job")) == 3
    assert "Chained" in html(page)


def test_a_partitioner_that_flink_refuses_has_the_reason_in_the_panel() -> None:
    page = shown(work_of("01-word-count"), "e0")
    page.selectbox(key=widget(page, "lines>words.partitioner")).set_value("FORWARD").run()
    assert html(page).count("x-complaint") == 1
    assert "Forward partitioning does not allow change of parallelism" in html(page)

    page.button(key="undo").click().run()
    assert "x-complaint" not in html(page)


@pytest.mark.slow
def test_a_transformation_is_added_renamed_and_deleted() -> None:
    page = shown(line())
    page.button(key="add").click().run()
    page.selectbox(key="add.type").set_value("filter").run()
    page.button(key="add.do").click().run()
    assert "filter" in sent(page, "graphs")["stream"]["names"].values()

    page.button(key="add").click().run()
    page.selectbox(key="add.type").set_value("filter").run()
    assert page.text_input(key="add.filter.id").value == "filter-2"
    page.text_input(key=widget(page, "filter.id")).set_value("even").run()
    document = current(page).document
    assert isinstance(document, Pipeline)
    assert document.transformations[-1].id == "even"
    page.button(key="delete").click().run()
    assert len(drawn(page, "stream")) == 2


@pytest.mark.slow
def test_an_id_in_use_is_refused_in_the_dialog() -> None:
    page = shown(line())
    page.button(key="add").click().run()
    page.selectbox(key="add.type").set_value("map").run()
    page.text_input(key="add.map.id").set_value("out")
    page.button(key="add.do").click().run()

    assert "already" in html(page)
    assert len(drawn(page, "stream")) == 2


def test_an_input_that_others_read_cannot_be_deleted_without_a_replacement() -> None:
    page = shown(line(), "n1")
    page.button(key="delete").click().run()

    assert "cannot be deleted" in html(page)


BAD: list[tuple[str, bytes, str]] = [
    ("a.yaml", b"transformations: [{id: a, type: nothing}]", "nothing"),
    ("a.yaml", b"transformations: [{id: a, type: map, inputs: [b]}]", "inputs"),
    ("a.yaml", b"transformations: [{id: a, type: source, parallelism: 0}]", "parallelism"),
    ("my job.jar", b"PK", "capture &#x27;my job.jar&#x27; --out job.json"),
    ("queries.sql", b"SELECT 1", "capture queries.sql --out job.json"),
    ("a.yaml", b"transformations: [{id: a", "YAML"),
    ("a.json", b"{", "JSON"),
    ("a.json", b"\xff\xfe\x00", "UTF-8"),
    ("a.yaml", b"", "empty"),
    ("a.yaml", b"x" * (5 * 1024 * 1024 + 1), "larger than 5 MB"),
    (
        "a.json",
        json.dumps(
            {"transformations": [{"id": str(n), "type": "source"} for n in range(20_001)]}
        ).encode(),
        "20,001",
    ),
    (
        "bomb.yaml",
        b"a: &a [1,1,1,1,1,1,1,1,1,1]\n"
        + b"".join(
            b"%c: &%c [%s]\n" % (n, n, b",".join([b"*%c" % (n - 1)] * 10))
            for n in range(ord("b"), ord("k"))
        ),
        "",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "content", "said"), BAD)
def test_a_bad_upload_is_reported_in_one_sentence_and_changes_nothing(
    name: str, content: bytes, said: str
) -> None:
    page = uploaded(name, content)

    alerts = [text for text in html(page).split("\n") if 'role="alert"' in text]
    assert len(alerts) == 1
    assert said in alerts[0]
    assert "Traceback" not in html(page)
    assert current(page).origin == "01-word-count"


@pytest.mark.slow
def test_a_pipeline_that_flink_refuses_is_open_with_the_reason_and_can_be_fixed() -> None:
    page = uploaded(
        "forward.yaml",
        b"""
transformations:
  - {id: s, type: source, parallelism: 2}
  - {id: f, type: forward, inputs: [s]}
  - {id: m, type: map, inputs: [f], parallelism: 4}
""",
    )
    assert "Forward partitioning does not allow change of parallelism" in html(page)
    rows = sent(page, "Transformations")["rows"]
    assert [row["cells"][0]["tone"] for row in rows] == ["bad", "mute", "bad"]
    assert [row["cells"][0]["text"] for row in rows] == ["s · source", "f · forward", "m · map"]
    assert {row["cells"][1]["text"] for row in rows} == {""}
    page = shown(current(page), "t:m")
    page.number_input(key=widget(page, "m.parallelism")).set_value(2).run()

    assert "x-refused" not in html(page)
    assert len(drawn(page, "stream")) == 2


def test_a_stream_graph_document_is_shown_though_its_program_is_unknown() -> None:
    compiled = compile_document(work_of("01-word-count").document).compilation
    assert compiled is not None
    content = json.dumps({"stream_graph": compiled.to_dict()["stream_graph"], "flink": "1.20"})
    page = uploaded("graph.json", content.encode())

    assert len(drawn(page, "stream")) == 5
    assert "So operators cannot be added, removed or connected" in html(page)
    page.toggle(key=widget(page, Key.CHAINING)).set_value(False).run()
    assert len(drawn(page, "job")) == 5


@pytest.mark.law
@pytest.mark.parametrize("name", NAUGHTY, ids=range(len(NAUGHTY)))
def test_a_name_is_never_read_as_markup(name: str) -> None:
    document = {
        "name": name,
        "title": name,
        "teaches": name,
        "transformations": [
            {"id": "s", "type": "source", "name": name, "uid": name[:100]},
            {"id": "r", "type": "rebalance", "inputs": ["s"]},
            {"id": name[:150], "type": "sink", "inputs": ["r"], "name": name},
        ],
    }
    work = opened_work(parse_document(json.dumps(document)), "")
    # A name without a tag is shown once, since it can only break what it is written into.
    selections = (None, "e0", "n3", "v1") if "<" in name else ()
    for selection in (*selections, f"t:{name[:150]}"):
        page = shown(work, selection)
        for text in html(page).split("\n"):
            assert "<script" not in text
            assert "<img" not in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("up", "down", "around"),
    [(1, 0, ["e1", "n2", "v2"]), (1, 1, ["e1", "e2", "j1", "n2", "n5", "v2", "v3"])],
)
def test_what_a_selection_reaches_is_highlighted_with_its_counterparts(
    up: int, down: int, around: list[str]
) -> None:
    page = shown(replace(work_of("01-word-count"), selection="n3", reach=(up, down)), "n3")

    assert sent(page, "graphs")["around"] == around


@pytest.mark.slow
def test_an_address_that_names_its_state_by_the_other_name_opens_it() -> None:
    work = work_of("02-a-to-e")
    text = link.to_link(work)
    assert text is not None

    assert current(opened(**{link.OTHER: text})).document == work.document


@pytest.mark.slow
def test_a_document_too_long_for_a_link_is_reported_and_offered_as_a_file() -> None:
    many: list[dict[str, Any]] = [
        {"id": f"{n * n * 7919:x}", "type": "source", "uid": f"{n * n * 104729 + n:x}"}
        for n in range(1, 400)
    ]
    many += [{"id": f"o{n}", "type": "sink", "inputs": [one["id"]]} for n, one in enumerate(many)]
    page = uploaded("many.json", json.dumps({"transformations": many}).encode())

    assert sent(page, "graphs")["folded"]
    page.session_state[Key.SHARE] = True
    assert "too large for a link" in html(page.run())


@pytest.mark.law
def test_a_large_graph_asks_before_it_is_drawn() -> None:
    many: list[dict[str, Any]] = [{"id": f"s{n}", "type": "source"} for n in range(3100)]
    many += [{"id": f"o{n}", "type": "sink", "inputs": [f"s{n}"]} for n in range(3100)]
    page = uploaded("many.json", json.dumps({"transformations": many}).encode())
    with pytest.raises(AssertionError, match="nothing was sent to graphs"):
        sent(page, "graphs")
    assert len(sent(page, "Operator IDs")["rows"]) == 1000
    page.button(key="draw").click().run()

    assert len(drawn(page, "stream")) == 3100


@pytest.mark.law
def test_a_large_graph_that_was_unfolded_can_be_folded_again() -> None:
    line: list[dict[str, Any]] = [{"id": "o0", "type": "source"}]
    line += [{"id": f"o{n}", "type": "map", "inputs": [f"o{n - 1}"]} for n in range(1, 3100)]
    page = uploaded("line.json", json.dumps({"transformations": line}).encode())
    page.session_state[Key.WORK] = replace(current(page), folded=False)
    page.run()
    assert "3,100 operators in 1 task: 3,100 cards and 3,099 lines to draw" in html(page)
    page.button(key="refold").click().run()

    assert len(drawn(page, "stream")) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "content", [b"transformations: []", b"transformations: [{id: a, type: source}]"]
)
def test_a_pipeline_without_operators_is_reported_and_can_be_added_to(content: bytes) -> None:
    page = uploaded("empty.yaml", content)

    assert current(page).origin == "empty.yaml"
    assert "No operators defined in streaming topology. Cannot execute." in html(page)
    assert "a source counts once something reads from it" in html(page)
    assert not page.button(key="add").disabled


def step(id_: str, type_: str, *inputs: str) -> dict[str, Any]:
    given = {"inputs": list(inputs)} if inputs else {}
    return {"id": id_, "type": type_, **given}


def doubled(levels: int) -> list[dict[str, Any]]:
    """A source that unions of unions double so many times."""
    unions = [step(f"u{n}", "union", *[f"u{n - 1}" if n else "m"] * 2) for n in range(levels)]
    return [step("m", "source"), *unions, step("o", "sink", f"u{levels - 1}")]


def fanned(many: int) -> list[dict[str, Any]]:
    """So many sources, each read by so many sinks."""
    sources = [step(f"s{n}", "source") for n in range(many)]
    sinks = [step(f"o{n}", "sink", "u") for n in range(many)]
    return [*sources, step("u", "union", *(one["id"] for one in sources)), *sinks]


@pytest.mark.law
def test_a_short_link_that_stands_for_a_million_edges_is_refused() -> None:
    document = json.dumps({"transformations": doubled(20)})
    text = link.to_link(opened_work(parse_document(document), ""))
    assert text is not None
    page = opened(**{link.PARAMETER: text})

    assert len(text) < 400
    assert "stand for more than 80,000 streams" in html(page)


@pytest.mark.law
@pytest.mark.parametrize("transformations", [doubled(15), fanned(142)])
def test_a_document_of_too_many_edges_is_refused(transformations: list[dict[str, Any]]) -> None:
    content = json.dumps({"transformations": transformations}).encode()
    page = uploaded("many.json", content)

    assert "stand for more than 20,000 edges" in html(page)


@pytest.mark.law
@pytest.mark.parametrize(
    ("transformations", "lines", "label"),
    [(doubled(14), 1, "16,384 edges"), (fanned(60), 119, "60 edges")],
)
def test_thousands_of_edges_are_drawn_as_few(
    transformations: list[dict[str, Any]], lines: int, label: str
) -> None:
    content = json.dumps({"transformations": transformations}).encode()
    page = uploaded("many.json", content)

    assert len(drawn(page, "stream", "edge")) == lines
    assert any(label in svg for svg in drawn(page, "stream", "label").values())


@pytest.mark.slow
def test_an_address_that_a_browser_had_before_the_last_answer_undoes_nothing() -> None:
    page = shown(work_of("01-word-count"))
    earlier = page.query_params[link.PARAMETER]
    for count in (3, 4):
        page.selectbox(widget(page, Key.FLINK)).set_value(f"1.1{count}").run()
        # The message of a click that came while the page was still drawn has the address of before.
        page.query_params[link.PARAMETER] = earlier
        page.run()

        assert current(page).document.flink == f"1.1{count}"
        assert page.query_params[link.PARAMETER] != earlier


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", "nonsense", "eNqrVkrO", "AAAA", "💥"])
def test_a_damaged_link_is_reported_and_the_first_sample_opens(text: str) -> None:
    page = opened(**{link.PARAMETER: text})

    assert "This link is damaged" in html(page)
    assert current(page).origin == "01-word-count"


def stream_graph() -> Work:
    compiled = compile_document(work_of("01-word-count").document).compilation
    assert compiled is not None
    text = json.dumps({"stream_graph": compiled.to_dict()["stream_graph"], "flink": "1.20"})
    return opened_work(parse_document(text), "graph.json")


def test_an_operator_of_a_stream_graph_is_filled_in() -> None:
    page = shown(stream_graph(), "n3")
    page.selectbox(key=widget(page, "#3.chaining_strategy")).set_value("NEVER").run()
    assert len(drawn(page, "job")) == 4
    page.text_input(key=widget(page, "#3.uid")).set_value("mine").run()
    assert sent(page, "Operator IDs")["rows"][2]["cells"][2] == "mine"
    page.number_input(key=widget(page, "#3.parallelism")).set_value(0).run()

    assert "must be 1 to 32768" in html(page)
    assert current(page).selection == "n3"


def test_an_edge_of_a_stream_graph_gets_another_partitioner() -> None:
    page = shown(stream_graph(), "e1")
    page.selectbox(key=widget(page, "e1.partitioner")).set_value("RESCALE").run()
    assert len(drawn(page, "job")) == 4

    page = shown(stream_graph(), "e0")
    page.selectbox(key=widget(page, "e0.partitioner")).set_value("FORWARD").run()
    assert "FORWARD needs the same parallelism" in html(page)


def test_an_edge_retains_its_printed_partitioner_until_another_is_chosen() -> None:
    members = json.loads(dump_json(stream_graph().document))
    edge = members["stream_graph"]["edges"][1]
    edge |= {"partitioner": "HASH[seller]", "partitioner_class": "BinaryHashPartitioner"}
    page = shown(opened_work(load_document(members), "graph.json"), "e1")
    box = page.selectbox(key=widget(page, "e1.partitioner"))
    assert (box.value, box.options[:2]) == ("HASH[seller]", ["HASH[seller]", "FORWARD"])

    box.set_value("RESCALE").run()
    box = page.selectbox(key=widget(page, "e1.partitioner"))
    assert (box.value, box.options[0]) == ("RESCALE", "FORWARD")


def test_the_old_id_is_pinned_as_a_uid_hash() -> None:
    page = shown(work_of("01-word-count"), "n3")
    page.segmented_control(key=widget(page, "ones.chaining_strategy")).set_value("NEVER").run()
    old = sent(page, "Operator IDs")["rows"][2]["cells"][3]["old"]
    page.button(key="keep").click().run()
    document = current(page).document

    assert isinstance(document, Pipeline)
    assert document.transformation("ones").uid_hash == old
    assert "is found by its uid hash" in html(page)
    assert sent(page, "Operator IDs")["rows"][2]["cells"][6]["tone"] == "good"


def test_the_old_id_of_a_stream_graphs_operator_is_pinned_too() -> None:
    page = shown(stream_graph(), "n3")
    assert sent(page, "Transformations")["selection"] == "n3"
    page.selectbox(key=widget(page, "#3.chaining_strategy")).set_value("NEVER").run()
    old = sent(page, "Operator IDs")["rows"][2]["cells"][3]["old"]
    page.button(key="keep").click().run()
    document = current(page).document

    assert isinstance(document, StreamGraphDocument)
    assert document.stream_graph.node(NodeId(3)).uid_hash == old


@pytest.mark.slow
def test_a_file_is_added_for_trials_and_one_with_a_strange_name_is_not() -> None:
    page = opened()
    page.session_state[Key.TABS] = "Local run"
    page.run()
    uploader = next(each for each in page.file_uploader if each.label.startswith("Add files"))
    uploader.upload("mine.csv", b"a,b\n1,2\n", "text/csv").run()
    token = page.session_state[Key.VISIT]
    folder = visits._of_this_server().of(token, "").stored[Key.DATA].path

    assert "mine.csv" in html(page)
    assert (folder / "mine.csv").read_bytes() == b"a,b\n1,2\n"
    assert (folder / "flights.csv").exists()
    page.session_state[Key.ERRORS] = {}
    uploader = next(each for each in page.file_uploader if each.label.startswith("Add files"))
    uploader.upload("-rf ..csv", b"", "text/csv").run()
    assert "rename the file" in html(page)


def test_an_option_that_the_release_does_not_know_is_never_silent() -> None:
    document = {
        "flink": "1.12",
        "environment": {"configuration": {"execution.no-such-option": "1"}},
        "transformations": [
            {"id": "s", "type": "source"},
            {"id": "o", "type": "sink", "inputs": ["s"]},
        ],
    }
    page = uploaded("option.json", json.dumps(document).encode())

    assert "1 warning" in html(page)
    assert "execution.no-such-option" in html(page)


LOOP: Final = {
    "flink": "1.20",
    "transformations": [
        {"id": "s", "type": "legacy_source", "parallel": False},
        {"id": "again", "type": "iterate", "inputs": ["s"]},
        {"id": "m", "type": "map", "inputs": ["again"]},
        {"id": "c", "type": "close_iteration", "inputs": ["m"], "iteration": "again"},
    ],
}


@pytest.mark.slow
def test_iterations_are_numbered_alike_however_often_the_page_compiles() -> None:
    cells = []
    for _ in range(2):
        page = uploaded("loop.json", json.dumps(LOOP).encode())
        cells.append([row["cells"][:2] for row in sent(page, "Operator IDs")["rows"]])

    assert cells[0] == cells[1]
    assert any("IterationSource" in str(row) for row in cells[0])


def test_the_head_of_an_iteration_has_no_strategy_to_choose() -> None:
    """Flink gives it none. A StreamGraph shows this operator; a pipeline shows its iteration."""
    graph_alone = {"flink": "1.20", "stream_graph": compile_graph(LOOP).to_dict()["stream_graph"]}
    page = uploaded("loop.json", json.dumps(graph_alone).encode())
    labels = {}
    for name in ("IterationSource", "Map"):
        node = next(row for row in sent(page, "Operator IDs")["rows"] if name in str(row["cells"]))
        page.session_state["work"] = replace(page.session_state["work"], selection=node["key"])
        page.run()
        labels[name] = {field.label for field in (*page.number_input, *page.selectbox)}

    assert "chaining strategy" in labels["Map"]
    assert "chaining strategy" not in labels["IterationSource"]
    assert "parallelism" in labels["IterationSource"]


def test_an_operator_with_a_default_name_shows_its_transformation() -> None:
    document = {
        "transformations": [
            {"id": "numbers", "type": "source"},
            {"id": "twice", "type": "map", "inputs": ["numbers"]},
            {"id": "out", "type": "sink", "inputs": ["twice"], "name": "out"},
        ]
    }
    page = uploaded("named.json", json.dumps(document).encode())
    names = [row["cells"][1] for row in sent(page, "Operator IDs")["rows"]]

    assert names[1] == {"text": "Map", "note": "twice"}
    assert names[2] == "Sink: out"


def modules_on_the_stack() -> set[str]:
    """The page's modules through which this call came."""
    folder = Path(components.__file__).parent
    paths = (Path(frame.f_code.co_filename) for frame, _ in traceback.walk_stack(None))
    return {path.relative_to(folder).as_posix() for path in paths if path.is_relative_to(folder)}


def test_a_switch_reaches_compiler_and_drawing_through_ten_modules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page, passed = opened(), dict[str, set[str]]()

    def follow(module: ModuleType, name: str) -> None:
        function = getattr(module, name)

        def followed(*args: object, **settings: object) -> object:
            passed[name] = modules_on_the_stack()
            return function(*args, **settings)

        monkeypatch.setattr(module, name, followed)

    follow(session, "compile_document")  # the module behind it has no need to compile what it knows
    follow(graph, "mount")
    page.toggle(key="chaining@0").set_value(False).run()

    called = {"session/compiled.py", "graph/__init__.py"}
    assert {"session/actions.py", "session/session.py"} < passed["compile_document"]
    assert {"page.py", "graphs.py"} < passed["mount"]
    assert len({*passed["compile_document"], *passed["mount"], *called}) <= 10
