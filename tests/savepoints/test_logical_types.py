"""Logical types of SQL as words."""

from typing import Any

from explorer.savepoints.java_streams import JavaObject
from explorer.savepoints.logical_types import logical_type_words
from tests.many_cases import for_each


def test_a_type_that_refers_to_itself_many_times_is_not_spelled_out() -> None:
    package = "org.apache.flink.table.types.logical."
    inner = JavaObject(class_name=f"{package}IntType", fields={"isNullable": True})
    for _ in range(8):
        column = JavaObject(class_name=f"{package}RowType$RowField", fields={"name": "a"})
        column.fields["type"] = inner
        inner = JavaObject(class_name=f"{package}RowType", fields={"fields": [column] * 50})

    assert logical_type_words(inner) is None
    inner.fields["fields"] = [inner]
    assert logical_type_words(inner) is None


def kind(name: str, **fields: Any) -> JavaObject:
    return JavaObject(class_name=f"org.apache.flink.table.types.logical.{name}", fields=fields)


def a_list(*held: Any) -> JavaObject:
    """``Collections.unmodifiableList`` of an ``ArrayList``, as Flink's rows hold their fields."""
    inner = JavaObject(class_name="java.util.ArrayList", additions=[b"size", *held])
    return JavaObject(class_name="java.util.Collections$Unmodifiable", fields={"list": inner})


@for_each(
    ("value", "words"),
    [
        (kind("IntType"), "INT"),
        (kind("BigIntType", isNullable=False), "BIGINT NOT NULL"),
        (kind("DecimalType", precision=10, scale=2), "DECIMAL(10, 2)"),
        (kind("LocalZonedTimestampType", precision=3), "TIMESTAMP(3) WITH LOCAL TIME ZONE"),
        (kind("VarCharType", length=2147483647), "STRING"),
        (kind("VarCharType", length=20), "VARCHAR(20)"),
        (kind("VarBinaryType", length=2147483647, isNullable=False), "BYTES NOT NULL"),
        (kind("ArrayType", elementType=kind("IntType")), "ARRAY<INT>"),
        (
            kind("MapType", keyType=kind("IntType", isNullable=False), valueType=kind("DateType")),
            "MAP<INT NOT NULL, DATE>",
        ),
    ],
)
def test_a_type_is_written_as_sql_writes_it(value: JavaObject, words: str) -> None:
    assert logical_type_words(value) == words


def test_a_row_names_its_fields() -> None:
    fields = [
        JavaObject(class_name="RowField", fields={"name": name, "type": kind(type)})
        for name, type in (("a", "IntType"), ("b c", "DoubleType"))
    ]

    assert logical_type_words(kind("RowType", fields=a_list(*fields))) == (
        "ROW<`a` INT, `b c` DOUBLE>"
    )


@for_each(
    "value",
    [
        None,
        "INT",
        JavaObject(class_name="mine.IntType"),
        kind("MineType"),
        kind("ArrayType", elementType=kind("MineType")),
        kind("RowType", fields=a_list("a")),
    ],
)
def test_a_type_that_is_not_known_has_no_words(value: Any) -> None:
    assert logical_type_words(value) is None
