"""The samples: found, titled, legal, and each a program that Flink accepts."""

import pytest

from explorer import compile_graph
from explorer.checks import check
from explorer.documents import Sample, document_texts, load_document, parse_document, samples
from explorer.documents.samples import sample_titles
from tests.many_cases import for_each

SAMPLES = samples()


def test_there_are_more_than_ten_each_with_a_title_of_its_own() -> None:
    assert len(SAMPLES) >= 10
    assert len({sample.title for sample in SAMPLES}) == len(SAMPLES)


def test_the_list_of_samples_shows_the_files_numbers() -> None:
    titles = sample_titles()

    assert titles["01-word-count"].startswith("01 Word count · ")
    assert set(titles) == {sample.key for sample in SAMPLES}
    assert all(title.startswith(f"{key[:2]} ") for key, title in titles.items())


@for_each("sample", SAMPLES, name=lambda sample: sample.key)
def test_a_sample_has_a_description_and_reads_rows_in_its_folder(sample: Sample) -> None:
    assert sample.title != sample.key
    assert sample.teaches.endswith(".")
    assert sample.runs is (load_document(sample.path).pipeline is not None)


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.key)
def test_a_sample_compiles_for_1_20_and_survives_a_round_trip(sample: Sample) -> None:
    document = load_document(sample.path)

    assert compile_graph(document, "1.20").job_graph.vertices
    for ending, text in document_texts(document).items():
        assert parse_document(text(), name=f"a.{ending}") == document


def test_the_sample_that_opens_first_has_no_finding_of_a_legacy_source() -> None:
    assert all(finding.code != "RL01" for finding in check(SAMPLES[0].path).findings)


def test_the_numbers_of_the_samples_have_no_gap_and_one_sample_has_no_finding() -> None:
    numbers = [int(sample.key[:2]) for sample in SAMPLES]
    ready = next(sample for sample in SAMPLES if sample.key == "21-ready-to-deploy")

    assert numbers == list(range(1, len(SAMPLES) + 1))
    assert not check(ready.path).findings
