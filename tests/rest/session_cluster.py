"""A real session cluster on loopback: a JobManager and a TaskManager of a released Flink."""

import json
import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.error import URLError
from urllib.request import Request, urlopen

import explorer
from explorer.documents import JobGraphDocument, load_document
from tests.capture.flinks import lib
from tests.patience import PATIENCE
from tests.quick_java import QUICK

Made = TypeVar("Made")
VERSIONS: Final = ("1.9.3", "1.20.5", "2.2.1")
"""The oldest, and the two in use."""
OPENED: Final = (
    "java.lang",
    "java.lang.reflect",
    "java.net",
    "java.nio",
    "java.text",
    "java.time",
    "java.util",
    "java.util.concurrent",
    "java.util.concurrent.atomic",
    "sun.nio.ch",
    "sun.net.util",
)
"""Packages that Flink reaches into; Java 17 opens none by itself."""
SIZES: Final = (
    "taskmanager.cpu.cores=1",
    "taskmanager.memory.framework.heap.size=64mb",
    "taskmanager.memory.task.heap.size=128mb",
    "taskmanager.memory.framework.off-heap.size=64mb",
    "taskmanager.memory.task.off-heap.size=0b",
    "taskmanager.memory.managed.size=16mb",
    "taskmanager.memory.jvm-metaspace.size=128mb",
    "taskmanager.memory.jvm-overhead.min=64mb",
    "taskmanager.memory.jvm-overhead.max=64mb",
)
"""What Flink's start script would work out; a TaskManager from 1.10 on refuses to start without."""
ENTRY: Final = "org.apache.flink.runtime"


class SessionCluster:
    """A cluster that runs, asked as any client would ask it."""

    def __init__(self, version: str, folder: Path) -> None:
        self.version, self.folder = version, folder
        self.port = _free_port()
        self.address = f"http://127.0.0.1:{self.port}"

    def ask(self, path: str, send: Mapping[str, Any] | bytes | None = None, type: str = "") -> Any:
        """The JSON answer of a GET, or of a POST of what is to be sent."""
        data = send if isinstance(send, bytes) or send is None else json.dumps(send).encode()
        headers = {"Content-Type": type or "application/json"}
        with urlopen(Request(self.address + path, data, headers), timeout=PATIENCE) as answer:  # noqa: S310
            return json.load(answer)

    def submit(
        self, jar: Path, arguments: str, configuration: Mapping[str, str] | None = None
    ) -> str:
        """Upload a jar and run it; gives the job's ID once all its tasks run.

        Releases before 1.17 know no ``configuration`` here.
        """
        job = self._run(jar, arguments, configuration)
        _until(lambda: self._all_run(job))
        return job

    def start(self, jar: Path, savepoint: Path) -> str:
        """Upload a jar and start it from a savepoint; gives the job's ID at once."""
        return self._run(jar, "", None, savepoint)

    def run_to_end(
        self, jar: Path, arguments: str, configuration: Mapping[str, str] | None = None
    ) -> Any:
        """Upload a jar, run it and give what the cluster says of the job when it has ended."""
        job = self._run(jar, arguments, configuration)
        _until(lambda: self.ask(f"/jobs/{job}")["state"] in {"FINISHED", "FAILED"})
        return self.ask(f"/jobs/{job}")

    def _run(
        self,
        jar: Path,
        arguments: str,
        configuration: Mapping[str, str] | None,
        savepoint: Path | None = None,
    ) -> str:
        border = "a-border-that-no-jar-holds"
        head = (
            f'--{border}\r\nContent-Disposition: form-data; name="jarfile"; '
            f'filename="{jar.name}"\r\nContent-Type: application/x-java-archive\r\n\r\n'
        )
        form = head.encode() + jar.read_bytes() + f"\r\n--{border}--\r\n".encode()
        made = self.ask("/jars/upload", form, f"multipart/form-data; boundary={border}")
        uploaded = made["filename"].rsplit("/", 1)[-1]
        asked: dict[str, Any] = {
            "programArgsList": arguments.split(),
            "flinkConfiguration": configuration,
            "savepointPath": savepoint and savepoint.as_uri(),
        }
        asked = {name: value for name, value in asked.items() if value}
        job: str = self.ask(f"/jars/{uploaded}/run", asked)["jobid"]
        return job

    def _all_run(self, job: str) -> bool:
        vertices = self.ask(f"/jobs/{job}")["vertices"]
        return bool(vertices) and all(vertex["status"] == "RUNNING" for vertex in vertices)

    def cancel(self, job: str) -> None:
        """Cancel a job, and wait until it is."""
        with urlopen(Request(f"{self.address}/jobs/{job}", method="PATCH"), timeout=PATIENCE):  # noqa: S310
            pass
        _until(lambda: self.ask(f"/jobs/{job}")["state"] == "CANCELED")

    def cancel_with_savepoint(self, job: str, folder: Path) -> Path:
        """Take a savepoint, cancel the job with it and give the savepoint's folder."""
        asked = {"cancel-job": True, "target-directory": folder.as_uri()}
        trigger = self.ask(f"/jobs/{job}/savepoints", asked)["request-id"]
        done = _until(lambda: self._savepoint(job, trigger))
        _until(lambda: self.ask(f"/jobs/{job}")["state"] == "CANCELED")
        return Path(done["location"].removeprefix("file:"))

    def _savepoint(self, job: str, trigger: str) -> Any:
        answer = self.ask(f"/jobs/{job}/savepoints/{trigger}")
        return answer["operation"] if answer["status"]["id"] == "COMPLETED" else None


