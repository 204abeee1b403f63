"""Java machines that capture one program after another: most of a capture is the start of its JVM.

For tests of what is captured. How a program is started, confined and ended is tested with machines
of its own, as users have them.
"""

import atexit
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

import msgspec
from py4j.protocol import Py4JError

from explorer.capture.jvm.java_machine import LOG, JavaMachine, java_machine
from explorer.capture.jvm.start_files import LOADER
from explorer.capture.recording import recording_session
from explorer.locations import sample_folder
from explorer.rehearsal import jobs
from explorer.sandbox.launching import SandboxRequest
from tests.capture.flinks import VERSIONS, lib
from tests.quick_java import WITHOUT_VERIFICATION, compile_java

COUNTERS = (
    ("org.apache.flink.api.dag.Transformation", "idCounter"),
    ("org.apache.flink.api.dag.Transformation", "ID_COUNTER"),
    ("org.apache.flink.streaming.api.graph.StreamGraphGenerator", "iterationIdCounter"),
    ("org.apache.flink.table.planner.plan.nodes.exec.ExecNodeContext", "idCounter"),
)
"""What a JVM counts for all programs, by class and field: the IDs of nodes, and names with them."""
ENVIRONMENTS = (
    "org.apache.flink.api.java.ExecutionEnvironment",
    "org.apache.flink.streaming.api.environment.StreamExecutionEnvironment",
)
RESET = "resetContextEnvironment"
"""Their method that forgets who makes them."""
MACHINES = 8
"""Machines that run at a time, each with some hundred megabytes: those that were used last."""
PROGRAMS = 36
"""Programs of one machine: each leaves classes in it."""
REHEARSALS = 16
"""Programs of a machine that rehearses them: each leaves the tasks of a small cluster in it.

Its network buffers take 64 MiB, and Java gives those of all clusters 1.5 GiB."""
RPC = Path(__file__).with_name("SharedRpc.java")
"""Loads Pekko once for all small clusters of a machine: each would load its classes anew."""
LIFETIME = 3_600.0
"""Seconds for all of them."""


class StartedWith(NamedTuple):
    """What decides which programs a machine can run."""

    class_path: tuple[Path, ...]
    environment: tuple[tuple[str, str], ...]
    options: tuple[str, ...]
    sandbox: SandboxRequest

    @property
    def rehearses(self) -> bool:
        """Whether its programs are rehearsed, not captured alone."""
        return jobs.JAR in self.class_path


class WarmMachine:
    """A machine that runs until it is closed; ``programs``: how many it was lent to.

    ``most``: the number of programs after which it is not lent again.
    """

    def __init__(self, machine: AbstractContextManager[JavaMachine], most: int) -> None:
        self._most = most
        self._running = ExitStack()
        self.machine = self._running.enter_context(machine)
        self.programs = 0
        self.close = self._running.close

    @property
    def can_go_on(self) -> bool:
        """Whether no program has ended it, and few have left threads in it."""
        if self.programs >= self._most:
            return False
        with suppress(Py4JError):
            return bool(self.machine.java.java.lang.System.nanoTime())
        return False


