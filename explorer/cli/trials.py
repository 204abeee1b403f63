"""``trial``, ``preview`` and ``ui``: a document at work on Spark or at once, and the page."""

import argparse
import os
import signal
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import msgspec

from explorer.cli.command import (
    ARTIFACTS,
    DATA,
    DOCUMENT,
    FORMAT,
    FROM_FLINK,
    JOB,
    PROGRAM,
    RELEASE,
    Argument,
    argument,
    baseline_at,
    command,
    document_argument,
    document_at,
    either,
    folder_of,
    naming_data_folder,
    print_found,
    reader,
    repeated,
    settings_argument,
    warn,
    whole,
)
from explorer.cli.inputs.target_arguments import target_options
from explorer.cli.report_text import FIRST_ROWS, report_text
from explorer.cli.synthetic_figures import SYNTHETIC, with_figures
from explorer.engine.rows.sources.columns import prepare_forks
from explorer.errors import PortInUseError, TrialError
from explorer.extras import require
from explorer.flink.compiler import Compilation, compile_program
from explorer.locations import (
    BASELINE_RELEASE_VARIABLE,
    BASELINE_VARIABLE,
    LOOPBACK,
    PLAYGROUND_VARIABLE,
    PUBLIC_VARIABLE,
    app_file,
)
from explorer.rest.addresses import VARIABLE, Address, ClusterError, join_addresses, named_cluster
from explorer.targets.target_options import TargetOptions

if TYPE_CHECKING:
    from explorer.engine.spark.spark_settings import SparkTarget
    from explorer.engine.spark.trial_runs import Trial
    from explorer.engine.steps.planned import OutputFolder

_MOST_ROWS: Final = 20_000
"""Of each source: a preview is for a glance."""
_MOST_ROUNDS: Final = 50
_LAST_PORT: Final = 65_535
PAGE_SERVER: Final = "components.serve"
"""The module that serves the page, started by its name since the page stands above us."""
ANYWHERE: Final = frozenset({"0.0.0.0", "::", ""})  # noqa: S104 - compared, not listened on
"""Hosts that mean all addresses of this machine, and that no browser requests."""


SPARK: Final = (
    argument(
        "--master",
        metavar="URL",
        default="local[2]",
        help="the Spark master: local[N], spark://HOST:7077, yarn, k8s://https://HOST:PORT; "
        "default: local[2]",
    ),
    settings_argument(
        "--conf",
        "a Spark setting, which overrides spark-defaults.conf and our defaults; may be repeated",
        "is no setting: write KEY=VALUE, as spark.executor.memory=4g",
    ),
    argument(
        "--properties-file",
        metavar="FILE",
        help="settings of Spark for a cluster, in place of $SPARK_CONF_DIR/spark-defaults.conf",
    ),
)
"""Where a trial runs."""


class _PackEnvironment(argparse.Action):
    """Packs the workers' libraries and ends the program, as ``--help`` does."""

    def __call__(self, parser: argparse.ArgumentParser, *given: Any) -> None:
        """Write the archive and print the options that use it."""
        from explorer.engine.spark.packing import pack_environment, supported_workers

        archive = Path(str(given[1]))
        try:
            settings = pack_environment(archive)
        except TrialError as error:
            parser.exit(1, f"{error}\n")
        size = archive.stat().st_size // 1024**2
        sys.stdout.write(
            f"{archive}: {size} MiB, for workers of {supported_workers()}; use it with\n"
        )
        sys.stdout.writelines(f"  --conf {key}={value}\n" for key, value in settings.items())
        parser.exit()


def _in_turns(option: str, noun: str) -> Argument:
    return argument(
        option,
        type=whole(f"no number of rounds: 1 to {_MOST_ROUNDS}", _MOST_ROUNDS),
        nargs="?",
        const=0,
        metavar="ROUNDS",
        help=f"run the job {noun} in turns, and print median, minimum and maximum of ROUNDS "
        f"rounds, 1 to {_MOST_ROUNDS}; default: 5",
    )


