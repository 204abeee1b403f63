"""Any document as data: told apart by its members, checked, with one sentence for what is wrong."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from explorer.collector import collector_paused
from explorer.documents.checks import to_pipeline
from explorer.documents.flink_plans import from_execution_plan
from explorer.documents.limits import MAX_TRANSFORMATIONS
from explorer.documents.reading import read_file, read_values
from explorer.documents.stream_graphs import to_stream_graph_document
from explorer.errors import DocumentError
from explorer.model.pipeline import Pipeline
from explorer.model.stream_graph_document import StreamGraphDocument

Document = Pipeline | StreamGraphDocument


@collector_paused()
def load_document(source: str | Path | Mapping[str, Any]) -> Document:
    """Read a document from a file, or take it from a mapping that is in memory already.

    Raises ``DocumentError``. Only a mapping may be larger than what ``limits`` says.
    """
    if isinstance(source, Mapping):
        return _document(source, limit=None)
    if not isinstance(source, str | Path):
        msg = f"a document is a path or a mapping, not a {type(source).__name__}"
        raise DocumentError(path="", problem=msg)
    path = Path(source)
    return parse_document(read_file(path), name=path.name)


@collector_paused()
def parse_document(content: bytes | str, *, name: str = "") -> Document:
    """Read a document from an upload or from standard input.

    ``name`` ends in .json, .yaml or .yml; any other name leaves the format to the content.

    >>> parse_document("transformations: [{id: a, type: source}]").transformations[0].id
    'a'
    """
    return _document(read_values(content, name), limit=MAX_TRANSFORMATIONS)


def _document(values: object, *, limit: int | None) -> Document:
    if isinstance(values, Mapping):
        for member, build in _BUILDERS.items():
            if member in values and "transformations" not in values:
                return build(values, limit=limit)
    return to_pipeline(values, limit=limit)


def _running_job(values: Mapping[str, Any], *, limit: int | None) -> Document:
    problem = (
        "this is the plan of a submitted job, whose vertices are chains already; "
        "give what env.getExecutionPlan() prints, or the pipeline"
    )
    raise DocumentError(path="", problem=problem)


_BUILDERS: Final[dict[str, Callable[..., Document]]] = {
    "stream_graph": to_stream_graph_document,
    "jid": _running_job,
    "plan": _running_job,
    "nodes": from_execution_plan,
}
"""By the member that tells a kind of document, how it is built; without any, it is a pipeline."""
