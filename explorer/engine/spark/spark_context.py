"""The start and end of Spark's JVM and context."""

import atexit
import logging
import os
import pickle
import site
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from explorer.engine.spark import workspace
from explorer.engine.spark.class_archive import archive_options
from explorer.engine.spark.failures import reason_of
from explorer.engine.spark.practice import practice_job
from explorer.engine.spark.spark_settings import (
    DRIVER_JAVA_OPTIONS,
    LOOPBACK,
    SparkTarget,
    context_settings,
)
from explorer.engine.spark.workers import MODULE, PRACTICE
from explorer.errors import TrialError
from explorer.locations import PARENT

_NO_REASON: Final = "Error initializing SparkContext."
"""An error in Spark's log with its reason in the following exception."""
_WORKER_PATH: Final = "spark.executorEnv.PYTHONPATH"
_LAUNCHING: Final = threading.Lock()
"""Held while the JVM is launched, so that the end of this process waits for it."""


def active_context() -> Any:
    """The active context of this process, if the caller started one."""
    from pyspark import SparkContext

    forget_dead_gateway()
    context = SparkContext._active_spark_context
    if context is not None and context._jsc.sc().isStopped():
        context.stop()
        return None
    return context


def is_active(context: Any) -> bool:
    """Whether this is PySpark's active context in this process."""
    from pyspark import SparkContext

    return context is SparkContext._active_spark_context


def session_target(session: Any) -> SparkTarget:
    """The target of a caller's session; raises ``TrialError`` for an unsupported session."""
    if type(session).__module__.startswith("pyspark.sql.connect"):
        msg = (
            "a Spark Connect session cannot run a trial: its client has no access to shuffles; "
            "pass a classic SparkSession, as SparkSession.builder.master(URL).config("
            "'spark.api.mode', 'classic').getOrCreate() makes one, or name the cluster by master="
        )
        raise TrialError(msg)
    context = getattr(session, "sparkContext", None)
    if context is None or getattr(context, "_jsc", None) is None:
        msg = f"spark is a {type(session).__name__}, not a running classic SparkSession"
        raise TrialError(msg)
    return SparkTarget(master=str(context.master))


def start(target: SparkTarget, folder: Path) -> Any:
    """Start a new context; raises ``TrialError``."""
    from pyspark import SparkConf, SparkContext

    settings = context_settings(target, folder)
    if target.is_local:
        settings |= _daemon_settings(folder) | _import_settings(settings)
    log = folder / "spark.log"
    try:
        if SparkContext._gateway is None:
            _launch(settings, log)
        gateway: Any = SparkContext._gateway
        conf = SparkConf(loadDefaults=False, _jvm=gateway.jvm).setAll(list(settings.items()))
        context = SparkContext(conf=conf, gateway=gateway)
    except Exception as error:  # noqa: BLE001 - whatever it is, no trial can run
        forget_dead_gateway()
        raise TrialError(start_problem(target.master, log, error)) from None
    python = settings.get("spark.pyspark.python")
    if python is None and not target.is_local:
        python = os.environ.get("PYSPARK_PYTHON")
    context.pythonExec = python or sys.executable
    # The listener prints no stack when the JVM has ended: the trial reports it.
    listener: Any = context._accumulatorServer
    listener.handle_error = lambda *_: None
    context.setLogLevel("ERROR")
    return context


def _daemon_settings(folder: Path) -> dict[str, str]:
    """Let Spark fork its Python workers from our daemon, which runs a practice job first."""
    practice = folder / "practice"
    practice.write_bytes(pickle.dumps(practice_job()))
    return {"spark.python.daemon.module": MODULE, f"spark.executorEnv.{PRACTICE}": str(practice)}


def _import_settings(settings: Mapping[str, str]) -> dict[str, str]:
    """Let workers import this ``explorer``, and no package of the current folder with its name."""
    named = settings.get(_WORKER_PATH)
    own = None if str(PARENT) in site.getsitepackages() else str(PARENT)
    path = os.pathsep.join(filter(None, (own, named)))
    return {"spark.executorEnv.PYTHONSAFEPATH": "1"} | ({_WORKER_PATH: path} if path else {})


