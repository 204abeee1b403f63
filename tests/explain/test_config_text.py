"""The values of a StreamConfig in words, in what explain --inside prints."""

from explorer import compile_graph
from explorer.explain.task_internals import task_internals, task_internals_text


def test_the_keys_of_each_operator_are_printed_with_what_is_not_known() -> None:
    steps = [
        {"id": "s", "type": "legacy_source"},
        {"id": "k", "type": "key_by", "inputs": ["s"]},
        {"id": "r", "type": "reduce", "inputs": ["k"]},
        {"id": "o", "type": "sink", "inputs": ["r"]},
    ]
    done = compile_graph({"transformations": steps}, "1.20")
    text = task_internals_text(
        task_internals(done, done.job_graph.task_of(done.stream_graph.nodes[1].id).id)
    )

    assert "  StreamConfig of Keyed Reduce" in text
    assert "    chainedOutputs = [3 -> 4 FORWARD]" in text
    assert "    inStreamEdges = [1 -> 3 HASH]" in text
    assert "    inputs = [input gate 0 PASS_THROUGH]" in text
    assert "    managedMemFraction.STATE_BACKEND = 1.0" in text
    assert "    statekeyser = written by Flink; the document does not show its value" in text
