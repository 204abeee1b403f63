"""The record of a command, and what commands share: arguments, reading, printing a result."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from explorer.cli.inputs.target_arguments import old_target_options
from explorer.documents import data_folder, document_texts
from explorer.documents.text.writing import write_file
from explorer.drawing.view.one_line import one_line
from explorer.errors import STEERING, ExplorerError
from explorer.flink.releases import VERSIONS
from explorer.model.document import Document
from explorer.targets.target_options import DEFAULTS, TargetOptions
from explorer.wording import quoted

if TYPE_CHECKING:
    from explorer.comparison.baseline import Baseline
    from explorer.explain.flink_check import FlinkCheck
    from explorer.flink.compiler import Compilation
    from explorer.targets.target import Target

T = TypeVar("T")
Argument = Callable[[Any], object]
"""Adds one argument or some to a parser, or to a group of one."""
Run = Callable[[argparse.Namespace], int | None]
"""Does a command's work and gives the exit code, None for 0; raises ``ExplorerError``."""


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """One command: its name, its arguments and its function."""

    name: str
    """Its key in ``COMMANDS``, which has its purpose."""
    arguments: tuple[Argument, ...]
    run: Run
    usage: str | None = None
    """The usage line; None: argparse writes it."""


def command(name: str, *arguments: Argument, usage: str | None = None) -> Callable[[Run], Command]:
    """Decorate a function as a command."""
    return lambda run: Command(name=name, arguments=arguments, run=run, usage=usage)


def argument(*names: str, **reported: Any) -> Argument:
    """An argument, described as ``ArgumentParser.add_argument`` is."""
    return lambda parser: parser.add_argument(*names, **reported)


def together(*arguments: Argument) -> Argument:
    """Several arguments as one."""

    def add(parser: Any) -> None:
        for add_argument in arguments:
            add_argument(parser)

    return add


def either(*arguments: Argument, required: bool = False) -> Argument:
    """Exclusive arguments: at most one of them; exactly one if ``required``."""

    def add(parser: argparse.ArgumentParser) -> None:
        group = parser.add_mutually_exclusive_group(required=required)
        for one in arguments:
            one(group)

    return add


def formats(*names: str, of: str = "the result") -> Argument:
    """``--format`` with these names, the first one by default; ``--json`` is short for json."""
    words = f"the format of {of}; default: {names[0]}"
    listing = argument("--format", choices=names, default=names[0], help=words)
    if "json" not in names:
        return listing
    short = argument(
        "--json", dest="format", action="store_const", const="json", help="like --format json"
    )
    return together(listing, short)


FORMAT: Final = formats("text", "json")


def document_argument(name: str) -> Argument:
    """A document: a path, ``-`` for standard input, or a program or job that is captured."""
    return argument(
        name,
        metavar=name.upper(),
        help="a document (YAML, JSON), - for stdin, a .jar, .sql or .py, with --class a class "
        "path, a FlinkDeployment or a FlinkSessionJob, a job's address, or git:REVISION:PATH; "
        "arguments after -- go to the program",
    )


RELEASE: Final = argument(
    "--flink",
    metavar="RELEASE",
    help=f"the Flink release, {VERSIONS[0]} to {VERSIONS[-1]}; default: the document's own, "
    "else the newest",
)
FROM_FLINK: Final = argument(
    "--from-flink",
    metavar="RELEASE",
    help="the Flink release of OLD, also with its patch level as 1.20.1; default: the one that OLD "
    "names, else that of --flink or of NEW",
)
DATA: Final = argument(
    "--data-dir",
    metavar="DIR",
    help="the folder of the files in rows.path, for a trial also a URL such as hdfs://HOST/DIR; "
    "default: the folder data next to the document, else the document's folder",
)


def repeated(*names: str, **reported: Any) -> Argument:
    """An option that may be given as often as needed; the values are a list."""
    return argument(*names, action="append", default=[], **reported)


_SHOWN: Final = 200
"""Characters of an argument that a message repeats."""


def reader(read: Callable[[str], T], problem: str) -> Callable[[str], T]:
    """Make a type for argparse: ``problem`` describes a text that ``read`` cannot read.

    argparse prints the message of an ``ArgumentTypeError``, and only the type name of other errors.
    """

    def checked(text: str) -> T:
        try:
            return read(text)
        except (ValueError, OverflowError):
            msg = f"{quoted(text, _SHOWN)} {problem}"
            raise argparse.ArgumentTypeError(msg) from None

    return checked


def whole(refusal: str, maximum: float = float("inf")) -> Callable[[str], int]:
    """Make a type for whole numbers from 1 on; ``refusal`` describes a bad text."""

    def read(text: str) -> int:
        if not text.isdecimal() or not 0 < int(text) <= maximum:
            raise ValueError(text)
        return int(text)

    return reader(read, f"is {refusal}")


