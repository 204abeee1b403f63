"""Any document as data: identified by its members, checked, with one sentence a fault."""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

from explorer.collector import collector_paused
from explorer.documents.checks.faults import Problem, refuse
from explorer.documents.limits import MAX_BYTES, MAX_ID, MAX_TRANSFORMATIONS, decode_content
from explorer.documents.readers.data_sets import to_data_set_document
from explorer.documents.readers.flink_plans import from_execution_plan
from explorer.documents.readers.job_graphs import to_job_graph_document
from explorer.documents.readers.pipelines import to_pipeline
from explorer.documents.readers.stream_graphs import to_stream_graph_document
from explorer.documents.readers.submitted_plans import from_submitted_plan
from explorer.documents.text.json_text import read_json
from explorer.errors import DocumentError
from explorer.flink.releases import LATEST, VERSIONS, is_release
from explorer.model.document import Document
from explorer.wording import quoted

_PATH: Final = 200
"""Characters of a file's name that a message repeats."""

_LOOKS_LIKE_JSON: Final = re.compile(r'\s*(?:\{\s*["}]|\[\s*[\[{"\]])')


_IN_MEMORY: ContextVar[Mapping[str, bytes] | None] = ContextVar("in_memory", default=None)
"""Contents by the names under which ``read_file`` returns them, as if these were files."""


@contextmanager
def contents_in_memory(contents: Mapping[str, bytes]) -> Iterator[None]:
    """Let these contents be read as files of these names, in the current context."""
    token = _IN_MEMORY.set(contents)
    try:
        yield
    finally:
        _IN_MEMORY.reset(token)


def read_file(path: Path) -> bytes:
    """Read a file's bytes; raises ``DocumentError`` in place of ``OSError``."""
    if (content := (_IN_MEMORY.get() or {}).get(str(path))) is not None:
        return content
    called = quoted(str(path), _PATH)
    try:
        if path.is_dir():
            raise DocumentError(path="", problem=f"{called} is a folder; name a document in it")
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        why = (error.strerror or "it cannot be read").lower()
        raise DocumentError(path="", problem=f"cannot read {called}: {why}") from None
    except ValueError:
        raise DocumentError(path="", problem=f"{called} is not a file name") from None


def data_folder(document: Path) -> Path:
    """The folder of a document's rows: ``data`` next to it if there is one, else its own.

    A document from standard input, ``-``, counts as one in the current folder.
    """
    rows_folder = document.parent / "data"
    return rows_folder if rows_folder.is_dir() else document.parent


_PRINTED_PLAN: Final = re.compile(
    r"^-{5,} Execution Plan -{5,}[ \t]*\r?\n(\{.*\})\s*^-{5,}[ \t]*$", re.MULTILINE | re.DOTALL
)
"""An execution plan as ``flink info`` prints it: between lines, after the logs of the program."""


def read_values(content: bytes | str, name: str) -> object:
    """Build the plain values of a document; ``name`` distinguishes YAML from JSON by its ending."""
    text = decode_content(content, "the document is")
    if not text.strip():
        raise DocumentError(path="", problem="the document is empty; it must hold a pipeline")
    if printed := _PRINTED_PLAN.search(text):
        return read_json(printed[1])
    reader = _READERS.get(Path(name).suffix.lower())
    if reader is None:
        reader = read_json if _LOOKS_LIKE_JSON.match(text) else _read_yaml
    return reader(text)


def _read_yaml(text: str) -> object:
    """Load the YAML reader only when a document needs it."""
    from explorer.documents.text.yaml_text import read_yaml

    return read_yaml(text)


_READERS: Final[dict[str, Callable[[str], object]]] = {
    ".json": read_json,
    ".yaml": _read_yaml,
    ".yml": _read_yaml,
}
"""Readers by file ending."""


class NoProgramError(DocumentError):
    """A value of another type than those that stand for a program."""

    def __init__(self, value: object) -> None:
        msg = (
            "a program is a path, a mapping, a document, an environment or a compiled graph, not "
            f"a {type(value).__name__}"
        )
        super().__init__(path="", problem=msg)


@collector_paused()
def load_document(source: str | Path | Mapping[str, Any]) -> Document:
    """Read a document from a file, or accept a mapping that is in memory already.

    Raises ``DocumentError``. Only a mapping may be larger than the limit in ``limits``.
    """
    if isinstance(source, Mapping):
        return _document(source, limit=None)
    if not isinstance(source, str | Path):
        raise NoProgramError(source)
    path = Path(source)
    return parse_document(read_file(path), name=path.name)


@runtime_checkable
class ProgramForm(Protocol):
    """A program in another form than a document: an environment, a compiled graph."""

    def to_document(self) -> Document:
        """The program as a document."""


Program: TypeAlias = Document | ProgramForm | Mapping[str, Any] | str | Path
"""Everything that stands for a program in Python."""


def as_document(source: Program) -> Document:
    """A document as it is; a path or a mapping is loaded first, other forms are converted.

    Raises ``DocumentError``.
    """
    if isinstance(source, ProgramForm):
        return source.to_document()
    if isinstance(source, str | Path | Mapping):
        return load_document(source)
    if not hasattr(source, "kind"):
        raise NoProgramError(source)
    return source


