"""Matches that the user chooses: what there is to choose, and that every place applies them."""

from typing import Any

import pytest

from explorer.comparison.baseline import Baseline, baseline_of, baseline_values, compile_baseline
from explorer.documents import load_document
from explorer.errors import DocumentError
from explorer.flink.compiler import compile_program
from explorer.restore.match_choices import MatchChoice, match_choices
from explorer.restore.verdict import RestoreVerdict, restore
from tests.comparison.captured_programs import captured, chain
from tests.many_cases import for_each

OLD = captured(chain("in:legacy_source", "m:map", "a:reduce", "out:sink"))
NEW = captured(chain("in:legacy_source", "m:map", "x:reduce", "a:reduce", "out:sink"))


def judged(matches: dict[str, str] | None = None) -> RestoreVerdict:
    document = load_document(NEW)
    baseline = Baseline(name="v1.json", document=load_document(OLD), matches=matches or {})
    return restore(baseline, document, compile_program(document))


def choice(matches: dict[str, str] | None = None) -> MatchChoice:
    (found,) = match_choices(judged(matches), matches or {})
    return found


def test_equally_good_operators_are_the_options_and_one_of_them_is_chosen() -> None:
    open_one = choice()
    first, second = open_one.options
    assert (open_one.chosen, first.equally_good, second.equally_good) == (None, True, True)
    assert open_one.old.operator_id is not None

    chosen = choice({open_one.old.operator_id: second.handle})

    assert chosen.chosen is not None
    assert chosen.chosen.operator_id == second.operator_id
    assert {one.operator_id for one in chosen.options} == {first.operator_id, second.operator_id}


def test_a_removed_operator_may_be_matched_with_a_new_one_that_has_state() -> None:
    def program(id: str, *first: str) -> dict[str, Any]:
        steps: list[dict[str, Any]] = [
            {"id": "s", "type": "source"},
            *({"id": each, "type": "map", "inputs": ["s"]} for each in first),
            {"id": "by", "type": "key_by", "inputs": [*first, "s"][:1]},
            {"id": id, "type": "reduce", "inputs": ["by"], "name": id},
            {"id": "o", "type": "sink", "inputs": [id]},
        ]
        return {"flink": "2.2", "transformations": steps}

    new = load_document(program("total", "clean"))
    old = Baseline(name="old", document=load_document(program("count")))

    (found,) = match_choices(restore(old, new, compile_program(new)), {})

    assert [one.handle for one in found.options] == ["clean", "total"]
    assert found.old.operator_id is not None
    matched = Baseline(
        name="old", document=old.document, matches={found.old.operator_id: found.options[1].handle}
    )
    (now,) = match_choices(restore(matched, new, compile_program(new)), matched.matches)
    assert now.chosen == found.options[1]


def test_a_document_holds_the_matches_with_its_baseline() -> None:
    baseline = Baseline(name="v1", document=load_document(OLD), matches={"a": "b"})
    document = load_document(NEW).with_baseline(baseline_values(baseline))
    again = baseline_of(document)
    assert again is not None
    assert again.matches == {"a": "b"}
    assert compile_baseline(again).matches == {"a": "b"}


@for_each("matches", [[], {"a": 1}, {"": "b"}, {"a": "b" * 5_000}, 7])
def test_other_matches_are_refused(matches: object) -> None:
    with pytest.raises(DocumentError, match=r"baseline\.matches"):
        load_document({**NEW, "baseline": {"name": "x", "document": OLD, "matches": matches}})
