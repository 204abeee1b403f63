"""Documents as text: a pipeline as YAML or JSON, fields in their own order, defaults left out.

A transformation is one line, as users write it, and goes on in a second one where the
first gets long. Text is quoted unless every YAML reader reads the bare word as that very text.
"""

import json
import os
import re
import shutil
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from explorer.errors import UnwritableFileError
from explorer.flink import releases
from explorer.flink.json_members import stream_graph_members
from explorer.model.document import StreamGraphDocument
from explorer.model.pipeline import Pipeline, Transformation

WIDTH: Final = 100

_BARE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[ ./-]+[A-Za-z0-9_]+)*")
_RESERVED: Final = frozenset(
    {"null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf"}
)
_ESCAPED: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


def dump_yaml(pipeline: Pipeline) -> str:
    """Write a pipeline as YAML; ``load(dump(pipeline)) == pipeline``.

    >>> from explorer.model.pipeline import Transformation
    >>> a = Transformation(id="a", type="source")
    >>> print(dump_yaml(Pipeline(name="one", flink="1.20", transformations=(a,))), end="")
    name: one
    flink: "1.20"
    transformations:
      - {id: a, type: source}
    """
    return "".join(f"{line}\n" for line in _lines(to_values(pipeline)))


def write_file(path: Path, text: str, *, parents: bool = False) -> None:
    """Write a result, with missing folders if ``parents``; raises ``UnwritableFileError``.

    Where the disk is full, the file is what it was before: absent, or with its old content.
    """
    try:
        if parents:
            path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")  # a device or a pipe, such as /dev/stdout
        else:
            _replace_file(path.resolve(), text)
    except OSError as error:
        raise UnwritableFileError(path, error) from None


def _replace_file(path: Path, text: str) -> None:
    """Write a text next to a file and put it in its place, with the file's permissions."""
    whole = path.with_name(f".{os.getpid()}.part")
    try:
        whole.write_text(text, encoding="utf-8")
        if path.exists():
            shutil.copymode(path, whole)
        whole.replace(path)
    finally:
        whole.unlink(missing_ok=True)


def dump_record(record: msgspec.Struct | Mapping[str, Any]) -> str:
    r"""Write a part of a pipeline as YAML, a field a line; empty where all fields are defaults.

    >>> from explorer.model.pipeline import Window
    >>> dump_record(Window(assigner="tumbling", size=5000))
    'assigner: tumbling\nsize: 5000'
    """
    return "\n".join(member_texts(_plain(record)))


def pipeline_json(pipeline: Pipeline) -> str:
    """Write a pipeline as JSON, a transformation a line."""
    members = []
    for name, value in to_values(pipeline).items():
        if name == "transformations" and value:
            items = ",\n".join(f"    {_json(item)}" for item in value)
            members.append(f'  "{name}": [\n{items}\n  ]')
        else:
            members.append(f'  "{name}": {_json(value)}')
    return "{\n" + ",\n".join(members) + "\n}\n"


def stream_graph_values(document: StreamGraphDocument) -> dict[str, Any]:
    """Return the JSON values of a StreamGraph document; an unknown release counts as the latest."""
    try:
        release = releases.release(document.flink or releases.LATEST)
    except releases.UnknownReleaseError:
        release = releases.release(releases.LATEST)
    graph = stream_graph_members(document.stream_graph, document.settings, release)
    # In the graph's own order: opened again, a decision's edge has the number that it had.
    graph["edges"] = list(msgspec.to_builtins(document.stream_graph.edges))
    values = {
        **{name: getattr(document, name) for name in ("name", "title", "teaches", "flink")},
        "warnings": list(document.warnings) or None,
        "stream_graph": graph,
        "options": document.options or None,
        "expect": to_values(document.expect) or None,
        "check": to_values(document.check) or None,
        "flink_job_graph": msgspec.to_builtins(document.flink_job_graph),
        "sql_plan": None if document.sql_plan is None else to_values(document.sql_plan),
        "baseline": document.baseline,
    }
    return {name: value for name, value in values.items() if value is not None}


def to_values(record: msgspec.Struct) -> dict[str, Any]:
    """A record as plain values, fields in their own order, left out where they hold a default."""
    values = {}
    names, defaults = _fields(type(record))
    for name, default, value in zip(names, defaults, msgspec.structs.astuple(record), strict=True):
        if value is not default and value != default:
            plain = value if isinstance(value, str | int) else _plain(value)
            if plain != {} or name == "transformations":
                values[name] = plain
    return values


@cache
def _fields(record: type[msgspec.Struct]) -> tuple[tuple[str, ...], tuple[object, ...]]:
    """Return the names and the defaults of a record's fields; a required one has no default."""
    fields = msgspec.structs.fields(record)
    return tuple(f.encode_name for f in fields), tuple(f.default for f in fields)


def _plain(value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        return to_values(value)
    if isinstance(value, tuple):
        return [item if isinstance(item, str | int) else _plain(item) for item in value]
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return value


def _lines(values: Mapping[str, Any]) -> Iterable[str]:
    for name, value in values.items():
        if name == "environment":
            yield "environment:"
            yield from (f"  {line}" for line in member_texts(value))
        elif name == "transformations" and value:
            yield "transformations:"
            for item in value:
                yield from _item(item)
        else:
            yield f"{name}: {flow_text(value)}"


def member_texts(values: Mapping[str, Any]) -> Iterable[str]:
    """The members of a mapping, each on one line."""
    return (f"{bare_text(name)}: {flow_text(value)}" for name, value in values.items())


def item_text(transformation: Transformation) -> str:
    """A transformation as it stands behind the dash of a list's item."""
    return "\n".join(_item(to_values(transformation))).removeprefix("  - ")


def _item(item: Mapping[str, Any]) -> Iterable[str]:
    """Write a transformation as a list item, wrapped between fields."""
    line = "  - {"
    for position, (name, value) in enumerate(item.items()):
        entry = f"{name}: {flow_text(value)}" + ("}" if position == len(item) - 1 else ",")
        if position and len(line) + len(entry) + 1 > WIDTH:
            yield line
            line = "     " + entry
        else:
            line += f" {entry}" if position else entry
    yield line


def flow_text(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(member_texts(value)) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow_text, value)) + "]"
    if isinstance(value, str):
        return bare_text(value)
    if isinstance(value, float):
        mantissa, exponent, power = repr(value).partition("e")
        return mantissa + (".0" if exponent and "." not in mantissa else "") + exponent + power
    return json.dumps(value)


def bare_text(text: str) -> str:
    """A text as a bare word where that is safe, else in double quotes, as JSON and YAML have it."""
    if _BARE.fullmatch(text) and text.lower() not in _RESERVED:
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return _ESCAPED.sub(lambda match: f"\\u{ord(match.group()):04x}", quoted)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
