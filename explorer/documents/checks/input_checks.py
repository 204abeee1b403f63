"""Checks of inputs: they exist, come first and are of the right kind.

Each rule is what the DataStream API makes impossible to write: a Java program cannot use a variable
that it declares later, cannot key a stream twice over, cannot read what a sink gives.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from explorer.documents.checks.faults import CheckContext, Fault
from explorer.flink.key_groups import MAX_PARALLELISM
from explorer.flink.kinds import FOREIGN_FEEDBACK, KINDS, runs_alone
from explorer.model.pipeline import Transformation
from explorer.wording import listed, quoted, suggestion

Check: TypeAlias = Callable[[Transformation, CheckContext], Fault | None]
_SHOWN: Final = 8
"""Number of transformations of a cycle that a message names."""


def check_inputs(
    transformation: Transformation, position: int, program: CheckContext
) -> Fault | None:
    """Require the type's number of inputs, each declared before, none of them a sink."""
    positions = program.positions
    for number, name in enumerate(transformation.inputs):
        at = positions.get(name)
        if at is None:
            return Fault(f"inputs[{number}]", _no_such(name, program))
        if at >= position:
            return Fault(f"inputs[{number}]", _too_late(name, position, program))
        kind = KINDS[program.transformations[at].type]
        if kind.ends:
            problem = f"{quoted(name)} is a {kind.type} and gives no stream"
            return Fault(f"inputs[{number}]", problem)
    minimum, maximum = KINDS[transformation.type].inputs
    values = len(transformation.inputs)
    if values >= minimum and (maximum is None or values <= maximum):
        return None
    expected = f"at least {minimum}" if maximum is None else f"{minimum}"
    noun = "input" if expected == "1" else "inputs"
    return Fault("inputs", f"a {transformation.type} takes {expected} {noun}, but has {values}")


def _no_such(name: str, program: CheckContext) -> str:
    hint = suggestion(name, program.positions)
    return f"there is no transformation {quoted(name)}{hint}"


def _too_late(name: str, position: int, program: CheckContext) -> str:
    """Distinguish a cycle from a declaration that only comes too late."""
    here = program.transformations[position].id
    if name == here:
        return f"{quoted(name)} reads itself, which makes a cycle; only an iterate may close one"
    route = _route(name, here, program)
    if not route:
        return f"{quoted(name)} is declared later; move it before {quoted(here)}"
    circle = " -> ".join(quoted(item) for item in [here, *route])
    return f"the inputs make a cycle: {circle}; only an iterate may close one"