def _target(args: argparse.Namespace) -> "SparkTarget":
    from explorer.engine.spark.spark_settings import spark_target

    return spark_target(args.master, dict(args.conf), args.properties_file)


@command(
    "trial",
    document_argument("file"),
    ARTIFACTS,
    JOB,
    PROGRAM,  # without --conf, which is Spark's here
    RELEASE,
    DATA,
    argument(
        "--output",
        metavar="DIR",
        help="the folder for the files of sinks with write.path, also a URL such as s3a://bucket/out;"
        " default: the document's folder",
    ),
    *SPARK,
    argument(
        "--pack-environment",
        metavar="ARCHIVE",
        action=_PackEnvironment,
        help="write the Python libraries that workers need to ARCHIVE (.tar.gz), print the "
        "options that ship them, and exit",
    ),
    either(
        _in_turns("--compare-chaining", "chained and unchained"),
        _in_turns(
            "--compare-object-reuse",
            "with records copied between operators of a task, and with object reuse,",
        ),
    ),
    *SYNTHETIC,
    FORMAT,
)
def _trial(args: argparse.Namespace) -> None:
    document = with_figures(document_at(args.file, target_options(args)), args.synthetic, args.like)
    compilation = compile_program(document, args.flink)
    # From here on Spark starts, and what follows is loaded and planned meanwhile.
    from explorer.engine.spark.queue import QUEUE

    QUEUE.prepare(_target(args))
    if args.compare_chaining is not None or args.compare_object_reuse is not None:
        from explorer.cli.comparing import compare

        under = document.under(args.flink) if args.flink else document
        compare(args, under, lambda item: _start_trial(args, item, limit=0))
        return
    from explorer.cli.watching import watch
    from explorer.engine.report.gathering import partial_sinks
    from explorer.engine.starting import output_folder

    trial = _start_trial(args, compilation, output_folder(args.output or Path(args.file).parent))
    warn(trial.warnings)
    watch(trial)
    report = trial.outcome()
    # A report as text shows the first rows, and names them so.
    partial = () if args.format == "json" else partial_sinks(report.sinks)
    reported = {*trial.warnings, *partial}
    warn(tuple(warning for warning in report.warnings if warning not in reported))
    print_found(args, report.to_dict, lambda: report_text(report))


def _start_trial(
    args: argparse.Namespace,
    compilation: Compilation,
    output: "OutputFolder | None" = None,
    *,
    limit: int = FIRST_ROWS,
) -> "Trial":
    """Start a trial; ``limit``: how many rows of a sink a report as text has."""
    from explorer.engine.starting import ROW_LIMIT, accepts_urls, start_trial

    target = _target(args)
    with naming_data_folder(args):
        return start_trial(
            compilation,
            data_dir=args.data_dir or folder_of(args),
            target=target,
            limit=ROW_LIMIT if args.format == "json" else limit,
            output=output,
            urls=accepts_urls(target, args.data_dir),
        )


@command(
    "preview",
    *DOCUMENT,
    DATA,
    argument(
        "--rows",
        type=whole(f"no number of rows: 1 to {_MOST_ROWS:,}", _MOST_ROWS),
        default=1000,
        metavar="N",
        help=f"how many rows of each source, 1 to {_MOST_ROWS:,}; default: 1,000",
    ),
    FORMAT,
)
def _preview(args: argparse.Namespace) -> None:
    prepare_forks()
    from explorer.engine.preview.preview import preview_trial, rows_read

    compilation = compile_program(document_at(args.file, target_options(args)), args.flink)
    with naming_data_folder(args):
        preview = preview_trial(compilation, data_dir=folder_of(args), rows=args.rows)
    warn(preview.report.warnings)
    print_found(
        args,
        preview.to_dict,
        lambda: f"{report_text(preview.report)}\n{rows_read(preview.cut, args.rows)}",
    )


