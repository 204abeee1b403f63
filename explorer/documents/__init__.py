"""Documents: reading, checking and writing pipelines, StreamGraphs and Flink's own plans."""

from explorer.documents.checks import check_pipeline
from explorer.documents.limits import MAX_BYTES, MAX_TRANSFORMATIONS
from explorer.documents.loading import Document, load_document, parse_document
from explorer.documents.reading import data_folder
from explorer.documents.samples import Sample, sample_data, samples
from explorer.documents.writing import document_values, dump_json, dump_yaml
from explorer.model.stream_graph_document import StreamGraphDocument

__all__ = [
    "MAX_BYTES",
    "MAX_TRANSFORMATIONS",
    "Document",
    "Sample",
    "StreamGraphDocument",
    "check_pipeline",
    "data_folder",
    "document_values",
    "dump_json",
    "dump_yaml",
    "load_document",
    "parse_document",
    "sample_data",
    "samples",
]
