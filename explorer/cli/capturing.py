"""``capture``: a jar, a SQL or PyFlink script, or a cluster's job becomes a document."""

import argparse
import json
import re
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, Final

from explorer.cli.command import (
    TARGET,
    argument,
    command,
    document_at,
    formats,
    print_found,
    print_json,
    reader,
    say_check,
    warn,
)
from explorer.cli.inputs.target_arguments import target_options
from explorer.documents import document_values, load_document
from explorer.documents.text.writing import write_file
from explorer.drawing.view.one_line import shortened
from explorer.errors import ExplorerError, UsageError
from explorer.explain.flink_check import check_against_flink
from explorer.flink.compiler import compile_program
from explorer.rest.addresses import ClusterError, is_address, read_address
from explorer.targets.captured_jobs import job_called, only_job
from explorer.targets.target_options import DOCUMENT_ENDINGS, is_revision
from explorer.wording import counted, quoted

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_NAME: Final = 80
"""Characters of a job's name that its file's name contains."""
_JOB_NAME: Final = 40
"""Characters of a job's name in a list."""
_LISTED_JOBS: Final = 10
_LAST_SECOND: Final = 253_402_300_799
"""The last second of the year 9999: a cluster may report nonsense times."""


def _seconds(text: str) -> float:
    if not 0 < float(text) < float("inf"):
        raise ValueError(text)
    return float(text)


TIMEOUT: Final = argument(
    "--timeout",
    metavar="SECONDS",
    type=reader(_seconds, "is no time: it is a number of seconds above 0"),
    default=60,
)


@command(
    "capture",
    argument(
        "target",
        metavar="TARGET",
        help="a .jar, a .sql, a .py, a file with a FlinkDeployment or a FlinkSessionJob (- for "
        "stdin), with --class a class path, or http://HOST:8081 to list a "
        "cluster's jobs and http://HOST:8081/jobs/ID to read one; arguments after -- go to the "
        "program",
    ),
    TARGET,
    argument(
        "--flink",
        metavar="RELEASE",
        help="the Flink release to capture with; default: the one that the program was built for, "
        "else the newest",
    ),
    TIMEOUT,
    argument(
        "--allow-ddl",
        action="store_true",
        help="let a SQL script change catalogs, files and tables as Flink's SQL client does; "
        "without it catalogs are only read, CREATE, ALTER and DROP change memory, and TRUNCATE, "
        "DELETE, UPDATE, CALL, ANALYZE, COMPILE PLAN and STOP JOB are refused; the script runs "
        "outside the sandbox",
    ),
    argument("--out", metavar="FILE|DIR", help="write here; of several jobs each a file"),
    formats("text", "json", of="a cluster's jobs; a document is JSON in both"),
    usage="%(prog)s TARGET [options] [-- ARGS...]",
)
def _capture(args: argparse.Namespace) -> None:
    if is_address(args.target):
        if args.flink is not None:
            msg = "--flink has no effect here: a running job has the release of its cluster"
            raise UsageError(msg)
        if args.job is None and args.out is None and read_address(args.target)[1] is None:
            _print_jobs(args)
            return
        args.target, args.job = _job_address(args.target, args.job, timeout=args.timeout), None
    documents = _documents(args)
    chosen = documents if args.job is None else [job_called(documents, args.job)]
    if args.out is None:
        print_json(only_job(chosen, "the program", "write all with --out DIR"))
    else:
        for file, document in _files(chosen, Path(args.out)):
            text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
            write_file(file, text, parents=True)
    for document in chosen:
        _check(document)


def _print_jobs(args: argparse.Namespace) -> None:
    """Print the cluster's jobs: state, name, start and the address that selects each."""
    from explorer.rest.jobs import jobs_of

    address, _ = read_address(args.target)
    jobs = [
        {
            "state": job.state,
            "name": job.name,
            "start": _moment(job.start_time),
            "address": f"{address}/jobs/{job.id}",
        }
        for job in jobs_of(address, timeout=args.timeout)
    ]
    lines = (
        f"{job['state']:<12}{shortened(job['name'], _JOB_NAME):<{_JOB_NAME + 2}}"
        f"{job['start']:<21}{job['address']}"
        for job in jobs
    )
    head = f"{address} has {counted(len(jobs), 'job')}"
    print_found(args, lambda: jobs, lambda: "\n".join((head, *lines)))


