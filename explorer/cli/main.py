"""The command line: ``python -m explorer COMMAND``.

Exit codes: 0 done; 1 the document or the job is at fault, with one sentence on standard error and
never a traceback; 2 the command was not used as it should be, or the installation lacks a library,
Java or Flink's jars; 3 not everything could be checked; 70 a bug of the explorer; 130 interrupted,
see ``explorer.__main__``.
"""

import argparse
import io
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.cli.command_table import ALIASES, COMMANDS
from explorer.drawing.view.one_line import one_line
from explorer.errors import (
    AT_FAULT,
    OWN_BUG,
    ExplorerError,
    MissingFlinkError,
    did_you_mean,
    own_bug,
)
from explorer.extras import BASE, optional_libraries
from explorer.locations import CONSOLE_SCRIPT, PROGRAM
from explorer.without_pandas import refuse_pandas
from explorer.wording import quoted

if TYPE_CHECKING:
    from explorer.cli.command import Command


class _Parser(argparse.ArgumentParser):
    """A parser that answers a slip with the usage of its own command and the nearest name."""

    def parse_known_args(  # type: ignore[override] # argparse calls it alike
        self, *args: Any, **options: Any
    ) -> tuple[argparse.Namespace, list[str]]:
        """Refuse what the command does not know here: argparse would print the usage of all."""
        value, unknown = super().parse_known_args(*args, **options)
        if unknown:
            named = [name for action in self._actions for name in action.option_strings]
            hint = did_you_mean(unknown[0].partition("=")[0], named)
            self.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")
        return value, unknown

    def short_usage(self) -> str:
        """The usage without the options of groups with titles, which the help lists last."""
        groups = self._action_groups[2:]  # behind those of positional arguments and options
        rare = [action for group in groups for action in group._group_actions]  # noqa: SLF001
        formatter = self._get_formatter()
        actions = [action for action in self._actions if action not in rare]
        formatter.add_usage(None, actions, self._mutually_exclusive_groups)
        return formatter.format_help().strip().removeprefix("usage: ").replace("%", "%%")

    def all_arguments(self) -> Iterator[argparse.Action]:
        """The arguments of this parser and of its commands."""
        yield from self._actions
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - it has no public name
                for command_parser in action.choices.values():
                    yield from command_parser.all_arguments()

    def defaults(self) -> argparse.Namespace:
        """All arguments as they are where none is given, required ones too."""
        return argparse.Namespace(**{action.dest: action.default for action in self._actions})


