"""The diagram in a plan's comment: Mermaid without a user's markup, or a line with the reason."""

import re

import pytest

from explorer.drawing.text.plan_mermaid import NO_BASELINE, NO_CHANGE, plan_diagram
from explorer.plans import Plan
from explorer.plans.markdown import plan_markdown
from explorer.plans.reading import plan_from_values
from tests.drawn_graphs import HOSTILE
from tests.many_cases import for_each
from tests.plans.plans import COUNT, FILTERED, planned, program

LABEL = r'"(?:[^"`#<>&;]|#\d+;|<br/>)*"'
LINES = (
    re.compile("flowchart LR"),
    re.compile(rf"  n\d+\[{LABEL}\]"),
    re.compile(rf"  n\d+ (?:-->|-\.->)(?:\|{LABEL}\|)? n\d+"),
    re.compile(r"  classDef (?:added|removed|changed) [\w:#,; -]+"),
    re.compile(r"  class n\d+(?:,n\d+)* (?:added|removed|changed)"),
    re.compile(r"  linkStyle \d+(?:,\d+)* [\w:#,; -]+"),
)


def lines_of(plan: Plan) -> list[str]:
    first, *lines, last = plan_diagram(plan.changed_graph).split("\n")
    assert (first, last) == ("```mermaid", "```")
    for line in lines:
        assert any(form.fullmatch(line) for form in LINES), line
    return lines


def test_the_comment_shows_old_and_new_ids_and_what_chains() -> None:
    plan = planned(program(COUNT), program(FILTERED))
    text = "\n".join(lines_of(plan))

    assert re.search(r'\["Filter<br/>×1<br/>added"\]', text)
    assert re.search(r"count<br/>×1<br/>[0-9a-f]{8}… → [0-9a-f]{8}…", text)
    assert '|"removed"|' in text
    comment = plan_markdown(plan, plan_diagram(plan.changed_graph))
    assert comment.index("### Graph") < comment.index("```mermaid") < comment.index("### Resources")
    stored = plan_from_values(plan.to_dict())
    assert plan_diagram(stored.changed_graph) == plan_diagram(plan.changed_graph)


def test_an_option_alone_is_drawn() -> None:
    text = "\n".join(lines_of(planned(program(COUNT), program(COUNT, chaining=False))))

    assert "not chained any more" in text


@pytest.mark.slow
@for_each("name", HOSTILE)
def test_hostile_names_stay_names(name: str) -> None:
    old = [COUNT[0], {**COUNT[1], "name": name}, *COUNT[2:]]

    lines_of(
        planned(
            program(old), program([*FILTERED[:2], {**FILTERED[2], "name": name}, *FILTERED[3:]])
        )
    )


def test_without_a_baseline_or_a_change_there_is_one_line() -> None:
    assert plan_diagram(None) == NO_BASELINE
    same = planned(program(COUNT), program(COUNT))
    assert plan_diagram(same.changed_graph) == NO_CHANGE
