"""A FILE of a command in any form: a document, a program, a running job, a Kubernetes resource."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final

import msgspec

from explorer.documents import parse_document
from explorer.documents.loading import read_file
from explorer.errors import ExplorerError, found_in
from explorer.flink.releases import is_patch_level
from explorer.model.document import Document, StreamGraphDocument
from explorer.model.pipeline import Pipeline
from explorer.rest.addresses import is_address
from explorer.targets.captured_jobs import capture_job, capture_options, note_assumed_release
from explorer.targets.source import TargetSource, open_source
from explorer.targets.target_options import (
    DEFAULTS,
    DOCUMENT_ENDINGS,
    TargetOptions,
    existing_file,
)
from explorer.wording import listed, quoted

if TYPE_CHECKING:
    from explorer.comparison.baseline import Baseline
    from explorer.deployment.kubernetes_operator import OperatorJob
    from explorer.model.kubernetes import FlinkResource
    from explorer.rehearsal import Rehearsal

_PYTHON_DRIVER: Final = "PythonDriver"


class TargetProgram(msgspec.Struct, frozen=True, kw_only=True):
    """A program that is not captured yet, or a document in its place."""

    name: str
    """Its name in messages."""
    path: str
    settings: TargetOptions
    """How to start it."""
    job: "OperatorJob | None" = None
    """The job that the operator submits for a Kubernetes resource."""
    notes: tuple[str, ...] = ()
    """Assumptions and replacements, a sentence each."""


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """A FILE as a document."""

    name: str
    """Its name in messages."""
    document: Document
    job: "OperatorJob | None" = None
    """The job that the operator submits for a Kubernetes resource."""
    notes: tuple[str, ...] = ()
    """Assumptions and replacements made while it was read, a sentence each."""
    program: str | None = None
    """The local program that was captured; None: a document was read."""
    settings: TargetOptions = DEFAULTS
    """How ``program`` was captured."""


def load_target(path: str, options: TargetOptions = DEFAULTS) -> Target:
    """Read or capture what ``path`` names; ``-`` is standard input.

    Raises ``ExplorerError``: what cannot be read, a program without a job or with several, a
    resource without its program. A refusal of the operator is no error here.
    """
    with open_source(path, options) as source:
        return read_target(source, options)


def read_target(source: TargetSource, options: TargetOptions) -> Target:
    """Read or capture the source; raises as ``load_target`` does."""
    options = source.options(options)
    if source.kind in {"program", "remote"}:
        return _captured_target(source, options)
    is_read = source.kind == "text" or source.content
    content = source.content if is_read else read_file(Path(source.path))
    with found_in("standard input" if source.path == "-" else source.path):
        target = of_content(source.path, content, options)
    return target if source.shown is None else msgspec.structs.replace(target, name=source.name)


def _captured_target(source: TargetSource, options: TargetOptions) -> Target:
    program = source.path
    if program in options.artifacts or program.startswith("local:"):
        program = _required_path("The job takes its program", program, options)
    captured = capture_job(program, options)
    version = options.release
    if options.flink_lib is not None and captured.flink is not None:
        version = captured.flink.version
    return Target(
        name=source.name,
        document=_at_version(captured.document, version),
        notes=tuple(note_assumed_release(program, options, captured)),
        program=program,
        settings=options,
    )


def _at_version(document: Document, version: str | None) -> Document:
    """The document with the patch level of the cluster that is named for it."""
    if version is None or not is_patch_level(version):
        return document
    return document.under(version)


def of_content(path: str, content: bytes, options: TargetOptions) -> Target:
    """A document or the chosen job of a stream of resources."""
    from explorer.documents.readers.resource_texts import is_resource_text

    if is_resource_text(content.decode("utf-8", errors="replace")):
        return _captured_job(_job_program(path, content, options))
    name = "" if path == "-" else Path(path).name
    values = {"--conf": options.conf_folder, "--parallelism": options.parallelism}
    unused = [option for option, value in values.items() if value is not None]
    notes: tuple[str, ...] = ()
    if unused:
        notes = (
            f"{listed(unused)} {'has' if len(unused) == 1 else 'have'} no effect: a document holds "
            "its own options and parallelism. Give a program or a Kubernetes resource.",
        )
    document = with_configuration(parse_document(content, name=name), options.configuration)
    return Target(name=name or "standard input", document=document, notes=notes)


def with_configuration(document: Document, configuration: Mapping[str, str]) -> Document:
    """The document with further options, which win over its own.

    They change the graph of a pipeline; a StreamGraph was made with those of its capture.
    """
    if configuration and isinstance(document, Pipeline):
        environment = document.environment
        parallelism, default = environment.parallelism, configuration.get("parallelism.default", "")
        if parallelism == 1 and default.isdecimal():  # The program sets none.
            parallelism = int(default) or parallelism
        environment = msgspec.structs.replace(
            environment,
            parallelism=parallelism,
            configuration={**environment.configuration, **configuration},
        )
        return msgspec.structs.replace(document, environment=environment)
    if configuration and isinstance(document, StreamGraphDocument):
        return msgspec.structs.replace(document, options={**document.options, **configuration})
    return document


@contextmanager
def program_at(path: str, options: TargetOptions = DEFAULTS) -> Iterator[TargetProgram]:
    """The program that ``path`` or its Kubernetes resource names, for a caller that starts it.

    Raises ``ExplorerError`` where the path names no program that can be started here.
    """
    with open_source(path, options) as source:
        yield _program_of(source, source.options(options))


def _program_of(source: TargetSource, options: TargetOptions) -> TargetProgram:
    if source.kind == "program" and not is_address(source.path):
        return TargetProgram(name=source.path, path=source.path, settings=options)
    program = None
    if source.kind == "text":
        from explorer.documents.readers.resource_texts import is_resource_text

        if is_resource_text(source.content.decode("utf-8", errors="replace")):
            program = _job_program(source.path, source.content, options)
    if program is None or Path(program.path).suffix.lower() in DOCUMENT_ENDINGS:
        named = source.path if program is None else program.path
        msg = (
            f"{quoted(named, 200)} is no program that can be started: give a .jar, a .sql, a .py, "
            "with --class a class path, or a FlinkDeployment that names one of these"
        )
        raise ExplorerError(msg)
    return program


def read_old(source: TargetSource, options: TargetOptions) -> "Target | Baseline":
    """What ``read_target`` returns; a savepoint is a baseline, a remote one is refused."""
    if source.kind in {"remote", "savepoint"}:
        from explorer.comparison.baseline import Baseline
        from explorer.savepoints import load_savepoint

        name = "the savepoint" if source.content else Path(source.path).name
        return Baseline(name=name, savepoint=load_savepoint(source.content or source.path))
    return read_target(source, options)


def refuse_job(target: Target | TargetProgram) -> None:
    """Raise the operator's first refusal of a resource's job; a document has none."""
    if target.job is not None and target.job.refusals:
        from explorer.deployment.operator_rules import OperatorRefusalError

        raise OperatorRefusalError(target.job.resource, target.job.refusals[0])


def rehearse_program(savepoint: str, program: TargetProgram, **options: Any) -> "Rehearsal":
    """Restore a savepoint into a program, on the Flink that its cluster has.

    ``options``: those of ``explorer.rehearse`` that do not say how the program is started.
    """
    from explorer.rehearsal import rehearse

    settings = capture_options(program.settings)
    width = settings.parallelism
    default = {} if width is None else {"parallelism.default": str(width)}
    return rehearse(
        savepoint,
        program.path,
        args=settings.args,
        flink_lib=flink_folder(program.path, program.settings),
        main_class=settings.main_class,
        classpath=settings.classpath,
        configuration={**default, **settings.configuration},
        python=settings.python,
        with_network=settings.with_network,
        without_sandbox=settings.without_sandbox,
        allow_read=settings.allow_read,
        **options,
    )


def flink_folder(path: str, options: TargetOptions) -> str | None:
    """The folder of the jars with which a program is captured; None: those of its own release.

    Raises ``MissingFlinkError`` where the jars of the named release are not here.
    """
    from explorer.capture.cached import installation_of

    if options.release is None and options.otherwise is None:
        return options.flink_lib
    return str(installation_of(Path(path), capture_options(options)).folder)


def _job_program(path: str, content: bytes, options: TargetOptions) -> TargetProgram:
    """The program of the chosen job of a stream of resources, with its effective configuration."""
    from explorer.deployment.kubernetes_operator import supported_release
    from explorer.deployment.operator_rules import operator_job
    from explorer.documents.readers.kubernetes import chosen_resource, read_resources

    resources = read_resources(content)
    resource = chosen_resource(resources, options.job)
    release = options.release or supported_release(resource.flink_version)
    job = operator_job(resource, resources, options.base(release), options.release)
    if options.configuration:
        job = msgspec.structs.replace(job, options={**job.options, **options.configuration})
    target, args, notes = _program(resource, options)
    entry_class = resource.job.entry_class if resource.job else None
    if entry_class is not None and entry_class.endswith(_PYTHON_DRIVER):
        entry_class = None
    settings = msgspec.structs.replace(
        options,
        args=tuple(args),
        main_class=options.main_class or entry_class,
        configuration=job.options,
        conf_folder=None,  # its options are among the job's
        shown=None,
        release=job.release if job.cluster or options.release else None,
        job=None,
    )
    return TargetProgram(
        name=f"{resource.title} of {'standard input' if path == '-' else Path(path).name}",
        path=target,
        settings=settings,
        job=job,
        notes=(*job.unchecked, *job.notes, *notes),
    )


def _captured_job(target_program: TargetProgram) -> Target:
    option_notes: list[str] = []
    program: str | None = target_program.path
    if target_program.job and Path(target_program.path).suffix.lower() in DOCUMENT_ENDINGS:
        read = parse_document(read_file(Path(target_program.path)), name=target_program.path)
        document, option_notes = _with_resource_options(read, target_program.job)
        program = None
    else:
        document = capture_job(target_program.path, target_program.settings).document
    return Target(
        name=target_program.name,
        document=_at_version(document, target_program.job.version if target_program.job else None),
        job=target_program.job,
        notes=(*target_program.notes, *option_notes),
        program=program,
        settings=target_program.settings,
    )


def _program(resource: "FlinkResource", options: TargetOptions) -> tuple[str, list[str], list[str]]:
    """The local program of a resource, its arguments, and notes on what was replaced."""
    spec = resource.job
    args = list(options.args or (spec.args if spec else ()))
    uri = (spec.jar_uri if spec else None) or ""
    if spec and (spec.entry_class or "").endswith(_PYTHON_DRIVER):
        uri, args = _python_file(resource, args)
    required_path = _required_path(f"{resource.title} takes its program", uri, options)
    replaced = {
        argument: place
        for argument in args
        if (place := _local_path(argument, options, argument=True))
    }
    notes = [f"The argument {item} is read from {place}." for item, place in replaced.items()]
    return required_path, [replaced.get(argument, argument) for argument in args], notes


def _python_file(resource: "FlinkResource", args: list[str]) -> tuple[str, list[str]]:
    remainder, script = list(args), ""
    taking = {"-pyexec", "--pyExecutable", "-pyclientexec", "--pyClientExecutable"}
    taking |= {"-pyfs", "--pyFiles", "-pyreq", "--pyRequirements", "-pyarch", "--pyArchives"}
    while remainder and remainder[0].startswith("-"):
        flag = remainder.pop(0)
        if flag in {"-py", "--python"} and remainder:
            script = remainder.pop(0)
        elif flag in taking and remainder:
            remainder.pop(0)
        else:
            break
    if not script:
        msg = (
            f"{resource.title} starts a Python module: only a script can be captured, named by "
            "-py FILE"
        )
        raise ExplorerError(msg)
    return script, remainder


def _required_path(subject: str, uri: str, options: TargetOptions) -> str:
    """Return the local path of a file of the image; raises ``ExplorerError`` without one."""
    place = _local_path(uri, options)
    if place is None:
        msg = (
            f"{subject} from {quoted(uri, 200)}, which is not looked for here: give its path "
            f"with --artifact {uri}=PATH, or with --artifacts DIR, a folder with a file "
            f"{_file_name(uri)}"
        )
        raise ExplorerError(msg)
    return place


def _local_path(uri: str, options: TargetOptions, *, argument: bool = False) -> str | None:
    """Return the local path of a file of the image; None without an option for it.

    ``argument``: it may be any text, of which only an absolute path or a URI names a file.
    """
    if uri in options.artifacts:
        place = options.artifacts[uri]
        if not existing_file(place):
            msg = f"there is no file {quoted(place, 200)}, which --artifact names for {uri}"
            raise ExplorerError(msg)
        return place
    if options.artifacts_folder is None or (argument and not uri.startswith(("/", "local:"))):
        return None
    place = str(Path(options.artifacts_folder, _file_name(uri)))
    if existing_file(place):
        return place
    if argument:
        return None
    msg = f"there is no file {_file_name(uri)} in the folder {options.artifacts_folder}: "
    raise ExplorerError(msg + f"give the path of {uri} with --artifact {uri}=PATH")


def _file_name(uri: str) -> str:
    return PurePosixPath(uri.partition("?")[0]).name or "job.jar"


def _with_resource_options(document: Document, job: "OperatorJob") -> tuple[Document, list[str]]:
    """A document in a jar's place, with the options and the release of the resource."""
    notes = []
    if isinstance(document, StreamGraphDocument):
        notes.append(
            f"{quoted(document.name)} was captured before: it has the parallelism of its capture, "
            "and options of the resource that change the graph have no effect."
        )
    document = with_configuration(document, job.options)
    return (document if document.flink == job.release else document.under(job.release)), notes
