"""The functions of times: one for each part, unit and pair of types."""

from explorer.engine.rows.expressions.ir import DATE, TIMESTAMP
from explorer.engine.rows.expressions.time_functions import TIME_FUNCTIONS
from explorer.engine.rows.expressions.times import COUNTED, FLOORED, PARTS
from explorer.model.row_type import LONG, STRING
from tests.many_cases import for_each

BY_NAME = {function.name: function for function in TIME_FUNCTIONS}


def test_no_name_belongs_to_two_functions() -> None:
    assert len(BY_NAME) == len(TIME_FUNCTIONS)


def test_every_part_is_extracted_of_both_types() -> None:
    for part in PARTS:
        for kind in (TIMESTAMP, DATE):
            function = BY_NAME[f"extract {part} {kind}"]
            assert (function.params, function.result) == (((kind,),), LONG)


def test_every_unit_is_floored_or_counted() -> None:
    assert all({f"floor {unit}", f"ceil {unit}"} <= BY_NAME.keys() for unit in FLOORED)
    for unit in COUNTED:
        assert BY_NAME[f"timestampadd {unit}"].result is TIMESTAMP
        assert BY_NAME[f"timestampdiff {unit}"].result is LONG


def test_a_list_names_those_that_are_written_like_functions() -> None:
    assert {name for name, function in BY_NAME.items() if not function.symbol} == {
        "to_timestamp",
        "to_date",
        "to_timestamp_ltz",
        "from_unixtime",
        "date_format",
    }


@for_each(
    ("name", "values", "says"),
    [
        ("to_timestamp_ltz", [3], ""),
        ("to_timestamp_ltz", [6], "takes 0 or 3 digits, and not 6"),
        ("date_format", ["yyyy"], ""),
        ("date_format", ["EEE"], "date_format knows"),
        ("from_unixtime", [], ""),
    ],
)
def test_the_value_of_a_literal_is_checked(name: str, values: list[object], says: str) -> None:
    check = BY_NAME[name].problem

    assert check is not None
    assert bool(check(values)) == bool(says)
    assert says in check(values)


def test_a_cast_is_named_by_both_types() -> None:
    assert BY_NAME["cast STRING DATE"].params == ((DATE,),)
    assert BY_NAME["try_cast TIMESTAMP STRING"].params == ((STRING,),)
    assert "try_cast STRING DATE" not in BY_NAME
