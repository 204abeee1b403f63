"""From what a JVM observed to a verdict: where an exception arose decides."""

import pytest

from explorer.model.rehearsal import RehearsedOperator
from explorer.rehearsal.requests import Cause, Failure, JobFacts, RehearsalOperator
from explorer.rehearsal.verdicts import (
    backend_name,
    failure_text,
    operator_verdicts,
    overall_verdict,
)
from tests.many_cases import for_each

ID = "b9306f835fc194e9fd24bb7e9c29e111"
MIGRATION = Cause(
    kind="org.apache.flink.util.StateMigrationException",
    message="The new key serializer (a.B@253fcf5b) must be compatible",
    frames=("org.apache.flink.runtime.state.heap.HeapRestoreOperation.restore",),
)
LOST = Cause(kind="java.io.FileNotFoundException", message="/sp/1 (No such file or directory)")
BUILDING = Cause(kind="org.apache.flink.runtime.state.BackendBuildingException", message="Failed")
UNREACHABLE = Cause(
    kind="java.net.ConnectException",
    message="Network is unreachable",
    frames=("java.net.Socket.connect", "shop.Prices.open"),
)
OWN_BUG = Cause(kind="java.lang.NullPointerException", frames=("shop.Prices.open",))


def facts(
    role: str = "operator",
    task: str = "running",
    restored: tuple[str, ...] = ("v",),
    asked: tuple[str, ...] = ("v",),
    migrated: tuple[str, ...] = (),
    failure: Failure | None = None,
) -> RehearsalOperator:
    return RehearsalOperator(
        node=2,
        operator_id=ID,
        name="Keep",
        uid="keep",
        role=role,
        task=task,
        restored=restored,
        asked=asked,
        migrated=migrated,
        entries={"v": 50},
        failure=failure,
    )


def decided(
    one: RehearsalOperator, job_failure: Failure | None = None, *, timeout: bool = False
) -> RehearsedOperator:
    job = JobFacts(operators=(one,), job_failure=job_failure, timeout=timeout)
    return operator_verdicts(job, {ID: "the savepoint was moved"}, {ID: ("v",)})[0]


def failed(phase: str, *causes: Cause, state: str | None = None) -> RehearsedOperator:
    return decided(facts(task="failed", failure=Failure(phase=phase, state=state, causes=causes)))


def test_a_running_operator_restored_what_it_asked_for() -> None:
    found = decided(facts())

    assert (found.verdict, found.error) == ("restored", None)
    assert [(one.name, one.verdict, one.entries_read) for one in found.states] == [
        ("v", "restored", 50)
    ]


def test_a_migrated_state_makes_the_operator_migrated() -> None:
    found = decided(facts(restored=("u", "v"), asked=("u", "v"), migrated=("v",)))

    assert found.verdict == "migrated"
    assert [one.verdict for one in found.states] == ["restored", "migrated"]


def test_a_state_that_is_not_asked_for_is_never_restored() -> None:
    found = decided(facts(asked=("w",)))

    assert (found.verdict, found.new_states) == ("not_asked_for", ("w",))
    assert overall_verdict(None, [found]) == "incomplete"


@for_each("phase", ["keyed state", "operator state", "state", "entry"])
def test_an_exception_of_a_backend_is_a_refusal(phase: str) -> None:
    found = failed(phase, BUILDING, MIGRATION, state="v" if phase == "state" else None)

    assert found.verdict == "refused"
    assert found.error == (
        "org.apache.flink.util.StateMigrationException: "
        "The new key serializer (a.B) must be compatible"
    )
    assert overall_verdict(None, [found]) == "refused"


def test_an_exception_of_user_code_leaves_the_verdict_on_its_state_open() -> None:
    found = failed("task", OWN_BUG)

    assert (found.verdict, found.caused_by_sandbox) == ("could_not_open", False)
    assert [one.verdict for one in found.states] == ["restored"]
    assert overall_verdict(None, [found]) == "refused"


def test_an_exception_that_the_sandbox_may_cause_leaves_the_verdict_open() -> None:
    found = failed("task", UNREACHABLE)

    assert (found.verdict, found.caused_by_sandbox) == ("could_not_open", True)
    assert overall_verdict(None, [found]) == "incomplete"


@pytest.mark.parametrize(
    ("method", "verdict"),
    [
        ("streaming.api.operators.AbstractStreamOperator.initializeState", "refused"),
        ("streaming.api.operators.async.AsyncWaitOperator.open", "could_not_open"),
        ("runtime.execution.librarycache.BlobLibraryCacheManager.register", "not_rehearsed"),
    ],
)
def test_an_exception_of_flink_in_a_task_is_judged_by_its_method(method: str, verdict: str) -> None:
    thrown = Cause(kind="java.lang.IllegalStateException", frames=(f"org.apache.flink.{method}",))

    assert failed("task", thrown).verdict == verdict


def test_a_lost_file_is_missing_data_only_while_a_backend_restores() -> None:
    found = failed("keyed state", BUILDING, LOST)

    assert found.verdict == "data_missing"
    assert (found.error or "").endswith("; the savepoint was moved")
    assert failed("task", LOST, OWN_BUG).verdict == "could_not_open"


@pytest.mark.parametrize("role", ["source", "sink"])
def test_sources_and_sinks_are_not_rehearsed_and_do_not_decide(role: str) -> None:
    found = decided(facts(role=role, task="unknown", restored=(), asked=()))

    assert found.verdict == "not_rehearsed"
    assert overall_verdict(None, [found]) == "restored"


def test_an_operator_without_an_answer_leaves_the_verdict_open() -> None:
    late = decided(facts(task="unknown"), timeout=True)
    stopped = decided(facts(task="unknown"), Failure(phase="job", causes=(OWN_BUG,)))

    assert "--timeout" in (late.error or "")
    assert stopped.error == "java.lang.NullPointerException"
    assert overall_verdict(None, [late]) == overall_verdict(None, [stopped]) == "incomplete"


def test_a_backend_that_shows_no_restored_state_is_not_believed() -> None:
    found = decided(facts(restored=(), asked=("v",)))

    assert found.verdict == "not_rehearsed"
    assert overall_verdict(None, [found]) == "incomplete"


def test_refused_ids_refuse_whatever_the_operators_did() -> None:
    assert overall_verdict("Failed to rollback", [decided(facts())]) == "refused"


def test_a_long_message_is_cut_and_one_without_causes_is_named() -> None:
    long = Failure(phase="task", causes=(Cause(kind="E", message="x" * 5_000),))

    assert len(failure_text(long)) < 700
    assert "without an exception" in failure_text(Failure(phase="task"))


def test_backends_have_the_names_of_flinks_options() -> None:
    forst = "org.apache.flink.state.forst.ForStStateBackend"

    assert backend_name(forst) == "forst"
    assert backend_name("shop.OwnBackend") == "OwnBackend"
