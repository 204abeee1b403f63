"""How does Spark start, and who notices that it has gone? Its settings, its JVM, its context."""

import atexit
import logging
import os
import pickle
import re
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from explorer.errors import TrialError
from explorer.spark_workers import MODULE, PRACTICE
from explorer.trial.class_archive import archive_options
from explorer.trial.failures import reason_of
from explorer.trial.practice import practice_job

_NO_MEMORY: Final = "-XX:+ExitOnOutOfMemoryError"
"""A thread of Spark's that dies for lack of memory takes its task along, which then never ends."""
_JAVA_OPTIONS: Final = "spark.driver.extraJavaOptions"
SETTINGS: Final = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "2g",
    "spark.driver.maxResultSize": "400m",
    _JAVA_OPTIONS: "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 " + _NO_MEMORY,
    "spark.executor.extraJavaOptions": _NO_MEMORY,
    "spark.python.worker.reuse": "true",
    "spark.python.unix.domain.socket.enabled": "true",
    "spark.python.worker.faulthandler.enabled": "true",
    "spark.python.task.killTimeout": "200ms",
    "spark.shuffle.checksum.enabled": "false",
    "spark.shuffle.compress": "false",
    "spark.shuffle.sort.bypassMergeThreshold": "1",
    "spark.shuffle.spill.maxSizeInBytesForSpillThreshold": "128m",
    "spark.shuffle.spill.compress": "false",
    "spark.sql.runSQLOnFiles": "false",
}
"""Measured choices: sockets instead of TCP take a stage from 100 ms to 36, C1 halves the start, and
frames of columns are not worth compressing. A task sorts its frames in memory, up to so many bytes,
and writes one file; without that it writes one for each reader, and then all of them into one. What
the driver collects is in Java's memory several times over, so a fifth of it is the most."""

_AUTHENTICATED: Final = re.compile(r"local(\[|$)")
"""Masters for which Spark makes up a secret itself; any other has one of its own, or none."""
_LAUNCHING: Final = threading.Lock()
"""Held while the JVM is launched: who ends this process must know of it."""


def active_context() -> Any:
    """The context that this process already has, if somebody else started one."""
    from pyspark import SparkContext

    forget_dead_gateway()
    context = SparkContext._active_spark_context
    if context is not None and context._jsc.sc().isStopped():
        context.stop()
        return None
    return context


def start(master: str, folder: Path) -> Any:
    """Start a context of our own; raises ``TrialError``."""
    from pyspark import SparkConf, SparkContext

    settings = SETTINGS | _own_settings(master, folder)
    log = folder / "spark.log"
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    try:
        if SparkContext._gateway is None:
            _launch(settings, log)
        gateway: Any = SparkContext._gateway
        conf = SparkConf(loadDefaults=False, _jvm=gateway.jvm).setAll(list(settings.items()))
        context = SparkContext(conf=conf, gateway=gateway)
    except Exception as error:  # noqa: BLE001 - whatever it is, no trial can run
        forget_dead_gateway()
        raise TrialError(start_problem(master, log, error)) from None
    context.pythonExec = sys.executable
    # What listens to the JVM need not print a stack when the JVM is gone: the trial says so.
    listener: Any = context._accumulatorServer
    listener.handle_error = lambda *_: None
    context.setLogLevel("ERROR")
    return context


def is_local(master: str) -> bool:
    """Whether all its processes are on this machine, where this package and its folders are."""
    return master.startswith("local")


def _own_settings(master: str, folder: Path) -> dict[str, str]:
    """What depends on the master and on where the context keeps its files."""
    settings = {
        "spark.master": master,
        "spark.app.name": "streamgraph-explorer trial",
        "spark.local.dir": str(folder),
        "spark.python.unix.domain.socket.dir": str(folder),
        "spark.executorEnv.PYTHONPATH": str(Path(__file__).resolve().parents[2]),
    }
    if _AUTHENTICATED.match(master):
        settings["spark.authenticate"] = "true"
    if is_local(master):
        practice = folder / "practice"
        practice.write_bytes(pickle.dumps(practice_job()))
        settings["spark.python.daemon.module"] = MODULE
        settings[f"spark.executorEnv.{PRACTICE}"] = str(practice)
    return settings


