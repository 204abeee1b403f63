"""Row types that a document writes."""

import pytest

from explorer.model.row_type import SchemaError, parse_schema
from tests.many_cases import for_each

BAD_SCHEMAS = [
    ("n", "write name TYPE"),
    ("", "write name TYPE"),
    ("n LONGS", "did you mean 'LONG'"),
    ("n LONG, n STRING", "column 'n' is named twice"),
    ("n LONG,", "write name TYPE"),
]


@for_each(("text", "problem"), BAD_SCHEMAS)
def test_a_schema_that_is_none_is_refused(text: str, problem: str) -> None:
    with pytest.raises(SchemaError, match=problem):
        parse_schema(text)