class WarmMachines:
    """Machines by the jars and options that they were started with.

    ``readable``: the folder of all files that programs of tests read.
    """

    def __init__(self, readable: Path) -> None:
        self._readable = readable
        self._machines: dict[StartedWith, WarmMachine] = {}

    def close(self) -> None:
        """End all machines."""
        for warm in self._machines.values():
            warm.close()

    @contextmanager
    def lent(
        self,
        class_path: Sequence[Path],
        folder: Path,
        timeout: float,
        environment: Mapping[str, str],
        options: Sequence[str] = (),
        sandbox: SandboxRequest = recording_session.SANDBOX,
    ) -> Iterator[JavaMachine]:
        """A machine as ``java_machine`` starts one, in which other programs may have run."""
        if not can_be_shared(class_path, options):
            own = java_machine(class_path, folder, timeout, environment, options, sandbox)
            with own as machine:
                yield machine
            return
        confined = msgspec.structs.replace(sandbox, readable=(), around=())
        key = StartedWith(tuple(class_path), tuple(environment.items()), tuple(options), confined)
        warm = self._machines.pop(key, None)
        if warm is not None and not warm.can_go_on:
            warm.close()
            warm = None
        if warm is None:
            shown = confined.showing((self._readable, sample_folder(), *sandbox.readable))
            own_folder = Path(mkdtemp(prefix="warm-java-", dir=self._readable))
            jars = (*class_path, *([rpc_classes()] if key.rehearses else []))
            all_options = (*options, *WITHOUT_VERIFICATION)
            started = java_machine(jars, own_folder, LIFETIME, environment, all_options, shown)
            warm = WarmMachine(started, REHEARSALS if key.rehearses else PROGRAMS)
        self._machines[key] = warm
        if len(self._machines) > MACHINES:
            self._machines.pop(next(iter(self._machines))).close()
        warm.programs += 1
        forget_earlier_programs(warm.machine)
        try:
            yield warm.machine
        finally:
            if key.rehearses:
                end_actors(warm.machine)


@cache
def rpc_classes() -> Path:
    """The folder of the classes of ``RPC``, with the file by which Flink finds them."""
    folder = Path(mkdtemp(prefix="rpc-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    compile_java([RPC], folder, lib(VERSIONS[-1]).glob("*.jar"), ["--release", "8"])
    services = folder / "META-INF" / "services"
    services.mkdir(parents=True)
    (services / "org.apache.flink.runtime.rpc.RpcSystemLoader").write_text(RPC.stem)
    return folder


def can_be_shared(class_path: Sequence[Path], options: Sequence[str]) -> bool:
    """Whether the planner's counters are within reach: not where a class loader hides it."""
    is_archived = any("SharedArchiveFile" in option for option in options)
    return is_archived or not any(path.name.startswith(LOADER) for path in class_path)


def end_actors(machine: JavaMachine) -> None:
    """End the actors of a rehearsal's small cluster: they are never idle, even without a job.

    A cluster takes a hundredth of a core, and closing it may take ten seconds.
    """
    with suppress(Py4JError):  # the machine has ended
        machine.java.SharedRpc.endActors()


def forget_earlier_programs(machine: JavaMachine) -> None:
    """Set back what Flink and the thread remember, so that IDs and names are those of a new JVM."""
    (machine.folder / LOG).write_bytes(b"")
    java = machine.java.java.lang
    thread = java.Thread.currentThread()
    thread.setContextClassLoader(java.ClassLoader.getSystemClassLoader())
    for name, field in COUNTERS:
        set_back(machine, name, field)
    for name in ENVIRONMENTS:
        with suppress(Py4JError):  # 2.0 removed one
            reset = java.Class.forName(name).getDeclaredMethod(RESET, machine.array(java.Class, []))
            reset.setAccessible(True)
            reset.invoke(None, machine.array(java.Object, []))


def set_back(machine: JavaMachine, name: str, field: str) -> None:
    """Let a static counter of a class begin with 0 again, where the release has it."""
    java = machine.java.java.lang
    try:
        counter = java.Class.forName(name).getDeclaredField(field)
    except Py4JError:
        return
    counter.setAccessible(True)
    if counter.getType().getSimpleName() == "Integer":
        counter.set(None, 0)
        return
    # To Python an AtomicInteger is a number: it stays in Java.
    handles, kinds = java.invoke.MethodHandles, java.invoke.MethodType
    lookup = handles.publicLookup()
    taken = kinds.methodType(java.Void.TYPE, java.Integer.TYPE)
    setter = lookup.findVirtual(counter.getType(), "set", taken)
    to_zero = handles.insertArguments(setter, 1, machine.array(java.Object, [0]))
    handles.filterReturnValue(lookup.unreflectGetter(counter), to_zero).invokeWithArguments([])
