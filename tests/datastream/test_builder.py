"""Pipelines built in Python: the same documents, and one clear sentence for what cannot be."""

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer
from explorer import DataStream, ExplorerError, StreamExecutionEnvironment
from explorer.datastream.execution_environment import EnvironmentSettings
from explorer.datastream.handles import Handle, Settings
from explorer.datastream.program import ProgramError
from explorer.errors import DocumentError
from explorer.flink.kinds import KINDS, NODE_FIELDS
from explorer.model.pipeline import Environment, Pipeline, Resources, Rows
from tests.many_cases import for_each
from tests.strategies import pipelines

Env = StreamExecutionEnvironment


def document(env: Env) -> list[dict[str, Any]]:
    """The transformations as a document spells them."""
    made = msgspec.json.decode(msgspec.json.encode(env.pipeline()))
    return list(made["transformations"])


def rebuilt(pipeline: Pipeline) -> Pipeline:
    """The pipeline declared anew, call by call, through the most general one."""
    settings = msgspec.to_builtins(pipeline.environment)
    head = {name: getattr(pipeline, name) for name in ("flink", "title", "teaches")}
    meant = {name: msgspec.to_builtins(getattr(pipeline, name)) for name in ("expect", "check")}
    env = explorer.environment(pipeline.name, **head, **meant, **settings)
    streams: dict[str, DataStream] = {}
    for each in pipeline.transformations:
        fields = msgspec.to_builtins(each)
        type_, id_, inputs = (fields.pop(name, ()) for name in ("type", "id", "inputs"))
        streams[id_] = env.transform(type_, *(streams[name] for name in inputs), id=id_, **fields)
    return env.pipeline()


@given(st.booleans().flatmap(lambda loops: pipelines(iterations=loops, compiles=False)))
def test_every_pipeline_can_be_declared_in_python(pipeline: Pipeline) -> None:
    assert rebuilt(pipeline) == pipeline


def partition_window(_: Env, stream: DataStream, *, keyed: bool, call: str) -> Handle:
    """``fullWindowPartition`` and one of its four functions."""
    windows = (stream.key_by("n") if keyed else stream).full_window_partition()
    made: Handle = getattr(windows, call)("x")
    return made


