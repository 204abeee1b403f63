"""Network buffers of BATCH jobs with an open parallelism: what session clusters answered."""

import pytest

from explorer.cli.main import main
from explorer.deployment import resources
from tests.golden_files import cases


def test_the_verdict_is_the_clusters() -> None:
    """Refused for sure, possible, or fine; a cluster never does what the verdict rules out."""
    verdicts = set()
    for case in cases("batch_buffers"):
        size = case["network"]
        options = {
            **{f"taskmanager.memory.network.{most}": size for most in ("min", "max")},
            "taskmanager.numberOfTaskSlots": "4",
        }
        found = resources(case["document"], options)
        where = case["case"], size
        verdicts.add((bool(found.refusal), bool(found.possible_refusal), case["state"]))
        if found.refusal:
            assert case["state"] == "FAILED", where
            assert found.refusal.split(". ")[0] == case["sentence"].split(". ")[0]
        if case["state"] == "FAILED":
            assert found.possible_refusal, where
    assert (True, True, "FAILED") in verdicts
    assert len(verdicts) > 1


def test_a_job_whose_subtasks_are_known_has_no_undecided_part() -> None:
    case = next(cases("batch_buffers"))

    assert resources(case["document"]).undecided_network is not None
    assert resources(case["document"]).network is None


def test_the_shell_prints_the_undecided_buffers(
    tmp_path: object, capsys: pytest.CaptureFixture[str]
) -> None:
    document = (
        "environment: {runtime_mode: BATCH}\n"
        "flink: '2.2'\n"
        "transformations:\n"
        "  - {id: s, type: source}\n"
        "  - {id: k, type: key_by, inputs: [s], keys: [n]}\n"
        "  - {id: r, type: reduce, inputs: [k]}\n"
    )
    file = f"{tmp_path}/batch.yaml"
    with open(file, "w") as out:  # noqa: PTH123
        out.write(document)
    network = [
        part
        for most in ("min", "max")
        for part in ("--option", f"taskmanager.memory.network.{most}=14mb")
    ]

    assert main(["deploy", file, *network]) == 1
    assert "required 512, but only 448 available" in capsys.readouterr().out
