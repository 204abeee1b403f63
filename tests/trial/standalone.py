"""A standalone cluster on loopback: a master, and two workers of a core each on two addresses.

Two addresses, since Spark makes a speculative copy of a task on another host alone.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

from tests.journeys.conftest import free_port
from tests.trial.on_spark import children, wait_until

HOSTS = ("127.0.0.1", "127.0.0.2")


class Cluster:
    """A cluster that is up."""

    def __init__(self, master: str, workers: list[int], folder: Path) -> None:
        self.master, self.folder = master, folder
        self._workers = workers

    def executors(self) -> list[int]:
        """The JVMs in which tasks run, worker by worker, as long as an application is there."""
        return [
            executor
            for worker in self._workers
            for executor in children(worker, b"CoarseGrainedExecutorBackend")
        ]

    def python_workers(self, executor: int) -> list[int]:
        """The Python processes that run an executor's tasks."""
        daemons = children(executor, b"pyspark")
        return [worker for daemon in daemons for worker in children(daemon, b"pyspark")]

    def shuffle_files(self) -> list[Path]:
        """What the executors keep of their tasks' output."""
        return sorted(self.folder.glob("files-*/**/shuffle_*.data"))


@contextmanager
def standalone(folder: Path) -> Iterator[Cluster]:
    """Start the processes, wait until both workers are known, and end them at last."""
    port = free_port()
    with ExitStack() as running:
        master = f"spark://127.0.0.1:{port}"
        where = ("--host", HOSTS[0], "--port", str(port), "--webui-port", "0")
        log = folder / "master.log"
        running.enter_context(_process("master.Master", where, HOSTS[0], folder, log))
        wait_until(lambda: "I have been elected leader" in _read(log))
        workers = []
        for number, host in enumerate(HOSTS):
            room = ("--cores", "1", "--memory", "1g", "--webui-port", "0")
            files = folder / f"files-{number}"
            options = ("--host", host, *room, "--work-dir", str(folder / "work"), master)
            told = folder / f"worker-{number}.log"
            started = _process("worker.Worker", options, host, files, told)
            workers.append(running.enter_context(started).pid)
        wait_until(lambda: _read(log).count("Registering worker") == len(HOSTS))
        yield Cluster(master, workers, folder)


def _read(log: Path) -> str:
    return log.read_text(errors="replace") if log.exists() else ""


@contextmanager
def _process(
    name: str, options: tuple[str, ...], host: str, files: Path, log: Path
) -> Iterator[subprocess.Popen[bytes]]:
    files.mkdir(parents=True, exist_ok=True)
    addresses = {"SPARK_LOCAL_IP": host, "SPARK_LOCAL_DIRS": str(files), "SPARK_NO_DAEMONIZE": "1"}
    spark = find_spec("pyspark")
    assert spark is not None
    assert spark.origin is not None
    command = [
        str(Path(spark.origin).parent / "bin" / "spark-class"),
        f"org.apache.spark.deploy.{name}",
        *options,
    ]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, env=os.environ | addresses, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        process.wait()
