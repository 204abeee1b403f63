"""JSON Schemas of the files that users write: pipelines, lessons and locks.

They are generated from the records that read these files and from the tables of transformation
types, releases and facts, so that an editor completes exactly what the reader accepts. A schema
checks form only: what a field means in a program is for ``documents`` to check.
"""

import ast
import inspect
import sys
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from typing import Any, Final

import msgspec

from explorer.checks.lock import Lock
from explorer.flink.kinds import KINDS, Kind
from explorer.flink.partitioners import NAMED_PARTITIONERS
from explorer.flink.releases import VERSIONS
from explorer.lessons.facts import FACTS
from explorer.model.lesson import Lesson
from explorer.model.pipeline import Pipeline

Schema = dict[str, Any]
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
ROOTS: Final[Mapping[str, type[msgspec.Struct]]] = {
    "pipeline": Pipeline,
    "lesson": Lesson,
    "lock": Lock,
}
"""Maps each kind of file to the record that it is read into."""


@cache
def document_schema(name: str) -> Schema:
    """Return the JSON Schema (draft 2020-12) of the files called ``name`` in ``ROOTS``.

    Raises ``KeyError`` for any other name. The result is shared: callers do not change it.
    """
    root = ROOTS[name]
    (reference,), components = msgspec.json.schema_components([root])
    for title, record in _records(root).items():
        _describe(components[title], record)
    for title, component in components.items():
        _refine(title, component)
    head = {"$schema": DIALECT, "title": f"StreamGraph Explorer {name}", **reference}
    schema: Schema = msgspec.json.decode(msgspec.json.encode(head | {"$defs": components}))
    return schema


def _records(root: type[msgspec.Struct]) -> dict[str, type[msgspec.Struct]]:
    """Map the title of each component of ``root``'s schema to its record."""
    types: dict[str, type[msgspec.Struct]] = {}
    todo: list[Any] = [msgspec.inspect.type_info(root)]
    while todo:
        kind = todo.pop()
        if isinstance(kind, msgspec.inspect.StructType):
            if kind.cls.__name__ in types:
                continue
            types[kind.cls.__name__] = kind.cls
            todo += [field.type for field in kind.fields]
        for inner in ("types", "item_types"):
            todo += getattr(kind, inner, ())
        inner_types = ("item_type", "key_type", "value_type")
        todo += [getattr(kind, inner) for inner in inner_types if hasattr(kind, inner)]
    return types


def _describe(schema: Schema, record: type[msgspec.Struct]) -> None:
    """Add each field's description, which is the text below the field in the record's class."""
    described = {
        name: text
        for owner in reversed(record.__mro__)
        if owner.__module__.startswith("explorer.")
        for name, text in _field_texts(owner.__module__).get(owner.__name__, {}).items()
    }
    for field in msgspec.structs.fields(record):
        if field.name in described:
            schema["properties"][field.encode_name]["description"] = described[field.name]


@cache
def _field_texts(module: str) -> dict[str, dict[str, str]]:
    """Map each class of a module to its annotated fields with the strings below them."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {
        owner.name: {
            field.target.id: inspect.cleandoc(text).replace("\n", " ").replace("``", "`")
            for field, below in pairwise(owner.body)
            if isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
            and isinstance(text := below.value.value, str)
        }
        for owner in tree.body
        if isinstance(owner, ast.ClassDef)
    }


def _refine(title: str, schema: Schema) -> None:
    """Add what the tables of types, releases and facts know beyond a record's types."""
    properties = schema.get("properties", {})
    if title == "Transformation":
        properties["type"] |= {
            "enum": list(KINDS),
            "enumDescriptions": [kind.call for kind in KINDS.values()],
        }
        properties["partitioner"] |= {"examples": list(NAMED_PARTITIONERS)}
        schema["allOf"] = [_rule(kind) for kind in KINDS.values()]
    elif title in {"Pipeline", "PipelineChange"}:
        patch_levels = {"type": "string", "pattern": rf"^({'|'.join(VERSIONS)})\.\d+$"}
        named = [{"enum": list(VERSIONS)}, patch_levels, {"type": "null"}]
        properties["flink"] |= {"anyOf": named}
    elif title == "Question":
        properties["fact"] |= {
            "enum": list(FACTS),
            "enumDescriptions": [fact.words for fact in FACTS.values()],
        }


def _rule(kind: Kind) -> Schema:
    values: Schema = {"propertyNames": {"enum": ["id", "type", *kind.allowed_fields]}}
    if required := [field for field, _ in kind.needs]:
        values["required"] = required
    return {
        "if": {"properties": {"type": {"const": kind.type}}, "required": ["type"]},
        "then": values,
    }
