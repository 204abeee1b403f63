"""A plan as annotations of GitHub and as SARIF."""

import json

from explorer.plans.reports import github_plan, sarif_plan
from tests.plans.plans import hostile


def test_annotations_name_the_section_and_end_with_the_verdict() -> None:
    lines = github_plan(hostile()).splitlines()

    assert lines[0].startswith("::error file=words,title=State%3A ")
    assert lines[-1].startswith("Do not deploy: ")
    assert all(line.startswith(("::error ", "::warning ")) for line in lines[:-1])


def test_sarif_results_point_at_their_rules() -> None:
    run = json.loads(sarif_plan(hostile()))["runs"][0]
    rules = run["tool"]["driver"]["rules"]

    assert run["results"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
