"""What identifies an operator in a program that gives it no uid: class, function, types, name.

A feature is compared only where both programs know it. ``similarity`` weighs them; two operators
of different kinds are never alike.
"""

import re
from collections import Counter
from typing import Final, NamedTuple

from explorer.flink.compiler import Compilation
from explorer.flink.kinds import KINDS, Certainty
from explorer.flink.operator_state import HeldState, operator_class
from explorer.model.operator_ids import is_same_id
from explorer.model.stream_graph import NodeId, OperatorFacts, StreamNode, bare_name

_NUMBERED: Final = re.compile(r"\[\d+\]$")
"""What SQL puts behind an operator's name: the number of its plan node."""
_ANONYMOUS: Final = re.compile(r"(\$\$Lambda.*|\$\d+)$", re.DOTALL)
"""How the class of a function ends that the program gives no name."""
_FLINK: Final = "org.apache.flink."
_DEFAULT_NAMES: Final = frozenset(
    name for kind in KINDS.values() for name in (kind.name, kind.keyed_name) if name is not None
)


class Features(NamedTuple):
    """One operator; None or empty: unknown."""

    id: str
    """Its operator ID, which counts where nothing is known of its kind."""
    role: str
    """``source``, or an operator with its number of inputs."""
    kind: str | None
    """The transformation's type with its part, or the operator's class."""
    typed: bool
    """Whether ``kind`` is a transformation's type."""
    certainty: Certainty
    held: str
    """Its state, in words."""
    function: str | None
    """The class of its function, where that has a name of its own."""
    enclosing: str | None
    """The class around a lambda or an anonymous function."""
    name: str
    rare_name: bool
    """Whether no other operator of the program has the name and it is none of Flink's defaults."""
    description: str | None
    types: tuple[tuple[str, ...], str | None]
    """Of the inputs and of the output."""
    keys: tuple[str, ...]
    """The partitioners, with their keys, of keyed inputs."""
    uid: str | None

    @property
    def own_function(self) -> str | None:
        """The function where its class is the program's, not Flink's."""
        named = self.function is not None and not self.function.startswith(_FLINK)
        return self.function if named else None


def operator_features(done: Compilation) -> dict[NodeId, Features]:
    """The features of every operator, in the graph's order."""
    graph = done.stream_graph
    held = done.held_states
    names = Counter(map(_name, graph.nodes))
    return {node.id: _features(done, node, held[node.id], names) for node in graph.nodes}


def _features(
    done: Compilation, node: StreamNode, held: HeldState, names: Counter[str]
) -> Features:
    facts = node.operator or OperatorFacts()
    function, enclosing = _function(facts)
    name = _name(node)
    kind = _type(done, node)
    return Features(
        id=done.hashes[node.id],
        role=_role(done, node),
        kind=kind or operator_class(facts) or None,
        typed=kind is not None,
        certainty=held.certainty,
        held=held.what,
        function=function,
        enclosing=enclosing,
        name=name,
        rare_name=names[name] == 1 and bare_name(name) not in _DEFAULT_NAMES,
        description=node.description,
        types=(facts.input_types, facts.output_type),
        keys=_keys(done, node),
        uid=node.uid,
    )


def _name(node: StreamNode) -> str:
    return _NUMBERED.sub("", node.name)


def _role(done: Compilation, node: StreamNode) -> str:
    graph = done.stream_graph
    edges = [graph.edges[edge] for edge in graph.in_edges[node.id]]
    if not edges:
        return "source"
    return f"operator of {len({edge.type_number for edge in edges})} inputs"


def _type(done: Compilation, node: StreamNode) -> str | None:
    """The transformation's type, and which of its operators this is."""
    if done.pipeline is None or node.transformation is None:
        return None
    type = done.pipeline.transformation(node.transformation).type
    part = node.name.rpartition(": ")[2] if KINDS[type].commits else ""
    return " ".join(filter(None, (type, part, f"tagger {node.tags}" if node.tags else "")))


def _function(facts: OperatorFacts) -> tuple[str | None, str | None]:
    """The function's class if it has a name, else the class around it."""
    if facts.function is None:
        return None, None
    enclosing = _ANONYMOUS.sub("", facts.function)
    return (facts.function, None) if enclosing == facts.function else (None, enclosing)


def _keys(done: Compilation, node: StreamNode) -> tuple[str, ...]:
    graph = done.stream_graph
    edges = (graph.edges[edge] for edge in graph.in_edges[node.id])
    return tuple(
        f"{edge.type_number} {edge.partitioner} {edge.keys}"
        for edge in edges
        if edge.partitioner.startswith("HASH")
    )


def same_kind(old: Features, new: Features) -> bool:
    """Whether one operator can be the other: same class, inputs, state and function."""
    if old.role != new.role or not same_state(old, new):
        return False
    if old.function is not None and new.function is not None and old.function != new.function:
        return False
    if old.kind is not None and new.kind is not None and old.typed == new.typed:
        return old.kind == new.kind
    return old.name == new.name or is_same_id(old.id, new.id)


def same_state(old: Features, new: Features) -> bool:
    """Whether both may have the same kind of state."""
    if "possible" in {old.certainty, new.certainty}:
        return True
    return old.certainty == new.certainty and old.held == new.held


def similarity(old: Features, new: Features) -> int | None:
    """How alike two operators are, at least 1; None: too little to be one operator."""
    if not same_kind(old, new):
        return None
    rare = old.rare_name and new.rare_name
    own = old.own_function is not None
    total = _BASE + sum(
        (
            _weighed(old.function, new.function, 6 if own else 2, 0),
            _weighed(old.enclosing, new.enclosing, 1, -1),
            _weighed(old.name, new.name, 6 if rare else 1, -2 if rare else 0),
            _weighed(old.description, new.description, 2, 0),
            _weighed(old.types[0] or None, new.types[0] or None, 2, -1),
            _weighed(old.types[1], new.types[1], 2, -1),
            1 if old.keys == new.keys else -1,
            _weighed(old.uid, new.uid, 6, -2),
        )
    )
    return total if total > 0 else None


_BASE: Final = 3
"""The score of two operators of one kind of which nothing else is known."""


def _weighed(old: object, new: object, equal: int, different: int) -> int:
    if old is None or new is None:
        return 0
    return equal if old == new else different
