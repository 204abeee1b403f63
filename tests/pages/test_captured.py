"""A captured program on the page: Flink's word on it, and what a trial can do with it."""

import json
from typing import Any

import msgspec
import pytest

from components.session.keys import Key
from components.session.work import Work
from explorer.documents import samples
from explorer.model.document import StreamGraphDocument
from explorer.model.stream_graph import NodeId
from tests.pages.opened import drawn, html, opened, sent
from tests.pages.test_page import current, shown, uploaded, widget, work_of

SAMPLE = "17-late-flights-captured"
EQUAL = "Equal to what your Flink 1.20.5 makes of this program"


def values() -> dict[str, Any]:
    path = next(each.path for each in samples() if each.key == SAMPLE)
    found: dict[str, Any] = msgspec.json.decode(path.read_bytes())
    return found


def captured(work: Work) -> StreamGraphDocument:
    assert isinstance(work.document, StreamGraphDocument)
    return work.document


def test_a_captured_program_is_reported_equal_to_flinks_job_graph() -> None:
    page = shown(work_of(SAMPLE))

    assert ">equal to Flink 1.20.5<" in html(page).replace("<bdi>", "").replace("</bdi>", "")
    assert EQUAL in html(page)


def test_differences_from_flinks_own_job_graph_are_listed() -> None:
    other = values()
    other["flink_job_graph"]["vertices"][0]["parallelism"] = 7
    other["flink_job_graph"]["edges"][0]["ship_strategy"] = "<b>HASH"
    page = uploaded("other.json", json.dumps(other).encode())

    assert "Differs from Flink 1.20.5" in html(page)
    assert "parallelism is 7 in Flink&#x27;s and 1 here" in html(page)
    assert "&lt;b&gt;HASH" in html(page)
    assert "<b>HASH" not in html(page)


def test_an_edited_program_is_no_longer_compared_and_the_page_shows_why() -> None:
    page = shown(work_of(SAMPLE), "n2")
    page.text_input(key=widget(page, "#2.uid")).set_value("other").run()
    page.session_state[Key.WORK] = msgspec.structs.replace(current(page), selection=None)
    page.run()

    assert EQUAL not in html(page)
    assert "The program was changed since it was captured" in html(page)
    assert captured(current(page)).flink_job_graph is None


def test_an_edge_that_does_not_chain_offers_fixes_by_the_documents_own_settings() -> None:
    page = shown(work_of(SAMPLE), "e0")
    button = next(each for each in page.button if each.label.startswith("Set parallelism of"))
    assert "with a FORWARD edge" in button.label.replace("\\", "")
    # What to change in the program is still named.
    assert "Call .setParallelism(1)" in html(page)
    button.click().run()

    edge = captured(current(page)).stream_graph.edges[0]
    assert edge.partitioner == "FORWARD"
    assert not page.exception


@pytest.mark.slow
def test_an_operators_figures_are_typed_and_the_trial_shows_their_totals_before_the_run() -> None:
    page = shown(work_of(SAMPLE), "n2")
    page.number_input(key=widget(page, "#2.synthetic.records_out")).set_value(0.5).run()
    page.number_input(key=widget(page, "#2.synthetic.cost")).set_value(20.0).run()
    page.text_area(key=widget(page, "#2.synthetic.side_outputs")).set_value("unreadable: 0.1").run()
    node = captured(current(page)).stream_graph.node(NodeId(2))
    assert node.synthetic is not None
    assert (node.synthetic.records_out, node.synthetic.cost) == (0.5, 20.0)
    assert node.synthetic.side_outputs == {"unreadable": 0.1}

    page.session_state[Key.TABS] = "Local run"
    page.run()
    assert "<b>synthetic operators</b> run in their place" in html(page)
    rows = {
        row["cells"][0]: row["cells"][1:] for row in sent(page, "What the trial will do")["rows"]
    }
    assert rows["Source: lines"] == ["", "", "1,000", "0", "0.0 ms"]
    assert rows["parse"] == ["1,000", "0.5", "500", "20", "20 ms"]
    assert rows["Sink: unreadable"][0] == "100"
    assert rows["Sink: out"][0] == "500"
    page.session_state[Key.WORK] = msgspec.structs.replace(current(page), selection=None)
    page.run()
    assert EQUAL in html(page)


def test_a_source_can_set_its_number_of_records_and_nothing_else() -> None:
    page = shown(work_of(SAMPLE), "n1")
    page.number_input(key=widget(page, "#1.synthetic.records")).set_value(5000).run()
    node = captured(current(page)).stream_graph.node(NodeId(1))

    assert node.synthetic is not None
    assert node.synthetic.records == 5000
    keys = [each.key or "" for each in page.number_input]
    assert not any("records_out" in key for key in keys)


def test_a_tag_without_an_edge_is_refused_next_to_its_field() -> None:
    page = shown(work_of(SAMPLE), "n2")
    page.text_area(key=widget(page, "#2.synthetic.side_outputs")).set_value("lost: 1").run()

    assert "no edge reads this side output of the operator" in html(page)
    assert captured(current(page)).stream_graph.node(NodeId(2)).synthetic is None


@pytest.mark.slow
def test_a_pipeline_with_functions_has_no_synthetic_operators() -> None:
    page = opened()
    page.session_state[Key.TABS] = "Local run"
    page.run()

    assert "synthetic" not in html(page)


def test_a_parallelism_that_the_scheduler_decides_is_no_number() -> None:
    page = shown(work_of("16-airport-report"))
    said = html(page)

    assert "parallelism decided by the scheduler" in said
    assert "0 slots" not in said
    assert said.count("the scheduler decides") == 3
    assert all("×auto" in card for card in drawn(page, "job").values())
