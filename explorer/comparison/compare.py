"""Compares two compilations: operators, IDs, tasks, edges."""

from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec

from explorer.comparison.job_changes import JobChange, document_changes, job_changes
from explorer.comparison.matching import match_operators
from explorer.flink.compiler import Compilation
from explorer.lookup.identity import Identity, edge_identities, operator_identities
from explorer.model.document import Document
from explorer.model.operator_ids import is_unknown
from explorer.model.stream_graph import NodeId
from explorer.wording import counted, counted_change


class CompiledOperator(msgspec.Struct, frozen=True, kw_only=True):
    """An operator in one compilation."""

    node: int
    name: str
    id: str
    vertex: str
    """The name of its job vertex."""
    vertex_id: str
    parallelism: int
    chaining_strategy: str | None
    uid_hash: str | None
    identity: Identity


class OperatorChange(msgspec.Struct, frozen=True, kw_only=True):
    """One operator, before and after; None: one side does not have it."""

    identity: Identity
    before: CompiledOperator | None
    after: CompiledOperator | None

    @property
    def verdict(self) -> str:
        """``kept``, ``moved`` (its ID changed), ``lost``, ``new`` or ``unknown`` (an ID is)."""
        if self.before is None:
            return "new"
        if self.after is None:
            return "lost"
        if is_unknown(self.before.id) or is_unknown(self.after.id):
            return "unknown"
        return "kept" if self.before.id == self.after.id else "moved"

    @property
    def rescued(self) -> bool:
        """Whether the operator has another ID, and its uid hash finds the state all the same."""
        if self.before is None or self.after is None or self.verdict != "moved":
            return False
        return self.before.id == (self.after.uid_hash or "").lower()


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """All differences; operators in the order of the first compilation, then new ones."""

    operators: tuple[OperatorChange, ...]
    tasks: tuple[int, int]
    """Numbers of job vertices, before and after."""
    vertices: tuple[tuple[str, ...], tuple[str, ...]]
    """Names of the vertices that only one of the two has."""
    result_types: tuple[tuple[str, str, str], ...]
    """The ends of each edge between tasks, and its result types before and after."""
    changes: tuple[JobChange, ...] = ()
    """Other differences: settings, names, parallelism, exchanges."""

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        equal = all(
            c.before is not None
            and c.after is not None
            and msgspec.structs.replace(c.before, node=0, identity=c.identity)
            == msgspec.structs.replace(c.after, node=0, identity=c.identity)
            for c in self.operators
        )
        return (
            equal and not self.changes and not self.result_types and self.tasks[0] == self.tasks[1]
        )

    def __str__(self) -> str:
        return self.sentence()

    def sentence(self) -> str:
        """Return the change in a few words: ``3 tasks → 2, 2 IDs change``."""
        tasks = counted_change(*self.tasks, "task")
        result = sum(change.rescued for change in self.operators)
        rescued = f", {result:,} found by uid hashes" if result else ""
        if all(change.verdict == "kept" for change in self.operators):
            number = len(self.changes) + len(self.result_types)
            differ = f", {counted(number, 'difference')}" if number else ""
            return f"{tasks}, same operator IDs{differ}"
        verdicts = Counter(change.verdict for change in self.operators)
        unknown = f", {counted(verdicts['unknown'], 'ID')} unknown" if verdicts["unknown"] else ""
        return f"{tasks}, {_ids(verdicts['moved'])}{unknown}{rescued}"


def compare(
    previous: Compilation,
    following: Compilation,
    pairs: Mapping[NodeId, NodeId] | None = None,
    documents: tuple[Document, Document] | None = None,
) -> Comparison:
    """Compare two compilations of one program, or of two versions of it.

    ``pairs``: maps nodes of ``previous`` to nodes that are the same operators, where that is known.
    ``documents``: the compiled documents, to compare their names, options and releases too.
    """
    same_node_ids = match_operators(previous, following).pairs if pairs is None else pairs
    identities = operator_identities(previous.stream_graph)
    old = dict(_operators(previous, identities))
    new = dict(_operators(following, _identities_of_matches(identities, following, same_node_ids)))
    vertices = [
        Counter(v.name for v in compilation.job_graph.vertices)
        for compilation in (previous, following)
    ]
    return Comparison(
        operators=tuple(
            OperatorChange(identity=identity, before=old.get(identity), after=new.get(identity))
            for identity in {**old, **new}
        ),
        tasks=(len(previous.job_graph.vertices), len(following.job_graph.vertices)),
        vertices=(
            tuple((vertices[0] - vertices[1]).elements()),
            tuple((vertices[1] - vertices[0]).elements()),
        ),
        result_types=tuple(dict.fromkeys(_result_types(previous, following))),
        changes=(
            *(document_changes(*documents) if documents else ()),
            *job_changes(previous, following, same_node_ids),
        ),
    )


