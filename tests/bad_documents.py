"""Documents that are refused, by what is wrong with them: where, and a part of the sentence."""

import json
from typing import Any, NamedTuple

from explorer.documents import MAX_BYTES, MAX_TRANSFORMATIONS


class Bad(NamedTuple):
    """A document that is refused."""

    name: str
    content: str | bytes
    path: str
    """What the message says of the place."""
    says: str
    """A part of its sentence."""


def doc(*items: dict[str, Any], **head: Any) -> str:
    return json.dumps({**head, "transformations": list(items)})


SOURCE: dict[str, Any] = {"id": "s", "type": "source"}
KEYED: dict[str, Any] = {"id": "k", "type": "key_by", "inputs": ["s"]}


def op(type_: str = "map", **fields: Any) -> dict[str, Any]:
    return {"id": "m", "type": type_, "inputs": ["s"], **fields}


def after_source(**fields: Any) -> str:
    return doc(SOURCE, op(**fields))


def rows(**fields: Any) -> str:
    return doc({**SOURCE, "rows": fields})


def sink(id: str, **write: Any) -> dict[str, Any]:
    return {"id": id, "type": "sink", "inputs": ["s"], "write": write}


def both(type_: str, **fields: Any) -> dict[str, Any]:
    """An operator that reads the source twice."""
    return op(type_, inputs=["s", "s"], **fields)


FIVE = {"assigner": "tumbling", "size": 5}
COUNTS = {"assigner": "count", "size": 5}
AT = "transformations[1]"
ROWS = "transformations[0].rows"

LINE: tuple[dict[str, Any], ...] = (SOURCE, {"id": "m", "type": "map", "inputs": ["s"]})

MEANT = [
    Bad(
        "an expected operator that is not there",
        doc(*LINE, expect={"chained": [["s", "mm"]]}),
        "expect.chained[0][1]",
        "there is no operator 'mm' in this document; did you mean 'm'?",
    ),
    Bad(
        "an expectation of what is no operator",
        doc(SOURCE, KEYED, expect={"ids": {"k": "0" * 32}}),
        "expect.ids.k",
        "'k' has no operator of its own",
    ),
    Bad("half a pair", doc(*LINE, expect={"apart": [["s"]]}), "expect.apart[0]", "a list of 2"),
    Bad(
        "one twice",
        doc(*LINE, expect={"apart": [["s", "s"]]}),
        "expect.apart[0]",
        "names 's' twice",
    ),
    Bad(
        "a pair both chained and apart",
        doc(*LINE, expect={"chained": [["s", "m"]], "apart": [["m", "s"]]}),
        "expect.apart[0]",
        "the same two operators as expect.chained[0]",
    ),
    Bad("no tasks", doc(*LINE, expect={"tasks": 0}), "expect.tasks", "must be at least 1"),
    Bad(
        "an expected ID that is none",
        doc(*LINE, expect={"ids": {"m": "b5c8"}}),
        "expect.ids.m",
        "an operator ID is 32 hex digits",
    ),
    Bad(
        "a weight that is none",
        doc(*LINE, check={"severities": {"ST01": "eror"}}),
        "check.severities.ST01",
        "did you mean 'error'",
    ),
    Bad(
        "silence without a reason",
        doc(*LINE, check={"silenced": {"ST01": " "}}),
        "check.silenced.ST01",
        "must say why",
    ),
    Bad(
        "a reason for an operator that is not there",
        doc(*LINE, check={"silenced": {"ST01": {"x": "why"}}}),
        "check.silenced.ST01.x",
        "there is no operator 'x'",
    ),
]