def _route(start: str, goal: str, program: CheckContext) -> list[str]:
    """Return the IDs from ``goal``'s reader down to ``start``; none if no route exists."""
    came_from: dict[str, str] = {start: ""}
    stack = [start]
    while stack:
        name = stack.pop()
        for source in program.transformations[program.positions[name]].inputs:
            if source == goal:
                route = [name]
                while came_from[route[-1]]:
                    route.append(came_from[route[-1]])
                shown = route if len(route) <= _SHOWN else [*route[: _SHOWN // 2], "...", route[-1]]
                return [*shown, goal]
            if source in program.positions and source not in came_from:
                came_from[source] = name
                stack.append(source)
    return []


def _check_key_groups(transformation: Transformation, program: CheckContext) -> Fault | None:
    """No more subtasks than key groups: parallelism is at most the maximum parallelism."""
    kind, environment = KINDS[transformation.type], program.environment
    own = None if "max_parallelism" in kind.ignored else transformation.max_parallelism
    maximum = own or environment.max_parallelism or MAX_PARALLELISM
    # An operator with the parallelism of its input is checked where the input is.
    alone = runs_alone(transformation) or kind.input_parallelism
    parallelism = transformation.parallelism or (1 if alone else environment.parallelism)
    if parallelism <= maximum or maximum < 1:
        return None
    field = "max_parallelism" if own else "parallelism"
    problem = (
        f"the parallelism {parallelism} is above the maximum parallelism {maximum}; "
        "lower the one or raise the other"
    )
    return Fault(field, problem)


def _check_needs(transformation: Transformation, program: CheckContext) -> Fault | None:
    for field, example in KINDS[transformation.type].needs:
        if getattr(transformation, field) is None:
            return Fault(field, f"is missing; a {transformation.type} needs it, as in {example}")
    return None


def _check_keyed(transformation: Transformation, program: CheckContext) -> Fault | None:
    for number, name in enumerate(transformation.inputs):
        if not _gives_keys(transformation, number, program):
            problem = (
                f"a {transformation.type} reads a keyed stream; put a key_by after {quoted(name)}"
            )
            return Fault(f"inputs[{number}]", problem)
    return None


def _check_unkeyed(transformation: Transformation, program: CheckContext) -> Fault | None:
    """A keyed stream has a call of its own that does the same by key."""
    if not _gives_keys(transformation, 0, program):
        return None
    problem = f"a {transformation.type} reads no keyed stream; use keyed_{transformation.type}"
    return Fault("inputs[0]", problem)


def _check_cached(transformation: Transformation, program: CheckContext) -> Fault | None:
    source = program.input_of(transformation)
    if KINDS[source.type].node or source.tag is not None:
        return None
    problem = f"a {source.type} has no cache; read an operator or a side_output directly"
    return Fault("inputs[0]", problem)


def _check_not_keyed(transformation: Transformation, program: CheckContext) -> Fault | None:
    """A keyed stream cannot be repartitioned before an operator reads it; it may be keyed again."""
    kind = KINDS[transformation.type]
    sets = kind.hidden if kind.partitioner is None else ((0, kind.partitioner),)
    for number, partitioner in sets:
        if partitioner != "HASH" and _gives_keys(transformation, number, program):
            problem = "Cannot override partitioning for KeyedStream. Drop the key_by"
            return Fault(f"inputs[{number}]", problem)
    return None


def _gives_keys(transformation: Transformation, number: int, program: CheckContext) -> bool:
    return KINDS[program.input_of(transformation, number).type].keyed_stream


def _check_tag(transformation: Transformation, program: CheckContext) -> Fault | None:
    """The input of a side output is an operator that emits to its tag."""
    source = program.input_of(transformation)
    if source.tag is not None:
        problem = (
            f"{quoted(source.id)} is a side output already; a second tag finds no record there"
        )
        return Fault("inputs[0]", problem)
    if not KINDS[source.type].side_outputs:
        kinds = listed(sorted(kind.type for kind in KINDS.values() if kind.side_outputs), "or")
        return Fault("inputs[0]", f"a {source.type} has no side output; read a {kinds} directly")
    tags = emitted_tags(source)
    if tags is None or transformation.tag in tags:
        return None
    problem = (
        f"{quoted(source.id)} has no tag {quoted(transformation.tag)}; "
        f"its tags are {listed(map(quoted, tags))}"
    )
    return Fault("tag", problem)


def emitted_tags(source: Transformation) -> tuple[str, ...] | None:
    """Return the tags that an operator emits to; None if they are unknown."""
    if source.window is not None and source.window.late_output is not None:
        return (source.window.late_output,)
    return None if source.side_outputs is None else tuple(source.side_outputs)


def _check_feedback(transformation: Transformation, program: CheckContext) -> Fault | None:
    """A feedback stream comes out of the iteration that it closes."""
    name = transformation.iteration or ""
    at = program.positions.get(name)
    if at is None:
        return Fault("iteration", _no_such(name, program))
    kind = KINDS[program.transformations[at].type]
    if not kind.iterates:
        return Fault("iteration", f"must be an iterate, but {quoted(name)} is a {kind.type}")
    if name != transformation.inputs[0] and not _route(transformation.inputs[0], name, program):
        return Fault("inputs[0]", f"{FOREIGN_FEEDBACK} That is {quoted(name)}")
    return None


def check_links(transformation: Transformation, program: CheckContext) -> Fault | None:
    """Check what type and fields require of a transformation with sound inputs."""
    kind = KINDS[transformation.type]
    conditional_checks: tuple[tuple[bool, Check], ...] = (
        (kind.keyed or transformation.keyed, _check_keyed),
        (kind.partitioner is not None or kind.hidden != (), _check_not_keyed),
        (kind.unkeyed, _check_unkeyed),
        (kind.caches, _check_cached),
        (kind.needs != (), _check_needs),
        (transformation.tag is not None, _check_tag),
        (transformation.iteration is not None, _check_feedback),
        (kind.node, _check_key_groups),
    )
    for expected, check in conditional_checks:
        if expected and (fault := check(transformation, program)):
            return fault
    return None
