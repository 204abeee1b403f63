"""What capture does with each kind of SQL statement."""

from pathlib import Path

import pytest

import explorer
from explorer.capture import CaptureError
from explorer.capture.sql.sql_text import statements
from explorer.capture.sql.statements import EFFECTS, check_is_harmless, effect_of
from tests.capture.flinks import PROGRAMS, lib
from tests.many_cases import for_each

ACTIONS = {
    "record": (
        "SELECT 1",
        "(SELECT 1) UNION (SELECT 2)",
        "with a AS (SELECT 1) SELECT * FROM a",
        "INSERT INTO a SELECT 1",
        "EXECUTE PLAN '/a.json'",
        "COMPILE AND EXECUTE PLAN '/a.json' FOR INSERT INTO a SELECT 1",
    ),
    "in memory": (
        "CREATE CATALOG a WITH ('type' = 'hive')",
        "DROP CATALOG a",
        "CREATE TABLE a (b INT)",
        "create or replace table a AS SELECT 1",
        "CREATE TEMPORARY SYSTEM FUNCTION f AS 'F'",
        "ALTER VIEW a RENAME TO b",
        "DROP DATABASE a CASCADE",
        "USE CATALOG a",
        "LOAD MODULE hive",
        "ADD JAR '/a.jar'",
    ),
    "left out": ("SHOW TABLES", "DESCRIBE a", "EXPLAIN SELECT 1", "REMOVE JAR '/a.jar'"),
    "refused": (
        "TRUNCATE TABLE a",
        "CALL c.s.p()",
        "DELETE FROM a WHERE b = 1",
        "UPDATE a SET b = 1",
        "ANALYZE TABLE a COMPUTE STATISTICS",
        "COMPILE PLAN '/a.json' FOR INSERT INTO a SELECT 1",
        "STOP JOB 'a'",
        "CREATE MATERIALIZED TABLE a AS SELECT 1",
        "ALTER TABLE a COMPACT",
        "FROBNICATE a",
    ),
}


@for_each(
    ("text", "action"), [(text, action) for action, texts in ACTIONS.items() for text in texts]
)
def test_each_statement_has_an_action(text: str, action: str) -> None:
    assert effect_of(text).action == action


def test_the_guide_lists_every_kind_of_statement() -> None:
    guide = (Path(__file__).parents[3] / "docs" / "capture.md").read_text()

    assert [row.statement for row in EFFECTS if row.statement not in guide] == []


def test_every_statement_of_our_scripts_is_known() -> None:
    actions = {
        effect_of(statement.text).action
        for script in PROGRAMS.glob("*.sql")
        for statement in statements(script.read_text())
        if statement.kind == "statement"
    }

    assert actions == {"in memory", "record"}


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("CREATE TABEL a (b INT)", "; did you mean 'CREATE TABLE'?"),
        ("SELEC 1", "statement 1 is no statement that capture knows; did you mean 'SELECT'? It is"),
        ("FROBNICATE a", "leave it out of the script, or let all statements run with --allow-ddl"),
    ],
)
def test_a_mistyped_statement_has_a_hint(text: str, hint: str) -> None:
    with pytest.raises(CaptureError) as raised:
        check_is_harmless(text, "statement 1,")

    assert hint in str(raised.value)


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_a_refused_statement_is_named_before_any_statement_runs(tmp_path: Path) -> None:
    script = tmp_path / "script.sql"
    script.write_text("CREATE TABLE a (b INT);\n\nSELECT 1;\nTRUNCATE TABLE a;")
    with pytest.raises(CaptureError) as raised:
        explorer.capture(script, flink_lib=lib("1.20.5"))

    assert str(raised.value) == (
        "statement 3 in line 4, 'TRUNCATE TABLE a' is not run, since TRUNCATE TABLE deletes the "
        "table's rows: leave it out of the script, or let all statements run with --allow-ddl"
    )


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
def test_a_plan_is_compiled_and_executed_without_its_file(tmp_path: Path) -> None:
    script, plan = tmp_path / "script.sql", tmp_path / "plan.json"
    text = (PROGRAMS / "plan.sql").read_text()
    script.write_text(text.replace("{plan}", str(plan)))
    (document,) = explorer.capture(script, flink_lib=lib("1.20.5"))

    assert document["stream_graph"]["nodes"][0]["uid"] is not None
    assert not plan.exists()
