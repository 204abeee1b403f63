"""The Flink releases and their behaviours: each field of ``Release`` is one behaviour.

A field has its values by release, a sentence and an issue; no other module compares releases.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import groupby
from typing import Any, Final, Literal, TypeAlias, TypeVar, cast

import msgspec

from explorer.errors import ExplorerError, did_you_mean
from explorer.java_numbers import INT_MAX, LONG_MAX

T = TypeVar("T")

_OLDEST: Final = "1.9"
_VERSION: Final = re.compile(r"(\d+\.\d+)(?:\.\d+)?")


_BLOCKING_OR_HYBRID: Final = (
    "At the moment, adaptive batch scheduler requires batch workloads to be executed with types of "
    "all edges being BLOCKING or HYBRID_FULL/HYBRID_SELECTIVE. To do that, you need to configure "
    "'execution.batch-shuffle-mode' to 'ALL_EXCHANGES_BLOCKING' or "
    "'ALL_EXCHANGES_HYBRID_FULL/ALL_EXCHANGES_HYBRID_SELECTIVE'."
)


@cache
def _releases_up_to(version: str) -> tuple[str, ...]:
    """Return the releases up to ``version``, the newest first."""
    return VERSIONS[VERSIONS.index(version) :: -1]


class Behaviour(msgspec.Struct, frozen=True):
    """The metadata of a field of ``Release``."""

    values: Mapping[str, object]
    """By the release from which on it holds; the first key is the oldest release."""
    about: str
    """Its effect, in one sentence."""
    issue: str | None = None
    """The Flink issue that changed it, where known."""
    planned: Mapping[str, object] = {}
    """The same of releases that are not out: from Flink's issue, and not yet asked of any jar."""

    def value(self, version: str) -> object:
        """The value in force in ``version``."""
        return next(self.values[old] for old in _releases_up_to(version) if old in self.values)


def changed(
    values: Mapping[str, T],
    about: str,
    issue: str | None = None,
    planned: Mapping[str, T] | None = None,
) -> T:
    """A row of ``Release``: it stands where a default would, so the type checker checks its values.

    No release is ever made with it; ``explorer.flink.releases`` puts the value in force there.
    """
    return cast("T", Behaviour(values, about, issue, planned or {}))


def since(version: str, about: str, issue: str | None = None) -> bool:
    """A behaviour from ``version`` on."""
    return changed({_OLDEST: False, version: True}, about, issue)


def until(version: str, about: str, issue: str | None = None) -> bool:
    """A behaviour before ``version``."""
    return changed({_OLDEST: True, version: False}, about, issue)


