"""A SQL script: its statements one by one, in the environment that their options ask for.

As Flink's SQL client runs a script: ``SET`` changes the options of what follows. An environment
knows its options from the start, so that a change makes a new one, in which what was declared
before is declared again.
"""

from typing import Final

from py4j.protocol import Py4JJavaError

from explorer.capture.session import Session
from explorer.capture.sql_text import Statement, statements
from explorer.capture.table_environments import Statements, table_environment
from explorer.wording import quoted

_TOLD: Final = 40
"""Characters of a statement that a message repeats."""


def run_script(made: Session, script: str) -> None:
    """Run the statements up to the jobs that they submit."""
    running = _Script(made)
    for number, statement in enumerate(statements(script), start=1):
        told = quoted(" ".join(statement.text.split()), _TOLD)
        made.statement = f"statement {number} in line {statement.line}, {told},"
        if statement.kind == "quit":
            return
        running.run(statement)


class _Script:
    """A script as far as it has run."""

    def __init__(self, made: Session) -> None:
        self._session = made
        self._options: dict[str, str] = {}
        self._declared: list[str] = []
        self._environment: Statements | None = None
        self._set: list[str] | None = None
        """The inserts of the statement set that is open."""

    def run(self, statement: Statement) -> None:
        """Do what the statement says."""
        if statement.kind == "set" and statement.key is not None:
            self._change({**self._options, statement.key: statement.value})
        elif statement.kind == "reset":
            kept = {} if statement.key is None else self._options
            self._change({key: kept[key] for key in kept if key != statement.key})
        elif statement.kind == "begin":
            self._set = []
        elif statement.kind == "end" and self._set is not None:
            inserts, self._set = self._set, None
            self._current().run_set(inserts)
        elif statement.kind in {"statement", "end"}:
            self._execute(statement)

    def _change(self, options: dict[str, str]) -> None:
        if options != self._options:
            self._options, self._environment = options, None

    def _execute(self, statement: Statement) -> None:
        if self._set is not None:
            self._set.append(statement.text)
            return
        self._current().run(statement.text)
        if statement.declares:
            self._declared.append(statement.text)

    def _current(self) -> Statements:
        """The environment; a new one where the options have changed."""
        if self._environment is None:
            self._environment = table_environment(self._session, self._options)
            with self._session.unrecorded():
                for text in self._declared:
                    _declare_again(self._environment, text)
        return self._environment


def _declare_again(environment: Statements, text: str) -> None:
    """Declare what an earlier environment knew; a lasting catalog knows it still.

    CREATE TABLE ... AS has its job a second time, which is not recorded again.
    """
    try:
        environment.run(text)
    except Py4JJavaError as error:
        if "already exist" not in str(error.java_exception.toString()):
            raise
