"""Edits of all operators at once: pure functions from one pipeline to the next."""

from collections.abc import Iterable

import msgspec

from explorer.edits.transformations import new_id, set_environment
from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Pipeline


def set_parallelism_of_all(pipeline: Pipeline, parallelism: int) -> Pipeline:
    """Set the job's parallelism, and remove that of each operator.

    A source that is not parallel still has one subtask.
    """
    every = tuple(
        one
        if one.parallelism is None or not one.parallel or not KINDS[one.type].node
        else msgspec.structs.replace(one, parallelism=None)
        for one in pipeline.transformations
    )
    freed = msgspec.structs.replace(pipeline, transformations=every)
    return set_environment(freed, "parallelism", parallelism)


def give_uids(pipeline: Pipeline, ids: Iterable[str]) -> Pipeline:
    """Give each of these transformations its id as uid, or the next free one, where it has none."""
    wanted = set(ids)
    used = {one.uid for one in pipeline.transformations if one.uid is not None}
    every = []
    for one in pipeline.transformations:
        if one.id in wanted and one.uid is None:
            uid = new_id(used, one.id)
            used.add(uid)
            every.append(msgspec.structs.replace(one, uid=uid))
        else:
            every.append(one)
    return msgspec.structs.replace(pipeline, transformations=tuple(every))