class Release(msgspec.Struct, frozen=True, kw_only=True):
    """One Flink release; ``explorer.flink.releases`` has one by its version."""

    version: str
    # ``StreamExecutionEnvironment.bufferTimeout``: 1.10 to 1.12 begin with -1, later with the
    # default of ``ExecutionOptions.BUFFER_TIMEOUT``.
    default_buffer_timeout: int = changed(
        {"1.9": 100, "1.10": -1, "1.13": 100},
        "The buffer timeout, in ms, of an operator for which the program sets none.",
        "FLINK-15145",
    )
    # ``JobGraph.getJobType`` and, up to 1.12, ``JobGraph.getScheduleMode``, as the row below.
    streaming_job_type: str = changed(
        {"1.9": "EAGER", "1.13": "STREAMING"},
        "What the JobGraph of a streaming program states about its type or schedule mode.",
        "FLINK-16430",
    )
    batch_job_type: str = changed(
        {"1.9": "LAZY_FROM_SOURCES_WITH_BATCH_SLOT_REQUEST", "1.13": "BATCH"},
        "What the JobGraph of a batch program states about its type or schedule mode.",
        "FLINK-16430",
    )
    # ``StreamExecutionEnvironment.fromSource``; 1.11 has it, too, without chained sources; golden
    # files begin with 1.12.
    flip27_sources: bool = since(
        "1.12", "Whether fromSource takes a FLIP-27 source.", "FLINK-15101"
    )
    # ``MultipleConnectedStreams.transform``; 1.11 has it, too, and golden files begin with 1.12.
    multiple_input: bool = since(
        "1.12", "Whether an operator may have any number of inputs.", "FLINK-15688"
    )
    # ``DataStream.assignTimestampsAndWatermarks``.
    timestamps: bool = since(
        "1.11", "Whether assignTimestampsAndWatermarks takes a WatermarkStrategy.", "FLINK-17653"
    )
    # ``DataStream.sinkTo`` of a ``sink2.Sink``.
    sink_v2: bool = since("1.15", "Whether sinkTo takes a Sink V2.", "FLINK-25555")
    # ``DataStream.iterate``.
    iterations: bool = until(
        "2.0", "Whether the DataStream API has iterate and closeWith.", "FLINK-36336"
    )
    # ``DataStream.split``.
    split: bool = until(
        "1.12", "Whether a DataStream can be split by an OutputSelector.", "FLINK-19083"
    )
    # ``StreamExecutionEnvironment.setRuntimeMode``.
    batch_mode: bool = since(
        "1.12", "Whether the DataStream API has the BATCH runtime mode.", "FLINK-19316"
    )
    # ``StreamExecutionEnvironment.configure``.
    reads_options: bool = since(
        "1.10", "Whether the environment takes its settings from configuration options."
    )
    # ``PipelineExecutor.execute``.
    pipeline_executors: bool = since(
        "1.10", "Whether an environment hands its pipeline to a PipelineExecutor."
    )
    # ``TableEnvironment.executeSql``.
    statement_results: bool = since(
        "1.11", "Whether a TableEnvironment executes a statement by itself and returns its result."
    )
    # ``ClientUtils.executeProgram``: the recorder passes two more arguments.
    asks_for_one_job: bool = since(
        "1.11", "Whether a program is executed with a word on whether it may have one job alone."
    )
    # ``StreamGraph.getJobGraph``.
    translates_with_loader: bool = since(
        "1.16", "Whether the translation into a JobGraph takes the program's class loader."
    )
    # ``ExecutionState.INITIALIZING``.
    reports_initializing: bool = since(
        "1.13",
        "Whether a task that restores its state is INITIALIZING, so that RUNNING means restored.",
        "FLINK-17012",
    )
    # ``ExecutionOptions.BUFFER_TIMEOUT_ENABLED``: the environment's ``configBufferTimeout``
    # reads it once, from 1.19 on ``getBufferTimeout`` at each question.
    buffer_timeout_switch: Literal["none", "default", "always"] = changed(
        {"1.9": "none", "1.16": "default", "1.19": "always"},
        "Whether an option turns the buffer timeout off: none does, one that yields to the "
        "environment's own timeout, or one that always holds.",
    )
    # ``KeyedStream.IntervalJoin`` threw ``UnsupportedTimeCharacteristicException``.
    interval_join_needs_event_time_setting: bool = until(
        "1.12",
        "Whether an interval join is refused unless the environment is set to event time.",
        "FLINK-19317",
    )
    # ``StreamGroupedReduce`` has the HEAD of ``AbstractStreamOperator``, ``ReduceTransformation`` a
    # strategy of its own.
    reduce_strategy: Literal["HEAD", "ALWAYS"] = changed(
        {"1.9": "HEAD", "1.12": "ALWAYS"}, "The chaining strategy of a keyed reduce."
    )
    # The constructor of ``AsyncWaitOperatorFactory``: HEAD ends the chain before it.
    async_strategy: Literal["HEAD", "ALWAYS"] = changed(
        {"1.9": "HEAD", "1.11": "ALWAYS"},
        "The chaining strategy of the asynchronous wait operator.",
        "FLINK-16219",
    )
    # ``AbstractStreamOperatorFactory.chainingStrategy``: HEAD cuts the chain before a co-operator.
    two_input_strategy: Literal["HEAD", "ALWAYS"] = changed(
        {"1.9": "HEAD", "2.0": "ALWAYS"}, "The chaining strategy of operators with two inputs."
    )
    # ``BroadcastStateTransformationTranslator`` never reads ``getChainingStrategy``.
    broadcast_connect_applies_strategy: bool = until(
        "1.12", "Whether the chaining strategy given to a broadcast connect reaches its operator."
    )
    # ``AbstractBroadcastStateTransformation.getTransitivePredecessors``.
    broadcast_connect_hides_inputs: bool = since(
        "1.12", "Whether a broadcast connect names only what it reads directly as its predecessors."
    )
    # ``TwoInputSelectableStreamTask``, which ``StreamGraph`` of 1.9 alone has.
    selectable_task: bool = until(
        "1.10",
        "Whether an operator with two inputs that selects among them runs in a task of its own.",
    )
    # ``AsyncWaitOperatorFactory`` is a ``YieldingOperatorFactory``.
    async_yields: bool = since(
        "1.10", "Whether the asynchronous wait operator yields to its mailbox.", "FLINK-13248"
    )
    # ``StreamingJobGraphGenerator.areOperatorsChainable``.
    yielding_rule: bool = since(
        "1.11",
        "Whether a yielding operator may not share a task with a legacy source.",
        "FLINK-16219",
    )
    # ``StreamNode.operatorFactory``, which is transient from 2.0 on.
    yielding_reported: bool = until(
        "2.0", "Whether a StreamNode's factory still shows that it yields."
    )
    # ``StreamingJobGraphGenerator.isChainableSource``: the source has no task of its own then.
    chained_sources: bool = since(
        "1.12",
        "Whether a FLIP-27 source may run in the task of a multiple-input operator.",
        "FLINK-19434",
    )
    # ``PipelineOptions.OPERATOR_CHAINING_CHAIN_OPERATORS_WITH_DIFFERENT_MAX_PARALLELISM``
    max_parallelism_rule: bool = since(
        "1.18",
        "Whether an option forbids chaining operators of different maximum parallelism.",
        "FLINK-31996",
    )
    # ``StreamGraphHasherV2.generateNodeHash``: chained outputs are part of an operator's ID.
    hash_sees_exchange_mode: bool = since(
        "1.11",
        "Whether the hasher, too, takes an edge with a BATCH exchange as not chained.",
        "FLINK-16219",
    )
    # ``StreamingJobGraphGenerator.buildChainedInputsAndGetHeadInputs``: the order of vertices.
    sources_sorted: bool = since(
        "1.12",
        "Whether chains start in the order of node ids; before, in that of a Java HashSet.",
        "FLINK-20446",
    )
    # ``StreamingJobGraphGenerator.setChaining`` and ``createChain``: a StreamConfig has the index.
    first_chain_index: int = changed(
        {"1.9": 0, "1.12": 1},
        "The chain index of a head; 0 is then a chained source's.",
        "FLINK-19434",
    )
    # ``StreamingJobGraphGenerator.createChainedName``.
    all_chained_sources_in_names: bool = until(
        "1.16",
        "Whether a head's name lists the chained sources of the whole job, not its own only.",
        "FLINK-32680",
    )
    # ``StreamNode.getOperatorDescription``.
    descriptions: bool = since(
        "1.15",
        "Whether operators and vertices have a description and a name.",
        "FLINK-25072",
    )
    # ``WindowOperatorBuilder.generateOperatorName``.
    short_window_names: bool = since(
        "1.15", "Whether a window operator is named after its assigner alone.", "FLINK-25072"
    )
    # ``TaskMetricGroup.getOrAddOperator``, from 2.0 on ``MetricUtils.truncateOperatorName``.
    metric_names_retain_endings: bool = since(
        "2.0",
        "Whether metrics cut the middle of a long writer's or committer's name, not its end.",
    )
    # ``WatermarkStrategy.withWatermarkAlignment``.
    watermark_alignment: bool = since(
        "1.15", "Whether a WatermarkStrategy can align the watermarks of sources.", "FLINK-18450"
    )
    # ``SatisfyUpdateKindTraitVisitor.analyzeUpsertMaterializeStrategy`` of the planner's
    # ``FlinkChangelogModeInferenceProgram``.
    asks_on_conflict: bool = since(
        "2.3", "Whether an INSERT into a table with another key than the query's needs ON CONFLICT."
    )
    # ``GlobalWindows.toString``: an operator's description quotes it.
    global_windows_text: str = changed(
        {"1.9": "", "1.20": "trigger=NeverTrigger"},
        "What the windows of a count window say of themselves between their parentheses.",
    )
    # ``StreamGraph.isVertexNameIncludeIndexPrefix``.
    vertex_index_prefix: bool = since(
        "1.15", "Whether an option puts the vertex's position before its name.", "FLINK-25072"
    )
    # ``PartitionTransformationTranslator.translateInternal``.
    streaming_resets_batch_exchange: bool = since(
        "1.15",
        "Whether a BATCH exchange asked for in STREAMING mode becomes UNDEFINED.",
        "FLINK-25995",
    )
    # ``StreamingJobGraphGenerator.checkAndResetBufferTimeout``.
    checks_buffer_timeout: bool = since(
        "1.10", "Whether a blocking exchange refuses a buffer timeout.", "FLINK-15145"
    )
    # ``StreamingJobGraphGenerator.checkBufferTimeout``.
    timeout_refusal: str = changed(
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
        "The words in which a blocking exchange refuses a buffer timeout.",
    )
    # ``StreamEdge.toString``: refusals quote it.
    edge_text: str = changed(
        {
            "1.9": "selectedNames={selected}, outputPartitioner={partitioner}, "
            "bufferTimeout={timeout}, outputTag={tag}",
            "1.12": "outputPartitioner={partitioner}, bufferTimeout={timeout}, outputTag={tag}",
            "1.13": "outputPartitioner={partitioner}, bufferTimeout={timeout}, outputTag={tag}, "
            "uniqueId={unique}",
            "1.14": "outputPartitioner={partitioner}, exchangeMode={mode}, "
            "bufferTimeout={timeout}, outputTag={tag}, uniqueId={unique}",
        },
        "What a StreamEdge prints of itself after its ends and its type number.",
    )
    # ``StreamGraphGenerator.deriveGlobalStreamExchangeModeBatch``.
    batch_exchange: str = changed(
        {
            "1.9": "ALL_EDGES_PIPELINED",
            "1.12": "FORWARD_EDGES_PIPELINED",
            "1.14": "ALL_EDGES_BLOCKING",
        },
        "Which result type a BATCH program's edges get when none is asked for.",
        "FLINK-23402",
    )
    # ``BatchShuffleMode``, its constants.
    batch_shuffle_option: tuple[str, ...] = changed(
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
        "The values that execution.batch-shuffle-mode takes.",
        "FLINK-27862",
    )
    # ``StreamExecutionEnvironment.registerSlotSharingGroup``.
    slot_profiles: bool = since(
        "1.14", "Whether a slot sharing group may state the resources of its slots."
    )
    # ``StreamGraph.hasFineGrainedResource``.
    profiles_block_batch_exchanges: bool = until(
        "2.0",
        "Whether a BATCH program with slot sharing groups that state resources is refused unless "
        "an option makes all exchanges blocking.",
        "FLINK-20865",
    )
    # ``StreamingJobGraphGenerator.buildVertexRegionSlotSharingGroups``.
    batch_slot_groups_by_region: bool = since(
        "1.14",
        "Whether a BATCH program gets a slot sharing group for each pipelined region.",
        "FLINK-20865",
    )
    # ``StreamingJobGraphGenerator.isPartitionTypeCanBeReuse``: readers of one result share its ID.
    shared_data_sets: bool = since(
        "1.16",
        "Whether edges that ask for the same blocking result read one data set.",
        "FLINK-28380",
    )
    # ``SingleOutputStreamOperator.cache``.
    caches: bool = since("1.16", "Whether a stream may be cached.", "FLINK-27521")
    # ``DataStream.fullWindowPartition``.
    partition_windows: bool = since(
        "1.20",
        "Whether a stream has fullWindowPartition, and windows that end with the stream.",
        "FLINK-34543",
    )
    # ``AbstractStreamOperator`` had the strategy HEAD, and has none from 2.0 on.
    partition_window_strategy: Literal["HEAD", "ALWAYS"] = changed(
        {"1.9": "HEAD", "2.0": "ALWAYS"},
        "The chaining strategy of what sorts, aggregates or reduces a partition.",
    )
    # ``KeyedPartitionWindowedStream.mapPartition``.
    keyed_map_partition_function: str = changed(
        {"1.9": "WindowFunction$1", "2.0": "KeyedMapPartitionWindowFunction"},
        "The class that calls a map function over a key's whole window.",
    )
    # ``WindowOperator.getOperatorAttributes``.
    window_all_marks_end: bool = until(
        "2.0", "Whether a windowAll that ends with the stream is marked as giving rows only then."
    )
    # ``StreamingJobGraphGenerator.checkAndReplaceReusableHybridPartitionType``.
    hybrid_results_shared: bool = since(
        "1.17",
        "Whether edges share a hybrid result, too; it, and one that is broadcast, is then full.",
    )
    # ``StreamingJobGraphGenerator.validateHybridShuffleExecuteInBatchMode``.
    hybrid_needs_batch: bool = since(
        "1.17", "Whether a hybrid result is refused in a streaming program."
    )
    # ``StreamGraph.setDynamic``: vertices without a parallelism stay at -1.
    dynamic_batch_graphs: bool = since(
        "1.17",
        "Whether the adaptive batch scheduler decides a BATCH program's parallelism.",
        "FLINK-30682",
    )
    # ``RecordWriterOutput.emitWatermark``.
    internal_watermarks: bool = since(
        "1.19",
        "Whether a watermark names its subpartition where a consumer may read several of a "
        "producer in a dynamic graph.",
    )
    # ``IntermediateResultPartition.computeNumberOfSubpartitionsForDynamicGraph``.
    forward_fills_one_subpartition: bool = since(
        "2.0",
        "Whether a forward edge of a dynamic graph has one subpartition for each producer, as a "
        "broadcast has.",
    )
    # ``AdaptiveGraphManager.createJobVerticesAndUpdateGraph``.
    batch_vertices_made_late: bool = since(
        "2.0",
        "Whether the adaptive batch scheduler makes the vertices of a BATCH job while it runs.",
        "FLINK-36066",
    )
    # ``StreamNode.isSupportsConcurrentExecutionAttempts``.
    concurrent_attempts: bool = since(
        "1.17",
        "Whether a StreamNode states if it supports concurrent execution attempts.",
        "FLINK-28397",
    )
    # ``Transformation.setManagedMemoryWeight``, later ``declareManagedMemoryUseCaseAt...Scope``.
    memory: Literal["none", "weights", "use cases"] = changed(
        {"1.9": "none", "1.10": "weights", "1.12": "use cases"},
        "How managed memory is shared out: not at all, by one weight a node, by use case.",
        "FLINK-18972",
    )
    # The golden JobGraphs of 1.10 have none, though its ``StreamConfig.getManagedMemoryFraction``
    # answers as that of 1.11 (``stream_configs.jsonl.gz``); documents follow the golden files.
    fractions_in_job_graph: bool = since(
        "1.11",
        "Whether a JobGraph document has each operator's fraction of managed memory; of 1.10, "
        "its StreamConfigs alone have it.",
    )
    # ``Transformation.setManagedMemoryWeight`` and ``setResources`` call
    # ``OperatorValidationUtils.validateResourceRequirements``.
    refuses_weight_with_resources: bool = changed(
        {"1.9": False, "1.11": True, "1.12": False},
        "Whether an operator may not have both resources and a managed memory weight.",
    )
    # ``StreamingJobGraphGenerator.setManagedMemoryFraction``.
    resources_decide_memory: bool = until(
        "1.13", "Whether a slot sharing group with resources on every operator ignores weights."
    )
    # ``ManagedMemoryUtils.validateUseCaseWeightsNotConflict``.
    weights_conflict: bool = since(
        "1.13", "Whether a second managed memory weight for an operator is refused."
    )
    # ``BatchExecutionUtils.applyBatchExecutionSettings``.
    keyed_batch_memory_weight: int | None = changed(
        {"1.9": None, "1.12": 1, "1.14": 128},
        "The managed memory weight of a keyed operator, which sorts its input in BATCH mode.",
        "FLINK-22915",
    )
    # The constructor of ``OperatorIDPair``.
    refuses_empty_texts: bool = since(
        "2.0", "Whether an operator's name and uid must not be empty."
    )
    # ``OperatorIDPair.getUserDefinedOperatorID``.
    lists_user_hash: bool = since(
        "1.11",
        "Whether a vertex lists the uid hash in addition to the generated operator ID.",
        "FLINK-16005",
    )
    # ``ResourceSpec.merge``, over the operators of a chain.
    resources_add_up: bool = since(
        "1.10",
        "Whether the CPU cores of chained operators add up; before, the largest counted.",
        "FLINK-14188",
    )
    # ``ExecutionVertex.connectPointwise``, later ``EdgeManagerBuildUtil`` in whole numbers.
    pointwise_in_floats: bool = until(
        "1.13",
        "Whether a point-wise edge shares out its partitions in numbers of single precision.",
    )
    # ``SinkTransformationTranslator``, which copies the sink's settings to its parts.
    sink_parts_co_located: bool = since(
        "1.19", "Whether a sink's co-location group reaches its writer and its committer."
    )
    # ``SinkTransformationTranslator.SinkExpander`` called ``setParallelism`` without its second
    # argument, the sink's own ``isParallelismConfigured``.
    sink_parts_set_parallelism: bool = until(
        "1.19", "Whether the parts of a sink count as given their parallelism by the program."
    )
    # ``GlobalCommitterTransformationTranslator``: node IDs follow the order of translation.
    global_committer_declared_late: bool = since(
        "1.19",
        "Whether a global committer is declared when it is translated, behind all other parts.",
        "FLINK-36455",
    )
    # ``StreamingJobGraphGenerator.preValidate``, as the three rows below.
    validates_input_selection: bool = since(
        "1.10", "Whether a checkpointed job is refused where an operator selects its inputs."
    )
    unaligned_iterations_refusal: str = changed(
        {
            "1.9": "",
            "1.12": "Unaligned Checkpoints are currently not supported for iterative jobs,  as "
            "rescaling would require alignment (in addition to the reduced checkpointing "
            "guarantees).",
            "1.13": "Unaligned Checkpoints are currently not supported for iterative jobs, as "
            "rescaling would require alignment (in addition to the reduced checkpointing "
            "guarantees).",
        },
        "The words in which unaligned checkpoints are refused for iterations; empty: they are not.",
    )
    validates_unaligned_custom: bool = since(
        "1.13", "Whether unaligned checkpoints are refused for custom partitioners."
    )
    unaligned_at_least_once: Literal["turned off", "kept", "ignored"] = changed(
        {"1.9": "turned off", "2.0": "kept", "2.2": "ignored"},
        "What becomes of unaligned checkpoints that are not exactly once: checked like others and "
        "then turned off, checked and retained, or never looked at.",
    )
    # Up to 2.2 the constructor of ``CheckpointCoordinator`` raised the interval, and the JobGraph
    # still had the smaller one.
    interval_at_least_pause: bool = since(
        "2.3", "Whether the interval of checkpoints is at least the pause between two of them."
    )
    # ``StreamingJobGraphGenerator.configureCheckpointing``; later releases ask their
    # ``getCheckpointingMode``, which answers AT_LEAST_ONCE where checkpoints are off.
    exactly_once_without_checkpoints: bool = until(
        "1.10", "Whether a job without checkpoints has the mode that was set."
    )
    # ``CheckpointConfig.enableUnalignedCheckpoints``.
    unaligned_checkpoints: bool = since(
        "1.11", "Whether checkpoints can be unaligned.", "FLINK-14551"
    )
    # ``StreamPartitioner.disableUnalignedCheckpoints``.
    aligned_partitioners: tuple[str, ...] = changed(
        {
            "1.9": (),
            "1.11": ("BROADCAST",),
            "1.13": ("FORWARD", "RESCALE", "BROADCAST"),
            "2.2": ("FORWARD", "RESCALE", "BROADCAST", "CUSTOM"),
        },
        "The partitioners with channels that stay aligned where checkpoints are unaligned.",
        "FLINK-22815",
    )
    # ``SourceFunction``.
    legacy_sources: Literal["current", "deprecated", "moved"] = changed(
        {"1.9": "current", "1.18": "deprecated", "2.0": "moved"},
        "Where SourceFunction is: in the API, deprecated there, or in a package called legacy.",
        "FLINK-28045",
    )
    # ``AdaptiveBatchSchedulerFactory.checkAllExchangesAreSupported``.
    pipelined_refusal: str = changed(
        {
            "1.9": "",
            "1.15": "At the moment, adaptive batch scheduler requires batch workloads to be "
            "executed with types of all edges being BLOCKING. To do that, you need to configure "
            "'execution.batch-shuffle-mode' to 'ALL_EXCHANGES_BLOCKING'.",
            "1.17": _BLOCKING_OR_HYBRID,
            "1.19": f"{_BLOCKING_OR_HYBRID} Note that for DataSet jobs which do not recognize the "
            "aforementioned shuffle mode, the ExecutionMode needs to be BATCH_FORCED to force "
            "BLOCKING shuffle",
            "2.0": _BLOCKING_OR_HYBRID,
        },
        "The words in which the adaptive batch scheduler refuses pipelined exchanges; empty: there "
        "is no such scheduler.",
    )
    # ``JobManagerOptions.SchedulerType``, its constants in their order.
    schedulers: tuple[str, ...] = changed(
        {
            "1.9": (),
            "1.13": ("Ng", "Adaptive"),
            "1.15": ("Ng", "Adaptive", "AdaptiveBatch"),
            "1.16": ("Ng", "Default", "Adaptive", "AdaptiveBatch"),
            "2.0": ("Default", "Adaptive", "AdaptiveBatch"),
        },
        "The values of jobmanager.scheduler, in any case; empty: there is one scheduler.",
        "FLINK-21348",
    )
    # ``DefaultSlotPoolServiceSchedulerFactory.getSchedulerType``.
    batch_instead_of_adaptive: bool = since(
        "1.17",
        "Whether a BATCH job gets the adaptive batch scheduler where the adaptive one is set; "
        "before, it gets the default one.",
        "FLINK-30601",
    )
    # ``SlotSharingSlotAllocator.determineParallelism``.
    shares_slots_by_range: bool = since(
        "1.17",
        "Whether the adaptive scheduler gives slots that one slot sharing group does not need to "
        "the others; before, each group gets an equal share.",
    )
    # ``AdaptiveScheduler.updateJobResourceRequirements``.
    rescales_on_request: bool = since(
        "1.18",
        "Whether a running job of the adaptive scheduler takes a new parallelism over REST.",
        "FLINK-31468",
    )
    # ``PipelineOptions.PARALLELISM_OVERRIDES``.
    parallelism_overrides: bool = since(
        "1.17",
        "Whether an option overrides the parallelism of job vertices by their IDs.",
        "FLINK-29501",
    )
    # ``Dispatcher.applyParallelismOverrides``.
    applies_parallelism_overrides: bool = changed(
        {"1.9": False, "1.17": True, "2.0": False},
        "Whether the dispatcher applies these overrides to what a client submits: from 2.0 on that "
        "is a StreamGraph, and it overrides the vertices of a JobGraph alone.",
        "FLINK-38770",
    )
    # ``JobCheckpointingSettings.getVerticesToTrigger`` and its two neighbours.
    lists_checkpoint_vertices: bool = until(
        "1.13", "Whether the JobGraph lists the vertices that trigger, acknowledge and commit."
    )
    # ``MetadataSerializers``, of which the newest writes.
    newest_metadata: int = changed(
        {"1.9": 2, "1.11": 3, "1.16": 4, "2.0": 5, "2.1": 6},
        "The newest version of a savepoint's metadata that is read, and the one that is written.",
    )
    # ``StateAssignmentOperation.reDistributeInputChannelStates``.
    rescales_in_flight: bool = since(
        "1.12",
        "Whether a restore distributes records in flight anew where the parallelism is another.",
        "FLINK-17979",
    )
    # ``StateAssignmentOperation.checkParallelismPreconditions``, operator by operator.
    restored_maximum: Literal["last listed", "last hashed", "equal"] = changed(
        {"1.9": "last listed", "1.12": "last hashed"},
        "The operator with the recorded maximum parallelism that a task without its own ends with "
        "in a restore: the last of the job vertex, or the last of a hash map; or none, since Flink "
        "refuses a task with keyed state if its operators recorded different ones.",
        "FLINK-40113",
        planned={"2.4": "equal"},
    )
    # ``TtlAwareSerializerSnapshot.resolveCompatibilityForTtlMigration``.
    ttl_switch: Literal["refused", "unknown", "migrated"] = changed(
        {"1.9": "refused", "2.1": "unknown", "2.2": "migrated"},
        "The effect of switching a state's time to live on or off: in 2.1 only some of the "
        "backends' classes know of it.",
        "FLINK-35780",
    )
    # ``RestoreMode``, from 2.0 on ``RecoveryClaimMode``.
    claim_modes: bool = since(
        "1.15", "Whether a restore may claim the savepoint's files for itself.", "FLINK-25154"
    )
    # ``KeyedStream.process``: ``LegacyKeyedProcessOperator``.
    process_has_timers: bool = until(
        "2.0",
        "Whether a ProcessFunction on a keyed stream has timers, which a savepoint then contains.",
    )
    # ``VertexFinishedStateChecker.validateOperatorsFinishedState``.
    checks_finished_operators: bool = since(
        "1.14",
        "Whether a restore is refused where finished tasks would stand behind running ones.",
        "FLINK-21080",
    )
    # ``VertexThreadInfoTracker``, of which flame graphs and back pressure are drawn.
    samples_stacks: bool = until(
        "1.13",
        "Whether the REST interface measures how busy a task is by sampling its thread's stack.",
        "FLINK-14712",
    )
    # ``ApplicationDispatcherBootstrap``.
    application_mode: bool = since(
        "1.11", "Whether a cluster may run a program's main() itself.", "FLINK-16654"
    )
    # ``YarnDeploymentTarget.PER_JOB``.
    per_job_mode: bool = until(
        "2.0", "Whether YARN may be asked for a cluster for one job.", "FLINK-26000"
    )
    # ``StreamGraph`` is an ``ExecutionPlan`` from 2.0 on.
    stream_graph_submitted: bool = since(
        "2.0",
        "Whether a StreamGraph is submitted, which becomes a JobGraph in the job manager.",
        "FLINK-36065",
    )
    # ``LocalInputPreferredSlotSharingStrategy``.
    shares_slots_by_input: bool = since(
        "1.12",
        "Whether a subtask shares the slot of one that it reads from; before, any free slot.",
    )
    # ``TaskManagerOptions.TASK_MANAGER_LOAD_BALANCE_MODE``.
    balances_tasks: bool = since(
        "2.0", "Whether an option spreads a job's tasks evenly over its slots.", "FLINK-31757"
    )
    # ``TaskManagerOptions.MANAGED_MEMORY_CONSUMER_NAME_DATAPROC``.
    weighs_data_processing: bool = until(
        "2.0", "Whether one weight, DATAPROC, may stand for operators and state backend alike."
    )
    # ``ProcessMemoryUtils.memoryProcessSpecFromConfig``.
    process_memory: bool = since(
        "1.10", "Whether a process's memory is split from its total, Flink's total or its parts."
    )
    # ``taskmanager.memory.process.size`` of conf/flink-conf.yaml, later config.yaml, which
    # ``GlobalConfiguration.loadConfiguration`` reads: ``TaskManagerOptions`` has no default.
    task_manager_size: str = changed(
        {"1.9": "", "1.10": "1728m"},
        "The size of a task manager's process that a distribution's configuration brings.",
    )
    # ``jobmanager.memory.process.size`` of the same file, an option of ``JobManagerOptions``.
    job_manager_size: str = changed(
        {"1.9": "", "1.11": "1600m"},
        "The size of a job manager's process that a distribution's configuration brings; empty: "
        "only its heap has one.",
        "FLINK-16614",
    )
    # ``com.esotericsoftware.kryo.Kryo``, in flink-dist.
    kryo: int = changed(
        {"1.9": 2, "2.0": 5},
        "The major version of Kryo, which serialises types that Flink has no serializer for.",
        "FLINK-3154",
    )
    # ``TaskManagerOptions.NETWORK_MEMORY_MAX``.
    most_network: str = changed(
        {"1.9": "1 gb", "1.17": f"{LONG_MAX} bytes"},
        "The most network memory of a task manager where no bound is set.",
    )
    # ``Configuration.convertToInt`` of 1.9 catches the ``NumberFormatException`` and answers the
    # default; that of ``ConfigurationUtils`` does not.
    refuses_unreadable_numbers: bool = since(
        "1.10", "Whether a number that cannot be read is refused, not replaced by the default."
    )
    # ``NettyShuffleEnvironmentOptions.NETWORK_BUFFERS_PER_CHANNEL`` and the gate's next to it.
    buffer_options: bool = until(
        "2.0", "Whether options set the buffers of a channel and of a gate."
    )
    # ``NettyShuffleUtils.getMinMaxFloatingBuffersPerInputGate``; before, the pool that
    # ``SingleInputGateFactory.createBufferPoolFactory`` makes requires none.
    least_gate_buffers: int = changed(
        {"1.9": 0, "1.11": 1}, "The floating buffers that an input gate requires."
    )
    # ``SingleInputGateFactory.createBufferPoolFactory`` asked ``ResultPartitionType.isBounded``.
    unbounded_gates: bool = until(
        "1.10", "Whether the gate of an unbounded result may use any number of buffers."
    )
    # ``InputGateSpecUtils.createGateBuffersSpec``.
    limits_required_buffers: bool = since(
        "1.17",
        "Whether a gate's required buffers have a limit, beyond which channels have none of their "
        "own.",
        "FLINK-30469",
    )
    # ``NettyShuffleUtils.getMinMaxNetworkBuffersPerResultPartition``, as the two rows below.
    sort_shuffle_from: int = changed(
        {"1.9": INT_MAX, "1.15": 1},
        "How many subpartitions a blocking result has at least where it is sorted by them.",
    )
    sort_shuffle_buffers: int = changed(
        {"1.9": 0, "1.12": 64, "1.15": 512},
        "The buffers that a sorted blocking result requires; 0: the release sorts none.",
    )
    sort_shuffle_bounded: bool = since(
        "1.15", "Whether a sorted blocking result may use no more than 4 buffers a subpartition."
    )
    # ``TieredStorageUtils.getMinBuffersPerResultPartition``.
    tiered_buffers: int = changed(
        {"1.9": 0, "1.18": 613, "1.20": 101},
        "The most buffers that a result in tiered storage requires; 0: there is no such storage.",
        "FLINK-31634",
    )
    # ``SingleInputGateFactory.createInputChannels``.
    channel_a_subpartition: Literal["always", "unless tiered", "never"] = changed(
        {"1.9": "always", "1.19": "unless tiered", "2.0": "never"},
        "Whether a gate has a channel for each subpartition that it reads of a partition, or one.",
    )
    # ``JobManagerProcessUtils.processSpecFromConfigWithNewOptionToInterpretLegacyHeap`` writes it.
    names_job_manager_memory: bool = until(
        "2.0", "Whether a refusal of a job manager's memory states that it is the job manager's."
    )
    # ``CliFrontendParser.getRunCommandOptions``.
    absent_run_options: tuple[str, ...] = changed(
        {
            "1.9": (
                *("pyreq", "pyarch", "pyexec", "pyclientexec", "pypath", "cm", "rm", "e", "t", "D"),
            ),
            "1.10": ("pyclientexec", "pypath", "cm", "rm", "t", "yn"),
            "1.11": ("pyclientexec", "pypath", "cm", "rm", "yn"),
            "1.12": ("pyclientexec", "pypath", "cm", "rm", "yn", "q"),
            "1.14": ("pypath", "cm", "rm", "yn", "q"),
            "1.15": ("pypath", "cm", "yn", "q"),
            "1.18": ("cm", "yn", "q"),
            "1.20": ("yn", "q"),
        },
        "The options of flink run that other releases have.",
    )
    # ``ProgramOptions.hasParallelismOpt``.
    default_run_parallelism: bool = since(
        "1.15", "Whether flink run takes -1 for a parallelism that it does not set."
    )
    # ``MemoryBackwardsCompatibilityUtils.getConfWithLegacyHeapSizeMappedToNewConfigOption``.
    legacy_heap_options: bool = changed(
        {"1.9": False, "1.10": True, "2.0": False},
        "Whether an option of the heap of 1.9 stands for one of the process's memory.",
    )
    # ``TimeUtils.parseDuration``, as the two rows below.
    minute_letter: bool = since("1.15", "Whether a duration's unit m stands for minutes.")
    iso_durations: bool = since("2.1", "Whether a duration may be written as in ISO 8601.")
    durations_of_any_size: bool = since(
        "2.0", "Whether a duration's number may be larger than a Java long."
    )
    # ``YamlParserUtils.loadYamlFile``.
    yaml_values: bool = since(
        "1.19", "Whether the value of an option may be a list or a mapping of YAML.", "FLINK-33297"
    )
    # ``GlobalConfiguration.loadConfiguration``.
    configuration_files: tuple[str, ...] = changed(
        {
            "1.9": ("flink-conf.yaml",),
            "1.19": ("flink-conf.yaml", "config.yaml"),
            "2.0": ("config.yaml",),
        },
        "The files of options in a configuration folder: the first one that is there is read.",
        "FLINK-33577",
    )
    # ``KubernetesConfigOptions.TASK_MANAGER_CPU``, of which the key is another.
    kubernetes_cpu_amount: bool = since(
        "1.17",
        "Whether the CPU cores of a pod are kubernetes.*.cpu.amount; before, kubernetes.*.cpu.",
    )
    # ``StreamNode.isOutputOnlyAfterEndOfStream``.
    end_of_input_marks: Literal["nothing", "the next operators", "the chain"] = changed(
        {"1.9": "nothing", "1.20": "the next operators", "2.0": "the chain"},
        "How far down its chain an operator that emits at the end of its input only makes results "
        "blocking; up the chain, it always does.",
        "FLINK-34371",
    )


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


