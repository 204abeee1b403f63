"""State with content that serializers do not show, and a Kryo other than the one that wrote it."""

from explorer.model.rehearsal import OperatorVerdict, RehearsedOperator, RehearsedState
from explorer.model.serializer_types import SerializerType, TypeField
from explorer.rehearsal.opaque_state import judge_kryo, opaque_operators
from explorer.savepoints import OperatorState, Savepoint
from explorer.savepoints.saved_states import SavedState, StateSchema

KRYO = SerializerType(serializer="KryoSerializer", class_name="shop.Order")
LIST = SerializerType(serializer="ListSerializer", fields=(TypeField(type=KRYO),))
LONG = SerializerType(serializer="LongSerializer")


def saved(type: SerializerType) -> Savepoint:
    state = SavedState(name="v", backend="keyed", kind="VALUE", value=type)
    operator = OperatorState(
        operator_id="a" * 32,
        name=None,
        uid=None,
        parallelism=1,
        max_parallelism=128,
        coordinator_bytes=None,
        fully_finished=False,
        subtasks=(),
        schema=StateSchema(states=(state,)),
    )
    return Savepoint(version=4, checkpoint_id=1, operators=(operator,), master_states=(), path="sp")


def judged(type: SerializerType, verdict: OperatorVerdict, flink: str) -> RehearsedOperator:
    operator = RehearsedOperator(
        operator_id="a" * 32,
        name="Keep",
        uid=None,
        verdict=verdict,
        states=(RehearsedState(name="v", verdict=verdict),),
        error="EOFException" if verdict == "refused" else None,
    )
    (found,) = judge_kryo(saved(type), [operator], ("1.19", "1.20"), flink)
    return found


def test_state_within_a_list_of_kryo_is_opaque() -> None:
    assert opaque_operators(saved(LIST)) == {"a" * 32}
    assert opaque_operators(saved(LONG)) == frozenset()


def test_another_kryo_names_the_reason_of_a_refusal() -> None:
    assert judged(LIST, "refused", "2.2.1").error == (
        "EOFException; Kryo 2 wrote its state, in another form than that of Kryo 5 in Flink 2.2.1"
    )
    assert judged(LIST, "refused", "1.20.5").error == "EOFException"


def test_state_of_another_kryo_is_never_restored() -> None:
    found = judged(KRYO, "restored", "2.2.1")

    assert (found.verdict, found.states[0].verdict) == ("opened_not_used", "opened_not_used")
    assert "may be wrong" in (found.error or "")
    assert judged(KRYO, "restored", "1.20.5").verdict == "restored"
    assert judged(LONG, "restored", "2.2.1").verdict == "restored"
