"""The restore verdict: the outcome for every operator of the baseline, and Flink's message.

``savepoints.restoring`` mirrors Flink's checks of the job manager, ``restrictions`` the failures of
tasks; ``baseline_matches`` pairs the operators. Without a savepoint the one that the old program is
expected to leave is restored.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

import msgspec

from explorer.comparison.baseline import (
    Baseline,
    CompiledBaseline,
    Old,
    compile_baseline,
    complete_states,
    deployed_program,
    load_baseline,
    pin_release,
)
from explorer.comparison.baseline_matches import match_deployed
from explorer.comparison.chosen_matches import with_matches
from explorer.comparison.job_changes import JobChange, document_changes, job_changes
from explorer.comparison.matching import NOT_MATCHED, Match
from explorer.documents import Program, as_document
from explorer.flink.compiler import Compilation, compile_program
from explorer.flink.key_groups import MAX_PARALLELISM, moved_key_groups
from explorer.flink.operator_state import HeldState
from explorer.model.document import Document
from explorer.model.operator_ids import is_unknown
from explorer.model.stream_graph import NodeId
from explorer.restore.coverage import coverage
from explorer.restore.declared_states import declares_work, judge_documents
from explorer.restore.key_group_fixes import with_key_group_fixes
from explorer.restore.restore_case import RestoreCase
from explorer.restore.restored import (
    WRONG_OPERATOR,
    Candidate,
    Change,
    RestoredOperator,
    RestoreVerdict,
    UserCode,
    dropped_operators,
    first_incompatible,
)
from explorer.restore.restored_patterns import pattern_change
from explorer.restore.restored_windows import window_change
from explorer.restore.restrictions import restrictions
from explorer.restore.serializer_verdicts import judge_serializers
from explorer.restore.state_backends import reading_backend
from explorer.savepoints import (
    FlinkVerdict,
    OperatorState,
    Outcome,
    Savepoint,
    StateOutcome,
    flink_verdict,
)

__all__ = [
    "RestoreVerdict",
    "RestoredOperator",
    "check_restore",
    "restore",
]


def check_restore(
    old: Old,
    new: Program,
    *,
    flink_version: str | None = None,
    old_flink_version: str | None = None,
    configuration: Mapping[str, object] | None = None,
    allow_non_restored: bool = False,
    matches: Mapping[str, str] | None = None,
) -> RestoreVerdict:
    """Check whether the new program restores, as its Flink release decides.

    Args:
        old: A savepoint, its path or its bytes; or an older document, of which a savepoint is
            expected.
        new: The new program.
        flink_version: Its release; default: the one that it names.
        old_flink_version: The release of an old document; default: the one that it names, else
            the new program's.
        configuration: Options of the new cluster, such as the state backend, that win over the
            new program's own.
        allow_non_restored: As ``--allowNonRestoredState``.
        matches: Maps operators of the old side to the new operators chosen by the caller; each is
            an ID, a uid, a name or the id of a transformation.

    Raises ``ExplorerError`` where either cannot be read, where a match names no operator, or where
    Flink refuses the program itself.
    """
    baseline, document = load_baseline(old), as_document(new)
    if old_flink_version is not None:
        baseline = pin_release(baseline, old_flink_version, replace=True)
    return restore(
        baseline,
        document,
        compile_program(document, flink_version or document.flink),
        allow_non_restored,
        configuration=configuration,
        matches=matches,
    )


def restore(
    old: Baseline | CompiledBaseline,
    document: Document,
    new: Compilation,
    allow_non_restored: bool = False,  # noqa: FBT001, FBT002 - a name that Flink's users know
    *,
    configuration: Mapping[str, object] | None = None,
    matches: Mapping[str, str] | None = None,
    matched: Mapping[str, Match] | None = None,
    with_fixes: bool = True,
) -> RestoreVerdict:
    """Judge the start of ``new``, compiled from ``document``, from the baseline.

    Args:
        old: The baseline; one that is not compiled yet gets the release of ``new`` where it names
            none.
        document, new: The new program and its compilation.
        allow_non_restored: As ``--allowNonRestoredState``.
        configuration: Options of the new cluster that win over the new program's own.
        matches: Maps operators of the baseline to new operators chosen by the user, in addition to
            its own matches; see ``chosen_matches``.
        matched: The ``matches`` of an earlier verdict on the same operators, which are then not
            matched anew.
        with_fixes: Try changes of the program for keyed state that is lost or fails; each is
            compiled and judged again.

    Raises ``ExplorerError`` where the baseline does not compile or a match names no operator.
    """
    if isinstance(old, Baseline):
        old = compile_baseline(old, new.release.version)
    if matches:
        old = with_matches(old, new, matches)
    if matched is None:
        matched = match_deployed(old, document, new)
    old = complete_states(old, matched, new.held_states)
    judge = partial(
        _judge,
        old,
        allow_non_restored=allow_non_restored,
        configuration=configuration or {},
        matches=matched,
    )
    verdict = judge(document, new)
    if not with_fixes:
        return verdict
    return with_key_group_fixes(
        verdict,
        document,
        new,
        lambda changed: judge(changed, compile_program(changed, new.release.version, previous=new)),
    )


def lost_by_key_groups(before: Compilation, document: Document, after: Compilation) -> str:
    """Describe the keyed state that a change of a program loses in a restore; empty: none.

    ``after``: the compilation of the changed ``document``. Chained anew, operators of several tasks
    bring different records of the maximum parallelism.
    """
    tasks = (*before.execution_graph.vertices, *after.execution_graph.vertices)
    if len({task.max_parallelism for task in tasks}) == 1:
        return ""
    verdict = restore(deployed_program("before", before), document, after, with_fixes=False)
    return "; ".join(
        f"a restore then loses keys: the state of {operator.name!r} {operator.fate}"
        for operator in verdict.endangered_keys
    )


def _judge(
    old: CompiledBaseline,
    document: Document,
    new: Compilation,
    *,
    allow_non_restored: bool,
    configuration: Mapping[str, object],
    matches: Mapping[str, Match],
) -> RestoreVerdict:
    """Compute the verdict without fixes."""
    options = {**document.options, **configuration}
    backend = reading_backend(options, old.savepoint)
    sure, possible = (
        flink_verdict(savepoint, new, allow_non_restored=allow_non_restored, backend=backend)
        for savepoint in (old.savepoint, old.possible_savepoint)
    )
    unchanged = _is_unchanged(old, document, new, options)
    restored = _Operators(old, new, (sure, possible), matches, unchanged=unchanged)
    operators = (*restored.saved(), *restored.added())
    refused = first_incompatible(operators) if sure.error is None else None
    dropped = None
    if sure.error and flink_verdict(old.savepoint, new, allow_non_restored=True).error is None:
        dropped = tuple(operator.name for operator in dropped_operators(operators))
    release = f"Flink {new.release.version} reads metadata version {old.savepoint.version}"
    return RestoreVerdict(
        old=old.name,
        flink_version=new.release.version,
        allow_non_restored=allow_non_restored,
        error=refused.sentence if refused else sure.error,
        exception=refused.exception if refused else sure.exception,
        if_possible=possible.error if sure.error is None else None,
        dropped_if_allowed=dropped,
        operators=operators,
        coverage=coverage(operators, release),
        restrictions=restrictions(
            RestoreCase(
                old=old,
                document=document,
                new=new,
                operators=operators,
                options=options,
                verdict=sure,
                unchanged=unchanged,
            )
        ),
        unchanged=unchanged,
        changes=_changes(old, document, new, matches),
        releases=(old.releases[0] if len(old.releases) == 1 else None, new.release.version),
        old_releases=old.releases,
    )


def _is_unchanged(
    old: CompiledBaseline, document: Document, new: Compilation, options: Mapping[str, object]
) -> bool:
    """Whether program, release and options are identical, so that nothing of a restore differs.

    Equal graphs of two programs can have other functions: the digest of captured files is part of
    a document. A savepoint need not be of the program that is named with it.
    """
    if old.real or old.program is None or old.document is None:
        return False
    release = new.release.version
    old_program, new_program = (
        program.with_baseline(None).under(release) for program in (old.document, document)
    )
    old_version = old.version or old.program.release.version
    is_same_version = old_version == (new.version or release)
    return old_program == new_program and is_same_version and dict(old.options) == dict(options)


def _changes(
    old: CompiledBaseline, document: Document, new: Compilation, matches: Mapping[str, Match]
) -> tuple[JobChange, ...]:
    """Return all differences except IDs; empty where a savepoint alone is known."""
    if old.program is None or old.document is None:
        return ()
    return (
        *document_changes(old.document, document),
        *job_changes(old.program, new, old.matched_nodes(matches)),
    )


_GONE: Final = RestoredOperator(change="lost", name="", state="none", what="", outcome="lost")
"""The new side of an operator that the new program does not have."""


_TAKEN: Final = frozenset({"restored", "keys_lost", "fails", "refused"})
"""The outcomes of state that an operator of the new program asks for."""


class _Operators:
    """The operators of one restore."""

    def __init__(
        self,
        old: CompiledBaseline,
        new: Compilation,
        verdicts: tuple[FlinkVerdict, FlinkVerdict],
        matches: Mapping[str, Match],
        *,
        unchanged: bool,
    ) -> None:
        self.old, self.new, self.matches, self.unchanged = old, new, matches, unchanged
        self.sure, self.most = (
            {outcome.operator_id: outcome for outcome in verdict.operators} for verdict in verdicts
        )
        self.asking = _asking(new, old.savepoint)
        takers = {id: outcome.node for id, outcome in self.most.items() if outcome.node is not None}
        # A savepoint has no verdicts of documents.
        self.states = {**judge_serializers(old, new, takers), **judge_documents(old, new, takers)}

    def saved(self) -> Iterator[RestoredOperator]:
        """Yield the savepoint's operators, in the order of the old program if there is one."""
        program = self.old.program
        nodes = program.stream_graph.nodes if program else ()
        order = {program.hashes[node.id]: at for at, node in enumerate(nodes)} if program else {}
        operators = sorted(
            self.old.savepoint.operators, key=lambda state: order.get(state.operator_id, len(order))
        )
        return map(self._saved_operator, operators)

    def _saved_operator(self, saved: OperatorState) -> RestoredOperator:
        id = saved.operator_id
        match, held_state = self.matches.get(id, NOT_MATCHED), self.old.held[id]
        new_operator = _GONE if match.node is None else self._new(match.node)
        reported = (self.most if held_state.certainty == "possible" else self.sure)[id]
        wrong = self._wrong_taker(reported, match)
        maximum = (
            new_operator.max_parallelism[1] if reported.node is None else reported.max_parallelism
        )
        misdirected = wrong is not None and reported.outcome in _TAKEN
        windows = window_change(self.old, id, self.new, reported.node, saved.state_names)
        pattern = pattern_change(self.old, saved, self.new, reported.node)
        are_lost = windows is not None and windows.outcome == "lost"
        fails = pattern is not None and pattern.outcome == "fails"
        outcome = reported.outcome
        if outcome == "restored" and (are_lost or fails):
            outcome = "keys_lost" if are_lost else "fails"
        return msgspec.structs.replace(
            new_operator,
            change=_change(id, match, new_operator, reported.outcome),
            match=match.grade,
            candidates=tuple(map(self._candidate, match.candidates)),
            name=new_operator.name or saved.name or id,
            operator_id=id,
            state=held_state.certainty,
            what=held_state.what,
            state_bytes=saved.state_bytes if self.old.real else None,
            state_names=saved.state_names,
            outcome=WRONG_OPERATOR if misdirected else outcome,
            windows=windows,
            pattern=pattern,
            found_by=reported.found_by,
            taken_by=None if wrong is None else self.new.stream_graph.by_id[wrong].name,
            taker=reported.node,
            wrong_taker=wrong,
            parallelism=(saved.parallelism, new_operator.parallelism[1]),
            max_parallelism=(saved.max_parallelism, maximum),
            surviving_share=0.0 if are_lost else reported.surviving_share,
            derived=(self._was_derived(id), new_operator.derived[1]),
            moved_key_groups=_count_moved_key_groups(held_state, saved, new_operator.parallelism[1])
            if reported.outcome not in {"keys_lost", "fails"}
            else None,
            states=self.states.get(id, ()),
            user_code=self._judge_code(reported.node),
        )

    def _judge_code(self, node: NodeId | None) -> UserCode:
        if self.unchanged:
            return "unchanged"
        return "none" if self._is_declared(node) else "not rehearsed"

    def _is_declared(self, node: NodeId | None) -> bool:
        taker = self.new.stream_graph.by_id.get(node) if node is not None else None
        pipeline = self.new.pipeline
        if taker is None or taker.transformation is None or pipeline is None:
            return False
        return declares_work(pipeline.transformation(taker.transformation))

    def _wrong_taker(self, reported: StateOutcome, match: Match) -> NodeId | None:
        """Return an operator that asks for the state and certainly is another one.

        Flink gives state to the first operator that asks for it, in no promised order.
        """
        asking = (reported.node, *self.asking.get(reported.operator_id, ()))
        matched_nodes = {None, match.node, *match.candidates}
        return next((node for node in asking if node not in matched_nodes), None)

    def _candidate(self, id: NodeId) -> Candidate:
        node, operator_id = self.new.stream_graph.by_id[id], self.new.hashes[id]
        handle = node.transformation or operator_id
        return Candidate(node=id, name=node.name, operator_id=operator_id, handle=handle)

    def _was_derived(self, id: str) -> bool | None:
        program, node = self.old.program, self.old.nodes.get(id)
        if program is None or node is None:
            return None
        return program.execution_vertex(node).max_parallelism_derived

    def added(self) -> Iterator[RestoredOperator]:
        """Yield the new program's operators without a counterpart in the baseline."""
        matched_nodes = {match.node for match in self.matches.values()}
        return (
            self._new(node.id)
            for node in self.new.stream_graph.nodes
            if node.id not in matched_nodes
        )

    def _new(self, id: NodeId) -> RestoredOperator:
        """Return an operator of the new program as if the baseline did not have it."""
        node, held_state = self.new.stream_graph.by_id[id], self.new.held_states[id]
        vertex = self.new.execution_vertex(id)
        return RestoredOperator(
            change="new",
            name=node.name,
            new_id=self.new.hashes[id],
            uid_hash=node.uid_hash,
            node=id,
            transformation=node.transformation,
            state=held_state.certainty,
            what=held_state.what,
            outcome="empty",
            parallelism=(None, vertex.parallelism),
            max_parallelism=(None, vertex.max_parallelism),
            derived=(None, vertex.max_parallelism_derived),
        )


