"""Locks the facts that must not change unnoticed: IDs, names, maximum parallelisms and chains.

Nothing in Flink mirrors this. A lock is computed from a compilation alone, so the same program
gives the same text; each fact has its own line, so a diff shows what changed. It is YAML, and is
read as documents are.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from explorer.documents.loading import read_values
from explorer.documents.records import to_record
from explorer.documents.text.writing import bare_text
from explorer.errors import DocumentError
from explorer.flink.compiler import Compilation
from explorer.flink.key_groups import default_max_parallelism
from explorer.model.stream_graph import NodeId

ENDING: Final = ".lock"
_LONGEST_KEY: Final = 1_000
"""Characters of a key on the line of its value; YAML allows 1,024."""
VERSION: Final = 1
_HEAD: Final = (
    "# What savepoints and dashboards know of this job. `python -m explorer lock` writes it, and\n"
    "# `python -m explorer check --locked` fails when a line of it no longer holds.\n"
)


class LockedOperator(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One operator, as it was locked."""

    id: str
    """Its operator ID, 32 hex digits."""
    uid_hash: str | None = None
    """Its uid hash, 32 hex digits."""
    name: str
    """Its operator name."""
    max_parallelism: int
    """Of its job vertex."""
    derived: bool = False
    """Whether Flink derives that maximum from the parallelism."""


class Lock(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A job, as it was locked."""

    lock: int
    """The version of the form."""
    flink: str
    """Flink release for which the lock was written."""
    operators: Mapping[str, LockedOperator] = {}
    """By operator: its transformation, else its name; a number behind what is not the first."""
    chains: tuple[tuple[str, ...], ...] = ()
    """The operators of each job vertex, in the order of their node ids."""


def lock_names(compilation: Compilation) -> dict[NodeId, str]:
    """Map each node to its name in the lock.

    A lock does not use node numbers, since another node in front would change all of them.
    """
    counts: Counter[str] = Counter()
    names = {}
    for node in compilation.stream_graph.nodes:
        name = f"{node.handle} input {node.tags}" if node.tags else node.handle
        counts[name] += 1
        names[node.id] = name if counts[name] == 1 else f"{name} #{counts[name]}"
    return names


def make_lock(compilation: Compilation) -> Lock:
    """Compute the lock of a compilation."""
    names = lock_names(compilation)
    operators = {}
    for node in compilation.stream_graph.nodes:
        vertex = compilation.job_graph.task_of(node.id)
        derived = vertex.max_parallelism <= 0
        default = default_max_parallelism(max(vertex.parallelism, 1))
        operators[names[node.id]] = LockedOperator(
            id=compilation.hashes[node.id],
            uid_hash=node.uid_hash,
            name=node.name,
            max_parallelism=default if derived else vertex.max_parallelism,
            derived=derived,
        )
    chains = sorted(
        sorted(operator.node for operator in job_vertex.operators)
        for job_vertex in compilation.job_graph.vertices
    )
    return Lock(
        lock=VERSION,
        flink=compilation.release.version,
        operators=operators,
        chains=tuple(tuple(names[node] for node in chain) for chain in chains),
    )


def lock_text(lock: Lock) -> str:
    """Return the text of the lock's file, a fact a line; ``read_lock`` reads the same lock."""
    lines = [f"lock: {lock.lock}", f"flink: {bare_text(lock.flink)}"]
    if lock.operators:
        lines.append("operators:")
    for name, operator in lock.operators.items():
        key = bare_text(name)
        # A longer key is none of YAML's simple ones: it has a line of its own.
        lines += [f"  {key}:"] if len(key) < _LONGEST_KEY else [f"  ? {key}", "  :"]
        lines += [f"    {line}" for line in fact_lines(operator).values()]
    if lock.chains:
        lines.append("chains:")
    lines += [f"  - {chain_line(chain)}" for chain in lock.chains]
    return _HEAD + "".join(f"{line}\n" for line in lines)


def fact_lines(operator: LockedOperator) -> dict[str, str]:
    """Map each field of an operator to its line in the file."""
    lines = {"id": f'id: "{operator.id}"'}
    if operator.uid_hash is not None:
        lines["uid_hash"] = f'uid_hash: "{operator.uid_hash}"'
    lines["name"] = f"name: {bare_text(operator.name)}"
    lines["max_parallelism"] = f"max_parallelism: {operator.max_parallelism}"
    if operator.derived:
        lines["derived"] = "derived: true"
    return lines


def chain_line(chain: tuple[str, ...]) -> str:
    """Write a chain in brackets."""
    return "[" + ", ".join(map(bare_text, chain)) + "]"


def read_lock(text: str | bytes) -> Lock:
    """Read a lock's text; raises ``DocumentError`` with the place of the first fault."""
    values: Any = read_values(text, "lock.yaml")
    if not isinstance(values, Mapping) or "lock" not in values:
        problem = "this is no lock: it has no line 'lock: 1'; write one with `lock FILE`"
        raise DocumentError(path="", problem=problem)
    if values["lock"] != VERSION:
        problem = f"must be {VERSION}, the form that is read here; write the lock again"
        raise DocumentError(path="lock", problem=problem)
    return to_record(values, Lock)