def switches_of(table: type[msgspec.Struct]) -> dict[str, Behaviour]:
    """By field of a record, its row, in the record's order."""
    return {
        field.name: field.default
        for field in msgspec.structs.fields(table)
        if isinstance(field.default, Behaviour)
    }


def in_force(switches: Mapping[str, Behaviour], version: str) -> dict[str, Any]:
    """The values in ``version``, by field."""
    return {name: behaviour.value(version) for name, behaviour in switches.items()}


SWITCHES: Final = switches_of(Release)
"""By field of ``Release``, every behaviour that differs, in the order of the record."""


@cache
def release(version: str) -> Release:
    """The release called ``version``, such as ``"1.20"``; patch levels as in 1.20.5 are cut.

    Raises ``UnknownReleaseError`` for one that is not supported.
    """
    short = ".".join(version.split(".")[:2])
    if short not in VERSIONS:
        raise UnknownReleaseError(version)
    return Release(version=short, **in_force(SWITCHES, short))


def is_release(text: object) -> bool:
    """Whether a text names a supported release, with or without a patch level.

    >>> is_release("1.20"), is_release("1.20.1"), is_release("1.8"), is_release("1.20.x")
    (True, True, False, False)
    """
    named = _VERSION.fullmatch(text) if isinstance(text, str) else None
    return named is not None and named[1] in VERSIONS


