"""Snapshot classes by name: what each table says of them, and that Flink wrote some of each."""

import base64
from collections.abc import Iterator

from explorer.savepoints.data_input import DataInput
from explorer.savepoints.snapshot_classes import COLLECTIONS, KNOWN_COMPOSITES, RENAMED, SIMPLE
from tests.golden_files import cases
from tests.many_cases import for_each


def written() -> Iterator[str]:
    """The outermost snapshot classes that the golden pairs hold."""
    for case in cases("serializers"):
        for side in ("before", "after"):
            yield DataInput(base64.b64decode(case[side])).read_utf()


def test_flink_wrote_simple_and_composite_ones() -> None:
    found = {*written()}

    assert len(found & SIMPLE.keys()) >= 15
    assert len(found & KNOWN_COMPOSITES) >= 5


def test_a_class_is_of_one_layout() -> None:
    assert SIMPLE.keys() & KNOWN_COMPOSITES == set()
    assert COLLECTIONS.keys() <= KNOWN_COMPOSITES


@for_each(
    ("ending", "wanted"),
    [
        ("base.IntSerializer$IntSerializerSnapshot", ("IntSerializer", "Integer")),
        ("base.BigDecSerializer$BigDecSerializerSnapshot", ("BigDecSerializer", "BigDecimal")),
        (
            "array.LongPrimitiveArraySerializer$LongPrimitiveArraySerializerSnapshot",
            ("LongPrimitiveArraySerializer", "long[]"),
        ),
        (
            "window.TimeWindow$Serializer$TimeWindowSerializerSnapshot",
            ("table.TimeWindowSerializer", "table.TimeWindow"),
        ),
    ],
)
def test_a_simple_class_has_its_serializer_and_its_type(
    ending: str, wanted: tuple[str, str]
) -> None:
    (name,) = (one for one in SIMPLE if one.endswith(f".{ending}"))

    assert SIMPLE[name] == wanted


def test_only_a_known_class_has_another_name() -> None:
    assert {name for name in RENAMED if name not in KNOWN_COMPOSITES} == {
        "org.apache.flink.table.runtime.typeutils.DecimalDataSerializer$DecimalSerializerSnapshot"
    }