def document(captured: list[dict[str, Any]]) -> JobGraphDocument:
    """The one job that was captured."""
    (one,) = captured
    loaded = load_document(one)
    assert isinstance(loaded, JobGraphDocument)
    return loaded


def flowing(cluster: SessionCluster) -> JobGraphDocument:
    """The only job that runs, once its records have come to the last task, and all are counted.

    A task counts the bytes of a buffer when it sends the buffer, later than its records. The
    metrics of operators come to the cluster's REST server one after another.
    """

    def counted_job() -> JobGraphDocument | None:
        captured = document(explorer.capture(cluster.address))
        job, figures = captured.job, captured.job.figures
        sent = all((task.bytes_out or 0) >= task.records_out for task in figures)
        counted = all(
            len(counts.operators) == len(task.operators)
            for task, counts in zip(job.tasks[1:], figures[1:], strict=True)
        )
        return captured if figures[-1].records_in and sent and counted else None

    return _until(counted_job)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def _until(ready: Callable[[], Made | None]) -> Made:
    """Ask again and again; fails after a while."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if found := ready():
                return found
        except URLError:
            pass  # It does not listen yet.
        time.sleep(0.1)
    raise AssertionError("it did not happen")  # noqa: TRY003, EM101


@contextmanager
def session_cluster(
    version: str,
    folder: Path,
    network: str = "32mb",
    options: Mapping[str, object] | None = None,
) -> Iterator[SessionCluster]:
    """Start a cluster of that version, with four slots, and end it.

    ``network``: the memory of its task manager's network buffers, from 1.10 on; ``options``:
    further ones of Flink.
    """
    cluster = SessionCluster(version, folder)
    _configure(cluster, options or {})
    with ExitStack() as started:
        _start(started, cluster, f"{ENTRY}.entrypoint.StandaloneSessionClusterEntrypoint")
        own = [f"taskmanager.memory.network.{most}={network}" for most in ("min", "max")]
        sizes = () if version.startswith("1.9.") else (*SIZES, *own)
        settings = [part for size in sizes for part in ("-D", size)]
        _start(started, cluster, f"{ENTRY}.taskexecutor.TaskManagerRunner", *settings)
        _until(lambda: cluster.ask("/overview")["slots-available"] == 4)
        yield cluster


def _configure(cluster: SessionCluster, further: Mapping[str, object]) -> None:
    options = {
        "jobmanager.rpc.address": "127.0.0.1",
        "jobmanager.rpc.port": _free_port(),
        "rest.address": "127.0.0.1",
        "rest.bind-address": "127.0.0.1",
        "rest.port": cluster.port,
        "taskmanager.host": "127.0.0.1",
        "taskmanager.numberOfTaskSlots": 4,
        "io.tmp.dirs": cluster.folder,
        "web.upload.dir": cluster.folder,
        "web.tmpdir": cluster.folder,
        "web.refresh-interval": 200,
        "metrics.fetcher.update-interval": 200,
        # The task manager may ask before its job manager listens; it waits ten seconds by default.
        "cluster.registration.error-delay": 200,
        **further,
    }
    name = "config.yaml" if cluster.version.startswith("2.") else "flink-conf.yaml"
    text = "".join(f"{key}: {value}\n" for key, value in options.items())
    (cluster.folder / name).write_text(text)


def _start(started: ExitStack, cluster: SessionCluster, entry: str, *options: str) -> None:
    """Start one process; it ends when the stack is left."""
    opened = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED]
    quick = ["-Xmx256m", "-XX:MaxDirectMemorySize=1g", *QUICK, "-Dlog4j2.level=ERROR"]
    java = ["java", *opened, *quick, "-cp", os.path.join(lib(cluster.version), "*"), entry]  # noqa: PTH118
    log = started.enter_context((cluster.folder / f"{entry}.log").open("wb"))
    process = subprocess.Popen(
        [*java, "--configDir", cluster.folder, *options], stdout=log, stderr=log
    )
    started.callback(process.wait)
    started.callback(process.kill)
