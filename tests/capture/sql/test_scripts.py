"""A SQL script becomes a document for each job that it would submit."""

import re
from pathlib import Path
from typing import Any

import pytest

import explorer
from explorer.capture import CaptureError
from tests.capture.flinks import PROGRAMS, differences, lib
from tests.golden_files import cases

pytestmark = [pytest.mark.flink, pytest.mark.usefixtures("warm_java")]


@pytest.mark.parametrize("version", ["1.20.5", "2.2.1"])
def test_a_script_is_translated_as_its_flink_does(version: str) -> None:
    documents = explorer.capture(PROGRAMS / "auction.sql", flink_lib=lib(version))

    assert [differences(document) for document in documents] == [()] * 6
    names = [document["name"] for document in documents]
    assert names[0] == "dear; and dearest"
    inserts = [name.startswith("insert-into_") for name in names]
    assert inserts == [False, True, True, False, True, True]
    settings = [document["stream_graph"]["settings"] for document in documents]
    assert [one["batch"] for one in settings] == [False, False, True, True, True, True]
    assert [one["parallelism"] for one in settings] == [3, 3, 3, 3, 3, 2]
    assert documents[0]["options"]["parallelism.default"] == "3"
    _check_plans(documents)


def test_a_compiled_plan_is_captured_by_its_own_release(tmp_path: Path) -> None:
    golden = next(one for one in cases("sql_upgrades") if one["plan"] and one["flink"] == "2.2.1")
    plan = tmp_path / "plan.json"
    plan.write_text(golden["plan"])
    (document,) = explorer.capture(plan)

    assert document["flink"] == "2.2"
    assert differences(document) == ()
    uids, wanted = (
        [node["uid"] for node in one["stream_graph"]["nodes"]]
        for one in (document, golden["documents"][1])
    )
    assert uids == wanted
    assert document["sql_plan"]["compiled"]
    assert [node["id"] for node in document["sql_plan"]["nodes"]][-2:] == [484, 485]


def test_a_json_file_that_is_no_compiled_plan_is_no_program(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text("{}")
    with pytest.raises(CaptureError, match="is no compiled plan: write one with COMPILE PLAN"):
        explorer.capture(other)


def _check_plans(documents: list[dict[str, Any]]) -> None:
    """The plans of the two streaming jobs have the IDs that are in the operators' names."""
    first, second = (document["sql_plan"] for document in documents[:2])
    assert [node["id"] for node in first["nodes"]] == [1, 2, 3, 4, 5, 6]
    assert [node["id"] for node in second["nodes"]] == [*range(7, 17)]
    for document in documents[:2]:
        names = " ".join(node["name"] for node in document["stream_graph"]["nodes"])
        ids = {int(id) for id in re.findall(r"\[(\d+)\]", names)}
        assert ids < {node["id"] for node in document["sql_plan"]["nodes"]}
    assert [one["line"] for one in second["statements"]] == [12, 13]
    sums = second["nodes"][4]
    assert sums["type"] == "stream-exec-group-aggregate"
    assert sums["row_kinds"] == ["INSERT", "UPDATE_AFTER"]
    assert sums["upsert_keys"] == [["auction"]]
    assert sums["states"] == [{"name": "groupAggregateState", "ttl": 0}]
    assert [node["statements"] for node in second["nodes"][:3]] == [[0, 1], [0, 1], [0]]


def test_a_script_of_1_9_is_translated_as_1_9_does() -> None:
    documents = explorer.capture(PROGRAMS / "files.sql", flink_lib=lib("1.9.3"))

    assert [differences(document) for document in documents] == [(), ()]
    settings = [document["stream_graph"]["settings"] for document in documents]
    assert [one["batch"] for one in settings] == [False, True]


@pytest.mark.parametrize(
    ("statement", "begins", "ends"),
    [
        (
            "CREATE TABLE far (a INT) WITH ('connector' = 'kafka');\nINSERT INTO far VALUES (1);",
            "statement 2 in line 2, 'INSERT INTO far VALUES (1)', failed with org.apache.flink."
            "table.api.ValidationException: Unable to create a sink for writing table ",
            "; add the jar of 'kafka' with --classpath: flink-sql-connector-kafka-3.4.0-1.20.jar "
            "(Maven: org.apache.flink:flink-sql-connector-kafka:3.4.0-1.20)",
        ),
        (
            "\nSELECT nothing FROM nowhere;",
            "statement 1 in line 2, 'SELECT nothing FROM nowhere', failed with org.apache.flink."
            "table.api.ValidationException: SQL validation failed. From line 2, column 21 to line "
            "2, column 27: Object 'nowhere' not found",
            "; fix the script",
        ),
        (
            "/* of\ntwo lines */ SELECT a.old\n FRM b;",
            "statement 1 in line 2, 'SELECT a.old FRM b', failed with org.apache.flink.table.api."
            "SqlParserException: SQL parse failed. Encountered",
            "at line 2, column 22; fix the script",
        ),
        (
            "CREATE TABLE a (b INT, n BIGINT) WITH ('connector'='filesystem','path'='/a','format'="
            "'csv');\nCREATE TABLE b (b INT) WITH ('connector'='datagen');\nCREATE TABLE c (b INT) "
            "WITH ('connector'='print');\nEXECUTE STATEMENT SET BEGIN\nINSERT INTO c SELECT * FROM "
            "b;\nINSERT INTO a SELECT b, COUNT(*) FROM b GROUP BY b;\nEND;",
            "statement 6 in line 6, 'INSERT INTO a SELECT b, COUNT(*) FROM b…', failed with org."
            "apache.flink.table.api.TableException: Table sink ",
            "; fix the script",
        ),
        (
            "CREATE TABLE a (b INT) WITH ('connector'='filesystem','path'='/a','format'='orc');\n"
            "INSERT INTO a VALUES (1);",
            "statement 2 in line 2, 'INSERT INTO a VALUES (1)', failed with",
            "; add the jar of 'orc' with --classpath: flink-sql-orc-1.20.5.jar (Maven: "
            "org.apache.flink:flink-sql-orc:1.20.5)",
        ),
    ],
)
def test_a_statement_that_fails_is_named(
    tmp_path: Path, statement: str, begins: str, ends: str
) -> None:
    script = tmp_path / "script.sql"
    script.write_text(statement)
    with pytest.raises(CaptureError) as raised:
        explorer.capture(script, flink_lib=lib("1.20.5"))

    assert str(raised.value).startswith(begins)
    assert str(raised.value).endswith(ends)
