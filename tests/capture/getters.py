"""Every getter of ``StreamGraph``, ``StreamNode`` and ``StreamEdge``, captured or with a reason.

The two tables name all getters that one of the supported releases has. A getter of a new release
belongs into one of them, which a test asserts.
"""

from collections.abc import Mapping
from typing import Final

CAPTURED: Final[Mapping[str, str]] = {
    "StreamEdge.getBufferTimeout": "edges.buffer_timeout",
    "StreamEdge.getExchangeMode": "edges.exchange_mode",
    "StreamEdge.getIntermediateDatasetIdToProduce": "edges.intermediate_data_set",
    "StreamEdge.getOutputTag": "edges.side_output",
    "StreamEdge.getPartitioner": "edges.partitioner",
    "StreamEdge.getSelectedNames": "edges.selected_names",
    "StreamEdge.getShuffleMode": "edges.exchange_mode",
    "StreamEdge.getSourceId": "edges.source",
    "StreamEdge.getTargetId": "edges.target",
    "StreamEdge.getTypeNumber": "edges.type_number",
    "StreamEdge.supportsUnalignedCheckpoints": "edges.supports_unaligned_checkpoints",
    "StreamGraph.getCheckpointConfig": "settings.checkpointing",
    "StreamGraph.getExecutionConfig": "settings.parallelism",
    "StreamGraph.getGlobalDataExchangeMode": "settings.exchange_mode",
    "StreamGraph.getGlobalStreamExchangeMode": "settings.exchange_mode",
    "StreamGraph.getJobGraph": "flink_job_graph",
    "StreamGraph.getJobName": "name",
    "StreamGraph.getJobType": "settings.batch",
    "StreamGraph.getSavepointRestoreSettings": "settings.savepoint",
    "StreamGraph.getScheduleMode": "settings.batch",
    "StreamGraph.getSinkIDs": "nodes.sink",
    "StreamGraph.getSourceIDs": "sources",
    "StreamGraph.getStreamNodes": "nodes",
    "StreamGraph.getUserArtifacts": "settings.artifacts",
    "StreamGraph.getVertexDescriptionMode": "settings.cascading_descriptions",
    "StreamGraph.getSlotSharingGroupResource": "settings.slot_profiles",
    "StreamGraph.isAllVerticesInSameSlotSharingGroupByDefault": "settings.slot_groups_by_region",
    "StreamGraph.isAutoParallelismEnabled": "settings.auto_parallelism",
    "StreamGraph.isBlockingConnectionsBetweenChains": "settings.exchange_mode",
    "StreamGraph.isChainingEnabled": "chaining_enabled",
    "StreamGraph.isChainingOfOperatorsWithDifferentMaxParallelismEnabled": (
        "settings.chain_different_max_parallelism"
    ),
    "StreamGraph.isDynamic": "settings.dynamic",
    "StreamGraph.isVertexNameIncludeIndexPrefix": "settings.vertex_index_prefix",
    "StreamNode.getAttribute": "nodes.output_only_after_end_of_stream",
    "StreamNode.getBufferTimeout": "nodes.buffer_timeout",
    "StreamNode.getCoLocationGroup": "nodes.co_location_group",
    "StreamNode.getConsumeClusterDatasetId": "nodes.consumed_data_set",
    "StreamNode.getId": "nodes.id",
    "StreamNode.getInEdges": "nodes.in_order",
    "StreamNode.getInputFormat": "nodes.input_format",
    "StreamNode.getJobVertexClass": "nodes.vertex_class",
    "StreamNode.getManagedMemoryOperatorScopeUseCaseWeights": "nodes.operator_memory_weight",
    "StreamNode.getManagedMemorySlotScopeUseCases": "nodes.operator.slot_memory_use_cases",
    "StreamNode.getManagedMemoryWeight": "nodes.operator_memory_weight",
    "StreamNode.getMaxParallelism": "nodes.max_parallelism",
    "StreamNode.getMinResources": "nodes.resources",
    "StreamNode.getOperatorDescription": "nodes.description",
    "StreamNode.getOperatorFactory": "nodes.operator.factory",
    "StreamNode.getOperatorName": "nodes.name",
    "StreamNode.getOutEdges": "nodes.out_order",
    "StreamNode.getOutputFormat": "nodes.output_format",
    "StreamNode.getOutputSelectors": "nodes.output_selectors",
    "StreamNode.getParallelism": "nodes.parallelism",
    "StreamNode.getSlotSharingGroup": "nodes.slot_sharing_group",
    "StreamNode.getTransformationUID": "nodes.uid",
    "StreamNode.getTypeSerializerIn1": "nodes.operator.input_types",
    "StreamNode.getTypeSerializerIn2": "nodes.operator.input_types",
    "StreamNode.getTypeSerializerOut": "nodes.operator.output_type",
    "StreamNode.getTypeSerializersIn": "nodes.operator.input_types",
    "StreamNode.getUserHash": "nodes.uid_hash",
    "StreamNode.isOutputOnlyAfterEndOfStream": "nodes.output_only_after_end_of_stream",
    "StreamNode.isParallelismConfigured": "nodes.parallelism_configured",
    "StreamNode.isSupportsConcurrentExecutionAttempts": "nodes.supports_concurrent_attempts",
}
"""By getter, the member of a captured document that holds the answer."""

