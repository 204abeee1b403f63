"""A Java virtual machine of our own, with a release's jars on its class path, driven by py4j.

It listens on the loopback interface alone and answers only who knows its token, both ways; it ends
with this process, when it is closed, or when its time is over.
"""

import logging
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from py4j.java_gateway import (
    CallbackServerParameters,
    GatewayParameters,
    JavaGateway,
    find_jar_path,
)

from explorer.capture.failures import CaptureError

LOOPBACK: Final = "127.0.0.1"

_OPENED: Final = (
    "java.base/java.io",
    "java.base/java.lang",
    "java.base/java.lang.invoke",
    "java.base/java.lang.reflect",
    "java.base/java.math",
    "java.base/java.net",
    "java.base/java.nio",
    "java.base/java.text",
    "java.base/java.time",
    "java.base/java.util",
    "java.base/java.util.concurrent",
    "java.base/java.util.concurrent.atomic",
    "java.base/java.util.concurrent.locks",
    "java.base/java.util.stream",
)
"""Packages that Flink's closure cleaner, Kryo and its planner look into by reflection. Java has
kept them closed since 16, and releases up to 1.17 were made for a Java before that."""

_OPTIONS: Final = (
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Dfile.encoding=UTF-8",
    "-Djava.awt.headless=true",
    "-Dorg.apache.logging.log4j.level=OFF",
    "-Dlog4j2.statusLoggerLevel=OFF",
    "-Dlog4j.defaultInitOverride=true",
    *(f"--add-opens={package}=ALL-UNNAMED" for package in _OPENED),
)
"""The first makes Java 8 pass over ``--add-opens``; C1 alone halves the start."""

_LOGGERS: Final = ("log4j:", "SLF4J:", "WARNING: ")
"""How the lines of loggers and of Java itself begin."""
_LAST_WORDS: Final = 2_000
"""Bytes of the program's output that are looked at when it fails."""


class JavaMachine:
    """One JVM; ``java`` is its py4j view, ``timed_out`` tells whether its time was over."""

    def __init__(
        self, jars: Sequence[Path], folder: Path, timeout: float, environment: Mapping[str, str]
    ) -> None:
        self.timeout, self.timed_out = timeout, False
        self._log = folder / "output.txt"
        self._process = _started(jars, folder, self._log, environment)
        try:
            self._connect()
        except ValueError:
            code = self._process.wait()
            words = self.last_words()
            self.close()
            raise CaptureError(_no_start(code, words)) from None
        self._timer = threading.Timer(timeout, self._time_over)
        self._timer.daemon = True
        self._timer.start()

    def _connect(self) -> None:
        """Open the gateway; one that calls back with the token, too.

        The gateway that py4j's own ``main`` opens lets its calls back into Python carry no token,
        so it only serves to open a second one.
        """
        output = self._process.stdout
        assert output is not None  # noqa: S101 - it is a pipe
        port, token = int(output.readline()), output.readline().decode().strip()
        self._drain = threading.Thread(target=_copy, args=(output, self._log), daemon=True)
        self._drain.start()
        self._first = JavaGateway(gateway_parameters=_parameters(port, token))
        here = self._first.jvm.java.net.InetAddress.getByName(LOOPBACK)
        builder = self._first.jvm.py4j.GatewayServer.GatewayServerBuilder()
        builder = builder.javaPort(0).javaAddress(here).authToken(token)
        server = builder.callbackClient(0, here, token).build()
        server.start(True)  # noqa: FBT003 - in a thread of its own
        self._gateway = JavaGateway(
            gateway_parameters=_parameters(server.getListeningPort(), token),
            callback_server_parameters=CallbackServerParameters(
                address=LOOPBACK,
                port=0,
                auth_token=token,
                daemonize=True,
                daemonize_connections=True,
                propagate_java_exceptions=True,
            ),
        )
        callbacks = self._gateway.get_callback_server().get_listening_port()
        server.resetCallbackClient(here, callbacks)

    @property
    def java(self) -> Any:
        """The classes of the JVM, by their full names."""
        return self._gateway.jvm

    def array(self, kind: Any, values: Sequence[Any]) -> Any:
        """A Java array of that class with these values."""
        made = self._gateway.new_array(kind, len(values))
        for position, value in enumerate(values):
            made[position] = value
        return made

    def exit_code(self) -> int | None:
        """The code with which the JVM ended by itself; None: it runs, or we ended it."""
        with suppress(subprocess.TimeoutExpired):
            code = self._process.wait(timeout=1)
            return None if self.timed_out else code
        return None

    def last_words(self) -> str:
        """The last line that the program printed."""
        if not self._log.is_file():
            return ""
        lines = self._log.read_bytes()[-_LAST_WORDS:].decode(errors="replace").split("\n")
        said = (line.strip() for line in reversed(lines) if not line.startswith(_LOGGERS))
        return next(filter(None, said), "")

    def _time_over(self) -> None:
        self.timed_out = True
        self._kill()

    def _kill(self) -> None:
        """End the JVM and what it has started, such as a script's interpreter."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End the JVM and all that speaks with it."""
        if hasattr(self, "_timer"):
            self._timer.cancel()
        self._kill()
        self._process.wait()
        if hasattr(self, "_drain"):
            self._drain.join()
        for gateway in ("_gateway", "_first"):
            if hasattr(self, gateway):
                with suppress(Exception):
                    getattr(self, gateway).close(keep_callback_server=False)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def __enter__(self) -> "JavaMachine":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()


def _started(
    jars: Sequence[Path], folder: Path, log: Path, environment: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    class_path = os.pathsep.join([find_jar_path(), *map(str, jars)])
    command = [_java(), *_OPTIONS, f"-Djava.io.tmpdir={folder}", "-classpath", class_path]
    server = ["py4j.GatewayServer", "--enable-auth", "--die-on-broken-pipe", "0"]
    with log.open("wb") as errors:
        return subprocess.Popen(  # noqa: S603 - Java, on the jars that the user names
            [*command, *server],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, **environment},
            start_new_session=True,
        )


def _java() -> str:
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if java is None or not Path(java).is_file():
        where = f"JAVA_HOME is {home!r}, and has no bin/java" if home else "no java is on the PATH"
        msg = (
            f"to capture a program needs Java, and {where}: install one (on Debian: apt install "
            "default-jre-headless), or point JAVA_HOME at one"
        )
        raise CaptureError(msg)
    return java


def _copy(output: Any, log: Path) -> None:
    with log.open("ab") as kept:
        while line := output.readline():
            kept.write(line)
            kept.flush()


def _parameters(port: int, token: str) -> GatewayParameters:
    return GatewayParameters(
        address=LOOPBACK,
        port=port,
        auth_token=token,
        auto_convert=True,
        # To tell Java of each object that Python forgets costs a call, and the JVM ends soon.
        enable_memory_management=False,
    )


@contextmanager
def quiet() -> Iterator[None]:
    """Keep py4j from writing tracebacks of a JVM that is gone into the log of all programs."""
    root, own = logging.getLogger(), logging.getLogger("py4j")
    deaf, kept = logging.NullHandler(), own.propagate
    root.addHandler(deaf)
    root.addFilter(_is_not_py4j)
    own.propagate = False
    try:
        yield
    finally:
        own.propagate = kept
        root.removeFilter(_is_not_py4j)
        root.removeHandler(deaf)


def _is_not_py4j(record: logging.LogRecord) -> bool:
    return "py4j" not in Path(record.pathname).parts


def _no_start(code: int, words: str) -> str:
    told = f": {words}" if words else ""
    return f"Java did not start and left with code {code}{told}"
