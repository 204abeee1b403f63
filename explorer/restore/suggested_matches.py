"""Matches to choose for state that no operator restores: each is tried before it is shown.

Where one new operator alone has the kind of a lost state, and its key and state types as far as
both sides declare them, the state may be its own. The match is a question to the user: IDs do not
answer it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from explorer.comparison.baseline import CompiledBaseline
from explorer.comparison.chosen_matches import MatchError, chosen_matches
from explorer.comparison.matching import Match
from explorer.comparison.operator_features import Features, operator_features, same_kind
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation, compile_program
from explorer.model.document import Document
from explorer.model.stream_graph import NodeId
from explorer.restore.bridge import Bridge, is_sql, pin_ids
from explorer.restore.restored import RestoredOperator, RestoreVerdict
from explorer.restore.verdict import restore

_MOST_TRIALS: Final = 24
"""Limit of pairs: each one compiles the program with its pins."""


class SuggestedMatch(msgspec.Struct, frozen=True, kw_only=True):
    """An operator of OLD and the one of NEW that may be it."""

    old: RestoredOperator
    new: RestoredOperator
    handle: str
    """The NEW of ``--match OLD=NEW``."""

    @property
    def argument(self) -> str:
        """The argument that chooses this match."""
        return f"--match {self.old.operator_id}={self.handle}"

    @property
    def sentence(self) -> str:
        """Why the two may be one operator, and how to say so."""
        return (
            f"{self.old.name!r} of OLD may be {self.new.name!r}, the only new operator of its kind "
            f"that nothing known rules out: {self.argument}"
        )


class SuggestedMatches(msgspec.Struct, frozen=True, kw_only=True):
    """All matches to choose, the pins that they lead to, and the verdict with both."""

    matches: tuple[SuggestedMatch, ...]
    bridge: Bridge
    then: RestoreVerdict

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready members."""
        return {
            "matches": [
                {"old": match.old.operator_id, "new": match.handle, "argument": match.argument}
                for match in self.matches
            ],
            "pins": [{"java": pin.java, "python": pin.python} for pin in self.bridge.pins],
            "sentence": self.then.sentence,
            "answer": self.then.answer,
        }


def suggest_matches(
    old: CompiledBaseline,
    document: Document,
    new: Compilation,
    verdict: RestoreVerdict,
    configuration: Mapping[str, object] | None = None,
) -> SuggestedMatches | None:
    """Find the matches that restore state which ``verdict`` loses; None: there are none.

    ``configuration``: options of the new cluster, as for ``verdict``.
    """
    return _MatchSearch(old, document, new, verdict, configuration).suggestion()


class _MatchSearch:
    """The lost operators of one verdict, and trials of what they may be."""

    def __init__(
        self,
        old: CompiledBaseline,
        document: Document,
        new: Compilation,
        verdict: RestoreVerdict,
        configuration: Mapping[str, object] | None,
    ) -> None:
        self.old, self.document, self.new = old, document, new
        self.verdict, self.configuration = verdict, configuration

    def suggestion(self) -> SuggestedMatches | None:
        """Return the matches of which neither side has a rival, judged together."""
        pairs = list(self._pairs())
        if is_sql(self.document) or not pairs or len(pairs) > _MOST_TRIALS:
            return None
        fitting = [match for match in pairs if self._fits(match)]
        of_old = Counter(match.old.operator_id for match in fitting)
        of_new = Counter(match.new.node for match in fitting)
        unrivalled = tuple(
            match
            for match in fitting
            if of_old[match.old.operator_id] == of_new[match.new.node] == 1
        )
        return self._judge(unrivalled) if unrivalled else None

    def _pairs(self) -> Iterator[SuggestedMatch]:
        """Pair each lost operator with the new ones of its kind that no old operator is."""
        lost = [
            restored_operator
            for restored_operator in self.verdict.lost
            if restored_operator.node is None and restored_operator.operator_id
        ]
        added = [item for item in self.verdict.operators if item.change == "new"]
        if not lost or not added:
            return
        old_features = operator_features(self.old.program) if self.old.program else {}
        new_features = operator_features(self.new)
        for saved in lost:
            candidates = {candidate.node for candidate in saved.candidates}
            node = self.old.nodes.get(saved.operator_id or "")
            features = None if node is None else old_features[node]
            for operator in added:
                is_candidate = not candidates or operator.node in candidates
                if is_candidate and _may_be(saved, features, operator, new_features):
                    yield SuggestedMatch(
                        old=saved, new=operator, handle=self._handle(saved, operator)
                    )

    def _handle(self, saved: RestoredOperator, operator: RestoredOperator) -> str:
        """The transformation's id where it names this operator alone, else the operator ID."""
        handle, id = operator.transformation, operator.new_id or ""
        if handle is None:
            return id
        try:
            chosen_matches(self.old, self.new, {saved.operator_id or "": handle})
        except MatchError:
            return id
        return handle

    def _fits(self, match: SuggestedMatch) -> bool:
        """Whether Flink gives the new operator the state, and refuses no type of it."""
        trial = self._judge((match,))
        operators = trial.then.operators if trial is not None else ()
        return any(
            operator.operator_id == match.old.operator_id
            and operator.outcome == "restored"
            and all(state.verdict in {"compatible", "unknown"} for state in operator.states)
            for operator in operators
        )

    def _judge(self, matches: tuple[SuggestedMatch, ...]) -> SuggestedMatches | None:
        """Judge the program with the pins of these matches; None: Flink refuses the program."""
        chosen = {
            match.old.operator_id or "": Match(grade="certain", node=match.new.node)
            for match in matches
        }
        try:
            bridge = pin_ids(self._restore(self.document, self.new, chosen), self.document)
            pinned = compile_program(bridge.document, self.new.release.version)
            then = self._restore(bridge.document, pinned, chosen)
        except ExplorerError:
            return None
        return SuggestedMatches(matches=matches, bridge=bridge, then=then)

    def _restore(
        self, document: Document, new: Compilation, chosen: Mapping[str, Match]
    ) -> RestoreVerdict:
        return restore(
            self.old,
            document,
            new,
            self.verdict.allow_non_restored,
            configuration=self.configuration,
            matched={**self.verdict.matches, **chosen},
            with_fixes=False,
        )


def _may_be(
    saved: RestoredOperator,
    features: Features | None,
    operator: RestoredOperator,
    new_features: Mapping[NodeId, Features],
) -> bool:
    """Whether a new operator is of the kind of a lost one; ``features``: None without OLD."""
    if operator.node is None or operator.state == "none":
        return False
    if features is not None:
        return same_kind(features, new_features[operator.node])
    return ("keyed" in saved.what) == ("keyed" in operator.what) or operator.state == "possible"
