"""Verdicts from serializers: a savepoint's snapshots, or an old program's, against a new program's.

A type that is not known on both sides is ``unknown``, never compatible. States that a function
asks for in ``open`` are known on the new side only from a rehearsal.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from explorer.analysis.state_cases import StateCase, StateVerdicts
from explorer.flink.releases import Release
from explorer.model.coverage import StateVerdict
from explorer.model.serializer_types import (
    DeclaredState,
    DeclaredTypes,
    SerializerType,
)
from explorer.model.stream_graph import StreamNode
from explorer.savepoints import OperatorState
from explorer.savepoints.saved_states import SavedState, StateSchema
from explorer.savepoints.schema_rules import SchemaFinding, compare_types

_NOTHING: Final = DeclaredTypes()
_KINDS: Final = {
    "SPLIT_DISTRIBUTE": "operator list",
    "UNION": "operator union list",
}
"""By Flink's name of a state's kind, ours; the others are Flink's in lower case."""
_MIGRATION: Final = "StateMigrationException"
_NOT_DECLARED: Final = (
    "the new program's serializer is not known: a function declares its states in open(), which a "
    "rehearsal runs"
)
_KEY_UNKNOWN: Final = (
    "the new program's key serializer is not known: capture the program with this version"
)
_SAME_KEY: Final = "the serializer of a key may not change, not even by a migration"


def judge_serializers(case: StateCase) -> StateVerdicts:
    """Verdicts on every operator of the savepoint that the new program restores."""
    saved = {one.operator_id: one for one in case.old.savepoint.operators}
    return {
        id: tuple(_verdicts(_before(case, saved[id]), _declared(case, id), case.new.release))
        for id in case.takers
        if id in saved
    }


def _declared(case: StateCase, id: str) -> DeclaredTypes:
    node = case.new.stream_graph.by_id[case.takers[id]]
    return _declared_by(node) or _NOTHING


def _declared_by(node: StreamNode) -> DeclaredTypes | None:
    return None if node.operator is None else node.operator.declared


def _before(case: StateCase, saved: OperatorState) -> OperatorState:
    """The saved operator; of an expected savepoint with the types that the old program declares."""
    program = case.old.program
    node = case.old.nodes.get(saved.operator_id)
    if case.old.real or program is None or node is None:
        return saved
    declared = _declared_by(program.stream_graph.by_id[node]) or _NOTHING
    return _with_types(saved, declared)


def _with_types(saved: OperatorState, declared: DeclaredTypes) -> OperatorState:
    states = tuple(
        SavedState(
            name=one.name,
            backend="operator" if one.kind in _KINDS else "keyed",
            kind=one.kind,
            namespace=one.namespace,
            value=one.value,
        )
        for one in declared.states
    )
    problems = () if declared.complete else (_OLD_UNKNOWN,)
    schema = StateSchema(key=declared.key, states=states, problems=problems)
    return msgspec.structs.replace(saved, schema=schema)


_OLD_UNKNOWN: Final = (
    "the old program's states are not all known: a savepoint of it has their serializers"
)


def _verdicts(
    saved: OperatorState, declared: DeclaredTypes, release: Release
) -> Iterator[StateVerdict]:
    """The key first, then each state, then what is missing."""
    schema = saved.schema
    if not saved.handles:
        return
    key = None
    if "keyed" in saved.kinds or schema.key is not None:
        key = _key(schema.key, declared.key, release)
        yield key
    known = {state.name: state for state in declared.states}
    for state in schema.states:
        if state.kind == "TIMERS":
            yield _timers(state, key, declared, release)
        else:
            yield _state(state, known.get(state.name), release)
    if schema.problems or not schema.states:
        yield StateVerdict(
            aspect="state types",
            state="",
            kind="state",
            verdict="unknown",
            sentence="; ".join(schema.problems) or "the savepoint holds state of its own form",
        )


def _key(old: SerializerType | None, new: SerializerType | None, release: Release) -> StateVerdict:
    found = SchemaFinding("unknown", _KEY_UNKNOWN)
    if old is None:
        found = SchemaFinding("unknown", "the savepoint's key serializer could not be read")
    elif new is not None:
        found = _fixed(compare_types(old, new, release))
    refusal = (
        f"The new key serializer ({_named(new)}) must be compatible with the previous key "
        f"serializer ({_named(old)})."
    )
    return StateVerdict(
        aspect="key types",
        state="",
        kind="key",
        verdict=found.verdict,
        before=_words(old),
        after=_words(new),
        sentence=refusal if found.verdict == "incompatible" else _reason(found),
        rule=found.rule,
        exception=_MIGRATION if found.verdict == "incompatible" else None,
    )


def _fixed(found: SchemaFinding) -> SchemaFinding:
    """A serializer that Flink does not migrate."""
    if found.verdict == "migrated":
        return SchemaFinding("incompatible", f"{_SAME_KEY}: {found.rule}")
    return found


