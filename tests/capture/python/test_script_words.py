"""Of all that a script printed, its own exception is reported."""

from explorer.capture.failures import remedy
from explorer.capture.python.script_words import Words, failure_message
from tests.many_cases import for_each

JAVA = """start
Traceback (most recent call last):
  File "job.py", line 5, in <module>
    t.execute_sql(...)
py4j.protocol.Py4JJavaError: An error occurred while calling o8.executeSql.
: org.apache.flink.table.api.ValidationException: Unable to create a source 'k'.

Table options are:

'connector'='kafka'
\tat org.apache.flink.table.factories.FactoryUtil.create(FactoryUtil.java:230)
Caused by: org.apache.flink.table.api.ValidationException: Cannot discover a connector
\t... 34 more
Caused by: flink.ValidationException: Could not find any factory for identifier 'kafka'
\t... 36 more
"""


@for_each(
    ("printed", "reported"),
    [
        ("", ""),
        ("usage: job.py FILE\n\n", "usage: job.py FILE"),
        ("Traceback (most recent call last):\n  x\nKeyError: 'a'\nlast line\n", "KeyError: 'a'"),
        (
            '  File "a.py", line 1\n    def f(:\n\nSyntaxError: invalid syntax\n',
            "SyntaxError: invalid syntax",
        ),
        (
            "Traceback (most recent call last):\nA: 1\n\nDuring handling of the above exception:\n"
            "Traceback (most recent call last):\n  y\nB: 2\n",
            "B: 2",
        ),
        ("Traceback (most recent call last):\n  cut off", "cut off"),
    ],
)
def test_the_exception_is_reported_and_not_what_was_printed_after_it(
    printed: str, reported: str
) -> None:
    assert failure_message(printed).reported == reported


def test_where_java_threw_its_exception_is_reported_with_the_first_cause() -> None:
    words = failure_message(JAVA)

    assert words.reported == (
        "org.apache.flink.table.api.ValidationException: Unable to create a source 'k'., caused by "
        "flink.ValidationException: Could not find any factory for identifier 'kafka'"
    )
    assert len(words.causes) == 3
    assert "'kafka' with --classpath: flink-sql-connector-kafka-4.0.0-2.0.jar" in "".join(
        remedy("2.2.1", one) for one in words.causes
    )


def test_a_very_long_message_is_cut() -> None:
    words = failure_message("Traceback (most recent call last):\nValueError: " + "x" * 1000)

    assert len(words.reported) == 400
    assert words == Words(words.reported, (words.causes[0],))
