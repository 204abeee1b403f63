"""The operators of a restore that the user may match, each with the operators to choose from."""

from collections.abc import Mapping

import msgspec

from explorer.restore.restored import RestoredOperator, RestoreVerdict


class MatchOption(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An operator of the new program that an old one may be."""

    name: str
    operator_id: str
    handle: str
    """The transformation's id, else the operator ID: the NEW of a match."""
    equally_good: bool
    """Whether the matching found it, and at least one other, to be as good."""


class MatchChoice(msgspec.Struct, frozen=True, kw_only=True):
    """An operator of the baseline that the user may match or has matched."""

    old: RestoredOperator
    options: tuple[MatchOption, ...]
    """Candidates first, then the other new operators that may have state."""
    chosen: MatchOption | None
    """None: the user has not matched it."""


def match_choices(restore: RestoreVerdict, matches: Mapping[str, str]) -> tuple[MatchChoice, ...]:
    """List the operators that are ambiguous, without a match, or matched by the user.

    ``matches``: the baseline's. The order is the baseline's.
    """
    new = [operator for operator in restore.operators if operator.change == "new"]
    choices = []
    for operator in restore.operators:
        if operator.operator_id is None:
            continue
        is_chosen = operator.operator_id in matches and operator.node is not None
        chosen = _option(operator) if is_chosen else None
        candidates = {candidate.node for candidate in operator.candidates}
        first = [_option(item, equally_good=True) for item in new if item.node in candidates]
        remaining_operators = [
            each for each in new if each.node not in candidates and each.state != "none"
        ]
        options = (*([chosen] if chosen else ()), *first, *map(_option, remaining_operators))
        # A choice of the user's makes no ID known.
        unclear = operator.unclear and operator.outcome != "unknown"
        dropped = operator.change == "lost" and operator.state == "known"
        if chosen is not None or unclear or (dropped and options):
            choices.append(MatchChoice(old=operator, options=options, chosen=chosen))
    return tuple(choices)


def _option(operator: RestoredOperator, *, equally_good: bool = False) -> MatchOption:
    id = operator.new_id or ""
    handle = operator.transformation or id
    return MatchOption(name=operator.name, operator_id=id, handle=handle, equally_good=equally_good)
