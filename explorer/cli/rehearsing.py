"""``rehearse``: restore a savepoint into a program with Flink's own classes."""

import argparse
from typing import Final

from explorer.cli.capturing import TIMEOUT
from explorer.cli.command import (
    ACCEPT_UNCHECKED,
    ALLOW_NON_RESTORED,
    FORMAT,
    FROM_FLINK,
    RELEASE,
    TARGET,
    USE,
    argument,
    command,
    print_found,
    warn,
)
from explorer.cli.inputs.target_arguments import new_target_options

EXIT_CODES: Final = {"restored": 0, "refused": 1, "incomplete": 3}
"""By verdict."""


@command(
    "rehearse",
    argument("savepoint", metavar="SAVEPOINT", help="a savepoint's folder or its _metadata file"),
    argument(
        "target",
        metavar="TARGET",
        help="a .jar, a .sql, a .py, with --class a class path, a FlinkDeployment or a "
        "FlinkSessionJob (- for stdin), or git:REVISION:PATH",
    ),
    TARGET,
    RELEASE,
    FROM_FLINK,
    TIMEOUT,
    USE,
    ALLOW_NON_RESTORED,
    ACCEPT_UNCHECKED,
    FORMAT,
    usage="%(prog)s SAVEPOINT TARGET [options] [-- ARGS...]",
)
def _rehearse(args: argparse.Namespace) -> int:
    from explorer.restore.rehearsal_text import rehearsal_text
    from explorer.targets.target import program_at, refuse_job, rehearse_program

    with program_at(args.target, new_target_options(args, args.savepoint)) as program:
        refuse_job(program)
        warn(program.notes)
        rehearsal = rehearse_program(
            args.savepoint,
            program,
            timeout=args.timeout,
            allow_non_restored=args.allow_non_restored,
            old_flink_version=args.from_flink,
            only_open=args.only_open,
            records=args.records,
        )
    print_found(args, rehearsal.to_dict, lambda: rehearsal_text(rehearsal))
    accepted = args.accept_unchecked and rehearsal.verdict == "incomplete"
    return 0 if accepted else EXIT_CODES[rehearsal.verdict]
