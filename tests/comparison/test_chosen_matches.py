"""Matches that the user chooses: looked up by each name of an operator, and applied everywhere."""

import json
from pathlib import Path

import pytest

from explorer import check_restore
from explorer.checks import check_document
from explorer.cli.main import main
from explorer.comparison.baseline import Baseline, baseline_values, compile_baseline
from explorer.comparison.chosen_matches import (
    MatchError,
    check_program,
    chosen_matches,
    chosen_nodes,
    with_matches,
)
from explorer.comparison.release_changes import document_change
from explorer.documents import load_document
from explorer.flink.compiler import compile_program
from explorer.restore.restored import Candidate
from explorer.restore.verdict import RestoreVerdict, restore
from tests.comparison.captured_programs import captured, chain

OLD = captured(chain("in:legacy_source", "m:map", "a:reduce", "out:sink"))
NEW = captured(chain("in:legacy_source", "m:map", "x:reduce", "a:reduce", "out:sink"))
SMALL = chain("in:legacy_source", "m:map", "sum:reduce", "max:reduce", "out:sink")


def judged(matches: dict[str, str] | None = None) -> RestoreVerdict:
    document = load_document(NEW)
    return restore(deployed(matches or {}), document, compile_program(document))


def deployed(matches: dict[str, str]) -> Baseline:
    return Baseline(name="v1.json", document=load_document(OLD), matches=matches)


def open_choice() -> tuple[str, Candidate]:
    """The ID of the old aggregation, and the second of the new operators that it may be."""
    (aggregation,) = judged().unclear
    assert aggregation.operator_id is not None
    return aggregation.operator_id, aggregation.candidates[1]


@pytest.mark.parametrize(
    ("matches", "words"),
    [
        ({"nobody": "m"}, "'nobody' is none of the operators of"),
        ({"m": "nobody"}, "'nobody' is none of the operators of the new program"),
        ({"m": "sum", "sum": "sum"}, "an operator that another --match has already"),
    ],
)
def test_a_match_of_no_operator_is_one_sentence(matches: dict[str, str], words: str) -> None:
    with pytest.raises(MatchError, match=words):
        check_restore({"transformations": SMALL}, {"transformations": SMALL}, matches=matches)


def test_a_name_of_several_operators_asks_for_an_id() -> None:
    with pytest.raises(MatchError, match="names 2 of the operators of the new program; give its"):
        check_restore(OLD, NEW, matches={"Map": "Keyed Aggregation"})


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
    old, candidate = open_choice()
    pair = (old, candidate.operator_id)
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
    assert "Keyed Aggregation" in printed("whatis", old, after, "--baseline", before)


def test_check_and_compare_apply_the_matches_of_the_document() -> None:
    old, candidate = open_choice()
    matches = {old: candidate.handle}
    document = load_document(NEW).with_baseline(baseline_values(deployed(matches)))

    messages = [one.message for one in check_document(document).findings if one.code == "DP02"]

    assert messages == [judged(matches).headline]
    change = document_change(load_document(OLD), document, "1.20", "1.20", matches)
    assert change.comparison is not None
    moved = {
        one.before.id: one.after.id
        for one in change.comparison.operators
        if one.before is not None and one.after is not None
    }
    assert moved[old] == candidate.operator_id


def test_each_name_of_an_operator_stands_for_it() -> None:
    fields = {"uid": "total", "uid_hash": "0" * 31 + "A", "name": "Total"}
    steps = [one | (fields if one["id"] == "sum" else {}) for one in SMALL]
    old = compile_baseline(Baseline(name="v1", document=load_document({"transformations": SMALL})))
    new = compile_program(load_document({"transformations": steps}))
    ids = {node.transformation: new.hashes[node.id] for node in new.stream_graph.nodes}
    node = next(node.id for node in new.stream_graph.nodes if node.transformation == "sum")

    for name in ("sum", "total", "Total", "0" * 31 + "A", ids["sum"], ids["sum"].upper()):
        assert list(chosen_matches(old, new, {"sum": name}).values()) == [node], name


def test_chosen_matches_come_before_those_of_the_baseline() -> None:
    program = compile_program(load_document(NEW))
    old, candidate = open_choice()

    baseline = compile_baseline(deployed({old: "nobody", "Map": "Map"}))
    merged = with_matches(baseline, program, {old: candidate.handle})

    assert merged.matches == {old: candidate.handle, "Map": "Map"}
    with pytest.raises(MatchError, match="'nobody' is none of"):
        with_matches(compile_baseline(deployed({})), program, {old: "nobody"})


def test_a_match_with_a_savepoint_as_the_new_side_is_refused() -> None:
    check_program({})
    with pytest.raises(MatchError, match="--match a=b: the new side is a savepoint"):
        check_program({"a": "b"})


def test_matches_between_two_programs_stand_by_node_where_both_operators_exist() -> None:
    before, after = (compile_program(load_document(one)) for one in (OLD, NEW))
    old, candidate = open_choice()
    node = next(node for node, id in before.hashes.items() if id == old)

    assert chosen_nodes(before, after, {old: candidate.handle}) == {node: candidate.node}
    assert chosen_nodes(before, after, {old: "nobody"}) == {}
    assert chosen_nodes(before, after, {}) == {}
