"""Rules about settings without effect: option names, and fields without a setter."""

from collections.abc import Callable, Iterator
from typing import Final

from explorer.checks.check_case import CheckCase
from explorer.checks.rule import Found, note_rule, warning_rule
from explorer.flink.kinds import KINDS
from explorer.flink.option_advice import AdviceKind, OptionAdvice
from explorer.flink.option_values import OVERRIDES
from explorer.flink.passes.generation.options import OPTION_CALLED, ReadOption
from explorer.flink.releases import to_choose
from explorer.model.changes import Proposal, SetOption, Together, to_set
from explorer.model.pipeline import Environment, Transformation
from explorer.wording import counted, listed, quoted, step

SHOWN: Final = 6
"""Names that a message repeats."""


def _of_option(name: str, message: str, *proposals: Proposal) -> Found:
    path = f"environment.configuration.{step(name)}"
    return Found(message=message, about=(name,), path=path, proposals=proposals)


def _removal(name: str) -> Proposal:
    return Proposal(label=f"Remove {name}", change=SetOption(name=name, value=None))


def _propose_renaming(case: CheckCase, name: str, replacement: str) -> Proposal:
    value = case.environment.configuration[name]
    changes = (SetOption(name=name, value=None), SetOption(name=replacement, value=value))
    return Proposal(label=f"Write {replacement} instead", change=Together(changes=changes))


def _report_advice(*kinds: AdviceKind) -> Callable[[CheckCase], Iterator[Found]]:
    """A rule about the options on which the explorer has such advice."""

    def report(case: CheckCase) -> Iterator[Found]:
        for advice in case.option_advice:
            if advice.kind in kinds:
                yield _of_advice(case, advice)

    return report


def _of_advice(case: CheckCase, advice: OptionAdvice) -> Found:
    name, replacement, configuration = (
        advice.key,
        advice.replacement,
        case.environment.configuration,
    )
    if case.document.pipeline is None:
        path = f"options.{step(name)}"
        return Found(message=advice.sentence, about=(name,), path=path)
    proposals = []
    if replacement and replacement not in configuration:
        proposals.append(_propose_renaming(case, name, replacement))
    if advice.kind == "other release" or (replacement and not proposals):
        proposals.append(_removal(name))
    return _of_option(name, advice.sentence, *proposals)


def _read_known_options(case: CheckCase) -> Iterator[ReadOption]:
    """The options that are set and that the explorer knows, in the document's order."""
    for name in case.environment.configuration:
        if name in OPTION_CALLED:
            yield OPTION_CALLED[name]


def _find_overruled(case: CheckCase) -> Iterator[Found]:
    """Options for which the environment has a field with another value."""
    environment, plain = case.environment, Environment()
    for option in _read_known_options(case):
        fields = (
            ("environment", option.field, environment, plain),
            (
                "environment.checkpointing",
                option.checkpointing,
                environment.checkpointing,
                plain.checkpointing,
            ),
        )
        for place, field, record, untouched in fields if option.read(case.release) else ():
            if field and getattr(record, field) != getattr(untouched, field):
                yield _of_option(
                    option.name,
                    f"The option {quoted(option.name)} is given, and {place}.{field} is "
                    f"{getattr(record, field)}: what the program sets wins, and the option has no "
                    "effect.",
                    _removal(option.name),
                )


def _of_field(
    case: CheckCase, transformation: Transformation, field: str, message: str, off: str
) -> Found:
    """Build the finding of a field that a transformation sets; ``off``: the text to remove."""
    path = case.path_of(transformation.id, field)
    proposals = (to_set(transformation.id, field, None, f"Remove {off} from {transformation.id}"),)
    return Found(message=message, about=(transformation.id,), path=path, proposals=proposals)


def _ignored_fields(case: CheckCase) -> Iterator[Found]:
    for transformation in case.transformations:
        for field in KINDS[transformation.type].ignored:
            if getattr(transformation, field) is not None:
                message = (
                    f"{transformation.id} sets {field}, and a {transformation.type} has no setter "
                    "for it in Flink: it has no effect."
                )
                yield _of_field(case, transformation, field, message, field)


def _batch_exchange(case: CheckCase) -> Iterator[Found]:
    releases = to_choose(lambda release: release.streaming_resets_batch_exchange)
    for transformation in case.transformations if not case.compiled.settings.batch else ():
        if transformation.exchange_mode == "BATCH":
            message = (
                f"{transformation.id} sets a BATCH exchange, and the job is a streaming job: from "
                f"{releases} Flink makes it UNDEFINED."
            )
            yield _of_field(case, transformation, "exchange_mode", message, "BATCH")