CALLS: dict[str, Callable[[Env, DataStream], Handle]] = {
    "source": lambda env, _: env.source("x", rows={"sequence": {"from": 0, "to": 9}}),
    "legacy_source": lambda env, _: env.legacy_source("x", parallel=False, input_format="F"),
    "map": lambda _, s: s.map("x", select={"n": "n + 1"}),
    "filter": lambda _, s: s.filter("x", where="n > 1"),
    "flat_map": lambda _, s: s.flat_map("x", split={"value": "n", "pattern": ",", "as": "n"}),
    "process": lambda _, s: s.process("x", side_outputs={"late": "n > 1"}),
    "split": lambda _, s: s.split("x", outputs={"even": "n > 1"}),
    "select": lambda _, s: s.select("even", id="x"),
    "async": lambda _, s: s.async_wait("x"),
    "timestamps": lambda _, s: s.timestamps("x", column="n", out_of_orderness=5),
    "reduce": lambda _, s: s.key_by("n").reduce("x", aggregate={"n": "sum(n)"}),
    "keyed_process": lambda _, s: s.key_by("n").process("x"),
    "window": lambda _, s: (
        s.key_by("n")
        .window("sliding", size=10, slide=5, time="processing")
        .reduce("x", function="Sum")
    ),
    "window_all": lambda _, s: s.window_all("session", gap=3).reduce(
        "x", aggregate={"c": "count(*)"}
    ),
    **{
        f"{keyed}{type}": partial(partition_window, keyed=bool(keyed), call=call)
        for keyed in ("", "keyed_")
        for type, call in {
            "map_partition": "map_partition",
            "sort_partition": "sort_partition",
            "aggregate_partition": "aggregate",
            "reduce_partition": "reduce",
        }.items()
    },
    "cache": lambda _, s: s.cache(id="x"),
    "co_map": lambda _, s: s.connect(s).map(
        "x", select1={"n": "n"}, select2={"n": "n"}, input_selectable=True
    ),
    "broadcast_connect": lambda _, s: s.connect(s.broadcast_state()).process("x"),
    "keyed_co_process": lambda _, s: s.key_by("n").connect(s.key_by("n")).process("x"),
    "interval_join": lambda _, s: s.key_by("n").interval_join(s.key_by("n")).process("x"),
    "join": lambda _, s: (
        s.join(s).where("n").equal_to("m").window("tumbling", size=5).allowed_lateness(2).apply("x")
    ),
    "co_group": lambda _, s: (
        s.co_group(s)
        .where("n")
        .equal_to("m")
        .window("session", gap=3)
        .apply("x", group="left_outer", select={"n": "n"})
    ),
    "multiple_input": lambda env, s: env.multiple_input(
        s, s, id="x", chaining_strategy="HEAD_WITH_SOURCES"
    ),
    "sink": lambda _, s: s.sink("x", write={"path": "o", "format": "csv"}, output_format="F"),
    "sink_v2": lambda _, s: s.sink_v2("x", committer=True, global_committer=True),
    "key_by": lambda _, s: s.key_by("n", "m", id="x"),
    "rebalance": lambda _, s: s.rebalance(id="x"),
    "rescale": lambda _, s: s.rescale(id="x"),
    "shuffle": lambda _, s: s.shuffle(id="x"),
    "broadcast": lambda _, s: s.broadcast(id="x"),
    "global": lambda _, s: s.global_(id="x"),
    "forward": lambda _, s: s.forward(id="x"),
    "partition_custom": lambda _, s: s.partition_custom(id="x"),
    "partition": lambda _, s: s.partition("REBALANCE", exchange_mode="BATCH", id="x"),
    "side_output": lambda _, s: s.process("p").side_output("late", id="x"),
    "union": lambda _, s: s.union(s, s, id="x"),
    "iterate": lambda _, s: s.iterate("x", max_wait=10),
    "close_iteration": lambda _, s: closed(s),
}
"""By type, the call that declares one."""


def closed(stream: DataStream) -> DataStream:
    loop = stream.iterate("loop")
    return loop.close_with(loop.map("body"), id="x")


def test_there_is_a_call_for_every_type() -> None:
    assert set(CALLS) == set(KINDS)


@for_each("type", CALLS)
def test_a_call_declares_its_type(type: str) -> None:
    env = explorer.environment()
    CALLS[type](env, env.source("s"))

    (made,) = [item for item in document(env) if item["id"] == "x"]

    assert made["type"] == type
    assert len(made.get("inputs", ())) >= KINDS[type].inputs[0]


def test_each_call_passes_its_fields_on() -> None:
    env = explorer.environment()
    stream = env.source("s", rows=Rows(path="a.csv", format="csv"))
    stream.timestamps("t", column="at").window_all("tumbling", size=5).reduce("w", parallelism=1)
    stream.flat_map("f", split={"value": "line", "pattern": " ", "as": "word"}, uid="f")

    assert document(env) == [
        {"id": "s", "type": "source", "rows": {"path": "a.csv", "format": "csv"}},
        {"id": "t", "type": "timestamps", "inputs": ["s"], "timestamps": {"column": "at"}},
        {
            "id": "w",
            "type": "window_all",
            "inputs": ["t"],
            "parallelism": 1,
            "window": {"assigner": "tumbling", "size": 5},
        },
        {
            "id": "f",
            "type": "flat_map",
            "inputs": ["s"],
            "uid": "f",
            "split": {"value": "line", "pattern": " ", "as": "word"},
        },
    ]


