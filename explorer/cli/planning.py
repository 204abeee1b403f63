"""``plan``: one verdict before a deploy, from OLD, NEW and a savepoint."""

import argparse
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from explorer.analysis.plan import Plan, PlanRequest, make_plan
from explorer.cli.command import (
    MATCHES,
    NEW,
    RELEASE,
    argument,
    baseline_at,
    command,
    document_at,
    options_argument,
    print_text,
)
from explorer.errors import ExplorerError

if TYPE_CHECKING:
    from explorer.analysis.baseline import Baseline


def _markdown(found: Plan) -> str:
    from explorer.analysis.plan.markdown import plan_markdown

    return plan_markdown(found)


def _html(found: Plan) -> str:
    from explorer.drawing.plan_html import plan_html

    return plan_html(found)


def _github(found: Plan) -> str:
    from explorer.analysis.plan.reports import github_plan

    return github_plan(found)


def _sarif(found: Plan) -> str:
    from explorer.analysis.plan.reports import sarif_plan

    return sarif_plan(found)


def _json(found: Plan) -> str:
    from explorer.analysis.checks.reporting import to_json

    return to_json(found.to_dict())


def _text(found: Plan) -> str:
    from explorer.analysis.plan.text import plan_text

    return plan_text(found)


FORMATS: Final[Mapping[str, Callable[[Plan], str]]] = {
    "text": _text,
    "markdown": _markdown,
    "html": _html,
    "json": _json,
    "github": _github,
    "sarif": _sarif,
}
"""By name, what makes a plan's text; each loads its own modules."""


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
    allow_non_restored: bool = False,
    matches: Mapping[str, str] | None = None,
) -> Plan:
    """The plan of deploying ``new`` in place of ``old``.

    Args:
        new: A document, its path, a .jar, a .sql or a .py, a job's address.
        old: The same or a savepoint; None: a first deployment, or the savepoint's program.
        savepoint: The savepoint that NEW starts from: its folder or its ``_metadata`` file.
        artifacts: By URI, the local path of a jar that a Kubernetes resource names.
        flink_version: NEW's release; default: its own.
        old_flink_version: OLD's release; default: its own, else NEW's.
        configuration: Options of the cluster that win over NEW's own.
        rehearse: Restore the savepoint with Flink's own classes too; needs a savepoint and a
            program.
        allow_non_restored: As ``--allowNonRestoredState``.
        matches: By operator of OLD, the new operator that it is.

    Raises ``ExplorerError`` where a side cannot be read or OLD does not compile.
    """
    from explorer.analysis.baseline import baseline_of
    from explorer.documents import as_document
    from explorer.flink import releases

    for version in (flink_version, old_flink_version):
        releases.release(version or releases.LATEST)
    named = isinstance(new, str | Path)
    document = document_at(str(new), flink_version) if named else as_document(new)
    baseline = _baseline(old, savepoint, old_flink_version, flink_version or document.flink)
    if baseline is None:
        baseline = baseline_of(document)
    request = PlanRequest(
        flink_version=flink_version,
        allow_non_restored=allow_non_restored,
        matches=matches or {},
        options=configuration or {},
        rehearsal=_rehearsal(
            new, savepoint, configuration or {}, flink_version or document.flink or releases.LATEST
        )
        if rehearse
        else None,
        read_from=str(new) if named else document.name,
    )
    return make_plan(document, baseline, request)


def _baseline(
    old: Any, savepoint: str | Path | None, release: str | None, otherwise: str | None
) -> "Baseline | None":
    """OLD and the savepoint as one baseline; None where neither is given."""
    from explorer.analysis.baseline import pinned
    from explorer.analysis.restore import old_side

    side = None
    if old is not None:
        named = isinstance(old, str | Path)
        side = baseline_at(str(old), release, otherwise) if named else old_side(old)
        side = pinned(side, release, replace=True) if release else side
    if savepoint is None:
        return side
    saved = old_side(savepoint)
    if saved.savepoint is None:
        msg = f"{savepoint} is no savepoint: give its folder or its _metadata file"
        raise ExplorerError(msg)
    return saved if side is None else msgspec.structs.replace(side, savepoint=saved.savepoint)


def _rehearsal(
    new: Any, savepoint: str | Path | None, configuration: Mapping[str, object], release: str
) -> dict[str, Any]:
    """Restore the savepoint into NEW with the classes of that Flink release."""
    from explorer.capture.installation import find_installation
    from explorer.rehearsal import rehearse

    if savepoint is None or not isinstance(new, str | Path):
        msg = "a rehearsal needs a savepoint and a program: give --savepoint PATH and a .jar"
        raise ExplorerError(msg)
    found = rehearse(
        str(savepoint),
        str(new),
        flink_lib=find_installation(None, release).folder,
        configuration={key: str(value) for key, value in configuration.items()},
    )
    return found.to_dict()


@command(
    "plan",
    "one verdict before a deploy: 0 deploy, 1 do not deploy, 3 not everything could be checked",
    NEW,
    argument(
        "--from",
        dest="old",
        metavar="OLD",
        help="what is deployed: a document, a program, a savepoint or a job's address",
    ),
    argument("--savepoint", metavar="PATH", help="the savepoint that NEW starts from"),
    RELEASE,
    argument(
        "--from-flink",
        metavar="RELEASE",
        help="the Flink release of OLD; default: the one that OLD names, else NEW's",
    ),
    MATCHES,
    options_argument("--config", "an option of the new cluster by Flink's own name"),
    argument(
        "--allow-non-restored",
        action="store_true",
        help="as --allowNonRestoredState: state that no operator takes is dropped",
    ),
    argument(
        "--rehearse",
        action="store_true",
        help="also restore the savepoint with Flink's own classes; NEW is a program",
    ),
    argument(
        "--accept-unchecked",
        action="store_true",
        help="exit with 0 where nothing is refused and not everything could be checked",
    ),
    argument("--details", action="store_true", help="text: all lines of every section"),
    argument("--format", choices=FORMATS, default="text", help="default: text"),
)
def _plan(args: argparse.Namespace) -> int:
    found = _stored(args.new) or plan(
        args.new,
        old=args.old,
        savepoint=args.savepoint,
        flink_version=args.flink,
        old_flink_version=args.from_flink,
        configuration=dict(args.config),
        rehearse=args.rehearse,
        allow_non_restored=args.allow_non_restored,
        matches=dict(args.match),
    )
    _print(found, args.format, details=args.details)
    return found.exit_code(accept_unchecked=args.accept_unchecked)


def _stored(path: str) -> Plan | None:
    """The plan that a JSON file holds; None where NEW is something else."""
    file = Path(path)
    if file.suffix.lower() != ".json" or not file.is_file():
        return None
    from explorer.analysis.plan.reading import MAX_PLAN, is_plan, plan_from_values

    content = file.read_bytes() if file.stat().st_size <= MAX_PLAN else b""
    if not all(name in content for name in (b'"verdict"', b'"sections"')):
        return None
    with suppress(msgspec.DecodeError, RecursionError):
        values = msgspec.json.decode(content)
        return plan_from_values(values) if is_plan(values) else None
    return None


def _print(found: Plan, form: str, *, details: bool) -> None:
    """Print the plan in the form that was asked for; text has colours on a terminal."""
    from explorer.analysis.plan.text import plan_text, print_plan

    if form == "text" and sys.stdout.isatty():
        print_plan(found, sys.stdout, details=details)
    elif form == "text":
        print_text(plan_text(found, details=details))
    else:
        print_text(FORMATS[form](found))
