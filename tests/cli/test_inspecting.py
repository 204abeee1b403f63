"""``inspect-bytes`` in a shell: a row that is typed, bytes that are pasted, what is wrong."""

import json

import pytest

from explorer.cli.main import main
from tests.many_cases import for_each


def run(*args: str) -> int | str | None:
    """The exit code of the command; what is no usage of it ends the process."""
    try:
        return main(["inspect-bytes", *args])
    except SystemExit as ended:
        return ended.code


def test_the_bytes_of_a_row_are_decoded(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--schema", "word STRING, n LONG", "--row", '["the", 1]', "--json") == 0
    parts = json.loads(capsys.readouterr().out)

    assert [part["name"] for part in parts] == [
        "length", "element tag", "null mask", "word, length", "word", "n",
    ]  # fmt: skip
    assert "".join(part["bytes"] for part in parts) == "0000000e010004746865" + "0" * 15 + "1"


@for_each(
    ("args", "reported"),
    [
        (("--watermark", "5"), "watermark"),
        (("--status", "idle"), "idle"),
        (("--latency-marker", "7"), "marked time"),
        (("--event", "end of partition"), "event"),
        (("--hex", "00000009 020000000000000005"), "watermark"),
    ],
)
def test_other_elements_are_named(
    args: tuple[str, ...], reported: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*args) == 0
    assert reported in capsys.readouterr().out


@for_each(
    ("args", "code", "said"),
    [
        (("--schema", "n LONG", "--row", '["a"]'), 1, "must be LONG for column 'n'"),
        (("--row", "[1]"), 1, "has 1 values, but the schema has 0 columns"),
        (("--hex", "0000000f01"), 1, "within 'null mask'"),
        (("--hex", "0000000105"), 1, "which no element begins with"),
        (("--schema", "n TEXT", "--row", "[1]"), 1, "the types are"),
        (
            (
                "--schema",
                "word STRING, n LONG",
                "--hex",
                "0000000a0000000005007468650102829c839e3981ce",
            ),
            1,
            "the most that Flink writes there",
        ),
        (("--schema", "word STRING, n LONG", "--row", '["\\ud800",1]'), 2, "write a JSON list"),
        (("--row", "[" * 5_000), 2, "write a JSON list"),
        (("--hex", "abc"), 2, "two hexadecimal digits"),
        (("--row", "7"), 2, "write a JSON list"),
        (("--watermark", "1e99"), 2, "is no LONG"),
        (("--event", "barrier"), 2, "is no event"),
        ((), 2, "one of the arguments"),
    ],
)
def test_an_unreadable_file_is_one_sentence(
    args: tuple[str, ...], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*args) == code
    reported = capsys.readouterr().err
    assert said in reported
    assert "Traceback" not in reported
