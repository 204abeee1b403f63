"""For each rule of ``check`` a document that it finds something in, and one that is well."""

from typing import Any, NamedTuple

Document = dict[str, Any]


class Pair(NamedTuple):
    """Two documents that differ in one thing."""

    bad: Document
    good: Document
    says: str
    """A part of what is said of the bad one."""
    path: str
    """Where in it."""
    flink: str = "1.20"
    locked: Document | None = None
    """What the lock was made of, where the rule asks for one."""


def job(*items: Document, **head: Any) -> Document:
    return {**head, "transformations": list(items)}


def op(id: str, type: str = "map", *inputs: str, **fields: Any) -> Document:
    return {"id": id, "type": type, **({"inputs": list(inputs)} if inputs else {}), **fields}


def changed(document: Document, id: str, **fields: Any) -> Document:
    """The document with other fields of one transformation; None removes a field."""
    items = [
        {k: v for k, v in {**item, **fields}.items() if v is not None} if item["id"] == id else item
        for item in document["transformations"]
    ]
    return {**document, "transformations": items}


def within(document: Document, **environment: Any) -> Document:
    return {**document, "environment": environment}


SOURCE = op("s", "source", uid="s")
PAID = op(
    "s", "source", rows={"path": "paid.csv", "format": "csv", "schema": "who STRING, amount LONG"}
)
"""A source with rows of known columns."""
COUNT = job(
    SOURCE,
    op("by", "key_by", "s", keys=["n"]),
    op("count", "reduce", "by", uid="count"),
    op("out", "sink", "count", uid="out"),
)
"""A keyed count with uids for all operators."""
BEFORE_RESCALE = within(COUNT, parallelism=90)
RESCALED = within(
    job(
        SOURCE,
        op("by", "key_by", "s", keys=["n"]),
        op("count", "reduce", "by", uid="count"),
        op("large", "filter", "count", uid="large"),
        op("out", "sink", "large", uid="out"),
    ),
    parallelism=2,
)
"""The count with a filter in its chain and another derived maximum parallelism."""
BARE = changed(COUNT, "count", uid=None)
LINE = job(SOURCE, op("m", "map", "s", uid="m"), op("out", "sink", "m", uid="out"))
WIDE = within(LINE, parallelism=4)
WINDOW = {"assigner": "tumbling", "size": 5000}
ALIGNED = {"column": "n", "alignment": {"group": "all", "max_drift": 500}}
WINDOWED = job(
    SOURCE,
    op("by", "key_by", "s", keys=["n"]),
    op("w", "window", "by", window=WINDOW, uid="w"),
    op("out", "sink", "w"),
)
CUSTOM = job(SOURCE, op("p", "partition_custom", "s"), op("out", "sink", "p"))
FORWARD = job(SOURCE, op("f", "forward", "s"), op("m", "map", "f"), op("out", "sink", "m"))
APART = changed(FORWARD, "m", uid="count", chaining_strategy="HEAD")
LEGACY = job(op("s", "legacy_source", uid="s"), op("a", "async", "s"), op("out", "sink", "a"))
UNALIGNED = {"checkpoint_interval": 1000, "checkpointing": {"unaligned": True}}
LOOP = job(
    SOURCE,
    op("i", "iterate", "s"),
    op("m", "map", "i"),
    op("again", "close_iteration", "m", iteration="i"),
    op("out", "sink", "m"),
)
TWO = job(
    SOURCE,
    op("a", "map", "s", name="same"),
    op("b", "map", "a", name="same"),
    op("out", "sink", "b"),
)
ASYNC = job(
    op("s", "legacy_source"),
    op("even", "rebalance", "s"),
    op("m", "map", "even"),
    op("a", "async", "m"),
    op("by", "key_by", "a", keys=["n"]),
    op("count", "reduce", "by"),
    op("out", "sink", "count"),
)
OVERRIDES = "pipeline.jobvertex-parallelism-overrides"


def option(document: Document, name: str, value: Any, **environment: Any) -> Document:
    return within(document, configuration={name: value}, **environment)


def expecting(document: Document, **expect: Any) -> Document:
    return {**document, "expect": expect}


