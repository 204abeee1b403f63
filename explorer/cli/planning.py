"""``plan``: one verdict before a deploy, from OLD, NEW and a savepoint."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from explorer.checks.reporting import to_json
from explorer.cli.command import (
    ACCEPT_UNCHECKED,
    MATCHES,
    OLD_TARGET,
    RELEASE,
    TARGET,
    USE,
    argument,
    command,
    print_text,
)
from explorer.cli.inputs.flink_run import apply_flink_run
from explorer.cli.inputs.target_options import (
    DEFAULTS,
    TargetOptions,
    old_target_options,
    target_options,
)
from explorer.cli.inputs.targets import ProgramFailedError
from explorer.deployment.upgrades import operator_upgrade
from explorer.errors import ExplorerError, UsageError
from explorer.model.document import Document
from explorer.plans import Plan, PlanRequest, make_plan
from explorer.plans.markdown import plan_markdown
from explorer.plans.reports import github_plan, sarif_plan
from explorer.plans.text import plan_text, print_plan
from explorer.wording import listed, spelled

if TYPE_CHECKING:
    from explorer.cli.inputs.targets import Target
    from explorer.comparison.baseline import Baseline
    from explorer.deployment.kubernetes_operator import OperatorJob
    from explorer.model.api_use import ApiUse
    from explorer.model.rehearsal import Rehearsal


def _html(result: Plan) -> str:
    from explorer.drawing.html.plan_html import plan_html

    return plan_html(result)


def _markdown(result: Plan) -> str:
    from explorer.drawing.text.plan_mermaid import plan_diagram

    return plan_markdown(result, plan_diagram(result.changed_graph))


FORMATS: Final[Mapping[str, Callable[[Plan], str]]] = {
    "text": plan_text,
    "markdown": _markdown,
    "html": _html,
    "json": lambda result: to_json(result.to_dict()),
    "github": github_plan,
    "sarif": sarif_plan,
}
"""The writer of each format."""


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
    from explorer.comparison.baseline import baseline_of
    from explorer.flink import releases

    if (only_open or records is not None) and not rehearse:
        raise UsageError(_NO_REHEARSAL)
    for version in (flink_version, old_flink_version):
        releases.release(version or releases.LATEST)
    named = str(new) if isinstance(new, str | Path) else None
    options = _new_options(target, artifacts, flink_version, configuration)
    old_options = msgspec.structs.replace(
        old_target or TargetOptions(artifacts=options.artifacts),
        release=old_flink_version,
        new=named,
    )
    if named and not options.release:
        otherwise = old_flink_version or _release_of_old(old, savepoint, old_options)
        options = msgspec.structs.replace(options, otherwise=otherwise, otherwise_of="OLD")
    try:
        side = _new_side(new, options)
    except ProgramFailedError as error:
        return _failed_plan(str(new), error, _baseline(old, savepoint, old_options).baseline)
    release = flink_version or side.document.flink
    otherwise_of = None if flink_version else "NEW"
    old_options = msgspec.structs.replace(old_options, otherwise=release, otherwise_of=otherwise_of)
    old_job, baseline, old_notes = _baseline(old, savepoint, old_options)
    if baseline is None:
        baseline = baseline_of(side.document)
    own_job_spec = side.job.job if side.job else None
    upgrade = None
    if side.job is not None:
        values, first = savepoint is not None, baseline is None
        upgrade = operator_upgrade(
            side.job, old_job, side.notes, given_savepoint=values, first=first
        )
    if baseline is not None:
        cluster = old_job.options if old_job else {}
        baseline = msgspec.structs.replace(
            baseline,
            configuration={**cluster, **old_options.configuration},
            origin=(upgrade and upgrade.origin) or "savepoint",
        )
    request = PlanRequest(
        flink_version=flink_version,
        allow_non_restored=allow_non_restored
        or bool(own_job_spec and own_job_spec.allow_non_restored_state),
        matches=matches or {},
        options=configuration or {},
        old_options=old_options.configuration or ({} if old_job else None),
        api_uses=_api_uses(side.program, side.settings),
        rehearsal=_rehearsal(
            side,
            savepoint,
            configuration or {},
            release or releases.LATEST,
            allow_non_restored=allow_non_restored,
            only_open=only_open,
            records=records,
        )
        if rehearse
        else None,
        read_from=named if named not in {None, "-"} else side.name,
        upgrade=upgrade,
        has_configuration_file=options.conf_folder is not None
        and side.program is not None
        and side.job is None,
        notes=() if side.job else side.notes,
        remarks=(*_only_of_new(options, old_options, old_job, baseline), *old_notes),
        autoscale=autoscale,
        capture_with=_capture_with(new, side, options),
    )
    return make_plan(side.document, baseline, request)


def _release_of_old(old: Any, savepoint: str | Path | None, options: TargetOptions) -> str | None:
    """The release that OLD or the savepoint names, for a NEW that names none; None: neither."""
    from explorer.cli.inputs.side_releases import named_release

    if old is not None and not isinstance(old, str | Path):
        baseline = _old_side(old, DEFAULTS).baseline
        return baseline.release if baseline else None
    sides = (str(side) for side in (old, savepoint) if side is not None)
    return next(filter(None, (named_release(side, options) for side in sides)), None)


def _capture_with(
    new: Any, side: "Target", options: TargetOptions
) -> Callable[[Mapping[str, str]], Document] | None:
    """Captures NEW with further options of Flink; None where NEW is no local program."""
    from explorer.cli.inputs.target_options import is_revision
    from explorer.cli.inputs.targets import load_target
    from explorer.rest import is_address

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


def _new_options(
    target: TargetOptions,
    artifacts: Mapping[str, str] | None,
    release: str | None,
    configuration: Mapping[str, object] | None,
) -> TargetOptions:
    """The options for NEW: arguments of ``plan`` win over ``target``."""
    values = {key: spelled(value) for key, value in (configuration or {}).items()}
    return msgspec.structs.replace(
        target,
        artifacts={**target.artifacts, **(artifacts or {})},
        release=release or target.release,
        configuration={**target.configuration, **values},
    )


def _new_side(new: Any, options: TargetOptions) -> "Target":
    from explorer.cli.inputs.targets import Target, load_target
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


def _baseline(old: Any, savepoint: str | Path | None, options: TargetOptions) -> _OldSide:
    from explorer.comparison.baseline import Baseline, pin_release
    from explorer.savepoints import load_savepoint
    from explorer.savepoints.loading import is_savepoint, local_path

    old_side = _old_side(old, options)
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


def _old_side(old: Any, options: TargetOptions) -> _OldSide:
    """OLD as a baseline, without a savepoint of its own argument."""
    from explorer.cli.inputs.targets import Target, load_old
    from explorer.comparison.baseline import Baseline
    from explorer.restore.verdict import old_side

    if old is None:
        return _OldSide()
    if not isinstance(old, str | Path):
        return _OldSide(baseline=old_side(old))
    target = load_old(str(old), options)
    if not isinstance(target, Target):
        return _OldSide(baseline=old_side(str(old) if target is None else target))
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


def _rehearsal(
    side: "Target",
    savepoint: str | Path | None,
    configuration: Mapping[str, object],
    release: str,
    **options: Any,
) -> "Rehearsal":
    """Restore the savepoint into NEW with the classes of that Flink release.

    ``options``: those of ``explorer.rehearse`` that do not say how NEW is started.
    """
    from explorer.cli.inputs.targets import TargetProgram, rehearse_program

    if savepoint is None or side.program is None:
        msg = "a rehearsal needs a savepoint and a program: give --savepoint PATH and a .jar"
        raise UsageError(msg)
    values = {key: spelled(value) for key, value in configuration.items()}
    settings = msgspec.structs.replace(
        side.settings,
        release=side.settings.release or release,
        configuration={**side.settings.configuration, **values},
    )
    program = TargetProgram(name=side.name, path=side.program, settings=settings)
    return rehearse_program(str(savepoint), program, **options)


@command(
    "plan",
    "give one verdict before a deploy; exit code 0: deploy, 1: do not deploy, 3: not everything "
    "could be checked",
    argument(
        "new",
        metavar="NEW",
        nargs="?",
        help="a document, - for stdin, a program, a FlinkDeployment or a FlinkSessionJob, a job's "
        "address; or write the command line of flink run after --",
    ),
    TARGET,
    OLD_TARGET,
    argument(
        "--from",
        dest="old",
        metavar="OLD",
        help="the baseline: anything that NEW may be, a savepoint, or git:REVISION for NEW's path "
        "at that revision",
    ),
    argument(
        "-s",
        "--savepoint",
        "--fromSavepoint",
        metavar="PATH",
        help="the savepoint that NEW starts from",
    ),
    RELEASE,
    MATCHES,
    argument(
        "-n",
        "--allow-non-restored",
        "--allowNonRestoredState",
        action="store_true",
        help="like Flink's --allowNonRestoredState: drop state that belongs to no operator",
    ),
    argument(
        "--rehearse",
        action="store_true",
        help="also restore the savepoint with Flink's own classes; NEW must be a program",
    ),
    USE,
    argument(
        "--autoscale",
        action="store_true",
        help="also compute what the Kubernetes operator's autoscaler would choose from the figures "
        "of a running job, which NEW or OLD must be; -D job.autoscaler.KEY=VALUE sets its options",
    ),
    ACCEPT_UNCHECKED,
    argument("--details", action="store_true", help="text: all lines of every section"),
    argument("--format", choices=FORMATS, default="text", help="default: text"),
    usage="%(prog)s NEW [options] [-- ARGS...], or %(prog)s [options] -- flink run ...",
)
def _plan(args: argparse.Namespace) -> int:
    apply_flink_run(args)
    if args.new is None:
        msg = "name NEW, or write the command line of flink run after --"
        raise UsageError(msg)
    result = _read_stored_plan(args.new) or plan(
        args.new,
        old=args.old,
        savepoint=args.savepoint,
        flink_version=args.flink,
        old_flink_version=args.from_flink,
        configuration=dict(args.config),
        rehearse=args.rehearse,
        only_open=args.only_open,
        records=args.records,
        allow_non_restored=args.allow_non_restored,
        matches=dict(args.match),
        autoscale=args.autoscale,
        target=target_options(args),
        old_target=old_target_options(args, args.old),
    )
    if args.format == "text":
        print_plan(result, sys.stdout, details=args.details)
    else:
        print_text(FORMATS[args.format](result))
    return result.exit_code(accept_unchecked=args.accept_unchecked)


def _read_stored_plan(path: str) -> Plan | None:
    file = Path(path)
    if file.suffix.lower() != ".json" or not file.is_file():
        return None
    from explorer.plans.reading import MAX_PLAN, is_plan, plan_from_values

    content = file.read_bytes() if file.stat().st_size <= MAX_PLAN else b""
    if not all(name in content for name in (b'"verdict"', b'"sections"')):
        return None
    with suppress(msgspec.DecodeError, RecursionError):
        values = msgspec.json.decode(content)
        return plan_from_values(values) if is_plan(values) else None
    return None
