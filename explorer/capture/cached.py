"""Captured documents in the user's cache, so that a command captures an unchanged program once.

A capture is known by what decides it: the program's bytes, the release, this package's own code.
What a program reads while it runs (files, the environment, a clock) is not part of that: the
command ``capture`` always runs the program.
"""

import hashlib
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from explorer.capture.failures import CaptureError
from explorer.capture.installation import Installation, find_installation
from explorer.capture.jar.built_for import release_of_jar
from explorer.capture.jar.used_api import release_to_start
from explorer.capture.jar_cache import cache_folder, cached_lib_of_release
from explorer.capture.program_files import check_program_files, existing_path
from explorer.capture.stored_captures import (
    BrokenCaptureError,
    store_documents,
    stored_documents,
)
from explorer.documents.readers.compiled_plans import release_of_plan
from explorer.errors import MissingFlinkError
from explorer.flink import releases
from explorer.locations import PROGRAM
from explorer.model.frozen import FrozenRecord
from explorer.wording import quoted

_AGAIN: Final = "the stored capture {file} cannot be read ({why}): the program is captured again\n"
_RELEASE_OF: Final[Mapping[str, Callable[[Path], str | None]]] = {
    ".jar": release_of_jar,
    ".json": release_of_plan,
}
"""By a program's ending, what reads the release that it was built for."""
_MOST_MODULES: Final = 1_000
"""Python modules next to a script that count as parts of it."""
_MOST_CLASSES: Final = 20_000
"""Files of a folder of classes."""


class CaptureOptions(FrozenRecord, frozen=True, kw_only=True):
    """The arguments of ``capture`` that decide its result, the program aside."""

    args: tuple[str, ...] = ()
    main_class: str | None = None
    classpath: tuple[str, ...] = ()
    parallelism: int | None = None
    configuration: Mapping[str, str] = {}
    release: str | None = None
    """The release of the cluster; None: the one that the program was built for."""
    otherwise: str | None = None
    """The release where the program names none and its jars are here; None: the newest."""
    flink_lib: str | None = None
    python: str | None = None
    """The interpreter that has apache-flink."""
    with_network: bool = False
    without_sandbox: bool = False
    allow_read: tuple[str, ...] = ()


class CapturedProgram(NamedTuple):
    """The jobs of a program as documents, and the Flink that captured them."""

    documents: list[dict[str, Any]]
    flink: Installation
    release_assumed: bool
    """Whether that Flink's release is assumed, since nothing names it."""


def captured_program(
    target: str | Path,
    announce: Callable[[Installation], None] | None = None,
    options: CaptureOptions | None = None,
) -> CapturedProgram:
    """The jobs of a .jar, a .sql or a .py, from the cache where they are there.

    ``announce`` is called before the program is captured, with the Flink that is used. Raises
    ``CaptureError`` as ``capture`` does, and ``MissingFlinkError`` where the cluster's release is
    not here.
    """
    options = options or CaptureOptions()
    paths = tuple(existing_path(part) for part in str(target).split(os.pathsep) if part)
    check_program_files((*paths, *map(existing_path, options.classpath)))
    flink = installation_of(Path(target), options)
    is_assumed = is_release_assumed(Path(target), options)
    file = cache_folder().parent / "captures" / f"{_key(paths, flink, options)}.json"
    try:
        if (stored := stored_documents(file)) is not None:
            return CapturedProgram(stored, flink, is_assumed)
    except BrokenCaptureError as error:
        sys.stderr.write(_AGAIN.format(file=file, why=error))
    if announce is not None:
        announce(flink)
    from explorer.capture.programs import capture  # it drives Flink, which a stored one needs not

    documents = capture(
        os.pathsep.join(map(str, paths)),
        options.args,
        flink_lib=flink.folder,
        main_class=options.main_class,
        classpath=options.classpath,
        parallelism=options.parallelism,
        configuration=options.configuration,
        python=options.python,
        with_network=options.with_network,
        without_sandbox=options.without_sandbox,
        allow_read=options.allow_read,
    )
    store_documents(file, documents)
    return CapturedProgram(documents, flink, is_assumed)


