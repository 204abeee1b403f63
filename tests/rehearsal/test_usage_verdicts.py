"""From what an operator did with restored state to a verdict: the state must cause a failure."""

import pytest

from explorer.model.rehearsal import OperatorVerdict
from explorer.rehearsal.requests import Cause, Failure, Reader, Usage
from explorer.rehearsal.usage_verdicts import reader_verdict, usage_verdict
from explorer.rehearsal.verdicts import failure_text
from tests.many_cases import for_each

CAST = Cause(kind="java.lang.ClassCastException", frames=("shop.Keep.processElement",))
OWN = Cause(kind="java.lang.IllegalStateException", frames=("shop.Keep.processElement",))
READ_ONLY = Cause(
    kind="java.io.FileNotFoundException",
    message="/var/x (Read-only file system)",
    frames=("java.io.FileOutputStream.open0", "shop.Keep.processElement"),
)
REFUSED = Cause(kind="java.net.ConnectException", frames=("shop.Keep.processElement",))


def used(
    cause: Cause | None = None,
    phase: str = "record",
    control: str = "passed",
    *,
    exact: bool = True,
    given: bool = False,
) -> Usage:
    failure = Failure(phase=phase, causes=(cause,)) if cause else None
    return Usage(ended=True, records=1, failure=failure, control=control, exact=exact, given=given)


def judged(
    usage: Usage, opened: OperatorVerdict = "restored", *, is_opaque: bool = False
) -> tuple[OperatorVerdict, str]:
    text = failure_text(usage.failure) if usage.failure else ""
    verdict, reason = usage_verdict(usage, opened, text, is_opaque=is_opaque)
    return verdict, reason or ""


def test_use_without_a_failure_leaves_the_verdict_of_open() -> None:
    assert judged(used()) == ("restored", "")
    assert judged(used(), "not_asked_for") == ("not_asked_for", "")


def test_a_value_of_another_type_is_a_refusal_and_names_the_step() -> None:
    verdict, reason = judged(used(CAST))

    assert verdict == "refused"
    assert reason == "java.lang.ClassCastException (when a record of a saved key was processed)"


@pytest.mark.parametrize("control", ["failed", "absent", "unfinished"])
def test_a_failure_that_the_control_may_have_too_is_none_of_the_state(control: str) -> None:
    verdict, reason = judged(used(CAST, control=control))

    assert verdict == "restored"
    assert reason.startswith("its records fail without restored state too")
    assert judged(used(CAST, control=control), is_opaque=True)[0] == "opened_not_used"


@pytest.mark.parametrize("cause", [READ_ONLY, REFUSED])
def test_an_action_that_the_sandbox_forbids_is_never_a_failure(cause: Cause) -> None:
    verdict, reason = judged(used(cause))

    assert verdict == "restored"
    assert reason.startswith("the sandbox may have caused this")
    assert judged(used(cause), is_opaque=True)[0] == "opened_not_used"


def test_a_given_record_of_another_type_is_named() -> None:
    verdict, reason = judged(used(OWN, "read", given=True))

    assert verdict == "opened_not_used"
    assert reason.startswith("a record of --records has another type")


def test_a_check_of_the_program_may_fail_with_made_up_records() -> None:
    assert judged(used(OWN))[0] == "opened_not_used"
    assert judged(used(OWN, given=True))[0] == "refused"
    assert judged(used(OWN, "timer", exact=True))[0] == "refused"
    assert judged(used(OWN, "timer", exact=False))[0] == "opened_not_used"
    assert judged(used(OWN, "checkpoint"))[0] == "refused"


@for_each(
    ("raised_in", "verdict"),
    [
        ("org.apache.flink.cep.nfa.NFA.isStartState", "refused"),
        ("com.esotericsoftware.kryo.Kryo.readObject", "refused"),
        ("org.apache.flink.util.Preconditions.checkState", "opened_not_used"),
        ("org.apache.flink.table.runtime.operators.rank.RankFunction.x", "opened_not_used"),
    ],
)
def test_flinks_own_code_decides_where_it_reads_state(raised_in: str, verdict: str) -> None:
    thrown = Cause(kind="java.lang.IllegalStateException", frames=(raised_in,))

    assert judged(used(thrown))[0] == verdict


def test_a_removed_stage_of_a_pattern_is_a_refusal() -> None:
    verdict, reason = judged(Usage(ended=True, missing_stages=("b", "c")))

    assert verdict == "refused"
    assert "'b' and 'c'" in reason
    assert "State b does not exist in the NFA" in reason


def test_windows_whose_contents_stay_are_opened_and_not_used() -> None:
    verdict, reason = judged(Usage(ended=True, timers=3, windows=2, left_windows=2))

    assert verdict == "opened_not_used"
    assert "the contents of 2 of 2 saved windows did not come out" in reason


def test_use_that_did_not_end_is_not_decided() -> None:
    assert judged(Usage(ended=False))[0] == "opened_not_used"


def test_content_that_serializers_do_not_show_must_be_used() -> None:
    idle = Usage(ended=True)

    assert judged(idle) == ("restored", "")
    assert judged(idle, is_opaque=True) == ("opened_not_used", "its content was not used")
    compared = Usage(ended=True, missing_stages=())
    assert judged(compared, is_opaque=True) == ("restored", "")


def test_a_reader_that_cannot_open_its_splits_here_is_remarked() -> None:
    opened = reader_verdict(Reader(), "restored", failure_text)
    absent = Reader(failure=Failure(phase="reader", causes=(REFUSED,)))
    other = Reader(failure=Failure(phase="reader", causes=(CAST,)))

    assert opened == ("restored", None, "its state was opened, no record was read")
    assert reader_verdict(absent, "restored", failure_text)[0] == "restored"
    assert "did not open the splits" in reader_verdict(absent, "restored", failure_text)[2]
    assert reader_verdict(other, "restored", failure_text)[0] == "refused"
