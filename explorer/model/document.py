"""The members that all kinds of documents have, and the records of StreamGraph documents.

Each package has tables by ``kind``: how it translates, checks, writes, edits or shows a kind of
document. A new kind of document is a new row in each of these tables.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, Self

import msgspec

from explorer.model.chains import JobSettings
from explorer.model.data_set import DataSetPlan
from explorer.model.flink_job_graph import FlinkJobGraph
from explorer.model.pipeline import CheckSettings, Expectations, Pipeline, ProgramDocument
from explorer.model.running_job import RunningJob
from explorer.model.sql_plan import SqlPlan
from explorer.model.stream_graph import StreamGraph


class Document(Protocol):
    """A frozen record that holds a program."""

    kind: ClassVar[str]
    """The key of its rows."""

    @property
    def name(self) -> str:
        """Job name."""

    @property
    def flink(self) -> str | None:
        """Flink release of the document; None: it names none."""

    @property
    def heading(self) -> str:
        """Heading of a drawing of the document."""

    @property
    def teaches(self) -> str | None:
        """Learning goal of an example; None: the document is no example."""

    @property
    def parts(self) -> int:
        """Number of transformations or operators in the document."""

    @property
    def chaining(self) -> bool:
        """Whether the job may chain at all."""

    @property
    def pipeline(self) -> Pipeline | None:
        """Transformations of the program; None: they are not known."""

    @property
    def operators(self) -> "StreamGraphDocument | None":
        """The document itself if its operators can be edited; else None."""

    @property
    def submitted(self) -> "JobGraphDocument | None":
        """The job as a cluster reports it; None: a program that is not submitted."""

    @property
    def options(self) -> Mapping[str, object]:
        """The configuration options that it carries, by their keys."""

    @property
    def flink_job_graph(self) -> FlinkJobGraph | None:
        """Flink's own compilation of this program; None: it was not captured, or was changed."""

    @property
    def expect(self) -> Expectations:
        """What the compiled graph must look like."""

    @property
    def check(self) -> CheckSettings:
        """Severities of findings in the document."""

    @property
    def baseline(self) -> Mapping[str, Any] | None:
        """The baseline, as plain values: its ``name``, a ``document`` or a ``savepoint``."""

    def with_chaining(self, *, on: bool) -> Self:
        """The program with chaining on or off."""

    def under(self, release: str) -> Self:
        """The same program for another release."""

    def with_baseline(self, values: Mapping[str, Any] | None) -> Self:
        """The same program with another baseline."""


class StreamGraphDocument(ProgramDocument, frozen=True, kw_only=True):
    """A StreamGraph with the job's settings, for a program with unknown transformations."""

    kind: ClassVar[str] = "stream_graph"

    name: str = "stream graph"
    stream_graph: StreamGraph
    settings: JobSettings = JobSettings()
    warnings: tuple[str, ...] = ()
    """Assumptions and settings without effect, a sentence each."""
    options: Mapping[str, str] = {}
    """The options with which a captured program is submitted, by their keys."""
    flink_job_graph: FlinkJobGraph | None = None
    """Flink's own compilation of this program; None: not captured, or changed since."""
    expect: Expectations = Expectations()
    check: CheckSettings = CheckSettings()
    baseline: Mapping[str, Any] | None = None
    """The baseline, as in a pipeline."""
    sql_plan: SqlPlan | None = None
    """The optimised plan of the SQL statements that it was captured from; None: not recorded."""
    code: str | None = None
    """A digest of the files of the program that this process captured, since equal graphs can have
    other functions; None: it was read as a document. It is not written."""

    @property
    def parts(self) -> int:
        """How many operators there are."""
        return len(self.stream_graph.nodes)

    @property
    def chaining(self) -> bool:
        """Whether the job may chain at all."""
        return self.stream_graph.chaining_enabled

    @property
    def pipeline(self) -> Pipeline | None:
        """None: the transformations behind the StreamGraph are not known."""
        return None

    @property
    def operators(self) -> "StreamGraphDocument | None":
        """Itself: its operators are known."""
        return self

    @property
    def submitted(self) -> "JobGraphDocument | None":
        """None: it is a program."""
        return None

    def with_chaining(self, *, on: bool) -> Self:
        """The same operators with chaining on or off."""
        graph = msgspec.structs.replace(self.stream_graph, chaining_enabled=on)
        return msgspec.structs.replace(self, stream_graph=graph, flink_job_graph=None)

    def under(self, release: str) -> Self:
        """The same operators for another release."""
        is_same = release.split(".")[:2] == (self.flink or "").split(".")[:2]
        job_graph = self.flink_job_graph if is_same else None
        return msgspec.structs.replace(self, flink=release, flink_job_graph=job_graph)


class JobGraphDocument(StreamGraphDocument, frozen=True, kw_only=True):
    """A submitted job as its cluster reports it, and the StreamGraph that its tasks imply.

    The StreamGraph has its operators as far as the tasks name them; what is assumed stands in its
    warnings.
    """

    kind: ClassVar[str] = "job_graph"

    job: RunningJob

    @property
    def operators(self) -> None:
        """None: the operators of a running job cannot be edited."""
        return None

    @property
    def submitted(self) -> Self:
        """Itself."""
        return self


class DataSetDocument(JobGraphDocument, frozen=True, kw_only=True):
    """A DataSet program: its tasks and the optimizer's plan as Flink made both.

    The StreamGraph only draws the tasks; no rule of the DataStream API made it.
    """

    kind: ClassVar[str] = "data_set"

    data_set: DataSetPlan
