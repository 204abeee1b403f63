"""Where a SQL script's statements are carried out: a ``TableEnvironment`` that records.

``SqlStatements`` is what Flink has from 1.11 on. Up to 1.10 there was ``sqlUpdate``, which buffers
inserts until ``execute``, and Flink's SQL client did by itself what ``sqlUpdate`` does not.
"""

import re
from collections.abc import Iterable
from typing import Any, Final, Protocol

from explorer.capture.failures import CaptureError
from explorer.capture.recording.detached import DetachedEnvironments
from explorer.capture.recording.ended_job import JavaProxy
from explorer.capture.recording.recording_session import Session
from explorer.capture.sql.overlays import ReadOnlyCatalogs
from explorer.capture.sql.sql_plans import SqlPlanReader
from explorer.capture.sql.table_names import transfer_names

_STREAMING: Final = "org.apache.flink.streaming.api.environment"
_MODE: Final = "execution.runtime-mode"
_VIEW: Final = re.compile(r"CREATE\s+VIEW\s+(\S+)\s+AS\s+(.*)", re.IGNORECASE | re.DOTALL)
_COMPILED: Final = re.compile(
    r"COMPILE\s+AND\s+EXECUTE\s+PLAN\s+'(?:[^']|'')*'\s+FOR\s+(.*)", re.IGNORECASE | re.DOTALL
)
_IGNORE: Final = True
_LISTENERS: Final = "table.catalog-modification.listeners"
"""The option that names who is informed of each change of a catalog (1.18 on)."""
_USE: Final = re.compile(r"USE\s+(CATALOG\s+)?(\S+)", re.IGNORECASE)
_NO_ROWS: Final = (
    "a SELECT of a script can be captured from Flink 1.11 on: write INSERT INTO ... SELECT"
)


class Statements(Protocol):
    """One environment."""

    tables: Any
    """Flink's ``TableEnvironment``."""

    def run(self, text: str) -> None:
        """Carry out a statement; a job that it submits is recorded."""

    def run_set(self, inserts: Iterable[str]) -> None:
        """Carry out the inserts of a statement set, as one job."""

    def plan(self, text: str) -> None:
        """Plan a statement alone; raises what its execution would."""


def table_environment(
    session: Session, options: dict[str, str], previous: Statements | None, *, lasting: bool
) -> Statements:
    """An environment with these options over those of the session.

    It knows what the environment ``previous`` knew: catalogs, temporary objects, functions, modules
    and jars. ``lasting``: whether statements change catalogs that outlive the process.
    """
    configuration = session.configuration()
    for key, value in options.items():
        configuration.setString(key, value)
    if session.flink.behaviour.statement_results:
        sql_statements = _SqlStatements(session, configuration, lasting=lasting)
        if isinstance(previous, _SqlStatements):
            sql_statements.take_over(previous)
        return sql_statements
    updates = _SqlUpdates(session, configuration)
    if isinstance(previous, _SqlUpdates):
        updates.take_over(previous)
    return updates


class _Environments(JavaProxy):
    """A ``StreamExecutionEnvironmentFactory`` with environments that record."""

    class Java:
        implements: Final = [f"{_STREAMING}.StreamExecutionEnvironmentFactory"]

    def __init__(self, session: Session, configuration: Any) -> None:
        self._session, self._configuration = session, configuration
        session.set_context(f"{_STREAMING}.StreamExecutionEnvironment", self)

    def createExecutionEnvironment(self, *given: Any) -> Any:
        environment = self._session.java.org.apache.flink.streaming.api.environment
        kind = environment.StreamExecutionEnvironment
        return kind(self._session.recorder, self._configuration, self._session.loader)


