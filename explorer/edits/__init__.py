"""Edits of a document: pure functions from one document to the next."""

from explorer.edits.additions import add
from explorer.edits.applying import apply_change
from explorer.edits.edge_partitioners import set_partitioner
from explorer.edits.stream_edits import add_input, duplicate, insert_between
from explorer.edits.stream_graphs import (
    set_edge_partitioner,
    set_node_field,
    set_operator_field,
    set_synthetic,
)
from explorer.edits.transformations import (
    add_transformation,
    candidate_ids,
    delete_transformation,
    give_uids,
    new_id,
    rename,
    replace_transformation,
    set_environment,
    set_field,
    set_option,
    set_parallelism_of_all,
)

__all__ = [
    "add",
    "add_input",
    "add_transformation",
    "apply_change",
    "candidate_ids",
    "delete_transformation",
    "duplicate",
    "give_uids",
    "insert_between",
    "new_id",
    "rename",
    "replace_transformation",
    "set_edge_partitioner",
    "set_environment",
    "set_field",
    "set_node_field",
    "set_operator_field",
    "set_option",
    "set_parallelism_of_all",
    "set_partitioner",
    "set_synthetic",
]
