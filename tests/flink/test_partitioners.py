"""Classes of partitioners: what they print, and what each does with records."""

from explorer.flink.partitioners import (
    BINARY_HASH,
    CALLING_PARTITIONERS,
    FORWARD_CONSECUTIVE_HASH,
    FORWARD_UNSPECIFIED,
    KEYED,
    NAMED_PARTITIONERS,
    PARTITIONER_CLASSES,
    class_printing,
    partitioner_class,
)
from tests.many_cases import for_each


def test_every_partitioner_of_the_api_is_found_by_its_text_and_by_its_class() -> None:
    for text, name in PARTITIONER_CLASSES.items():
        assert partitioner_class(name).prints == text
        assert class_printing(text) == name
        assert not partitioner_class(name).own


@for_each(
    ("text", "name"),
    [
        ("HASH", KEYED),
        ("HASH[seller, $f1]", BINARY_HASH),
        ("REBALANCE", "RebalancePartitioner"),
        ("CUSTOM", "CustomPartitionerWrapper"),
        ("by seller", ""),
        ("HASHED", ""),
        ("", ""),
    ],
)
def test_the_name_at_the_beginning_of_a_text_determines_the_class(text: str, name: str) -> None:
    assert class_printing(text) == name


def test_a_class_of_the_program_is_a_custom_one() -> None:
    own = partitioner_class("com.example.BySeller")

    assert (own.own, own.routing, own.prints) == (True, "CUSTOM", "")
    assert (own.forward, own.pointwise, own.calls) == (False, False, False)


def test_three_classes_forward_and_reach_some_consumers_only() -> None:
    known = [*PARTITIONER_CLASSES.values(), FORWARD_UNSPECIFIED, FORWARD_CONSECUTIVE_HASH]

    forward = {name for name in known if partitioner_class(name).forward}
    pointwise = {name for name in known if partitioner_class(name).pointwise}

    assert forward == {"ForwardPartitioner", FORWARD_UNSPECIFIED, FORWARD_CONSECUTIVE_HASH}
    assert pointwise == forward | {"RescalePartitioner"}


def test_a_partition_step_may_have_each_partitioner_that_a_name_alone_makes() -> None:
    assert {"HASH", "CUSTOM"} == CALLING_PARTITIONERS
    assert set(NAMED_PARTITIONERS) | CALLING_PARTITIONERS == set(PARTITIONER_CLASSES)
    assert not CALLING_PARTITIONERS & set(NAMED_PARTITIONERS)


def test_the_planners_hash_is_routed_as_a_custom_partitioner() -> None:
    planned = partitioner_class(BINARY_HASH)

    assert (planned.prints, planned.routing, planned.own) == ("HASH", "CUSTOM", False)
