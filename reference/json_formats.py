"""Reference page of the JSON that commands print, with schemas inferred from their outputs."""

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from typing import Any, Final

from explorer.cli.main import main
from explorer.locations import sample_folder
from explorer.plans.reading import plan_schema
from reference.markdown import block, pretty_json
from reference.record_schemas import check_schema, restore_schema

INTRODUCTION: Final = """# JSON formats

Each schema below describes what a command prints as JSON. The schemas of `check`, `plan` and
`restore` come from the records that are printed. The others are inferred from the command's output
for the samples: a member that every output has is required. Releases may add members; none is
removed without a new major version.

"""
SAMPLES: Final = ("01-word-count.yaml", "09-delays-by-carrier.yaml", "22-flights-in-storms.yaml")
FORMATS: Final[Mapping[str, tuple[Sequence[str], ...]]] = {
    "compile": tuple(("compile", sample) for sample in SAMPLES),
    "check --format json": tuple(("check", sample, "--format", "json") for sample in SAMPLES),
    "resources --json": tuple(("resources", sample, "--json") for sample in SAMPLES),
    "restore --json": (
        ("restore", SAMPLES[0], SAMPLES[0], "--json"),
        ("restore", SAMPLES[1], SAMPLES[0], "--json"),
        ("restore", SAMPLES[2], SAMPLES[2], "--json"),
    ),
    "plan --format json": (
        ("plan", SAMPLES[0], "--from", SAMPLES[0], "--format", "json"),
        ("plan", SAMPLES[0], "--from", SAMPLES[1], "--format", "json"),
    ),
    "preview --json": tuple(("preview", sample, "--rows", "20", "--json") for sample in SAMPLES),
    "lesson --json": (("lesson", "01-word-count.lesson.yaml", "--json"),),
}
"""By command, calls; its schema is inferred from their outputs. Files are samples."""


EXACT: Final[Mapping[str, Callable[[], dict[str, Any]]]] = {
    "check --format json": check_schema,
    "plan --format json": plan_schema,
    "restore --json": restore_schema,
}
"""By command, the schema that the record itself gives."""


def formats_page() -> str:
    """Return the page: a schema for each command that prints JSON."""
    sections = (
        f"## {command}\n\n{block('json', pretty_json(schema))}"
        for command, schema in schemas().items()
    )
    return INTRODUCTION + "\n".join(sections)


@cache
def schemas() -> Mapping[str, Mapping[str, Any]]:
    """Return the JSON Schema of each command's output, by command."""
    return {
        command: {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": f"Output of {command}",
            **(EXACT[command]() if command in EXACT else inferred([printed(one) for one in calls])),
        }
        for command, calls in FORMATS.items()
    }


def printed(call: Sequence[str]) -> Any:
    """Return the JSON that a command prints for samples, whatever its exit code."""
    folder = sample_folder()
    arguments = [str(folder / word) if (folder / word).is_file() else word for word in call]
    output, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(output), redirect_stderr(errors):
        main(arguments)
    return json.loads(output.getvalue())


def inferred(values: Iterable[Any]) -> dict[str, Any]:
    """Return a JSON Schema that all values fulfil: types, members, which members are required.

    >>> inferred([{"a": 1}, {"a": None, "b": []}])["required"]
    ['a']
    """
    values = list(values)
    types = sorted({next(_types(value)) for value in values})
    if "integer" in types and "number" in types:
        types.remove("integer")
    schema: dict[str, Any] = {"type": types[0] if len(types) == 1 else types} if types else {}
    objects = [value for value in values if isinstance(value, dict)]
    elements = [element for value in values if isinstance(value, list) for element in value]
    if objects:
        schema |= _object_schema(objects)
    if elements:
        schema["items"] = inferred(elements)
    return schema


def _object_schema(objects: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    names = list(dict.fromkeys(name for one in objects for name in one))
    if not all(name.isidentifier() for name in names):  # Node IDs, and no names of the format.
        return {"additionalProperties": inferred(one[name] for one in objects for name in one)}
    properties = {name: inferred(one[name] for one in objects if name in one) for name in names}
    required = [name for name in names if all(name in one for one in objects)]
    return {"properties": properties, "required": required}


def _types(value: Any) -> Iterator[str]:
    for python, name in _JSON_TYPES:
        if isinstance(value, python):
            yield name


_JSON_TYPES: Final[tuple[tuple[type, str], ...]] = (
    (bool, "boolean"),
    (int, "integer"),
    (float, "number"),
    (str, "string"),
    (list, "array"),
    (dict, "object"),
    (type(None), "null"),
)
