"""Reference page of the command line, from the parsers of its commands."""

import argparse

from explorer.cli.command_table import COMMANDS
from explorer.cli.main import parser
from reference.markdown import block, code, plain, table

INTRODUCTION = """# Commands and options

Write `streamgraph-explorer` or `python -m explorer`, then a command. FILE is a pipeline document
(YAML or JSON), a captured program or a submitted job's plan (JSON), a `.jar`, a `.sql`, a `.py`, a
job's address, or `-` for standard input.

"""
EXIT_CODES = (
    ("0", "The command is done and nothing is at fault."),
    ("1", "The document or the job is at fault, or Flink refuses it. One message, no traceback."),
    ("2", "Wrong usage, or the installation lacks a library, Java or Flink's jars."),
    ("3", "Nothing is refused, but not everything could be checked."),
    ("70", "A bug of the explorer."),
    ("130", "Interrupted."),
)


def commands_page() -> str:
    """Return the page: exit codes, a table of commands, a section with options for each."""
    whole = parser()
    actions = (one for one in whole._actions if isinstance(one, argparse._SubParsersAction))
    parsers = dict(next(actions).choices)
    overview = table(
        ["command", "what it does"],
        ([f"[`{name}`](#{name})", plain(COMMANDS[name].does)] for name in COMMANDS),
    )
    sections = "\n".join(_section(name, parsers[name]) for name in COMMANDS)
    exit_codes = table(["exit code", "meaning"], EXIT_CODES)
    return f"{INTRODUCTION}{overview}\n\n## Exit codes\n\n{exit_codes}\n\n{sections}"


def _section(name: str, of_command: argparse.ArgumentParser) -> str:
    actions = [one for one in of_command._actions if one.dest != "help"]
    usage = block("text", " ".join(of_command.format_usage().split()).removeprefix("usage: "))
    does = plain(COMMANDS[name].does)
    rows = [(_describe_arguments(one), plain(_help(one))) for one in actions]
    options = table(["argument", "meaning"], rows) if rows else ""
    return f"## {name}\n\n{does[:1].upper()}{does[1:]}.\n\n{usage}\n{options}\n"


def _describe_arguments(action: argparse.Action) -> str:
    value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if action.choices and not action.metavar:
        value = "|".join(map(str, action.choices))
    has_value = action.nargs != 0
    if not action.option_strings:
        return code(value)
    return code(f"{', '.join(action.option_strings)}{f' {value}' if has_value else ''}")


def _help(action: argparse.Action) -> str:
    text = (action.help or "").replace("%%", "%")
    repeatable = " May be repeated." if isinstance(action, argparse._AppendAction) else ""
    return f"{text}.{repeatable}" if repeatable and "repeat" not in text else text
