"""Random legal pipeline documents: the one home of hypothesis strategies.

``documents()`` gives plain values as a person would write them, ``pipelines()`` the same as data.
Every transformation type and every field occurs. Graphs are built legal, input by input, so that no
draw is thrown away. Unless ``compiles`` is False, Flink accepts them too: FORWARD joins equal
parallelism, uids differ, co-located operators share a slot sharing group.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from string import ascii_lowercase, hexdigits
from typing import Any, NamedTuple, TypeVar

from hypothesis import strategies as st

from explorer.checks.table import CHECKS
from explorer.documents import load_document
from explorer.documents.checks.columns import KNOWN, distinct, passages
from explorer.documents.checks.field_checks import MAX_DELAY
from explorer.documents.checks.state_shapes import MAX_TOP
from explorer.flink.kinds import KINDS, Kind
from explorer.flink.releases import release
from explorer.model.pipeline import Pipeline

RELEASES = ("1.15", "1.16", "1.17", "1.18", "1.19", "1.20", "2.0", "2.1", "2.2", "2.3")
"""Those that have every construct but iterations."""

WITH_ITERATIONS = ("1.15", "1.16", "1.17", "1.18", "1.19", "1.20")

NAUGHTY = (
    "<script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>",
    'say "hi"',
    "it's",
    "a: b",
    "- x",
    "#no",
    "yes",
    "null",
    "1.20",
    "0x1F",
    "1e5",
    "2020-01-01",
    "{a}",
    "[b]",
    "*c",
    "&d",
    "!e",
    "%f",
    "@g",
    "`h`",
    "|",
    "back\\slash",
    "two\nlines",
    "tab\there",
    " padded ",
    "\u202eright to left\u202c",
    "שלום",
    "流",
    "👩‍👩‍👧 ⏳",
    "nul\x00",
    "\x85\u2028\ufeff",
    "= 1+1",
    "a" * 10_000,
)
"""Names that break what reads a name as markup or as code, or expects a short one."""

TEXTS = st.one_of(
    st.sampled_from(NAUGHTY),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20),
)
WORDS = st.text(ascii_lowercase, min_size=1, max_size=8)
PARALLELISM = st.integers(1, 8)
MAX_PARALLELISM = st.sampled_from((8, 128, 720, 32768))
EXPRESSIONS = st.sampled_from(("n", "n + 1", "n % 7", "'k'", "1", "length(word)", "concat('k', n)"))
COLUMNS = st.dictionaries(WORDS, EXPRESSIONS, min_size=1, max_size=3)
CODES = st.sampled_from([rule.code for rule in CHECKS])
SEVERITIES = st.sampled_from(("error", "warning", "note", "off"))
HASHES = st.text(hexdigits[:16], min_size=32, max_size=32)
DIFFERENT_MAX = "pipeline.operator-chaining.chain-operators-with-different-max-parallelism"
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        DIFFERENT_MAX: st.sampled_from(("true", "false")),
        "pipeline.vertex-name-include-index-prefix": st.booleans(),
        "pipeline.vertex-description-mode": st.sampled_from(("TREE", "CASCADING")),
        "some.other-option": st.one_of(TEXTS, st.integers(-5, 5), st.floats(-1e9, 1e9)),
    },
)
_WINDOWS = {
    "tumbling": {"size": st.integers(1, 10**6)},
    "sliding": {"size": st.integers(1, 10**6), "slide": st.integers(1, 10**6)},
    "session": {"gap": st.integers(1, 10**6)},
}
_OFFSETS = st.fixed_dictionaries(
    {
        "assigner": st.sampled_from(("tumbling", "sliding")),
        "size": st.integers(10, 10**6),
        "offset": st.integers(-9, 9),
    }
).map(lambda one: {**one, "slide": 10} if one["assigner"] == "sliding" else one)
"""Windows that begin later or earlier than at multiples."""
WINDOWS = st.one_of(
    *(
        st.fixed_dictionaries(
            {"assigner": st.just(assigner), **durations},
            optional={
                "time": st.sampled_from(("event", "processing")),
                "allowed_lateness": st.integers(0, 10**6),
                "late_output": WORDS,
            },
        )
        for assigner, durations in _WINDOWS.items()
    ),
    st.fixed_dictionaries(
        {"assigner": st.just("count"), "size": st.integers(1, 10**6)},
        optional={"slide": st.integers(1, 10**6)},
    ),
    st.just({"assigner": "end_of_stream"}),
    _OFFSETS,
)
JOINED_WINDOWS = st.one_of(
    *(
        st.fixed_dictionaries(
            {"assigner": st.just(assigner), **durations},
            optional={
                "time": st.sampled_from(("event", "processing")),
                "allowed_lateness": st.integers(0, 10**6),
            },
        )
        for assigner, durations in _WINDOWS.items()
    )
)
OUTER = ("left_outer", "right_outer", "full_outer")
LOOKUPS = st.fixed_dictionaries({"column": WORDS, "key": WORDS})
WAITS = st.fixed_dictionaries(
    {"delay": st.integers(0, MAX_DELAY)},
    optional={
        "capacity": st.integers(1, 10**6),
        "ordered": st.booleans(),
    },
)
STATES = st.one_of(
    st.fixed_dictionaries({"shape": st.just("count")}, optional={"as": WORDS}),
    st.fixed_dictionaries(
        {"shape": st.sampled_from(("last", "total")), "column": WORDS}, optional={"as": WORDS}
    ),
    st.fixed_dictionaries({"shape": st.just("deduplicate")}, optional={"column": WORDS}),
    st.fixed_dictionaries(
        {"shape": st.just("top"), "column": WORDS, "size": st.integers(1, MAX_TOP)},
        optional={"as": WORDS},
    ),
    st.fixed_dictionaries(
        {"shape": st.just("pause"), "gap": st.integers(1, 10**6)}, optional={"as": WORDS}
    ),
)
BETWEEN = st.fixed_dictionaries({"lower": st.integers(-(10**6), 0), "upper": st.integers(0, 10**6)})
ROWS = st.one_of(
    st.just({"sequence": {"from": 0, "to": 99}}),
    st.just({"path": "apache-2.0.txt", "format": "text"}),
    st.just({"path": "flights.csv", "format": "csv", "schema": "carrier STRING, delay LONG"}),
    st.just({"path": "sub/rows.jsonl", "format": "jsonl"}),
    st.fixed_dictionaries(
        {
            "schema": st.just("word STRING, n LONG, x DOUBLE, b BOOLEAN"),
            "values": st.lists(
                st.tuples(
                    st.one_of(st.none(), TEXTS),
                    st.integers(-(2**63), 2**63 - 1),
                    st.floats(allow_nan=False, allow_infinity=False),
                    st.booleans(),
                ).map(list),
                max_size=3,
            ),
        }
    ),
)
FORMATS = st.sampled_from(("csv", "jsonl", "parquet"))
SORTS = st.fixed_dictionaries(
    {"column": WORDS}, optional={"order": st.sampled_from(("ASCENDING", "DESCENDING"))}
)
AGGREGATES = st.dictionaries(
    WORDS, st.sampled_from(("sum(n)", "min(n)", "max(n)")), min_size=1, max_size=2
)
_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "name": TEXTS,
    "max_parallelism": MAX_PARALLELISM,
    "uid_hash": HASHES,
    "slot_sharing_group": st.sampled_from(("default", "blue", "green", "größe")),
    "co_location_group": st.sampled_from(("g", "h")),
    "chaining_strategy": st.sampled_from(("NEVER", "HEAD")),
    "buffer_timeout": st.sampled_from((-1, 0, 5, 100)),
    "managed_memory_weight": st.integers(1, 9),
    "resources": st.fixed_dictionaries(
        {"cpu": st.sampled_from((0.25, 0.5, 1.0)), "heap_mb": st.sampled_from((10, 64))}
    ),
    "parallel": st.booleans(),
    "rows": ROWS,
    "select": COLUMNS,
    "select1": COLUMNS,
    "select2": COLUMNS,
    "where": st.sampled_from(("n > 3", "n % 2 = 0 or n < 9", "not b")),
    "split": st.fixed_dictionaries(
        {"value": st.just("lower(line)"), "pattern": st.just("[^a-z]+"), "as": WORDS}
    ),
    "sort": SORTS,
    "side_outputs": st.dictionaries(WORDS, st.just("n > 3"), min_size=1, max_size=2),
    "outputs": st.dictionaries(WORDS, st.just("n > 3"), min_size=1, max_size=2),
    "names": st.lists(WORDS, max_size=3),
    "keys": st.lists(WORDS, min_size=1, max_size=2, unique=True),
    "aggregate": AGGREGATES,
    "timestamps": st.fixed_dictionaries(
        {"column": WORDS},
        optional={
            "out_of_orderness": st.integers(0, 10**6),
            "watermarks": st.sampled_from(("periodic", "punctuated")),
            "idleness": st.integers(1, 10**6),
        },
    ),
    "window": WINDOWS,
    "state": STATES,
    "between": BETWEEN,
    "lookup": LOOKUPS,
    "group": st.sampled_from(("count", *OUTER)),
    "wait": WAITS,
    "function": WORDS,
    "committer": st.booleans(),
    "global_committer": st.booleans(),
    "input_selectable": st.booleans(),
    "mutates": st.booleans(),
    "input_format": WORDS,
    "output_format": WORDS,
    "partitioner": st.sampled_from(("REBALANCE", "RESCALE", "SHUFFLE", "BROADCAST", "GLOBAL")),
    "exchange_mode": st.sampled_from(("UNDEFINED", "PIPELINED", "BATCH")),
}
_NEEDED = {
    "window": "window",
    "window_all": "window",
    "partition": "partitioner",
    "interval_join": "between",
    "join": "window",
    "co_group": "window",
    "select": "names",
}
_REFUSED = {
    ("sink_v2", "uid_hash"),
    ("window_all", "max_parallelism"),
    # sorted by key, or by a field, with a weight of their own
    *((kind.type, "managed_memory_weight") for kind in KINDS.values() if kind.at_end),
}
"""By type, the fields with setters that Flink refuses."""
_ITERATIONS = {"iterate", "close_iteration"}
_BUILT_BY_HAND = {
    "id",
    "type",
    "inputs",
    "parallelism",
    "uid",
    "tag",
    "iteration",
    "max_wait",
    "keyed",
    "selects",
    "write",
    "equal_to",
}
FIELDS_DRAWN = {*_FIELDS, *_BUILT_BY_HAND}
"""What a document of these strategies may hold: every field that there is."""

CHECKPOINTING = st.fixed_dictionaries(
    {},
    optional={
        "mode": st.sampled_from(("EXACTLY_ONCE", "AT_LEAST_ONCE")),
        "timeout": st.integers(10, 10**6),
        "min_pause": st.integers(0, 10**6),
        "max_concurrent": st.integers(1, 5),
        "tolerable_failures": st.integers(0, 5),
        "retention": st.sampled_from(("DELETE_ON_CANCELLATION", "RETAIN_ON_CANCELLATION")),
    },
)
SAVEPOINTS = st.fixed_dictionaries(
    {"path": TEXTS},
    optional={
        "allow_non_restored_state": st.booleans(),
        "claim_mode": st.sampled_from(("NO_CLAIM", "CLAIM", "LEGACY")),
    },
)
SLOT_SHARING_GROUPS = st.dictionaries(
    st.sampled_from(("default", "blue", "größe")),
    st.fixed_dictionaries(
        {"cpu": st.sampled_from((0.25, 1.0)), "heap_mb": st.sampled_from((10, 64))},
        optional={
            "off_heap_mb": st.integers(0, 64),
            "managed_mb": st.integers(0, 64),
            "external": st.dictionaries(WORDS, st.sampled_from((0.0, 1.5)), max_size=2),
        },
    ),
    max_size=2,
)

RECORDS: dict[str, st.SearchStrategy[Any]] = {
    "rows": ROWS,
    "write": st.fixed_dictionaries({"path": TEXTS, "format": FORMATS}),
    "split": st.fixed_dictionaries({"value": TEXTS, "pattern": TEXTS, "as": TEXTS}),
    "sort": SORTS,
    "timestamps": _FIELDS["timestamps"],
    "window": WINDOWS,
    "state": STATES,
    "between": BETWEEN,
    "lookup": LOOKUPS,
    "wait": WAITS,
    "selects": st.dictionaries(WORDS, COLUMNS, min_size=1, max_size=2),
    "resources": st.fixed_dictionaries(
        {"cpu": st.floats(0, allow_infinity=False), "heap_mb": st.integers(0, 2**40)}
    ),
    "checkpointing": CHECKPOINTING,
    "savepoint": SAVEPOINTS,
    "slot_sharing_groups": SLOT_SHARING_GROUPS,
    "configuration": OPTIONS,
}
"""By field that is a record of its own, any value that it can hold."""


class Stream(NamedTuple):
    """What a transformation gives to those that read it."""

    id: str
    type: str
    parallelism: frozenset[int]
    """Of the operators behind it."""
    fixed: int | None
    """The parallelism that a reader must have, behind a FORWARD partitioner."""


class Job(NamedTuple):
    """What is drawn once for a document, so that its transformations go together."""

    batch: bool
    parallelism: int
    compiles: bool
    every_uid: bool
    left_out: frozenset[str]
    """Fields that no transformation of this document sets."""
    oldest: str
    """The oldest release that accepts the document, if it compiles."""


T = TypeVar("T")


def _pick(draw: st.DrawFn, choices: Sequence[T]) -> T:
    """One of the choices: hypothesis keeps strategies of integers, and makes others anew."""
    return choices[draw(st.integers(0, len(choices) - 1))]


def _job(draw: st.DrawFn, *, compiles: bool, batch: bool, oldest: str) -> Job:
    """Which fields can stand together in one document."""
    left_out = {_pick(draw, ("resources", "managed_memory_weight"))}
    grouped = draw(st.booleans()) and not batch
    left_out.add("slot_sharing_group" if grouped else "co_location_group")
    if batch:
        # a keyed operator sorts its input in a batch job, with a weight of its own
        left_out |= {"buffer_timeout", "co_location_group", "managed_memory_weight"}
    left_out.add("input_selectable")  # Flink refuses it with checkpoints, and in a batch job
    return Job(
        batch=batch,
        parallelism=draw(PARALLELISM),
        compiles=compiles,
        every_uid=draw(st.integers(0, 9)) == 0,
        left_out=frozenset(left_out if compiles else ()),
        oldest=oldest,
    )


@st.composite
def documents(
    draw: st.DrawFn,
    *,
    max_size: int = 14,
    compiles: bool = True,
    iterations: bool = False,
    oldest: str = RELEASES[0],
) -> dict[str, Any]:
    """A legal pipeline document as plain values, of 1 to about ``max_size`` transformations.

    ``oldest``: the release from which on it compiles.
    """
    batch = draw(st.integers(0, 4)) == 0 and not iterations
    job = _job(draw, compiles=compiles, batch=batch, oldest=oldest)
    streams: list[Stream] = []
    items: list[dict[str, Any]] = []
    for number in range(draw(st.integers(1, max_size))):
        item, stream = _transformation(draw, number, items, streams, job)
        items.append(item)
        if not KINDS[stream.type].ends:
            streams.append(stream)
    if compiles and not any(KINDS[item["type"]].registered for item in items):
        # Flink refuses a program in which nothing reads a source.
        items.append({"id": "end", "type": "sink", "inputs": [streams[0].id], "uid": "end"})
    if iterations:
        items += _loop(draw, streams, len(items), job)
    document: dict[str, Any] = {"transformations": items}
    releases = WITH_ITERATIONS if iterations else RELEASES
    optional: dict[str, st.SearchStrategy[Any]] = {
        "name": TEXTS,
        "title": TEXTS,
        "teaches": TEXTS,
    }
    head = {name: draw(values) for name, values in optional.items() if draw(st.booleans())}
    if draw(st.booleans()):
        head["environment"] = _environment(draw, job, iterations=iterations)
    if iterations or draw(st.booleans()):
        head["flink"] = _pick(draw, releases)
    head.setdefault("environment", {})["parallelism"] = job.parallelism
    expected = _expectations(draw, items) if draw(st.integers(0, 3)) == 0 else {}
    return {**head, **document, **expected}


def _expectations(draw: st.DrawFn, items: list[dict[str, Any]]) -> dict[str, Any]:
    """What a document may expect of its operators, and how it weighs findings."""
    ids = [item["id"] for item in items if KINDS[item["type"]].node]
    pairs = st.lists(st.permutations(ids).map(lambda each: each[:2]), max_size=2, unique_by=set_of)
    expect = {
        "tasks": st.integers(1, 20),
        "slots": st.integers(1, 20),
        "ids": st.dictionaries(st.sampled_from(ids), HASHES, max_size=2),
        draw(st.sampled_from(("chained", "apart"))): pairs if len(ids) > 1 else st.just([]),
    }
    reasons = TEXTS.filter(str.strip)
    check = {
        "severities": st.dictionaries(CODES, SEVERITIES, max_size=2),
        "silenced": st.dictionaries(
            CODES, reasons | st.dictionaries(st.sampled_from(ids), reasons, max_size=2), max_size=2
        ),
    }
    members = {"expect": expect, "check": check}
    return {
        name: draw(st.fixed_dictionaries({}, optional=dict(fields)))
        for name, fields in members.items()
    }


def set_of(pair: list[str]) -> frozenset[str]:
    """A pair in whatever order."""
    return frozenset(pair)


def pipelines(
    *,
    max_size: int = 14,
    compiles: bool = True,
    iterations: bool = False,
    oldest: str = RELEASES[0],
) -> st.SearchStrategy[Pipeline]:
    """Legal pipelines as data."""
    made = documents(max_size=max_size, compiles=compiles, iterations=iterations, oldest=oldest)
    return made.map(_pipeline)


def _pipeline(document: dict[str, Any]) -> Pipeline:
    pipeline = load_document(document)
    assert isinstance(pipeline, Pipeline)
    return pipeline


@cache
def _settings(*, grouped: bool, batch: bool, iterations: bool) -> st.SearchStrategy[Any]:
    """Settings of an environment that a job of this kind can have."""
    optional: dict[str, st.SearchStrategy[Any]] = {
        "max_parallelism": MAX_PARALLELISM,
        "chaining": st.booleans(),
        "configuration": OPTIONS,
        "checkpointing": CHECKPOINTING,
        "savepoint": SAVEPOINTS,
        "artifacts": st.dictionaries(WORDS, TEXTS, max_size=2),
    }
    if grouped:
        optional["slot_sharing_groups"] = SLOT_SHARING_GROUPS
    if not batch:
        optional["buffer_timeout"] = st.sampled_from((-1, 0, 20, 100))
    if not iterations:
        optional["checkpoint_interval"] = st.integers(10, 10**6)
    return st.fixed_dictionaries({}, optional=optional)


def _environment(draw: st.DrawFn, job: Job, *, iterations: bool) -> dict[str, Any]:
    grouped = not job.compiles or (release(job.oldest).slot_profiles and not job.batch)
    values: dict[str, Any] = draw(
        _settings(grouped=grouped, batch=job.batch, iterations=iterations)
    )
    if job.batch:
        values["runtime_mode"] = _pick(draw, ("BATCH", "AUTOMATIC"))
    if job.every_uid:
        values["auto_generate_uids"] = draw(st.booleans())
    return values


def _more(draw: st.DrawFn, item: dict[str, Any]) -> dict[str, Any]:
    """Fields that go with others, or with the inputs."""
    more: dict[str, Any] = {}
    if item["type"] == "multiple_input" and draw(st.booleans()):
        strategies = ("ALWAYS", "HEAD_WITH_SOURCES", "HEAD", "NEVER")
        more["chaining_strategy"] = _pick(draw, strategies)
    if item["type"] == "multiple_input" and draw(st.booleans()):
        more["selects"] = {one: draw(COLUMNS) for one in item["inputs"]}
    if KINDS[item["type"]].tagger is not None:
        more["window"] = draw(JOINED_WINDOWS)
        if "keys" in item and draw(st.booleans()):
            more["equal_to"] = item["keys"][::-1]
    if "group" in KINDS[item["type"]].allowed_fields and "select" in item:
        more["group"] = _pick(draw, OUTER)
    if "lookup" in KINDS[item["type"]].allowed_fields and item.keys() & {"lookup", "select"}:
        more |= {"lookup": draw(LOOKUPS), "select": draw(COLUMNS)}
    if "write" in KINDS[item["type"]].allowed_fields and draw(st.booleans()):
        more["write"] = {"path": f"rows of {item['id']}", "format": draw(FORMATS)}
    return more


def _transformation(
    draw: st.DrawFn,
    number: int,
    items: list[dict[str, Any]],
    streams: list[Stream],
    job: Job,
) -> tuple[dict[str, Any], Stream]:
    """One more transformation, and the stream that it gives."""
    type_ = _pick(draw, _possible(streams, job))
    id_ = draw(WORDS) + str(number)
    item: dict[str, Any] = {"id": id_, "type": type_}
    if type_ == "multiple_input" and any(stream.type == "key_by" for stream in streams):
        item["keyed"] = draw(st.booleans())
    inputs = _inputs(draw, type_, items, streams, keyed=item.get("keyed", False))
    if inputs:
        item["inputs"] = [stream.id for stream in inputs]
    for field in _fields(draw, type_, job):
        item[field] = draw(_FIELDS[field])
        if field == "timestamps" and type_ == "source":
            item[field].pop("watermarks", None)
    _settle_window(item, job)
    item |= _more(draw, item)
    if type_ == "side_output":
        item["tag"] = _tag(draw, items, inputs[0].id)
    if KINDS[type_].node:
        return item, _operator(draw, item, inputs, job)
    return item, _virtual(item, inputs)


def _settle_window(item: dict[str, Any], job: Job) -> None:
    """A window that ends with the stream sorts with a weight of its own, and is a newer one."""
    if item.get("window") != {"assigner": "end_of_stream"}:
        return
    item.pop("managed_memory_weight", None)
    if job.compiles and not release(job.oldest).partition_windows:
        item["window"] = {"assigner": "tumbling", "size": 5}


def _possible(streams: list[Stream], job: Job) -> list[str]:
    """The types that the streams so far allow."""
    types = ["source"] if job.batch and job.compiles else ["source", "legacy_source"]
    given = {stream.type for stream in streams}
    reading = [kind for kind in KINDS.values() if kind.inputs[1] != 0 and _goes(kind, job)]
    return [
        *types,
        *(kind.type for kind in reading if streams and _reads(kind, given, streams, job)),
    ]


def _goes(kind: Kind, job: Job) -> bool:
    """Whether a job may hold the type; a loop is drawn as a whole."""
    if kind.type in _ITERATIONS:
        return False
    if job.compiles and kind.exists is not None and not kind.exists(release(job.oldest)):
        return False
    # No program can give a tagger a uid, so Flink refuses it where each must have one.
    return kind.tagger is None or not job.every_uid


def _reads(kind: Kind, given: set[str], streams: list[Stream], job: Job) -> bool:
    """Whether one of the streams is one that the type reads."""
    if kind.keyed and "key_by" not in given:
        return False
    if not kind.keyed and kind.type != "key_by" and given == {"key_by"}:
        return False
    forwards = kind.type != "forward" or not job.compiles or any(map(_may_forward, streams))
    return forwards and _has_source(kind, given)


def _has_source(kind: Kind, given: set[str]) -> bool:
    """Whether there is a stream that a side output or a cache can be declared on."""
    sources = [KINDS[type_] for type_ in given]
    if kind.type == "side_output":
        return any(source.side_outputs for source in sources)
    return not kind.caches or any(source.node for source in sources)


def _may_forward(stream: Stream) -> bool:
    return len(stream.parallelism) == 1 and stream.type != "key_by"


def _inputs(
    draw: st.DrawFn,
    type_: str,
    items: list[dict[str, Any]],
    streams: list[Stream],
    *,
    keyed: bool,
) -> list[Stream]:
    """As many inputs as the type has, which it can read together."""
    least, most = KINDS[type_].inputs
    if most == 0:
        return []
    count = least if most is not None else least + draw(st.integers(0, 2))
    readable = [stream for stream in streams if _readable(stream, type_, keyed=keyed)]
    chosen = [_pick(draw, readable)]
    columns = _columns(items) if type_ == "union" else {}
    while len(chosen) < count:
        fixed = next((stream.fixed for stream in chosen if stream.fixed is not None), None)
        first = chosen[0]
        fitting = [
            stream
            for stream in readable
            if (fixed is None or stream.fixed in {None, fixed})
            and columns.get(stream.id) == columns.get(first.id)
        ]
        chosen.append(_pick(draw, fitting))
    return chosen


def _readable(stream: Stream, type_: str, *, keyed: bool) -> bool:
    if keyed or KINDS[type_].keyed:
        return stream.type == "key_by"
    if type_ == "side_output":
        return KINDS[stream.type].side_outputs
    if type_ == "forward":
        return _may_forward(stream)
    if KINDS[type_].caches:
        return KINDS[stream.type].node or stream.type == "side_output"
    if KINDS[type_].tagger is not None and stream.fixed is not None and len(stream.parallelism) > 1:
        return False  # A tagger has the parallelism of its input, here a union's first stream.
    return stream.type != "key_by" or type_ in {"map", "process", "co_map", "sink", "key_by"}


def _columns(items: list[dict[str, Any]]) -> dict[str, Any]:
    pipeline = _pipeline({"transformations": items})
    found = passages(pipeline.transformations, KNOWN)
    return {one.transformation.id: distinct(one.gives) for one in found}


def _fields(draw: st.DrawFn, type_: str, job: Job) -> Iterator[str]:
    """Yield the fields that a transformation sets: what it needs, and a third of the others.

    One draw decides about all of them: nine tenths of the time of a test goes into draws.
    """
    fields = [field for field in KINDS[type_].allowed_fields if field not in _BUILT_BY_HAND]
    throws = draw(st.binary(min_size=len(fields), max_size=len(fields)))
    for field, throw in zip(fields, throws, strict=True):
        if _NEEDED.get(type_) == field or (throw >= 170 and not _left_out(field, type_, job)):
            yield field


def _left_out(field: str, type_: str, job: Job) -> bool:
    if field in job.left_out or (type_, field) in _REFUSED:
        return True
    return job.every_uid and field in {"uid_hash", "global_committer"}


def _tag(draw: st.DrawFn, items: list[dict[str, Any]], source: str) -> str:
    item = next(item for item in items if item["id"] == source)
    late = item.get("window", {}).get("late_output")
    tags: dict[str, str] | None = {late: ""} if late else item.get("side_outputs")
    return _pick(draw, sorted(tags)) if tags else draw(WORDS)


def _operator(draw: st.DrawFn, item: dict[str, Any], inputs: list[Stream], job: Job) -> Stream:
    """Give an operator a parallelism and a uid that fit, in place; return its stream."""
    fixed = next((stream.fixed for stream in inputs if stream.fixed is not None), None)
    parallelism = job.parallelism
    if item.get("parallel") is False or item["type"] == "window_all":
        parallelism = 1
    elif fixed is not None and job.compiles:
        parallelism = item["parallelism"] = fixed
    elif KINDS[item["type"]].input_parallelism or draw(st.integers(0, 3)) == 0:
        # Without one, it runs as often as what it reads, which may be several operators.
        parallelism = item["parallelism"] = draw(PARALLELISM)
    if job.every_uid or draw(st.integers(0, 3)) == 0:
        item["uid"] = f"{item['id']} {_pick(draw, NAUGHTY[:-1])}"
    return Stream(item["id"], item["type"], frozenset({parallelism}), None)


def _virtual(item: dict[str, Any], inputs: list[Stream]) -> Stream:
    """The stream behind a transformation without an operator."""
    parallelism = frozenset().union(*(stream.parallelism for stream in inputs))
    fixed = next((stream.fixed for stream in inputs if stream.fixed is not None), None)
    if item["type"] == "forward":
        fixed = min(parallelism)
    elif item["type"] not in {"union", "side_output"}:
        fixed = None
    return Stream(item["id"], item["type"], parallelism, fixed)


def _loop(draw: st.DrawFn, streams: list[Stream], number: int, job: Job) -> list[dict[str, Any]]:
    """An iteration over one of the streams, closed by its own body."""
    readable = [stream for stream in streams if _may_forward(stream)]
    if not readable:
        return []
    source = _pick(draw, readable)
    (parallelism,) = source.parallelism
    ids = [f"{word}{number + step}" for step, word in enumerate(("loop", "body", "again", "done"))]
    loop: dict[str, Any] = {"id": ids[0], "type": "iterate", "inputs": [source.id]}
    if draw(st.booleans()):
        loop["max_wait"] = draw(st.integers(0, 10**6))
    body: dict[str, Any] = {
        "id": ids[1],
        "type": "map",
        "inputs": [ids[0]],
        "parallelism": parallelism,
    }
    again = {"id": ids[2], "type": "close_iteration", "inputs": [ids[1]], "iteration": ids[0]}
    sink: dict[str, Any] = {"id": ids[3], "type": "sink", "inputs": [ids[1]]}
    if job.every_uid:
        body["uid"], sink["uid"] = ids[1], ids[3]
    return [loop, body, again, sink]
