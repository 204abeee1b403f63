"""Reads the JSON that ``rehearse --json`` wrote: an upload, or a document's file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from explorer.documents.limits import MAX_BYTES, MAX_TRANSFORMATIONS
from explorer.documents.loading import read_file
from explorer.documents.records import to_record
from explorer.documents.text.json_text import read_json
from explorer.errors import DocumentError
from explorer.locations import PROGRAM
from explorer.model.rehearsal import Rehearsal

ENDING: Final = ".rehearsal.json"
"""Ending of the file ``NAME.rehearsal.json`` of a document ``NAME.yaml`` or ``NAME.json``."""
_NOT_ONE: Final = f"this is no rehearsal: give the JSON that {PROGRAM} rehearse --json prints"


def parse_rehearsal(content: bytes) -> Rehearsal:
    """Read a rehearsal's JSON; raises ``DocumentError`` with the path of the first fault."""
    if len(content) > MAX_BYTES:
        problem = f"the file is larger than {MAX_BYTES >> 20} MB, the most that is read"
        raise DocumentError(path="", problem=problem)
    try:
        values = read_json(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise DocumentError(path="", problem=_NOT_ONE) from None
    if not isinstance(values, Mapping) or not {"verdict", "operators"} <= values.keys():
        raise DocumentError(path="", problem=_NOT_ONE)
    if "flink" in values:  # The only name of the member before it was ``flink_version``.
        values = {"flink_version": values["flink"], **values}
    rehearsal = to_record(values, Rehearsal)
    if len(rehearsal.operators) > MAX_TRANSFORMATIONS:
        problem = (
            f"has {len(rehearsal.operators):,} operators; at most {MAX_TRANSFORMATIONS:,} are read"
        )
        raise DocumentError(path="operators", problem=problem)
    return rehearsal


def rehearsal_of(document: Path) -> Rehearsal | None:
    """Return the rehearsal in a document's ``NAME.rehearsal.json``; None if there is no file."""
    path = document.with_name(document.name.rpartition(".")[0] + ENDING)
    return parse_rehearsal(read_file(path)) if path.is_file() else None