class _PrintVersion(argparse.Action):
    """``--version``: print the installed version and exit."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        sys.stdout.write(f"{CONSOLE_SCRIPT} {version(CONSOLE_SCRIPT)}\n")
        parser.exit()


def command(name: str) -> "Command":
    """Load the command of that name."""
    from explorer.cli.command import Command

    members = vars(import_module(f"explorer.cli.{COMMANDS[name].module}")).values()
    return next(value for value in members if isinstance(value, Command) and value.name == name)


def run_command(name: str, values: Mapping[str, Any]) -> int:
    """Run a command with these of its arguments by name, without a command line."""
    named = command(name)
    command_parser = _Parser(add_help=False)
    for add in named.arguments:
        add(command_parser)
    args = {**vars(command_parser.defaults()), "passed_on": [], **values}
    return named.run(argparse.Namespace(**args)) or 0


def parser(names: Iterable[str] = COMMANDS, *, bare: bool = False) -> _Parser:
    """The parser of these commands; ``bare``: without their arguments, for the help of all."""
    whole = _Parser(
        prog=PROGRAM,
        description="A visual explorer for Flink pipeline graphs.",
    )
    whole.add_argument("-V", "--version", action=_PrintVersion, nargs=0, help="print the version")
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in names:
        does = COMMANDS[name].does
        loaded = None if bare else command(name)
        added = commands.add_parser(
            name,
            help=does,
            description=does,
            usage=loaded.usage if loaded else None,
            allow_abbrev=False,
        )
        for add in loaded.arguments if loaded else ():
            add(added)
        added.usage = added.usage or added.short_usage()
        added.set_defaults(run=loaded.run if loaded else None)
    return whole


def _exit_code(args: argparse.Namespace) -> int:
    """Run the command; if only Flink's jars are missing, offer on a terminal to download them."""
    code: int | None
    with optional_libraries("page" if args.command == "ui" else ""):
        try:
            code = args.run(args)
        except MissingFlinkError as error:
            from explorer.cli.flinks import install_if_wanted

            if not install_if_wanted(error.release):
                raise
            code = args.run(args)
    return code or 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code."""
    _open_streams()
    try:
        args = _parse_arguments(sys.argv[1:] if arguments is None else list(arguments))
        if arguments is None:
            refuse_pandas()
        with _interrupts():
            code = _exit_code(args)
        sys.stdout.flush()
    except ExplorerError as error:
        return _fail(str(error), error.excerpt, error.exit_code)
    except BrokenPipeError:
        # The reader went away, as `head` does.
        _drop_output()
        return 0
    except OSError as error:
        _drop_output()
        return _fail(f"cannot write the result: {(error.strerror or str(error)).lower()}")
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and error.name in BASE:
            raise  # this Python is not the one of the installation, as ``__main__`` reports
        return _fail(own_bug(error), exit_code=OWN_BUG)
    return code


@contextmanager
def _interrupts() -> Iterator[None]:
    """Raise ``KeyboardInterrupt`` for an error that Ctrl-C led to, as while a JVM is closed."""
    try:
        yield
    except Exception as error:
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, KeyboardInterrupt):
                raise cause from None
            cause = cause.__context__
        raise


def _parse_arguments(arguments: list[str]) -> argparse.Namespace:
    """Parse the arguments; a program's own arguments, after ``--``, are passed on unparsed."""
    arguments[:1] = [ALIASES.get(name, name) for name in arguments[:1]]
    first_words = [name for name in arguments[:1] if name in COMMANDS]
    with optional_libraries("page" if first_words == ["ui"] else ""):
        cut = arguments.index("--") if "--" in arguments else len(arguments)
        # Another first word, as --help or a slip, is answered with all commands.
        read = parser(first_words or COMMANDS, bare=not first_words)
        if arguments and not first_words:
            _refuse_first_word(read, arguments[0])
        args = read.parse_args(arguments[:cut])
        # A command that starts no program, or names none before it, reads ``--`` as its own.
        if "main_class" not in vars(args) or vars(args).get("files") == []:
            args, cut = read.parse_args(arguments), len(arguments)
    args.passed_on = arguments[cut + 1 :]
    return _with_samples(args)


def _refuse_first_word(read: _Parser, name: str) -> None:
    """End with the usage where the first word is neither a command nor an option of ours."""
    if not name.startswith("-"):
        read.error(f"unknown command {quoted(name)}{did_you_mean(name, COMMANDS)}")
    options = [option for action in read._actions for option in action.option_strings]  # noqa: SLF001
    if name not in options:
        read.error(f"unknown option {quoted(name)}{did_you_mean(name, options)}")


def _with_samples(args: argparse.Namespace) -> argparse.Namespace:
    """Replace the name of a sample where a FILE is read and no such file exists by its path."""
    from explorer.documents.samples import sample_or_path

    for member in ("file", "old", "new", "baseline", "like", "target"):
        name = vars(args).get(member)
        if isinstance(name, str):
            setattr(args, member, sample_or_path(name))
    if "files" in vars(args):
        args.files = [sample_or_path(name) for name in args.files]
    return args


def _open_streams() -> None:
    """Write UTF-8 in every locale; discard the output of a closed stream."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _drop_output() -> None:
    """Discard unwritten output, so that Python's last flush does not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(sentence: str, excerpt: str = "", exit_code: int = AT_FAULT) -> int:
    """Print the error in one line, and below it an excerpt that marks the place."""
    pointed = "".join(f"  {line}\n" for line in excerpt.split("\n") if line)
    sys.stderr.write(f"error: {one_line(sentence)}\n{pointed}")
    return exit_code
