"""The plan of a deploy from targets: both sides are read, then ``explorer.plans`` judges."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from explorer.comparison.baseline import baseline_of
from explorer.deployment.upgrades import Upgrade, operator_upgrade
from explorer.errors import ExplorerError, UsageError
from explorer.flink import releases
from explorer.locations import local_path
from explorer.model.document import Document
from explorer.plans import Plan, PlanRequest, make_plan
from explorer.targets.captured_jobs import ProgramFailedError
from explorer.targets.side_releases import named_release, release_of_source
from explorer.targets.source import TargetSource, open_source
from explorer.targets.target import (
    Target,
    TargetProgram,
    load_target,
    read_old,
    rehearse_program,
)
from explorer.targets.target_options import DEFAULTS, TargetOptions, is_revision
from explorer.wording import listed, spelled

if TYPE_CHECKING:
    from explorer.comparison.baseline import Baseline
    from explorer.deployment.kubernetes_operator import OperatorJob
    from explorer.model.api_use import ApiUse
    from explorer.model.rehearsal import Rehearsal


def plan(
    new: Any,
    *,
    old: Any = None,
    savepoint: str | Path | None = None,
    artifacts: Mapping[str, str] | None = None,
    flink_version: str | None = None,
    old_flink_version: str | None = None,
    configuration: Mapping[str, object] | None = None,
    rehearse: bool = False,
    only_open: bool = False,
    records: str | Path | None = None,
    allow_non_restored: bool = False,
    matches: Mapping[str, str] | None = None,
    autoscale: bool = False,
    target: TargetOptions = DEFAULTS,
    old_target: TargetOptions | None = None,
) -> Plan:
    """The plan of deploying ``new`` in place of ``old``.

    Args:
        new: A document, its path, a .jar, a .sql or a .py, a file with a FlinkDeployment or a
            FlinkSessionJob, a job's address.
        old: The same, a savepoint or ``git:REVISION``; None: a first deployment, or the
            savepoint's program.
        savepoint: The savepoint that NEW starts from: its folder or its ``_metadata`` file.
        artifacts: By URI, the local path of a jar that a Kubernetes resource names.
        flink_version: NEW's release; default: its own, else the one that OLD names.
        old_flink_version: OLD's release; default: its own, else NEW's.
        configuration: Options of the cluster that win over NEW's own.
        rehearse: Restore the savepoint with Flink's own classes too; needs a savepoint and a
            program.
        only_open: The rehearsal uses no restored state; needs ``rehearse``.
        records: The file of records that it uses the state with; needs ``rehearse``.
        allow_non_restored: As ``--allowNonRestoredState``.
        matches: By operator of OLD, the new operator that it is.
        autoscale: Compute what the Kubernetes operator's autoscaler would choose; NEW or OLD must
            be a running job.
        target: How NEW is captured; ``artifacts`` and ``flink_version`` win.
        old_target: The same for OLD; default: with the artifacts of NEW.

    Raises ``ExplorerError`` where a side cannot be read or OLD does not compile.
    """
    arguments = _Arguments(**locals())
    _check_arguments(arguments)
    options = _new_options(arguments)
    old_options = msgspec.structs.replace(
        arguments.old_target or TargetOptions(artifacts=options.artifacts),
        release=arguments.old_flink_version,
        new=arguments.path,
    )
    with _open_old(arguments.old, old_options) as source:
        options = _with_release_of_old(arguments, options, source, old_options)
        try:
            side = _new_side(arguments.new, options)
        except ProgramFailedError as error:
            old_side = _read_old(source, arguments.savepoint, old_options)
            return _failed_plan(str(new), error, old_side.baseline)
        sides = _read_sides(arguments, source, side, options, old_options)
    return make_plan(side.document, sides.baseline, _request(arguments, sides))


class _Arguments(NamedTuple):
    """The arguments of ``plan``, under their names."""

    new: Any
    old: Any
    savepoint: str | Path | None
    artifacts: Mapping[str, str] | None
    flink_version: str | None
    old_flink_version: str | None
    configuration: Mapping[str, object] | None
    rehearse: bool
    only_open: bool
    records: str | Path | None
    allow_non_restored: bool
    matches: Mapping[str, str] | None
    autoscale: bool
    target: TargetOptions
    old_target: TargetOptions | None

    @property
    def path(self) -> str | None:
        """NEW where it is a path or an address; None: a document."""
        return str(self.new) if isinstance(self.new, str | Path) else None


class _Sides(NamedTuple):
    """NEW and the baseline as they were read, with the options that read them."""

    target: Target
    options: TargetOptions
    baseline: "Baseline | None"
    old_options: TargetOptions
    old_job: "OperatorJob | None"
    old_notes: tuple[str, ...]
    upgrade: Upgrade | None
    """What the Kubernetes operator does; None where NEW is no resource."""


def _check_arguments(arguments: _Arguments) -> None:
    """Refuse an unknown release, and options of a rehearsal without a rehearsal."""
    if (arguments.only_open or arguments.records is not None) and not arguments.rehearse:
        raise UsageError(_NO_REHEARSAL)
    for version in (arguments.flink_version, arguments.old_flink_version):
        releases.release(version or releases.LATEST)


@contextmanager
def _open_old(old: Any, options: TargetOptions) -> "Iterator[TargetSource | Baseline | None]":
    """OLD, looked at once; a value is a baseline at once."""
    from explorer.comparison.baseline import load_baseline

    if isinstance(old, str | Path):
        with open_source(str(old), options) as source:
            yield source
    else:
        yield None if old is None else load_baseline(old)


def _with_release_of_old(
    arguments: _Arguments,
    options: TargetOptions,
    old: "TargetSource | Baseline | None",
    old_options: TargetOptions,
) -> TargetOptions:
    """The options for NEW; a program that names no release gets the one that OLD names."""
    if not arguments.path or options.release:
        return options
    otherwise = arguments.old_flink_version or _release_of(old, old_options)
    if otherwise is None and arguments.savepoint is not None:
        otherwise = named_release(str(arguments.savepoint), old_options)
    return msgspec.structs.replace(options, otherwise=otherwise, otherwise_of="OLD")


def _release_of(old: "TargetSource | Baseline | None", options: TargetOptions) -> str | None:
    if isinstance(old, TargetSource):
        return release_of_source(old, options)
    return None if old is None else old.release


def _read_sides(
    arguments: _Arguments,
    source: "TargetSource | Baseline | None",
    target: Target,
    options: TargetOptions,
    old_options: TargetOptions,
) -> _Sides:
    """Read OLD; where nothing else names its release, it has that of NEW."""
    old_options = msgspec.structs.replace(
        old_options,
        otherwise=arguments.flink_version or target.document.flink,
        otherwise_of=None if arguments.flink_version else "NEW",
    )
    old = _read_old(source, arguments.savepoint, old_options)
    baseline = baseline_of(target.document) if old.baseline is None else old.baseline
    upgrade = _upgrade(arguments, target, old.job, first=baseline is None)
    return _Sides(
        target=target,
        options=options,
        baseline=baseline and _with_cluster(baseline, old.job, old_options, upgrade),
        old_options=old_options,
        old_job=old.job,
        old_notes=old.notes,
        upgrade=upgrade,
    )


def _upgrade(
    arguments: _Arguments, target: Target, old_job: "OperatorJob | None", *, first: bool
) -> Upgrade | None:
    if target.job is None:
        return None
    saved = arguments.savepoint is not None
    return operator_upgrade(target.job, old_job, target.notes, given_savepoint=saved, first=first)


def _with_cluster(
    baseline: "Baseline",
    old_job: "OperatorJob | None",
    old_options: TargetOptions,
    upgrade: Upgrade | None,
) -> "Baseline":
    """The baseline with the options of its cluster and the origin of its state."""
    cluster = old_job.options if old_job else {}
    return msgspec.structs.replace(
        baseline,
        configuration={**cluster, **old_options.configuration},
        origin=(upgrade and upgrade.origin) or "savepoint",
    )


def _request(arguments: _Arguments, sides: _Sides) -> PlanRequest:
    """What is asked of both sides in addition to their documents."""
    target, options, old_options = sides.target, sides.options, sides.old_options
    job = target.job.job if target.job else None
    allows = arguments.allow_non_restored or bool(job and job.allow_non_restored_state)
    is_started_here = target.program is not None and target.job is None
    restrictions = _only_of_new(options, old_options, sides.old_job, sides.baseline)
    return PlanRequest(
        flink_version=arguments.flink_version,
        allow_non_restored=allows,
        matches=arguments.matches or {},
        options=arguments.configuration or {},
        old_options=old_options.configuration or ({} if sides.old_job else None),
        api_uses=_api_uses(target.program, target.settings),
        rehearsal=_rehearsal(arguments, target) if arguments.rehearse else None,
        read_from=arguments.path if arguments.path not in {None, "-"} else target.name,
        upgrade=sides.upgrade,
        has_configuration_file=options.conf_folder is not None and is_started_here,
        notes=() if target.job else target.notes,
        remarks=(*restrictions, *sides.old_notes),
        autoscale=arguments.autoscale,
        capture_with=_capture_with(arguments.new, target, options),
    )


def _capture_with(
    new: Any, side: Target, options: TargetOptions
) -> Callable[[Mapping[str, str]], Document] | None:
    """Captures NEW with further options of Flink; None where NEW is no local program."""
    from explorer.rest.addresses import is_address

    path, settings = side.program, side.settings
    if path is None or is_address(path):
        return None
    if is_revision(str(new)):
        path, settings = str(new), options
    return lambda values: load_target(path, settings.with_configuration(values)).document


def _only_of_new(
    options: TargetOptions,
    old_options: TargetOptions,
    old_job: "OperatorJob | None",
    baseline: "Baseline | None",
) -> Iterator[str]:
    """A sentence on the options that the caller sets for NEW, and on those that OLD has."""
    if baseline is None or baseline.document is None:
        return
    values = _given_arguments(options, "-p", "-D")
    if not values:
        return
    origin = f"those of {old_job.resource.title}" if old_job else f"its own ({baseline.name})"
    if old := _given_arguments(old_options, "--old-parallelism", "--old-option"):
        origin += f", with {listed(old)}"
    sentence = f"{listed(values)}: applied to NEW only; the options of OLD's graph are {origin}."
    if options.configuration and old_job is None and not old_options.configuration:
        sentence += " The resources of both sides are computed with -D."
    yield sentence


def _given_arguments(options: TargetOptions, width: str, option: str) -> list[str]:
    values = [] if options.parallelism is None else [f"{width} {options.parallelism}"]
    return values + [f"{option} {key}={value}" for key, value in options.configuration.items()]


def _new_options(arguments: _Arguments) -> TargetOptions:
    """The options for NEW: arguments of ``plan`` win over ``target``."""
    target = arguments.target
    return msgspec.structs.replace(
        target,
        artifacts={**target.artifacts, **(arguments.artifacts or {})},
        release=arguments.flink_version or target.release,
        configuration={**target.configuration, **_as_texts(arguments.configuration)},
    )


def _as_texts(configuration: Mapping[str, object] | None) -> dict[str, str]:
    return {key: spelled(value) for key, value in (configuration or {}).items()}


def _new_side(new: Any, options: TargetOptions) -> Target:
    from explorer.documents import as_document

    if isinstance(new, str | Path):
        return load_target(str(new), options)
    document = as_document(new)
    return Target(name=document.name, document=document)


_NO_REHEARSAL: Final = (
    "--only-open and --records say what a rehearsal does with the restored state: add --rehearse"
)
_NO_EFFECT: Final = (
    "--old-parallelism has no effect: OLD is a document, which holds its own parallelism."
)


class _OldSide(NamedTuple):
    """OLD as it was read; without members where it is not given."""

    job: "OperatorJob | None" = None
    """The job of a Kubernetes resource."""
    baseline: "Baseline | None" = None
    notes: tuple[str, ...] = ()
    """Arguments for OLD without effect, a sentence each."""


def _read_old(
    source: "TargetSource | Baseline | None", savepoint: str | Path | None, options: TargetOptions
) -> _OldSide:
    """OLD with the savepoint that is given beside it."""
    from explorer.comparison.baseline import Baseline, pin_release
    from explorer.savepoints import load_savepoint
    from explorer.savepoints.loading import is_savepoint

    old_side = _old_side(source, options)
    side = old_side.baseline
    if side is not None and options.release:
        side = pin_release(side, options.release, replace=True)
    if savepoint is None:
        return old_side._replace(baseline=side)
    place = local_path(savepoint)
    if Path(place).is_file() and not is_savepoint(place):
        msg = f"{savepoint} is no savepoint: give its folder or its _metadata file"
        raise ExplorerError(msg)
    saved = Baseline(name=Path(place).name, savepoint=load_savepoint(place))
    if side is not None:
        saved = msgspec.structs.replace(side, savepoint=saved.savepoint)
    return old_side._replace(baseline=saved)


def _old_side(source: "TargetSource | Baseline | None", options: TargetOptions) -> _OldSide:
    """OLD as a baseline, without a savepoint of its own argument."""
    from explorer.comparison.baseline import Baseline

    target = read_old(source, options) if isinstance(source, TargetSource) else source
    if target is None:
        return _OldSide()
    if isinstance(target, Baseline):
        return _OldSide(baseline=target)
    baseline = Baseline(name=target.name, document=target.document)
    is_document = target.program is None and target.job is None
    notes = (_NO_EFFECT,) if is_document and options.parallelism is not None else ()
    return _OldSide(target.job, baseline, notes)


def _failed_plan(new: str, error: ProgramFailedError, baseline: "Baseline | None") -> Plan:
    """The plan of a program that does not start because NEW's release removed API that it uses.

    Raises the error itself if the program uses no such API.
    """
    from explorer.plans.failed import FailedProgram, failed_plan

    release = error.settings.release
    uses = _api_uses(error.path, error.settings)
    result = None
    if release is not None and uses is not None:
        path = error.path if new == "-" else new
        program = FailedProgram(read_from=path, release=release, error=str(error), api_uses=uses)
        result = failed_plan(program, baseline)
    if result is None:
        raise error
    return result


def _api_uses(program: str | None, settings: TargetOptions) -> "tuple[ApiUse, ...] | None":
    """Uses in a program's classes of API that a release changed; None: classes are not known.

    A SQL script has only the classes of its class path.
    """
    program = program or ""
    parts = [Path(part) for part in program.split(os.pathsep) if part]
    if not parts or "://" in program or parts[0].suffix in {".py", ".json"}:
        return None
    from explorer.capture.recording.api_uses import api_uses

    jars = [] if parts[0].suffix == ".sql" else parts
    return api_uses([*jars, *map(Path, settings.classpath)])


def _rehearsal(arguments: _Arguments, target: Target) -> "Rehearsal":
    """Restore the savepoint into NEW with the classes of its Flink release."""
    if arguments.savepoint is None or target.program is None:
        msg = "a rehearsal needs a savepoint and a program: give --savepoint PATH and a .jar"
        raise UsageError(msg)
    release = arguments.flink_version or target.document.flink or releases.LATEST
    settings = msgspec.structs.replace(
        target.settings,
        release=target.settings.release or release,
        configuration={**target.settings.configuration, **_as_texts(arguments.configuration)},
    )
    return rehearse_program(
        str(arguments.savepoint),
        TargetProgram(name=target.name, path=target.program, settings=settings),
        allow_non_restored=arguments.allow_non_restored,
        only_open=arguments.only_open,
        records=arguments.records,
    )