PAIRS: dict[str, Pair] = {
    "RF01": Pair(
        within(job(op("s", "legacy_source"), op("out", "sink", "s")), runtime_mode="BATCH"),
        LINE,
        "Detected an UNBOUNDED source",
        "transformations[0]",
    ),
    "EX01": Pair(
        expecting(changed(LINE, "m", chaining_strategy="HEAD"), chained=[["s", "m"]]),
        expecting(LINE, chained=[["s", "m"]]),
        "s and m should share a task but are in two: 'downstream allows chaining' fails.",
        "expect.chained[0]",
    ),
    "EX02": Pair(
        expecting(LINE, apart=[["s", "m"]]),
        expecting(changed(LINE, "m", chaining_strategy="HEAD"), apart=[["s", "m"]]),
        "s and m should be in two tasks but share one.",
        "expect.apart[0]",
    ),
    "EX03": Pair(
        expecting(COUNT, tasks=3),
        expecting(COUNT, tasks=2),
        "3 tasks are expected, and the job has 2.",
        "expect.tasks",
    ),
    "EX04": Pair(
        expecting(COUNT, slots=1) | {"environment": {"parallelism": 4}},
        expecting(COUNT, slots=4) | {"environment": {"parallelism": 4}},
        "1 slot is expected, and the job has 4.",
        "expect.slots",
    ),
    "EX05": Pair(
        expecting(COUNT, ids={"count": "0" * 32}),
        expecting(changed(COUNT, "count", uid_hash="0" * 32), ids={"count": "0" * 32}),
        f"count is expected to have the ID {'0' * 32}",
        "expect.ids.count",
    ),
    "LK01": Pair(
        COUNT,
        changed(COUNT, "count", uid_hash="dfd0360a6589006654bcb19c36eef019"),
        "is now 'id: ",
        "operators.count.id",
        locked=BARE,
    ),
    "LK02": Pair(
        changed(LINE, "m", chaining_strategy="HEAD"),
        LINE,
        "The chain '[s, m, out]' is now '[s]' and '[m, out]'.",
        "chains[0]",
        locked=LINE,
    ),
    "LK03": Pair(
        changed(LINE, "m", name="other"),
        changed(LINE, "m", name="m"),
        "m: 'name: m' is now 'name: other'.",
        "operators.m.name",
        locked=changed(LINE, "m", name="m"),
    ),
    "LK04": Pair(
        within(COUNT, max_parallelism=256),
        within(COUNT, max_parallelism=128),
        "'max_parallelism: 128' is now 'max_parallelism: 256'",
        "operators.s.max_parallelism",
        locked=within(COUNT, max_parallelism=128),
    ),
    "LK05": Pair(
        job(*LINE["transformations"], op("more", "sink", "m")),
        LINE,
        "more is new, and the lock does not have it",
        "transformations[3]",
        locked=LINE,
    ),
    "LK06": Pair(
        LINE,
        LINE | {"flink": "1.19"},
        "'flink: \"1.19\"' is now",
        "flink",
        locked=LINE | {"flink": "1.19"},
    ),
    "ST01": Pair(
        BARE,
        COUNT,
        "Keyed Reduce has keyed state and has no uid",
        "transformations[2]",
    ),
    "ST02": Pair(
        job(SOURCE, op("p", "process", "s"), op("out", "sink", "p")),
        job(SOURCE, op("p", "process", "s", uid="p"), op("out", "sink", "p")),
        "Process may have state and has no uid",
        "transformations[1]",
    ),
    "ST03": Pair(
        BARE,
        job(
            op("s", "source", uid="s"),
            op("by", "key_by", "s", keys=["n"]),
            op("count", "reduce", "by"),
            op("by-2", "key_by", "count", keys=["n"]),
            op("again", "reduce", "by-2", uid="again"),
        ),
        "The ID of Keyed Reduce changes with the chains around it",
        "transformations[2]",
    ),
    "ST04": Pair(
        changed(LINE, "m", uid="s"),
        LINE,
        "s and m end in the same operator ID, by the uid 's'",
        "transformations[1].uid",
    ),
    "ST05": Pair(
        within(changed(LINE, "m", uid=None), auto_generate_uids=False),
        within(LINE, auto_generate_uids=False),
        "Without a uid are m, and the job asks for one everywhere. Flink: Auto generated UIDs",
        "transformations[1]",
    ),
    "ST06": Pair(
        changed(LINE, "m", uid="m-0f8fad5b-d9cb-469f-a165-70867728950e"),
        LINE,
        "looks random or derived from the clock",
        "transformations[1].uid",
    ),
    "ST07": Pair(
        changed(LINE, "m", uid=None, uid_hash="0" * 32),
        changed(LINE, "m", uid_hash="0" * 32),
        f"Map answers to {'0' * 32} and has no uid",
        "transformations[1].uid_hash",
    ),
    "MP01": Pair(
        COUNT,
        changed(COUNT, "count", max_parallelism=128),
        "at parallelism 1 Flink derives 128, above 85 subtasks a larger one",
        "transformations[2]",
    ),
    "MP02": Pair(
        changed(LINE, "m", max_parallelism=64),
        within(LINE, max_parallelism=64),
        "Map sets the maximum parallelism 64, and is chained to Source: Custom Source; their task "
        "has a derived one of 128",
        "transformations[1].max_parallelism",
    ),
    "MP03": Pair(
        changed(COUNT, "count", parallelism=100, max_parallelism=128),
        changed(COUNT, "count", parallelism=64, max_parallelism=128),
        "128 key groups are distributed over 100 subtasks of Keyed Reduce: one has 1, another 2",
        "transformations[2]",
    ),
    "MP04": Pair(
        option(COUNT, "pipeline.max-parallelism", 4, parallelism=8),
        option(COUNT, "pipeline.max-parallelism", 8, parallelism=8),
        "'s parallelism (8) is higher than the max parallelism (4)",
        "transformations[0]",
    ),
    "MP05": Pair(
        {**RESCALED, "baseline": {"name": "v1", "document": BEFORE_RESCALE}},
        {
            **changed(RESCALED, "count", max_parallelism=256),
            "baseline": {"name": "v1", "document": BEFORE_RESCALE},
        },
        "Keyed Reduce was saved with 256 key groups, and its task has other numbers: Filter 128.",
        "transformations[2]",
    ),
    "NM01": Pair(
        TWO,
        changed(TWO, "b", name="other"),
        "2 operators are called 'same' (a and b)",
        "transformations[2]",
    ),
    "ED01": Pair(
        changed(WIDE, "out", parallelism=2),
        WIDE,
        "Map has 4 subtasks and Sink: Print to Std. Out has 2, so Flink inserts a REBALANCE",
        "transformations[2]",
    ),
    "ED02": Pair(
        FORWARD,
        job(SOURCE, op("m", "map", "s"), op("out", "sink", "m")),
        "sets FORWARD explicitly, which is valid while both have 1 subtask;",
        "transformations[2]",
    ),
    "ED03": Pair(
        changed(FORWARD, "m", parallelism=3),
        FORWARD,
        "Flink: Forward partitioning does not allow change of parallelism",
        "transformations[2]",
    ),
    "ED04": Pair(
        changed(LINE, "m", slot_sharing_group="own"),
        LINE,
        "would chain but for a setting (same slot sharing group does not hold)",
        "transformations[1]",
    ),
    "ED05": Pair(
        within(LINE, chaining=False),
        within(LINE, chaining=True),
        "Chaining is off for the whole job: 3 tasks",
        "environment.chaining",
    ),
    "ED06": Pair(
        LEGACY,
        changed(LEGACY, "s", type="source"),
        "async wait operator yields to its mailbox",
        "transformations[1]",
    ),
    "ED07": Pair(
        within(COUNT, parallelism=100),
        within(COUNT, parallelism=99),
        "all-to-all between 100 and 100 subtasks: 10,000 channels",
        "transformations[2]",
    ),
    "ED08": Pair(
        within(
            job(SOURCE, op("g", "global", "s"), op("m", "map", "g"), op("out", "sink", "m")),
            parallelism=4,
        ),
        within(
            job(SOURCE, op("g", "rebalance", "s"), op("m", "map", "g"), op("out", "sink", "m")),
            parallelism=4,
        ),
        "All records of Source: Custom Source go to one subtask of Map; 3 of its subtasks get none",
        "transformations[2]",
    ),
    "ED09": Pair(LINE, COUNT, "The whole job is the one task", "transformations[2]"),
    "ED10": Pair(
        WINDOWED,
        job(
            SOURCE,
            op("t", "timestamps", "s", timestamps={"column": "n"}),
            op("by", "key_by", "t", keys=["n"]),
            op("w", "window", "by", window=WINDOW),
            op("out", "sink", "w"),
        ),
        "w is an event-time window, and nothing before it assigns timestamps",
        "transformations[2].window",
    ),
    "WM01": Pair(
        job(SOURCE, op("t", "timestamps", "s", timestamps=ALIGNED), op("out", "sink", "t")),
        job(op("s", "source", timestamps=ALIGNED), op("out", "sink", "s")),
        "which has no effect: only a FLIP-27 source is aligned",
        "transformations[1].timestamps.alignment",
    ),
    "WM02": Pair(
        job(op("s", "source", timestamps=ALIGNED), op("out", "sink", "s")),
        job(op("s", "source", timestamps={**ALIGNED, "idleness": 60_000}), op("out", "sink", "s")),
        "all sources of the group stop 500 ms after its last watermark",
        "transformations[0].timestamps.alignment",
    ),
    "RW01": Pair(
        job(PAID, op("f", "filter", "s", where="amout > 3"), op("out", "sink", "f")),
        job(PAID, op("f", "filter", "s", where="amount > 3"), op("out", "sink", "f")),
        "where of f names the column 'amout'; its rows have who and amount",
        "transformations[1].where",
    ),
    "SL01": Pair(
        within(changed(LINE, "m", slot_sharing_group="own"), parallelism=4),
        WIDE,
        "2 slot sharing groups ask for 8 slots (4 + 4); in one group the job would run in 4",
        "transformations[1].slot_sharing_group",
    ),
    "CP01": Pair(
        within(CUSTOM, **UNALIGNED),
        within(LINE, **UNALIGNED),
        "Unaligned checkpoints are currently not supported for custom partitioners",
        "transformations[0]",
    ),
    "CP02": Pair(
        within(LINE, checkpointing={"unaligned": True}),
        within(LINE, **UNALIGNED),
        "Unaligned checkpoints are enabled and have no effect: the job takes no checkpoints",
        "environment.checkpointing.unaligned",
    ),
    "CP03": Pair(
        within(job(SOURCE, op("b", "broadcast", "s"), op("out", "sink", "b")), **UNALIGNED),
        within(job(SOURCE, op("b", "rebalance", "s"), op("out", "sink", "b")), **UNALIGNED),
        "is BROADCAST: its channels stay aligned",
        "transformations[2]",
    ),
    "CP04": Pair(
        COUNT,
        within(COUNT, checkpoint_interval=1000),
        "The job takes no checkpoints, and count has state",
        "environment",
    ),
    "CP05": Pair(
        within(LINE, checkpoint_interval=1000, checkpointing={"min_pause": 5000}),
        within(LINE, checkpoint_interval=5000, checkpointing={"min_pause": 5000}),
        "The checkpoint interval is 1,000 ms and the pause between two checkpoints 5,000 ms",
        "environment.checkpointing.min_pause",
    ),
    "BT01": Pair(
        within(COUNT, buffer_timeout=0),
        within(COUNT, buffer_timeout=5),
        "s: buffer timeout 0 sends a buffer for every record",
        "environment.buffer_timeout",
    ),
    "BT02": Pair(
        within(COUNT, buffer_timeout=-1),
        COUNT,
        "s: buffer timeout -1 sends a buffer only when it is full",
        "environment.buffer_timeout",
    ),
    "RL01": Pair(
        LEGACY,
        changed(LEGACY, "s", type="source"),
        "Source: Custom Source is a SourceFunction, which is deprecated in Flink 1.20",
        "transformations[0].type",
    ),
    "RL02": Pair(LOOP, LINE, "Flink 2.0: ", "flink"),
    "RL03": Pair(
        ASYNC,
        changed(changed(ASYNC, "count", uid="count"), "a", uid="a"),
        "and under Flink 1.11 it will have",
        "transformations[3]",
        flink="1.10",
    ),
    "OP01": Pair(
        option(LINE, "pipeline.operator-chaining.enabled", "true"),
        option(LINE, "pipeline.operator-chaining", "true"),
        "Flink 1.17 has no option 'pipeline.operator-chaining.enabled' (Flink 1.18 to 2.3 has it)",
        "environment.configuration.'pipeline.operator-chaining.enabled'",
        flink="1.17",
    ),
    "OP02": Pair(
        option(LINE, "pipeline.max-paralellism", 128),
        option(LINE, "state.backend.type", "rocksdb"),
        "did you mean 'pipeline.max-parallelism'?",
        "environment.configuration.'pipeline.max-paralellism'",
    ),
    "OP03": Pair(
        option(LINE, "pipeline.max-parallelism", 64, max_parallelism=128),
        option(LINE, "pipeline.max-parallelism", 64),
        "environment.max_parallelism is 128: what the program sets wins",
        "environment.configuration.'pipeline.max-parallelism'",
    ),
    "OP04": Pair(
        option(LINE, "pipeline.operator-chaining", "true"),
        option(LINE, "pipeline.operator-chaining.enabled", "true"),
        "is called 'pipeline.operator-chaining.enabled' in Flink 1.20",
        "environment.configuration.'pipeline.operator-chaining'",
    ),
    "OP05": Pair(
        changed(LINE, "out", max_parallelism=128),
        LINE,
        "out sets max_parallelism, and a sink has no setter for it",
        "transformations[2].max_parallelism",
    ),
    "OP06": Pair(
        job(
            SOURCE,
            op("p", "partition", "s", partitioner="REBALANCE", exchange_mode="BATCH"),
            op("out", "sink", "p"),
        ),
        job(
            SOURCE,
            op("p", "partition", "s", partitioner="REBALANCE", exchange_mode="PIPELINED"),
            op("out", "sink", "p"),
        ),
        "p sets a BATCH exchange, and the job is a streaming job",
        "transformations[1].exchange_mode",
    ),
    "OP07": Pair(
        option(COUNT, OVERRIDES, f"{'0' * 32}:2"),
        option(COUNT, OVERRIDES, "b71731f1c0df9c3076c4a455334d0ad6:2"),
        f"1 override of parallelism names no task of this job ({'0' * 32})",
        f"environment.configuration.'{OVERRIDES}'",
    ),
    "OP08": Pair(
        {**option(COUNT, OVERRIDES, "b71731f1c0df9c3076c4a455334d0ad6:2"), "flink": "2.2"},
        option(COUNT, OVERRIDES, "b71731f1c0df9c3076c4a455334d0ad6:2"),
        f"Flink 2.2 does not apply '{OVERRIDES}' to a job that a client submits",
        f"environment.configuration.'{OVERRIDES}'",
    ),
    "DP04": Pair(
        option(COUNT, "jobmanager.scheduler", "AdaptiveBatch"),
        option(COUNT, "jobmanager.scheduler", "adaptive"),
        "Adaptive batch scheduler only supports batch jobs",
        "",
    ),
    "DP05": Pair(
        option(APART, OVERRIDES, "b71731f1c0df9c3076c4a455334d0ad6:4", parallelism=2),
        option(APART, OVERRIDES, "b71731f1c0df9c3076c4a455334d0ad6:2", parallelism=2),
        "of the target get no records",
        "",
    ),
    "OP09": Pair(
        option(LINE, "state.backend.incremental", "ture"),
        option(LINE, "state.backend.incremental", "TRUE"),
        "Could not parse value 'ture' for key 'execution.checkpointing.incremental'.",
        "environment.configuration.'state.backend.incremental'",
    ),
    "OP10": Pair(
        option(LINE, "execution.of-my-own.thing", "1"),
        option(LINE, "mine.thing", "1"),
        "Flink 1.20 has no option 'execution.of-my-own.thing'",
        "environment.configuration.'execution.of-my-own.thing'",
    ),
    "DP01": Pair(
        within(
            COUNT,
            parallelism=60,
            configuration=dict.fromkeys(
                ("taskmanager.memory.network.min", "taskmanager.memory.network.max"), "1mb"
            ),
        ),
        COUNT,
        "Insufficient number of network buffers",
        "",
    ),
    "DP02": Pair(
        {**LINE, "baseline": {"name": "v1", "document": COUNT}},
        {**COUNT, "baseline": {"name": "v1", "document": COUNT}},
        "Against v1 (Flink 1.20): Flink 1.20 refuses",
        "baseline",
    ),
    "DP03": Pair(
        {**COUNT, "name": "v2", "baseline": {"name": "v1", "document": COUNT}},
        COUNT,
        "Against v1 (Flink 1.20): IDs and parallelism match",
        "baseline",
    ),
}
"""By code."""
