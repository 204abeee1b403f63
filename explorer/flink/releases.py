"""What differs between Flink releases: a row a behaviour, and since which release it holds.

Nothing else in the explorer compares versions: a pass asks its ``Release`` for a switch's value.
"""

from functools import cache
from typing import Final

import msgspec

from explorer.errors import ExplorerError, did_you_mean
from explorer.flink.release import Release

VERSIONS: Final = (
    "1.9",
    "1.10",
    "1.11",
    "1.12",
    "1.13",
    "1.14",
    "1.15",
    "1.16",
    "1.17",
    "1.18",
    "1.19",
    "1.20",
    "2.0",
    "2.1",
    "2.2",
    "2.3",
)
"""Every supported release, oldest first."""

LATEST: Final = VERSIONS[-1]


class UnknownReleaseError(ExplorerError):
    """A Flink release that the explorer does not know."""

    def __init__(self, version: str) -> None:
        self.version = version
        hint = did_you_mean(version, VERSIONS)
        super().__init__(
            f"no Flink release {version!r}; supported are {VERSIONS[0]} to {VERSIONS[-1]}{hint}"
        )


class Switch(msgspec.Struct, frozen=True):
    """One behaviour that some release changed."""

    name: str
    about: str
    """What it decides, in one sentence."""
    values: dict[str, object]
    """By the release from which on it holds; the first key is the oldest release."""
    issue: str | None = None
    """The Flink issue that changed it, where known."""

    def value(self, version: str) -> object:
        """The value in force in ``version``."""
        reached = VERSIONS[: VERSIONS.index(version) + 1]
        return next(self.values[old] for old in reversed(reached) if old in self.values)


