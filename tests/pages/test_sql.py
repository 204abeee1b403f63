"""The SQL plan on the page: statements, and the facts of an operator and of an edge."""

import pytest

from tests.pages.opened import html
from tests.pages.test_page import shown, work_of

SAMPLE = "15-hourly-delays"


def bare(page_html: str) -> str:
    return page_html.replace("<bdi>", "").replace("</bdi>", "")


def test_the_statement_is_shown_next_to_the_graph() -> None:
    page = bare(html(shown(work_of(SAMPLE))))

    assert "SQL statement<code>line 18</code>" in page
    assert '<pre class="x-statement">INSERT INTO worst\nSELECT window_end' in page


def test_an_operator_shows_its_plan_node_state_and_statement() -> None:
    page = bare(html(shown(work_of(SAMPLE), "n6")))

    assert "<dt>plan node</dt><dd>6: stream-exec-global-window-aggregate, version 1</dd>" in page
    assert "<dt>state</dt><dd>one accumulator row per window or slice</dd>" in page
    assert "<dt>removed</dt><dd>when the watermark passes it</dd>" in page
    assert "<dt>emits</dt><dd>insert-only (+I)</dd>" in page
    assert "SQL statement<code>line 18</code>" in page


def test_an_edge_shows_its_changelog_mode() -> None:
    page = bare(html(shown(work_of(SAMPLE), "e5")))

    assert "<dt>changelog mode</dt><dd>insert-only (+I)</dd>" in page
    assert "<dt>upsert keys</dt><dd>none</dd>" in page


@pytest.mark.slow
def test_a_program_of_the_datastream_api_has_no_sql_plan() -> None:
    assert "SQL statement" not in html(shown(work_of("17-late-flights-captured"), "n2"))
