"""A change that comes as data does what its function does, and undoes what it can."""

import pytest
from msgspec.structs import replace

from explorer import edits
from explorer.documents import load_document
from explorer.errors import EditError
from explorer.model.changes import (
    Change,
    ReplaceTransformation,
    SetCheckpointing,
    SetEnvironment,
    SetExpectation,
    SetExpectedId,
    SetField,
    SetOption,
    SetPartitioner,
    SetRelease,
    Together,
)
from explorer.model.pipeline import Expectations, Pipeline, Transformation

OPTION = "pipeline.operator-chaining"
OTHER = "pipeline.vertex-name-include-index-prefix"
SINK = Transformation(id="o", type="sink", inputs=("s",), name="other")


@pytest.fixture
def line() -> Pipeline:
    document = load_document(
        {
            "environment": {"configuration": {OPTION: False, OTHER: True}},
            "transformations": [
                {"id": "s", "type": "source"},
                {"id": "o", "type": "sink", "inputs": ["s"], "parallelism": 2},
            ],
        }
    )
    assert isinstance(document, Pipeline)
    return document


def test_each_kind_of_change_is_carried_out(line: Pipeline) -> None:
    rows: tuple[tuple[Change, Pipeline], ...] = (
        (SetField(id="o", field="name", value="n"), edits.set_field(line, "o", "name", "n")),
        (
            SetEnvironment(field="parallelism", value=3),
            edits.set_environment(line, "parallelism", 3),
        ),
        (SetOption(name=OPTION, value=True), edits.set_option(line, OPTION, value=True)),
        (
            SetPartitioner(source="s", target="o", partitioner="RESCALE"),
            edits.set_partitioner(line, "s", "o", "RESCALE"),
        ),
        (
            SetCheckpointing(field="unaligned", value=True),
            edits.set_environment(line, "checkpointing", {"unaligned": True}),
        ),
        (SetExpectation(field="tasks", value=2), replace(line, expect=Expectations(tasks=2))),
        (
            SetExpectedId(name="o", value="0" * 32),
            replace(line, expect=Expectations(ids={"o": "0" * 32})),
        ),
        (SetRelease(flink="1.19"), line.under("1.19")),
        (
            Together(
                changes=(
                    SetField(id="o", field="name", value="n"),
                    SetField(id="s", field="uid", value="u"),
                )
            ),
            edits.set_field(edits.set_field(line, "o", "name", "n"), "s", "uid", "u"),
        ),
        (ReplaceTransformation(transformation=SINK), edits.replace_transformation(line, SINK)),
    )

    for change, expected in rows:
        assert edits.apply_change(line, change) == expected != line


def test_a_field_goes_back_to_its_default(line: Pipeline) -> None:
    changed = edits.apply_change(line, SetField(id="o", field="parallelism", value=None))

    assert changed.transformation("o").parallelism is None


def test_an_option_is_removed_and_no_other_with_it(line: Pipeline) -> None:
    changed = edits.apply_change(line, SetOption(name=OPTION, value=None))

    assert changed.environment.configuration == {OTHER: True}
    assert line.environment.configuration == {OPTION: False, OTHER: True}


def test_a_change_of_what_is_not_there_is_one_sentence(line: Pipeline) -> None:
    with pytest.raises(EditError, match="no transformation 'x'"):
        edits.apply_change(line, SetField(id="x", field="name", value="n"))
