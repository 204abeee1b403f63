"""Measures CPU seconds, memory and bytes of records and subtasks on a cluster.

    python -m benchmarks.trial.scale [--records 100000,10000000,100000000] [--subtasks 1,10,100]

Generated rows go through a keyed sum on ``local-cluster[2,1,1024]``: a driver and two executors of
one core, each a process of its own. Only CPU seconds of processes are printed, since other work on
the machine stretches elapsed time. The last lines divide the work among ``--executors`` of
``--cores`` cores each.
"""

import argparse
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

import explorer
from benchmarks.options import option_parser
from benchmarks.trial.memory import family, role

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_MASTER: Final = "local-cluster[2,1,1024]"
_LOOPBACK: Final = "127.0.0.1"
_MILLION: Final = 1_000_000
KINDS: Final = ("driver", "driver's JVM", "executors' JVMs", "Python workers")
_ROLES: Final = {b"CoarseGrainedExecutorBackend": KINDS[2], b"pyspark.worker": KINDS[3]}


class Cost(msgspec.Struct, frozen=True, kw_only=True):
    """What one run cost."""

    records: int
    subtasks: int
    seconds: dict[str, float]
    """CPU seconds by kind of process."""
    peaks: dict[str, int]
    """Largest resident memory so far by kind of process, in kilobytes."""
    heap: int
    """Bytes that the driver's JVM still uses after a garbage collection."""
    shuffled: int
    """Bytes that Spark wrote to shuffle files."""

    @property
    def work(self) -> float:
        """CPU seconds of executors, which more executors share."""
        return self.seconds["executors' JVMs"] + self.seconds["Python workers"]

    @property
    def driving(self) -> float:
        """CPU seconds of the driver, which nothing shares."""
        return self.seconds["driver"] + self.seconds["driver's JVM"]


def keyed_sum(records: int, subtasks: int) -> dict[str, Any]:
    """Generated rows, half of them summed by 1,000 keys."""
    columns = {"k": {"draw": "uniform", "from": 0, "to": 999}, "n": {"draw": "sequence"}}
    generate = {"rows": records, "seed": 1, "columns": columns}
    return {
        "environment": {"parallelism": subtasks, "max_parallelism": 1024},
        "transformations": [
            {"id": "rows", "type": "legacy_source", "parallelism": subtasks}
            | {"rows": {"generate": generate}},
            {"id": "even", "type": "filter", "inputs": ["rows"], "where": "n % 2 = 0"},
            {"id": "by", "type": "key_by", "inputs": ["even"], "keys": ["k"]},
            {"id": "sum", "type": "reduce", "inputs": ["by"], "aggregate": {"n": "sum(n)"}},
            {"id": "out", "type": "sink", "inputs": ["sum"]},
        ],
    }


def kind(process: int) -> str:
    """Role of a process in the cluster."""
    return role(process, _ROLES, KINDS[1])


def cpu_seconds() -> dict[str, float]:
    """CPU seconds by kind of process, those of ended children included."""
    seconds = dict.fromkeys((*KINDS, "gone"), 0.0)
    for process in list(family(os.getpid())):
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ended = slice(11, 15) if kind(process) == "Python workers" else slice(11, 13)
        seconds[kind(process)] += sum(int(ticks) for ticks in fields[ended]) / _TICKS
    return seconds