def _launch(settings: dict[str, str], log: Path) -> None:
    """Launch the JVM for all contexts of this process; it ends with the process."""
    from pyspark import SparkConf, SparkContext
    from pyspark.find_spark_home import _find_spark_home
    from pyspark.java_gateway import launch_gateway

    launch: Any = launch_gateway
    archive, left = archive_options(Path(_find_spark_home()) / "jars")
    # The JVM is killed at the end, so it cannot remove its temporary files.
    temporary = f"-Djava.io.tmpdir={workspace.make('jvm')}"
    java = {DRIVER_JAVA_OPTIONS: f"{temporary} {settings[DRIVER_JAVA_OPTIONS]} {archive}"}
    conf = SparkConf(loadDefaults=False).setAll(list((_jvm_settings(settings) | java).items()))
    logging.getLogger().addFilter(_is_not_py4js)
    with _LAUNCHING, _spark_local_ip(settings), log.open("wb") as output:
        gateway = launch(conf, {"stdout": output, "stderr": output})
        gateway.of_trials, gateway.may_leave_archive, gateway.leaves_archive = True, left, False
        SparkContext._gateway, SparkContext._jvm = gateway, gateway.jvm


def _jvm_settings(settings: Mapping[str, str]) -> dict[str, str]:
    """The settings for ``spark-submit``, which apply to every later context, too.

    For YARN and Kubernetes ``spark-submit`` prepares class paths and archives. For a local master
    it needs only the driver's settings, and a caller's later session inherits nothing else.
    """
    if not settings["spark.master"].startswith("local"):
        return dict(settings)
    return {key: value for key, value in settings.items() if key.startswith("spark.driver.")}


@contextmanager
def _spark_local_ip(settings: Mapping[str, str]) -> Iterator[None]:
    """Keep the JVM of a local master from looking up this machine's host name."""
    variable = "SPARK_LOCAL_IP"
    if settings.get("spark.driver.host") != LOOPBACK or variable in os.environ:
        yield
        return
    os.environ[variable] = LOOPBACK
    try:
        yield
    finally:
        del os.environ[variable]


@atexit.register
def _end_with_this_process() -> None:
    """End the JVM that this module launched or launches."""
    with _LAUNCHING:
        # A command may end with an error while another thread still imports PySpark.
        context = getattr(sys.modules.get("pyspark"), "SparkContext", None)
        gateway: Any = getattr(context, "_gateway", None)
        if not getattr(gateway, "of_trials", False):
            return
        if gateway.leaves_archive:
            # Let the JVM end by itself and write its loaded classes, which lasts seconds.
            gateway._gateway_client.is_connected = False  # so it is not written to again
            gateway.proc.stdin.close()
        else:
            end(gateway)


def _is_not_py4js(record: logging.LogRecord) -> bool:
    """Py4j logs a lost JVM to the root logger, with its stack; a trial reports it itself."""
    return record.module != "java_gateway"


def end(gateway: Any) -> None:
    """Kill the JVM that this module started; a graceful stop would take a second."""
    gateway._gateway_client.is_connected = False  # so it is not written to again
    gateway.proc.kill()
    gateway.proc.wait()
    gateway.proc.stdin.close()


def loaded_enough(gateway: Any) -> None:
    """Let the JVM write a class archive when it ends, if needed, since a trial has run."""
    gateway.leaves_archive = getattr(gateway, "may_leave_archive", False)


def start_problem(master: str, log: Path, error: Exception) -> str:
    """Describe the first error in Spark's log, else the exception."""
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    complaints = [line.partition(" ERROR ")[2] for line in lines if " ERROR " in line]
    complaints = [line for line in complaints if not line.endswith(_NO_REASON)]
    complaints += [reason_of(line) for line in lines if "Exception" in line]
    words = complaints[0] if complaints else reason_of(str(error))
    return f"Spark could not be started with master {master!r}: {words[:300]}"


def forget_dead_gateway() -> None:
    """Let the next context start another JVM if this process's JVM has ended."""
    from pyspark import SparkContext

    gateway = SparkContext._gateway
    if gateway is None or answers(gateway):
        return
    with suppress(Exception):
        end(gateway)
    SparkContext._gateway = SparkContext._jvm = None
    SparkContext._active_spark_context = None


def answers(gateway: Any) -> bool:
    """Whether the gateway's JVM answers."""
    process = getattr(gateway, "proc", None)
    if process is not None and process.poll() is not None:
        return False
    try:
        gateway.jvm.java.lang.System.nanoTime()
    except Exception:  # noqa: BLE001 - py4j reports a lost JVM with many exceptions
        return False
    return True
