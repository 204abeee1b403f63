"""Features that identify an operator without a uid: class, function, types, name.

A feature is compared only where both programs know it. ``similarity`` weighs them; two operators
of different kinds are never alike.
"""

import re
from collections import Counter
from typing import Final, NamedTuple

from explorer.flink.compiler import Compilation
from explorer.flink.kinds import KINDS, Certainty
from explorer.flink.operator_state import operator_class
from explorer.model.operator_ids import is_same_id
from explorer.model.stream_graph import NodeId, OperatorFacts, StreamNode, bare_name

_NUMBERED: Final = re.compile(r"\[\d+\]$")
"""The suffix of an operator's name in SQL: the number of its plan node."""
_ANONYMOUS: Final = re.compile(r"(\$\$Lambda.*|\$\d+)$", re.DOTALL)
"""The suffix of the class of a lambda or an anonymous function."""
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
    function: str | None
    """The class of its function, where that has a name of its own."""
    enclosing: str | None
    """The class around a lambda or an anonymous function."""
    name: str
    rare_name: bool
    """Whether no other operator of the program has the name and it is none of Flink's defaults."""
    description: str | None
    types: tuple[tuple[str, ...], str | None]
    """The types of the inputs and of the output."""
    keys: tuple[str, ...]
    """The partitioners, with their keys, of keyed inputs."""
    uid: str | None

    @property
    def without_ids(self) -> tuple[object, ...]:
        """All but the ID and the uid, which are the first and the last one."""
        return self[1:-1]

    @property
    def own_function(self) -> str | None:
        """The function where its class is the program's, not Flink's."""
        named = self.function is not None and not self.function.startswith(_FLINK)
        return self.function if named else None


def operator_features(compilation: Compilation) -> dict[NodeId, Features]:
    """Return the features of every operator, in the graph's order."""
    names = Counter(_NUMBERED.sub("", node.name) for node in compilation.stream_graph.nodes)
    return {node.id: _features(compilation, node, names) for node in compilation.stream_graph.nodes}


def _features(compilation: Compilation, node: StreamNode, names: Counter[str]) -> Features:
    graph, held_state = compilation.stream_graph, compilation.registered_states[node.id]
    edges = [graph.edges[edge] for edge in graph.in_edges[node.id]]
    facts = node.operator or OperatorFacts()
    type = _transformation_type(compilation, node)
    enclosing = facts.function and _ANONYMOUS.sub("", facts.function)
    is_named = enclosing == facts.function
    name = _NUMBERED.sub("", node.name)
    return Features(
        id=compilation.hashes[node.id],
        role=f"operator of {len({edge.type_number for edge in edges})} inputs"
        if edges
        else "source",
        kind=type or operator_class(facts) or None,
        typed=type is not None,
        certainty=held_state.certainty,
        held=held_state.what,
        function=facts.function if is_named else None,
        enclosing=None if is_named else enclosing,
        name=name,
        rare_name=names[name] == 1 and bare_name(name) not in _DEFAULT_NAMES,
        description=node.description,
        types=(facts.input_types, facts.output_type),
        keys=tuple(
            f"{edge.type_number} {edge.partitioner} {edge.keys}"
            for edge in edges
            if edge.partitioner.startswith("HASH")
        ),
        uid=node.uid,
    )


def _transformation_type(compilation: Compilation, node: StreamNode) -> str | None:
    """Return the transformation's type, with the part of it that the operator is."""
    if compilation.pipeline is None or node.transformation is None:
        return None
    type = compilation.pipeline.transformation(node.transformation).type
    part = node.name.rpartition(": ")[2] if KINDS[type].commits else ""
    return " ".join(filter(None, (type, part, f"tagger {node.tags}" if node.tags else "")))


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
    """Score how alike two operators are, at least 1; None: they cannot be one operator."""
    if not same_kind(old, new):
        return None
    rare = old.rare_name and new.rare_name
    has_own_function = old.own_function is not None
    # Two operators of one kind of which nothing else is known score 3.
    total = 3 + sum(
        (
            _weigh(old.function, new.function, 6 if has_own_function else 2, 0),
            _weigh(old.enclosing, new.enclosing, 1, -1),
            _weigh(old.name, new.name, 6 if rare else 1, -2 if rare else 0),
            _weigh(old.description, new.description, 2, 0),
            _weigh(old.types[0] or None, new.types[0] or None, 2, -1),
            _weigh(old.types[1], new.types[1], 2, -1),
            1 if old.keys == new.keys else -1,
            _weigh(old.uid, new.uid, 6, -2),
        )
    )
    return total if total > 0 else None


def _weigh(old: object, new: object, equal: int, different: int) -> int:
    if old is None or new is None:
        return 0
    return equal if old == new else different