UNREAD: Final = "StreamingJobGraphGenerator does not read it"
_LOOKUP: Final = "a look-up among nodes and edges, which are captured themselves"
_CONFIG: Final = "goes into the StreamConfig of a task, and no member of the JobGraph depends on it"
_JOB: Final = "goes with the job as it is, and no vertex, edge or ID depends on it"
_CHECKPOINTS: Final = "goes into the JobCheckpointingSettings, and no vertex or ID depends on it"

NOT_CAPTURED: Final[Mapping[str, str]] = {
    "StreamEdge.areInterInputsKeysCorrelated": (
        "an attribute of the JobEdge, for how the adaptive batch scheduler splits skewed data"
    ),
    "StreamEdge.getEdgeId": "built from the edge's ends, which are captured, to find it again",
    "StreamEdge.isIntraInputKeyCorrelated": (
        "an attribute of the JobEdge, for how the adaptive batch scheduler splits skewed data"
    ),
    "StreamGraph.getAllOperatorFactory": UNREAD,
    "StreamGraph.getApplicationId": _JOB,
    "StreamGraph.getBrokerID": "pairs the head and the tail of an iteration in their StreamConfigs",
    "StreamGraph.getCheckpointStorage": _CHECKPOINTS,
    "StreamGraph.getCheckpointingMode": "the mode of the CheckpointConfig, which is captured",
    "StreamGraph.getCheckpointingSettings": _CHECKPOINTS,
    "StreamGraph.getClasspath": _JOB,
    "StreamGraph.getClasspaths": UNREAD,
    "StreamGraph.getExpandedSinkIds": (
        "marks nodes of expanded sinks, with captured attempts, in 1.16 alone"
    ),
    "StreamGraph.getHeadOperatorForNodeFromCache": _LOOKUP,
    "StreamGraph.getInitialClientHeartbeatTimeout": UNREAD,
    "StreamGraph.getIterationSourceSinkPairs": UNREAD,
    "StreamGraph.getJobConfiguration": "the job's options, which are captured as options",
    "StreamGraph.getJobID": "given at random to each submission",
    "StreamGraph.getJobStatusHooks": _JOB,
    "StreamGraph.getLineageGraph": UNREAD,
    "StreamGraph.getLoopTimeout": "how long an iteration's head waits, in its StreamConfig",
    "StreamGraph.getMaximumParallelism": UNREAD,
    "StreamGraph.getName": UNREAD,
    "StreamGraph.getOptionalJobId": "given at random to each submission",
    "StreamGraph.getSavepointDirectory": _CHECKPOINTS,
    "StreamGraph.getSerializedExecutionConfig": "the ExecutionConfig with captured settings",
    "StreamGraph.getSerializedWatermarkDeclarations": _CONFIG,
    "StreamGraph.getSlotSharingGroup": UNREAD,
    "StreamGraph.getSourceVertex": _LOOKUP,
    "StreamGraph.getStateBackend": _CHECKPOINTS,
    "StreamGraph.getStreamEdges": UNREAD,
    "StreamGraph.getStreamEdgesOrThrow": UNREAD,
    "StreamGraph.getStreamNode": _LOOKUP,
    "StreamGraph.getStreamNodesSortedTopologicallyFromSources": UNREAD,
    "StreamGraph.getStreamingPlanAsJSON": UNREAD,
    "StreamGraph.getTargetVertex": _LOOKUP,
    "StreamGraph.getTimeCharacteristic": _CONFIG,
    "StreamGraph.getTimerServiceProvider": _CONFIG,
    "StreamGraph.getUserJarBlobKeys": "names uploaded jars, and a capture uploads nothing",
    "StreamGraph.getUserJars": UNREAD,
    "StreamGraph.getVertexIDs": UNREAD,
    "StreamGraph.hasFineGrainedResource": UNREAD,
    "StreamGraph.isChangelogStateBackendEnabled": _CHECKPOINTS,
    "StreamGraph.isEmpty": UNREAD,
    "StreamGraph.isEnableCheckpointsAfterTasksFinish": _CHECKPOINTS,
    "StreamGraph.isIterative": "whether there are iteration heads, which are captured as nodes",
    "StreamGraph.isPartialResourceConfigured": UNREAD,
    "StreamNode.getAdditionalMetricVariables": _CONFIG,
    "StreamNode.getCoordinatorProvider": (
        "the OperatorCoordinator that the job manager starts; no vertex or ID depends on it"
    ),
    "StreamNode.getInEdgeIndices": UNREAD,
    "StreamNode.getInputRequirements": _CONFIG,
    "StreamNode.getOperator": UNREAD,
    "StreamNode.getOutEdgeIndices": UNREAD,
    "StreamNode.getPreferredResources": (
        "DataStream programs cannot set it apart from the minimal resources, which are captured"
    ),
    "StreamNode.getStateKeySerializer": _CONFIG,
    "StreamNode.getStatePartitioner1": _CONFIG,
    "StreamNode.getStatePartitioner2": _CONFIG,
    "StreamNode.getStatePartitioners": _CONFIG,
    "StreamNode.getTypeSerializerIn": UNREAD,
    "StreamNode.isSameSlotSharingGroup": "compares two groups, which are captured",
}
"""By getter, why no member holds its answer: what ``StreamingJobGraphGenerator`` does with it."""
