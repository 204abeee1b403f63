"""Rules about the deployment: network buffers, and the restore from the baseline."""

from explorer.checks.findings import Finding
from explorer.documents import load_document
from explorer.flink.compiler import compile_program
from tests.checks.findings import found
from tests.checks.pairs import BARE, COUNT, PAIRS, SOURCE, Document, changed, job, op


def since(old: Document, new: Document, code: str) -> list[Finding]:
    return found(code, {**new, "baseline": {"name": "v1", "document": old}})


def test_missing_buffers_have_the_least_memory_that_suffices() -> None:
    (lacking,) = found("DP01", PAIRS["DP01"].bad)

    assert lacking.message.startswith("Flink will refuse: java.io.IOException: Insufficient")
    (more,) = lacking.proposals
    assert more.label.startswith("Set taskmanager.memory.network.")
    assert lacking.options == {}


def test_a_stream_graph_gets_the_memory_as_options() -> None:
    done = compile_program(load_document(PAIRS["DP01"].bad), "1.20")
    graph = {"stream_graph": done.to_dict()["stream_graph"]}
    options = PAIRS["DP01"].bad["environment"]["configuration"]

    (lacking,) = found("DP01", {**graph, "options": options})

    assert lacking.proposals == ()
    assert set(lacking.options) == set(options)
    (declared,) = found("DP01", PAIRS["DP01"].bad)
    assert lacking.option_fix.startswith("-D 'taskmanager.memory.network.")
    assert all(size in declared.proposals[0].label for size in lacking.options.values())


def test_state_without_an_operator_is_an_error_with_its_operators() -> None:
    clean = job(
        op("s", "source", uid="s"),
        op("f", "filter", "s"),
        *changed(BARE, "by", inputs=["f"])["transformations"][1:],
    )

    (refused,) = since(BARE, clean, "DP02")

    assert (refused.severity, refused.about, refused.path) == ("error", ("count",), "baseline")
    assert not since(BARE, clean, "DP03")


def test_an_unchecked_restore_is_a_note() -> None:
    (note,) = since(COUNT, {**COUNT, "name": "v2"}, "DP03")

    assert note.severity == "note"
    assert "not checked" in note.message
    assert not since(COUNT, COUNT, "DP02")
    assert not since(COUNT, COUNT, "DP03")


def test_without_a_baseline_there_is_no_finding() -> None:
    assert not found("DP02", COUNT)
    assert not found("DP03", job(SOURCE, op("out", "sink", "s")))
