"""The Spark settings of a run: defaults, the cluster's, the caller's, and refused ones.

A later source overrides an earlier one: the defaults below, ``spark-defaults.conf`` (or the
properties file that replaces it, as in ``spark-submit``), the caller's settings.
"""

import os
import re
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec

from explorer.errors import TrialError

LOCAL_MASTER: Final = "local[2]"
"""The default master: threads of one JVM on this machine."""
LOOPBACK: Final = "127.0.0.1"
PROPERTIES_BYTES: Final = 1 << 20
"""Size limit of a properties file."""

_EXIT_WITHOUT_MEMORY: Final = "-XX:+ExitOnOutOfMemoryError"
"""Without this option a task runs for ever when its Spark thread ends for lack of memory."""
DRIVER_JAVA_OPTIONS: Final = "spark.driver.extraJavaOptions"
EXECUTOR_JAVA_OPTIONS: Final = "spark.executor.extraJavaOptions"
_APPENDED: Final = (DRIVER_JAVA_OPTIONS, EXECUTOR_JAVA_OPTIONS)
"""JVM options to which the caller's are appended; the JVM applies the last of two that conflict."""
SETTINGS: Final = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.memory": "2g",
    "spark.driver.maxResultSize": "400m",
    DRIVER_JAVA_OPTIONS: "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 " + _EXIT_WITHOUT_MEMORY,
    EXECUTOR_JAVA_OPTIONS: _EXIT_WITHOUT_MEMORY,
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
"""Measured defaults. Unix domain sockets reduce a stage from 100 ms to 36, the C1 compiler halves
the JVM's start, and compressing frames of columns does not pay. A task sorts its frames in memory,
up to a limit, and writes one file; otherwise it would write one file for each reader and merge
them. Collected results need several times their size in the JVM: the limit is a fifth of its
memory."""

_REFUSED: Final[Mapping[str, tuple[str | None, str]]] = {
    "spark.master": (None, "name the master with --master, in Python with master="),
    "spark.submit.deployMode": ("client", "a trial's driver is this process: client mode alone"),
    "spark.remote": (None, "Spark Connect has no shuffle interface; name a classic master"),
    "spark.api.mode": ("classic", "Spark Connect has no shuffle interface"),
}
"""The only allowed value of each setting (None: no value), and advice."""
VARIABLE: Final = "STREAMGRAPH_EXPLORER_SPARK"
"""The environment variable that holds the page's target as JSON."""


class SparkTarget(msgspec.Struct, frozen=True, kw_only=True):
    """Where a trial runs: a Spark master and the settings of its context."""

    master: str = LOCAL_MASTER
    conf: tuple[tuple[str, str], ...] = ()
    """The caller's settings, by key."""
    properties_file: str | None = None
    """Replaces the ``spark-defaults.conf`` of the cluster's configuration folder."""

    @property
    def is_local(self) -> bool:
        """Whether all processes of Spark run on this machine."""
        return self.master.startswith("local")


LOCAL: Final = SparkTarget()
_LOCAL: Final = re.compile(
    r"local(\[\s*([0-9]+|\*)\s*(,\s*[0-9]+\s*)?\])?|local-cluster\[[0-9]+,[0-9]+,[0-9]+\]"
)
"""Spark's names of masters on this machine, as its ``SparkMasterRegex`` reads them."""


def spark_target(
    master: str = LOCAL_MASTER,
    conf: Mapping[str, str] | None = None,
    properties_file: str | Path | None = None,
) -> SparkTarget:
    """Make a target; raises ``TrialError`` for a malformed local master and a refused setting."""
    if master.startswith("local") and _LOCAL.fullmatch(master) is None:
        msg = f"{master!r} is no Spark master: write local[N] for N threads, or local[*]"
        raise TrialError(msg)
    file = None if properties_file is None else str(Path(properties_file).absolute())
    settings = tuple(sorted((key, str(value)) for key, value in (conf or {}).items()))
    for key, value in settings:
        if not key.startswith("spark."):
            msg = f"{key!r} is no setting of Spark; Spark's settings begin with 'spark.'"
            raise TrialError(msg)
        allowed, advice = _REFUSED.get(key, (value, ""))
        if value != allowed:
            msg = f"a trial does not take the setting {key}={value}: {advice}"
            raise TrialError(msg)
    return SparkTarget(master=master, conf=settings, properties_file=file)


def page_target() -> SparkTarget:
    """The target of a page's trials: the target of ``ui --master``, else this machine."""
    environ = os.environ.get(VARIABLE)
    return LOCAL if environ is None else msgspec.json.decode(environ, type=SparkTarget)


