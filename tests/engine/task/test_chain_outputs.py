"""Records that pass to the next operator of a chain, or to the outputs that a selector names."""

import msgspec
import numpy as np

from explorer.engine import plan
from explorer.engine.rows.batch import from_rows
from explorer.engine.rows.expressions.parser import compile_expression
from explorer.engine.task.chain_outputs import ChainingOutput, chosen_names, directed
from explorer.model.row_type import BOOLEAN, LONG, RowType
from tests.engine.task.jobs import NUMBERS, job_of, source

BATCH = from_rows(NUMBERS, [(1,), (2,), (3,), (4,)])


def selecting(*selectors: dict[str, str], row_type: RowType = NUMBERS) -> plan.Operator:
    """An operator with output selectors, each of names and conditions."""
    operator = job_of(source(1), {"id": "o", "type": "sink", "inputs": ["s"]}).tasks[0].operators[0]
    made = tuple(
        plan.OutputNames(
            row_type=row_type,
            conditions=tuple(
                (name, compile_expression(text, row_type, "where", BOOLEAN))
                for name, text in selector.items()
            ),
        )
        for selector in selectors
    )
    return msgspec.structs.replace(operator, selectors=made)


def test_a_name_is_given_by_any_selector() -> None:
    found = chosen_names(selecting({"even": "n % 2 = 0"}, {"even": "n = 1", "big": "n > 3"}), BATCH)

    assert {name: mask.tolist() for name, mask in found.items()} == {
        "even": [True, True, False, True],
        "big": [False, False, False, True],
    }


def test_a_selector_of_another_type_gives_no_names() -> None:
    assert chosen_names(selecting({"m": "m > 0"}, row_type=RowType.of(m=LONG)), BATCH) == {}


def test_an_output_emits_the_records_of_its_names() -> None:
    chosen = {"a": np.array([True, False, False, False]), "b": np.array([True, True, False, False])}

    assert directed(("a", "b"), chosen, BATCH).rows() == [[1], [2]]
    assert directed(("nobody",), chosen, BATCH).rows() == []
    assert directed(None, chosen, BATCH) is BATCH
    assert directed(("c",), {"c": np.ones(4, np.bool_)}, BATCH) is BATCH


def test_objects_that_are_reused_are_not_copied() -> None:
    output = ChainingOutput(1, 2, copies=False)

    assert output.push(BATCH) is BATCH
    assert (output.counters.records, output.counters.copied) == (4, 0)


def test_a_copy_has_the_values_in_memory_of_its_own() -> None:
    output = ChainingOutput(1, 2, copies=True)
    output.push(BATCH)
    copy = output.push(BATCH)

    assert copy.rows() == BATCH.rows()
    assert copy.columns[0].buffers()[1].address != BATCH.columns[0].buffers()[1].address
    counters = output.counters
    assert (counters.source, counters.target, counters.records, counters.copied) == (1, 2, 8, 8)
