"""Classes of a release's tasks: each behaviour has the value of the newest change before it."""

from explorer.flink.releases import VERSIONS, release
from explorer.flink.tasks.task_classes import TASK_SWITCHES, task_classes
from tests.many_cases import for_each


@for_each("version", VERSIONS)
def test_a_release_has_the_newest_value_that_it_has_reached(version: str) -> None:
    made = task_classes(release(version))
    for name, row in TASK_SWITCHES.items():
        reached = [old for old in row.values if VERSIONS.index(old) <= VERSIONS.index(version)]

        assert getattr(made, name) == row.values[reached[-1]]


@for_each(
    ("version", "chain", "ends"),
    [
        ("1.9", "OperatorChain", "in turn"),
        ("1.10", "OperatorChain", "each"),
        ("1.13", "OperatorChain", "each"),
        ("1.14", "RegularOperatorChain", "finished"),
        ("2.3", "RegularOperatorChain", "finished"),
    ],
)
def test_chains_and_how_operators_end_changed_with_1_14(
    version: str, chain: str, ends: str
) -> None:
    found = task_classes(release(version))

    assert (found.chain, found.ends) == (chain, ends)


def test_a_behaviour_may_change_and_change_back() -> None:
    needs = {
        version: task_classes(release(version)).chained_sources_need_reuse for version in VERSIONS
    }

    assert [version for version, value in needs.items() if value] == ["1.12", "1.13"]


def test_a_release_is_looked_up_once() -> None:
    assert task_classes(release("1.20")) is task_classes(release("1.20"))
