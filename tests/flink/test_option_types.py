"""Texts as values of options, against how each release read them."""

from explorer.flink.declared_options import DeclaredOption
from explorer.flink.option_types import is_readable
from explorer.flink.option_values import unreadable
from explorer.flink.releases import VERSIONS, release
from tests.flink.ask_option_values import TEXTS
from tests.golden_files import cases

UNITS = (*("NANOSECONDS", "MICROSECONDS", "MILLISECONDS", "SECONDS", "MINUTES", "HOURS", "DAYS"),)


def test_every_release_reads_and_refuses_the_same_texts() -> None:
    answers = {case["release"]: case["answers"] for case in cases("option_values")}

    assert [*answers] == list(VERSIONS[1:])
    for version, row in answers.items():
        for (name, text), answer in zip(TEXTS, row, strict=True):
            type_name = name.replace("enum", "enum java.util.concurrent.TimeUnit")
            option = DeclaredOption(type=type_name, constants=UNITS if "enum" in name else ())
            readable = is_readable(option, text, release(version))

            assert readable == (not answer.startswith("!")), (version, name, text, answer)
            if not readable:
                assert answer == f"!IllegalArgumentException: {unreadable('the.key', text)}"
