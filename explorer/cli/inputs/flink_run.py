"""A command line of ``flink run``, as a deploy script has it.

Mirrors ``CliFrontendParser``, ``ProgramOptions`` and the custom command lines of a release. The
options of YARN are those that Flink's documentation lists: ``FlinkYarnSessionCli`` needs Hadoop.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Final

from explorer.cli.inputs.commons_cli import UNLIMITED, CliLine, CliOption, parse_line
from explorer.deployment.cluster_options import JOB_MANAGER_SIZE, TASK_MANAGER_SIZE
from explorer.errors import ExplorerError
from explorer.flink import releases
from explorer.flink.declared_options import declared_options
from explorer.flink.option_values import whole
from explorer.flink.releases import Release
from explorer.model.frozen import FrozenRecord
from explorer.wording import listed, quoted

_ACTIONS: Final = ("run", "run-application")
_RUN: Final = (
    CliOption("h", "help"),
    CliOption("v", "verbose"),
    CliOption("j", "jarfile", 1),
    CliOption("c", "class", 1),
    CliOption("C", "classpath", 1),
    CliOption("p", "parallelism", 1),
    CliOption("a", "arguments", UNLIMITED),
    CliOption("q", "sysoutLogging"),
    CliOption("d", "detached"),
    CliOption("sae", "shutdownOnAttachedExit"),
    CliOption("py", "python", 1),
    CliOption("pyfs", "pyFiles", 1),
    CliOption("pym", "pyModule", 1),
    CliOption("pyreq", "pyRequirements", 1),
    CliOption("pyarch", "pyArchives", 1),
    CliOption("pyexec", "pyExecutable", 1),
    CliOption("pyclientexec", "pyClientExecutable", 1),
    CliOption("pypath", "pyPythonPath", 1),
    CliOption("s", "fromSavepoint", 1),
    CliOption("n", "allowNonRestoredState"),
    CliOption("cm", "claimMode", 1),
    CliOption("rm", "restoreMode", 1),
    CliOption("m", "jobmanager", 1),
    CliOption("z", "zookeeperNamespace", 1),
    CliOption("e", "executor", 1),
    CliOption("t", "target", 1),
    CliOption("D", "", 2),
)
_YARN: Final = (
    CliOption("yid", "yarnapplicationId", 1),
    CliOption("yqu", "yarnqueue", 1),
    CliOption("yt", "yarnship", 1),
    CliOption("yj", "yarnjar", 1),
    CliOption("yjm", "yarnjobManagerMemory", 1),
    CliOption("ytm", "yarntaskManagerMemory", 1),
    CliOption("ys", "yarnslots", 1),
    CliOption("ynm", "yarnname", 1),
    CliOption("yat", "yarnapplicationType", 1),
    CliOption("yz", "yarnzookeeperNamespace", 1),
    CliOption("ynl", "yarnnodeLabel", 1),
    CliOption("yq", "yarnquery"),
    CliOption("yh", "yarnhelp"),
    CliOption("yd", "yarndetached"),
    CliOption("yn", "yarncontainer", 1),
    CliOption("yD", "", 2),
)
_ON_YARN: Final = "yarn-cluster"
_CONTAINERS: Final = {"yjm": JOB_MANAGER_SIZE, "ytm": TASK_MANAGER_SIZE}
"""By option of YARN, the option of Flink that it sets; a number without a unit is mebibytes."""
_SLOTS: Final = "taskmanager.numberOfTaskSlots"
_CLAIM_MODES: Final = ("execution.savepoint-restore-mode", "execution.state-recovery.claim-mode")
_URL: Final = re.compile(r"(file|https?|ftp|jar):.*")


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
    notes: tuple[str, ...] = ()
    """What has no effect, and how YARN sizes containers, a sentence each."""


def is_flink_run(words: Sequence[str]) -> bool:
    """Whether words begin as ``flink run``, with any path before ``flink``."""
    return len(words) > 1 and PurePath(words[0]).name == "flink" and words[1] in _ACTIONS


def run_options(release: Release) -> tuple[CliOption, ...]:
    """The options of ``flink run`` in a release."""
    absent = set(release.absent_run_options)
    return tuple(option for option in (*_RUN, *_YARN) if option.short not in absent)


def read_flink_run(words: Sequence[str], flink_version: str = releases.LATEST) -> FlinkRun:
    """Read the words after ``--`` as the release does.

    Raises ``ExplorerError`` with Flink's sentence where it refuses the line.
    """
    release = releases.release(flink_version)
    line = parse_line(words[2:], run_options(release))
    # In the order in which ``ProgramOptions`` checks them, the jar at last.
    classpath = tuple(map(_class_path, line.all_values("C")))
    parallelism = _parallelism(line, release)
    _check_claim_mode(line, release)
    target, args = _program(line, release)
    return FlinkRun(
        target=target,
        args=args,
        main_class=line.value("c"),
        parallelism=parallelism,
        savepoint=line.value("s"),
        allow_non_restored=line.has("s") and line.has("n"),
        classpath=classpath,
        configuration=tuple(_configuration(line).items()),
        notes=tuple(_notes(line)),
    )


def _program(line: CliLine, release: Release) -> tuple[str, tuple[str, ...]]:
    """The jar or script, and the program's own arguments."""
    if line.has("pym"):
        msg = "-pym names a Python module, which cannot be captured: name a script with -py FILE"
        raise ExplorerError(msg)
    words = line.all_values("a") if line.has("a") else line.words
    named = line.value("py") or line.value("j")
    target, args = (named, words) if named else ("".join(words[:1]), words[1:])
    if not target:
        msg = "flink run names no jar: write flink run [options] JAR [arguments]"
        raise ExplorerError(msg)
    if not named and target.startswith("-"):
        raise ExplorerError(_no_option(target, release))
    return target, tuple(args)


