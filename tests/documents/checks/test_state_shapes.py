"""Shapes of keyed state: their fields, and the columns that they add."""

from explorer.documents.checks.state_shapes import MAX_TOP, SHAPES, added_column, check_state
from explorer.model.pipeline import KeyedState
from explorer.model.row_type import DOUBLE, LONG
from tests.many_cases import for_each

GIVEN = {"column": "n", "size": 3, "gap": 5}


def state(shape: str, **members: object) -> KeyedState:
    return KeyedState(shape=shape, **members)  # type: ignore[arg-type]


def problem(given: KeyedState) -> str:
    found = check_state(given)
    return ": ".join(found) if found else ""


@for_each("shape", SHAPES)
def test_a_shape_accepts_the_fields_that_it_needs(shape: str) -> None:
    needs = SHAPES[shape].needs  # type: ignore[index]
    fields = {field: GIVEN[field] for field in needs}

    assert problem(state(shape, **fields)) == ""
    for field in needs:
        rest = {name: value for name, value in fields.items() if name != field}
        assert problem(state(shape, **rest)) == (
            f"state.{field}: is missing; the shape {shape} needs it"
        )


def test_a_field_of_another_shape_is_refused() -> None:
    assert problem(state("count", column="n")) == "state.column: the shape count takes as only"
    assert (
        problem(state("deduplicate", as_="x"))
        == "state.as: the shape deduplicate takes column only"
    )


def test_sizes_have_bounds() -> None:
    assert problem(state("top", column="n", size=MAX_TOP)) == ""
    assert "state.size: must be 1 to 1000" in problem(state("top", column="n", size=MAX_TOP + 1))
    assert "state.gap: must be at least 1" in problem(state("pause", gap=0))
    assert problem(state("last", column="")) == "state.column: must name a column"


def test_a_shape_adds_a_column_under_its_name_or_a_given_one() -> None:
    assert added_column(state("count"), None) == ("count", LONG)
    assert added_column(state("total", column="x", as_="sum"), DOUBLE) == ("sum", DOUBLE)
    assert added_column(state("top", column="x", size=3), DOUBLE) == ("rank", LONG)
    assert added_column(state("deduplicate"), DOUBLE) is None
