"""A SQL script: its statements one by one, in the environment that their options ask for.

As Flink's SQL client runs a script: ``SET`` changes the options of what follows. An environment
knows its options from the start, so that a change makes a new one, which inherits what names
mean; no statement runs twice.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from py4j.protocol import Py4JError, Py4JJavaError

from explorer.capture.recording.recording_session import Session
from explorer.capture.sql.sql_text import Statement, statements
from explorer.capture.sql.statements import check_is_harmless, effect_of
from explorer.capture.sql.table_environments import Statements, table_environment
from explorer.wording import quoted

_REPORTED: Final = 40
"""Characters of a statement that a message repeats."""


def run_script(session: Session, script: str, *, allow_ddl: bool = False) -> None:
    """Run the statements up to the jobs that they submit.

    ``allow_ddl``: whether statements may change catalogs, files and tables outside this process;
    without it one that would raises ``CaptureError``, before any statement has run.
    """
    running, pairs = _Script(session, allow_ddl=allow_ddl), []
    for number, statement in enumerate(statements(script), start=1):
        if statement.kind == "quit":
            break
        text = quoted(" ".join(statement.text.split()), _REPORTED)
        pairs.append((f"statement {number} in line {statement.line}, {text},", statement))
    for place, statement in pairs:
        if statement.kind == "statement" and not allow_ddl:
            check_is_harmless(statement.text, place)
    for place, statement in pairs:
        session.statement, session.begins = place, (statement.line, statement.column)
        running.run(statement)


class _Script:
    """A script as far as it has run."""

    def __init__(self, session: Session, *, allow_ddl: bool) -> None:
        self._session, self._allow_ddl = session, allow_ddl
        self._options: dict[str, str] = {}
        self._environment: Statements | None = None
        self._applied: dict[str, str] = {}
        """The options of that environment."""
        self._set: list[tuple[str, Statement]] | None = None
        """The inserts of the statement set that is open, and how a message calls each."""

    def run(self, statement: Statement) -> None:
        """Execute the statement."""
        if statement.kind == "set" and statement.key is not None:
            self._options = {**self._options, statement.key: statement.value}
        elif statement.kind == "reset":
            retained = {} if statement.key is None else self._options
            self._options = {key: retained[key] for key in retained if key != statement.key}
        elif statement.kind == "begin":
            self._set = []
        elif statement.kind == "end" and self._set is not None:
            inserts, self._set = self._set, None
            self._run_set(inserts)
        elif statement.kind in {"statement", "end"} and self._set is not None:
            self._set.append((self._session.statement, statement))
        elif (
            statement.kind in {"statement", "end"}
            and effect_of(statement.text).action != "left out"
        ):
            self._current().run(statement.text)

    def _run_set(self, inserts: Sequence[tuple[str, Statement]]) -> None:
        """Execute the inserts as one job; an error is that of the first one that fails alone."""
        whole, environment = self._session.statement, self._current()
        try:
            environment.run_set(self._each(inserts))
        except Py4JJavaError:
            if self._session.statement == whole:
                self._find_failing(environment, inserts)
            raise

    def _find_failing(
        self, environment: Statements, inserts: Sequence[tuple[str, Statement]]
    ) -> None:
        """Let a message name the first insert that cannot be planned."""
        for place, insert in inserts:
            try:
                environment.plan(insert.text)
            except Py4JError:
                self._name(place, insert)
                return

    def _name(self, place: str, statement: Statement) -> None:
        """Let a message name this statement."""
        self._session.statement = place
        self._session.begins = statement.line, statement.column

    def _each(self, inserts: Sequence[tuple[str, Statement]]) -> Iterator[str]:
        """Yield the inserts' texts; a message names the current one."""
        session, whole = self._session, (self._session.statement, self._session.begins)
        for place, insert in inserts:
            self._name(place, insert)
            yield insert.text
        session.statement, session.begins = whole

    def _current(self) -> Statements:
        """Return the environment; a new one, with the same names, after a change of options."""
        if self._environment is None or self._applied != self._options:
            self._environment = table_environment(
                self._session, self._options, self._environment, lasting=self._allow_ddl
            )
            self._applied = self._options
        return self._environment
