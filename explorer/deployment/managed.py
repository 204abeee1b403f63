"""Shares of a slot's managed memory for operators, by use case.

Mirrors ``ManagedMemoryUtils.convertToFractionOfSlot`` and ``MemoryManager.computeMemorySize``.
"""

from collections.abc import Collection, Mapping
from math import floor
from typing import Final

import msgspec

from explorer.deployment.memory_options import MemoryRefusalError, Option, Options
from explorer.flink.compiler import Compilation
from explorer.flink.partitioners import partitioner_class
from explorer.flink.passes.slots import fraction_rounded_down
from explorer.flink.releases import Release
from explorer.flink.tasks.stream_config_facts import STATE_BACKEND
from explorer.model.job_graph import ChainedOperator
from explorer.model.stream_graph import StreamNode

OPERATOR: Final = "OPERATOR"
PYTHON: Final = "PYTHON"
_FORMER: Final = "DATAPROC"
_CONSUMERS: Final = {
    OPERATOR: (OPERATOR, _FORMER),
    STATE_BACKEND: (STATE_BACKEND, _FORMER),
    PYTHON: (PYTHON,),
}
"""By use case, the names under which the option may weigh it."""
_WEIGHTS: Final = Option(
    "taskmanager.memory.managed.consumer-weights", "OPERATOR:70,STATE_BACKEND:70,PYTHON:30"
)
_BACKEND: Final = Option("state.backend.type", "hashmap", ("state.backend",))
_OFF_HEAP: Final = frozenset({"rocksdb", "forst"})
"""State backends that keep state in managed memory."""


class UseCaseMemory(msgspec.Struct, frozen=True, kw_only=True):
    """What a use case has of a slot."""

    use_case: str
    weight: int
    fraction: float
    """Of the slot's managed memory."""
    bytes: int


class OperatorMemory(msgspec.Struct, frozen=True, kw_only=True):
    """Managed memory of an operator; all operators of a slot share the state backend's part."""

    node: int
    use_case: str
    fraction: float
    bytes: int


class GroupMemory(msgspec.Struct, frozen=True, kw_only=True):
    """The managed memory of a slot of one slot sharing group."""

    group: int
    slot: int
    """Bytes."""
    use_cases: tuple[UseCaseMemory, ...]
    operators: tuple[OperatorMemory, ...]


def managed_memory(
    compilation: Compilation, slot: int, options: Mapping[str, object]
) -> tuple[GroupMemory, ...]:
    """Return the memory of each slot sharing group; ``slot``: managed bytes of a slot.

    Empty where the release shares out nothing by use case.
    """
    if compilation.release.memory != "use cases":
        return ()
    values = Options(options)
    result: dict[int, list[ChainedOperator]] = {}
    for vertex in compilation.job_graph.vertices:
        result.setdefault(vertex.slot_sharing_group, []).extend(vertex.operators)
    groups = sorted(result.items())
    return tuple(_group(compilation, group, operators, slot, values) for group, operators in groups)


def _group(
    compilation: Compilation,
    group: int,
    operators: list[ChainedOperator],
    slot: int,
    options: Options,
) -> GroupMemory:
    cases = {
        operator.node: _use_cases(compilation, compilation.stream_graph.by_id[operator.node])
        for operator in operators
    }
    named = {case for result in cases.values() for case in result}
    shared = use_case_memory(
        named, slot, options, compilation.release, batch=compilation.settings.batch
    )
    fractions = {memory.use_case: memory.fraction for memory in shared}
    return GroupMemory(
        group=group,
        slot=slot,
        use_cases=shared,
        operators=tuple(
            OperatorMemory(
                node=operator.node,
                use_case=case,
                fraction=fraction,
                # ``MemoryManager.computeMemorySize`` multiplies a double and cuts: rounded up, the
                # parts of a slot may come to more than the slot.
                bytes=floor(slot * fraction),
            )
            for operator in operators
            for case in cases[operator.node]
            for own in [(operator.managed_memory_fraction or 0.0) if case == OPERATOR else 1.0]
            for fraction in [fractions[case] * own]
        ),
    )


def use_case_memory(
    named: Collection[str], slot: int, options: Options, release: Release, *, batch: bool = False
) -> tuple[UseCaseMemory, ...]:
    """Return each use case's part of the slot's ``slot`` bytes."""
    every = _weights(options, release)
    weights = {case: every.get(case, 0) for case in _CONSUMERS if case in named}
    backend = str(options.text(_BACKEND)).lower()
    # ``ManagedMemoryUtils.convertToFractionOfSlot`` leaves the state backend out of the sum where
    # ``StateBackendLoader`` finds that it does not use managed memory; a BATCH job has a backend of
    # its own, on the heap. Its weight would take memory from the other use cases.
    if STATE_BACKEND in weights and (batch or not any(name in backend for name in _OFF_HEAP)):
        weights[STATE_BACKEND] = 0
    return tuple(
        UseCaseMemory(
            use_case=case, weight=weights[case], fraction=fraction, bytes=floor(slot * fraction)
        )
        for case, fraction in shares(weights).items()
    )


def shares(weights: Mapping[str, int]) -> dict[str, float]:
    """Return the fraction of the slot of each use case, cut to 16 places as Flink cuts it.

    >>> shares({"OPERATOR": 70, "PYTHON": 30})
    {'OPERATOR': 0.7, 'PYTHON': 0.3}
    """
    # ``ManagedMemoryUtils.convertToFractionOfSlot`` weighs only what the slot's operators use: a
    # case that none of them has leaves its part to the others.
    total = sum(weights.values())
    return {
        case: fraction_rounded_down(weight, total) if total else 0.0
        for case, weight in weights.items()
    }


def _use_cases(compilation: Compilation, node: StreamNode) -> tuple[str, ...]:
    """What the operator declares: its own weight, and the use cases of its slot."""
    own = (OPERATOR,) if node.operator_memory_weight else ()
    if node.operator is not None:
        reported = (case for case in _CONSUMERS if case in node.operator.slot_memory_use_cases)
        return (*own, *reported)
    inputs = (
        compilation.stream_graph.edges[in_edge]
        for in_edge in compilation.stream_graph.in_edges[node.id]
    )
    keyed = any(partitioner_class(edge.partitioner_class).routing == "HASH" for edge in inputs)
    return (*own, STATE_BACKEND) if keyed else own


def _weights(options: Options, release: Release) -> dict[str, int]:
    """``ManagedMemoryUtils.getManagedMemoryUseCaseWeightsFromConfig``: weights by use case.

    The first of its names that is weighed counts: the former DATAPROC stands for two use cases,
    and neither reads it where its own name is weighed.
    """
    parts = filter(str.strip, (options.text(_WEIGHTS) or "").split(","))
    pairs = (part.partition(":") for part in parts)
    reported = {name.strip(): weight.strip() for name, _, weight in pairs}
    if not release.weighs_data_processing:
        reported.pop(_FORMER, None)
    result = {}
    for case, names in _CONSUMERS.items():
        name = next((item for item in names if item in reported), None)
        if name is not None:
            weight = Options({_WEIGHTS.key: reported[name]}).whole(_WEIGHTS)
            if weight < 0:
                msg = (
                    "Managed memory weight should not be negative. Configured weight for "
                    f"{case} is {weight}."
                )
                raise MemoryRefusalError(msg)
            result[case] = weight
    return result