class _SqlStatements:
    """From 1.11 on: ``executeSql`` and statement sets."""

    def __init__(self, session: Session, configuration: Any, *, lasting: bool) -> None:
        _Environments(session, configuration)
        if not lasting:
            options = session.java.org.apache.flink.configuration.ConfigOptions
            configuration.removeConfig(options.key(_LISTENERS).stringType().noDefaultValue())
        self._objects = session.objects
        self.catalogs = None if lasting else ReadOnlyCatalogs(session.objects)
        self.tables = _create_environment(session, configuration)
        self._session = session
        self._plans = SqlPlanReader(session.objects, self.tables)
        self._protect()

    def take_over(self, previous: "_SqlStatements") -> None:
        """Know what the environment ``previous`` knew; none of its statements runs again."""
        self.catalogs = previous.catalogs
        memories = [] if self.catalogs is None else self.catalogs.memories
        transfer_names(self._objects, previous.tables, self.tables, memories)

    def _protect(self) -> None:
        if self.catalogs is not None:
            self.catalogs.protect(self.tables)

    def run(self, text: str) -> None:
        compiled = _COMPILED.fullmatch(text)
        with self._plans.recording(self._session.documents) as texts:
            if self.catalogs is not None and compiled is not None:
                self.tables.compilePlanSql(compiled[1]).execute()
            else:
                self.tables.executeSql(text)
            texts.append((compiled[1] if compiled else text, self._session.begins))
        self._protect()

    def run_set(self, inserts: Iterable[str]) -> None:
        together = self.tables.createStatementSet()
        with self._plans.recording(self._session.documents) as texts:
            for insert in inserts:
                texts.append((insert, self._session.begins))
                together.addInsertSql(insert)
            together.execute()

    def plan(self, text: str) -> None:
        self._plans.translate(text)


class _SqlUpdates:
    """Up to 1.10: ``sqlUpdate``, then ``execute``; on Blink's planner, which is today's."""

    def __init__(self, session: Session, configuration: Any) -> None:
        self._detached = None
        if session.flink.behaviour.pipeline_executors:
            _Environments(session, configuration)
        else:
            self._detached = DetachedEnvironments(session, session.loader)
        self._objects = session.objects
        self.tables = _create_environment(session, configuration, blink=True)
        self.views: list[str] = []

    def take_over(self, previous: "_SqlUpdates") -> None:
        """Know the tables of ``previous``; views are bound to a planner, and made again of it."""
        transfer_names(self._objects, previous.tables, self.tables)
        for text in previous.views:
            view = _VIEW.fullmatch(text)
            if view is not None:
                # Forget a view that came with the catalog of 1.9.
                catalog = self.tables.getCatalog(self.tables.getCurrentCatalog()).get()
                paths = self._objects.java.org.apache.flink.table.catalog
                catalog.dropTable(
                    paths.ObjectPath(self.tables.getCurrentDatabase(), view[1].strip("`")), _IGNORE
                )
            self.run(text)

    def run(self, text: str) -> None:
        if text.lstrip("( \n\t").upper().startswith("SELECT"):
            raise CaptureError(_NO_ROWS)
        if view := _VIEW.fullmatch(text):
            self.views.append(text)
            self.tables.registerTable(view[1].strip("`"), self.tables.sqlQuery(view[2]))
        elif used := _USE.fullmatch(text):
            use = self.tables.useCatalog if used[1] else self.tables.useDatabase
            use(used[2].strip("`"))
        elif text.upper().startswith("INSERT"):
            self.run_set([text])
        else:
            self.tables.sqlUpdate(text)

    def run_set(self, inserts: Iterable[str]) -> None:
        name = ""
        for insert in inserts:
            self.tables.sqlUpdate(insert)
            name = name or " ".join(insert.split())
        self.tables.execute(name)
        if self._detached is not None:
            self._detached.record()

    def plan(self, text: str) -> None:
        """Nothing: these releases plan all inserts together."""


def _create_environment(session: Session, configuration: Any, *, blink: bool = False) -> Any:
    api = session.java.org.apache.flink.table.api
    builder = api.EnvironmentSettings.newInstance()
    if blink:
        builder = builder.useBlinkPlanner()
    batch = configuration.getString(_MODE, "").upper() == "BATCH"
    builder = builder.inBatchMode() if batch else builder.inStreamingMode()
    tables = api.TableEnvironment.create(builder.build())
    tables.getConfig().getConfiguration().addAll(configuration)
    return tables