def _change(id: str, match: Match, new_operator: RestoredOperator, outcome: Outcome) -> Change:
    if match.node is None:
        unclear = match.candidates or (outcome == "unknown" and not is_unknown(id))
        return "unclear" if unclear else "lost"
    if is_unknown(id) or is_unknown(new_operator.new_id):
        return "unknown"
    return "kept" if new_operator.new_id == id else "moved"


def _asking(new: Compilation, saved: Savepoint) -> dict[str, list[NodeId]]:
    """Map operator IDs of the savepoint to the new operators that ask for their state.

    Mirrors ``StateAssignmentOperation``: each asks for its uid hash where the savepoint has it,
    else for its generated ID.
    """
    ids = {state.operator_id for state in saved.operators}
    askers: dict[str, list[NodeId]] = {}
    for node in new.stream_graph.nodes:
        uid_hash = (node.uid_hash or "").lower()
        id = uid_hash if uid_hash in ids else new.hashes[node.id]
        if not is_unknown(id):
            askers.setdefault(id, []).append(node.id)
    return askers


def _count_moved_key_groups(
    held_state: HeldState, saved: OperatorState, parallelism: int | None
) -> int | None:
    """Count reassigned key groups; the savepoint's maximum replaces one that is not set."""
    if (
        "keyed" not in held_state.what
        or parallelism is None
        or not 0 < parallelism <= saved.max_parallelism
    ):
        return None
    if not 0 < saved.parallelism <= saved.max_parallelism <= MAX_PARALLELISM:
        return None
    return moved_key_groups(saved.max_parallelism, saved.parallelism, parallelism)