def peaks() -> dict[str, int]:
    """Largest resident memory so far by kind of process, all processes of a kind together."""
    kilobytes = dict.fromkeys((*KINDS, "gone"), 0)
    for process in list(family(os.getpid())):
        try:
            lines = Path(f"/proc/{process}/status").read_text().splitlines()
        except OSError:
            continue
        high = (int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
        kilobytes[kind(process)] += next(high, 0)
    return kilobytes


def measured(session: Any, records: int, subtasks: int) -> Cost:
    """Run once."""
    start, start_bytes = cpu_seconds(), shuffle_bytes(session)
    report = explorer.run_trial(keyed_sum(records, subtasks), spark=session, collect=False)
    if report.sinks["out"].rows != (records + 1) // 2:
        msg = f"{report.sinks['out'].rows} rows reached the sink"
        raise SystemExit(msg)
    end = cpu_seconds()
    java = session.sparkContext._jvm.java.lang
    java.System.gc()
    runtime = java.Runtime.getRuntime()
    return Cost(
        records=records,
        subtasks=subtasks,
        seconds={name: end[name] - start[name] for name in KINDS},
        peaks=peaks(),
        heap=int(runtime.totalMemory() - runtime.freeMemory()),
        shuffled=shuffle_bytes(session) - start_bytes,
    )


def shuffle_bytes(session: Any) -> int:
    """Bytes that all tasks so far wrote to shuffle files."""
    store = session.sparkContext._jsc.sc().statusStore()
    converters = session.sparkContext._jvm.scala.jdk.javaapi.CollectionConverters
    return sum(
        executor.totalShuffleWrite()
        for executor in converters.asJava(store.executorList(False))  # noqa: FBT003
    )


def line(cost: Cost) -> str:
    """One run's figures."""
    seconds = "".join(f"{cost.seconds[name]:>9.2f}" for name in KINDS)
    peaks = "".join(f"{cost.peaks[name] / 1024:>9,.0f}" for name in KINDS)
    shuffled = cost.shuffled / cost.records
    heap = cost.heap / 1024**2
    return f"{cost.records:>12,}{cost.subtasks:>9}{seconds} {peaks}{heap:>9,.0f}{shuffled:>9.1f}"


def model(costs: list[Cost], executors: int, cores: int) -> Iterator[str]:
    """Costs per record and per subtask, and the time with a number of executors."""
    costs_by_size = {(cost.records, cost.subtasks): cost for cost in costs}
    fewest, largest = (pick(cost.records for cost in costs) for pick in (min, max))
    narrow, wide = (pick(cost.subtasks for cost in costs) for pick in (min, max))
    base, widest = costs_by_size[fewest, narrow], costs_by_size[fewest, wide]
    added_work = costs_by_size[largest, narrow].work - base.work
    record = added_work / (largest - fewest)
    subtasks = 2 * (wide - narrow)  # of two tasks
    subtask = (widest.work - base.work) / subtasks
    driving = max(0.0, (widest.driving - base.driving) / subtasks)
    yield f"a record costs {record * _MILLION:.3f} µs of an executor's core"
    yield f"a subtask costs {subtask * 1000:.1f} ms of an executor's core"
    yield f"a subtask costs {driving * 1000:.1f} ms of the driver"
    slots = executors * cores
    for records in (10**8, 10**9, 10**10, 10**11):
        executor_seconds, driver_seconds = (
            records * record / slots + 2 * subtask,
            2 * slots * driving,
        )
        part = "driver" if driver_seconds > executor_seconds else "executors"
        yield (
            f"{records:,} records on {executors} executors of {cores} cores: executors "
            f"{executor_seconds:,.1f} s, driver {driver_seconds:,.1f} s; "
            f"the bottleneck is the {part}"
        )


def counts(text: str) -> list[int]:
    """Numbers of a list with commas, in order; two at least, and the model compares their costs."""
    numbers = sorted({int(number) for number in text.split(",")})
    if len(numbers) == 1:
        msg = "name two different numbers at least"
        raise argparse.ArgumentTypeError(msg)
    return numbers


def main() -> None:
    """Run all sizes after a first run, which loads what every run needs."""
    from pyspark.sql import SparkSession

    parser = option_parser("benchmarks.trial.scale", __doc__)
    parser.add_argument(
        "--records", type=counts, default="100000,10000000,100000000", help="numbers of rows"
    )
    parser.add_argument("--subtasks", type=counts, default="1,10,100", help="numbers of subtasks")
    parser.add_argument("--executors", type=int, default=100, help="of the cluster in the estimate")
    parser.add_argument("--cores", type=int, default=4, help="of each of them")
    args = parser.parse_args()
    os.environ["SPARK_LOCAL_IP"] = _LOOPBACK  # of the cluster's master and workers, too
    builder: Any = SparkSession.builder
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": _LOOPBACK,
        "spark.driver.bindAddress": _LOOPBACK,
        "spark.shuffle.compress": "false",
        "spark.python.unix.domain.socket.enabled": "true",
    }
    session = builder.master(_MASTER).config(map=settings).getOrCreate()
    measured(session, min(args.records), max(args.subtasks))
    names = "".join(f"{name.split()[0][:8]:>9}" for name in KINDS)
    print(f"{'':21}{'CPU seconds':>36} {'peak MiB':>36}{'heap':>9}{'shuffled':>9}")
    print(f"{'records':>12}{'subtasks':>9}{names} {names}{'MiB':>9}{'B/record':>9}")
    costs = []
    for subtasks in args.subtasks:
        for records in args.records:
            costs.append(measured(session, records, subtasks))
            print(line(costs[-1]), flush=True)
    print(*model(costs, args.executors, args.cores), sep="\n")
    print(f"load {os.getloadavg()[0]:.1f}")
    session.stop()


if __name__ == "__main__":
    main()
