"""A program that comes as a StreamGraph: what is known of it when its transformations are not."""

from typing import TypeAlias

import msgspec

from explorer.model.chains import JobSettings
from explorer.model.pipeline import Pipeline
from explorer.model.stream_graph import StreamGraph


class StreamGraphDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A StreamGraph with the job's settings, ready to be compiled."""

    name: str = "stream graph"
    flink: str | None = None
    """The release that made it, where it says so."""
    stream_graph: StreamGraph
    settings: JobSettings = JobSettings()
    warnings: tuple[str, ...] = ()
    """What was assumed, and what had no effect when it was made; a sentence each."""


Document: TypeAlias = Pipeline | StreamGraphDocument
"""A program, in whatever form it came."""
