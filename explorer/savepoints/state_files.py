"""The serializers of each operator's state: headers in the metadata, or in separate files.

Data files are looked for where the metadata states and, as a savepoint may have been moved, next to
``_metadata``. Only their first bytes are read, save those with partial matches of a pattern; a
missing file is reported as missing data.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from explorer.savepoints.partial_matches import (
    MOST_ENTRY_BYTES,
    PartialMatches,
    holds_partial_matches,
    joined_matches,
    read_matches,
)
from explorer.savepoints.saved_states import HEADER_BYTES, StateSchema, joined_schemas, read_schema
from explorer.savepoints.savepoint import OperatorState, Savepoint, StateHeader, SubtaskState
from explorer.wording import quoted

MOST_HEADERS: Final = 4_000
"""Headers of one savepoint that are read."""
_MOST_PER_OPERATOR: Final = 8
"""Headers of one operator's keyed or operator state: its subtasks' are alike."""
_FIRST_BYTES: Final = 1 << 16
"""Bytes of a file that are read at first; up to ``HEADER_BYTES`` where they do not suffice."""
_LOCAL: Final = re.compile(r"file:/*(/.*)")
_STATE_FOLDERS: Final = ("", "../shared", "../taskowned")
"""Folders, from the metadata's, in which a savepoint or a retained checkpoint has its files.

The last two are those that ``AbstractFsCheckpointStorageAccess`` has beside a job's checkpoints.
"""


def with_schemas(savepoint: Savepoint) -> Savepoint:
    """Add every operator's state types; a savepoint that came as bytes opens no file."""
    path = Path(savepoint.path)
    folder = path if path.is_dir() else path.parent
    headers = _Headers(folder if savepoint.path else None)
    operators = tuple(headers.read(operator) for operator in savepoint.operators)
    return msgspec.structs.replace(savepoint, operators=operators)


class _Headers:
    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.left = MOST_HEADERS
        self.entry_bytes_left = MOST_ENTRY_BYTES

    def read(self, operator: OperatorState) -> OperatorState:
        """The operator with its schema, and without the headers that it was read from."""
        headers = [header for handle in operator.handles for header in handle.headers]
        if not headers:
            return operator
        schemas = [
            schema
            for backend in ("keyed", "operator")
            for schema in self._of_backend(
                [state_header for state_header in headers if state_header.backend == backend]
            )
        ]
        schema = joined_schemas(schemas)
        has_pattern = any(holds_partial_matches(state.value) for state in schema.states)
        return msgspec.structs.replace(
            operator,
            schema=schema,
            partial_matches=self._partial_matches(operator) if has_pattern else None,
            subtasks=tuple(_without_headers(subtask) for subtask in operator.subtasks),
        )

    def _partial_matches(self, operator: OperatorState) -> PartialMatches:
        """Read the partial matches of all subtasks, as far as their format allows."""
        parts = [
            self._matches_in(handle.format, header)
            for handle in operator.handles
            if handle.kind == "keyed"
            for header in handle.headers
        ]
        return joined_matches(parts)

    def _matches_in(self, layout: str, header: StateHeader) -> PartialMatches:
        if layout != "canonical":
            return PartialMatches(problem=f"its keyed state is {layout}, not canonical")
        content = self._entry_bytes(header)
        if content is None:
            return PartialMatches(problem=self._missing(header.file or ""))
        if len(content) > self.entry_bytes_left:
            return PartialMatches(
                problem=f"only {MOST_ENTRY_BYTES >> 20} MiB of the entries of patterns are read"
            )
        self.entry_bytes_left -= len(content)
        return read_matches(content, header.entries_at)

    def _entry_bytes(self, header: StateHeader) -> bytes | None:
        """Header and entries, up to one byte more than may be read; None: the file is missing."""
        if header.file is None:
            return header.content
        path = self._find_file(header)
        if path is None:
            return None
        return _first_bytes(path, header.offset, self.entry_bytes_left + 1)

    def _of_backend(self, headers: list[StateHeader]) -> Iterable[StateSchema]:
        for header in headers[:_MOST_PER_OPERATOR]:
            if self.left <= 0:
                yield StateSchema(problems=(_TOO_MANY,))
                return
            self.left -= 1
            yield self._schema(header)

    def _schema(self, header: StateHeader) -> StateSchema:
        if header.file is None:
            return read_schema(header.backend, header.content)
        path = self._find_file(header)
        if path is None:
            return StateSchema(problems=(self._missing(header.file),))
        schema = StateSchema()
        for length in (_FIRST_BYTES, HEADER_BYTES):
            content = _first_bytes(path, header.offset, length)
            if content is None:
                return StateSchema(
                    problems=(f"data missing: {quoted(str(path), 200)} cannot be read",)
                )
            schema = read_schema(header.backend, content)
            if not schema.problems or len(content) < length:
                break
        return schema

    def _find_file(self, header: StateHeader) -> Path | None:
        """The data file: next to the metadata first, as a savepoint may have been moved."""
        if self.folder is None or header.file is None:
            return None
        name = header.file.replace("\\", "/").rpartition("/")[2]
        local = _LOCAL.fullmatch(header.file)
        path = Path(local[1] if local else header.file)
        places = [self.folder / folder / name for folder in _STATE_FOLDERS] if name else []
        places += [path] if path.is_absolute() else []
        return next((place for place in places if _is_file(place)), None)

    def _missing(self, file: str) -> str:
        if self.folder is None:
            return (
                f"data missing: the state is in {quoted(file, 200)}, which did not come with the "
                "metadata"
            )
        return f"data missing: {quoted(file, 200)} is neither there nor next to the metadata"


_TOO_MANY: Final = f"only the first {MOST_HEADERS:,} headers of a savepoint's state are read"


def _without_headers(subtask: SubtaskState) -> SubtaskState:
    handles = tuple(msgspec.structs.replace(handle, headers=()) for handle in subtask.handles)
    return msgspec.structs.replace(subtask, handles=handles)


def _is_file(place: Path) -> bool:
    try:
        return place.is_file()
    except (OSError, ValueError):
        return False


def _first_bytes(place: Path, offset: int, length: int) -> bytes | None:
    try:
        with place.open("rb") as opened:
            opened.seek(max(offset, 0))
            return opened.read(length)
    except (OSError, ValueError, OverflowError):
        return None
