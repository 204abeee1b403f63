"""The classes in the tasks of a release, and the order of their calls; a row is one behaviour.

Not part of ``releases``, since no graph depends on task internals.
"""

from functools import cache
from typing import Final, Literal

import msgspec

from explorer.flink.releases import Release, changed, in_force, since, switches_of, until


class TaskClasses(msgspec.Struct, frozen=True, kw_only=True):
    """The classes in the tasks of one release."""

    chain: str = changed(
        {"1.9": "OperatorChain", "1.14": "RegularOperatorChain"},
        "The class that holds a task's operators.",
        "FLINK-21080",
    )
    wrapper: str | None = changed(
        {"1.9": None, "1.11": "StreamOperatorWrapper"},
        "What holds an operator and knows its neighbours; none: an array holds the operators.",
        "FLINK-16383",
    )
    outputs_within: str = changed(
        {"1.9": "OperatorChain$", "1.12": ""},
        "The class in which the outputs of a chain are declared.",
    )
    counting: str = changed(
        {"1.9": "AbstractStreamOperator$CountingOutput", "1.11": "CountingOutput"},
        "The output that counts the records that an operator emits.",
    )
    counts_every_output: bool = until(
        "1.17",
        "Whether every operator's output is wrapped to count; after it a chained output counts.",
    )
    counts_writers: bool = changed(
        {"1.9": True, "1.15": False, "1.17": True},
        "Whether what a sink's writer emits is counted as other operators' records are.",
    )
    reads_two_inputs: str = changed(
        {"1.9": "StreamTwoInputProcessor", "1.14": "StreamMultipleInputProcessor"},
        "What reads the inputs of a task with two.",
    )
    one_input: str | None = changed(
        {"1.9": None, "1.10": "OneInputStreamTask$StreamTaskNetworkOutput"},
        "What calls a head with one input; none: what reads calls it itself.",
    )
    two_inputs: str | None = changed(
        {
            "1.9": None,
            "1.10": "StreamTwoInputProcessor$StreamTaskNetworkOutput",
            "1.12": "StreamTwoInputProcessorFactory$StreamTaskNetworkOutput",
        },
        "What calls a head with two inputs.",
    )
    many_inputs: str = changed(
        {
            "1.9": "",
            "1.11": "StreamMultipleInputProcessor$StreamTaskNetworkOutput",
            "1.12": "StreamMultipleInputProcessorFactory$StreamTaskNetworkOutput",
        },
        "What calls a head with any number of inputs.",
    )
    chained_sources_need_reuse: bool = changed(
        {"1.9": False, "1.12": True, "1.14": False},
        "Whether a task refuses to start where a source is chained and objects are not reused.",
        "FLINK-19316",
    )
    restores_one_by_one: bool = since(
        "1.10",
        "Whether an operator is opened as soon as its state is there, before the next one's is.",
    )
    ends: Literal["in turn", "each", "finished"] = changed(
        {"1.9": "in turn", "1.10": "each", "1.14": "finished"},
        "How operators end: all inputs end and then all close, each closes behind its own input's "
        "end, or each finishes there and closes when the task does.",
        "FLINK-22972",
    )
    status_by_operators: bool = since(
        "1.14",
        "Whether a watermark status goes from operator to operator; before, the chain writes it to "
        "its network outputs.",
        "FLINK-18934",
    )


TASK_SWITCHES: Final = switches_of(TaskClasses)
"""By field of ``TaskClasses``, every behaviour that differs, in the order of the record."""


@cache
def task_classes(release: Release) -> TaskClasses:
    """The classes of the tasks of ``release``."""
    return TaskClasses(**in_force(TASK_SWITCHES, release.version))
