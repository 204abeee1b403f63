"""Questions about both graphs: what chains, how many tasks there are, how records are shipped."""

from typing import Any

from hypothesis import given

from explorer.documents import load_document
from explorer.drawing.view.graph_view import graph_view
from explorer.flink.compiler import compile_program
from explorer.lessons import answer
from explorer.model.lesson import PipelineChange, Question
from explorer.model.pipeline import Pipeline
from tests.lessons.asked import A_TO_E, WIDER, asked
from tests.many_cases import for_each
from tests.strategies import pipelines


@for_each(
    ("fact", "about", "right", "why"),
    [
        ("chained", {"edge": ("C", "D")}, ["no"], "CH04 fails. Needed: "),
        ("chained", {"edge": ("A", "B")}, ["yes"], "all 12 conditions hold"),
        ("chained", {"edge": ("B", "C"), "after": WIDER}, ["no"], "parallelism 2 and 3"),
        ("chains", {}, ["0", "1", "3"], "3 of 4 edges chain"),
        ("tasks", {}, ["2"], "Source: A -> B -> C"),
        ("channels", {"edge": ("C", "D")}, ["2"], "POINTWISE"),
        ("channels", {"edge": ("A", "B")}, ["0"], "a method call"),
        ("channels", {"edge": ("B", "C"), "after": WIDER}, ["6"], "ALL_TO_ALL"),
        ("ship_strategy", {"edge": ("B", "C"), "after": WIDER}, ["REBALANCE"], "2 and 3"),
        ("result_type", {"edge": ("C", "D")}, ["PIPELINED_BOUNDED"], "STREAMING"),
        ("result_type", {"edge": ("A", "B")}, ["none"], "a method call"),
    ],
)
def test_questions_about_graphs_have_an_answer_with_its_reason(
    fact: str, about: dict[str, Any], right: list[str], why: str
) -> None:
    found = asked(A_TO_E, fact, **about)

    assert list(found.right) == right
    assert why in found.reason
    assert {*found.right} <= {one.key for one in found.choices}


def test_numbers_of_tasks_are_between_one_and_the_operators() -> None:
    apart = PipelineChange(environment={"chaining": False})

    assert [one.key for one in asked(A_TO_E, "tasks").choices] == ["1", "2", "3", "5"]
    assert asked(A_TO_E, "tasks", after=apart).right == ("5",)
    assert [one.key for one in asked(A_TO_E, "tasks", after=apart).choices] == ["1", "4", "5"]


def test_a_shipping_strategy_stands_among_four_in_alphabetical_order() -> None:
    found = asked(A_TO_E, "ship_strategy", edge=("B", "C"))

    keys = [one.key for one in found.choices]
    assert len(keys) == 4
    assert keys == sorted(keys)
    assert found.right == ("FORWARD",)
    assert "the parallelism is 2 and 2, the same, which makes it FORWARD" in found.reason


def test_a_partitioner_of_the_program_is_the_reason() -> None:
    document = {
        "flink": "1.20",
        "transformations": [
            {"id": "s", "type": "source"},
            {"id": "r", "type": "rescale", "inputs": ["s"]},
            {"id": "o", "type": "sink", "inputs": ["r"]},
        ],
    }
    graph = compile_program(load_document(document)).to_dict()["stream_graph"]
    ends = graph["nodes"][0]["name"], graph["nodes"][1]["name"]

    declared = asked(document, "ship_strategy", edge=("s", "o"))
    captured = asked({"stream_graph": graph}, "ship_strategy", edge=ends)

    assert declared.right == captured.right == ("RESCALE",)
    assert "r" in declared.reason
    assert captured.reason == "The StreamGraph sets it: RESCALE. The parallelism is 1 and 1."


def test_a_batch_job_reads_a_whole_result() -> None:
    document = {
        "flink": "1.20",
        "environment": {"runtime_mode": "BATCH"},
        "transformations": [
            {"id": "s", "type": "source"},
            {"id": "k", "type": "key_by", "inputs": ["s"]},
            {"id": "c", "type": "reduce", "inputs": ["k"]},
        ],
    }

    found = asked(document, "result_type", edge=("s", "c"))

    assert found.right == ("BLOCKING",)
    assert "in BATCH mode" in found.reason


@given(pipelines())
def test_chained_edges_are_drawn_as_chained(pipeline: Pipeline) -> None:
    found = answer(Question(fact="chains"), pipeline)
    view = graph_view(compile_program(pipeline))

    assert found.right == tuple(str(edge.index) for edge in view.edges if edge.chained)
    assert found.score({edge.key for edge in found.choices if edge.key in found.right}) == (
        len(view.edges),
        len(view.edges),
    )