FIELDS = [
    Bad(
        "an unknown field",
        after_source(paralelism=2),
        f"{AT}.paralelism",
        "did you mean 'parallelism'",
    ),
    Bad(
        "a field of another type",
        after_source(where="n > 1"),
        f"{AT}.where",
        "map takes no where; filter does",
    ),
    Bad(
        "a setting on a virtual transformation",
        doc(SOURCE, {**KEYED, "parallelism": 2}),
        f"{AT}.parallelism",
        "no operator of its own",
    ),
    Bad(
        "inputs of a source",
        doc({**SOURCE, "inputs": ["x"]}),
        "transformations[0].inputs",
        "takes no inputs",
    ),
    Bad(
        "an unknown field at the top",
        doc(SOURCE, enviroment={}),
        "enviroment",
        "did you mean 'environment'",
    ),
    Bad(
        "an unknown field of the environment",
        doc(SOURCE, environment={"chain": True}),
        "environment.chain",
        "did you mean 'chaining'",
    ),
    Bad(
        "an unknown field of rows",
        rows(sequense={"from": 1, "to": 2}),
        f"{ROWS}.sequense",
        "did you mean 'sequence'",
    ),
    Bad("an unknown type", after_source(type_="mapp"), f"{AT}.type", "did you mean 'map'"),
    Bad("no type", doc({"id": "s"}), "transformations[0].type", "is missing"),
    Bad("no id", doc({"type": "source"}), "transformations[0].id", "is missing"),
    Bad(
        "an empty id",
        doc({"id": "", "type": "source"}),
        "transformations[0].id",
        "must not be empty",
    ),
    Bad(
        "an endless id",
        doc({"id": "x" * 10_000, "type": "source"}),
        "transformations[0].id",
        "at most 200",
    ),
    Bad(
        "an endless name",
        after_source(name="x" * 10_001),
        f"{AT}.name",
        "10,001 characters; at most 10,000",
    ),
    Bad(
        "a missing part",
        after_source(type_="flat_map", split={"value": "a"}),
        f"{AT}.split.pattern",
        "is missing",
    ),
    Bad("no transformations", "name: x", "transformations", "is missing"),
    Bad(
        "transformations that are no list",
        "transformations: {a: b}",
        "transformations",
        "must be a list",
    ),
    Bad(
        "a transformation that is no mapping",
        "transformations: [map]",
        "transformations[0]",
        "must be a mapping",
    ),
]

TYPES = [
    Bad(
        "text for a number",
        after_source(parallelism="two"),
        f"{AT}.parallelism",
        "must be a whole number, but is the text 'two'",
    ),
    Bad("a number for text", after_source(name=7), f"{AT}.name", 'quote it: "7"'),
    Bad(
        "yes for text",
        "transformations: [{id: true, type: source}]",
        "transformations[0].id",
        'quote it: "true"',
    ),
    Bad("a number in a select", after_source(select={"n": 1}), f"{AT}.select.n", 'quote it: "1"'),
    Bad(
        "a number as a column",
        "transformations: [{id: s, type: source}, {id: m, type: map, inputs: [s], select: {1: a}}]",
        f"{AT}.select",
        "must be text, but is the number 1",
    ),
    Bad(
        "an unquoted release",
        "flink: 1.20\ntransformations: []",
        "flink",
        'in quotes, as in "1.20"',
    ),
    Bad("an unknown release", doc(SOURCE, flink="1.21"), "flink", "1.9 to 2.3"),
    Bad("a half", after_source(parallelism=1.5), f"{AT}.parallelism", "whole number"),
    Bad("true for a number", after_source(parallelism=True), f"{AT}.parallelism", "but is true"),
    Bad(
        "a word for true",
        doc(SOURCE, environment={"chaining": "no"}),
        "environment.chaining",
        "must be true or false",
    ),
    Bad("one input that is no list", after_source(inputs="s"), f"{AT}.inputs", "must be a list"),
    Bad(
        "a strategy that is none",
        after_source(chaining_strategy="NEVR"),
        f"{AT}.chaining_strategy",
        "did you mean 'NEVER'",
    ),
    Bad(
        "a strategy of others",
        after_source(chaining_strategy="ALWAYS"),
        f"{AT}.chaining_strategy",
        "only a multiple_input",
    ),
    Bad(
        "a mode that is none",
        doc(SOURCE, environment={"runtime_mode": "STREAM"}),
        "environment.runtime_mode",
        "did you mean 'STREAMING'",
    ),
    Bad(
        "an option that is a list",
        doc(SOURCE, environment={"configuration": {"a": "b", "c": [1]}}),
        "environment.configuration.c",
        "but is a list",
    ),
    Bad(
        "half a character",
        '{"transformations": [{"id": "s", "type": "source", "name": "\\ud800"}]}',
        "transformations[0].name",
        "half of a character",
    ),
    Bad(
        "a number beyond 64 bits",
        after_source(buffer_timeout=10**30),
        f"{AT}.buffer_timeout",
        "64 bits",
    ),
]

