"""Explanations, steps, answers and release tables as plain text for a terminal."""

from typing import Any

from explorer.comparison.compare import compare
from explorer.comparison.release_changes import release_change, switch_rows
from explorer.documents import load_document
from explorer.explain.edges import explain_edge
from explorer.explain.terminal import (
    answer_text,
    comparison_text,
    explanation_text,
    release_change_text,
    steps_text,
    switches_text,
)
from explorer.flink.compiler import Compilation, compile_program
from explorer.lookup.whatis import whatis
from explorer.narration.chaining import narrate
from tests.comparison.small_jobs import CLEANED, COUNT, changed, program


def compiled(transformations: list[dict[str, Any]] = COUNT, **settings: Any) -> Compilation:
    return compile_program(load_document(program(transformations, **settings)), trace=True)


def test_an_edge_has_a_line_a_condition() -> None:
    edge = explain_edge(compiled(changed("words", chaining_strategy="HEAD")), 0)

    lines = explanation_text([edge]).splitlines()

    assert lines[:2] == ["Source: Custom Source -> Flat Map", f"  {edge.headline}"]
    assert sum(line.startswith(("  ok ", "  NO ")) for line in lines) == len(edge.reasons)
    assert [line.split()[:2] for line in lines if line.startswith("  NO ")] == [["NO", "CH04"]]
    assert any(line.startswith("  fix CH04: ") and line.endswith("; chains then") for line in lines)


def test_a_condition_that_a_release_does_not_have_is_marked() -> None:
    legacy = {"flink": "1.9", "transformations": changed("lines", type="legacy_source")}
    done = compile_program(load_document(legacy))

    text = explanation_text([explain_edge(done, 0)])

    assert "  (this release has no such condition)" in text


def test_a_job_without_edges_has_none_to_explain() -> None:
    assert explanation_text([]) == "The job has no edges."


def test_steps_are_numbered_in_each_part() -> None:
    lines = steps_text(narrate(compiled())).splitlines()

    assert lines[0] == "Hashing"
    assert lines[1].startswith("   1. ")
    second = lines.index("")
    assert lines[second + 1] == "Chaining"
    assert lines[second + 2].startswith("   1. ")


def test_an_answer_has_the_baselines_sentences_first() -> None:
    document = load_document(program(COUNT))
    id = compiled().job_graph.vertices[0].id

    text = answer_text(whatis(f"{id} {'0' * 32}", document), ["It was 'count'."])

    first, found, unknown = text.splitlines()
    assert first == "It was 'count'."
    assert found.startswith(f"{id} is the task ")
    assert unknown.startswith(f"{'0' * 32} is not in this pipeline")
    assert answer_text(whatis("nothing", document)) == (
        "No ID and no operator's name in this text."
    )


def test_a_change_between_releases_has_a_line_and_its_issue() -> None:
    rows = switch_rows("1.17", "1.18")

    lines = switches_text(rows).splitlines()

    assert len(lines) == len(rows)
    assert all(line.startswith("1.18  ") for line in lines)
    assert any(line.endswith("(FLINK-31996)") for line in lines)


def test_releases_without_a_difference_are_one_line() -> None:
    document = load_document(program(COUNT))
    same, other = (release_change(document, *one) for one in (("2.1", "2.2"), ("1.20", "2.2")))

    assert release_change_text(same).startswith("From Flink 2.1 to 2.2: nothing changes")
    assert release_change_text(other).splitlines()[0].startswith("From Flink 1.20 to 2.2:")


def test_a_comparison_lists_operators_with_changed_ids() -> None:
    before, after = compiled(), compiled(CLEANED)
    found = compare(before, after)

    lines = comparison_text(found, "v1", "v2").splitlines()

    assert lines[0] == f"From v1 to v2: {found.sentence()}."
    was, now = (
        next(done.hashes[node.id] for node in done.stream_graph.nodes if node.name == "count")
        for done in (before, after)
    )
    assert f"  changed count: {was} -> {now}" in lines
    assert not [line for line in lines if "Source: Custom Source" in line]
    (new,) = [line for line in lines if line.startswith("  new     Filter: ")]
    assert "->" not in new
