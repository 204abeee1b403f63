"""How a plan's outputs spell a change, a side and what they leave out."""

from explorer.plans.record import PlanChange, PlanSide, plan_section
from explorer.plans.words import hidden_words, sentence, short_ids, side_words, values
from tests.many_cases import for_each

_ID = "90bea66de1c231edf33913ecd54406c1"


def _change(
    before: str | None, after: str | None, text: str = "", state_bytes: int | None = None
) -> PlanChange:
    return PlanChange(
        subject="slots", before=before, after=after, sentence=text, state_bytes=state_bytes
    )


def test_an_id_is_cut_and_another_number_is_not() -> None:
    assert short_ids(f"{_ID} is new") == "90bea66d… is new"
    assert short_ids(f"{_ID}0 and {_ID[:31]}") == f"{_ID}0 and {_ID[:31]}"


def test_values_name_both_sides_and_the_size_of_a_state() -> None:
    assert values(_change("2", "8")) == "2 → 8"
    assert values(_change(None, "8")) == "8"
    assert values(_change("2", None)) == "removed: 2"
    assert values(_change("keyed state", "restored", "", 3 * 2**20)) == (
        "keyed state → restored, 3 MiB"
    )
    assert values(_change(None, None)) == ""


def test_a_sentence_that_repeats_its_figure_is_left_out() -> None:
    assert sentence(_change("2", "8", "slots: 2 → 8.")) == ""
    assert sentence(_change("2", "8", "The job\nneeds more.")) == "The job\\nneeds more."


def test_a_side_is_named_once() -> None:
    document = PlanSide(read_from="words", release="2.2", job="words")
    saved = PlanSide(
        read_from="old.yaml", release=None, job="words", savepoint="sp-1", state_bytes=2048
    )

    assert side_words(document) == "Flink 2.2, words"
    assert side_words(saved) == (
        "words, Flink release not known, old.yaml, savepoint sp-1, 2 KiB of state"
    )


@for_each(
    ("read_from", "job", "words"),
    [
        ("_metadata", None, "Flink release not known, _metadata"),
        ("savepoint", None, "Flink release not known, savepoint"),
        ("old.yaml", "words", "words, Flink release not known, old.yaml, savepoint"),
        ("words", "words", "Flink release not known, words, savepoint"),
    ],
)
def test_a_savepoint_without_a_name_of_its_own_is_named_once(
    read_from: str, job: str | None, words: str
) -> None:
    side = PlanSide(read_from=read_from, release=None, job=job, savepoint="savepoint")

    assert side_words(side) == words


def test_hidden_lines_are_counted() -> None:
    many = [_change("1", str(turn)) for turn in range(12)]

    assert hidden_words(plan_section("graph", "", many[:3])) == ""
    assert hidden_words(plan_section("graph", "", many, many[:1])) == (
        "2 more changes and 1 unchanged line"
    )