VALUES = [
    *(
        Bad(f"parallelism {n}", after_source(parallelism=n), f"{AT}.parallelism", says)
        for n, says in ((0, "but is 0"), (-5, "but is -5"), (40_000, "1 to 32768, but is 40000"))
    ),
    Bad(
        "a job's parallelism of 40,000",
        doc(SOURCE, environment={"parallelism": 40_000}),
        "environment.parallelism",
        "1 to 32768",
    ),
    Bad(
        "max parallelism beyond the bound",
        after_source(max_parallelism=32_769),
        f"{AT}.max_parallelism",
        "1 to 32768",
    ),
    Bad(
        "max parallelism below parallelism",
        after_source(max_parallelism=2, parallelism=3),
        f"{AT}.max_parallelism",
        "above the maximum",
    ),
    Bad(
        "parallelism above the job's maximum",
        doc({**SOURCE, "parallelism": 9}, environment={"max_parallelism": 8}),
        "transformations[0].parallelism",
        "above the maximum",
    ),
    Bad(
        "a parallel non-parallel source",
        doc({"id": "s", "type": "legacy_source", "parallel": False, "parallelism": 2}),
        "transformations[0].parallelism",
        "The parallelism of non parallel operator must be 1",
    ),
    Bad(
        "a uid hash that is none",
        after_source(uid_hash="xyz"),
        f"{AT}.uid_hash",
        "Node hash must be a 32 character String that describes a hex code. Found: xyz",
    ),
    Bad(
        "a uid hash on a new sink",
        doc(SOURCE, op("sink_v2", uid_hash="0" * 32)),
        f"{AT}.uid_hash",
        "Cannot set a custom UID hash on a non-legacy sink",
    ),
    Bad(
        "a timeout below -1", after_source(buffer_timeout=-2), f"{AT}.buffer_timeout", "at least -1"
    ),
    Bad(
        "a weight of nothing",
        after_source(managed_memory_weight=0),
        f"{AT}.managed_memory_weight",
        "at least 1",
    ),
    Bad(
        "negative resources",
        after_source(resources={"cpu": -1, "heap_mb": 5}),
        f"{AT}.resources.cpu",
        "from 0 on",
    ),
    Bad(
        "a partitioner that is none",
        doc(SOURCE, op("partition", partitioner="REBALNCE")),
        f"{AT}.partitioner",
        "did you mean 'REBALANCE'",
    ),
    Bad("no partitioner", doc(SOURCE, op("partition")), f"{AT}.partitioner", "is missing"),
    Bad(
        "a window without size",
        doc(SOURCE, op("window_all", window={"assigner": "tumbling"})),
        f"{AT}.window.size",
        "is missing",
    ),
    Bad(
        "a gap in a tumbling window",
        doc(SOURCE, op("window_all", window={"assigner": "tumbling", "size": 1, "gap": 1})),
        f"{AT}.window.gap",
        "takes size and offset only",
    ),
    *(
        Bad(
            f"keyed state: {says}",
            doc(SOURCE, KEYED, op("keyed_process", state=state) | {"inputs": ["k"]}),
            f"transformations[2].state.{field}",
            says,
        )
        for state, field, says in (
            ({"shape": "total"}, "column", "is missing; the shape total needs it"),
            ({"shape": "count", "gap": 5}, "gap", "the shape count takes as only"),
            ({"shape": "deduplicate", "as": "n"}, "as", "the shape deduplicate takes column only"),
            ({"shape": "top", "column": "n", "size": 0}, "size", "must be 1 to 1000"),
            ({"shape": "pause", "gap": 0}, "gap", "must be at least 1"),
        )
    ),
    *(
        Bad(
            f"a window: {says}",
            doc(SOURCE, op("window_all", window=window)),
            f"{AT}.window.{field}",
            says,
        )
        for window, field, says in (
            ({"assigner": "count", "slide": 2}, "size", "a count window needs it, in rows"),
            ({"assigner": "count", "size": 2, "late_output": "l"}, "late_output", "no row is late"),
            ({"assigner": "count", "size": 2, "time": "processing"}, "time", "looks at no time"),
            (
                {"assigner": "session", "gap": 2, "allowed_lateness": -1},
                "allowed_lateness",
                "The allowed lateness cannot be negative.",
            ),
        )
    ),
    *(
        Bad(f"two inputs: {says}", doc(SOURCE, op(type_, **fields)), f"{AT}.{field}", says)
        for type_, fields, field, says in (
            (
                "broadcast_connect",
                {"inputs": ["s", "s"], "select": {"n": "n"}},
                "lookup",
                "is missing; a select needs it",
            ),
            (
                "broadcast_connect",
                {"inputs": ["s", "s"], "lookup": {"column": "n", "key": "n"}},
                "select",
                "is missing; a lookup needs it",
            ),
            (
                "multiple_input",
                {"selects": {"x": {"n": "n"}}},
                "selects",
                "'x' is no input; the inputs are 's'",
            ),
            ("async", {"wait": {"delay": 60_001}}, "wait.delay", "must be 0 to 60000"),
        )
    ),
    Bad(
        "an interval that ends before it begins",
        doc(
            SOURCE,
            KEYED,
            op("interval_join", between={"lower": 5, "upper": 1}) | {"inputs": ["k", "k"]},
        ),
        "transformations[2].between.upper",
        "must not be below lower, which is 5, but is 1",
    ),
    *(
        Bad(f"a join over windows: {says}", doc(SOURCE, both(type_, **fields)), f"{AT}.{at}", says)
        for type_, fields, at, says in (
            ("join", {}, "window", "a join needs it, as in"),
            ("join", {"window": COUNTS}, "window.assigner", "tumbling, sliding or session windows"),
            (
                "co_group",
                {"window": {"assigner": "session", "gap": 3, "late_output": "late"}},
                "window.late_output",
                "a co_group drops late rows",
            ),
            ("join", {"window": FIVE, "equal_to": ["n"]}, "keys", "equal_to needs it"),
            (
                "join",
                {"window": FIVE, "keys": ["n"], "equal_to": ["n", "m"]},
                "equal_to",
                "as many columns as keys, which are 1, not 2",
            ),
            (
                "join",
                {"window": FIVE, "keys": ["n", "m"], "equal_to": ["n", "n"]},
                "equal_to",
                "names the column 'n' twice",
            ),
            ("co_group", {"window": FIVE, "select": {"n": "n"}}, "group", "as in left_outer"),
            (
                "co_group",
                {"window": FIVE, "select": {"n": "n"}, "group": "count"},
                "select",
                "is of no use",
            ),
        )
    ),
    Bad("a window without window", doc(SOURCE, op("window_all")), f"{AT}.window", "is missing"),
    Bad(
        "an aggregate that is none",
        doc(SOURCE, KEYED, op("reduce", inputs=["k"], aggregate={"n": "avg(n)"})),
        "transformations[2].aggregate.n",
        "sum(c), min(c) or max(c)",
    ),
    Bad(
        "checkpoints too often",
        doc(SOURCE, environment={"checkpoint_interval": 5}),
        "environment.checkpoint_interval",
        "at least 10",
    ),
]

