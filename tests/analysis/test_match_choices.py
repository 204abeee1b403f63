"""Matches that the user chooses: what there is to choose, and that every place applies them."""

import json
from pathlib import Path
from typing import Any

import pytest

from explorer.analysis.baseline import Baseline, baseline_of, baseline_values, compile_baseline
from explorer.analysis.checks import check_document
from explorer.analysis.match_choices import MatchChoice, match_choices
from explorer.analysis.redeploy import Redeployment, redeploy
from explorer.analysis.release_changes import document_change
from explorer.analysis.restore_text import REHEARSE, redeployment_text
from explorer.cli.main import main
from explorer.documents import load_document
from explorer.errors import DocumentError
from explorer.flink.compiler import compile_program
from tests.analysis.test_matching import captured, chain

OLD = captured(chain("in:legacy_source", "m:map", "a:reduce", "out:sink"))
NEW = captured(chain("in:legacy_source", "m:map", "x:reduce", "a:reduce", "out:sink"))


def judged(matches: dict[str, str] | None = None) -> Redeployment:
    document = load_document(NEW)
    baseline = Baseline(name="v1.json", document=load_document(OLD), matches=matches or {})
    return redeploy(baseline, document, compile_program(document))


def choice(matches: dict[str, str] | None = None) -> MatchChoice:
    (found,) = match_choices(judged(matches).restore, matches or {})
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


def test_a_removed_operator_may_be_matched_with_a_new_one_that_keeps_state() -> None:
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

    (found,) = match_choices(redeploy(old, new, compile_program(new)).restore, {})

    assert [one.handle for one in found.options] == ["clean", "total"]
    assert found.old.operator_id is not None
    matched = Baseline(
        name="old", document=old.document, matches={found.old.operator_id: found.options[1].handle}
    )
    (now,) = match_choices(redeploy(matched, new, compile_program(new)).restore, matched.matches)
    assert now.chosen == found.options[1]


def test_a_document_holds_the_matches_with_its_baseline() -> None:
    baseline = Baseline(name="v1", document=load_document(OLD), matches={"a": "b"})
    document = load_document(NEW).with_baseline(baseline_values(baseline))
    again = baseline_of(document)
    assert again is not None
    assert again.matches == {"a": "b"}
    assert compile_baseline(again).matches == {"a": "b"}


@pytest.mark.parametrize("matches", [[], {"a": 1}, {"": "b"}, {"a": "b" * 5_000}, 7])
def test_other_matches_are_refused(matches: object) -> None:
    with pytest.raises(DocumentError, match=r"baseline\.matches"):
        load_document({**NEW, "baseline": {"name": "x", "document": OLD, "matches": matches}})


def test_a_match_of_an_operator_that_is_gone_is_not_applied() -> None:
    assert judged({"nobody": "nothing"}).to_dict() == judged().to_dict()


def test_a_match_without_a_baseline_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "v2.json"
    file.write_text(json.dumps(NEW))

    for arguments in (
        ["whatis", "cbc357ccb763df2852fee8c4fc7d55f2", str(file)],
        ["explain", str(file)],
        ["deploy", str(file)],
        ["check", str(file)],
    ):
        main([*arguments, "--match", "a=x"])
        printed = capsys.readouterr()
        assert "--match a=x: there is no baseline" in printed.out + printed.err, arguments


def test_every_command_applies_a_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    open_one = choice()
    assert open_one.old.operator_id is not None
    pair = (open_one.old.operator_id, open_one.options[1].operator_id)
    found = judged(dict([pair]))
    assert found.headline != judged().headline
    files = [tmp_path / "v1.json", tmp_path / "v2.json"]
    for file, values in zip(files, (OLD, NEW), strict=True):
        file.write_text(json.dumps(values))
    before, after = map(str, files)

    def printed(*arguments: str) -> str:
        main([*arguments, "--match", "=".join(pair)])
        return capsys.readouterr().out

    for arguments in (
        ("restore", before, after),
        ("compare", before, after),
        ("deploy", after, "--baseline", before),
        ("explain", after, "--baseline", before),
        ("check", after, "--baseline", before),
    ):
        assert found.headline in printed(*arguments), arguments
    members = json.loads(json.dumps(found.to_dict()))
    for asked in (
        ["compare", before, after],
        ["deploy", after, "--baseline", before],
        ["explain", after, "--baseline", before],
    ):
        assert json.loads(printed(*asked, "--json"))["restore"] == members, asked
    assert open_one.old.name in printed("whatis", pair[0], after, "--baseline", before)


def test_check_and_compare_take_the_matches_of_the_document() -> None:
    open_one = choice()
    assert open_one.old.operator_id is not None
    matches = {open_one.old.operator_id: open_one.options[1].handle}
    baseline = Baseline(name="v1.json", document=load_document(OLD), matches=matches)
    document = load_document(NEW).with_baseline(baseline_values(baseline))

    messages = [one.message for one in check_document(document).findings if one.code == "DP02"]

    assert messages == [judged(matches).headline]
    change = document_change(load_document(OLD), document, "1.20", "1.20", matches)
    assert change.comparison is not None
    moved = {
        one.before.id: one.after.id
        for one in change.comparison.operators
        if one.before is not None and one.after is not None
    }
    assert moved[open_one.old.operator_id] == open_one.options[1].operator_id


def test_a_verdict_with_unchecked_states_names_the_command_that_checks_them() -> None:
    lines = redeployment_text(judged()).splitlines()
    assert lines.count(f"To check with Flink itself: {REHEARSE}") == 1
