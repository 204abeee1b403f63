"""The table of questions: its names exist, and every command, tab and function is in it."""

import inspect
from collections.abc import Iterator
from typing import Any

import explorer
from components.session import places
from explorer.cli.command_table import ALIASES, COMMANDS
from reference.json_formats import FORMATS, printed
from reference.vocabulary import INSTALLATION, QUESTIONS, vocabulary_page


def test_every_command_answers_a_question() -> None:
    named = {name for row in QUESTIONS for name in row.commands}

    assert named | {*INSTALLATION} == {*COMMANDS}


def test_every_tab_answers_a_question() -> None:
    named = {name for row in QUESTIONS for name in row.tabs}

    assert {*places.NAMES} == named


def test_every_function_answers_a_question() -> None:
    named = {name for row in QUESTIONS for name in row.functions}
    members = {name for name in named if name.startswith("CompiledGraph.")}
    functions = {name for name in explorer.__all__ if not inspect.isclass(getattr(explorer, name))}

    assert named - members == functions
    assert all(hasattr(explorer.CompiledGraph, name.partition(".")[2]) for name in members)


def test_a_command_a_tab_and_a_function_of_one_question_share_its_name() -> None:
    """Where a command and a function have the same name, they answer the same question."""
    for row in QUESTIONS:
        for name in {*row.functions} & {*COMMANDS}:
            assert name in row.commands, (row.question, name)


def test_the_page_lists_each_name_and_the_former_ones() -> None:
    page = vocabulary_page()

    assert all(f"`{name}`" in page for name in (*COMMANDS, *ALIASES) if name not in INSTALLATION)
    assert all(f"*{name}*" in page for name in places.NAMES)


def releases_named(value: Any) -> Iterator[dict[str, Any]]:
    """Yield each object of an output that names its release by the former member."""
    if isinstance(value, dict):
        if isinstance(value.get("flink"), str):
            yield value
        value = [*value.values()]
    if isinstance(value, list):
        for part in value:
            yield from releases_named(part)


def test_what_is_printed_names_the_release_as_python_does() -> None:
    """``flink`` stays next to it for one release; a document in an output has ``flink`` alone."""
    calls = [FORMATS[name][0] for name in FORMATS if not name.startswith("lesson")]
    calls.append(("exchange", "01-word-count.yaml", "--edge", "ones->count", "--json"))
    objects = [
        part
        for call in calls
        for part in releases_named(printed(call))
        if "transformations" not in part
    ]

    assert len(objects) >= 5
    assert all(part["flink_version"] == part["flink"] for part in objects)