def _state(saved: SavedState, new: DeclaredState | None, release: Release) -> StateVerdict:
    found, refusal, exception = _judged(saved, new, release)
    refused = found.verdict == "incompatible"
    return StateVerdict(
        aspect="state types",
        state=saved.name,
        kind=_KINDS.get(saved.kind, saved.kind.lower()) or "state",
        verdict=found.verdict,
        before=_words(saved.value),
        after=None if new is None else _words(new.value),
        sentence=refusal if refused else _reason(found),
        rule=found.rule,
        exception=exception if refused else None,
    )


def _judged(
    saved: SavedState, new: DeclaredState | None, release: Release
) -> tuple[SchemaFinding, str, str]:
    """The finding, and in case it refuses Flink's sentence and exception."""
    if saved.value is None:
        return SchemaFinding("unknown", "the savepoint's serializer could not be read"), "", ""
    if new is None or new.value is None:
        return SchemaFinding("unknown", _NOT_DECLARED), "", ""
    if saved.kind and saved.kind != new.kind:
        rule = "a state may not become one of another kind"
        sentence = (
            f"Incompatible key/value state types. Was [{saved.kind}], registered with [{new.kind}]."
        )
        return SchemaFinding("incompatible", rule), sentence, "IllegalStateException"
    spaces = _namespaces(saved, new, release)
    if spaces.verdict != "compatible":
        sentence = (
            f"The new namespace serializer ({_named(new.namespace)}) must be compatible with the "
            f"old namespace serializer ({_named(saved.namespace)})."
        )
        return spaces, sentence, _MIGRATION
    found = compare_types(saved.value, new.value, release)
    if saved.kind == "MAP" and found.verdict == "migrated":
        found = _map(saved.value, new.value, release)
    return found, _refusal(saved, new.value), _MIGRATION


def _map(old: SerializerType, new: SerializerType, release: Release) -> SchemaFinding:
    """A map's values may be migrated; for its keys that depends on the backend."""
    entries = zip(old.fields, new.fields, strict=False)
    found = [compare_types(a.type, b.type, release) for a, b in entries if a.type and b.type]
    if not found or found[0].verdict == "migrated":
        return SchemaFinding("unknown", "RocksDB migrates the values of a map, not its keys")
    return found[-1]


def _namespaces(saved: SavedState, new: DeclaredState, release: Release) -> SchemaFinding:
    """Windows, for instance; a state without a namespace has ``VoidNamespace``."""
    if saved.namespace is None or _is_void(saved.namespace):
        if new.namespace is None or _is_void(new.namespace):
            return SchemaFinding("compatible", "")
        return SchemaFinding("incompatible", "the namespace of a state may not change")
    if new.namespace is None:
        return SchemaFinding("unknown", "the new program's namespace is not known")
    return _fixed(compare_types(saved.namespace, new.namespace, release))


def _is_void(type: SerializerType) -> bool:
    return type.serializer == "VoidNamespaceSerializer"


def _refusal(saved: SavedState, new: SerializerType) -> str:
    """Flink's sentence where the values' serializers are incompatible.

    With HashMap it begins with "For heap backends, the new state serializer".
    """
    if saved.backend == "operator":
        return "The new state typeSerializer for operator state must not be incompatible."
    return (
        f"The new state serializer ({_named(new)}) must not be incompatible with the old state "
        f"serializer ({_named(saved.value)})."
    )


def _timers(
    saved: SavedState, key: StateVerdict | None, declared: DeclaredTypes, release: Release
) -> StateVerdict:
    """Timers are saved with the key and the namespace."""
    found = _timers_namespace(saved, declared, release)
    if key is None or key.verdict == "unknown":
        reason = "timers are saved with the key; its new serializer is not known"
        found = SchemaFinding("unknown", reason)
    elif key.verdict == "incompatible":
        found = SchemaFinding("incompatible", key.sentence)
    refused = found.verdict == "incompatible"
    return StateVerdict(
        aspect="state types",
        state=saved.name,
        kind="timers",
        verdict=found.verdict,
        before=_words(saved.value),
        sentence=found.rule if refused else _reason(found),
        exception=_MIGRATION if refused else None,
    )


def _timers_namespace(
    saved: SavedState, declared: DeclaredTypes, release: Release
) -> SchemaFinding:
    """A function's timers have ``VoidNamespace``, those of windows the window."""
    within = saved.value.fields if saved.value is not None else ()
    namespace = within[-1].type if within else None
    if namespace is None:
        return SchemaFinding("unknown", "the serializer of the timers' namespace could not be read")
    if _is_void(namespace):
        return SchemaFinding("compatible", "timers are saved with the key, which is compatible")
    windows = [one.namespace for one in declared.states if one.namespace is not None]
    if not windows:
        return SchemaFinding("unknown", "the new program's window serializer is not known")
    return _fixed(compare_types(namespace, windows[0], release))


def _reason(found: SchemaFinding) -> str:
    """Why a state is compatible, migrated or not decided."""
    if found.verdict == "unknown":
        return found.rule
    text = "compatible as is" if found.verdict == "compatible" else "compatible after migration"
    return f"{text}: {found.rule}" if found.rule else text


def _words(type: SerializerType | None) -> str | None:
    return None if type is None else type.words


def _named(type: SerializerType | None) -> str:
    return "?" if type is None else type.serializer