def _no_option(word: str, release: Release) -> str:
    """The message for a word that is no option, which Flink then uses as the jar."""
    name = word.lstrip("-").partition("=")[0]
    versions_with_option = [
        version
        for version in releases.VERSIONS
        if any(
            name in {option.short, option.long} for option in run_options(releases.release(version))
        )
    ]
    place = (
        f" (Flink {releases.spans(versions_with_option)} has it)" if versions_with_option else ""
    )
    if release.version in versions_with_option:
        place = f"; write its value as a word of its own: -{name} VALUE"
    return (
        f"{quoted(word)} is no option of flink run in Flink {release.version}{place}: Flink takes "
        f"it for the jar and ends with 'JAR file does not exist: {word}'"
    )


def _parallelism(line: CliLine, release: Release) -> int | None:
    text = line.value("p")
    if text is None:
        return None
    try:
        number = whole(text)
    except ValueError:
        number = 0
    if number == -1 and release.default_run_parallelism:
        return None
    if number < 1:
        msg = f"The parallelism must be a positive number: {text}"
        raise ExplorerError(msg)
    return number


def _class_path(text: str) -> str:
    if not _URL.fullmatch(text):
        msg = f"Bad syntax for classpath: {text}"
        raise ExplorerError(msg)
    return text.removeprefix("file://").removeprefix("file:")


def _check_claim_mode(line: CliLine, release: Release) -> None:
    text = line.value("cm") or line.value("rm")
    options = declared_options(release.version)
    option = next((options[key] for key in _CLAIM_MODES if key in options), None)
    if text is None or option is None or not line.has("s") or text.upper() in option.constants:
        return
    constants = ", ".join(option.constants)
    enum = option.type.removeprefix("enum ")
    msg = f"Could not parse value for enum class {enum}. Expected one of: [[{constants}]]"
    raise ExplorerError(msg)


def _is_on_yarn(line: CliLine) -> bool:
    """Whether ``FlinkYarnSessionCli`` is the active one: ``GenericCLI`` comes before it."""
    if line.has("t") or line.has("e"):
        return False
    return line.value("m") == _ON_YARN or line.has("yid")


def _configuration(line: CliLine) -> Mapping[str, str]:
    options = dict(line.properties("D"))
    if not _is_on_yarn(line):
        return options
    options |= line.properties("yD")
    for short, key in _CONTAINERS.items():
        if (size := line.value(short)) is not None:
            options[key] = f"{size}m" if size.isdecimal() else size
    if (slots := line.value("ys")) is not None:
        options[_SLOTS] = slots
    return options


def _notes(line: CliLine) -> Iterator[str]:
    yarn = [f"-{name}" for name, _ in line.options if name in {option.short for option in _YARN}]
    if yarn and not _is_on_yarn(line):
        yield f"{listed(yarn)}: no effect without -m {_ON_YARN}, or with -t or -e."
    elif line.has("yn"):
        yield "-yn: no effect, since YARN starts as many containers as the slots need."
    if _is_on_yarn(line) and any(line.has(short) for short in _CONTAINERS):
        yield (
            "YARN rounds containers up to a multiple of yarn.scheduler.minimum-allocation-mb, "
            "which is 1024 unless the cluster sets it."
        )
    if line.has("n") and not line.has("s"):
        yield "-n: no effect without -s."


def apply_flink_run(args: argparse.Namespace) -> None:
    """Set a command's arguments as the line of ``flink run`` after ``--``.

    Without such a line the words after ``--`` are the program's own arguments. What the command
    itself sets wins.
    """
    if not is_flink_run(args.passed_on):
        return
    run = read_flink_run(args.passed_on, args.flink or _release_of_jar(args.passed_on))
    sys.stderr.writelines(f"note: {note}\n" for note in run.notes)
    args.new = args.new or run.target
    args.passed_on = list(run.args)
    args.main_class = args.main_class or run.main_class
    args.parallelism = args.parallelism or run.parallelism
    args.savepoint = args.savepoint or run.savepoint
    args.allow_non_restored = args.allow_non_restored or run.allow_non_restored
    args.classpath = [*args.classpath, *run.classpath]
    args.config = [*run.configuration, *args.config]


def _release_of_jar(words: Sequence[str]) -> str:
    """The release that the line's jar was built for, by which the line is parsed."""
    from explorer.capture.jar.built_for import release_of_jar

    jar = next((Path(word) for word in words if word.endswith(".jar")), None)
    release = release_of_jar(jar) if jar is not None and jar.is_file() else None
    return release if release in releases.VERSIONS else releases.LATEST