LINKS = [
    Bad(
        "a missing input",
        doc(SOURCE, {"id": "m", "type": "map"}),
        f"{AT}.inputs",
        "a map takes 1 input, but has 0",
    ),
    Bad(
        "too many inputs",
        after_source(inputs=["s", "s"]),
        f"{AT}.inputs",
        "takes 1 input, but has 2",
    ),
    Bad("a union of one", doc(SOURCE, op("union")), f"{AT}.inputs", "at least 2 inputs"),
    Bad(
        "an input that does not exist",
        after_source(inputs=["source"]),
        f"{AT}.inputs[0]",
        "no transformation 'source'",
    ),
    Bad("a duplicate id", doc(SOURCE, SOURCE), f"{AT}.id", "the id of transformations[0] already"),
    Bad(
        "a cycle",
        doc(SOURCE, op(id="a", type_="union", inputs=["s", "b"]), op(id="b", inputs=["a"])),
        f"{AT}.inputs[1]",
        "make a cycle: 'a' -> 'b' -> 'a'",
    ),
    Bad(
        "a transformation that reads itself",
        after_source(inputs=["m"]),
        f"{AT}.inputs[0]",
        "reads itself",
    ),
    Bad(
        "an input declared later",
        doc(op(id="a"), SOURCE),
        "transformations[0].inputs[0]",
        "is declared later; move it before 'a'",
    ),
    Bad(
        "a reduce without key",
        doc(SOURCE, op("reduce")),
        f"{AT}.inputs[0]",
        "put a key_by after 's'",
    ),
    Bad(
        "a key spread again",
        doc(SOURCE, KEYED, op("rebalance", inputs=["k"])),
        "transformations[2].inputs[0]",
        "Cannot override partitioning for KeyedStream",
    ),
    Bad(
        "a sink that is read",
        doc(SOURCE, op("sink"), op(id="n", inputs=["m"])),
        "transformations[2].inputs[0]",
        "'m' is a sink and gives no stream",
    ),
    Bad(
        "a side output of something that has none",
        doc(SOURCE, op("side_output", tag="x")),
        f"{AT}.inputs[0]",
        "a source has no side output",
    ),
    Bad(
        "a second tag",
        doc(
            SOURCE,
            op("process"),
            op("side_output", id="a", inputs=["m"], tag="x"),
            op("side_output", id="b", inputs=["a"], tag="y"),
        ),
        "transformations[3].inputs[0]",
        "a second tag",
    ),
    Bad(
        "two tags at once",
        doc(SOURCE, op("process"), op("side_output", id="a", inputs=["m"], tag=["x", "y"])),
        "transformations[2].tag",
        "must be text, but is a list",
    ),
    Bad(
        "a tag that nobody emits",
        doc(
            SOURCE,
            op("process", side_outputs={"late": "n > 1"}),
            op("side_output", id="a", inputs=["m"], tag="lat"),
        ),
        "transformations[2].tag",
        "its tags are 'late'",
    ),
    Bad(
        "no tag",
        doc(SOURCE, op("process"), op("side_output", id="a", inputs=["m"])),
        "transformations[2].tag",
        "is missing",
    ),
    Bad(
        "a loop closed from outside",
        doc(SOURCE, op("iterate", id="i"), op("close_iteration", id="c", iteration="i")),
        "transformations[2].inputs[0]",
        "does not originate from said iteration",
    ),
    Bad(
        "a loop that is none",
        doc(SOURCE, op("close_iteration", iteration="s")),
        f"{AT}.iteration",
        "must be an iterate",
    ),
    Bad(
        "a union of different schemas",
        doc(
            {**SOURCE, "rows": {"sequence": {"from": 0, "to": 9}}},
            {"id": "t", "type": "source", "rows": {"path": "a.txt", "format": "text"}},
            op("union", inputs=["s", "t"]),
        ),
        "transformations[2].inputs[1]",
        "Cannot union streams of different types: 's' has (n LONG), but 't' has (line STRING)",
    ),
    Bad(
        "a union of differently named columns",
        doc(
            SOURCE,
            op(id="a", select={"n": "n"}),
            op(id="b", select={"m": "n"}),
            op("union", id="u", inputs=["a", "b"]),
        ),
        "transformations[3].inputs[1]",
        "(n), but 'b' has (m)",
    ),
]

