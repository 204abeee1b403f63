"""The reason for a record's channel, number by number."""

from explorer.engine.rows.batch import from_rows
from explorer.engine.task.choices import choice, key_choice
from explorer.model.row_type import LONG, STRING, RowType
from tests.engine.task.facts import facts
from tests.engine.task.jobs import NUMBERS, edge
from tests.many_cases import for_each

WORDS = RowType.of(w=STRING)
ONE = from_rows(NUMBERS, [(7,)])


def test_a_key_leads_to_the_subtask_that_flink_printed() -> None:
    reported = [fact for fact in facts("key_groups") if fact["type"] == "STRING"]
    for fact in reported:
        hashed = edge(
            "HASH",
            1,
            fact["parallelism"],
            WORDS,
            keys=("w",),
            max_parallelism=fact["max_parallelism"],
        )
        found = key_choice(hashed, from_rows(WORDS, [("other",), (fact["key"],)]), 1)

        assert (found.hash_code, found.key_group, found.operator_index) == (
            fact["java_hash_code"],
            fact["key_group"],
            fact["operator_index"],
        )
        assert found.murmur % fact["max_parallelism"] == fact["key_group"]


def test_a_keys_sentence_has_every_number() -> None:
    hashed = edge("HASH", 1, 2, WORDS, keys=("w",))
    found = choice(hashed, 0, 1, from_rows(WORDS, [("hello",)]), 0)

    assert found.keyed is not None
    assert found.why == found.keyed.sentence
    assert found.why.startswith("The key is 'hello'. Its hashCode() is 99162322, of which murmur")
    assert f"is key group {found.keyed.key_group}." in found.why


def test_a_key_of_several_columns_is_in_brackets() -> None:
    both = RowType.of(w=STRING, n=LONG)
    hashed = edge("HASH", 1, 2, both, keys=("w", "n"))

    assert key_choice(hashed, from_rows(both, [("a", 1)]), 0).key == "('a', 1)"


@for_each(
    ("partitioner", "consumers", "says"),
    [
        ("BROADCAST", 3, "BROADCAST sends every record through all 3 channels."),
        ("REBALANCE", 1, "REBALANCE has a single channel here, so there is nothing to choose."),
        ("REBALANCE", 3, "after channel 0 comes channel 1 of 3."),
        ("RESCALE", 3, "this record goes to channel 1."),
        ("SHUFFLE", 3, "SHUFFLE draws a channel by lot for each record: 1 of 3."),
        ("GLOBAL", 3, "GLOBAL sends every record through channel 1, whatever the other 2 wait"),
        ("CUSTOM", 3, "modulo 3 channels, stands in for it and gives 1."),
        ("FORWARD", 3, "REBALANCE distributes records round-robin"),
    ],
)
def test_a_partitioner_explains_its_choice(partitioner: str, consumers: int, says: str) -> None:
    channel = 0 if consumers == 1 else 1
    found = choice(edge(partitioner, 1, consumers), 0, channel, ONE, 0)

    assert says in found.why
    assert found.partitioner == partitioner
    every_consumer = tuple(range(consumers))
    assert found.consumers == (every_consumer if partitioner == "BROADCAST" else (channel,))