def _ids(moved: int) -> str:
    return "no ID changes" if not moved else f"{counted(moved, 'ID')} change{'s' * (moved == 1)}"


def effect_since(baseline: Compilation, compilation: Compilation, following: Compilation) -> str:
    """Describe the effect of a step from ``compilation`` to ``following`` on tasks and IDs.

    IDs are compared with the baseline's: ``2 tasks, restores both original IDs``.
    """
    moved, still = moved_ids(baseline, compilation), moved_ids(baseline, following)
    restored, fresh = len(moved - still), len(still - moved)
    tasks, tasks_after = (len(item.job_graph.vertices) for item in (compilation, following))
    parts = [counted_change(tasks, tasks_after, "task")]
    if 0 < restored < len(moved):
        parts.append(f"restores {restored:,} of {len(moved):,} original IDs")
    elif restored:
        ids = {1: "the original ID", 2: "both original IDs"}
        parts.append(f"restores {ids.get(restored, f'all {restored:,} original IDs')}")
    if fresh or not restored:
        parts.append(_ids(fresh))
    return ", ".join(parts)


def moved_ids(baseline: Compilation, compilation: Compilation) -> set[NodeId]:
    """Return the baseline's operators that have another ID now, which no uid hash replaces."""
    node_ids = set()
    for old, node in match_operators(baseline, compilation).pairs.items():
        previous, following = baseline.hashes[old], compilation.hashes[node]
        uid_hash = (compilation.stream_graph.by_id[node].uid_hash or "").lower()
        if (
            previous not in {following, uid_hash}
            and not is_unknown(previous)
            and not is_unknown(following)
        ):
            node_ids.add(old)
    return node_ids


def _identities_of_matches(
    identities: Mapping[NodeId, Identity], following: Compilation, pairs: Mapping[NodeId, NodeId]
) -> dict[NodeId, Identity]:
    """Map nodes of ``following`` to the identities of their matches, else to their own ones."""
    new_identities = operator_identities(following.stream_graph)
    same_pairs = {node_id: identities[old] for old, node_id in pairs.items()}
    matched = set(same_pairs.values())
    # One without a counterpart must not be confused with an operator of the same number.
    return {
        node: same_pairs.get(node) or (pair if pair not in matched else (f"new {node}", pair[1]))
        for node, pair in new_identities.items()
    }


def _operators(
    compilation: Compilation, pairs: Mapping[NodeId, Identity]
) -> Iterator[tuple[Identity, CompiledOperator]]:
    identities = operator_identities(compilation.stream_graph)
    for node in compilation.stream_graph.nodes:
        vertex = compilation.job_graph.task_of(node.id)
        yield (
            pairs[node.id],
            CompiledOperator(
                node=node.id,
                name=node.name,
                id=compilation.hashes[node.id],
                vertex=vertex.name,
                vertex_id=vertex.id,
                parallelism=node.parallelism,
                chaining_strategy=node.chaining_strategy,
                uid_hash=node.uid_hash,
                identity=identities[node.id],
            ),
        )


def _result_types(previous: Compilation, following: Compilation) -> Iterator[tuple[str, str, str]]:
    sides = []
    for compilation in (previous, following):
        pairs = edge_identities(compilation.stream_graph)
        sides.append(
            {pairs[edge.stream_edge]: edge.result_type for edge in compilation.job_graph.edges}
        )
    old, new = sides
    for identity, result_type in old.items():
        if identity in new and new[identity] != result_type:
            (((source, _), (target, _), *_), _) = identity
            yield f"{source} → {target}", result_type, new[identity]