SWITCHES: Final = (
    Switch(
        "default_buffer_timeout",
        "The buffer timeout, in ms, of an operator for which the program sets none.",
        {"1.9": 100, "1.10": -1, "1.13": 100},
        "FLINK-15145",
    ),
    Switch(
        "streaming_job_type",
        "What the JobGraph of a streaming program says of its type or schedule mode.",
        {"1.9": "EAGER", "1.13": "STREAMING"},
        "FLINK-16430",
    ),
    Switch(
        "batch_job_type",
        "What the JobGraph of a batch program says of its type or schedule mode.",
        {"1.9": "LAZY_FROM_SOURCES_WITH_BATCH_SLOT_REQUEST", "1.13": "BATCH"},
        "FLINK-16430",
    ),
    Switch(
        "flip27_sources",
        "Whether fromSource takes a FLIP-27 source.",
        {"1.9": False, "1.12": True},
        "FLINK-15101",
    ),
    Switch(
        "multiple_input",
        "Whether an operator may have any number of inputs.",
        {"1.9": False, "1.12": True},
        "FLINK-15688",
    ),
    Switch(
        "timestamps",
        "Whether assignTimestampsAndWatermarks takes a WatermarkStrategy.",
        {"1.9": False, "1.11": True},
        "FLINK-17653",
    ),
    Switch(
        "sink_v2", "Whether sinkTo takes a Sink V2.", {"1.9": False, "1.15": True}, "FLINK-25555"
    ),
    Switch(
        "iterations",
        "Whether the DataStream API has iterate and closeWith.",
        {"1.9": True, "2.0": False},
        "FLINK-36336",
    ),
    Switch(
        "batch_mode",
        "Whether the DataStream API has the BATCH runtime mode.",
        {"1.9": False, "1.12": True},
        "FLINK-19316",
    ),
    Switch(
        "reads_options",
        "Whether the environment takes its settings from configuration options.",
        {"1.9": False, "1.10": True},
    ),
    Switch(
        "buffer_timeout_switch",
        "Whether an option turns the buffer timeout off: none does, one that gives way to the "
        "environment's own timeout, or one that always holds.",
        {"1.9": "none", "1.16": "default", "1.19": "always"},
    ),
    Switch(
        "interval_join_needs_event_time_setting",
        "Whether an interval join is refused unless the environment is set to event time.",
        {"1.9": True, "1.12": False},
        "FLINK-19317",
    ),
    Switch(
        "reduce_strategy",
        "The chaining strategy of a keyed reduce.",
        {"1.9": "HEAD", "1.12": "ALWAYS"},
    ),
    Switch(
        "async_strategy",
        "The chaining strategy of the asynchronous wait operator.",
        {"1.9": "HEAD", "1.11": "ALWAYS"},
        "FLINK-16219",
    ),
    Switch(
        "two_input_strategy",
        "The chaining strategy of operators with two inputs.",
        {"1.9": "HEAD", "2.0": "ALWAYS"},
    ),
    Switch(
        "broadcast_connect_hears_strategy",
        "Whether the chaining strategy given to a broadcast connect reaches its operator.",
        {"1.9": True, "1.12": False},
    ),
    Switch(
        "broadcast_connect_hides_inputs",
        "Whether a broadcast connect names only what it reads directly as its predecessors.",
        {"1.9": False, "1.12": True},
    ),
    Switch(
        "selectable_task",
        "Whether an operator with two inputs that selects among them runs in a task of its own.",
        {"1.9": True, "1.10": False},
    ),
    Switch(
        "async_yields",
        "Whether the asynchronous wait operator yields to its mailbox.",
        {"1.9": False, "1.10": True},
        "FLINK-13248",
    ),
    Switch(
        "yielding_rule",
        "Whether a yielding operator may not share a task with a legacy source.",
        {"1.9": False, "1.11": True},
        "FLINK-16219",
    ),
    Switch(
        "yielding_reported",
        "Whether a StreamNode's factory still shows that it yields.",
        {"1.9": True, "2.0": False},
    ),
    Switch(
        "chained_sources",
        "Whether a FLIP-27 source may run inside the task of a multiple-input operator.",
        {"1.9": False, "1.12": True},
        "FLINK-19434",
    ),
    Switch(
        "max_parallelism_rule",
        "Whether an option forbids chaining operators of different maximum parallelism.",
        {"1.9": False, "1.18": True},
        "FLINK-31996",
    ),
    Switch(
        "hash_sees_exchange_mode",
        "Whether the hasher, too, takes an edge with a BATCH exchange as not chained.",
        {"1.9": False, "1.11": True},
        "FLINK-16219",
    ),
    Switch(
        "sources_sorted",
        "Whether chains start in the order of node ids; before, in that of a Java HashSet.",
        {"1.9": False, "1.12": True},
        "FLINK-20446",
    ),
    Switch(
        "first_chain_index",
        "The chain index of a head; 0 is then a chained source's.",
        {"1.9": 0, "1.12": 1},
        "FLINK-19434",
    ),
    Switch(
        "all_chained_sources_in_names",
        "Whether a head's name lists the chained sources of the whole job, not its own only.",
        {"1.9": True, "1.16": False},
        "FLINK-32680",
    ),
    Switch(
        "descriptions",
        "Whether operators and vertices have a description besides their name.",
        {"1.9": False, "1.15": True},
        "FLINK-25072",
    ),
    Switch(
        "short_window_names",
        "Whether a window operator is named after its assigner alone.",
        {"1.9": False, "1.15": True},
        "FLINK-25072",
    ),
    Switch(
        "vertex_index_prefix",
        "Whether an option puts the vertex's position before its name.",
        {"1.9": False, "1.15": True},
        "FLINK-25072",
    ),
    Switch(
        "streaming_resets_batch_exchange",
        "Whether a BATCH exchange asked for in STREAMING mode becomes UNDEFINED.",
        {"1.9": False, "1.15": True},
        "FLINK-25995",
    ),
    Switch(
        "checks_buffer_timeout",
        "Whether a blocking exchange refuses a buffer timeout.",
        {"1.9": False, "1.10": True},
        "FLINK-15145",
    ),
    Switch(
        "timeout_refusal",
        "The words in which a blocking exchange refuses a buffer timeout.",
        {
            "1.9": "Blocking partition does not support buffer timeout {timeout} for src operator "
            "in edge {edge}. \nPlease either reset buffer timeout as -1 or use the non-blocking "
            "partition.",
            "1.13": "Blocking partition does not support buffer timeout {timeout} for src operator "
            "in edge {edge}. \nPlease either disable buffer timeout (via -1) or use the "
            "non-blocking partition.",
            "1.16": "only canBePipelinedConsumed partition support buffer timeout {timeout} for "
            "src operator in edge {edge}. \nPlease either disable buffer timeout (via -1) or use "
            "the canBePipelinedConsumed partition.",
        },
    ),
    Switch(
        "edge_text",
        "What a StreamEdge prints of itself after its ends and its type number.",
        {
            "1.9": "selectedNames={selected}, outputPartitioner={partitioner}, "
            "bufferTimeout={timeout}, outputTag={tag}",
            "1.12": "outputPartitioner={partitioner}, bufferTimeout={timeout}, outputTag={tag}",
            "1.13": "outputPartitioner={partitioner}, bufferTimeout={timeout}, outputTag={tag}, "
            "uniqueId={unique}",
            "1.14": "outputPartitioner={partitioner}, exchangeMode={mode}, "
            "bufferTimeout={timeout}, outputTag={tag}, uniqueId={unique}",
        },
    ),
    Switch(
        "batch_exchange",
        "Which result type a BATCH program's edges get when none is asked for.",
        {
            "1.9": "ALL_EDGES_PIPELINED",
            "1.12": "FORWARD_EDGES_PIPELINED",
            "1.14": "ALL_EDGES_BLOCKING",
        },
        "FLINK-23402",
    ),
    Switch(
        "batch_shuffle_option",
        "The values that execution.batch-shuffle-mode takes.",
        {
            "1.9": (),
            "1.14": ("ALL_EXCHANGES_BLOCKING", "ALL_EXCHANGES_PIPELINED"),
            "1.16": (
                "ALL_EXCHANGES_BLOCKING",
                "ALL_EXCHANGES_PIPELINED",
                "ALL_EXCHANGES_HYBRID_FULL",
                "ALL_EXCHANGES_HYBRID_SELECTIVE",
            ),
        },
        "FLINK-27862",
    ),
    Switch(
        "batch_slot_groups_by_region",
        "Whether a BATCH program gets a slot sharing group for each pipelined region.",
        {"1.9": False, "1.14": True},
        "FLINK-20865",
    ),
    Switch(
        "shared_data_sets",
        "Whether edges that ask for the same blocking result read one data set.",
        {"1.9": False, "1.16": True},
        "FLINK-28380",
    ),
    Switch(
        "hybrid_results_shared",
        "Whether edges share a hybrid result, too; it, and one that is broadcast, is then full.",
        {"1.9": False, "1.17": True},
    ),
    Switch(
        "hybrid_needs_batch",
        "Whether a hybrid result is refused in a streaming program.",
        {"1.9": False, "1.17": True},
    ),
    Switch(
        "dynamic_batch_graphs",
        "Whether the adaptive batch scheduler decides a BATCH program's parallelism.",
        {"1.9": False, "1.17": True},
        "FLINK-30682",
    ),
    Switch(
        "concurrent_attempts",
        "Whether a StreamNode says if it supports concurrent execution attempts.",
        {"1.9": False, "1.17": True},
        "FLINK-28397",
    ),
    Switch(
        "memory",
        "How managed memory is shared out: not at all, by one weight a node, by use case.",
        {"1.9": "none", "1.11": "weights", "1.12": "use cases"},
        "FLINK-18972",
    ),
    Switch(
        "refuses_weight_with_resources",
        "Whether an operator may not have both resources and a managed memory weight.",
        {"1.9": False, "1.11": True, "1.12": False},
    ),
    Switch(
        "resources_decide_memory",
        "Whether a slot sharing group whose operators all have resources ignores weights.",
        {"1.9": True, "1.13": False},
    ),
    Switch(
        "weights_conflict",
        "Whether a second managed memory weight for an operator is refused.",
        {"1.9": False, "1.13": True},
    ),
    Switch(
        "keyed_batch_memory_weight",
        "The managed memory weight of a keyed operator, which sorts its input in BATCH mode.",
        {"1.9": None, "1.12": 1, "1.14": 128},
        "FLINK-22915",
    ),
    Switch(
        "refuses_empty_texts",
        "Whether an operator's name and uid must not be empty.",
        {"1.9": False, "2.0": True},
    ),
    Switch(
        "user_hash_beside_id",
        "Whether a vertex lists the uid hash beside the operator ID that it stands in for.",
        {"1.9": False, "1.11": True},
        "FLINK-16005",
    ),
    Switch(
        "resources_add_up",
        "Whether the CPU cores of chained operators add up; before, the largest counted.",
        {"1.9": False, "1.10": True},
        "FLINK-14188",
    ),
    Switch(
        "pointwise_in_floats",
        "Whether a point-wise edge shares out its partitions in numbers of single precision.",
        {"1.9": True, "1.13": False},
    ),
    Switch(
        "sink_parts_co_located",
        "Whether a sink's co-location group reaches its writer and its committer.",
        {"1.9": False, "1.19": True},
    ),
    Switch(
        "sink_parts_set_parallelism",
        "Whether the parts of a sink count as given their parallelism by the program.",
        {"1.9": True, "1.19": False},
    ),
    Switch(
        "global_committer_declared_late",
        "Whether a global committer is declared when it is translated, behind all other parts.",
        {"1.9": False, "1.19": True},
        "FLINK-36455",
    ),
    Switch(
        "validates_input_selection",
        "Whether a checkpointed job is refused where an operator selects its inputs.",
        {"1.9": False, "1.10": True},
    ),
    Switch(
        "unaligned_iterations_refusal",
        "The words in which unaligned checkpoints are refused for iterations; empty: they are not.",
        {
            "1.9": "",
            "1.12": "Unaligned Checkpoints are currently not supported for iterative jobs,  as "
            "rescaling would require alignment (in addition to the reduced checkpointing "
            "guarantees).",
            "1.13": "Unaligned Checkpoints are currently not supported for iterative jobs, as "
            "rescaling would require alignment (in addition to the reduced checkpointing "
            "guarantees).",
        },
    ),
    Switch(
        "validates_unaligned_custom",
        "Whether unaligned checkpoints are refused for custom partitioners.",
        {"1.9": False, "1.13": True},
    ),
    Switch(
        "unaligned_at_least_once",
        "What becomes of unaligned checkpoints that are not exactly once: checked like others and "
        "then turned off, checked and kept, or never looked at.",
        {"1.9": "turned off", "2.0": "kept", "2.2": "ignored"},
    ),
    Switch(
        "interval_at_least_pause",
        "Whether the interval of checkpoints is at least the pause between two of them.",
        {"1.9": False, "2.3": True},
    ),
    Switch(
        "exactly_once_without_checkpoints",
        "Whether a job without checkpoints keeps the mode that was asked for.",
        {"1.9": True, "1.10": False},
    ),
    Switch(
        "unaligned_checkpoints",
        "Whether checkpoints can be unaligned.",
        {"1.9": False, "1.11": True},
        "FLINK-14551",
    ),
    Switch(
        "lists_checkpoint_vertices",
        "Whether the JobGraph lists the vertices that trigger, acknowledge and commit.",
        {"1.9": True, "1.13": False},
    ),
)
"""Every behaviour that differs, in no order that matters."""


@cache
def release(version: str) -> Release:
    """The release called ``version``, such as ``"1.20"``; patch levels as in 1.20.5 are cut.

    Raises ``UnknownReleaseError`` for one that is not supported.
    """
    short = ".".join(version.split(".")[:2])
    if short not in VERSIONS:
        raise UnknownReleaseError(version)
    values = {switch.name: switch.value(short) for switch in SWITCHES}
    return msgspec.convert({"version": short, **values}, Release)
