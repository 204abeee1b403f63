"""``plan``: one verdict before a deploy, from OLD, NEW and a savepoint."""

import argparse
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from explorer.cli.command import (
    ACCEPT_UNCHECKED,
    MATCHES,
    OLD_TARGET,
    RELEASE,
    TARGET,
    USE,
    argument,
    command,
    formats,
    print_text,
)
from explorer.cli.inputs.flink_run import apply_flink_run
from explorer.cli.inputs.target_arguments import old_target_options, target_options
from explorer.errors import UsageError
from explorer.plans import Plan
from explorer.plans.text import plan_text, print_plan
from explorer.targets.deploy_plan import plan


def _html(result: Plan) -> str:
    from explorer.drawing.html.plan_html import plan_html

    return plan_html(result)


def _markdown(result: Plan) -> str:
    from explorer.drawing.text.plan_mermaid import plan_diagram
    from explorer.plans.markdown import plan_markdown

    return plan_markdown(result, plan_diagram(result.changed_graph))


def _json(result: Plan) -> str:
    from explorer.checks.reporting import to_json

    return to_json(result.to_dict())


def _github(result: Plan) -> str:
    from explorer.plans.reports import github_plan

    return github_plan(result)


def _sarif(result: Plan) -> str:
    from explorer.plans.reports import sarif_plan

    return sarif_plan(result)


FORMATS: Final[Mapping[str, Callable[[Plan], str]]] = {
    "text": plan_text,
    "markdown": _markdown,
    "html": _html,
    "json": _json,
    "github": _github,
    "sarif": _sarif,
}
"""The writer of each format."""


@command(
    "plan",
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
    formats(*FORMATS),
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