LINKS.append(
    Bad(
        "a select of no input",
        doc(SOURCE, op("multiple_input", inputs=[], selects={"s": {"n": "n"}})),
        f"{AT}.selects",
        "the inputs are none",
    )
)

SINKS = [
    *(
        Bad(f"a sink's folder {one}", doc(SOURCE, sink("o", **one)), f"{AT}.write.{at}", says)
        for one, at, says in (
            ({"path": "../a", "format": "csv"}, "path", "must be in the output folder"),
            ({"path": "a" * 300, "format": "csv"}, "path", "takes at most 180 bytes"),
            ({"path": f"b/{'ä' * 91}", "format": "csv"}, "path", "takes at most 180 bytes"),
            ({"path": "/a", "format": "csv"}, "path", "must be in the output folder"),
            ({"path": " ", "format": "csv"}, "path", "must name a folder, in at most"),
            ({"path": "./", "format": "csv"}, "path", "must name a folder of its own, but is './'"),
            ({"path": "a", "format": "json"}, "format", "did you mean 'jsonl'"),
            ({"path": "a", "format": "text"}, "format", "must be csv, jsonl or parquet"),
            ({"path": "a.csv"}, "format", "is missing: csv, jsonl or parquet; this looks like csv"),
            ({"path": "a.txt"}, "format", "is missing: csv, jsonl or parquet"),
            (
                {"path": "a/b.csv", "format": "parquet"},
                "path",
                "ends in '.csv', which stands for csv, but the format is parquet; change one",
            ),
            ({"format": "csv"}, "path", "is missing and must be given"),
        )
    ),
    *(
        Bad(
            f"a sink's folder that {how}",
            doc(SOURCE, sink("o", path=first, format="csv"), sink("p", path=second, format="csv")),
            f"transformations[{at}].write.path",
            f"{how} the folder of '{other}'; give each sink a folder of its own",
        )
        for how, first, second, at, other in (
            ("is also", "a/b", "a/./b", 2, "o"),
            ("is within", "a/b/c", "a", 1, "p"),
            ("holds", "a", "a/b/c", 1, "p"),
        )
    ),
    Bad(
        "a map that writes",
        after_source(write={"path": "a", "format": "csv"}),
        f"{AT}.write",
        "map takes no write; sink and sink_v2 do",
    ),
]

