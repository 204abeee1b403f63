"""Questions about operator IDs: which stay, which move, and the reason in the hash."""

from typing import Any

from hypothesis import given

from explorer.comparison.compare import compare
from explorer.documents import load_document
from explorer.flink.compiler import compile_program
from explorer.lessons import moved_ids_question, predictable_changes
from explorer.lessons.id_facts import Moves
from explorer.model.lesson import Insertion, PipelineChange
from explorer.model.pipeline import Pipeline, Transformation
from tests.lessons.asked import A_TO_E, WIDER, asked
from tests.many_cases import for_each
from tests.strategies import pipelines

NEW = Transformation(id="x", type="map", name="X", inputs=("B",))
INSERTED = PipelineChange(insert=Insertion(between=("B", "C"), transformation=NEW))
WITH_UID = PipelineChange(set={"C": {"uid": "c"}})


@for_each(
    ("operator", "change", "right", "why"),
    [
        ("A", WIDER, "kept", "none of that changed"),
        ("B", WIDER, "moved", "it has 0 chained outputs, and had 1"),
        ("C", WIDER, "moved", "the ID of its input B is another one"),
        ("C", INSERTED, "moved", "it is operator 4 to be hashed, and was operator 3"),
        ("B", INSERTED, "kept", "none of that changed"),
        ("C", WITH_UID, "moved", "C has the uid 'c': its ID is computed from that alone."),
        ("D", WITH_UID, "moved", "the ID of its input C is another one"),
        ("D", PipelineChange(delete="D"), "gone", "D is not there any more."),
    ],
)
def test_an_id_stays_or_moves_for_a_reason(
    operator: str, change: PipelineChange, right: str, why: str
) -> None:
    found = asked(A_TO_E, "id", operator=operator, after=change)

    assert found.right == (right,)
    assert why in found.reason
    assert ("gone" in {one.key for one in found.choices}) == (right == "gone")


def test_the_operators_that_are_still_there_are_the_choices() -> None:
    wider, shorter = (
        asked(A_TO_E, "ids", after=one) for one in (WIDER, PipelineChange(delete="D"))
    )

    assert list(wider.right) == ["2", "3", "4", "5"]
    assert wider.reason == "4 of 5 operators get another ID."
    assert wider.of == "operators"
    assert [one.text for one in shorter.choices] == ["Source: A", "B", "C", "Sink: E"]


def test_without_its_uid_an_operators_id_comes_from_its_position() -> None:
    document: dict[str, Any] = {
        "flink": "1.20",
        "transformations": [
            {"id": "s", "type": "source"},
            {"id": "o", "type": "sink", "inputs": ["s"], "uid": "out", "name": "o"},
        ],
    }
    found = asked(document, "id", operator="o", after=PipelineChange(set={"o": {"uid": None}}))

    assert found.right == ("moved",)
    assert "had the uid 'out'; now its ID comes from its position in the graph" in found.reason


def test_ids_of_a_running_job_are_reported_by_the_job() -> None:
    document = load_document(A_TO_E)
    graph = compile_program(document).to_dict()["stream_graph"]
    for node in graph["nodes"]:
        node["operator_id"] = f"{node['id']:032x}"
    done = compile_program(load_document({"flink": "1.20", "stream_graph": graph}), trace=True)

    moves = Moves(done, done)

    first = done.stream_graph.nodes[0]
    assert moves.verdict(first.id) == "kept"
    assert moves.reason(first.id) == "The job itself reports the ID of Source: A."


@given(pipelines())
def test_the_ids_that_move_are_those_that_a_comparison_finds(pipeline: Pipeline) -> None:
    before = compile_program(pipeline, trace=True)
    for change in predictable_changes(pipeline)[:3]:
        found = moved_ids_question(before, change)
        after = compile_program(change.document, before.release.version)
        moved = {
            str(one.before.node)
            for one in compare(before, after).operators
            if one.before and one.verdict == "moved"
        }

        assert set(found.right) == moved
        assert set(found.reasons) == {one.key for one in found.choices}
