"""Runs a program to its jobs and rehearses the one with state in the savepoint."""

import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
from py4j.protocol import Py4JJavaError

from explorer.capture.failures import CaptureError, causes
from explorer.capture.installation import Installation
from explorer.capture.jvm.java_machine import JavaMachine
from explorer.capture.programs import CaptureTarget, capture_program
from explorer.capture.recording.recording_session import Session, session
from explorer.documents import load_document
from explorer.errors import ExplorerError
from explorer.flink.compiler import compile_program
from explorer.rehearsal.found_keys import losing_operators
from explorer.rehearsal.requests import Cause, Failure, JobFacts, RehearsalAnswer, Request
from explorer.sandbox.launching import SandboxRequest
from explorer.savepoints import flink_verdict, load_savepoint

JAR: Final = Path(__file__).parent / "rehearsal.jar"
"""Our own classes, built from the folder ``java`` by ``build_jar.py``."""
_TOO_OLD: Final = (
    "a rehearsal needs Flink 1.13 or newer, and this is {flink}, which calls a task RUNNING before "
    "it restores its state: name the jars of a newer release with --flink-lib"
)
_HEAP: Final = 0.5
"""Share of the memory limit that Java's heap may use."""
_MARGIN: Final = 1.0
"""Seconds between the end of a rehearsal's time and the end of its JVM."""


def rehearse_jobs(request: Request, started: float) -> RehearsalAnswer:
    """Run the program, rehearse one of its jobs, and describe both.

    ``started``: when the time of the request began, by ``time.monotonic``.
    """
    sessions: list[_RehearsingSession] = []

    def kind(
        flink: Installation, machine: JavaMachine, options: Mapping[str, str]
    ) -> _RehearsingSession:
        sessions.append(_RehearsingSession(flink, machine, options, request, started))
        return sessions[0]

    program = CaptureTarget(
        target=request.target,
        args=request.args,
        flink_lib=request.flink_lib,
        main_class=request.main_class,
        classpath=tuple(map(Path, request.classpath)),
        configuration=request.configuration,
        python=request.python,
        timeout=request.timeout,
        opening=partial(_opening, kind=kind, sandbox=request.sandbox),
    )
    error = ""
    try:
        capture_program(program)
    except ExplorerError as failure:
        error = str(failure)
    if not sessions:
        return RehearsalAnswer(error=error)
    rehearsing_session = sessions[0]
    return RehearsalAnswer(
        sandbox=rehearsing_session.machine.sandbox,
        error=error,
        flink_version=rehearsing_session.flink.version,
        documents=tuple(rehearsing_session.documents),
        rehearsed=rehearsing_session.rehearsed,
        job=rehearsing_session.job,
    )


def _opening(
    flink: Installation,
    configuration: Mapping[str, str],
    *,
    extra: Sequence[Path] = (),
    timeout: float,
    kind: Any,
    sandbox: SandboxRequest,
    **places: Any,
) -> AbstractContextManager[Session]:
    heap = f"-Xmx{int(sandbox.memory_bytes * _HEAP) >> 20}m"
    options = (heap, "-XX:+ExitOnOutOfMemoryError")
    return session(
        flink,
        configuration,
        extra=(*extra, JAR),
        timeout=timeout,
        kind=kind,
        java_options=options,
        sandbox=sandbox,
        **places,
    )


class _RehearsingSession(Session):
    """Rehearses the first job that has an operator of the savepoint."""

    def __init__(
        self,
        flink: Installation,
        machine: JavaMachine,
        configuration: Mapping[str, str],
        request: Request,
        started: float,
    ) -> None:
        super().__init__(flink, machine, configuration)
        if not flink.behaviour.reports_initializing:
            raise CaptureError(_TOO_OLD.format(flink=flink.version))
        self._request = request
        self._end = started + request.timeout
        self.rehearsed: int | None = None
        self.job: JobFacts | None = None

    def record(self, pipeline: Any, configuration: Any, loader: Any) -> None:
        """Record a pipeline as a document, then rehearse it if it is the requested one."""
        previous = len(self.documents)
        super().record(pipeline, configuration, loader)
        if len(self.documents) == previous or self.rehearsed is not None:
            return
        if _operator_ids(self.documents[-1]) & set(self._request.operator_ids):
            self.rehearsed = previous
            loader = self.loader if loader is None else loader
            self.job = self._rehearse(pipeline, configuration, loader)

    def _key_groups(self) -> dict[str, int | None]:
        """Map the IDs of operators to the key groups of their new tasks, where these differ."""
        saved = load_savepoint(self._request.savepoint)
        compiled = compile_program(load_document(self.documents[-1]))
        ids = flink_verdict(saved, compiled, allow_non_restored=True)
        return {id: outcome.max_parallelism for id, outcome in losing_operators(ids).items()}

    def _java_request(self, millis: int) -> str:
        request, sandbox = self._request, self.machine.sandbox
        members = {
            "operator_ids": request.operator_ids,
            "stateful_ids": request.stateful_ids,
            "only_open": request.only_open or sandbox is None or not sandbox.is_whole,
            "records": request.records,
            "key_groups": self._key_groups(),
            "folder": str(self.machine.folder),
            "millis": millis,
        }
        return msgspec.json.encode(members).decode()

    def _rehearse(self, pipeline: Any, configuration: Any, loader: Any) -> JobFacts:
        left = max(1.0, self._end - time.monotonic() - _MARGIN)
        try:
            answer = self.java.explorer.rehearsal.Rehearsal.rehearse(
                pipeline,
                configuration,
                loader,
                Path(self._request.savepoint).as_uri(),
                self._java_request(int(left * 1000)),
            )
        except Py4JJavaError as error:
            chain = tuple(map(_cause, causes(error.java_exception)))
            return JobFacts(job_failure=Failure(phase="rehearsal", causes=chain))
        try:
            return msgspec.json.decode(answer, type=JobFacts)
        except (msgspec.MsgspecError, RecursionError) as error:
            msg = f"the rehearsal's JVM gave an answer that is none: {error}"
            raise CaptureError(msg) from None


def _cause(thrown: Any) -> Cause:
    message = thrown.getMessage()
    frames = tuple(
        f"{value.getClassName()}.{value.getMethodName()}" for value in thrown.getStackTrace()
    )
    return Cause(
        kind=thrown.getClass().getName(),
        message=None if message is None else str(message),
        frames=frames[:40],
    )


def _operator_ids(document: Mapping[str, Any]) -> set[str]:
    """Both IDs of each operator: the one that Flink generates, and a uid hash."""
    vertices = document["flink_job_graph"]["vertices"]
    pair = ("operator_ids", "user_defined_operator_ids")
    return {id for vertex in vertices for which in pair for id in vertex[which] if id}
