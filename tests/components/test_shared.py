"""Documents and compilations that sessions share."""

import gc
import json
from pathlib import Path
from weakref import ref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.compile.pipelines import SHAPES, document
from components.session import shared
from components.session.compiled import (
    CompileOutcome,
    RecentOutcomes,
    compile_document,
    outcome_bytes,
)
from explorer.documents import load_document
from explorer.documents.samples import samples
from explorer.errors import DocumentError
from tests.deep_size import deep_size

CONTENT = json.dumps(document(SHAPES[0], 3)).encode()


def test_equal_content_of_one_name_is_one_document_and_one_compilation() -> None:
    first, second = shared.parse(CONTENT, "a.json"), shared.parse(bytes(CONTENT), "a.json")

    assert first is second
    assert compile_document(first) is compile_document(second)


def test_another_content_or_name_is_another_document() -> None:
    first = shared.parse(CONTENT, "a.json")

    assert shared.parse(CONTENT, "b.json") is not first
    assert shared.parse(CONTENT + b" ", "a.json") is not first


def test_an_object_that_no_session_holds_is_freed() -> None:
    document = shared.parse(CONTENT, "freed.json")
    compiled = compile_document(document)
    freed = ref(document), ref(compiled)
    del document, compiled
    gc.collect()

    assert [one() for one in freed] == [None, None]


def test_a_file_that_changed_is_parsed_again(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(CONTENT)
    first = shared.load(path)
    path.write_bytes(json.dumps(document(SHAPES[0], 4)).encode())

    assert shared.load(path).parts == first.parts + 1


def test_a_refused_document_is_refused_for_each_session() -> None:
    for _ in range(2):
        with pytest.raises(DocumentError):
            shared.parse(b"{}", "a.json")


def test_equal_edits_of_one_document_are_one_document() -> None:
    opened = shared.parse(CONTENT, "a.json")
    first = shared.equal_document(opened.with_chaining(on=False))
    second = shared.equal_document(opened.with_chaining(on=False))

    assert first is second
    assert shared.equal_document(opened.with_chaining(on=True)) is not first


def test_every_kind_of_document_is_shared_after_an_edit() -> None:
    for sample in samples():
        document = shared.load(sample.path)
        edits = [document.with_baseline({"name": "one"}) for _ in range(2)]

        assert shared.equal_document(edits[0]) is shared.equal_document(edits[1]), sample.key


def outcome_of(parts: int) -> CompileOutcome:
    return compile_document(load_document(document(SHAPES[0], parts)))


OUTCOMES = [outcome_of(parts) for parts in (1, 5, 20)]
MOST_BYTES = 4 * outcome_bytes(OUTCOMES[0])


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from("abc"), st.booleans()), max_size=30))
def test_outcomes_that_sessions_left_never_exceed_their_bytes(
    steps: list[tuple[int, str, bool]],
) -> None:
    recent = RecentOutcomes(MOST_BYTES)
    for number, owner, has_answers in steps:
        recent.retain(OUTCOMES[number], owner)
        if has_answers:
            recent.add_answers(OUTCOMES[number].document, ["a drawing"])

        assert recent.bytes_retained() == sum(left.bytes_held for left in recent.outcomes())
        assert 0 <= recent.bytes_retained() <= MOST_BYTES


def test_one_visitor_takes_no_share_of_another() -> None:
    recent = RecentOutcomes(MOST_BYTES)
    recent.retain(OUTCOMES[0], "quiet")
    for outcome in [outcome_of(1) for _ in range(9)]:
        recent.retain(outcome, "busy")

    owners = [left.owner for left in recent.outcomes()]
    assert owners == ["quiet", "busy", "busy", "busy"]


def test_answers_stay_with_their_outcome_and_a_large_one_has_none() -> None:
    small, large = OUTCOMES[0], OUTCOMES[2]
    recent = RecentOutcomes(2 * outcome_bytes(large))
    recent.add_answers(small.document, ["of an outcome that no session left"])
    for outcome in (small, large):
        recent.retain(outcome, "a")
        recent.add_answers(outcome.document, [f"made of {outcome.document}"])

    assert [(left.outcome is small, bool(left.answers)) for left in recent.outcomes()] == [
        (True, True),
        (False, False),
    ]
    recent.retain(small, "b")
    assert not any(left.answers for left in recent.outcomes())


def test_an_outcome_counts_at_least_as_many_bytes_as_it_holds() -> None:
    for sample in samples():
        outcome = compile_document(shared.load(sample.path))

        assert deep_size(outcome) <= outcome_bytes(outcome) <= 8 * deep_size(outcome), sample.key
    assert deep_size(OUTCOMES[-1]) <= outcome_bytes(OUTCOMES[-1])