def _launch(settings: dict[str, str], log: Path) -> None:
    """Launch the JVM, for all contexts of this process; it ends with the process."""
    from pyspark import SparkConf, SparkContext
    from pyspark.find_spark_home import _find_spark_home
    from pyspark.java_gateway import launch_gateway

    launch: Any = launch_gateway
    archive, left = archive_options(Path(_find_spark_home()) / "jars")
    java = {_JAVA_OPTIONS: f"{settings[_JAVA_OPTIONS]} {archive}"}
    conf = SparkConf(loadDefaults=False).setAll(list((settings | java).items()))
    logging.getLogger().addFilter(_is_not_py4js)
    with _LAUNCHING, log.open("wb") as output:
        gateway = launch(conf, {"stdout": output, "stderr": output})
        gateway.of_trials, gateway.may_leave_archive, gateway.leaves_archive = True, left, False
        SparkContext._gateway, SparkContext._jvm = gateway, gateway.jvm


@atexit.register
def _end_with_this_process() -> None:
    """End the JVM that we launched, or are just launching."""
    with _LAUNCHING:
        # A command may end, refused, while another thread still imports PySpark.
        context = getattr(sys.modules.get("pyspark"), "SparkContext", None)
        gateway: Any = getattr(context, "_gateway", None)
        if not getattr(gateway, "of_trials", False):
            return
        if gateway.leaves_archive:
            _let_end(gateway)
        else:
            end(gateway)


def _is_not_py4js(record: logging.LogRecord) -> bool:
    """Py4j tells the root logger of a JVM that is gone, with its stack; a trial says so itself."""
    return record.module != "java_gateway"


def end(gateway: Any) -> None:
    """End the JVM that we started, so that its folder can go; a graceful stop takes a second."""
    gateway._gateway_client.is_connected = False  # so nobody writes to it any more
    gateway.proc.kill()
    gateway.proc.wait()
    gateway.proc.stdin.close()


def loaded_enough(gateway: Any) -> None:
    """A trial has run: what the JVM has loaded is worth an archive, if it is to leave one."""
    gateway.leaves_archive = getattr(gateway, "may_leave_archive", False)


def _let_end(gateway: Any) -> None:
    """Let the JVM end by itself, and write down the classes that it has loaded: some seconds."""
    gateway._gateway_client.is_connected = False  # so nobody writes to it any more
    gateway.proc.stdin.close()


def start_problem(master: str, log: Path, error: Exception) -> str:
    """What Spark's log complains of first, else the exception's own words."""
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    complaints = [line.partition(" ERROR ")[2] for line in lines if " ERROR " in line]
    complaints += [reason_of(line) for line in lines if "Exception" in line]
    words = complaints[0] if complaints else reason_of(str(error))
    return f"Spark could not be started with master {master!r}: {words[:300]}"


def forget_dead_gateway() -> None:
    """Let the next context start a JVM of its own if this process's JVM is gone."""
    from pyspark import SparkContext

    gateway = SparkContext._gateway
    if gateway is None or answers(gateway):
        return
    with suppress(Exception):
        end(gateway)
    SparkContext._gateway = SparkContext._jvm = None
    SparkContext._active_spark_context = None


def answers(gateway: Any) -> bool:
    """Whether somebody is at the other end."""
    process = getattr(gateway, "proc", None)
    if process is not None and process.poll() is not None:
        return False
    try:
        gateway.jvm.java.lang.System.nanoTime()
    except Exception:  # noqa: BLE001 - py4j has many ways to say that nobody is there
        return False
    return True
