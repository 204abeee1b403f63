"""A command line of ``flink run``, as a deploy script has it.

Mirrors ``CliFrontendParser``: the flags that decide about the job are read, those that decide where
it is submitted are accepted and ignored.
"""

import argparse
import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from explorer.errors import UsageError
from explorer.model.frozen import FrozenRecord
from explorer.wording import listed, quoted

_ACTIONS: Final = ("run", "run-application")
_READ: Final = {
    "-c": "main_class",
    "--class": "main_class",
    "-p": "parallelism",
    "--parallelism": "parallelism",
    "-s": "savepoint",
    "--fromSavepoint": "savepoint",
    "-py": "script",
    "--python": "script",
}
_IGNORED_VALUES: Final = re.compile(
    "-m|--jobmanager|-t|--target|-e|--executor|-z|--zookeeperNamespace|-rm|--restoreMode|-claimMode"
    "|-y(?:id|jm|tm|nm|qu|s|t|z)|-py(?:fs|req|arch|exec|clientexec)"
    "|--py(?:Files|Requirements|Archives|Executable|ClientExecutable)"
)
_IGNORED: Final = re.compile("-d|--detached|-q|--sysoutLogging|-sae|-v|--verbose|-yd")


class FlinkRun(FrozenRecord, frozen=True, kw_only=True):
    """The job's settings in a command line of ``flink run``."""

    target: str
    """The jar, or the script of ``-py``."""
    args: tuple[str, ...] = ()
    main_class: str | None = None
    parallelism: int | None = None
    savepoint: str | None = None
    allow_non_restored: bool = False
    classpath: tuple[str, ...] = ()
    configuration: tuple[tuple[str, str], ...] = ()


def is_flink_run(words: Sequence[str]) -> bool:
    """Whether words begin as ``flink run``, with any path before ``flink``."""
    return len(words) > 1 and PurePath(words[0]).name == "flink" and words[1] in _ACTIONS


class _Line:
    """The flags that were read so far, and the words that are left."""

    def __init__(self, words: Sequence[str]) -> None:
        self.rest = list(words)
        self.found: dict[str, str] = {}
        self.classpath: list[str] = []
        self.options: list[tuple[str, str]] = []
        self.lax = False

    def take(self, flag: str) -> None:
        """Read one flag and its value."""
        if flag in _READ:
            self.found[_READ[flag]] = _value(flag, self.rest)
        elif flag in {"-C", "--classpath"}:
            self.classpath.append(_value(flag, self.rest).removeprefix("file://"))
        elif flag in {"-n", "--allowNonRestoredState"}:
            self.lax = True
        elif flag.startswith(("-D", "-yD")):
            text = flag.partition("D")[2]
            self.options.append(_option(text or _value(flag, self.rest)))
        elif _IGNORED_VALUES.fullmatch(flag):
            _value(flag, self.rest)
        elif not _IGNORED.fullmatch(flag):
            msg = (
                f"{quoted(flag)} is no flag of flink run that is known; read are "
                f"{listed([*_READ, '-n', '-C', '-D'])}"
            )
            raise UsageError(msg)


def read_flink_run(words: Sequence[str]) -> FlinkRun:
    """Read the words after ``--``; raises ``UsageError`` for a flag that is not known."""
    line = _Line(words[2:])
    while line.rest and line.rest[0].startswith("-"):
        line.take(line.rest.pop(0))
    found = line.found
    target = found.get("script") or (line.rest.pop(0) if line.rest else "")
    if not target:
        msg = "flink run names no jar: write flink run [flags] JAR [arguments]"
        raise UsageError(msg)
    width = found.get("parallelism")
    if width is not None and not (width.isdecimal() and int(width)):
        msg = f"{quoted(width)} is no parallelism: it is a whole number from 1 on"
        raise UsageError(msg)
    return FlinkRun(
        target=target,
        args=tuple(line.rest),
        main_class=found.get("main_class"),
        parallelism=None if width is None else int(width),
        savepoint=found.get("savepoint"),
        allow_non_restored=line.lax,
        classpath=tuple(line.classpath),
        configuration=tuple(line.options),
    )


def _value(flag: str, rest: list[str]) -> str:
    if not rest:
        msg = f"the flag {flag} of flink run needs a value"
        raise UsageError(msg)
    return rest.pop(0)


def _option(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        msg = f"{quoted(text)} is no option: write -D KEY=VALUE"
        raise UsageError(msg)
    return key.strip(), value.strip()


def apply_flink_run(args: argparse.Namespace) -> None:
    """Set a command's arguments as the line of ``flink run`` after ``--``.

    Without such a line the words after ``--`` are the program's own arguments. What the command
    itself sets wins.
    """
    if not is_flink_run(args.passed_on):
        return
    run = read_flink_run(args.passed_on)
    args.new = args.new or run.target
    args.passed_on = list(run.args)
    args.main_class = args.main_class or run.main_class
    args.parallelism = args.parallelism or run.parallelism
    args.savepoint = args.savepoint or run.savepoint
    args.allow_non_restored = args.allow_non_restored or run.allow_non_restored
    args.classpath = [*args.classpath, *run.classpath]
    args.config = [*run.configuration, *args.config]
