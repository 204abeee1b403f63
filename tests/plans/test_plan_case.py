"""Both sides of a plan: the nodes are matched once, however many sections ask."""

from explorer.comparison.baseline import Baseline
from explorer.documents import as_document
from explorer.flink.compiler import compile_program
from explorer.plans.plan_computation import plan_case
from tests.plans.plans import COUNT, FILTERED, program


def test_the_nodes_are_matched_once() -> None:
    new = as_document(program(FILTERED))
    old = Baseline(name="old.yaml", document=as_document(program(COUNT)))
    case = plan_case(new, compile_program(new), old)

    assert [*case.matched] != []
    assert case.matched is case.matched
