"""What a command is, and what all commands share: their arguments, reading, writing a result."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from explorer.documents import (
    MAX_BYTES,
    data_folder,
    document_texts,
    load_document,
    parse_document,
)
from explorer.drawing.one_line import one_line
from explorer.errors import STEERING
from explorer.flink.releases import VERSIONS
from explorer.model.document import Document
from explorer.wording import quoted

if TYPE_CHECKING:
    from explorer.analysis.baseline import Baseline
    from explorer.analysis.flink_check import FlinkCheck
    from explorer.flink.compiler import Compilation

T = TypeVar("T")
_PROGRAMS: Final = (".jar", ".sql", ".py")
"""Endings of the programs that can be captured."""
Argument = Callable[[Any], object]
"""Adds one argument or some to a parser, or to a group of one."""
Run = Callable[[argparse.Namespace], int | None]
"""Does a command's work and gives the exit code, None for 0; raises ``ExplorerError``."""


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """One command: its name, what it does in a sentence, its arguments, its work."""

    name: str
    does: str
    arguments: tuple[Argument, ...]
    run: Run
    usage: str | None = None
    """Of a command that starts a program: what follows ``--`` belongs to that, as ``passed_on``."""


def command(
    name: str, does: str, *arguments: Argument, usage: str | None = None
) -> Callable[[Run], Command]:
    """Makes a command of the function below it, which does the work."""
    return lambda run: Command(name=name, does=does, arguments=arguments, run=run, usage=usage)


def argument(*names: str, **told: Any) -> Argument:
    """An argument, told as ``ArgumentParser.add_argument`` is."""
    return lambda parser: parser.add_argument(*names, **told)


def either(*arguments: Argument, required: bool = False) -> Argument:
    """At most one of these; exactly one where one is ``required``."""

    def add(parser: argparse.ArgumentParser) -> None:
        group = parser.add_mutually_exclusive_group(required=required)
        for one in arguments:
            one(group)

    return add


def document_argument(name: str) -> Argument:
    """A document: a path, ``-`` for standard input, or a program or job that is captured."""
    return argument(
        name,
        metavar=name.upper(),
        help="a document (YAML, JSON), - for stdin, a .jar, .sql or .py, or a job's address",
    )


FILE: Final = document_argument("file")
NEW: Final = document_argument("new")
RELEASE: Final = argument(
    "--flink",
    metavar="RELEASE",
    help=f"the Flink release, {VERSIONS[0]} to {VERSIONS[-1]}; default: the document's own, "
    "else the newest",
)
DOCUMENT: Final = (FILE, RELEASE)
"""What to compile."""
JSON: Final = argument("--json", action="store_true", help="print JSON")
DATA: Final = argument(
    "--data-dir",
    metavar="DIR",
    help="where rows.path is looked for, in a trial a URL too, such as hdfs://HOST/DIR; default: "
    "data beside the document, else its folder",
)


def repeated(name: str, **told: Any) -> Argument:
    """An option that may be given as often as needed; the values are a list."""
    return argument(name, action="append", default=[], **told)


_SHOWN: Final = 200
"""Characters of an argument that a message repeats."""


def reader(read: Callable[[str], T], problem: str) -> Callable[[str], T]:
    """Reads an argument; of one that is a ``ValueError`` to ``read``, ``problem`` says what it is.

    argparse prints what an ``ArgumentTypeError`` says, and of any other error only the type's name.
    """

    def checked(text: str) -> T:
        try:
            return read(text)
        except (ValueError, OverflowError):
            msg = f"{quoted(text, _SHOWN)} {problem}"
            raise argparse.ArgumentTypeError(msg) from None

    return checked


def whole(refusal: str, most: float = float("inf")) -> Callable[[str], int]:
    """Reads a whole number from 1 on; ``refusal`` says what another text is not."""

    def read(text: str) -> int:
        if not text.isdecimal() or not 0 < int(text) <= most:
            raise ValueError(text)
        return int(text)

    return reader(read, f"is {refusal}")


