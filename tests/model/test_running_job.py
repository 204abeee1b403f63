"""Whether a job that a cluster reports has ended."""

import pytest

from tests.comparison.recorded_jobs import RECORDED, job


@pytest.mark.parametrize("version", RECORDED)
def test_a_job_has_ended_in_a_state_without_return(version: str) -> None:
    running, cancelled = job(version).job, job(version, "cancelled").job

    assert (running.state, running.has_ended) == ("RUNNING", False)
    assert (cancelled.state, cancelled.has_ended) == ("CANCELED", True)
