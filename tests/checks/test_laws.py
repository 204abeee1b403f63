"""What holds for whatever document is checked or locked."""

import json

from hypothesis import given
from hypothesis import strategies as st

from explorer import compile_graph
from explorer.checks.checking import check_document, weights_of
from explorer.checks.findings import Findings
from explorer.checks.fixes import FixTrials
from explorer.checks.lock import lock_text, make_lock, read_lock
from explorer.checks.table import BY_CODE, CHECKS
from explorer.documents import document_values, dump_yaml
from explorer.documents.text.places import TextPosition, places
from explorer.errors import ExplorerError
from explorer.flink.releases import VERSIONS
from explorer.model.pipeline import CheckSettings, Pipeline
from tests.examples import examples
from tests.strategies import pipelines

DRAWN = st.tuples(pipelines(), st.sampled_from(VERSIONS))
LOOSE = st.tuples(pipelines(compiles=False), st.sampled_from(VERSIONS))
BESIDE = ("flink", "environment", "expect")
"""Members of a document that may not be written down, and to which a finding may point."""


def checked(pipeline: Pipeline, version: str) -> Findings:
    return check_document(pipeline, flink_version=version)


@given(LOOSE, st.sampled_from(sorted(BY_CODE)))
def test_every_finding_points_into_the_document_and_is_found_by_its_rule_alone(
    drawn: tuple[Pipeline, str], code: str
) -> None:
    pipeline, version = drawn
    found = checked(pipeline, version)
    values = document_values(pipeline)
    names = {one.id for one in pipeline.transformations} | set(pipeline.environment.configuration)

    for one in found.findings:
        assert one.code in found.asked
        given = weights_of(pipeline.check).severities
        assert one.severity == given.get(one.code, BY_CODE[one.code].severity)
        assert one.title == BY_CODE[one.code].title
        assert one.message.strip()
        assert set(one.about) <= names | {"pipeline.jobvertex-parallelism-overrides"}
        head = one.path.partition(".")[0].partition("[")[0]
        assert head in values or head in {*BESIDE, ""}
    ranks = [("error", "warning", "note").index(one.severity) for one in found.findings]
    assert ranks == sorted(ranks)

    alone = check_document(pipeline, flink_version=version, codes={code})
    assert alone.asked == tuple(one for one in found.asked if one == code)
    assert alone.findings == tuple(one for one in found.findings if one.code == code)


@examples(40)
@given(DRAWN)
def test_after_a_fix_the_finding_is_gone(drawn: tuple[Pipeline, str]) -> None:
    pipeline, version = drawn
    trials = FixTrials(pipeline, flink_version=version)
    for one in checked(pipeline, version).findings[:6]:
        for fix in trials.fixes(one):
            after = checked(fix.pipeline, version)
            assert one.key not in {other.key for other in after.findings}
            assert fix.pipeline != pipeline


@given(DRAWN)
def test_silenced_and_disabled_rules_do_not_fail(drawn: tuple[Pipeline, str]) -> None:
    pipeline, version = drawn
    codes = [rule.code for rule in CHECKS]
    silent = CheckSettings(silenced=dict.fromkeys(codes, "meant so"))
    off = CheckSettings(severities=dict.fromkeys(codes, "off"))

    reported = check_document(pipeline, flink_version=version, weights=silent)
    assert len(reported.findings) == len(checked(pipeline, version).findings)
    assert not reported.at_least("note")
    assert {one.silenced for one in reported.findings} <= {"meant so"}
    assert not check_document(pipeline, flink_version=version, weights=off).findings


@given(DRAWN)
def test_a_lock_is_read_as_it_was_written_and_holds_for_its_own_program(
    drawn: tuple[Pipeline, str],
) -> None:
    pipeline, version = drawn
    try:
        compilation = compile_graph(pipeline, version)
        lock = make_lock(compilation)
    except ExplorerError:
        return
    text = lock_text(lock)

    assert read_lock(text) == lock
    assert lock_text(make_lock(compile_graph(pipeline, version))) == text
    assert len(set(lock.operators)) == len(compilation.stream_graph.nodes)
    found = check_document(pipeline, lock=lock, flink_version=version)
    assert not [one for one in found.findings if one.code.startswith("LK")]


@given(pipelines())
def test_a_path_is_found_on_its_line_in_yaml_and_in_json(pipeline: Pipeline) -> None:
    paths = [f"transformations[{turn}].id" for turn in range(len(pipeline.transformations))]
    for text in (dump_yaml(pipeline), json.dumps(document_values(pipeline), indent=1)):
        lines = text.split("\n")
        for found, one in zip(places(text, paths), pipeline.transformations, strict=True):
            assert one.id in lines[found.line - 1][found.column - 1 :]
    assert places(dump_yaml(pipeline), ["no.such[3]"]) == [TextPosition(1, 1)]
