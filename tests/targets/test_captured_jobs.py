"""Jobs of a captured program, by name or by number."""

import pytest

from explorer.errors import ExplorerError
from explorer.targets.captured_jobs import job_called, only_job

FIRST, SECOND, THIRD = ({"name": name, "turn": turn} for turn, name in enumerate("aab"))
JOBS = (FIRST, SECOND, THIRD)


@pytest.mark.parametrize(("job", "wanted"), [("b", THIRD), ("1", FIRST), ("2", SECOND)])
def test_a_job_is_named_or_numbered(job: str, wanted: dict[str, object]) -> None:
    assert job_called(JOBS, job) is wanted


@pytest.mark.parametrize(
    ("job", "says"),
    [
        ("a", "several jobs are named 'a'; the jobs are 1 'a', 2 'a' and 3 'b'"),
        ("4", "there is no job '4'"),
        ("0", "there is no job '0'"),
    ],
)
def test_a_name_of_no_single_job_is_refused(job: str, says: str) -> None:
    with pytest.raises(ExplorerError, match=says):
        job_called(JOBS, job)


def test_only_one_job_needs_no_name() -> None:
    assert only_job([THIRD], "x.sql", "write all") is THIRD
    with pytest.raises(ExplorerError, match=r"x\.sql has 2 jobs: 1 'a' and 2 'a'; pick one"):
        only_job(JOBS[:2], "x.sql", "write all")
    with pytest.raises(ExplorerError, match=r"x\.sql has 0 jobs; pick one"):
        only_job([], "x.sql", "write all")
