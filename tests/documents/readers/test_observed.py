"""Settings of operators that imitate those of a running job."""

from explorer.documents.checks.synthetic_checks import MAX_COST, MAX_RATIO
from explorer.documents.readers.observed import Observed, imitations
from explorer.model.stream_graph import NodeId, Synthetic
from tests.many_cases import for_each


def operator(
    node: int, records_in: int | None, records_out: int | None, *, mixed: bool = False
) -> Observed:
    return Observed(node=NodeId(node), records_in=records_in, records_out=records_out, mixed=mixed)


def imitated(
    *chain: Observed, busy_ms: int | None = None, subtasks: int = 1, source: bool = False
) -> dict[int, Synthetic]:
    return dict(imitations(chain, busy_ms, subtasks=subtasks, source=source))


def test_the_head_spends_the_time_of_the_whole_task() -> None:
    found = imitated(operator(1, 1000, 1000), operator(2, 1000, 500), busy_ms=2000)

    assert found == {1: Synthetic(cost=2000.0), 2: Synthetic(records_out=0.5)}


def test_a_source_has_a_time_for_each_record_that_it_sends() -> None:
    found = imitated(operator(1, 0, 1000), operator(2, 1000, 3000), busy_ms=10, source=True)

    assert found == {1: Synthetic(cost=10.0), 2: Synthetic(records_out=3.0)}


@for_each(
    ("records_in", "records_out", "subtasks", "ratio"),
    [
        (100, 100, 1, None),
        (100, 98, 2, None),
        (100, 98, 1, 0.98),
        (10, 9, 1, 0.9),
        (1, 1000, 1, MAX_RATIO),
        (100, 0, 1, 0.0),
    ],
)
def test_a_record_in_hand_is_no_selectivity(
    records_in: int, records_out: int, subtasks: int, ratio: float | None
) -> None:
    found = imitated(operator(1, records_in, records_out), subtasks=subtasks)

    assert [one.records_out for one in found.values()] == ([] if ratio is None else [ratio])


def test_a_missing_count_is_not_imitated() -> None:
    assert imitated(operator(1, 0, 5), busy_ms=100) == {}
    assert imitated(operator(1, None, 5), busy_ms=100) == {}
    assert imitated(operator(1, 10, 5, mixed=True)) == {}
    assert imitated(operator(1, 1, 1), busy_ms=10**9) == {1: Synthetic(cost=MAX_COST)}
