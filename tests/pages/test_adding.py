"""The dialog that adds a transformation brings what Flink needs, and selects what it added."""

import pytest
from streamlit.testing.v1 import AppTest

from explorer.drawing.view.selection import TRANSFORMATION
from explorer.model.pipeline import Pipeline, Transformation
from tests.pages.opened import html, opened, sent
from tests.pages.test_page import current, shown, widget, work_of


def transformation(page: AppTest, id: str) -> Transformation:
    document = current(page).document
    assert isinstance(document, Pipeline)
    return document.transformation(id)


@pytest.mark.slow
def test_a_window_is_added_with_its_key_and_its_fields_in_place() -> None:
    page = shown(work_of("01-word-count"), f"{TRANSFORMATION}words")
    page.button(key="add").click().run()
    page.selectbox(key="add.type").set_value("window").run()
    assert page.multiselect(key="add.window.by-words").value == ["word"]
    assert page.text_area(key="add.window.window").value == "assigner: tumbling\nsize: 5000"
    page.text_area(key="add.window.aggregate").set_value("n: count(*)")
    page.button(key="add.do").click().run()

    window = transformation(page, "window")
    assert (window.inputs, window.aggregate) == (("by-words",), {"n": "count(*)"})
    assert transformation(page, "by-words").keys == ("word",)
    assert "<code>keyBy.window.reduce</code>" in html(page)


@pytest.mark.slow
def test_an_operator_is_inserted_before_the_reader_of_an_edge() -> None:
    page = shown(work_of("01-word-count"), "e1")
    page.button(key="insert").click().run()
    page.selectbox(key="add.type").set_value("filter").run()
    page.text_input(key="add.filter.where").set_value("length(word) > 3")
    page.button(key="add.do").click().run()

    assert transformation(page, "ones").inputs == ("filter",)
    assert transformation(page, "filter").where == "length(word) > 3"


@pytest.mark.slow
def test_a_copy_is_selected() -> None:
    page = shown(work_of("01-word-count"), "n2")
    next(button for button in page.button if button.label == "Duplicate").click().run()

    assert sent(page, "graphs")["selection"] == current(page).selection == "n3"
    assert "words-2" in {field.value for field in page.text_input}


@pytest.mark.slow
def test_a_join_asks_for_the_second_input_and_a_wrong_field_stays_with_its_reason() -> None:
    page = shown(work_of("10-flights-and-weather"))
    page.button(key="add").click().run()
    page.selectbox(key="add.type").set_value("join").run()
    choices = page.selectbox(key="add.join.second").options
    page.selectbox(key="add.join.second").set_value(choices[-2]).run()
    page.text_area(key="add.join.window").set_value("assigner: tumbling")
    page.button(key="add.do").click().run()
    assert "join.window" in html(page) or "window.size" in html(page)
    page.text_area(key="add.join.window").set_value("{assigner: tumbling, size: 10}")
    page.button(key="add.do").click().run()

    assert transformation(page, "join").inputs[1] == choices[-2]


@pytest.mark.slow
def test_another_second_input_brings_its_keys() -> None:
    page = shown(work_of("10-flights-and-weather"), "t:weather")
    page.button(key="add").click().run()
    page.selectbox(key="add.type").set_value("join").run()

    page.selectbox(key="add.join.second").set_value("flights").run()
    assert page.text_input(key="add.join.keys").value == "origin"
    page.selectbox(key="add.join.second").set_value("events").run()
    assert page.text_input(key="add.join.keys").value == "hour_ms"


@pytest.mark.slow
def test_a_new_pipeline_is_empty_and_grows_from_a_source() -> None:
    page = opened()
    page.button(key="new").click().run()
    assert current(page).document.parts == 0
    assert "No operators defined" not in html(page)
    page.text_input(key=widget(page, "pipeline.name")).set_value("orders").run()
    page.button(key="empty-source").click().run()
    page.button(key="add.do").click().run()
    assert "is not in the graph yet" in html(page)
    page.button(key="empty-next").click().run()
    page.selectbox(key="add.type").set_value("sink").run()
    page.button(key="add.do").click().run()

    assert [*sent(page, "graphs")["stream"]["names"].values()][-1] == "sink"
    assert current(page).document.name == "orders"


@pytest.mark.slow
def test_the_default_parallelism_is_where_plus_and_minus_begin() -> None:
    page = shown(work_of("01-word-count"), f"{TRANSFORMATION}ones")
    field = page.number_input(key=widget(page, "ones.parallelism"))
    assert field.value == 2
    field.increment().run()

    assert transformation(page, "ones").parallelism == 3
    page.number_input(key=widget(page, "ones.parallelism")).set_value(None).run()
    assert transformation(page, "ones").parallelism is None
