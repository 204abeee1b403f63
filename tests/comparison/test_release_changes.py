"""Differences between releases, in general and for one pipeline."""

from explorer.comparison.release_changes import release_change, switch_rows
from explorer.documents import load_document
from explorer.explain.terminal import release_change_text, switches_text
from tests.golden_files import cases


def change(name: str, first: str, last: str) -> list[str]:
    case = next(c for file in ("classics", "constructs") for c in cases(file) if c["name"] == name)
    return list(release_change(load_document(case["pipeline"]), first, last).sentences())


def test_the_table_is_cut_to_the_releases_asked_for() -> None:
    rows = switch_rows("1.17", "1.18")

    assert [row.since for row in rows] == ["1.18"] * len(rows)
    assert any(row.name == "max_parallelism_rule" for row in rows)
    assert "FLINK-31996" in switches_text(rows)


def test_a_new_rule_changes_chains_and_ids() -> None:
    sentences = change("different-max-parallelism-refused", "1.17", "1.18")

    assert sentences[0] == "The job has 4 tasks instead of 1."
    assert sum("has another ID" in sentence for sentence in sentences) == 4


def test_a_refusal_is_reported_with_its_release() -> None:
    sentences = change("batch-buffer-timeout", "1.14", "1.15")

    assert sentences[0].startswith("Flink 1.14: Flink refuses this pipeline")


def test_no_change_is_reported_plainly() -> None:
    case = next(case for case in cases("classics") if case["name"] == "word-count")
    document = load_document(case["pipeline"])

    text = release_change_text(release_change(document, "1.18", "1.20"))

    assert text.endswith("nothing changes: same tasks, same IDs, same names.")
