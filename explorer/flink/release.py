"""One Flink release, as the passes ask it: the value of every switch."""

from typing import Literal

import msgspec


class Release(msgspec.Struct, frozen=True, kw_only=True):
    """One Flink release: the value of every switch."""

    version: str
    default_buffer_timeout: int
    streaming_job_type: str
    batch_job_type: str
    flip27_sources: bool
    multiple_input: bool
    timestamps: bool
    sink_v2: bool
    iterations: bool
    batch_mode: bool
    reads_options: bool
    buffer_timeout_switch: Literal["none", "default", "always"]
    interval_join_needs_event_time_setting: bool
    reduce_strategy: Literal["HEAD", "ALWAYS"]
    async_strategy: Literal["HEAD", "ALWAYS"]
    two_input_strategy: Literal["HEAD", "ALWAYS"]
    broadcast_connect_hears_strategy: bool
    broadcast_connect_hides_inputs: bool
    selectable_task: bool
    async_yields: bool
    yielding_rule: bool
    yielding_reported: bool
    chained_sources: bool
    max_parallelism_rule: bool
    hash_sees_exchange_mode: bool
    sources_sorted: bool
    first_chain_index: int
    all_chained_sources_in_names: bool
    descriptions: bool
    short_window_names: bool
    vertex_index_prefix: bool
    streaming_resets_batch_exchange: bool
    checks_buffer_timeout: bool
    timeout_refusal: str
    edge_text: str
    batch_exchange: str
    batch_shuffle_option: tuple[str, ...]
    batch_slot_groups_by_region: bool
    shared_data_sets: bool
    hybrid_results_shared: bool
    hybrid_needs_batch: bool
    dynamic_batch_graphs: bool
    concurrent_attempts: bool
    memory: Literal["none", "weights", "use cases"]
    refuses_weight_with_resources: bool
    resources_decide_memory: bool
    weights_conflict: bool
    keyed_batch_memory_weight: int | None
    refuses_empty_texts: bool
    user_hash_beside_id: bool
    resources_add_up: bool
    pointwise_in_floats: bool
    validates_input_selection: bool
    unaligned_iterations_refusal: str
    validates_unaligned_custom: bool
    unaligned_at_least_once: Literal["turned off", "kept", "ignored"]
    interval_at_least_pause: bool
    exactly_once_without_checkpoints: bool
    unaligned_checkpoints: bool
    lists_checkpoint_vertices: bool
    sink_parts_co_located: bool
    sink_parts_set_parallelism: bool
    global_committer_declared_late: bool
