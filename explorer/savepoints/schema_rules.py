"""Flink's rules for a changed serializer: ``TypeSerializerSnapshot.resolveSchemaCompatibility``.

A row for each kind of serializer. What a rule does not decide is unknown, never compatible.
``tests/golden/serializers.jsonl.gz`` has what the releases answer.
"""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple, TypeAlias

from explorer.flink.releases import Release
from explorer.model.coverage import Compatibility
from explorer.model.serializer_types import SerializerType, TypeField

_DEEPEST: Final = 24
_SEVERITY: Final[tuple[Compatibility, ...]] = ("compatible", "migrated", "unknown", "incompatible")


class SchemaFinding(NamedTuple):
    """A verdict on two serializers, and the rule that decides."""

    verdict: Compatibility
    rule: str


Judgement: TypeAlias = Compatibility | SchemaFinding
"""A verdict by a rule's own sentence, or by another one."""


class SchemaRule(NamedTuple):
    """A row: serializers, Flink's rule for them in words, and the function that applies it."""

    serializers: tuple[str, ...]
    sentence: str
    judge: Callable[[SerializerType, SerializerType, Release, int], Judgement]


def compare_types(
    old: SerializerType, new: SerializerType, release: Release, depth: int = 0
) -> SchemaFinding:
    """Whether ``release`` restores state of ``old`` where the program now declares ``new``."""
    if depth > _DEEPEST:
        return SchemaFinding("unknown", "the types nest too deep")
    unknown = next(
        (serializer_type.serializer for serializer_type in (old, new) if not serializer_type.known),
        None,
    )
    if unknown is not None:
        return SchemaFinding("unknown", f"the rule of the serializer {unknown or '?'} is not known")
    old_serializer_type, new_serializer_type = _without_ttl(old), _without_ttl(new)
    if (old_serializer_type is None) != (new_serializer_type is None):
        return _TTL[release.ttl_switch]
    if old_serializer_type is not None and new_serializer_type is not None:
        return compare_types(old_serializer_type, new_serializer_type, release, depth + 1)
    if old.serializer != new.serializer:
        # Another serializer is refused, where both are well known to have nothing in common.
        known = old.serializer in _DISTINCT and new.serializer in _DISTINCT
        text = f"{old.words} may not become {new.words}: the serializers differ"
        return SchemaFinding("incompatible" if known else "unknown", text)
    rule = _BY_SERIALIZER.get(old.serializer, _PLAIN_RULE)
    judgement = rule.judge(old, new, release, depth)
    return (
        judgement
        if isinstance(judgement, SchemaFinding)
        else SchemaFinding(judgement, rule.sentence)
    )


def _without_ttl(type: SerializerType) -> SerializerType | None:
    """Return the type behind a TTL; None if the type has none."""
    has_ttl = type.serializer == "TtlSerializer" or "ttl" in type.parameters
    return type.fields[-1].type if has_ttl and type.fields else None


_TTL: Final[dict[str, SchemaFinding]] = {
    "refused": SchemaFinding(
        "incompatible", "time to live may not be switched on or off before 2.2"
    ),
    "unknown": SchemaFinding(
        "unknown", "whether time to live may be switched depends on the backend"
    ),
    "migrated": SchemaFinding("migrated", "time to live may be switched on and off from 2.2 on"),
}


def worst(findings: Iterable[SchemaFinding], sentence: str) -> SchemaFinding:
    """The most severe of the findings; compatible with ``sentence`` where there is none."""
    best = SchemaFinding("compatible", sentence)
    # ``CompositeTypeSerializerUtil.constructIntermediateCompatibilityResult`` ends at the first
    # incompatible part, and migrates if any part does: the worst part decides for the whole.
    return max((best, *findings), key=lambda finding: _SEVERITY.index(finding.verdict))


def _plain(old: SerializerType, new: SerializerType, *_: object) -> Judgement:
    """A serializer without parameters, or one of which only equality is known to be compatible."""
    return "compatible" if old == new else "unknown"


def _compare_nested(
    old: SerializerType, new: SerializerType, release: Release, depth: int
) -> Judgement:
    # ``CompositeTypeSerializerSnapshot`` compares the number of nested serializers before any of
    # them: it has no pairs otherwise.
    if len(old.fields) != len(new.fields):
        return "incompatible"
    pairs = zip(old.fields, new.fields, strict=True)
    return worst((_field(a, b, release, depth) for a, b in pairs), _COMPOSITE.sentence)


def _field(old: TypeField, new: TypeField, release: Release, depth: int) -> SchemaFinding:
    if old.type is None or new.type is None:
        rule = f"the type of the field {old.name or new.name!r} is not known"
        return SchemaFinding("unknown", rule)
    return compare_types(old.type, new.type, release, depth + 1)


def _row(old: SerializerType, new: SerializerType, release: Release, depth: int) -> Judgement:
    """``RowSerializerSnapshot``: a row of another kind flag is migrated; names are not saved."""
    judgement = _compare_nested(old, new, release, depth)
    if old.parameters == new.parameters or not isinstance(judgement, SchemaFinding):
        return judgement
    return worst([judgement, SchemaFinding("migrated", "a row with its kind is written anew")], "")


def _array(old: SerializerType, new: SerializerType, release: Release, depth: int) -> Judgement:
    # ``GenericArraySerializerSnapshot`` compares the class of the elements in its outer snapshot,
    # before it looks at their serializers.
    same = old.class_name == new.class_name
    return _compare_nested(old, new, release, depth) if same else "incompatible"


