"""The command line: ``python -m explorer COMMAND``.

Exit codes: 0 done; 1 the document or the job is at fault, with one sentence on standard error and
never a traceback; 2 the command was not used as it should be; 130 interrupted.
"""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from explorer.cli.capturing import CAPTURE
from explorer.cli.checking import CHECK, LOCK
from explorer.cli.compiling import COMPILE, DRAW
from explorer.cli.deploying import DEPLOY
from explorer.cli.explaining import COMPARE, EXPLAIN, RELEASES, TRACE, WHATIS
from explorer.cli.following import FOLLOW
from explorer.cli.inspecting import INSPECT_BYTES
from explorer.cli.restoring import BRIDGE, RESTORE, SAVEPOINT
from explorer.cli.running import PREVIEW, TRIAL, UI
from explorer.cli.teaching import LESSON
from explorer.cli.wiring import WIRE
from explorer.drawing.one_line import one_line
from explorer.errors import ExplorerError, own_bug

COMMANDS: Final = (
    COMPILE,
    CAPTURE,
    TRIAL,
    PREVIEW,
    FOLLOW,
    WIRE,
    INSPECT_BYTES,
    CHECK,
    LOCK,
    EXPLAIN,
    TRACE,
    WHATIS,
    COMPARE,
    RELEASES,
    SAVEPOINT,
    RESTORE,
    BRIDGE,
    DEPLOY,
    DRAW,
    LESSON,
    UI,
)
"""Every command, in the order in which the help lists them."""

INTERRUPTED: Final = 130


def parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    whole = argparse.ArgumentParser(
        prog="python -m explorer", description="A visual explorer for Flink pipeline graphs."
    )
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        one = commands.add_parser(command.name, help=command.does, description=command.does)
        for add in command.arguments:
            add(one)
        one.set_defaults(run=command.run)
    return whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code."""
    _open_streams()
    args = _parsed(sys.argv[1:] if arguments is None else list(arguments))
    try:
        code: int = args.run(args)
        sys.stdout.flush()
    except ExplorerError as error:
        return _fail(str(error), error.excerpt)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away, as `head` does.
        _drop_output()
        return 0
    except OSError as error:
        _drop_output()
        return _fail(f"cannot write the result: {(error.strerror or str(error)).lower()}")
    except Exception as error:  # noqa: BLE001 - a mistake of ours is one sentence too
        return _fail(own_bug(error))
    return code


def _parsed(arguments: list[str]) -> argparse.Namespace:
    """What was asked for; a program's own arguments, after ``--``, are not looked into."""
    command = next((one for one in COMMANDS if one.name in arguments[:1]), None)
    if command is None or not command.passes_on or "--" not in arguments:
        return parser().parse_args(arguments)
    cut = arguments.index("--")
    args = parser().parse_args(arguments[:cut])
    args.passed_on = arguments[cut + 1 :]
    return args


def _open_streams() -> None:
    """Write UTF-8 whatever the locale says, and nowhere where a stream was closed."""
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _drop_output() -> None:
    """Send what is still to be written nowhere, so that Python's last flush does not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(sentence: str, excerpt: str = "") -> int:
    """Say what is wrong in one line, and below it point at the place."""
    pointed = "".join(f"  {line}\n" for line in excerpt.split("\n") if line)
    sys.stderr.write(f"error: {one_line(sentence)}\n{pointed}")
    return 1