def test_settings_are_the_same_by_keyword_and_by_setter() -> None:
    one, other = explorer.environment(), explorer.environment()
    settings: Settings = {
        "name": "n",
        "parallelism": 2,
        "max_parallelism": 8,
        "uid": "u",
        "uid_hash": "0" * 32,
        "slot_sharing_group": "g",
        "co_location_group": "c",
        "chaining_strategy": "NEVER",
        "buffer_timeout": 5,
        "managed_memory_weight": 3,
        "resources": Resources(cpu=1.5, heap_mb=64),
    }
    one.source("s").map("m", **settings)
    stream = other.source("s").map("m").name("n").parallelism(2).max_parallelism(8).uid("u")
    stream.uid_hash("0" * 32).slot_sharing_group("g").co_location_group("c").disable_chaining()
    stream.buffer_timeout(5).managed_memory_weight(3).resources(cpu=1.5, heap_mb=64)

    assert one.pipeline() == other.pipeline()


def test_settings_are_those_of_the_documents() -> None:
    assert set(Settings.__annotations__) == set(NODE_FIELDS)
    assert set(EnvironmentSettings.__annotations__) == set(Environment.__struct_fields__)


def test_a_later_setting_wins() -> None:
    env = explorer.environment()
    stream = env.source("s", name="one").name("two").start_new_chain().chaining_strategy("NEVER")

    assert document(env) == [
        {"id": "s", "type": "source", "name": "two", "chaining_strategy": "NEVER"}
    ]
    assert (stream.id, stream.type) == ("s", "source")


def test_a_join_retains_its_lateness_in_any_order_of_calls() -> None:
    env = explorer.environment()
    stream = env.source("s", rows={"sequence": {"from": 1, "to": 9}})
    keyed = stream.join(stream).where("n")
    keyed.allowed_lateness(2).window("tumbling", size=5).apply("x")

    assert document(env)[1]["window"] == {"assigner": "tumbling", "size": 5, "allowed_lateness": 2}


def test_ids_are_made_readable_and_unique() -> None:
    env = explorer.environment()
    stream = env.source().map("map-2").map().map().key_by("k").reduce()
    stream.sink()
    stream.sink()

    ids = [item["id"] for item in document(env)]

    assert ids == ["source", "map-2", "map", "map-3", "key_by", "reduce", "sink", "sink-2"]


def test_an_extracted_document_does_not_change_with_later_calls() -> None:
    env = explorer.environment()
    columns = {"n": "n"}
    stream = env.source("s").map("m", select=columns)
    before = env.pipeline()

    columns["n"] = "n + 1"
    stream.uid("late").sink("out")

    assert len(before.transformations) == 2
    assert before.transformation("m").uid is None
    assert env.pipeline().transformation("m").select == {"n": "n"}


def test_a_program_compiles_as_its_document_does() -> None:
    env = explorer.environment("job", parallelism=3, flink_version="1.16")
    former = explorer.environment("job", parallelism=3, flink="1.16")
    for program in (env, former):
        program.source("s").rescale().map("m").sink("o")

    done = env.compile()

    assert env.pipeline() == former.pipeline()
    assert done.release.version == "1.16"
    assert done == explorer.compile_graph(env.pipeline())
    assert env.compile("2.0", trace=True).steps


