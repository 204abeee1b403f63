"""A session that works for hours retains the widgets of its latest documents alone."""

import pytest
from streamlit.testing.v1 import AppTest


def page_script() -> None:
    import streamlit as st

    from components.session.outdated_widgets import forget_outdated

    revision = st.session_state.get("revision", 0)
    st.text_input("Name", "words", key=f"name@{revision}")
    st.text_input("Rows of the sink a@0", "rows", key="rows-a@0")
    st.text_input("Search", key="search")
    forget_outdated(revision)


@pytest.mark.slow
def test_widgets_of_earlier_revisions_are_forgotten_and_those_that_are_drawn_stay() -> None:
    page = AppTest.from_function(page_script).run()
    page.text_input(key="rows-a@0").set_value("7")
    for revision in range(1, 6):
        page.session_state["revision"] = revision
        page.run()
    state = page.session_state._state._state

    expected = {"name@4", "name@5", "rows-a@0", "search"}
    assert set(state._key_id_mapper.id_key_mapping.values()) == expected
    assert len(state._new_widget_state.widget_metadata) == len(expected)
    assert page.text_input(key="rows-a@0").value == "7"
    assert page.text_input(key="name@5").value == "words"