def installation_of(path: Path, options: CaptureOptions) -> Installation:
    """The Flink that a program is started with.

    Raises ``MissingFlinkError`` where the cluster's release is not here, and ``CaptureError``.
    """
    if options.release is not None:
        releases.release(options.release)
    if path.suffix.lower() == ".py":
        from explorer.capture.python import pyflink

        python = pyflink.interpreter(options.python)
        installation = pyflink.installation(python, options.flink_lib)
        if options.release is not None and not installation.is_of(options.release):
            msg = (
                f"this needs Flink {options.release}, and {quoted(python)} starts Flink "
                f"{installation.version}: name an interpreter that has apache-flink "
                f"{options.release} with --python EXE"
            )
            raise CaptureError(msg)
        return installation
    program_release = release_of_program(path)
    is_open = (
        path.suffix.lower() == ".jar" and options.release is None and options.otherwise is None
    )
    suitable = release_to_start(path) if is_open else program_release
    installation = find_installation(options.flink_lib, options.release or suitable)
    expected = options.release or (None if program_release else options.otherwise)
    if expected is None or options.flink_lib is not None or installation.is_of(expected):
        return installation
    cached = cached_lib_of_release(expected)
    if cached is not None:
        return find_installation(cached)
    if options.release is not None:
        msg = (
            f"this needs the jars of Flink {options.release}, and here are those of Flink "
            f"{installation.version}: bring them with '{PROGRAM} flink install {options.release}'"
        )
        raise MissingFlinkError(msg, options.release)
    return installation


def release_of_program(path: Path) -> str | None:
    """The release that a jar or a compiled plan was made for; None where it names none."""
    read = _RELEASE_OF.get(path.suffix.lower())
    return None if read is None else read(path)


def is_release_assumed(path: Path, options: CaptureOptions) -> bool:
    """Whether neither the caller nor a jar itself names the release that it is started with.

    A SQL script never names one; a Python script is started with its interpreter's Flink.
    """
    if options.release or options.flink_lib:
        return False
    if os.environ.get("FLINK_HOME") and options.otherwise is None:
        return False
    suffix = path.suffix.lower()
    return suffix == ".sql" or (suffix == ".jar" and release_of_jar(path) is None)


def _key(paths: Sequence[Path], flink: Installation, options: CaptureOptions) -> str:
    """Return the digest of all that decides the capture; ``paths``: program or class path."""
    suffix = paths[0].suffix.lower()
    digest = hashlib.sha256(f"{flink.version} {flink.folder} {suffix}".encode())
    digest.update(json.dumps(msgspec.to_builtins(options), sort_keys=True).encode())
    siblings = sorted(paths[0].parent.glob("*.py"))[:_MOST_MODULES] if suffix == ".py" else ()
    jars = [existing_path(item) for item in options.classpath]
    module_files = sorted(Path(__file__).parent.rglob("*.py"))
    for file in chain(*map(_files, (*paths, *jars)), siblings, module_files):
        digest.update(b"\0" + file.name.encode() + b"\0")
        with file.open("rb") as content:
            digest.update(hashlib.file_digest(content, "sha256").digest())
    return digest.hexdigest()


def _files(path: Path) -> list[Path]:
    """Return the file, or a folder's classes; raises ``CaptureError`` for too many."""
    if not path.is_dir():
        return [path]
    paths = sorted(islice((item for item in path.rglob("*") if item.is_file()), _MOST_CLASSES + 1))
    if len(paths) > _MOST_CLASSES:
        msg = f"the folder {quoted(str(path))} has more than {_MOST_CLASSES:,} files: name a .jar"
        raise CaptureError(msg)
    return paths
