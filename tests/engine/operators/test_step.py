"""A step that lacks a part cannot be defined."""

import pytest

from explorer.engine.operators.step import Step


def test_the_parts_that_a_step_lacks_are_named() -> None:
    with pytest.raises(TypeError, match="the step Half must define work, passed, ended, verb"):

        class Half(Step, frozen=True, kw_only=True):
            @property
            def traits(self) -> object:  # type: ignore[override] # it never runs
                return None