def _moment(milliseconds: int) -> str:
    start = datetime.fromtimestamp(min(max(milliseconds // 1000, 0), _LAST_SECOND), UTC)
    return start.strftime("%Y-%m-%d %H:%M:%SZ")


def _job_address(target: str, job: str | None, *, timeout: float) -> str:
    """Return the address of the job with a name or ID; without one, the target itself."""
    from explorer.rest.jobs import jobs_of, names_of

    address, id = read_address(target)
    if job is None or id is not None:
        return target
    jobs = jobs_of(address, timeout=timeout)
    named = [job_entry for job_entry in jobs if job in {job_entry.id, job_entry.name}]
    running = [entry for entry in named if not entry.has_ended] or named
    if len(running) != 1:
        problem = "there is no job" if not named else "several jobs are named"
        names = names_of(jobs, _LISTED_JOBS)
        msg = f"{problem} {quoted(job)} on {address}; its jobs are {names}: give an ID"
        raise ClusterError(msg)
    return f"{address}/jobs/{running[0].id}"


def _documents(args: argparse.Namespace) -> list[dict[str, Any]]:
    from explorer.capture import capture
    from explorer.targets.target import flink_folder

    options = target_options(args)
    is_document = args.target == "-" or args.target.lower().endswith(DOCUMENT_ENDINGS)
    if is_document or is_revision(args.target):
        document = document_at(args.target, options)
        args.job = None  # it was the resource's name
        return [document_values(document)]
    with _progress(args.target):
        return capture(
            args.target,
            args.passed_on,
            flink_lib=flink_folder(args.target, options),
            main_class=args.main_class,
            classpath=args.classpath,
            parallelism=args.parallelism,
            configuration={**options.base(), **options.configuration},
            python=args.python,
            timeout=args.timeout,
            allow_ddl=args.allow_ddl,
            with_network=args.with_network,
            without_sandbox=args.without_sandbox,
            allow_read=args.allow_read or (),
        )


@contextmanager
def _progress(target: str) -> Iterator[None]:
    """Report on standard error a capture that lasts longer than a second."""
    starts = "Flink starts, and the program runs up to its jobs"
    activity = "its cluster is asked" if is_address(target) else starts
    text = f"{quoted(target)}: {activity} ..."
    timer = threading.Timer(1, lambda: sys.stderr.write(f"{text}\n"))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _files(
    documents: Sequence[Mapping[str, Any]], out: Path
) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Assign one job to the file ``out``, or each job to a file of its own in that folder."""
    if len(documents) == 1 and not out.is_dir():
        yield out, documents[0]
        return
    if out.is_file():
        msg = f"{quoted(str(out))} is a file, and the jobs are {len(documents)}: name a folder"
        raise ExplorerError(msg)
    names = [_UNSAFE.sub("-", values["name"]).strip("-.")[:_LONGEST_NAME] for values in documents]
    for name, document in zip(
        _numbered_names([name or "job" for name in names]), documents, strict=True
    ):
        yield out / f"{name}.json", document


def _numbered_names(names: Sequence[str]) -> list[str]:
    """Append a number to each name that occurs several times.

    >>> _numbered_names(["a", "b", "a", "a-1"])
    ['a-2', 'b', 'a-3', 'a-1']
    """
    counts, used_names, result = Counter(names), set(names), []
    for name in names:
        candidates = (f"{name}-{number}" for number in count(1))
        one = (
            name
            if counts[name] == 1
            else next(candidate for candidate in candidates if candidate not in used_names)
        )
        used_names.add(one)
        result.append(one)
    return result


def _check(document: Mapping[str, Any]) -> None:
    """Print the document's warnings, and whether it is translated as Flink does."""
    loaded = load_document(document)
    try:
        compilation = compile_program(loaded)
    except ExplorerError as error:
        warn((f"{quoted(loaded.name)} cannot be translated: {error}",))
        return
    warn(compilation.warnings)
    say_check(check_against_flink(compilation, loaded))
