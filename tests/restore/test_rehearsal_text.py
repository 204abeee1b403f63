"""A rehearsal in the terminal, and the sentences about what it does not cover."""

from explorer.model.rehearsal import Rehearsal, RehearsedOperator, RehearsedState, Sandbox
from explorer.rehearsal.uncovered import unchecked_sentences
from explorer.restore.rehearsal_text import rehearsal_text
from explorer.savepoints import Savepoint

EMPTY = Savepoint(version=4, checkpoint_id=1, operators=(), master_states=(), path="sp")
GAP = "change files outside its folder"
OPEN = Sandbox(network=True, writes="anywhere", memory_bytes=1, disk_bytes=1, gaps=(GAP,))
IDLE = RehearsedOperator(
    operator_id="b9306f835fc194e9fd24bb7e9c29e111",
    name="Keep",
    uid="keep",
    verdict="not_asked_for",
    states=(
        RehearsedState(name="u", verdict="restored", entries_read=1),
        RehearsedState(name="v", verdict="not_asked_for"),
    ),
    new_states=("w",),
)


def test_the_text_leads_with_the_verdict() -> None:
    found = Rehearsal(
        verdict="incomplete",
        flink_version="1.20.5",
        backend="rocksdb",
        seconds=4.1,
        savepoint="sp",
        target="new.jar",
        operators=(IDLE,),
        unchecked=("Rescaling was not tried.",),
    )

    assert rehearsal_text(found).splitlines() == [
        "The rehearsal on Flink 1.20.5 is incomplete, state backend rocksdb, 4.1 s.",
        "Keep: not asked for  uid keep",
        "  u: restored, 1 entry read",
        "  v: not asked for",
        "  w: new, starts empty",
        "Not checked:",
        "  Rescaling was not tried.",
    ]


def test_a_state_that_is_not_asked_for_is_named_among_what_was_not_checked() -> None:
    (first, *_) = unchecked_sentences(EMPTY, [IDLE], "1.20.5", "rocksdb", None, "")

    assert first.startswith("'Keep' opened without asking for 'v': if it asks later")


def test_unconfined_writes_are_named() -> None:
    (*_, last) = unchecked_sentences(EMPTY, [], "1.20.5", None, OPEN, "")

    assert f"the program could {GAP}" in last
