"""What a command is, and what all commands share: reading a document, writing a result."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from explorer.analysis.baseline import Baseline
from explorer.analysis.flink_check import FlinkCheck
from explorer.analysis.restore import old_side
from explorer.documents import MAX_BYTES, document_texts, load_document, parse_document
from explorer.drawing.one_line import one_line
from explorer.errors import STEERING
from explorer.flink.releases import VERSIONS
from explorer.model.document import Document
from explorer.savepoints.loading import MAX_METADATA, is_metadata


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """One command: its name, what it does in a sentence, its arguments, its work."""

    name: str
    does: str
    arguments: tuple[Callable[[argparse.ArgumentParser], None], ...]
    """Each adds one or some to the command's parser."""
    run: Callable[[argparse.Namespace], int]
    """Does the work and gives the exit code; raises ``ExplorerError``."""
    passes_on: bool = False
    """Whether what follows ``--`` belongs to a program that it starts, as ``passed_on``."""


def file_argument(parser: argparse.ArgumentParser, name: str = "file") -> None:
    """A document: a path, or ``-`` for standard input."""
    parser.add_argument(name, metavar=name.upper(), help="a document (YAML, JSON), or - for stdin")


def release_argument(parser: argparse.ArgumentParser) -> None:
    """The Flink release whose rules apply."""
    parser.add_argument(
        "--flink",
        metavar="RELEASE",
        help=f"the Flink release, {VERSIONS[0]} to {VERSIONS[-1]}; default: the document's own, "
        "else the newest",
    )


def json_argument(parser: argparse.ArgumentParser) -> None:
    """JSON in place of text."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def options_argument(name: str, words: str) -> Callable[[argparse.ArgumentParser], None]:
    """Options of Flink's, each ``KEY=VALUE``, as often as needed; ``words`` are its help."""

    def add(parser: argparse.ArgumentParser) -> None:
        more: dict[str, Any] = {"metavar": "KEY=VALUE", "action": "append", "default": []}
        parser.add_argument(name, type=_key_and_value, help=words, **more)

    return add


def _key_and_value(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        msg = f"{text!r} is no option: write KEY=VALUE, as taskmanager.numberOfTaskSlots=4"
        raise argparse.ArgumentTypeError(msg)
    return key.strip(), value.strip()


def document_at(path: str) -> Document:
    """Read the document; ``-`` is standard input."""
    if path == "-":
        return parse_document(b"" if sys.stdin is None else sys.stdin.buffer.read(MAX_BYTES + 1))
    return load_document(Path(path))


def baseline_at(path: str) -> Baseline:
    """Read what is deployed, a savepoint or a document; ``-`` is standard input."""
    if path != "-":
        return old_side(path)
    content = b"" if sys.stdin is None else sys.stdin.buffer.read(MAX_METADATA + 1)
    if is_metadata(content):
        return old_side(content)
    return Baseline(name="standard input", document=parse_document(content))


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


def say_check(check: FlinkCheck | None) -> None:
    """Say on standard error whether a captured program is translated as Flink does."""
    if check is not None:
        sys.stderr.write(f"{one_line(check.sentence)}\n")
