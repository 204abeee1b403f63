"""The StreamExecutionEnvironment: settings and sources of a program."""

from collections.abc import Mapping
from typing import Any, TypedDict, Unpack

from explorer.datastream.compiled import CompiledGraph, compile_graph
from explorer.datastream.handles import Settings, stated
from explorer.datastream.program import Program
from explorer.datastream.streams import DataStream, stream_position
from explorer.model.pipeline import (
    Checkpointing,
    Pipeline,
    Rows,
    SavepointRestore,
    SlotSharingGroup,
    Timestamps,
)


class EnvironmentSettings(TypedDict, total=False):
    """The arguments of an environment; the names are those of the document's ``environment``."""

    parallelism: int
    max_parallelism: int
    chaining: bool
    buffer_timeout: int
    runtime_mode: str
    checkpoint_interval: int
    checkpointing: Checkpointing | Mapping[str, Any]
    savepoint: SavepointRestore | Mapping[str, Any]
    artifacts: Mapping[str, str]
    slot_sharing_groups: Mapping[str, SlotSharingGroup | Mapping[str, Any]]
    auto_generate_uids: bool
    configuration: Mapping[str, str | int | float | bool]


def environment(
    name: str = "pipeline",
    *,
    flink_version: str | None = None,
    title: str | None = None,
    teaches: str | None = None,
    expect: Mapping[str, Any] | None = None,
    check: Mapping[str, Any] | None = None,
    flink: str | None = None,
    **settings: Unpack[EnvironmentSettings],
) -> "StreamExecutionEnvironment":
    """An environment in which a pipeline is declared call by call.

    Each call declares a transformation; Flink numbers them in that order. ``pipeline()`` gives the
    document, ``compile()`` translates it. ``expect`` and ``check`` are a document's: what the
    compiled graph must look like, and how findings are weighed. ``flink``: the former name of
    ``flink_version``.

    >>> import explorer
    >>> env = explorer.environment("word count", parallelism=2)
    >>> words = env.source("lines").flat_map("words", name="words").uid("words")
    >>> _ = words.key_by("word").reduce("count", aggregate={"n": "sum(n)"}).sink("out")
    >>> [vertex.name for vertex in env.compile("1.20").job_graph.vertices]
    ['Source: Custom Source -> words', 'Keyed Reduce -> Sink: Print to Std. Out']
    """
    release = flink_version or flink
    head = stated(
        name=name, flink=release, title=title, teaches=teaches, expect=expect, check=check
    )
    return StreamExecutionEnvironment(Program({**head, "environment": dict(settings)}))


class StreamExecutionEnvironment:
    """A program in the making: sources begin it, the streams' calls go on."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def __repr__(self) -> str:
        return f"<StreamExecutionEnvironment: {len(self._program)} transformations>"

    def source(
        self,
        id: str | None = None,
        *,
        rows: Rows | Mapping[str, Any] | None = None,
        timestamps: Timestamps | Mapping[str, Any] | None = None,
        **settings: Unpack[Settings],
    ) -> DataStream:
        """A source of the new API: ``fromSource``.

        ``rows``: the rows that a trial run reads; ``timestamps``: its ``WatermarkStrategy``.
        """
        return self.transform("source", id=id, rows=rows, timestamps=timestamps, **settings)

    def legacy_source(
        self,
        id: str | None = None,
        *,
        rows: Rows | Mapping[str, Any] | None = None,
        parallel: bool = True,
        input_format: str | None = None,
        **settings: Unpack[Settings],
    ) -> DataStream:
        """A source of the old API: ``addSource``; ``parallel=False`` for a SourceFunction."""
        # True is what it is when nothing is set.
        fields = {
            "rows": rows,
            "input_format": input_format,
            "parallel": None if parallel else False,
        }
        return self.transform("legacy_source", id=id, **fields, **settings)

    def multiple_input(
        self,
        *streams: DataStream,
        id: str | None = None,
        keyed: bool = False,
        input_selectable: bool = False,
        selects: Mapping[str, Mapping[str, str]] | None = None,
        **settings: Unpack[Settings],
    ) -> DataStream:
        """An operator that reads any number of streams: a MultipleInputTransformation.

        ``selects``: by input, the columns that it makes of a row.
        """
        flags = {"keyed": keyed or None, "input_selectable": input_selectable or None}
        fields = {"selects": selects, **flags, **settings}
        return self.transform("multiple_input", *streams, id=id, **fields)

    def transform(
        self, type: str, *streams: DataStream, id: str | None = None, **fields: Any
    ) -> DataStream:
        """A transformation of any type, with the fields of the document."""
        positions = [stream_position(self._program, stream, type) for stream in streams]
        return DataStream(self._program, self._program.declare(type, positions, id, fields))

    def to_document(self) -> Pipeline:
        """The document; see ``explorer.documents.loading.ProgramForm``."""
        return self.pipeline()

    def pipeline(self) -> Pipeline:
        """Everything declared so far as a document; raises ``DocumentError`` where it is none."""
        return self._program.pipeline()

    def compile(
        self, flink_version: str | None = None, *, trace: bool = False, iterations_before: int = 0
    ) -> CompiledGraph:
        """Translate it as ``explorer.compile_graph`` does; raises ``ExplorerError``."""
        return compile_graph(
            self.pipeline(), flink_version, trace=trace, iterations_before=iterations_before
        )