def _key_and_value(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise ValueError(text)
    return key.strip(), value.strip()


def options_argument(name: str, words: str) -> Argument:
    """Options of Flink's, each ``KEY=VALUE``, as often as needed; ``words`` are its help."""
    problem = "is no option: write KEY=VALUE, as taskmanager.numberOfTaskSlots=4"
    return settings_argument(name, words, problem)


def settings_argument(name: str, words: str, problem: str) -> Argument:
    """A repeatable ``KEY=VALUE``; ``problem`` says what another text is not."""
    return repeated(name, metavar="KEY=VALUE", type=reader(_key_and_value, problem), help=words)


MATCHES: Final = repeated(
    "--match",
    metavar="OLD=NEW",
    type=reader(_key_and_value, "is no match: write OLD=NEW, each an operator ID, uid, id or name"),
    help="the new operator that an old one is: operator IDs, uids, ids or names; may be repeated",
)
"""Matches that the user chooses: pairs of names."""


def stdin_bytes(most: int) -> bytes:
    """Standard input, to one byte beyond ``most``; nothing where it was closed."""
    return b"" if sys.stdin is None else sys.stdin.buffer.read(most + 1)


def is_target(path: str) -> bool:
    """Whether a FILE names a program or a cluster's job, not a document."""
    return "://" in path or Path(path).suffix.lower() in _PROGRAMS


def document_at(path: str, release: str | None = None) -> Document:
    """Read the document, or capture the program or the job; ``-`` is standard input.

    ``release``: the Flink that captures a program; default: the one that it was built for.
    """
    if is_target(path):
        from explorer.cli.targets import document_of_target

        return document_of_target(path, release)
    return parse_document(stdin_bytes(MAX_BYTES)) if path == "-" else load_document(Path(path))


def baseline_at(path: str, release: str | None = None, otherwise: str | None = None) -> "Baseline":
    """Read a savepoint, a document, a program or a job; ``-`` is standard input.

    ``release``: the Flink that captures a program; ``otherwise``: where a jar names none.
    """
    from explorer.analysis.baseline import Baseline
    from explorer.analysis.restore import old_side
    from explorer.savepoints.loading import MAX_METADATA, is_metadata

    if is_target(path):
        from explorer.cli.targets import document_of_target

        return Baseline(name=path, document=document_of_target(path, release, otherwise))
    if path != "-":
        return old_side(path)
    content = stdin_bytes(MAX_METADATA)
    if is_metadata(content):
        return old_side(content)
    return Baseline(name="standard input", document=parse_document(content))


def folder_of(args: argparse.Namespace) -> Path:
    """The folder of rows that was named, else the one beside the document."""
    return Path(args.data_dir) if args.data_dir else data_folder(Path(args.file))


def write_document(document: Document, path: str) -> None:
    """Write a document in the form that the file's ending names, JSON where it names none."""
    texts = document_texts(document)
    ending = Path(path).suffix.lower().replace(".yml", ".yaml").removeprefix(".")
    Path(path).write_text(texts.get(ending, texts["json"])(), encoding="utf-8")


def print_json(value: Any) -> None:
    """Print a value as indented JSON, names as they are."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2)
    sys.stdout.write(text.decode() + "\n")


def print_text(text: str) -> None:
    """Print lines of text, without what would steer a terminal."""
    sys.stdout.write(STEERING.sub("\ufffd", text.rstrip("\n")) + "\n")


def print_found(
    args: argparse.Namespace, members: Callable[[], Any], text: Callable[[], str]
) -> None:
    """Print what was found: its members where JSON was asked for, else its text."""
    if args.json:
        print_json(members())
    else:
        print_text(text())


def warn(sentences: tuple[str, ...]) -> None:
    """Print warnings on standard error, a line each."""
    for sentence in sentences:
        sys.stderr.write(f"warning: {one_line(sentence)}\n")


def note_scheduler(done: "Compilation") -> None:
    """Say on standard error which of its two JobGraphs a BATCH job is shown with from 2.0 on."""
    from explorer.analysis.adaptive import run_time_decisions, scheduler_note

    if note := scheduler_note(done):
        for sentence in (note, *run_time_decisions(done)):
            sys.stderr.write(f"note: {one_line(sentence)}\n")


def say_check(check: "FlinkCheck | None") -> None:
    """Say on standard error whether a captured program is translated as Flink does."""
    if check is not None:
        sys.stderr.write(f"{one_line(check.sentence)}\n")
