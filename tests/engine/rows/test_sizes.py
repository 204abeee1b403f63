"""The bytes that may still be created from one batch."""

import pytest

from explorer.engine.rows.sizes import WORK_BYTES, BatchTooLargeError, Budget


def test_spent_bytes_are_subtracted_and_checked_bytes_are_not() -> None:
    budget = Budget()
    budget.check(WORK_BYTES)
    budget.spend(WORK_BYTES - 10)

    budget.check(10)
    with pytest.raises(BatchTooLargeError, match="11 bytes, and 10 are left"):
        budget.spend(11)
    budget.spend(10)
    with pytest.raises(BatchTooLargeError):
        budget.check(1)
