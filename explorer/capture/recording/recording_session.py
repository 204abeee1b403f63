"""A JVM with a release's jars in which programs are recorded: what every kind of program needs."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Final

from py4j.protocol import Py4JError, Py4JJavaError

from explorer.capture.failures import CaptureError, failure_sentence
from explorer.capture.installation import Installation
from explorer.capture.jvm.java_machine import JavaMachine, java_machine
from explorer.capture.jvm.java_objects import JavaObjects
from explorer.capture.jvm.start_files import StartFiles, plain_start
from explorer.capture.recording.captured_settings import cluster_settings, options
from explorer.capture.recording.data_sets import data_set_document, is_data_set_plan
from explorer.capture.recording.endings import (
    NO_JOB,
    NO_JOB_OF_SCRIPT,
    CaptureProgress,
    why_it_ended,
)
from explorer.capture.recording.executor import Recorder
from explorer.capture.recording.job_graphs import record_job_graph
from explorer.capture.recording.stream_graphs import stream_graph_members
from explorer.sandbox.folders import own_folder
from explorer.sandbox.launching import SandboxRequest
from explorer.sandbox.refusals import FILE_WORDS, NETWORK_WORDS
from explorer.sandbox.visible_files import paths_in
from explorer.wording import first_listed, listed, quoted

_TARGET: Final = "execution.target"
_SET_CONTEXT: Final = "initializeContextEnvironment"


class Session:
    """One JVM, its recorder, and the documents of the jobs so far."""

    def __init__(
        self, flink: Installation, machine: JavaMachine, configuration: Mapping[str, str]
    ) -> None:
        self.flink, self.machine = flink, machine
        self.java = machine.java
        self.objects = JavaObjects(machine.java)
        self.documents: list[dict[str, Any]] = []
        self.statement = ""
        """The statement of a script that runs now, as a message calls it."""
        self.begins = (1, 1)
        """The line and the column in which that statement begins."""
        self.recorder = Recorder(self.objects, self.record)
        self.given = {**configuration, _TARGET: "remote", "execution.attached": "true"}

    @property
    def progress(self) -> CaptureProgress:
        """How far the program has come."""
        return CaptureProgress(
            flink_version=self.flink.version,
            jobs=len(self.documents),
            submits_late=not self.flink.behaviour.pipeline_executors,
            statement=self.statement,
            begins=self.begins,
            loader=self.recorder.loader,
        )

    def configuration(self) -> Any:
        """The options of the installation, and over them those that were given."""
        flink = self.java.org.apache.flink.configuration
        folder = self.flink.configuration_folder
        result = flink.Configuration()
        if folder is not None:
            result = flink.GlobalConfiguration.loadConfiguration(str(folder))
        for key, value in self.given.items():
            result.setString(key, value)
        return result

    @property
    def loader(self) -> Any:
        """The class loader of the thread that Java runs in now."""
        return self.java.java.lang.Thread.currentThread().getContextClassLoader()

    def set_context(self, environment: str, value: Any) -> None:
        """Let ``value``, a factory, give the environments of that class to all that asks for one.

        Flink's client sets the context so, with a method that is not public.
        """
        classes = self.java.java.lang.Class
        kinds = self.machine.array(classes, [classes.forName(f"{environment}Factory")])
        setter = classes.forName(environment).getDeclaredMethod(_SET_CONTEXT, kinds)
        setter.setAccessible(True)
        arguments = self.java.java.util.ArrayList()
        arguments.add(value)
        setter.invoke(None, arguments.toArray())

    def record(self, pipeline: Any, configuration: Any, loader: Any) -> None:
        """Record a pipeline as a document."""
        is_data_set = is_data_set_plan(self.objects, pipeline)
        if not is_data_set and not self.objects.is_a(pipeline, "StreamGraph"):
            raise CaptureError(NO_STREAM_GRAPH)
        loader = self.recorder.loader = self.loader if loader is None else loader
        version = self.flink.version
        try:
            if is_data_set:
                document = data_set_document(
                    self.objects, pipeline, configuration, version, self.flink.release
                )
            else:
                document = self._document(pipeline, configuration, loader)
            self.documents.append(document)
        except Py4JJavaError as error:
            failed, thrown = f"Flink {version} refuses the program", error.java_exception
            sentence = failure_sentence(version, thrown, failed, "fix the program", place=False)
            raise CaptureError(sentence) from None

    def _document(self, pipeline: Any, configuration: Any, loader: Any) -> dict[str, Any]:
        members = stream_graph_members(self.objects, self.objects.tabled(pipeline), loader)
        members["settings"] |= cluster_settings(self.configuration())
        # Flink's own translation; before 1.16 it asks for no class loader.
        job_graph = self.objects.tabled(
            pipeline.getJobGraph(loader, None)
            if self.flink.behaviour.translates_with_loader
            else pipeline.getJobGraph()
        )
        graph_members = record_job_graph(self.objects, job_graph, loader, self.flink.release)
        return {
            "name": pipeline.getJobName(),
            "flink": self.flink.release,
            "stream_graph": members,
            "options": options(self.objects, configuration),
            "flink_job_graph": {"flink": self.flink.version, **graph_members},
        }


NO_STREAM_GRAPH: Final = "the program's pipeline is neither a StreamGraph nor a DataSet plan"
_EMPTY: Final = (
    "the program reads the {read} of this job, which are empty here, since the job was recorded "
    "and not run: what it does with them, further jobs too, may differ on a cluster"
)
_NOT_COUNTED: Final = (
    "accumulators of this job ({names}) have their initial values here, since the job was recorded "
    "and not run: what the program does with them, further jobs too, may differ on a cluster"
)
_NAMED: Final = 8
"""Accumulators of a job that are named."""
SANDBOX: Final = SandboxRequest()
_REFUSED_NETWORK: Final = (*NETWORK_WORDS, "java.net.ConnectException", "Connection refused")
_REFUSED: Final = (
    *_REFUSED_NETWORK,
    *FILE_WORDS,
    "AccessDeniedException",
    "Permission denied",
    "Operation not permitted",
    "Address family not supported",
    "No space left on device",
)
"""In failures that the sandbox may have caused."""
_MISSING: Final = (
    *("No such file", "NoSuchFile", "FileNotFound", "not exist", "not found", "cannot find"),
    *("is not a directory", "NotDirectory"),
)
"""In failures to read a file, which may be there and hidden."""
_HINT: Final = "the program runs in a sandbox, which may be the cause:"


@contextmanager
def session(
    flink: Installation,
    configuration: Mapping[str, str],
    *,
    start: StartFiles | None = None,
    extra: Sequence[Path] = (),
    timeout: float,
    kind: Callable[[Installation, JavaMachine, Mapping[str, str]], Session] = Session,
    java_options: Sequence[str] = (),
    sandbox: SandboxRequest = SANDBOX,
    readable: Sequence[Path] = (),
    around: Sequence[Path] = (),
) -> Iterator[Session]:
    """A session; what goes wrong in it is one sentence, a ``CaptureError``.

    ``start``: the JVM's class path and options before all others, None: the release's jars as they
    are; ``extra``: jars added to these; ``kind``: the session's class; ``java_options``:
    further options of the JVM; ``sandbox``: how the JVM is confined; ``readable``, ``around``: what
    it can read then, as of ``SandboxRequest``. A failure after the first job is a warning of the
    last document: what was captured is not lost.
    """
    with own_folder("explorer-capture-") as folder:
        shown_paths = (flink.folder, *filter(None, (flink.configuration_folder,)), *readable)
        start = start or plain_start(flink)
        sandbox = sandbox.showing((*shown_paths, *filter(None, (start.archive,))), around)
        class_path = (*start.class_path, *extra)
        places = {"FLINK_OPT_DIR": str(flink.optional_folder)}
        options = (*start.options(folder), *java_options)
        with java_machine(class_path, folder, timeout, places, options, sandbox) as machine:
            result = kind(flink, machine, configuration)
            failures = result.recorder.failures
            try:
                yield result
            except (Py4JError, CaptureError) as error:
                failures.append(error)
            failure = "" if result.documents else (NO_JOB_OF_SCRIPT if result.statement else NO_JOB)
            if failures:
                # The first: a program may have caught it, or another came of it.
                failure = why_it_ended(machine, failures[0], result.progress)
                failure += _sandbox_hint(machine, failure)
        _warn_of_results(result, failure)
        if failure:
            if not result.documents:
                raise CaptureError(failure)
            _warn(result.documents[-1], failure)


def _has_any(words: Iterable[str], text: str) -> bool:
    return any(word in text for word in words)


def _sandbox_hint(machine: JavaMachine, failure: str) -> str:
    """Return the options to try where the sandbox may have caused the failure; else nothing."""
    sandbox = machine.sandbox
    if sandbox is None:
        return ""
    hidden = paths_in([failure]) if _has_any(_MISSING, failure) else ()
    if (path := next(iter(hidden), None)) is not None:
        return f"; {_HINT} --allow-read {shlex.quote(str(path))} lets it read that"
    if not _has_any(_REFUSED, failure):
        return ""
    if sandbox.network or not _has_any(_REFUSED_NETWORK, failure):
        return "" if sandbox.writes == "anywhere" else f"; {_HINT} --without-sandbox has none"
    return f"; {_HINT} --with-network lets it reach the network"


Opening = Callable[..., AbstractContextManager[Session]]
"""Opens a session; called as ``session`` is."""


def _warn_of_results(result: Session, failure: str) -> None:
    """Warn of the rows and accumulators of recorded jobs that the program reads or may read."""
    recorder = result.recorder
    for job, read in recorder.read_results.items():
        _warn(result.documents[job - 1], _EMPTY.format(read=listed(read)))
    for job, names in recorder.accumulators.items():
        followed = failure or job < len(result.documents)
        if names and followed and "accumulators" not in recorder.read_results.get(job, []):
            listed_names = first_listed([quoted(name) for name in names], _NAMED)
            _warn(result.documents[job - 1], _NOT_COUNTED.format(names=listed_names))


def _warn(document: dict[str, Any], sentence: str) -> None:
    document.setdefault("warnings", []).append(sentence)
