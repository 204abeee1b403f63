"""A captured DataSet program on the page: Flink's plan and tasks, and that nothing is computed."""

import json

from tests.golden_files import cases
from tests.pages.opened import html
from tests.pages.test_page import uploaded


def test_the_plan_its_costs_and_its_tasks_are_shown() -> None:
    document = list(cases("data_set_programs"))[-1]
    page = uploaded("pairs.json", json.dumps(document).encode())

    assert not page.exception
    assert "DataSet program" in html(page)
    assert "Read-only: Flink's optimizer" in html(page)
    assert "a combiner" in html(page)
    assert "costs: Network" in html(page)
    assert "ChainedFlatMapDriver" in html(page)
