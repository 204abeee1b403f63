"""Questions that apply to any pipeline: its chains, and the IDs that a change moves."""

from explorer.documents import load_document
from explorer.flink.compiler import compile_program
from explorer.lessons import chains_question, moved_ids_question, predictable_changes
from explorer.lessons.predicting import MOST
from tests.lessons.asked import A_TO_E


def test_chains_may_be_predicted_of_a_changed_strategy() -> None:
    document = load_document(A_TO_E)
    done = compile_program(document)
    changes = {one.label: one for one in predictable_changes(document)}

    whole, changed = chains_question(done), chains_question(done, changes["Set D to NEVER"])
    assert whole.right_texts == ("Source: A → B", "B → C", "D → Sink: E")
    assert changed.question == "Set D to NEVER. Which edges will chain?"
    assert changed.right_texts == ("Source: A → B", "B → C")
    assert changed.hides
    assert changed.partitioners


def test_changes_that_alter_nothing_or_that_flink_refuses_are_left_out() -> None:
    labels = [one.label for one in predictable_changes(load_document(A_TO_E))]

    assert "Set D to NEVER" in labels
    assert "Start a new chain at B" in labels
    assert "Start a new chain at D" not in labels
    assert labels[-1] == "Give E a uid"
    assert len(labels) == len(set(labels)) <= MOST


def test_the_changes_of_a_long_pipeline_are_limited() -> None:
    source = {"id": "m0", "type": "source"}
    steps = [{"id": f"m{n}", "type": "map", "inputs": [f"m{n - 1}"]} for n in range(1, 30)]
    document = load_document({"transformations": [source, *steps]})

    labels = [one.label for one in predictable_changes(document)]

    assert len(labels) == MOST
    assert labels[0] == "Start a new chain at m1"


def test_of_a_stream_graph_only_chaining_is_turned() -> None:
    graph = compile_program(load_document(A_TO_E)).to_dict()["stream_graph"]
    document = load_document({"stream_graph": graph})

    (off,) = predictable_changes(document)
    (on,) = predictable_changes(off.document)

    assert (off.label, on.label) == ("Turn chaining off", "Turn chaining on")
    done = compile_program(document, trace=True)
    assert chains_question(done, off).right == ()
    moved = moved_ids_question(done, off)
    assert moved.question == "Turn chaining off. Which operators will get another ID?"
    assert moved.right_texts == ("Source: A", "B", "C", "D", "Sink: E")
