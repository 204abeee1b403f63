"""Changes are written into a person's YAML at their places, and the text says the document."""

from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from explorer import edits
from explorer.documents import dump_yaml, parse_document
from explorer.documents.yaml_changes import changed_yaml
from explorer.errors import ExplorerError
from explorer.model.pipeline import Pipeline
from tests.examples import examples
from tests.many_cases import for_each
from tests.strategies import pipelines

TEXT: Final = """\
# What a person wrote.
name: mine   # a name
environment:
  parallelism: 2  # two

transformations:
  - {id: a, type: source}   # begins
  # a comment of its own
  - id: m
    type: map
    inputs: [a]
    parallelism: 4  # more

  - {id: z, type: sink, inputs: [m]}
# the end
"""


def read(text: str) -> Pipeline:
    pipeline = parse_document(text, name="x.yaml").pipeline
    assert pipeline is not None
    return pipeline


MINE: Final = read(TEXT)


@for_each(
    ("after", "old", "new"),
    [
        (edits.set_field(MINE, "m", "parallelism", 8), "parallelism: 4 ", "parallelism: 8 "),
        (edits.set_field(MINE, "m", "parallelism", None), "    parallelism: 4  # more\n", ""),
        (edits.set_field(MINE, "a", "uid", "first"), "source}", "source, uid: first}"),
        (edits.set_field(MINE, "z", "inputs", ["a"]), "inputs: [m]}", "inputs: [a]}"),
        (edits.set_environment(MINE, "parallelism", 3), "parallelism: 2 ", "parallelism: 3 "),
        (
            edits.set_environment(MINE, "runtime_mode", "BATCH"),
            "parallelism: 2  # two\n",
            "parallelism: 2\n  runtime_mode: BATCH  # two\n",
        ),
        (MINE.under("1.18"), "transformations:", 'flink: "1.18"\ntransformations:'),
        (
            edits.delete_transformation(edits.set_field(MINE, "z", "inputs", ["a"]), "m"),
            "  - id: m\n    type: map\n    inputs: [a]\n    parallelism: 4  # more\n",
            "",
        ),
        (
            edits.duplicate(MINE, "a"),
            "{id: a, type: source}   # begins\n",
            "{id: a, type: source}   # begins\n  - {id: a-2, type: source}\n",
        ),
        (edits.rename(MINE, "z", "end"), "id: z,", "id: end,"),
    ],
)
def test_only_what_changed_is_written(after: Pipeline, old: str, new: str) -> None:
    text = changed_yaml(TEXT, after)

    assert read(text) == after
    read_from = after.transformations[-1].inputs[0]
    assert text == TEXT.replace(old, new, 1).replace("inputs: [m]}", f"inputs: [{read_from}]}}")
    for comment in ("# What a person wrote.", "# a name", "# two", "# begins", "# the end"):
        assert comment in text


def test_a_text_of_the_same_document_is_unchanged() -> None:
    assert changed_yaml(TEXT, MINE) == TEXT


def test_a_change_without_a_place_in_the_text_rewrites_the_document() -> None:
    with_source = edits.add_transformation(MINE, {"id": "b", "type": "source"})
    turned = edits.add_input(with_source, "b", "m")
    for text in (TEXT, "- no mapping", "name: [", "transformations: []", "{transformations: []}"):
        assert read(changed_yaml(text, turned)) == turned


@examples(60)
@given(pipelines(), st.data())
def test_the_changed_text_always_reads_as_the_document(
    document: Pipeline, data: st.DataObject
) -> None:
    text = dump_yaml(document)
    ids = [one.id for one in document.transformations]
    for _ in range(3):
        id = data.draw(st.sampled_from(ids))
        edit = data.draw(st.sampled_from([edits.duplicate, edits.delete_transformation]))
        try:
            after = edit(document, id)
            after = edits.set_field(after, after.transformations[0].id, "parallelism", 7)
            parse_document(dump_yaml(after))
        except ExplorerError:
            continue
        assert read(changed_yaml(text, after)) == after
