"""What a cluster told of a submitted job as a whole; there is nothing to edit."""

from collections.abc import Iterator
from typing import Final

import streamlit as st

from components.compiled import Compiled
from components.pieces import fields, hint, section
from components.work import Work
from explorer.documents import JobGraphDocument
from explorer.model.running_job import RunningJob

HINT: Final = (
    "A submitted job, as its cluster tells it: its tasks name their operators, and no more of its "
    "program is known."
)
MOST: Final = 100
"""Settings that are listed."""


def show(_work: Work, document: JobGraphDocument, _done: Compiled) -> None:
    """Draw the job's ID, state and settings."""
    facts = list(_facts(document.job))[:MOST]
    st.html(section("Submitted job") + hint(HINT) + fields(facts))


def _facts(job: RunningJob) -> Iterator[tuple[str, str]]:
    told = (("job ID", job.id), ("state", job.state), ("type", job.type), ("Flink", job.version))
    yield from ((name, value) for name, value in told if value is not None)
    yield from job.configuration.items()
