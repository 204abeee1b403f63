"""Parallelism overrides of job vertices."""

import pytest

from explorer.documents import load_document
from explorer.errors import FlinkRefusalError
from explorer.flink.compiler import Compilation, compile_program, with_overrides
from explorer.flink.passes.overrides import declared_parallelism, override_parallelism

OVERRIDES = "pipeline.jobvertex-parallelism-overrides"
SOURCE = "bc764cd8ddf7a0cff126f51c16239658"


def compiled(value: object, version: str = "1.20", most: int | None = None) -> Compilation:
    return compile_program(
        load_document(
            {
                "environment": {
                    "parallelism": 2,
                    "max_parallelism": most,
                    "configuration": {OVERRIDES: value},
                },
                "transformations": [
                    {"id": "a", "type": "source"},
                    {"id": "k", "type": "key_by", "inputs": ["a"], "keys": ["n"]},
                    {"id": "r", "type": "reduce", "inputs": ["k"]},
                ],
            }
        ),
        version,
    )


def test_an_override_changes_one_vertex_and_its_derived_maximum() -> None:
    found = compiled(f"{SOURCE}:90,{'0' * 32}:5")
    source = found.job_graph.vertex(SOURCE)
    whole = {one.id: one for one in found.execution_graph.vertices}

    assert (source.parallelism, declared_parallelism(source)) == (90, 2)
    assert whole[SOURCE].max_parallelism == 256
    assert {one.parallelism for one in found.job_graph.vertices} == {90, 2}


def test_releases_without_overrides_compile_as_before() -> None:
    for version in ("1.16", "2.0", "2.2"):
        found = compiled(f"{SOURCE}:90", version)
        assert {one.parallelism for one in found.job_graph.vertices} == {2}
        assert [OVERRIDES in one for one in found.warnings] == [True]
    assert not compiled(f"{SOURCE}:90").warnings


def test_options_of_a_cluster_replace_overrides() -> None:
    first = compiled(f"{SOURCE}:4")
    second = with_overrides(first, {OVERRIDES: f"{SOURCE}:8"})

    assert second.job_graph.vertex(SOURCE).parallelism == 8
    assert second.job_graph.vertex(SOURCE).declared_parallelism == 2
    assert with_overrides(second, {}).job_graph == override_parallelism(first.job_graph, {})


def test_a_parallelism_above_the_maximum_is_refused_with_the_option() -> None:
    found = compiled(f"{SOURCE}:16", most=8)
    with pytest.raises(FlinkRefusalError) as refused:
        found.scheduled_graph({})

    assert "parallelism (16) is higher than the max parallelism (8)" in str(refused.value)
    assert f"{OVERRIDES} sets its parallelism to 16; the program sets 2." in str(refused.value)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (f"{SOURCE}:x", 'NumberFormatException: For input string: "x"'),
        (f"{SOURCE}:0", "The parallelism must be at least one, or -1 (unset)."),
        (SOURCE, "Map item is not a key-value pair (missing ':'?)"),
    ],
)
def test_an_unreadable_override_is_refused(value: str, words: str) -> None:
    with pytest.raises(FlinkRefusalError) as refused:
        compiled(value)

    assert words in str(refused.value)
