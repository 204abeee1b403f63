"""Facts of an operator that its StreamConfig needs."""

from typing import Any

import pytest

from explorer import Compilation, compile_graph
from explorer.flink.tasks.stream_config_facts import (
    has_output_type,
    input_serializer,
    is_configured,
    keyed_inputs,
    longest_wait,
    output_serializer,
    serializer_of,
    slot_use_cases,
    sorted_inputs,
)
from explorer.model.stream_graph import NodeId, OperatorFacts, StreamNode
from tests.many_cases import for_each

STEPS: list[dict[str, Any]] = [
    {"id": "s", "type": "source"},
    {"id": "by", "type": "key_by", "inputs": ["s"]},
    {"id": "count", "type": "reduce", "inputs": ["by"]},
    {"id": "both", "type": "co_map", "inputs": ["count", "by"]},
    {"id": "out", "type": "sink", "inputs": ["both"]},
]


def compiled(version: str = "1.20", **environment: Any) -> Compilation:
    return compile_graph({"flink": version, "environment": environment, "transformations": STEPS})


def captured(**environment: Any) -> Compilation:
    """The same StreamGraph without its transformations."""
    graph = compiled(**environment).to_dict()["stream_graph"]
    return compile_graph({"flink": "1.20", "stream_graph": graph})


def node(done: Compilation, id: str) -> StreamNode:
    position = [one["id"] for one in STEPS if one["type"] != "key_by"].index(id)
    return done.stream_graph.nodes[position]


@for_each(
    ("type_", "serializer"),
    [
        ("Long", "LongSerializer"),
        ("Java Tuple2<String, Long>", None),
        ("Tuple2<String, Long>", "TupleSerializer"),
        ("PojoType<a.B, fields = [n: Long]>", "PojoSerializer"),
        ("GenericType<a.B>", "KryoSerializer"),
        ("Row(a: String)", "RowSerializer"),
        ("LocalDate", None),
        (None, None),
    ],
)
def test_a_type_has_its_serializer(type_: str | None, serializer: str | None) -> None:
    assert serializer_of(type_) == serializer


def test_a_captured_operator_shows_the_serializers_of_its_inputs_and_its_output() -> None:
    facts = OperatorFacts(input_types=("Long", "String"), output_type="Boolean")
    one = StreamNode(id=NodeId(1), name="x", parallelism=1, operator=facts)
    bare = StreamNode(id=NodeId(1), name="x", parallelism=1)

    assert output_serializer(one) == "BooleanSerializer"
    assert [input_serializer(one, number) for number in (1, 2, 3)] == [
        "LongSerializer",
        "StringSerializer",
        None,
    ]
    assert (output_serializer(bare), input_serializer(bare, 1)) == (None, None)


@pytest.mark.parametrize("made", [compiled, captured])
def test_inputs_with_a_key_selector_are_keyed(made: Any) -> None:
    done = made()

    assert keyed_inputs(done, node(done, "count")) == (True,)
    assert keyed_inputs(done, node(done, "both")) == (False, True)
    assert keyed_inputs(done, node(done, "out")) == (False,)
    assert keyed_inputs(done, node(done, "s")) == ()


def test_a_batch_job_sorts_keyed_inputs() -> None:
    streaming, batch = compiled(), compiled(runtime_mode="BATCH")

    assert sorted_inputs(streaming, node(streaming, "count")) == ()
    assert sorted_inputs(batch, node(batch, "count")) == (1,)
    assert sorted_inputs(batch, node(batch, "both")) == (2,)
    assert sorted_inputs(batch, node(batch, "out")) == ()


@pytest.mark.parametrize(
    ("version", "mode", "cases"),
    [
        ("1.20", "STREAMING", ("STATE_BACKEND",)),
        ("1.12", "BATCH", ()),
        ("1.13", "BATCH", ("STATE_BACKEND",)),
    ],
)
def test_keyed_operators_use_memory_for_their_state_backend(
    version: str, mode: str, cases: tuple[str, ...]
) -> None:
    done = compiled(version, runtime_mode=mode)

    assert slot_use_cases(done, node(done, "count")) == cases
    assert slot_use_cases(done, node(done, "out")) == ()


@pytest.mark.parametrize("made", [compiled, captured])
def test_a_sink_function_gives_no_type(made: Any) -> None:
    done = made()

    assert [has_output_type(done, one) for one in done.stream_graph.nodes] == [
        True,
        True,
        True,
        False,
    ]


def test_the_longest_wait_is_the_iterations() -> None:
    steps = [
        {"id": "s", "type": "source"},
        {"id": "i", "type": "iterate", "inputs": ["s"], "max_wait": 500},
        {"id": "m", "type": "map", "inputs": ["i"]},
        {"id": "c", "type": "close_iteration", "inputs": ["m"], "iteration": "i"},
    ]
    done = compile_graph({"flink": "1.20", "transformations": steps}, iterations_before=0)

    waits = {one.name: longest_wait(done, one) for one in done.stream_graph.nodes}
    assert {name: wait for name, wait in waits.items() if wait} == {
        "IterationSource-2": 500,
        "IterationSink-2": 500,
    }
    alone = captured()
    assert longest_wait(alone, alone.stream_graph.nodes[0]) is None


def test_an_option_is_configured_where_the_document_sets_it() -> None:
    name = "pipeline.object-reuse"

    assert is_configured(compiled(configuration={name: "true"}), name)
    assert not is_configured(compiled(), name)
    assert is_configured(captured(), name)
