"""Mutants of code, by which the power of the tests is measured."""

from pathlib import Path

import pytest

from benchmarks.mutants.__main__ import SLOWER_TESTS, Mutant, package_tests, slower_tests
from benchmarks.mutants.mutations import mutations

SOURCE = """
def grows(sizes: "list[int]", least: int = 2) -> bool:
    if not sizes or (first := sizes[0]) is None:
        return False
    while first:
        first -= 1
    return f"{least == 1}" and "ü" and first < least
"""


def test_comparisons_constants_and_branches_are_changed_and_nothing_else() -> None:
    changed = {(mutation.line, mutation.before, mutation.after) for mutation in mutations(SOURCE)}

    assert changed == {
        (2, "2", "3"),
        (
            3,
            "not sizes or (first := sizes[0]) is None",
            "not sizes and (first := sizes[0]) is None",
        ),
        (3, "not sizes", "sizes"),
        (3, "0", "1"),
        (3, "(first := sizes[0]) is None", "(first := sizes[0]) is not None"),
        (4, "False", "True"),
        (5, "first", "not first"),
        (6, "1", "2"),
        (
            7,
            "f'{least == 1}' and 'ü' and (first < least)",
            "f'{least == 1}' or 'ü' or first < least",
        ),
        (7, "first < least", "first <= least"),
    }


def test_a_mutant_is_the_source_with_that_expression_alone_changed() -> None:
    for mutation in mutations(SOURCE):
        mutated = mutation.applied_to(SOURCE)
        places = zip(SOURCE.splitlines(), mutated.splitlines(), strict=True)

        assert [n for n, (old, new) in enumerate(places, 1) if old != new] == [mutation.line]
        compile(mutated, "mutated", "exec")
    (compared,) = (one for one in mutations(SOURCE) if one.before == "first < least")
    assert 'and "ü" and (first <= least)' in compared.applied_to(SOURCE)


def test_the_tests_that_mirror_a_module_judge_its_mutants_first() -> None:
    mutation = next(mutations(SOURCE))
    mirrored, other = "tests/flink/test_rules.py::test_a", "tests/flink/test_more_rules.py::test_b"

    mutant = Mutant("explorer/flink/rules.py", mutation, (other, mirrored, "tests/flink"))
    assert mutant.parts == ((mirrored,), (other, "tests/flink"))


@pytest.mark.parametrize(
    ("module", "folders"),
    [
        ("explorer/flink/passes/generation/taggers.py", ("tests/flink/passes/generation",)),
        ("explorer/restore/verdict.py", ("tests/restore",)),
        ("components/deploy/strip.py", ("tests/components", "tests/pages")),
    ],
)
def test_what_runs_on_import_is_left_to_the_tests_of_its_package(
    module: str, folders: tuple[str, ...]
) -> None:
    assert package_tests(module, Path(__file__).parents[1]) == folders


def test_what_all_quick_tests_pass_is_left_to_the_journeys_of_its_place() -> None:
    found = {place: slower_tests(f"{place}some/module.py") for place in SLOWER_TESTS}
    root = Path(__file__).parents[1]

    assert found["components/learn/"] == ("tests/journeys/test_lessons.py",)
    assert [test for tests in found.values() for test in tests if not (root / test).exists()] == []
    assert slower_tests("explorer/flink/rules.py") == ()