def _key_and_value(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise ValueError(text)
    return key.strip(), value.strip()


_NO_OPTION: Final = "is no option: write KEY=VALUE, as taskmanager.numberOfTaskSlots=4"
_PARALLELISM: Final = whole("no parallelism: it is a whole number from 1 on")


def options_argument(name: str, words: str) -> Argument:
    """A repeatable Flink option, ``KEY=VALUE``; ``words`` are its help."""
    return settings_argument(name, words, _NO_OPTION)


def settings_argument(
    name: str, words: str, problem: str, *more: str, metavar: str = "KEY=VALUE"
) -> Argument:
    """A repeatable ``KEY=VALUE``; ``problem`` describes a bad text, ``more``: names."""
    pair = reader(_key_and_value, problem)
    return repeated(name, *more, metavar=metavar, type=pair, help=words)


ALLOW_NON_RESTORED: Final = argument(
    "--allow-non-restored",
    action="store_true",
    help="like Flink's --allowNonRestoredState: drop state that belongs to no operator",
)
ACCEPT_UNCHECKED: Final = argument(
    "--accept-unchecked",
    action="store_true",
    help="exit with 0 where nothing is refused and not everything could be checked",
)
MATCHES: Final = repeated(
    "--match",
    metavar="OLD=NEW",
    type=reader(_key_and_value, "is no match: write OLD=NEW, each an operator ID, uid, id or name"),
    help="match an operator of OLD to one of NEW, each by operator ID, uid, id or name; may be "
    "repeated",
)
"""Matches that the user chooses: pairs of names."""


def grouped(title: str, *arguments: Argument) -> Argument:
    """Rare arguments: the help lists them below a title after all others, the usage does not."""

    def add(parser: argparse.ArgumentParser) -> None:
        together(*arguments)(parser.add_argument_group(title))

    return add


_NO_ARTIFACT: Final = (
    "is no artifact: write URI=PATH, as local:///opt/flink/usrlib/job.jar=target/job.jar"
)


def _artifact_argument(name: str, words: str) -> Argument:
    return settings_argument(name, words, _NO_ARTIFACT, metavar="URI=PATH")


ARTIFACTS: Final = together(
    _artifact_argument("--artifact", "the local path of a file that a Kubernetes resource names"),
    argument("--artifacts", metavar="DIR", help="a folder with such files, found by their names"),
)
JOB: Final = argument("--job", metavar="NAME", help="the job to read, by name or number")
OLD_TARGET: Final = grouped(
    "the old side",
    _artifact_argument("--old-artifact", "like --artifact, for OLD; default: those of NEW"),
    argument("--old-artifacts", metavar="DIR", help="like --artifacts, for OLD; default: NEW's"),
    argument("--old-class", metavar="NAME", help="OLD's main class; default: that of NEW"),
    argument("--old-parallelism", metavar="N", type=_PARALLELISM, help="OLD's parallelism"),
    settings_argument("--old-option", "an option of OLD's alone; may be repeated", _NO_OPTION),
    FROM_FLINK,
)
PYTHON: Final = argument("--python", metavar="EXE", help="the interpreter that has apache-flink")
PROGRAM: Final = together(
    argument("-c", "--class", dest="main_class", metavar="NAME", help="the main class of a jar"),
    argument(
        "-p",
        "--parallelism",
        metavar="N",
        type=_PARALLELISM,
        help="the parallelism of the program; with OLD and NEW, of NEW only",
    ),
    repeated("-C", "--classpath", metavar="JAR", help="a further jar; may be repeated"),
    settings_argument(
        "-D",
        "a Flink option, which overrides all other sources; with OLD and NEW, of NEW only; may be "
        "repeated",
        _NO_OPTION,
        "--config",
    ),
    argument("--flink-lib", metavar="DIR", help="the folder of the release's jars"),
    PYTHON,
)
"""How a program is captured, by the names that ``flink run`` has for it."""
CONF: Final = argument(
    "--conf",
    dest="conf_folder",
    metavar="DIR",
    help="a Flink configuration folder, with config.yaml or flink-conf.yaml; also used for OLD",
)
SANDBOX: Final = together(
    argument(
        "--with-network",
        action="store_true",
        help="leave the network reachable for the program, as some catalogs need",
    ),
    argument(
        "--allow-read",
        action="append",
        metavar="PATH",
        help="let the program read this file or folder, too; repeatable",
    ),
    argument(
        "--without-sandbox",
        action="store_true",
        help="run the program as any other process, with all files and variables of this user",
    ),
)
"""What a captured or rehearsed program may reach."""
USE: Final = together(
    argument(
        "--only-open",
        action="store_true",
        help="only open the restored state: process no records, fire no timers, take no checkpoint",
    ),
    argument(
        "--records",
        metavar="FILE",
        help="records to use the restored state with, JSON lines of an operator (uid, name or ID) "
        "and a record; default: records of the saved keys, made by the types of their fields",
    ),
)
"""What a rehearsal does with the state that it restored."""
TARGET: Final = grouped("programs, resources and clusters", ARTIFACTS, JOB, PROGRAM, CONF, SANDBOX)
"""How a FILE becomes a document."""
FILE: Final = together(document_argument("file"), TARGET)
NEW: Final = together(document_argument("new"), TARGET, OLD_TARGET)
DOCUMENT: Final = (FILE, RELEASE)
"""What to compile."""


def document_at(path: str, options: TargetOptions = DEFAULTS) -> Document:
    """Read the document, or capture the program, the job or the resource; ``-`` is stdin.

    Assumptions are printed to standard error. Raises ``ExplorerError``, with the operator's words
    for a resource that the Kubernetes operator refuses.
    """
    return target_at(path, options).document


def target_at(path: str, options: TargetOptions = DEFAULTS) -> "Target":
    """What ``document_at`` reads, with the job of a Kubernetes resource."""
    from explorer.targets.target import load_target, refuse_job

    target = load_target(path, options)
    refuse_job(target)
    warn(target.notes)
    return target


def baseline_at(path: str, options: TargetOptions = DEFAULTS) -> "Baseline":
    """Read a savepoint, or what ``document_at`` accepts; ``-`` is standard input.

    The release of the options wins over its own.
    """
    from explorer.comparison.baseline import Baseline, pin_release
    from explorer.targets.source import open_source
    from explorer.targets.target import read_old, refuse_job

    with open_source(path, options) as source:
        target = read_old(source, options)
    if isinstance(target, Baseline):
        baseline = target
    else:
        refuse_job(target)
        warn(target.notes)
        baseline = Baseline(name=target.name, document=target.document)
    baseline = msgspec.structs.replace(baseline, configuration=options.configuration)
    return pin_release(baseline, options.release, replace=True) if options.release else baseline


def chosen_baseline(args: argparse.Namespace, document: Document) -> "Baseline | None":
    """The baseline of ``--baseline``, else the document's own; checks ``--match`` against it."""
    from explorer.comparison.baseline import baseline_of, pin_release
    from explorer.comparison.chosen_matches import check_baseline

    if args.baseline is None:
        baseline = baseline_of(document)
        if baseline is not None and args.from_flink:
            baseline = pin_release(baseline, args.from_flink, replace=True)
    else:
        options = old_target_options(args, args.baseline, args.file, document.flink)
        baseline = baseline_at(args.baseline, options)
    check_baseline(baseline, dict(args.match))
    return baseline


def folder_of(args: argparse.Namespace) -> Path:
    """The named folder of rows, else the document's own."""
    return Path(args.data_dir) if args.data_dir else data_folder(Path(args.file))


@contextmanager
def naming_data_folder(args: argparse.Namespace) -> Iterator[None]:
    """Within it, a file that is missing is named with the folder of rows and its option."""
    try:
        yield
    except ExplorerError as error:
        from explorer.engine.rows.errors import MissingFileError

        if not isinstance(error, MissingFileError):
            raise
        folder = args.data_dir or folder_of(args)
        msg = f"{error}. The data directory is {quoted(str(folder), 200)}; --data-dir names another"
        raise MissingFileError(msg) from None


def write_document(document: Document, path: str) -> None:
    """Write a document in the form that the file's ending names, JSON where it names none."""
    texts = document_texts(document)
    ending = Path(path).suffix.lower().replace(".yml", ".yaml").removeprefix(".")
    write_file(Path(path), texts.get(ending, texts["json"])())


def print_json(value: Any) -> None:
    """Print a value as indented JSON, names as they are."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2)
    sys.stdout.write(text.decode() + "\n")


def print_text(text: str) -> None:
    """Print lines of text, without control sequences of a terminal."""
    sys.stdout.write(STEERING.sub("\ufffd", text.rstrip("\n")) + "\n")


def print_found(
    args: argparse.Namespace, members: Callable[[], Any], text: Callable[[], str]
) -> None:
    """Print a result: its members as JSON, otherwise its text."""
    if args.format == "json":
        print_json(members())
    else:
        print_text(text())


def warn(sentences: tuple[str, ...]) -> None:
    """Print warnings on standard error, a line each."""
    for sentence in sentences:
        sys.stderr.write(f"warning: {one_line(sentence)}\n")


def note_scheduler(compilation: "Compilation") -> None:
    """Print to standard error which of the two JobGraphs of a BATCH job (2.0 on) is shown."""
    from explorer.running.adaptive import run_time_decisions, scheduler_note

    if note := scheduler_note(compilation):
        for sentence in (note, *run_time_decisions(compilation)):
            sys.stderr.write(f"note: {one_line(sentence)}\n")


def say_check(check: "FlinkCheck | None") -> None:
    """Print to standard error whether a captured program is translated as Flink does."""
    if check is not None:
        sys.stderr.write(f"{one_line(check.sentence)}\n")
