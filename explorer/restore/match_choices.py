"""The operators of a restore that the user may match, each with the operators to choose from."""

from collections.abc import Mapping

import msgspec

from explorer.restore.restored import Restore, RestoredOperator


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


def match_choices(restore: Restore, matches: Mapping[str, str]) -> tuple[MatchChoice, ...]:
    """List the operators that are ambiguous, without a match, or matched by the user.

    ``matches``: the baseline's. The order is the baseline's.
    """
    new = [one for one in restore.operators if one.change == "new"]
    found = []
    for one in restore.operators:
        if one.operator_id is None:
            continue
        is_chosen = one.operator_id in matches and one.node is not None
        chosen = _option(one) if is_chosen else None
        candidates = {each.node for each in one.candidates}
        first = [_option(each, equally_good=True) for each in new if each.node in candidates]
        rest = [each for each in new if each.node not in candidates and each.state != "none"]
        options = (*([chosen] if chosen else ()), *first, *map(_option, rest))
        # A choice of the user's makes no ID known.
        unclear = one.unclear and one.outcome != "unknown"
        dropped = one.change == "lost" and one.state == "known"
        if chosen is not None or unclear or (dropped and options):
            found.append(MatchChoice(old=one, options=options, chosen=chosen))
    return tuple(found)


def _option(one: RestoredOperator, *, equally_good: bool = False) -> MatchOption:
    id = one.new_id or ""
    handle = one.transformation or id
    return MatchOption(name=one.name, operator_id=id, handle=handle, equally_good=equally_good)
