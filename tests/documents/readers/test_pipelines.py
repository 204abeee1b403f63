"""Pipelines: their fields by type, their environment, and the check of one that was edited."""

from typing import Any

import pytest

from explorer.documents import check_pipeline, load_document
from explorer.documents.readers.pipelines import no_such_type, to_pipeline
from explorer.edits import set_environment, set_field
from explorer.errors import DocumentError
from explorer.model.pipeline import Pipeline
from tests.documents.refused import MAP, SOURCE, refused
from tests.many_cases import for_each

ENVIRONMENTS = [
    ({"parallelism": 0}, "Parallelism must be at least one, or ExecutionConfig.PARALLELISM_DEFA"),
    (
        {"max_parallelism": 0},
        "maxParallelism is out of bounds 0 < maxParallelism <= 32768. Found: 0",
    ),
    ({"buffer_timeout": -2}, "Timeout of buffer must be non-negative or -1"),
    ({"checkpoint_interval": 5}, "Checkpoint interval must be larger than or equal to 10 ms"),
    ({"checkpointing": {"timeout": 5}}, "Checkpoint timeout must be larger than or equal to 10 ms"),
    ({"checkpointing": {"min_pause": -1}}, "Pause value must be zero or positive"),
    (
        {"checkpointing": {"max_concurrent": 0}},
        "The maximum number of concurrent attempts must be at least one.",
    ),
    (
        {"checkpointing": {"tolerable_failures": -1}},
        "The tolerable failure checkpoint number must be non-negative.",
    ),
    *(
        ({"slot_sharing_groups": {"heavy": {"cpu": 1, "heap_mb": 64} | fields}}, words)
        for fields, words in (
            ({"cpu": 0}, "slot_sharing_groups.heavy.cpu: must be a number from 0.00000001 on"),
            ({"heap_mb": 0}, "The task heap memory should be positive."),
            ({"managed_mb": -1}, "bytes must be >= 0"),
            ({"external": {"gpu": -1}}, "Resource value must be no less than 0"),
        )
    ),
]


@for_each(("fields", "words"), ENVIRONMENTS)
def test_a_field_of_the_environment_is_refused_in_flinks_words(
    fields: dict[str, Any], words: str
) -> None:
    assert words in refused([SOURCE, MAP], **fields)


LINE = [SOURCE, MAP]


def loaded(*transformations: dict[str, Any], **head: Any) -> Pipeline:
    found = load_document({"transformations": list(transformations), **head})
    assert isinstance(found, Pipeline)
    return found


@for_each(
    ("transformations", "says"),
    [
        (
            [{"id": "s", "type": "sourc"}],
            "there is no transformation type 'sourc'; did you mean 'source'?",
        ),
        ([{"id": "s"}], "transformations[0].type: is missing"),
        ([{**SOURCE, "nam": "x"}], "there is no field 'nam'; did you mean 'name'?"),
        ([SOURCE, {**MAP, "keys": ["n"]}], "keys"),
        (
            [SOURCE, {**MAP, "id": "s"}],
            "transformations[1].id: 's' is the id of transformations[0]",
        ),
        ("s", "transformations: must be a list"),
    ],
)
def test_a_field_that_is_not_there_is_named(transformations: Any, says: str) -> None:
    assert says in refused(transformations)


def test_more_transformations_than_the_limit_are_refused_before_they_are_read() -> None:
    many = {"transformations": [SOURCE] * 4}
    with pytest.raises(DocumentError, match="4 transformations are too many; at most 3 are read"):
        to_pipeline(many, limit=3)


def test_an_edited_pipeline_is_checked_where_it_changed() -> None:
    before = loaded(*LINE, {"id": "o", "type": "sink", "inputs": ["m"]})
    check_pipeline(before, before)
    good = set_field(before, "m", "parallelism", 3)
    check_pipeline(good, before)

    with pytest.raises(
        DocumentError, match=r"transformations\[1\].parallelism: must be 1 to 32768"
    ):
        check_pipeline(set_field(before, "m", "parallelism", 0), before)
    with pytest.raises(DocumentError, match=r"environment.parallelism"):
        check_pipeline(set_environment(before, "parallelism", 0), before)


def test_an_unknown_type_names_the_nearest() -> None:
    assert no_such_type("mapp").endswith("type 'mapp'; did you mean 'map'?")
