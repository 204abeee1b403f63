"""Where a SQL script's statements are carried out: a ``TableEnvironment`` that records.

``SqlStatements`` is what Flink has from 1.11 on. Up to 1.10 there was ``sqlUpdate``, which buffers
inserts until ``execute``, and Flink's SQL client did by itself what ``sqlUpdate`` does not.
"""

import re
from collections.abc import Sequence
from typing import Any, Final, Protocol

from explorer.capture.detached import DetachedEnvironments
from explorer.capture.ended_job import JavaProxy
from explorer.capture.failures import CaptureError
from explorer.capture.session import Session

_STREAMING: Final = "org.apache.flink.streaming.api.environment"
_MODE: Final = "execution.runtime-mode"
_VIEW: Final = re.compile(r"CREATE\s+VIEW\s+(\S+)\s+AS\s+(.*)", re.IGNORECASE | re.DOTALL)
_USE: Final = re.compile(r"USE\s+(CATALOG\s+)?(\S+)", re.IGNORECASE)
_NO_ROWS: Final = (
    "a SELECT of a script can be captured from Flink 1.11 on: write INSERT INTO ... SELECT"
)


class Statements(Protocol):
    """One environment."""

    def run(self, text: str) -> None:
        """Carry out a statement; a job that it submits is recorded."""

    def run_set(self, inserts: Sequence[str]) -> None:
        """Carry out the inserts of a statement set, as one job."""


def table_environment(made: Session, options: dict[str, str]) -> Statements:
    """An environment with these options over those of the session."""
    configuration = made.configuration()
    for key, value in options.items():
        configuration.setString(key, value)
    if made.flink.behaviour.statement_results:
        return _SqlStatements(made, configuration)
    return _SqlUpdates(made, configuration)


class _Environments(JavaProxy):
    """A ``StreamExecutionEnvironmentFactory`` whose environments record."""

    class Java:
        implements: Final = [f"{_STREAMING}.StreamExecutionEnvironmentFactory"]

    def __init__(self, made: Session, configuration: Any) -> None:
        self._session, self._configuration = made, configuration
        made.set_context(f"{_STREAMING}.StreamExecutionEnvironment", self)

    def createExecutionEnvironment(self, *given: Any) -> Any:
        environment = self._session.java.org.apache.flink.streaming.api.environment
        kind = environment.StreamExecutionEnvironment
        return kind(self._session.recorder, self._configuration, self._session.loader)


class _SqlStatements:
    """From 1.11 on: ``executeSql`` and statement sets."""

    def __init__(self, made: Session, configuration: Any) -> None:
        _Environments(made, configuration)
        self._tables = _created(made, configuration)

    def run(self, text: str) -> None:
        self._tables.executeSql(text)

    def run_set(self, inserts: Sequence[str]) -> None:
        together = self._tables.createStatementSet()
        for insert in inserts:
            together.addInsertSql(insert)
        together.execute()


class _SqlUpdates:
    """Up to 1.10: ``sqlUpdate``, then ``execute``; on Blink's planner, which is today's."""

    def __init__(self, made: Session, configuration: Any) -> None:
        self._detached = None
        if made.flink.behaviour.pipeline_executors:
            _Environments(made, configuration)
        else:
            self._detached = DetachedEnvironments(made, made.loader)
        self._tables = _created(made, configuration, blink=True)

    def run(self, text: str) -> None:
        if text.lstrip("( \n\t").upper().startswith("SELECT"):
            raise CaptureError(_NO_ROWS)
        if view := _VIEW.fullmatch(text):
            self._tables.registerTable(view[1].strip("`"), self._tables.sqlQuery(view[2]))
        elif used := _USE.fullmatch(text):
            use = self._tables.useCatalog if used[1] else self._tables.useDatabase
            use(used[2].strip("`"))
        elif text.upper().startswith("INSERT"):
            self.run_set([text])
        else:
            self._tables.sqlUpdate(text)

    def run_set(self, inserts: Sequence[str]) -> None:
        for insert in inserts:
            self._tables.sqlUpdate(insert)
        self._tables.execute(" ".join(inserts[0].split()) if inserts else "")
        if self._detached is not None:
            self._detached.record()


def _created(made: Session, configuration: Any, *, blink: bool = False) -> Any:
    api = made.java.org.apache.flink.table.api
    builder = api.EnvironmentSettings.newInstance()
    if blink:
        builder = builder.useBlinkPlanner()
    batch = configuration.getString(_MODE, "").upper() == "BATCH"
    builder = builder.inBatchMode() if batch else builder.inStreamingMode()
    tables = api.TableEnvironment.create(builder.build())
    tables.getConfig().getConfiguration().addAll(configuration)
    return tables