def _pojo(old: SerializerType, new: SerializerType, release: Release, depth: int) -> Judgement:
    if old.class_name != new.class_name:
        return SchemaFinding("incompatible", _CLASS_RENAMED)
    if old.subclasses or new.subclasses:
        return SchemaFinding("unknown", "the rule for subclasses of a POJO is not applied")
    # ``PojoSerializerSnapshot.resolveSchemaCompatibility`` matches fields by name: their order,
    # which changes with a compiler, does not count.
    new_type_fields = {field.name: field for field in new.fields}
    common = [
        (field, new_type_fields[field.name])
        for field in old.fields
        if field.name in new_type_fields
    ]
    findings = [_pojo_field(a, b, release, depth) for a, b in common]
    if {field.name for field in old.fields} != new_type_fields.keys():
        findings.append(SchemaFinding("migrated", _POJO_FIELDS))
    return worst(findings, _POJO_FIELDS)


def _pojo_field(old: TypeField, new: TypeField, release: Release, depth: int) -> SchemaFinding:
    finding = _field(old, new, release, depth)
    if finding.verdict != "incompatible":
        return finding
    return SchemaFinding("incompatible", f"{_POJO_FIELDS}; {old.name!r}: {finding.rule}")


def _enum(old: SerializerType, new: SerializerType, *_: object) -> Judgement:
    if old.class_name != new.class_name:
        return SchemaFinding("incompatible", _CLASS_RENAMED)
    # ``EnumSerializer.EnumSerializerSnapshot.resolveSchemaCompatibility`` writes the saved order
    # into the new serializer, so constants may move; one that is gone leaves numbers without a
    # constant.
    return "compatible" if set(old.constants) <= set(new.constants) else "incompatible"


def _kryo(old: SerializerType, new: SerializerType, *_: object) -> Judgement:
    # ``KryoSerializerSnapshot.resolveSchemaCompatibility`` compares the class, then registrations
    # by name: the class's content, on which a restore depends, is in neither.
    same = old.class_name == new.class_name
    return "unknown" if same else SchemaFinding("incompatible", _CLASS_RENAMED)


def _columns(old: SerializerType, new: SerializerType, *_: object) -> Judgement:
    pairs = zip(old.columns, new.columns, strict=False)
    differs = any(
        previous != following and "?" not in {previous, following} for previous, following in pairs
    )
    if differs or len(old.columns) != len(new.columns):
        # ``RowDataSerializerSnapshot`` compares the array of types: a column that is not known
        # cannot make rows of another length, or with another known column, equal.
        return "incompatible"
    if "?" in old.columns or "?" in new.columns:
        return SchemaFinding("unknown", "the type of a column is not known")
    return "compatible" if old.columns == new.columns else "incompatible"


def _numbers(old: SerializerType, new: SerializerType, *_: object) -> Judgement:
    return "compatible" if old.parameters == new.parameters else "incompatible"


_CLASS_RENAMED: Final = (
    "the saved class must be there under its name, and the serializer must be for that class"
)
_POJO_FIELDS: Final = "fields of a POJO may be added and removed, not retyped"
_COMPOSITE: Final = SchemaRule(
    (
        *("TupleSerializer", "ListSerializer", "MapSerializer", "SetSerializer"),
        *("JavaEitherSerializer", "EitherSerializer", "StreamElementSerializer"),
        *("BufferEntrySerializer", "TimerSerializer", "ArrayListSerializer", "UnionSerializer"),
        *("ListViewSerializer", "MapViewSerializer", "NullAwareMapSerializer"),
        "NullableSerializer",
    ),
    "as many types within, each compatible",
    _compare_nested,
)
_PLAIN_RULE: Final = SchemaRule((), "the same serializer with the same parameters", _plain)

RULES: Final = (
    _COMPOSITE,
    SchemaRule(("RowSerializer",), "as many fields, each compatible; names do not count", _row),
    SchemaRule(("GenericArraySerializer",), "the same class of elements", _array),
    SchemaRule(("PojoSerializer",), _POJO_FIELDS, _pojo),
    SchemaRule(
        ("EnumSerializer", "ScalaEnumSerializer"),
        "constants of an enum may be added and reordered, not removed",
        _enum,
    ),
    SchemaRule(
        ("KryoSerializer",),
        "Kryo: Flink compares the class's name only, and a changed class is not noticed until a "
        "value is read",
        _kryo,
    ),
    SchemaRule(
        ("RowDataSerializer", "BaseRowSerializer", "ArrayDataSerializer", "MapDataSerializer"),
        "columns of SQL state must have equal types, NOT NULL included",
        _columns,
    ),
    SchemaRule(
        ("DecimalDataSerializer", "TimestampDataSerializer", "BinaryRowDataSerializer"),
        "precision, scale and number of fields must be equal",
        _numbers,
    ),
)
"""A row each; a serializer without a row is compatible with its equal only, else unknown."""
_BY_SERIALIZER: Final = {name: rule for rule in RULES for name in rule.serializers}
_DISTINCT: Final = frozenset(
    {
        *("StringSerializer", "LongSerializer", "IntSerializer", "DoubleSerializer"),
        *("FloatSerializer", "BooleanSerializer", "ShortSerializer", "ByteSerializer"),
        *("CharSerializer", "BigDecSerializer", "BigIntSerializer", "DateSerializer"),
        *("SqlDateSerializer", "SqlTimeSerializer", "SqlTimestampSerializer"),
        *("InstantSerializer", "LocalDateSerializer", "LocalDateTimeSerializer"),
        *("LocalTimeSerializer", "BytePrimitiveArraySerializer", "TupleSerializer"),
        *("RowSerializer", "ListSerializer", "MapSerializer", "EnumSerializer"),
        *("PojoSerializer", "KryoSerializer", "RowDataSerializer", "TimeWindowSerializer"),
        *("GlobalWindowSerializer", "VoidNamespaceSerializer", "StreamElementSerializer"),
    }
)
"""Serializers of which none reads what another one wrote."""
