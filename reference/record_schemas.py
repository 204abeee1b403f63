"""JSON schemas of printed records, from the records' own types."""

from typing import Any, Final, get_type_hints

import msgspec

from explorer.checks.findings import Finding
from explorer.restore.verdict import RestoreVerdict

_TEMPLATE: Final = "#/$defs/{name}"


class _Fix(msgspec.Struct, kw_only=True):
    """A fix that was tried."""

    label: str
    effect: str


class _CheckedFile(msgspec.Struct, kw_only=True):
    """One file and its findings."""

    file: str
    name: str
    flink: str
    flink_version: str
    counts: dict[str, int]


def restore_schema() -> dict[str, Any]:
    """The JSON schema of what ``restore --json`` prints."""
    derived = {
        "flink_version": str,
        "verdict": str,
        "sentence": str,
        "checked": list[str],
        "unchecked": list[str],
        "answer": str,
        "headline": str,
        "restrictions": list[str],
        "refusals": list[str],
        "assumptions": list[str],
    }
    return _schema("RestoreVerdict", {**_fields(RestoreVerdict), **derived})


def check_schema() -> dict[str, Any]:
    """The JSON schema of what ``check --format json`` prints."""
    own = {name: kind for name, kind in _fields(Finding).items() if name != "proposals"}
    place = {"file": str, "line": int, "column": int}
    # Labels alone where fixes were not tried.
    fixes = {"fixes": list[_Fix | str]}
    finding = msgspec.defstruct("Finding", list({**own, **place, **fixes}.items()))
    files = msgspec.defstruct(
        "CheckedFile",
        [*_fields(_CheckedFile).items(), ("findings", list[finding])],  # type: ignore[valid-type]
    )
    return _schema("Checked", {"files": list[files]})  # type: ignore[valid-type]


def _fields(record: type[msgspec.Struct]) -> dict[str, Any]:
    hints = get_type_hints(record)
    return {name: hints[name] for name in record.__struct_fields__}


def _schema(name: str, members: dict[str, Any]) -> dict[str, Any]:
    shape = msgspec.defstruct(name, list(members.items()))
    (_,), parts = msgspec.json.schema_components([shape], ref_template=_TEMPLATE)
    return {**parts.pop(name), "$defs": parts}
