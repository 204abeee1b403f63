"""A stand-in for a function of which only figures are known."""

from hypothesis import given
from hypothesis import strategies as st

from explorer.engine.rows.batch import from_rows
from explorer.engine.steps.step_work import SubtaskContext
from explorer.engine.steps.synthesize import MILLION, Synthesize
from explorer.model.row_type import LONG, RowType

ROW = RowType.of(n=LONG)


def emitted(ratio: int, share: SubtaskContext, sizes: list[int]) -> int:
    """Records out for batches of so many records."""
    work = Synthesize(outputs=((None, ratio),), cost=0.0).work("f", ROW, share)
    batches = [from_rows(ROW, [[n] for n in range(size)]) for size in sizes]
    return sum(len(batch) for one in batches for _, batch in work.process(one))


@given(st.integers(0, 3 * MILLION), st.lists(st.integers(1, 20), max_size=5))
def test_the_number_of_records_does_not_depend_on_batches(ratio: int, sizes: list[int]) -> None:
    alone = SubtaskContext(0, 1, {})

    assert emitted(ratio, alone, sizes) == sum(sizes) * ratio // MILLION
    assert emitted(ratio, alone, [1] * sum(sizes)) == emitted(ratio, alone, sizes)


@given(st.integers(0, 3 * MILLION), st.integers(1, 5), st.integers(0, 12))
def test_subtasks_with_equal_input_emit_the_records_of_one(
    ratio: int, parallelism: int, n: int
) -> None:
    together = sum(
        emitted(ratio, SubtaskContext(at, parallelism, {}), [n] if n else [])
        for at in range(parallelism)
    )

    assert together == n * parallelism * ratio // MILLION
