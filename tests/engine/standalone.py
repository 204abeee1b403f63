"""A standalone cluster: a master, and two workers of a core each on two hosts.

Two hosts, since Spark makes a speculative copy of a task only on another host. On hosts of their
own, workers also serve the shuffle files of executors that have ended; two on one machine cannot,
since all shuffle services of a cluster have the same port.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from tests.engine.hosts import Host, two_hosts
from tests.engine.on_spark import children, java_options, spark_home, wait_until
from tests.journeys.conftest import free_port


class Cluster:
    """A cluster that is up."""

    def __init__(
        self, master: str, workers: list[int], folder: Path, hosts: tuple[Host, ...]
    ) -> None:
        self.master, self.folder, self.hosts = master, folder, hosts
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

    def applications(self) -> int:
        """How many applications have registered so far."""
        return _read(self.folder / "master.log").count("Registered app")

    def shuffle_files(self) -> list[Path]:
        """What the executors keep of their tasks' output."""
        return sorted(self.folder.glob("files-*/**/shuffle_*.data"))


@contextmanager
def standalone(folder: Path) -> Iterator[Cluster]:
    """Start the processes, wait until both workers are registered, and end them at last."""
    port = free_port()
    with ExitStack() as running:
        hosts = running.enter_context(two_hosts())
        first = hosts[0]
        master = f"spark://{first.address}:{port}"
        where = ("--host", first.address, "--port", str(port), "--webui-port", "0")
        log = folder / "master.log"
        running.enter_context(_process("master.Master", where, first, folder, log))
        wait_until(lambda: "I have been elected leader" in _read(log))
        workers = []
        for number, host in enumerate(hosts):
            room = ("--cores", "1", "--memory", "1g", "--webui-port", "0")
            files = folder / f"files-{number}"
            options = ("--host", host.address, *room, "--work-dir", str(folder / "work"), master)
            worker_log = folder / f"worker-{number}.log"
            started = _process("worker.Worker", options, host, files, worker_log)
            workers.append(running.enter_context(started).pid)
        wait_until(lambda: _read(log).count("Registering worker") == len(hosts))
        yield Cluster(master, workers, folder, hosts)


def _read(log: Path) -> str:
    return log.read_text(errors="replace") if log.exists() else ""


@contextmanager
def _process(
    name: str, options: tuple[str, ...], host: Host, files: Path, log: Path
) -> Iterator[subprocess.Popen[bytes]]:
    files.mkdir(parents=True, exist_ok=True)
    addresses = {
        "SPARK_LOCAL_IP": host.address,
        "SPARK_LOCAL_DIRS": str(files),
        "SPARK_NO_DAEMONIZE": "1",
        "SPARK_DAEMON_JAVA_OPTS": java_options(),
        "SPARK_WORKER_OPTS": f"-Dspark.shuffle.service.enabled={str(host.is_isolated).lower()}",
    }
    command = [
        *host.command,
        str(spark_home() / "bin" / "spark-class"),
        f"org.apache.spark.deploy.{name}",
        *options,
    ]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            env=os.environ | addresses,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        process.wait()