SOURCES = [
    *(
        Bad(
            f"the path {path}",
            rows(path=path, format="text"),
            f"{ROWS}.path",
            "in the data folder",
        )
        for path in (
            "../a",
            "a/../../b",
            "/etc/passwd",
            "C:\\a",
            "\\\\host\\a",
            "a\0b",
            "..\\a",
        )
    ),
    Bad(
        "two kinds of rows",
        rows(path="a", format="text", sequence={"from": 0, "to": 1}),
        ROWS,
        "exactly one of sequence, path, values, generate and hybrid, but has sequence and path",
    ),
    Bad("no kind of rows", rows(format="csv"), ROWS, "has none of them"),
    Bad("no format", rows(path="a.csv"), f"{ROWS}.format", "this looks like csv"),
    Bad(
        "a sequence that runs backwards",
        rows(sequence={"from": 5, "to": 1}),
        f"{ROWS}.sequence.to",
        "must not be below from",
    ),
    Bad("values without schema", rows(values=[[1]]), f"{ROWS}.schema", "is missing"),
    Bad(
        "a schema that is none", rows(values=[[1]], schema="n"), f"{ROWS}.schema", "write name TYPE"
    ),
    Bad(
        "a type that is none",
        rows(values=[[1]], schema="n LONK"),
        f"{ROWS}.schema",
        "did you mean 'LONG'",
    ),
    Bad(
        "a column twice",
        rows(values=[[1, 2]], schema="n LONG, n LONG"),
        f"{ROWS}.schema",
        "named twice",
    ),
    Bad(
        "a row that is too short",
        rows(values=[[1, "a"], [1]], schema="n LONG, w STRING"),
        f"{ROWS}.values[1]",
        "has 1 values, but the schema has 2 columns",
    ),
    Bad(
        "a value of another type",
        rows(values=[[1], ["a"]], schema="n LONG"),
        f"{ROWS}.values[1][0]",
        "must be LONG for column 'n'",
    ),
]

