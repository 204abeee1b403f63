"""Operations on documents, one row for each kind; ``loading`` reads them."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeVar

import msgspec

from explorer.documents.checks.graph_rules import check_stream_graph
from explorer.documents.readers.data_sets import data_set_values
from explorer.documents.readers.job_graphs import job_graph_values
from explorer.documents.readers.pipelines import check_pipeline
from explorer.documents.text.writing import dump_yaml, pipeline_json, stream_graph_values, to_values
from explorer.model.document import DataSetDocument, Document, JobGraphDocument, StreamGraphDocument
from explorer.model.pipeline import Pipeline

Checked = TypeVar("Checked", bound=Document)


class DocumentKind(msgspec.Struct, frozen=True, kw_only=True):
    """How documents of a kind are checked and written; each function receives one."""

    check: Callable[[Any, Any], None]
    """Raises ``DocumentError``; its second argument is the valid document before the edit."""
    values: Callable[[Any], dict[str, Any]]
    """Returns the plain values of the document's JSON."""
    texts: Mapping[str, Callable[[Any], str]]
    """Writers of the document's text, by file ending; the most readable format comes first."""


def _graph_kind(values: Callable[[Any], dict[str, Any]]) -> DocumentKind:
    """Return the row of a kind of document that only JSON holds and the graph's rules check."""

    def write(document: Document) -> str:
        return json.dumps(values(document), ensure_ascii=False, indent=2) + "\n"

    return DocumentKind(check=check_stream_graph, values=values, texts={"json": write})


DOCUMENT_KINDS: Final[Mapping[str, DocumentKind]] = {
    Pipeline.kind: DocumentKind(
        check=check_pipeline, values=to_values, texts={"yaml": dump_yaml, "json": pipeline_json}
    ),
    StreamGraphDocument.kind: _graph_kind(stream_graph_values),
    JobGraphDocument.kind: _graph_kind(job_graph_values),
    DataSetDocument.kind: _graph_kind(data_set_values),
}


def check_edit(document: Checked, before: Checked) -> None:
    """Check what an edit made from the good document ``before``; raises ``DocumentError``."""
    DOCUMENT_KINDS[document.kind].check(document, before)


def document_values(document: Document) -> dict[str, Any]:
    """A document as the plain values that its JSON holds."""
    return DOCUMENT_KINDS[document.kind].values(document)


def document_texts(document: Document) -> Mapping[str, Callable[[], str]]:
    """Return the writers of a document's text, by file ending."""
    texts = DOCUMENT_KINDS[document.kind].texts
    return {ending: partial(write, document) for ending, write in texts.items()}


def dump_json(document: Document) -> str:
    """Write any document as JSON."""
    return DOCUMENT_KINDS[document.kind].texts["json"](document)
