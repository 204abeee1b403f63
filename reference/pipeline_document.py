"""Reference page of the pipeline document: every record, every field with an example."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
import yaml

from explorer.flink.kinds import KINDS, Kind
from explorer.locations import sample_folder
from explorer.model import pipeline
from explorer.model.pipeline import Pipeline
from reference.markdown import block, code, inline_yaml, plain, table
from reference.python_interface import field_docstrings

INTRODUCTION: Final = """# Pipeline document

A pipeline document describes a DataStream program in YAML or JSON: the environment, then the
transformations in the order in which the program declares them. Unknown fields are refused.

"""
EXAMPLES: Final = Path(__file__).with_name("examples.yaml")
"""Values of fields that no sample has."""
_WORDS: Final[Mapping[str, str]] = {
    "str": "text",
    "int": "whole number",
    "float": "number",
    "bool": "true or false",
    "Mapping": "mapping",
    "tuple": "list",
}
"""A reader's word for each Python type."""


def pipeline_page() -> str:
    """Return the page: an example, the types of transformations, the fields of each record."""
    sample = (sample_folder() / "01-word-count.yaml").read_text(encoding="utf-8")
    sections = "\n".join(_section(record) for record in records())
    types = f"## Transformation types\n\n{_types()}\n"
    return f"{INTRODUCTION}{block('yaml', sample)}\n{types}\n{sections}"


@cache
def records() -> tuple[type[msgspec.Struct], ...]:
    """Return the records of a pipeline document, each after the records that hold it."""
    found: dict[type[msgspec.Struct], None] = {Pipeline: None}
    waiting: list[type[msgspec.Struct]] = [Pipeline]
    while waiting:
        for field in msgspec.structs.fields(waiting.pop(0)):
            for record in _records_in(field.type):
                if record not in found:
                    found[record] = None
                    waiting.append(record)
    return tuple(found)


def _records_in(declared: Any) -> Iterator[type[msgspec.Struct]]:
    waiting = [declared]
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, type) and issubclass(one, msgspec.Struct):
            yield one
        waiting += getattr(one, "__args__", ())


def _types() -> str:
    rows = (
        (code(kind.type), code(kind.call), _inputs(kind), _own_fields(kind))
        for kind in KINDS.values()
    )
    return table(["type", "Flink call", "inputs", "fields of its own"], rows)


def _inputs(kind: Kind) -> str:
    fewest, most = kind.inputs
    if fewest == most:
        return str(fewest)
    return f"{fewest} or more" if most is None else f"{fewest} to {most}"


def _own_fields(kind: Kind) -> str:
    needed = {name for name, _ in kind.needs}
    named = dict.fromkeys((*needed, *kind.fields))
    return ", ".join(f"{code(name)}{' (required)' if name in needed else ''}" for name in named)


def _section(record: type[msgspec.Struct]) -> str:
    title = "Top level" if record is Pipeline else record.__name__
    docstring = (record.__doc__ or "").strip()
    rows = (
        (
            code(field.encode_name),
            code(_type_text(field.type)),
            "required" if field.required else code(_default(field)),
            plain(descriptions()[record.__name__].get(field.name) or ""),
            code(_example_text(record, field.encode_name)),
        )
        for field in msgspec.structs.fields(record)
    )
    heads = ["field", "type", "default", "meaning", "example"]
    return f"## {title}\n\n{plain(docstring)}\n\n{table(heads, rows)}\n"


@cache
def descriptions() -> Mapping[str, Mapping[str, str]]:
    """Return the docstrings of the document's fields, by record and field, inherited ones too."""
    own = field_docstrings(Path(pipeline.__file__).read_text(encoding="utf-8"))
    merged: dict[str, dict[str, str]] = {}
    for record in records():
        merged[record.__name__] = {
            name: text
            for base in reversed(record.__mro__)
            for name, text in own.get(base.__name__, {}).items()
        }
    return merged


def _type_text(declared: Any) -> str:
    """Return a type as a reader writes it, such as ``whole number`` or the allowed words."""
    text = str(declared) if not isinstance(declared, type) else declared.__name__
    text = re.sub(r"typing\.Literal\[(.*?)\]", _choices, text)
    text = re.sub(r"(?:\w+\.)+(\w+)", r"\1", text)
    text = re.sub(r"^Optional\[(.*)\]$", r"\1", text).removesuffix(" | None")
    for python, word in _WORDS.items():
        text = re.sub(rf"\b{python}\b", word, text)
    return text.replace(", ...]", "]")


def _choices(literal: re.Match[str]) -> str:
    return literal[1].replace("'", "").replace(", ", " | ")


def _default(field: Any) -> str:
    value = field.default
    if value is None or isinstance(value, msgspec.Struct) or field.default is msgspec.NODEFAULT:
        return ""
    return inline_yaml(value) if value not in ((), {}) else ""


def _example_text(record: type[msgspec.Struct], field: str) -> str:
    values = examples().get((record, field), ())
    texts = sorted((inline_yaml({field: value})[1:-1] for value in values), key=len)
    return texts[0] if texts else ""


@cache
def examples() -> Mapping[tuple[type[msgspec.Struct], str], tuple[Any, ...]]:
    """Return values of each field in ``EXAMPLES`` and the samples, by record and field."""
    found: dict[tuple[type[msgspec.Struct], str], list[Any]] = {}
    for document in _documents():
        for record, values in _records_of(Pipeline, document):
            for name, value in values.items():
                found.setdefault((record, name), []).append(value)
    return {key: tuple(values) for key, values in found.items()}


def _documents() -> Iterator[Mapping[str, Any]]:
    yield yaml.safe_load(EXAMPLES.read_text(encoding="utf-8"))
    for path in sorted(sample_folder().glob("*.yaml")):
        if not path.name.endswith(".lesson.yaml"):
            yield yaml.safe_load(path.read_text(encoding="utf-8"))


def _records_of(
    record: type[msgspec.Struct], document: Mapping[str, Any]
) -> Iterator[tuple[type[msgspec.Struct], Mapping[str, Any]]]:
    """Yield each record in a document's plain values, with its own values."""
    waiting: list[tuple[type[msgspec.Struct], Any]] = [(record, document)]
    while waiting:
        kind, values = waiting.pop()
        yield kind, values
        for field in msgspec.structs.fields(kind):
            held = tuple(_records_in(field.type))
            if held and field.encode_name in values:
                inner = _values_in(field.type, values[field.encode_name])
                waiting += [(held[0], one) for one in inner]


def _values_in(declared: Any, value: Any) -> Iterable[Any]:
    """Return the values of records in a field: itself, the elements of a list or a mapping."""
    if isinstance(value, list):
        return value
    return value.values() if "Mapping" in str(declared) else (value,)
