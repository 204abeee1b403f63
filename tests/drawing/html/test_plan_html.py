"""A plan as one page of HTML."""

from explorer.drawing.html.plan_html import plan_html
from tests.plans.plans import COUNT, hostile, planned, program


def test_a_page_has_both_graphs_and_asks_for_nothing() -> None:
    page = plan_html(hostile())

    assert page.count("<svg ") == 2
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert 'class="mark error"' in page


def test_a_page_of_a_program_that_is_refused_has_the_graph_of_the_old_one() -> None:
    twice = [{**one, "uid": "u"} if one["id"] in {"words", "count"} else one for one in COUNT]

    page = plan_html(planned(program(COUNT), program(twice)))

    assert page.count("<svg ") == 1
