"""Compares the serializers of a savepoint, or of an old program, with a new program's.

A type that is not known on both sides is ``unknown``, never compatible. States that a function
asks for in ``open`` are known on the new side only from a rehearsal.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from explorer.comparison.baseline import CompiledBaseline
from explorer.flink import releases
from explorer.flink.compiler import Compilation
from explorer.flink.releases import Release
from explorer.model.coverage import StateVerdict
from explorer.model.serializer_types import DeclaredState, DeclaredTypes, SerializerType, uses_kryo
from explorer.model.stream_graph import NodeId
from explorer.savepoints import OperatorState
from explorer.savepoints.saved_states import SavedState, StateSchema
from explorer.savepoints.schema_rules import SchemaFinding, compare_types

_KINDS: Final = {"SPLIT_DISTRIBUTE": "operator list", "UNION": "operator union list"}
"""Maps Flink's names of kinds of state to ours; the others are Flink's in lower case."""
_MIGRATION: Final = "StateMigrationException"
_NOT_DECLARED: Final = (
    "the new program's serializer is not known: a function declares its states in open(), which a "
    "rehearsal runs"
)
_OLD_UNKNOWN: Final = (
    "the old program's states are not all known: a savepoint of it has their serializers"
)


def judge_serializers(
    old: CompiledBaseline, new: Compilation, takers: Mapping[str, NodeId]
) -> dict[str, tuple[StateVerdict, ...]]:
    """Map the IDs of all operators of the savepoint that the new program restores to verdicts.

    ``takers``: maps operator IDs in the savepoint to the new nodes that Flink assigns the state to.
    """
    saved = {
        state.operator_id: _with_declared_types(old, state)
        for state in old.savepoint.operators
        if state.operator_id in takers
    }
    writers = {releases.release(version).kryo for version in old.releases}
    return {
        id: tuple(
            _judge_kryo(verdict, saved[id].schema, writers, new.release)
            for verdict in _verdicts(saved[id], _read_declared_types(new, node), new.release)
        )
        for id, node in takers.items()
        if id in saved
    }


def _judge_kryo(
    verdict: StateVerdict, schema: StateSchema, writers: set[int], reader: Release
) -> StateVerdict:
    """Refuse what another Kryo wrote, which the release's own reads in another form.

    ``writers``: the major versions of Kryo in the releases that the old side may be of.
    """
    types = {state.name: state.value for state in schema.states} | {"": schema.key}
    is_kryo = uses_kryo(types.get(verdict.state))
    if not is_kryo or writers <= {reader.kryo} or verdict.verdict == "incompatible":
        return verdict
    wrote = " or ".join(f"Kryo {version}" for version in sorted(writers))
    is_certain = reader.kryo not in writers
    return msgspec.structs.replace(
        verdict,
        verdict="incompatible" if is_certain else "unknown",
        sentence=f"{wrote} wrote it, and Kryo {reader.kryo} of Flink {reader.version} cannot read "
        f"the form of another one{'' if is_certain else ': name the release with --from-flink'}",
        rule=None,
        exception=_MIGRATION if is_certain else None,
    )


def _read_declared_types(compilation: Compilation, node: NodeId) -> DeclaredTypes:
    operator = compilation.stream_graph.by_id[node].operator
    return (operator.declared if operator else None) or DeclaredTypes()


def _with_declared_types(old: CompiledBaseline, saved: OperatorState) -> OperatorState:
    """Add the types that the old program declares to an operator of an expected savepoint."""
    node = old.nodes.get(saved.operator_id)
    if old.real or old.program is None or node is None:
        return saved
    declared = _read_declared_types(old.program, node)
    states = tuple(
        SavedState(
            name=state.name,
            backend="operator" if state.kind in _KINDS else "keyed",
            kind=state.kind,
            namespace=state.namespace,
            value=state.value,
        )
        for state in declared.states
    )
    problems = () if declared.complete else (_OLD_UNKNOWN,)
    schema = StateSchema(key=declared.key, states=states, problems=problems)
    return msgspec.structs.replace(saved, schema=schema)


def _verdicts(
    saved: OperatorState, declared: DeclaredTypes, release: Release
) -> Iterator[StateVerdict]:
    """Judge the key, then each state, then name what is missing."""
    schema = saved.schema
    if not saved.handles:
        return
    key = None
    if "keyed" in saved.kinds or schema.key is not None:
        key = _key(schema.key, declared.key, release)
        yield key
    states = {state.name: state for state in declared.states}
    for state in schema.states:
        if state.kind == "TIMERS":
            yield _timers(state, key, declared, release)
        else:
            yield _state(state, states.get(state.name), release)
    if not saved.has_own_state:
        yield StateVerdict(
            aspect="state types",
            state="",
            kind="records",
            verdict="unknown",
            sentence="records in flight are read with the serializer of their new exchange",
        )
    elif schema.problems or not schema.states:
        yield StateVerdict(
            aspect="state types",
            state="",
            kind="state",
            verdict="unknown",
            sentence="; ".join(schema.problems) or "the savepoint holds state of its own form",
        )


def _key(old: SerializerType | None, new: SerializerType | None, release: Release) -> StateVerdict:
    if old is None:
        finding = SchemaFinding("unknown", "the savepoint's key serializer could not be read")
    elif new is not None:
        finding = _compare_fixed(old, new, release)
    else:
        why = "the new program's key serializer is not known: capture the program with this version"
        finding = SchemaFinding("unknown", why)
    refusal = (
        f"The new key serializer ({_name_type(new)}) must be compatible with the previous key "
        f"serializer ({_name_type(old)})."
    )
    refused = finding.verdict == "incompatible"
    return StateVerdict(
        aspect="key types",
        state="",
        kind="key",
        verdict=finding.verdict,
        before=_words(old),
        after=_words(new),
        sentence=refusal if refused else _reason(finding),
        rule=finding.rule,
        exception=_MIGRATION if refused else None,
    )


def _compare_fixed(old: SerializerType, new: SerializerType, release: Release) -> SchemaFinding:
    """Compare serializers that Flink does not migrate."""
    finding = compare_types(old, new, release)
    if finding.verdict != "migrated":
        return finding
    rule = f"the serializer of a key may not change, not even by a migration: {finding.rule}"
    return SchemaFinding("incompatible", rule)


def _state(saved: SavedState, new: DeclaredState | None, release: Release) -> StateVerdict:
    finding, refusal, exception = _compare_states(saved, new, release)
    refused = finding.verdict == "incompatible"
    return StateVerdict(
        aspect="state types",
        state=saved.name,
        kind=_KINDS.get(saved.kind, saved.kind.lower()) or "state",
        verdict=finding.verdict,
        before=_words(saved.value),
        after=None if new is None else _words(new.value),
        sentence=refusal if refused else _reason(finding),
        rule=finding.rule,
        exception=exception if refused else None,
    )


def _compare_states(
    saved: SavedState, new: DeclaredState | None, release: Release
) -> tuple[SchemaFinding, str, str]:
    """Return the finding, with Flink's sentence and exception if it refuses."""
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
    spaces = _compare_namespaces(saved, new, release)
    if spaces.verdict != "compatible":
        sentence = (
            f"The new namespace serializer ({_name_type(new.namespace)}) must be compatible with "
            f"the old namespace serializer ({_name_type(saved.namespace)})."
        )
        return spaces, sentence, _MIGRATION
    finding = compare_types(saved.value, new.value, release)
    if saved.kind == "MAP" and finding.verdict == "migrated":
        finding = _compare_maps(saved.value, new.value, release)
    # With HashMap the sentence begins with "For heap backends, the new state serializer".
    sentence = (
        f"The new state serializer ({_name_type(new.value)}) must not be incompatible with the old "
        f"state serializer ({_name_type(saved.value)})."
    )
    if saved.backend == "operator":
        sentence = "The new state typeSerializer for operator state must not be incompatible."
    return finding, sentence, _MIGRATION


