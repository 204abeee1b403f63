"""What capture does with each kind of SQL statement: a table, by how the statement begins.

Nothing outside the process changes: a statement either changes names in memory, is a job that is
recorded, is left out, or is refused. What no row names is refused.
"""

import re
from typing import Final, Literal, TypeAlias

import msgspec

from explorer.capture.failures import CaptureError
from explorer.errors import did_you_mean

Action: TypeAlias = Literal["record", "in memory", "left out", "refused"]

_OBJECT: Final = r"(?:TABLE|VIEW|FUNCTION|DATABASE|MODEL|CONNECTION)"
_SCOPE: Final = r"(?:OR\s+(?:REPLACE|ALTER)\s+)?(?:TEMPORARY\s+)?(?:SYSTEM\s+)?"


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """A row: a kind of statement, what capture does with it, and why."""

    statement: str
    """Its name in a message and in the documentation."""
    begins: str
    """How it begins: a regular expression over its text, in any case."""
    action: Action
    effect: str
    """What capture does with it; of a refused one, what Flink would change."""

    def matches(self, text: str) -> bool:
        """Whether the text is such a statement."""
        return re.match(self.begins, text, re.IGNORECASE) is not None


EFFECTS: Final = (
    Effect(
        statement="COMPILE PLAN",
        begins=r"COMPILE\s+PLAN\b",
        action="refused",
        effect="writes the plan's file",
    ),
    Effect(
        statement="COMPILE AND EXECUTE PLAN",
        begins=r"COMPILE\s+AND\s+EXECUTE\s+PLAN\b",
        action="record",
        effect="the plan is compiled in memory, and no file is written",
    ),
    Effect(
        statement="EXECUTE PLAN",
        begins=r"EXECUTE\s+PLAN\b",
        action="record",
        effect="the plan's file is read, and its job recorded",
    ),
    Effect(
        statement="SELECT, INSERT, statement sets",
        begins=r"\(*\s*(?:SELECT|WITH|VALUES|INSERT|EXECUTE|END|FROM)\b",
        action="record",
        effect="the job is recorded and not submitted",
    ),
    Effect(
        statement="CREATE, ALTER, DROP MATERIALIZED TABLE",
        begins=r"(?:CREATE(?:\s+OR\s+ALTER)?|ALTER|DROP)\s+MATERIALIZED\s+TABLE\b",
        action="refused",
        effect="starts or stops the jobs that refresh the table",
    ),
    Effect(
        statement="ALTER TABLE ... COMPACT",
        begins=r"ALTER\s+TABLE\s+\S+\s+(?:PARTITION\s*\(.*\)\s*)?COMPACT\b",
        action="refused",
        effect="rewrites the table's files",
    ),
    Effect(
        statement="CREATE CATALOG",
        begins=r"CREATE\s+CATALOG\b",
        action="in memory",
        effect="the catalog is opened and read; what the script changes in it stays in memory",
    ),
    Effect(
        statement="ALTER, DROP CATALOG",
        begins=r"(?:ALTER|DROP)\s+CATALOG\b",
        action="in memory",
        effect="changes this process's list of catalogs",
    ),
    Effect(
        statement="CREATE, ALTER, DROP TABLE, VIEW, FUNCTION, DATABASE, MODEL",
        begins=rf"(?:CREATE|ALTER|DROP)\s+{_SCOPE}{_OBJECT}\b",
        action="in memory",
        effect="changes memory; of CREATE TABLE ... AS the job is recorded",
    ),
    Effect(
        statement="USE, LOAD MODULE, UNLOAD MODULE",
        begins=r"(?:USE|LOAD\s+MODULE|UNLOAD\s+MODULE)\b",
        action="in memory",
        effect="changes what names mean in this process",
    ),
    Effect(
        statement="ADD JAR",
        begins=r"ADD\s+JAR\b",
        action="in memory",
        effect="adds the jar to this process's class path",
    ),
    Effect(
        statement="REMOVE JAR",
        begins=r"REMOVE\s+JAR\b",
        action="left out",
        effect="the jar stays on this process's class path",
    ),
    Effect(
        statement="SHOW, DESCRIBE, EXPLAIN, HELP, CLEAR",
        begins=r"(?:SHOW|DESC|DESCRIBE|EXPLAIN|HELP|CLEAR)\b",
        action="left out",
        effect="prints only",
    ),
    Effect(
        statement="TRUNCATE TABLE",
        begins=r"TRUNCATE\b",
        action="refused",
        effect="deletes the table's rows",
    ),
    Effect(
        statement="DELETE",
        begins=r"DELETE\b",
        action="refused",
        effect="may delete rows at once, where the connector takes the filter",
    ),
    Effect(
        statement="UPDATE",
        begins=r"UPDATE\b",
        action="refused",
        effect="changes the table's rows",
    ),
    Effect(
        statement="CALL",
        begins=r"CALL\b",
        action="refused",
        effect="runs a procedure of the catalog",
    ),
    Effect(
        statement="ANALYZE TABLE",
        begins=r"ANALYZE\b",
        action="refused",
        effect="runs a job and writes its statistics into the catalog",
    ),
    Effect(
        statement="STOP JOB",
        begins=r"STOP\s+JOB\b",
        action="refused",
        effect="stops a job of a cluster",
    ),
)
"""By kind of statement; the first row that matches counts."""

_UNKNOWN: Final = Effect(
    statement="a statement that capture does not know",
    begins="",
    action="refused",
    effect="may change something outside this process",
)
_BEGINNINGS: Final = (
    *("SELECT", "WITH", "VALUES", "INSERT INTO", "EXECUTE", "USE", "SET", "RESET", "ADD JAR"),
    *(
        f"{verb} {kind}"
        for verb in ("CREATE", "ALTER", "DROP")
        for kind in ("TABLE", "VIEW", "FUNCTION", "DATABASE", "MODEL", "CATALOG", "TEMPORARY")
    ),
)
"""The beginnings of statements that run, for a hint."""
_REFUSED: Final = (
    "{where} is not run, since {what} {effect}: leave it out of the script, or let all statements "
    "run with --allow-ddl"
)
_MISTYPED: Final = (
    "{where} is no statement that capture knows{hint} It is not run, since it may change something "
    "outside this process: correct it, or let all statements run with --allow-ddl"
)


def effect_of(text: str) -> Effect:
    """The row of a statement's text."""
    return next((row for row in EFFECTS if row.matches(text)), _UNKNOWN)


def check_is_harmless(text: str, place: str) -> None:
    """Raise ``CaptureError`` for a statement that would change something outside the process.

    ``place``: the statement as a message names it.
    """
    row = effect_of(text)
    if row.action == "refused":
        named = place.rstrip(",")
        if row is _UNKNOWN and (hint := _nearest(text)):
            raise CaptureError(_MISTYPED.format(where=named, hint=hint))
        raise CaptureError(_REFUSED.format(where=named, what=row.statement, effect=row.effect))


def _nearest(text: str) -> str:
    """Return a hint that names the statement with the nearest beginning, or nothing."""
    words = text.upper().split()
    beginnings = (" ".join(words[:2]), *words[:1])
    return next(
        filter(None, (did_you_mean(beginning, _BEGINNINGS) for beginning in beginnings)), ""
    )
