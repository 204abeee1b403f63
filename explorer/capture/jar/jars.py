"""A program in a jar, or in classes: up to its ``execute`` calls, as ``flink run`` would start it.

Mirrors ``CliFrontend.run``: a ``PackagedProgram`` with a class loader of its own, its ``main``
called while the context environment is ours.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from explorer.capture.recording.detached import run_detached
from explorer.capture.recording.recording_session import Session


class JavaProgram(msgspec.Struct, frozen=True, kw_only=True):
    """What ``flink run`` is given."""

    jar: Path | None
    main_class: str | None = None
    """None: the jar's manifest names it."""
    classpath: tuple[Path, ...] = ()
    args: tuple[str, ...] = ()


def run_program(session: Session, program: JavaProgram) -> None:
    """Call the program's ``main``; the session's recorder records what it executes."""
    if not session.flink.behaviour.pipeline_executors:
        jar = None if program.jar is None else session.java.java.io.File(str(program.jar))
        kind = session.java.org.apache.flink.client.program.PackagedProgram
        urls, args = _urls(session, program.classpath), _strings(session, program.args)
        run_detached(session, kind(jar, urls, program.main_class, args))
        return
    configuration = session.configuration()
    builder = session.java.org.apache.flink.client.program.PackagedProgram.newBuilder()
    builder.setConfiguration(configuration)
    builder.setArguments(_strings(session, program.args))
    builder.setUserClassPaths(_urls(session, program.classpath))
    if program.jar is not None:
        builder.setJarFile(session.java.java.io.File(str(program.jar)))
    if program.main_class is not None:
        builder.setEntryPointClassName(program.main_class)
    packaged = builder.build()
    utils = session.java.org.apache.flink.client.ClientUtils
    # From 1.11 on it asks whether one job alone is allowed, and whether Flink is to be silent.
    pair = (False, True) if session.flink.behaviour.asks_for_one_job else ()
    utils.executeProgram(session.recorder, configuration, packaged, *pair)


def _strings(session: Session, texts: Sequence[str]) -> Any:
    return session.machine.array(session.java.java.lang.String, texts)


def _urls(session: Session, paths: Sequence[Path]) -> list[Any]:
    return [session.java.java.io.File(str(path)).toURI().toURL() for path in paths]
