"""The strategies keep up with the model: a new type or field must be drawn too."""

import msgspec

from explorer.documents.checks.field_checks import VALUE_CHECKS
from explorer.documents.limits import MAX_ID
from explorer.flink.kinds import KINDS
from explorer.model.pipeline import Transformation
from tests.strategies import FIELDS_DRAWN


def test_every_field_of_every_type_is_drawn() -> None:
    fields = {field for kind in KINDS.values() for field in kind.allowed_fields}

    assert fields | {"id", "type"} == FIELDS_DRAWN


def test_every_field_belongs_to_some_type_and_every_check_to_a_field() -> None:
    fields = {field.encode_name for field in msgspec.structs.fields(Transformation)}
    allowed = {field for kind in KINDS.values() for field in kind.allowed_fields}

    assert allowed | {"id", "type"} == fields
    assert set(VALUE_CHECKS) <= fields
    assert max(map(len, fields)) <= MAX_ID
