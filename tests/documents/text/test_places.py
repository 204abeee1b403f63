"""Lines of a document's text for the paths of errors."""

from explorer.documents.text.places import TextPosition, places
from tests.many_cases import for_each

YAML = """name: x
transformations:
  - {id: a, type: source}
  - id: m
    type: map
    inputs: [a]
environment:
  configuration: {"a.b": 1}
"""
JSON = """{
  "name": "x",
  "transformations": [
    {"id": "a"},
    {"id": "\\ud83d\\ude00"}
  ]
}
"""


@for_each(
    ("path", "line", "column"),
    [
        ("name", 1, 7),
        ("transformations[0].type", 3, 19),
        ("transformations[1].inputs[0]", 6, 14),
        ("transformations[1].type", 5, 11),
        ("environment.configuration.'a.b'", 8, 26),
        ("environment", 7, 1),
        ("transformations[9].id", 2, 1),
        ("nowhere", 1, 1),
        ("line 4, column 7", 4, 7),
    ],
)
def test_a_path_has_its_place_or_that_around_it(path: str, line: int, column: int) -> None:
    assert places(YAML, [path]) == [TextPosition(line, column)]


def test_json_is_read_as_yaml_is() -> None:
    assert places(JSON, ["transformations[1].id", "name"]) == [
        TextPosition(5, 12),
        TextPosition(2, 11),
    ]


@for_each("text", ["a: [", "\t: x", "", "[" * 5000])
def test_a_text_that_cannot_be_read_has_no_places(text: str) -> None:
    assert places(text, ["a.b", "line 2, column 3"]) == [TextPosition(1, 1), TextPosition(2, 3)]
