"""Documents: reading, checking and writing pipelines, StreamGraphs and Flink's own plans."""

from explorer.documents.document_kinds import (
    check_edit,
    document_texts,
    document_values,
    dump_json,
)
from explorer.documents.limits import MAX_BYTES, MAX_TRANSFORMATIONS
from explorer.documents.loading import (
    Program,
    as_document,
    data_folder,
    load_document,
    parse_document,
)
from explorer.documents.readers.pipelines import check_pipeline
from explorer.documents.samples import Sample, sample_data, samples
from explorer.documents.text.writing import dump_record, dump_yaml
from explorer.model.document import DataSetDocument, Document, JobGraphDocument, StreamGraphDocument

__all__ = [
    "MAX_BYTES",
    "MAX_TRANSFORMATIONS",
    "DataSetDocument",
    "Document",
    "JobGraphDocument",
    "Program",
    "Sample",
    "StreamGraphDocument",
    "as_document",
    "check_edit",
    "check_pipeline",
    "data_folder",
    "document_texts",
    "document_values",
    "dump_json",
    "dump_record",
    "dump_yaml",
    "load_document",
    "parse_document",
    "sample_data",
    "samples",
]