BOMB = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 10)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)

TEXTS = [
    Bad("nothing", "", "", "the document is empty"),
    Bad("a comment only", "# nothing\n", "", "is a mapping with transformations, not empty"),
    Bad("a list", "[1, 2]", "", "not a list"),
    Bad("a word", "hello", "", "not the text 'hello'"),
    Bad(
        "broken YAML",
        "transformations:\n  - {id: a, type: map\n  - b: [",
        "line 3, column 6",
        "this is not YAML",
    ),
    Bad("a tab in YAML", "a:\n\t- b", "line 2, column 1", "this is not YAML"),
    Bad("broken JSON", '{"transformations": [}', "line 1, column 22", "this is not JSON"),
    Bad("two YAML documents", "a: b\n---\nc: d", "line 2, column 1", "a file holds one"),
    Bad(
        "a YAML key twice",
        "name: a\nname: b\ntransformations: []",
        "line 2, column 1",
        "'name' is given twice",
    ),
    Bad(
        "a JSON key twice",
        '{"name": "a",\n "name": "b", "transformations": []}',
        "line 2, column 2",
        "'name' is given twice",
    ),
    Bad("a YAML bomb", BOMB + "transformations: *i\n", "line 5", "aliases stand for more than"),
    Bad("a YAML alias of itself", "a: &a [*a]", "line 1, column 8", "stands for nothing"),
    Bad("an unknown alias", "a: *b", "line 1, column 4", "stands for nothing"),
    Bad(
        "a Python tag", "a: !!python/object/apply:os.system [ls]", "line 1, column 4", "is not read"
    ),
    Bad("YAML nested without end", "a: " + "[" * 100_000, "line 1, column 67", "64 deep"),
    Bad("JSON nested without end", '{"a":' * 100_000, "", "64 deep"),
    Bad("a NUL", "name: a\0b", "line 1, column 8", "U+0000"),
    Bad("bytes that are no UTF-8", b"name: \xff\xfe", "", "not UTF-8 text: byte 6"),
    Bad("a mapping as key", "? {a: b}\n: c", "line 1, column 3", "cannot be a key"),
    Bad(
        "a number without end",
        '{"transformations": [], "name": ' + "1" * 5_000 + "}",
        "",
        "too many digits",
    ),
    Bad("NaN", '{"transformations": [], "name": NaN}', "", "NaN is not JSON"),
    Bad("more than 5 MB", b"#" * (MAX_BYTES + 1), "", "larger than 5 MB"),
    Bad(
        "too many transformations",
        doc(*([SOURCE] * (MAX_TRANSFORMATIONS + 1))),
        "transformations",
        "at most 20,000",
    ),
]

CASES = [*MEANT, *FIELDS, *TYPES, *VALUES, *LINKS, *SINKS, *SOURCES, *TEXTS]

PLAIN_CASES = [
    case
    for case in [*MEANT, *FIELDS, *TYPES, *VALUES, *LINKS, *SINKS, *SOURCES]
    if isinstance(case.content, str) and case.content.startswith("{")
]
"""Those that a Python program could hold as a mapping."""


def by_name(case: Bad) -> str:
    """The case's name as a test's id."""
    return case.name.encode("ascii", "backslashreplace").decode()[:60]
