"""Records of planned operators: row types, messages and the order of steps."""

import pytest

from explorer.engine.operators.collect import Collect
from explorer.engine.steps.drop import Drop
from explorer.engine.steps.planned import Arriving, distinct_types, each, given_type, where
from explorer.model.pipeline import Transformation
from explorer.model.row_type import LONG, STRING, RowType, SchemaError

MAP = Transformation(id="m", type="map", inputs=("s",))
ONE, TWO = RowType.of(k=STRING), RowType.of(n=LONG)


def test_each_row_type_is_listed_once_in_the_order_of_arrival() -> None:
    assert distinct_types([TWO, ONE, TWO]) == (TWO, ONE)


def test_a_row_type_has_the_columns_in_their_order() -> None:
    assert given_type(MAP, (("k", STRING), ("n", LONG))) == RowType.of(k=STRING, n=LONG)


def test_a_repeated_column_is_refused_with_the_transformation() -> None:
    with pytest.raises(SchemaError, match=r"transformation 'm': .*'k'"):
        given_type(MAP, (("k", STRING), ("k", LONG)))


def test_every_row_type_that_arrives_has_its_step() -> None:
    arriving = [Arriving(input=0, row_type=ONE), Arriving(input=1, row_type=TWO)]
    steps = [Drop(), Collect(row_type=0, limit=None)]

    assert each(arriving, steps).steps == ((0, ONE, steps[0]), (1, TWO, steps[1]))
    with pytest.raises(ValueError, match="zip"):
        each(arriving, steps[:1])


def test_a_message_names_the_transformation_and_the_field() -> None:
    assert where(MAP, "select.n") == "transformation 'm', select.n"