@collector_paused()
def parse_document(content: bytes | str, *, name: str = "") -> Document:
    """Read a document from an upload or from standard input.

    ``name`` ends in .json, .yaml or .yml; any other name leaves the format to the content.

    >>> parse_document("transformations: [{id: a, type: source}]").transformations[0].id
    'a'
    """
    try:
        values = read_values(content, name)
    except DocumentError:
        from explorer.documents.readers.resource_texts import is_resource_text

        text = content if isinstance(content, str) else content.decode(errors="replace")
        if len(content) <= MAX_BYTES and is_resource_text(text):
            raise ResourceFileError(name) from None
        raise
    return _document(values, limit=MAX_TRANSFORMATIONS, name=name)


class LessonFileError(DocumentError):
    """A file holds a lesson where a program is asked for."""

    def __init__(self) -> None:
        super().__init__(path="", problem="this is a lesson; name the file of its pipeline")


def is_lesson(values: object) -> bool:
    """Whether plain values are a lesson's: no document of a program has such a member."""
    return isinstance(values, Mapping) and "lesson" in values and "transformations" not in values


class ResourceFileError(DocumentError):
    """A file holds a Kubernetes resource where a program is asked for."""

    def __init__(self, name: str) -> None:
        file = shlex.quote(name) if name else "FILE"
        problem = (
            "this is a Kubernetes resource: its job must be captured: 'python -m explorer "
            f"capture {file} --artifact URI=PATH --out job.json' writes its document; every "
            "command takes the resource itself"
        )
        super().__init__(path="", problem=problem)


class ProgramFileError(DocumentError):
    """A file holds a program where its recorded job is asked for."""

    def __init__(self, name: str) -> None:
        file = shlex.quote(name)
        options = PROGRAMS[Path(name).suffix.lower()]
        problem = (
            f"this is a program: 'python -m explorer capture {file}{options} --out job.json' "
            "records its job; open the generated file"
        )
        super().__init__(path="", problem=problem)


PROGRAMS: Final[Mapping[str, str]] = {".jar": "", ".sql": "", ".py": " --python env/bin/python"}
"""By ending of a program's file, what its capture needs in addition."""


def _document(values: object, *, limit: int | None, name: str = "") -> Document:
    if is_lesson(values):
        raise LessonFileError
    if isinstance(values, Mapping) and {"apiVersion", "kind"} <= values.keys():
        raise ResourceFileError(name)
    document = _build_document(values, limit=limit)
    if document.baseline is not None:
        refuse(_of_baseline(document.baseline, limit=limit))
    return document


def _of_baseline(baseline: Mapping[str, Any], *, limit: int | None) -> Iterator[Problem]:
    """Check the name, the matches, the savepoint or the bare document, and the release."""
    named = baseline.get("name")
    if not isinstance(named, str) or not 0 < len(named) <= MAX_ID:
        yield "baseline.name", f"must be text of 1 to {MAX_ID} characters"
    values = [name for name in ("document", "savepoint") if name in baseline]
    if not values or not baseline.keys() <= _BASELINE:
        yield "baseline", "takes a name, and a document, a savepoint or both; matches, and flink"
    if not _is_matches(baseline.get("matches", {})):
        problem = f"must map up to {MAX_MATCHES:,} operators of the baseline to new ones, as text"
        yield "baseline.matches", problem
    for name in values:
        if not isinstance(baseline[name], Mapping):
            yield f"baseline.{name}", "must be a mapping"
    if isinstance(baseline.get("document"), Mapping):
        yield from _of_baseline_document(baseline["document"], limit=limit)
    if not is_release(baseline.get("flink", LATEST)):
        problem = f"must be a Flink release from {VERSIONS[0]} to {LATEST}, as text"
        yield "baseline.flink", problem


def _of_baseline_document(document: Mapping[str, Any], *, limit: int | None) -> Iterator[Problem]:
    if "baseline" in document:
        yield "baseline.document.baseline", "a baseline has none of its own"
    try:
        _build_document(document, limit=limit)
    except DocumentError as error:
        yield f"baseline.document.{error.path}".rstrip("."), error.problem


_BASELINE: Final = {"name", "document", "savepoint", "matches", "flink"}
MAX_MATCHES: Final = 1_000
"""Matches of operators that a baseline holds."""


def _is_matches(values: object) -> bool:
    if not isinstance(values, Mapping) or len(values) > MAX_MATCHES:
        return False
    names = (name for pair in values.items() for name in pair)
    return all(isinstance(name, str) and 0 < len(name) <= MAX_ID for name in names)


def _build_document(values: object, *, limit: int | None) -> Document:
    if isinstance(values, Mapping):
        for member, build in _BUILDERS.items():
            if member in values and "transformations" not in values:
                return build(values, limit=limit)
    return to_pipeline(values, limit=limit)


_BUILDERS: Final[dict[str, Callable[..., Document]]] = {
    "stream_graph": to_stream_graph_document,
    "data_set": to_data_set_document,
    "job_graph": to_job_graph_document,
    "jid": from_submitted_plan,
    "plan": from_submitted_plan,
    "nodes": from_execution_plan,
}
"""Builders by the member that identifies a document; without such a member it is a pipeline."""
