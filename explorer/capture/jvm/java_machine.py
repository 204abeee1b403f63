"""A Java virtual machine of our own, with a release's jars on its class path, driven by py4j.

It runs in the sandbox, listens on the loopback interface alone and answers only clients with its
token, in both directions; it ends with this process, when it is closed, or when its time is over.
"""

import os
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from py4j.java_gateway import find_jar_path
from py4j.protocol import Py4JError

from explorer.capture.failures import CaptureError
from explorer.capture.jvm.gateway import opened
from explorer.capture.jvm.object_tables import JAR
from explorer.errors import MissingJavaError
from explorer.locations import java_program
from explorer.model.rehearsal import Sandbox
from explorer.sandbox.launching import ConfinedProcess, SandboxRequest, start_program

if TYPE_CHECKING:
    from io import BufferedReader

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
made them inaccessible since 16, and releases up to 1.17 were made for a Java before that."""

_OPTIONS: Final = (
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-XX:-UsePerfData",
    "-Dfile.encoding=UTF-8",
    "-Djava.awt.headless=true",
    "-Dorg.apache.logging.log4j.level=OFF",
    "-Dlog4j2.statusLoggerLevel=OFF",
    "-Dlog4j.defaultInitOverride=true",
    *(f"--add-opens={package}=ALL-UNNAMED" for package in _OPENED),
    # The client of Flink 1.9, as Flink's own default options do.
    "--add-exports=java.base/sun.net.util=ALL-UNNAMED",
)
"""The first makes Java 8 pass over ``--add-opens``; C1 alone halves the start."""

_LOGGERS: Final = ("log4j:", "SLF4J:", "WARNING: ")
"""How the lines of loggers and of Java itself begin."""
LOG: Final = "output.txt"
"""The file of the folder that retains the program's output."""
_SANDBOX: Final = SandboxRequest()
_BLOCK: Final = 1 << 16
_START: Final = 120
"""Seconds for a JVM to start and to answer, however busy the machine is."""
_PATIENCE: Final = 30
"""Seconds for a killed JVM's output to end."""
_LAST_WORDS: Final = 50_000
"""Bytes of the program's output that are looked at when it fails."""
_MOST_PRINTED: Final = 64 << 20
"""Bytes of its standard output that are retained."""


class JavaMachine:
    """One JVM; ``java`` is py4j's view of it, ``timed_out``: whether its time was over."""

    def __init__(self, confined: ConfinedProcess, folder: Path, timeout: float) -> None:
        self.timeout, self.timed_out = timeout, False
        self.folder = folder
        """The folder in which the JVM may write; its files are the JVM's alone."""
        self._confined, self._process, self._log = confined, confined.process, folder / LOG
        self._output = cast("BufferedReader", confined.process.stdout)
        self._gateway: Any = None

    @property
    def sandbox(self) -> Sandbox | None:
        """What is enforced on the program; None: nothing was asked for."""
        return self._confined.sandbox

    def why_ended(self) -> str:
        """The limit of the sandbox for which the JVM was ended; empty: none."""
        return self._confined.why_ended()

    @property
    def java(self) -> Any:
        """The classes of the JVM, by their full names."""
        return self._gateway.jvm

    def array(self, kind: Any, values: Sequence[Any]) -> Any:
        """A Java array of that class with these values."""
        new_array = self._gateway.new_array(kind, len(values))
        for position, value in enumerate(values):
            new_array[position] = value
        return new_array

    def exit_code(self) -> int | None:
        """The code with which the JVM ended by itself; None: it runs, or we ended it."""
        with suppress(subprocess.TimeoutExpired):
            code = self._process.wait(timeout=1)
            return None if self.timed_out else code
        return None

    def printed(self) -> str:
        """The end of what the program printed, without the lines of loggers."""
        lines = self._log.read_bytes()[-_LAST_WORDS:].decode(errors="replace").splitlines()
        return "\n".join(line for line in lines if not line.startswith(_LOGGERS))

    def last_line(self) -> str:
        """The last line that the program printed."""
        text = (line.strip() for line in reversed(self.printed().splitlines()))
        return next(filter(None, text), "")

    def connected(self) -> AbstractContextManager[Any]:
        """The gateway at the port and with the token that the JVM prints first."""
        port, token = (self._output.readline().decode() for _ in range(2))
        if not port.strip().isdecimal():
            code = self._process.wait()
            words = self.last_line() or port.strip()
            msg = f"Java did not start and left with code {code}: {words}"
            raise CaptureError(msg)
        return opened(int(port), token.strip(), self._confined.open_socket)

    def exit(self) -> None:
        """Let the JVM end by itself, as one that leaves an archive of its classes must."""
        with suppress(Py4JError):  # it ends before it answers
            self.java.java.lang.System.exit(0)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_START)

    @contextmanager
    def running(self) -> Iterator["JavaMachine"]:
        """The machine while programs run in it, until its time is over."""
        timer = threading.Timer(self.timeout, self._time_over)
        timer.daemon = True
        with self._start() as self._gateway:
            drain = threading.Thread(target=self._keep_output, daemon=True)
            drain.start()
            timer.start()
            try:
                yield self
            finally:
                timer.cancel()
                self.kill()
                drain.join(_PATIENCE)

    @contextmanager
    def _start(self) -> Iterator[Any]:
        """The gateway of a JVM that has started in time."""
        timer = threading.Timer(_START, self.kill)
        timer.daemon = True
        timer.start()
        with ExitStack() as stack:
            try:
                gateway = stack.enter_context(self.connected())
            finally:
                timer.cancel()
            yield gateway

    def _keep_output(self) -> None:
        with self._log.open("ab") as retained:
            while printed := self._output.read1(_BLOCK):
                if retained.tell() < _MOST_PRINTED:
                    retained.write(printed)
                    retained.flush()

    def _time_over(self) -> None:
        self.timed_out = True
        self.kill()

    def kill(self) -> None:
        """End the JVM and what it has started, such as a script's interpreter."""
        self._confined.kill()


def own_jars() -> tuple[Path, Path]:
    """Py4J's jar and ours, with which each class path begins."""
    return Path(find_jar_path()), JAR


@contextmanager
def java_machine(
    class_path: Sequence[Path],
    folder: Path,
    timeout: float,
    environment: Mapping[str, str],
    options: Sequence[str] = (),
    sandbox: SandboxRequest = _SANDBOX,
) -> Iterator[JavaMachine]:
    """A JVM with this class path, which begins with our own jars.

    It ends with the block, or with this process. ``folder`` holds its files; ``timeout``: seconds
    until it is ended at the latest; ``options``: further options of Java.
    """
    java = _java()
    home = Path(java).resolve().parents[1]
    sandbox = sandbox.showing((Path(java), home, *class_path))
    command = [java, *_OPTIONS, *options, f"-Djava.io.tmpdir={folder}"]
    command += ["-classpath", os.pathsep.join(map(str, class_path))]
    server = ["py4j.GatewayServer", "--enable-auth", "--die-on-broken-pipe", "0"]
    with (folder / LOG).open("ab") as errors:
        confined = start_program([*command, *server], folder, errors, sandbox, environment)
    try:
        machine = JavaMachine(confined, folder, timeout)
        with machine.running():
            yield machine
    finally:
        confined.close()


def _java() -> str:
    java, lack = java_program()
    if lack:
        msg = (
            f"to capture a program needs Java, and {lack}: install one (on Debian: apt install "
            "default-jre-headless), or point JAVA_HOME at one"
        )
        raise MissingJavaError(msg)
    return java
