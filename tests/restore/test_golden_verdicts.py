"""All golden restores through every public entry point: they agree with the cluster and each other.

The checkpoints of ``AskCheckpoints`` and the savepoints of two clusters are asked with the state
backend that the cluster had.
"""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from explorer import check_restore, compile_graph, plan
from explorer.checks import check_document
from explorer.cli.main import main
from explorer.comparison.baseline import Baseline, baseline_values
from explorer.documents import Document, document_values, load_document
from explorer.documents.samples import samples
from explorer.flink.releases import VERSIONS as RELEASES
from explorer.lessons.lesson_case import LessonCase, LessonProgram
from explorer.lessons.state_facts import restores as ask_restores
from explorer.model.lesson import Question
from explorer.restore.bridge import pin_ids, verify
from tests.golden_files import cases
from tests.restore.test_restrictions import checkpoint, document
from tests.savepoints.clusters import metadata_of, outcome_of, restores

VERSIONS: Final = ("1.20", "2.2")


def checkpoints(version: str) -> list[tuple[dict[str, Any], Baseline, Document]]:
    """The golden checkpoints of a release, each with its baseline and the new program."""
    triples = []
    for case in cases("checkpoint_restores"):
        if case["version"].startswith(version) and "custom" not in case["old"] + case["new"]:
            old = document(case["old"], version)
            saved = checkpoint(case["old"], old)
            baseline = Baseline(name="chk-1", document=old, savepoint=saved)
            triples.append((case, baseline, document(case["new"], version)))
    return triples


def answers(baseline: Baseline, new: Document, file: Path) -> dict[str, int]:
    """The exit code that each entry point has, or would have, for one restore."""
    verdict = check_restore(baseline, new)
    measured = new.with_baseline(baseline_values(baseline))
    file.write_text(json.dumps(document_values(measured)))
    bridge = verify(baseline, verdict, pin_ids(verdict, new))
    state = plan(measured).section("state").verdict
    codes = {finding.code for finding in check_document(measured).findings}
    lesson = ask_restores(
        LessonCase(
            program=LessonProgram(document=measured), question=Question(fact="restores"), path=""
        ),
        "",
    )
    return {
        "check_restore": verdict.exit_code(),
        "bridge": bridge.exit_code(),
        "plan": {"do_not_deploy": 1, "unchecked": 3}.get(state, 0),
        "plan in the shell": main(["plan", str(file), "--format", "json"]),
        "check": 1 if "DP02" in codes else 3 if "DP03" in codes else 0,
        # A lesson has no answer between the two.
        "lesson": (3 if not verdict.fully_checked else 0) if lesson.right == ("restored",) else 1,
    }


@pytest.mark.law
@pytest.mark.parametrize("version", VERSIONS)
def test_checkpoints_have_one_verdict_in_every_entry_point(
    version: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong, refused = [], 0
    for case, baseline, new in checkpoints(version):
        codes = answers(baseline, new, tmp_path / "new.json")
        capsys.readouterr()
        unlike = {name for name, code in codes.items() if code != codes["check_restore"]}
        # The plan of the shell counts its other sections too.
        unlike -= {"plan in the shell"} if codes["plan in the shell"] else set()
        if unlike or (case["flink"] != "restored" and 0 in codes.values()):
            wrong.append((case["old"], case["new"], case["flink"][:60], codes))
        refused += case["flink"] != "restored"

    assert wrong == []
    assert refused > 20


@pytest.mark.law
@pytest.mark.parametrize("version", VERSIONS)
def test_savepoints_have_the_clusters_verdict_in_the_shell(
    version: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = []
    for case in restores()[::3]:
        outcome = outcome_of(case, version)
        is_refused = outcome["strict"] != "restored"
        saved, old, new = tmp_path / "_metadata", tmp_path / "old.json", tmp_path / "new.json"
        saved.write_bytes(metadata_of(outcome))
        old.write_text(json.dumps({**case["old"], "flink": version}))
        new.write_text(json.dumps({**case["new"], "flink": version}))
        verdict = check_restore(saved, load_document(str(new)))
        codes = {
            "restore": main(["restore", str(saved), str(new)]),
            "plan": main(["plan", str(new), "--from", str(old), "--savepoint", str(saved)]),
        }
        capsys.readouterr()
        agrees = codes["restore"] == verdict.exit_code() and (codes["restore"] == 1) >= is_refused
        if not agrees or (is_refused and codes["plan"] != 1):
            wrong.append((case["name"], outcome["strict"][:60], codes))

    assert wrong == []


def as_captured(pipeline: dict[str, Any], version: str) -> dict[str, Any]:
    """The StreamGraph of a program as a capture holds it, without its transformations."""
    members = compile_graph({**pipeline, "flink": version}).to_dict()
    for node in members["stream_graph"]["nodes"]:
        node.pop("transformation", None)
    return {"flink": version, "stream_graph": members["stream_graph"]}


@pytest.mark.law
@pytest.mark.parametrize("version", VERSIONS)
def test_captured_programs_have_the_clusters_verdict(version: str) -> None:
    wrong = []
    for case in restores()[1::3]:
        outcome = outcome_of(case, version)
        saved = metadata_of(outcome)
        of_pipeline, of_capture = (
            check_restore(
                saved,
                new,
                flink_version=version,
                old_flink_version=version,
                configuration={"state.backend.type": "hashmap"},
            )
            for new in (case["new"], as_captured(case["new"], version))
        )
        if of_capture.error != of_pipeline.error:
            wrong.append((case["name"], of_pipeline.error, of_capture.error))
        if (of_capture.verdict == "restored") != (outcome["strict"] == "restored"):
            wrong.append((case["name"], outcome["strict"][:80], of_capture.sentence))

    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sample", "code"),
    # The second is a BATCH job, which leaves no state.
    [("15-hourly-delays", 3), ("16-airport-report", 0), ("17-late-flights-captured", 3)],
)
def test_captured_jobs_are_judged_for_every_pair_of_neighbouring_releases(
    sample: str, code: int
) -> None:
    path = next(one.path for one in samples() if one.key == sample)
    document = load_document(path)
    for before, after in pairwise(RELEASES[RELEASES.index("1.15") :]):
        verdict = check_restore(
            document.under(before), document, flink_version=after, old_flink_version=before
        )
        assert verdict.releases == (before, after)
        assert verdict.verdict == "restored"
        assert verdict.exit_code() == code
        same = check_restore(document, document, flink_version=after, old_flink_version=after)
        assert same.unchanged
        assert same.exit_code() == 0