def _dead_overrides(case: CheckCase) -> Iterator[Found]:
    overrides = str(case.environment.configuration.get(OVERRIDES, ""))
    pairs = [pair.partition(":") for pair in overrides.split(",") if pair.strip()]
    vertices = {vertex.id for vertex in case.compiled.job_graph.vertices}
    dead = [id.strip() for id, _, _ in pairs if id.strip() not in vertices]
    if not dead:
        return
    retained = ",".join("".join(pair) for pair in pairs if pair[0].strip() in vertices)
    change = SetOption(name=OVERRIDES, value=retained or None)
    yield _of_option(
        OVERRIDES,
        f"{counted(len(dead), 'override')} of parallelism "
        f"{'names' if len(dead) == 1 else 'name'} no task of this job ({listed(dead[:SHOWN])}): "
        "Flink ignores it without a message.",
        Proposal(label="Remove the overrides without effect", change=change),
    )


def _find_ignored_overrides(case: CheckCase) -> Iterator[Found]:
    if OVERRIDES in case.environment.configuration:
        yield _of_option(
            OVERRIDES,
            f"Flink {case.release.version} does not apply {quoted(OVERRIDES)} to a job that a "
            "client submits: the tasks run with the parallelism of the program (FLINK-38770).",
            _removal(OVERRIDES),
        )


OPTION_RULES: Final = (
    warning_rule(
        code="OP01",
        title="The release does not have an option that is set.",
        why="Flink reads the options that it knows and ignores all others without a message.",
        todo="Write the name that this release knows, or remove the option.",
        finds=_report_advice("other release"),
    ),
    warning_rule(
        code="OP02",
        title="An option looks misspelled.",
        why="Flink ignores a name that it does not know without a message.",
        todo="Write the name as Flink spells it.",
        finds=_report_advice("misspelled"),
    ),
    warning_rule(
        code="OP03",
        title="The program overrules an option.",
        why="Options are read first, and what the program sets on its environment is set after "
        "them. Who changes the option in the cluster's configuration changes nothing.",
        todo="Keep one of the two.",
        finds=_find_overruled,
        applies=lambda release: release.reads_options,
    ),
    note_rule(
        code="OP04",
        title="An option is set by its old name.",
        why="The release reads the old name where the new one is not given; a later one may not.",
        todo="Write the new name.",
        finds=_report_advice("deprecated"),
        applies=lambda release: release.reads_options,
    ),
    warning_rule(
        code="OP05",
        title="A field is set for which Flink has no setter.",
        why="The class that the call returns has no such method, so no Java program could have "
        "set it, and it has no effect.",
        todo="Remove it, or set it for the whole job.",
        finds=_ignored_fields,
    ),
    warning_rule(
        code="OP06",
        title="A BATCH exchange is set in a streaming job.",
        why="A blocking exchange would wait for the end of an unbounded stream, so Flink does "
        "not apply the mode.",
        todo="Remove the mode, or run the job in BATCH mode.",
        finds=_batch_exchange,
        applies=lambda release: release.streaming_resets_batch_exchange,
    ),
    warning_rule(
        code="OP07",
        title="A parallelism override names no task of the job.",
        why="The option contains the IDs of tasks, which are the operator IDs of their heads. "
        "After an edit that changes the ID, the override names no task; Flink reports nothing, and "
        "the task runs with the parallelism of the program.",
        todo="Write the current ID; with a uid on the head it does not change.",
        finds=_dead_overrides,
        applies=lambda release: release.parallelism_overrides,
    ),
    warning_rule(
        code="OP08",
        title="The release ignores parallelism overrides.",
        why="From 2.0 on a client submits a StreamGraph, and the dispatcher overrides the "
        "tasks of a JobGraph alone. Flink reports nothing.",
        todo="Set the parallelism in the program. With the adaptive scheduler the autoscaler of "
        "the Kubernetes operator rescales the running job over REST instead.",
        finds=_find_ignored_overrides,
        applies=lambda release: (
            release.parallelism_overrides and not release.applies_parallelism_overrides
        ),
    ),
    warning_rule(
        code="OP09",
        title="The value of an option is of another type.",
        why="Flink throws an IllegalArgumentException as soon as it reads the option: when the "
        "program starts, when the cluster does, or when the first task needs it.",
        todo="Write a value of the option's type.",
        finds=_report_advice("unreadable"),
        applies=lambda release: release.reads_options,
    ),
    note_rule(
        code="OP10",
        title="Flink has no such option.",
        why="Flink ignores a name that it does not know without a message. Plugins and the "
        "program's own code may read names of their own.",
        todo="Remove the option, unless something else reads it.",
        finds=_report_advice("unknown"),
    ),
)
"""Rules about options and fields."""