Misuse = Callable[[Env, DataStream], object]
MISUSES: list[tuple[Misuse, str]] = [
    (
        lambda _, s: s.reduce("sum"),
        "a reduce reads a keyed stream, but 's' is a source; call key_by on it first",
    ),
    (
        lambda _, s: s.window("tumbling", size=5),
        "a window reads a keyed stream, but 's' is a source; call key_by on it first, "
        "or use window_all",
    ),
    (
        lambda _, s: s.key_by("k").interval_join(s).process(),
        "a interval_join reads a keyed stream, but 's' is a source; call key_by on it first",
    ),
    (
        lambda _, s: s.union(explorer.environment().source("other")),
        "a union reads streams of one environment, but 'other' was declared in another; "
        "declare it in this one",
    ),
    (lambda _, s: s.map("s"), "'s' is the id of a source already; give this map another one"),
    (
        lambda _, s: s.key_by("k").parallelism(2),
        "'key_by' is a key_by, which has no operator of its own and takes no parallelism; "
        "set it on the operator before or after it",
    ),
    (
        lambda _, s: s.map(len),  # type: ignore[arg-type]
        "the first argument of a map is its id, a text, not a function; work is given as text, "
        "as in select={'n': 'n + 1'}",
    ),
    (
        lambda _, s: s.map(3),  # type: ignore[arg-type]
        "the first argument of a map is its id, a text, not the number 3",
    ),
    (
        lambda _, s: s.map(paralelism=3),  # type: ignore[call-arg]
        "a map takes no paralelism; did you mean 'parallelism'?",
    ),
    (
        lambda _, s: s.transform("mapp"),
        "there is no transformation type 'mapp'; did you mean 'map'?",
    ),
    (
        lambda _, s: s.union(s.sink("o")),  # type: ignore[arg-type]
        "a union reads streams, not the end of one, 'o'",
    ),
    (
        lambda _, s: s.union("s"),  # type: ignore[arg-type]
        "a union reads streams, not the text 's'",
    ),
    (
        lambda _, s: s.union(s.broadcast_state()),  # type: ignore[arg-type]
        "a union reads streams, not a BroadcastStream; call broadcast_state() within connect",
    ),
    (
        lambda _, s: s.connect(s.broadcast_state()).map(),
        "streams connected with broadcast_state() have process() alone; call that",
    ),
]


@for_each(("call", "sentence"), MISUSES)
def test_misuse_is_one_clear_sentence(call: Misuse, sentence: str) -> None:
    env = explorer.environment()
    stream = env.source("s")

    with pytest.raises(ProgramError) as caught:
        call(env, stream)

    assert str(caught.value) == sentence
    assert isinstance(caught.value, ExplorerError)


def test_a_refused_call_declares_nothing() -> None:
    env = explorer.environment()
    stream = env.source("s")
    with pytest.raises(ProgramError):
        stream.map("m", wher="n > 1")  # type: ignore[call-arg]

    stream.map("m")

    assert [item["id"] for item in document(env)] == ["s", "m"]


@for_each(
    ("call", "path"),
    [
        (lambda _, s: s.map("m", parallelism=0), "transformations[1].parallelism"),
        (lambda _, s: s.map("m").parallelism("2"), "transformations[1].parallelism"),
        (lambda _, s: s.map("m", select={"n": lambda row: row}), "transformations[1].select.n"),
        (lambda _, s: s.union(id="u"), "transformations[1].inputs"),
        (lambda _, s: s.window_all("hopping", size=1).reduce(), "transformations[1].window"),
    ],
)
def test_values_are_checked_as_those_of_a_document_are(call: Misuse, path: str) -> None:
    env = explorer.environment()
    call(env, env.source("s"))

    with pytest.raises(DocumentError) as caught:
        env.compile()

    assert caught.value.path.startswith(path)


def test_an_unknown_setting_of_the_environment_is_named() -> None:
    env = explorer.environment(paralelism=3)  # type: ignore[call-arg]
    env.source()

    with pytest.raises(DocumentError, match="did you mean 'parallelism'"):
        env.pipeline()


def test_handles_have_a_description() -> None:
    env = explorer.environment()

    assert repr(env.source("s").sink("o")) == "<DataStreamSink 'o': sink>"
    assert repr(env) == "<StreamExecutionEnvironment: 2 transformations>"


def test_partition_windows_accept_an_order_and_a_function() -> None:
    env = explorer.environment("windows")
    source = env.source("s", rows={"sequence": {"from": 0, "to": 9}})
    order = {"column": "n", "order": "DESCENDING"}
    source.full_window_partition().sort_partition("x", sort=order)
    source.key_by("n").full_window_partition().map_partition("y", select={"m": "n + 1"})

    made = {one["id"]: one for one in document(env)}
    assert (made["x"]["type"], made["x"]["sort"]) == ("sort_partition", order)
    assert (made["y"]["type"], made["y"]["select"]) == ("keyed_map_partition", {"m": "n + 1"})