def context_settings(target: SparkTarget, folder: Path) -> dict[str, str]:
    """All settings of the context, by key; ``folder`` holds the files of a local one.

    Raises ``TrialError`` where a properties file cannot be read.
    """
    values = ({} if target.is_local else _cluster_defaults(target)) | dict(target.conf)
    settings = SETTINGS | _placement_settings(target, folder) | values
    settings |= {key: f"{SETTINGS[key]} {values[key]}" for key in _APPENDED if key in values}
    if "spark.driver.host" in values and "spark.driver.bindAddress" not in values:
        # Spark binds to the driver's host by default.
        settings.pop("spark.driver.bindAddress", None)
    return settings | {"spark.master": target.master}


def _placement_settings(target: SparkTarget, folder: Path) -> dict[str, str]:
    """Settings that depend on the machines of the driver and the workers."""
    settings = {"spark.app.name": "streamgraph-explorer trial"}
    host = LOOPBACK if target.is_local else reachable_address(target.master)
    if host is not None:
        settings |= {"spark.driver.host": host, "spark.driver.bindAddress": host}
    if target.is_local:
        settings["spark.local.dir"] = str(folder)
        settings["spark.python.unix.domain.socket.dir"] = str(folder)
        settings["spark.executorEnv.PYTHONPATH"] = str(Path(__file__).resolve().parents[3])
    if re.match(r"local(\[|$)", target.master):
        settings["spark.authenticate"] = "true"  # Spark makes up the secret itself
    return settings


def reachable_address(master: str) -> str | None:
    """The address of this machine in the master's network.

    None where the master's URL names no host that resolves (``yarn``); Spark then chooses one.
    """
    for host, port in _endpoints(master):
        try:
            family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
            with socket.socket(family, kind) as probe:
                probe.connect(address)  # a datagram socket: nothing is sent
                return str(probe.getsockname()[0])
        except OSError:
            continue
    return None


def _endpoints(master: str) -> list[tuple[str, int]]:
    """Hosts and ports of a master's URL; a standalone cluster may name several masters."""
    address = master.removeprefix("k8s://")
    scheme, _, hosts = address.partition("://")
    pairs = []
    for host in hosts.split(","):
        try:
            parts = urlsplit(f"//{host}")
            if parts.hostname:
                pairs.append((parts.hostname, parts.port or (443 if scheme == "https" else 7077)))
        except ValueError:
            continue
    return pairs


def _cluster_defaults(target: SparkTarget) -> dict[str, str]:
    """Settings of the properties file, else of the cluster's ``spark-defaults.conf``.

    That file is in ``$SPARK_CONF_DIR``, else in ``$SPARK_HOME/conf``. Its master and mode are
    defaults of ``spark-submit``, which the target's master replaces.
    """
    if target.properties_file is not None:
        result = properties(Path(target.properties_file))
    else:
        folder, home = os.environ.get("SPARK_CONF_DIR"), os.environ.get("SPARK_HOME")
        path = Path(folder) if folder else Path(home) / "conf" if home else None
        file = None if path is None else path / "spark-defaults.conf"
        result = properties(file) if file is not None and file.is_file() else {}
    return {
        key: value
        for key, value in result.items()
        if key.startswith("spark.") and key not in _REFUSED
    }


_ESCAPES: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_PAIR: Final = re.compile(r"((?:\\.|[^\\=:\s])*)\s*[=:]?\s*(.*)", re.DOTALL)


def properties(file: Path) -> dict[str, str]:
    """Read a Java properties file like ``java.util.Properties``, with trimmed values.

    Raises ``TrialError`` where the file cannot be read.
    """
    try:
        with file.open("rb") as opened:
            data = opened.read(PROPERTIES_BYTES + 1)
    except OSError as error:
        msg = f"{str(file)!r} cannot be read: {(error.strerror or str(error)).lower()}"
        raise TrialError(msg) from None
    if len(data) > PROPERTIES_BYTES:
        msg = f"{str(file)!r} is no properties file: it is larger than 1 MiB"
        raise TrialError(msg)
    result = {}
    for line in _logical_lines(data.decode("utf-8", errors="replace")):
        pair = _PAIR.match(line)
        if pair is not None:
            result[_unescape(pair[1])] = _unescape(pair[2]).strip()
    return result


def _logical_lines(text: str) -> list[str]:
    """Lines without comments; a line with an odd number of backslashes at its end continues."""
    lines: list[str] = []
    open_line: str | None = None
    for raw in text.splitlines():
        line = raw.lstrip()
        if open_line is None and (not line or line[0] in "#!"):
            continue
        line = (open_line or "") + line
        continues = (len(line) - len(line.rstrip("\\"))) % 2 == 1
        open_line = line[:-1] if continues else None
        if not continues:
            lines.append(line)
    return lines if open_line is None else [*lines, open_line]


def _unescape(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        if match[1]:
            return chr(int(match[1], 16))
        return _ESCAPES.get(match[2], match[2])

    return re.sub(r"\\(?:u([0-9a-fA-F]{4})|(.))", character, text, flags=re.DOTALL)
