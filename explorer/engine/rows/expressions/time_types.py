"""The types of times, which exist within an expression only.

Mirrors ``TimestampType`` of precision 3 and ``DateType``: a time is milliseconds since 1970-01-01,
without a zone, a date days since then; both lie in memory as LONGs do. A row has no such column.
"""

from enum import StrEnum
from typing import Final, TypeAlias

from explorer.model.row_type import ColumnType


class TimeType(StrEnum):
    """A type of values that no column holds."""

    TIMESTAMP = "TIMESTAMP"
    DATE = "DATE"


TIMESTAMP, DATE = TimeType.TIMESTAMP, TimeType.DATE
TIMES: Final = (TIMESTAMP, DATE)
Kind: TypeAlias = ColumnType | TimeType
"""The type of an expression or of a part of one."""
