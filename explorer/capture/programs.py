"""Recognises the kind of a program and runs it up to its jobs."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

from explorer.capture.failures import CaptureError
from explorer.capture.installation import Installation, find_installation
from explorer.capture.jar.jars import JavaProgram, run_program
from explorer.capture.jar.main_classes import check_main_class
from explorer.capture.jar.used_api import release_to_start
from explorer.capture.jvm.start_files import archived_start
from explorer.capture.preparing import prepare
from explorer.capture.program_files import check_program_files, existing_path
from explorer.capture.python import pyflink
from explorer.capture.recording.recording_session import Opening, Session, session
from explorer.capture.sql.scripts import run_script
from explorer.capture.sql.sql_plans import warn_of_unread_plans
from explorer.documents import document_values
from explorer.documents.readers.compiled_plans import release_of_plan
from explorer.rest.addresses import is_address
from explorer.sandbox.launching import SandboxRequest
from explorer.sandbox.visible_files import paths_in, paths_in_program
from explorer.wording import quoted, spelled


class CaptureTarget(msgspec.Struct, frozen=True, kw_only=True):
    """What to capture, as it was asked for."""

    target: str
    args: tuple[str, ...]
    flink_lib: str | None
    main_class: str | None
    classpath: tuple[Path, ...]
    configuration: dict[str, str]
    python: str | None
    timeout: float
    allow_ddl: bool = False
    opening: Opening = session
    """Opens the session in which the program runs."""


_IN_PYTHON: Final = re.compile(r"\bLANGUAGE\s+PYTHON\b", re.IGNORECASE)
_NO_OPTIONS: Final[Mapping[str, object]] = {}


def capture(
    target: str | Path,
    args: Sequence[str] = (),
    *,
    flink_lib: str | Path | None = None,
    main_class: str | None = None,
    classpath: Sequence[str | Path] = (),
    parallelism: int | None = None,
    configuration: Mapping[str, object] = _NO_OPTIONS,
    python: str | Path | None = None,
    timeout: float = 60,
    allow_ddl: bool = False,
    with_network: bool = False,
    without_sandbox: bool = False,
    allow_read: Sequence[str | Path] = (),
) -> list[dict[str, Any]]:
    """Documents of the jobs that a program would submit.

    A Java or Python program runs its ``main`` as it is, each ``execute`` returning an ended job
    without rows. Of a SQL script, statements that declare names run in memory, queries are planned
    and recorded, and a statement that would change anything outside this process is refused.

    ``target``: a .jar, a .sql, a .py, the .json of a compiled plan, a class path with
    ``main_class``; or the address of a cluster, for the documents of its running jobs, or of one
    job there, for which nothing is run and the other arguments but ``timeout`` mean nothing.
    ``flink_lib``: the
    folder of the release's jars. ``configuration``: options of Flink's. ``python``: the interpreter
    that has apache-flink. ``timeout``: seconds for the whole program. ``allow_ddl``: let
    a SQL script change catalogs, files and tables, as Flink's SQL client does, for which it runs
    outside the sandbox. ``with_network``: leave the network reachable, which some catalogs need;
    ``without_sandbox``: run the program as any other process, with all that this user can do;
    ``allow_read``: files and folders that it can read apart from those that the call names.

    Raises ``CaptureError`` with the program's own exception where it has no job, and
    ``ClusterError`` where a cluster does not report it.
    """
    if is_address(str(target)):
        # HTTP and TLS take a third of the imports that a program needs to start.
        from explorer.rest.jobs import jobs_at

        return [document_values(job) for job in jobs_at(str(target), timeout=timeout)]
    options = {key: spelled(value) for key, value in configuration.items()}
    if parallelism is not None:
        options["parallelism.default"] = str(parallelism)
    return capture_program(
        CaptureTarget(
            target=str(target),
            args=tuple(args),
            flink_lib=None if flink_lib is None else str(flink_lib),
            main_class=main_class,
            classpath=tuple(existing_path(path) for path in classpath),
            configuration=options,
            python=None if python is None else str(python),
            timeout=timeout,
            allow_ddl=allow_ddl,
            opening=partial(
                session,
                sandbox=SandboxRequest(
                    network=with_network,
                    disabled=without_sandbox or allow_ddl,
                    readable=tuple(existing_path(path) for path in allow_read),
                ),
            ),
        )
    )


def capture_program(program: CaptureTarget) -> list[dict[str, Any]]:
    """Documents of the jobs that a jar, a class path or a script would submit."""
    paths = [Path(part) for part in program.target.split(os.pathsep) if part]
    check_program_files((*paths, *program.classpath))
    kind = Path(program.target).suffix.lower()
    opening = partial(
        program.opening,
        readable=[*paths, *program.classpath, *_named_places(program, paths)],
        around=[path.parent for path in paths],
    )
    program = msgspec.structs.replace(program, opening=opening)
    documents = _KINDS.get(kind, _capture_java)(program)
    warn_of_unread_plans(documents)
    return documents


def _named_places(program: CaptureTarget, paths: Sequence[Path]) -> Iterator[Path]:
    """Yield what arguments, options and a script name, and the interpreter that runs it."""
    yield from paths_in((*program.args, *program.configuration.values()))
    texts = [path for path in paths if path.suffix.lower() in {".sql", ".json"} and path.is_file()]
    script = "".join(path.read_text(encoding="utf-8", errors="replace") for path in texts)
    yield from paths_in_program(script)
    is_python = Path(program.target).suffix.lower() == ".py" or program.python is not None
    if is_python or _IN_PYTHON.search(script):
        yield from pyflink.places(pyflink.interpreter(program.python))


def _capture_java(program: CaptureTarget) -> list[dict[str, Any]]:
    jar: Path | None = None
    main_class, classpath = program.main_class, program.classpath
    if program.target.endswith(".jar") and os.pathsep not in program.target:
        jar = existing_path(program.target)
        if main_class is not None:
            check_main_class(main_class, (jar, *classpath))
    elif main_class is None:
        msg = (
            f"the kind of {quoted(program.target)} is unknown: give a .jar, a .sql or a .py, or a "
            "class path and its main class with --class NAME"
        )
        raise CaptureError(msg)
    else:
        target_paths = (existing_path(path) for path in program.target.split(os.pathsep) if path)
        classpath = (*target_paths, *classpath)
    packaged = JavaProgram(jar=jar, main_class=main_class, classpath=classpath, args=program.args)
    release = None if packaged.jar is None else release_to_start(packaged.jar)
    flink = find_installation(program.flink_lib, release)
    with _opened(program, flink, program.configuration) as opening:
        run_program(opening, packaged)
    return opening.documents


def _capture_sql(program: CaptureTarget) -> list[dict[str, Any]]:
    if program.args:
        msg = "a SQL script takes no arguments: set its options with --config KEY=VALUE"
        raise CaptureError(msg)
    path = existing_path(program.target)
    try:
        script = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = "it is not UTF-8 text" if isinstance(error, ValueError) else error.strerror or "no"
        msg = f"cannot read {quoted(str(path))}: {why.lower()}"
        raise CaptureError(msg) from None
    flink = find_installation(program.flink_lib)
    options, jars = program.configuration, program.classpath
    # As sql-client.sh does, for functions in Python.
    if (python_jar := flink.optional_jar("flink-python")) is not None:
        jars = (*jars, python_jar)
    if program.python is not None or _IN_PYTHON.search(script):
        options = {"python.client.executable": pyflink.interpreter(program.python), **options}
    with _opened(program, flink, options, jars, bare_planner=True) as opening:
        run_script(opening, script, allow_ddl=program.allow_ddl)
    return opening.documents


def _capture_plan(program: CaptureTarget) -> list[dict[str, Any]]:
    """Capture the job of a compiled plan with the release that compiled it."""
    path = existing_path(program.target)
    release = release_of_plan(path)
    if release is None:
        msg = f"{quoted(str(path))} is no compiled plan: write one with COMPILE PLAN"
        raise CaptureError(msg)
    flink, jars = find_installation(program.flink_lib, release), program.classpath
    name = str(path).replace("'", "''")
    with _opened(program, flink, program.configuration, jars, bare_planner=True) as opening:
        run_script(opening, f"EXECUTE PLAN '{name}';")
    return opening.documents


def _capture_python(program: CaptureTarget) -> list[dict[str, Any]]:
    script, python = existing_path(program.target), pyflink.interpreter(program.python)
    flink, jars = pyflink.installation(python, program.flink_lib), program.classpath
    jar = pyflink.driver(flink)
    options = {"python.client.executable": python, **program.configuration}
    with _opened(program, flink, options, jars) as opening:
        pyflink.run_python(opening, jar, script, program.args)
    return opening.documents


def _opened(
    program: CaptureTarget,
    flink: Installation,
    options: Mapping[str, str],
    jars: Sequence[Path] = (),
    *,
    bare_planner: bool = False,
) -> AbstractContextManager[Session]:
    """A session with these jars after the release's, as fast as it starts here.

    ``bare_planner``: as of ``archived_start``.
    """
    prepare(flink, bare_planner=bare_planner)
    start = archived_start(flink, jars, bare_planner=bare_planner)
    return program.opening(flink, options, start=start, extra=jars, timeout=program.timeout)


_KINDS: Final[dict[str, Callable[[CaptureTarget], list[dict[str, Any]]]]] = {
    ".json": _capture_plan,
    ".py": _capture_python,
    ".sql": _capture_sql,
}
"""By the target's ending; without one of these it is a Java program."""
