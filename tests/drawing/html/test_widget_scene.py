"""What a notebook's widget gets."""

import json
from typing import Any

from explorer import compile_graph
from explorer.drawing.html.widget_scene import scene, widget_module, widget_styles
from explorer.drawing.view.graph_view import graph_view
from explorer.flink.kinds import KINDS
from tests.drawing.drawn import LINE
from tests.many_cases import for_each


def made(*, fixed: bool = False, **changed: Any) -> dict[str, Any]:
    steps = [{**one, **(changed if one["id"] == "b" else {})} for one in LINE]
    done = compile_graph({"name": "a job", "transformations": steps}, "1.20")
    return scene(done, graph_view(done), "a\njob", chaining=True, folded=False, fixed=fixed)


def test_a_scene_is_plain_json_with_both_graphs() -> None:
    found = made()

    assert json.loads(json.dumps(found))["name"] == found["name"]
    assert "\n" not in found["name"]
    assert len(found["graphs"]) == 2
    assert all("<svg" in graph for graph in found["graphs"])
    assert (found["release"], found["playable"]) == ("1.20", True)


def test_operators_and_edges_of_a_pipeline_can_be_changed() -> None:
    forms = made(parallelism=3, chaining_strategy="HEAD")["forms"]
    parallelism, strategy = forms["n3"]

    assert (parallelism["value"], strategy["value"]) == (3, "HEAD")
    assert "HEAD" in strategy["choices"]
    assert {key[0] for key in forms} == {"n", "e", "j"}
    assert forms["e0"][0]["field"] == "partitioner"


def test_a_partitioner_that_flink_chose_is_no_value() -> None:
    forms = made()["forms"]
    chosen = {key: form[0]["value"] for key, form in forms.items() if key.startswith("e")}

    assert sorted(map(str, chosen.values())) == ["None", "None", "REBALANCE"]


def test_a_fixed_program_has_no_forms() -> None:
    assert made(fixed=True)["forms"] == {}


@for_each("text", ["on-light", "on-dark", "--x-ink", ".steps", ".lessons"])
def test_the_styles_are_those_of_the_page_and_of_its_players(text: str) -> None:
    assert text in widget_styles()


def test_the_program_is_one_module() -> None:
    module = widget_module()

    assert "export default" in module
    assert "import " not in module.replace("important", "")[:200]


def test_a_kind_of_operator_offers_its_strategies() -> None:
    forms = made()["forms"]
    operator, sink = (set(forms[key][1]["choices"]) for key in ("n3", "n5"))

    assert operator == set(KINDS["map"].offered_strategies)
    assert sink == set(KINDS["sink"].offered_strategies)


def test_the_partitioner_of_a_plan_is_its_value_and_a_programs_own_is_a_choice() -> None:
    plan = {
        "nodes": [
            {"id": 1, "type": "Source: s", "pact": "Data Source", "parallelism": 1},
            {
                "id": 2,
                "type": "m",
                "pact": "Operator",
                "parallelism": 1,
                "predecessors": [{"id": 1, "ship_strategy": "MINE", "side": "second"}],
            },
        ]
    }
    done = compile_graph(plan, "1.20")
    ((field,),) = (
        form
        for key, form in scene(
            done, graph_view(done), "", chaining=True, folded=False, fixed=False
        )["forms"].items()
        if key.startswith("e")
    )

    assert (field["value"], field["hint"]) == ("MINE", None)
    assert field["choices"][0] == "MINE"