def _compare_maps(old: SerializerType, new: SerializerType, release: Release) -> SchemaFinding:
    """A map's values may be migrated; for its keys that depends on the backend."""
    entries = zip(old.fields, new.fields, strict=False)
    findings = [compare_types(a.type, b.type, release) for a, b in entries if a.type and b.type]
    if not findings or findings[0].verdict == "migrated":
        return SchemaFinding("unknown", "RocksDB migrates the values of a map, not its keys")
    return findings[-1]


def _compare_namespaces(saved: SavedState, new: DeclaredState, release: Release) -> SchemaFinding:
    """A namespace is a window, for instance; without one a state has ``VoidNamespace``."""
    if saved.namespace is None or _is_void(saved.namespace):
        if new.namespace is None or _is_void(new.namespace):
            return SchemaFinding("compatible", "")
        return SchemaFinding("incompatible", "the namespace of a state may not change")
    if new.namespace is None:
        return SchemaFinding("unknown", "the new program's namespace is not known")
    return _compare_fixed(saved.namespace, new.namespace, release)


def _is_void(type: SerializerType) -> bool:
    return type.serializer == "VoidNamespaceSerializer"


def _timers(
    saved: SavedState, key: StateVerdict | None, declared: DeclaredTypes, release: Release
) -> StateVerdict:
    """Timers are saved with the key and the namespace."""
    finding = _compare_timers(saved, declared, release)
    if key is None or key.verdict == "unknown":
        reason = "timers are saved with the key; its new serializer is not known"
        finding = SchemaFinding("unknown", reason)
    elif key.verdict == "incompatible":
        finding = SchemaFinding("incompatible", key.sentence)
    refused = finding.verdict == "incompatible"
    return StateVerdict(
        aspect="state types",
        state=saved.name,
        kind="timers",
        verdict=finding.verdict,
        before=_words(saved.value),
        sentence=finding.rule if refused else _reason(finding),
        exception=_MIGRATION if refused else None,
    )


def _compare_timers(saved: SavedState, declared: DeclaredTypes, release: Release) -> SchemaFinding:
    """A function's timers have ``VoidNamespace``, those of windows the window."""
    namespace = saved.value.fields[-1].type if saved.value and saved.value.fields else None
    if namespace is None:
        return SchemaFinding("unknown", "the serializer of the timers' namespace could not be read")
    if _is_void(namespace):
        return SchemaFinding("compatible", "timers are saved with the key, which is compatible")
    windows = [state.namespace for state in declared.states if state.namespace is not None]
    if not windows:
        return SchemaFinding("unknown", "the new program's window serializer is not known")
    return _compare_fixed(namespace, windows[0], release)


def _reason(finding: SchemaFinding) -> str:
    if finding.verdict == "unknown":
        return finding.rule
    text = "compatible as is" if finding.verdict == "compatible" else "compatible after migration"
    return f"{text}: {finding.rule}" if finding.rule else text


def _words(type: SerializerType | None) -> str | None:
    return None if type is None else type.words


def _name_type(type: SerializerType | None) -> str:
    return "?" if type is None else type.serializer
