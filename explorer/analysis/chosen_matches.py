"""Matches that the user chooses: on the page, ``--match OLD=NEW``, ``matches={}``.

The baseline holds them, so that every place that reads the verdict applies them.

Either side is called by its operator ID, uid or uid hash, transformation id, or name.
"""

import contextlib
from collections import defaultdict
from collections.abc import Mapping
from typing import Final, TypeAlias

import msgspec

from explorer.analysis.baseline import Baseline, Deployed, compile_baseline, deployed_program
from explorer.errors import ExplorerError
from explorer.flink.compiler import Compilation
from explorer.model.stream_graph import NodeId, StreamNode
from explorer.wording import first_listed, quoted, suggestion

_SHOWN: Final = 8


class MatchError(ExplorerError):
    """A chosen match names no operator, several, or one twice."""


def chosen_matches(
    old: Deployed, new: Compilation, matches: Mapping[str, str]
) -> dict[str, NodeId]:
    """By operator ID of the old side, the new operator chosen by the user.

    Raises ``MatchError`` where a name stands for no operator or for several ones, and where an
    operator is matched twice.
    """
    if not matches:
        return {}
    lookup = _Lookup(old, new)
    found: dict[str, NodeId] = {}
    for name, now in matches.items():
        id, node = lookup.pair(name, now)
        if id in found or node in found.values():
            msg = f"--match {name}={now} matches an operator that another --match has already"
            raise MatchError(msg)
        found[id] = node
    return found


def with_matches(
    baseline: Baseline, new: Compilation, matches: Mapping[str, str]
) -> tuple[Baseline, Deployed]:
    """The baseline with these matches, and its compilation.

    Raises ``MatchError`` as ``chosen_matches`` does.
    """
    if matches:
        others = {name: now for name, now in baseline.matches.items() if name not in matches}
        baseline = msgspec.structs.replace(baseline, matches={**matches, **others})
    old = compile_baseline(baseline, new.release.version)
    chosen_matches(old, new, matches)
    return baseline, old


def check_baseline(baseline: Baseline | None, matches: Mapping[str, str]) -> None:
    """Raise ``MatchError`` for matches without a baseline."""
    if baseline is None and matches:
        name, now = next(iter(matches.items()))
        msg = f"--match {name}={now}: there is no baseline; give one with --baseline"
        raise MatchError(msg)


def check_program(matches: Mapping[str, str]) -> None:
    """Raise ``MatchError`` for matches where the new side is a savepoint, without a program."""
    if matches:
        name, now = next(iter(matches.items()))
        msg = (
            f"--match {name}={now}: the new side is a savepoint, and its operators are compared by "
            "their IDs; give the program that is started from it"
        )
        raise MatchError(msg)


def applied_matches(old: Deployed, new: Compilation) -> dict[str, NodeId]:
    """By operator ID, the baseline's own matches that still name one operator on either side.

    A match of an operator that the user has removed or renamed since is not applied.
    """
    if not old.matches:
        return {}
    lookup = _Lookup(old, new)
    found: dict[NodeId, str] = {}
    for name, now in old.matches.items():
        with contextlib.suppress(MatchError):
            id, node = lookup.pair(name, now)
            if id not in found.values():
                found.setdefault(node, id)
    return {id: node for node, id in found.items()}


class _Lookup:
    """The operators of both sides by each of their names."""

    def __init__(self, old: Deployed, new: Compilation) -> None:
        self.old, self.new = _old_names(old), _new_names(new)
        self.before = f"the operators of {old.name}"
        self.nodes = {id: node for node, id in new.hashes.items()}

    def pair(self, name: str, now: str) -> tuple[str, NodeId]:
        """The operator ID of the old side and the new node that are called so."""
        id = _called(name, self.old, self.before)
        return id, self.nodes[_called(now, self.new, "the operators of the new program")]


_Names: TypeAlias = Mapping[str, set[str]]
"""By each of their names, the IDs of operators."""


def _old_names(old: Deployed) -> _Names:
    names: defaultdict[str, set[str]] = defaultdict(set)
    for saved in old.savepoint.operators:
        _add(names, saved.operator_id, saved.name, saved.uid)
    for id, node in old.nodes.items():
        _add_node(names, id, old.program.stream_graph.by_id[node] if old.program else None)
    return names


def _new_names(new: Compilation) -> _Names:
    names: defaultdict[str, set[str]] = defaultdict(set)
    for node in new.stream_graph.nodes:
        _add_node(names, new.hashes[node.id], node)
    return names


def _add_node(names: defaultdict[str, set[str]], id: str, node: StreamNode | None) -> None:
    if node is not None:
        _add(names, id, node.name, node.uid, node.uid_hash, node.transformation)


def _add(names: defaultdict[str, set[str]], id: str, *called: str | None) -> None:
    for name in (id, *called):
        if name is not None:
            names[name].add(id)


def _called(name: str, names: _Names, where: str) -> str:
    """The ID of the one operator that is called so."""
    found = names.get(name) or names.get(name.lower(), set())
    if len(found) == 1:
        return next(iter(found))
    if found:
        ids = first_listed(sorted(found), _SHOWN)
        msg = f"--match: {quoted(name)} names {len(found)} of {where}; give its ID instead: {ids}"
    else:
        hint = suggestion(name, names.keys())
        msg = f"--match: {quoted(name)} is none of {where}{hint}; give an ID, a uid or a name"
    raise MatchError(msg)


def chosen_nodes(
    before: Compilation, after: Compilation, matches: Mapping[str, str]
) -> dict[NodeId, NodeId]:
    """By node of ``before``, the node of ``after`` chosen by the user, where both exist."""
    if not matches:
        return {}
    old = msgspec.structs.replace(deployed_program("the old program", before), matches=matches)
    return {old.nodes[id]: node for id, node in applied_matches(old, after).items()}