def _cluster(text: str) -> Address:
    try:
        return named_cluster(text)
    except ClusterError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _playground(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"} or not parts.netloc or parts.query or parts.fragment:
        raise ValueError(text)
    return text


@command(
    "ui",
    argument(
        "--port",
        type=whole(f"no port: 1 to {_LAST_PORT}", _LAST_PORT),
        default=8501,
        help="default: 8501",
    ),
    argument(
        "--baseline",
        metavar="SAVEPOINT|OLD",
        help="the baseline of documents that have none of their own",
    ),
    FROM_FLINK,
    argument("--host", default="127.0.0.1", help="default: 127.0.0.1, this machine only"),
    *SPARK,
    repeated(
        "--flink",
        metavar="URL",
        type=_cluster,
        help="a Flink cluster that the page may ask for its jobs, as http://HOST:8081; as "
        "often as needed, and no other is asked",
    ),
    argument(
        "--address",
        metavar="NAME",
        help="the name under which browsers reach the page, behind a proxy; default: the host",
    ),
    repeated(
        "--allow-host",
        metavar="NAME",
        help="a further name under which the page answers; without one, those of this machine, "
        "the host and the address",
    ),
    argument(
        "--playground",
        metavar="URL",
        type=reader(
            _playground, "is no address of a playground: an http or https URL without ? and #"
        ),
        help="where the folder of make playground is served: Share makes links to it",
    ),
    argument(
        "--public",
        action="store_true",
        help="for the public: previews in place of trials, no data uploads, no clusters, "
        "fewer edges",
    ),
)
def _ui(args: argparse.Namespace) -> None:
    """Become the page's server, so that a signal to this process ends the page."""
    from explorer.engine.spark import workspace
    from explorer.engine.spark.spark_settings import VARIABLE as SPARK_VARIABLE

    require("page")
    _refuse_used_port(args.host, args.port)
    target = _target(args)
    if args.baseline is not None:
        # Read here, so that a bad one is refused before the page is there.
        baseline_at(args.baseline, TargetOptions(release=args.from_flink))
        os.environ[BASELINE_VARIABLE] = str(Path(args.baseline).absolute())
        if args.from_flink is not None:
            os.environ[BASELINE_RELEASE_VARIABLE] = args.from_flink
    host = f"[{args.host}]" if ":" in args.host else args.host
    sys.stderr.write(f"The page is on http://{host}:{args.port} (Ctrl+C ends it)\n")
    workspace.sweep()
    # -P: a module beside the caller must not stand in for one of ours.
    server = [sys.executable, "-P", "-m", PAGE_SERVER, str(app_file())]
    address = args.address or ("127.0.0.1" if args.host in ANYWHERE else args.host)
    options = [f"--server.address={args.host}", f"--server.port={args.port}"]
    names = dict.fromkeys((*LOOPBACK, args.host, address, *args.allow_host))
    options += [f"--server.allowedHosts={name}" for name in names if name not in ANYWHERE]
    options += [f"--browser.serverAddress={address}", "--logger.hideWelcomeMessage=true"]
    reported = {VARIABLE: "" if args.public else join_addresses(args.flink)}
    reported |= {PUBLIC_VARIABLE: "1"} if args.public else {}
    reported |= {PLAYGROUND_VARIABLE: args.playground} if args.playground else {}
    reported |= {SPARK_VARIABLE: msgspec.json.encode(target).decode()}
    # Ctrl-C waits until the server can end without a traceback: components.serve unblocks it.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    os.execve(  # noqa: S606 - it is our own interpreter
        sys.executable,
        [*server, *options],
        os.environ | reported,
    )


def _refuse_used_port(host: str, port: int) -> None:
    """Refuse an address that cannot be listened on, before Streamlit does so at length."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        reason = (error.strerror or str(error)).split(" (")[0]
        raise PortInUseError(host, port, reason) from error
