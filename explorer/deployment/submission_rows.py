"""Steps between a command and running tasks, one row of ``submission_rows.toml`` each.

A row's call is the class and the method of Flink that do the step, by the release from which on
they do; a test asks the jars of every release whether they have them. ``{...}`` in a sentence is
one of the job's own numbers.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

import msgspec

Mode: TypeAlias = Literal["session", "application", "per-job"]
Cluster: TypeAlias = Literal["standalone", "YARN", "Kubernetes"]
MODES: Final[tuple[Mode, ...]] = get_args(Mode)
CLUSTERS: Final[tuple[Cluster, ...]] = get_args(Cluster)
SESSION, APPLICATION, PER_JOB = MODES
STANDALONE, YARN, KUBERNETES = CLUSTERS

_FILE: Final = Path(__file__).with_suffix(".toml")


class SubmissionRow(msgspec.Struct, frozen=True, kw_only=True):
    """A step, and the routes that have it."""

    who: tuple[str, ...]
    """The actor; and whom the call is sent to, where the actor does not execute the step itself."""
    call: str | Mapping[str, str]
    """``package.Class#method`` under ``org.apache.flink``, or by release; empty: no such step."""
    title: str
    sentence: str
    makes: str | None = None
    only: tuple[str, ...] = ()
    """The modes and the clusters that have it; every mode, every cluster where none is named."""
    starts_task_manager: bool = False

    def is_of(self, mode: str, cluster: str) -> bool:
        """Whether this route has the step, in a release that has it."""
        pair = (mode, MODES), (cluster, CLUSTERS)
        return all(item in self.only or set(every).isdisjoint(self.only) for item, every in pair)


@cache
def submission_rows() -> Mapping[str, tuple[SubmissionRow, ...]]:
    """By phase, the steps in their order."""
    return msgspec.toml.decode(_FILE.read_bytes(), type=dict[str, tuple[SubmissionRow, ...]])