def is_patch_level(version: str) -> bool:
    """Whether a version of a supported release has its patch level.

    >>> is_patch_level("1.20.1"), is_patch_level("1.20")
    (True, False)
    """
    return is_release(version) and version not in VERSIONS


ByRelease: TypeAlias = Callable[[Release], bool]
"""Whether a release has a behaviour."""


def every_release(_: Release) -> bool:
    """Answer yes for every release."""
    return True


def value_in(reported: str | Mapping[str, str], version: str) -> str:
    """Return the text in force in ``version``: one for all, or by the release from which it holds.

    >>> value_in({"1.11": "flink"}, "1.10"), value_in({"1.11": "flink"}, "1.20")
    ('', 'flink')
    """
    if isinstance(reported, str):
        return reported
    return next((reported[old] for old in _releases_up_to(version) if old in reported), "")


def to_choose(has: ByRelease) -> str:
    """The releases that have a behaviour, as a phrase.

    >>> to_choose(lambda release: release.sink_v2), to_choose(lambda release: release.iterations)
    ('1.15 or later', '1.20 or earlier')
    """
    known = [version for version in VERSIONS if has(release(version))]
    return f"{known[0]} or later" if LATEST in known else f"{known[-1]} or earlier"


def spans(versions: Iterable[str]) -> str:
    """Write releases as ranges.

    >>> spans(["1.9", "1.10", "1.11", "1.20", "2.0"])
    '1.9 to 1.11, 1.20 to 2.0'
    """
    places = sorted({VERSIONS.index(version) for version in versions})
    parts = []
    for _, group in groupby(enumerate(places), lambda pair: pair[1] - pair[0]):
        run = [place for _, place in group]
        ends = VERSIONS[run[0]], VERSIONS[run[-1]]
        parts.append(ends[0] if run[0] == run[-1] else f"{ends[0]} to {ends[1]}")
    return ", ".join(parts)


def writers_of_metadata(version: int) -> tuple[str, ...]:
    """The releases that write savepoints with this version of the metadata, oldest first.

    >>> writers_of_metadata(4)
    ('1.16', '1.17', '1.18', '1.19', '1.20')
    """
    return tuple(name for name in VERSIONS if release(name).newest_metadata == version)
