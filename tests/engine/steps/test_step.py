"""The base of all steps: what an operator must define."""

from typing import ClassVar

import pytest

from explorer.engine.steps.drop import Drop
from explorer.engine.steps.step import Emitted, Step, Traits


def test_a_step_without_all_parts_fails_when_its_module_is_imported() -> None:
    missing = "traits, work, explain_emission, explain_silence"
    with pytest.raises(TypeError, match=f"the step Half must define {missing}"):

        class Half(Step, frozen=True):
            verb: ClassVar = "does half of it"


def test_a_part_may_come_from_another_step() -> None:
    class Named(Drop, frozen=True):
        verb: ClassVar = "drops under a name of its own"

    assert Named().traits == Drop().traits


def test_a_step_changes_no_order_unless_it_declares_that() -> None:
    traits = Traits(order_sensitive=False, emits_each=True)

    assert not any((traits.rolls, traits.assigns_watermarks, traits.changes_rows))


def test_a_step_has_no_further_facts_unless_it_adds_them() -> None:
    assert Drop().facts(Emitted(tag=None, timestamp=None, rows=())) == ()
