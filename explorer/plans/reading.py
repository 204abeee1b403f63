"""Read a plan's JSON back, as ``plan --format json`` prints it; and the schema of that JSON."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from explorer.documents import load_document
from explorer.errors import ExplorerError
from explorer.plans.record import SECTIONS, Plan, PlanDocuments, PlanSection

SCHEMA_ID: Final = "streamgraph-explorer/plan.schema.json"
MAX_PLAN: Final = 10 * 1024 * 1024
"""Bytes of a plan's JSON that are read."""


class PlanJsonError(ExplorerError):
    """A JSON that is no plan's."""


def is_plan(values: object) -> bool:
    """Whether plain values look like a plan's: they have a verdict and sections."""
    return isinstance(values, Mapping) and {"verdict", "sections", "new"} <= values.keys()


def read_plan(content: bytes) -> Plan:
    """The plan that a JSON text holds, with the documents of both sides.

    Raises ``ExplorerError`` where the text is too long, is no plan, or a document in it is none.
    """
    if len(content) > MAX_PLAN:
        msg = f"a plan's JSON has at most {MAX_PLAN:,} bytes, this one has {len(content):,}"
        raise PlanJsonError(msg)
    try:
        values = msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError) as error:
        msg = f"no plan: {error}; give what plan --format json printed"
        raise PlanJsonError(msg) from None
    return plan_from_values(values)


def plan_from_values(values: object) -> Plan:
    """The plan that plain values hold; raises as ``read_plan``."""
    if not is_plan(values) or not isinstance(values, dict):
        msg = "no plan's JSON: give what plan --format json prints"
        raise PlanJsonError(msg)
    members = {name: value for name, value in values.items() if name not in {"title", "documents"}}
    try:
        members["sections"] = [{"name": name, **values["sections"][name]} for name in SECTIONS]
        plan = msgspec.convert(members, Plan)
    except (msgspec.ValidationError, KeyError, TypeError) as error:
        msg = f"no plan's JSON: {error}"
        raise PlanJsonError(msg) from None
    given = values.get("documents")
    sides = given if isinstance(given, dict) else {}
    loaded = {
        side: load_document(sides[side]) for side in ("old", "new") if sides.get(side) is not None
    }
    return msgspec.structs.replace(plan, documents=PlanDocuments(**loaded))


class _PlanDocumentValues(msgspec.Struct, kw_only=True):
    """Both programs as documents of this project; null where one is not known."""

    old: dict[str, Any] | None
    new: dict[str, Any] | None


def plan_schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of ``Plan.to_dict()``."""
    kinds = [struct_field for struct_field in Plan.__struct_fields__ if struct_field != "documents"]
    hints = {name: Plan.__annotations__[name] for name in kinds}
    shape = msgspec.defstruct("Plan", [*hints.items(), ("documents", _PlanDocumentValues)])
    from explorer.document_schemas import DIALECT

    _, parts = msgspec.json.schema_components([shape], ref_template="#/$defs/{name}")
    plan = parts.pop("Plan")
    section = parts[PlanSection.__name__]
    section["properties"].pop("name")
    section["required"] = [name for name in section["required"] if name != "name"]
    reference = {"$ref": f"#/$defs/{PlanSection.__name__}"}
    plan["properties"]["sections"] = {
        "type": "object",
        "properties": dict.fromkeys(SECTIONS, reference),
        "required": list(SECTIONS),
    }
    plan["properties"]["title"] = {"type": "string"}
    return {"$schema": DIALECT, "$id": SCHEMA_ID, **plan, "$defs": parts}
