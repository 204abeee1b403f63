"""One verdict in every place: header, IDs, Restore, Check, Compare, Deployment, Find ID, shell."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from components import header
from components.explore import ids
from components.session.measured import Measured
from components.widgets.pieces import verdict_tone
from explorer.checks import check_document
from explorer.cli.main import main
from explorer.comparison.baseline import Baseline, baseline_values, compile_baseline
from explorer.documents import load_document
from explorer.explain.formers import find_former_ids
from explorer.flink.compiler import compile_program
from explorer.restore.verdict import RestoreVerdict, restore

Job = dict[str, Any]


def op(id: str, type: str, *inputs: str, **fields: Any) -> Job:
    return {"id": id, "type": type, "inputs": list(inputs), **fields}


def job(*items: Job, flink: str = "2.2", **environment: Any) -> Job:
    source = {"id": "s", "type": "source"}
    return {
        "flink": flink,
        "name": "orders",
        "environment": environment,
        "transformations": [source, *items],
    }


COUNT: Final = (op("by", "key_by", "s"), op("count", "reduce", "by", name="count"))
TOP: Final = (op("by2", "key_by", "count"), op("top", "reduce", "by2", name="top"))
OLD: Final = job(*COUNT, *TOP, op("out", "sink", "top"))
UIDS: Final = job(
    op("by", "key_by", "s"),
    op("count", "reduce", "by", uid="count"),
    op("out", "sink", "count", uid="out"),
)
SCENARIOS: Final[dict[str, tuple[Job, Job]]] = {
    "unchanged": (OLD, OLD),
    "a release": ({**OLD, "flink": "1.20"}, OLD),
    "a stateful operator removed": (OLD, job(*COUNT, op("out", "sink", "count"))),
    "an operator inserted": (
        OLD,
        job(
            op("f", "filter", "s"), op("by", "key_by", "f"), COUNT[1], *TOP, op("o", "sink", "top")
        ),
    ),
    "rescaled": (OLD, {**OLD, "environment": {"parallelism": 4}}),
    "another maximum": (UIDS, {**UIDS, "environment": {"max_parallelism": 64}}),
    "beyond the maximum": (
        {**UIDS, "environment": {"max_parallelism": 8}},
        {**UIDS, "environment": {"parallelism": 16}},
    ),
    "chaining off": (OLD, {**OLD, "environment": {"chaining": False}}),
    "a uid renamed": (UIDS, json.loads(json.dumps(UIDS).replace('"uid": "count"', '"uid": "sum"'))),
    "out of network buffers": (
        UIDS,
        {
            **UIDS,
            "environment": {
                "parallelism": 60,
                "configuration": dict.fromkeys(
                    ("taskmanager.memory.network.min", "taskmanager.memory.network.max"), "1mb"
                ),
            },
        },
    ),
    "stateless": (job(op("o", "sink", "s")), job(op("m", "map", "s"), op("o", "sink", "m"))),
}


def verdict_of(old: Job, new: Job) -> RestoreVerdict:
    document = load_document(new)
    return restore(
        Baseline(name="v1.json", document=load_document(old)), document, compile_program(document)
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENARIOS)
def test_every_place_reads_the_one_verdict(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = SCENARIOS[name]
    found = verdict_of(old, new)
    for file, values in (("v1.json", old), ("v2.json", new)):
        (tmp_path / file).write_text(json.dumps(values))
    before, after = str(tmp_path / "v1.json"), str(tmp_path / "v2.json")

    def output(*arguments: str) -> str:
        main(list(arguments))
        return capsys.readouterr().out

    # The shell.
    for arguments in (
        ("restore", before, after),
        ("compare", before, after),
        ("deploy", after, "--baseline", before),
        ("explain", after, "--baseline", before),
    ):
        assert found.headline in output(*arguments), arguments
    code = main(["restore", before, after])
    assert code == found.exit_code()
    assert (code == 1) == (not found.holds)

    # Check: an error exactly where Flink refuses.
    baseline = Baseline(name="v1.json", document=load_document(old))
    document = load_document(new).with_baseline(baseline_values(baseline))
    codes = {one.code: one for one in check_document(document).findings}
    assert ("DP02" in codes) == (not found.holds)
    refusing = found.headline if not found.holds else None
    assert (codes["DP02"].message if "DP02" in codes else None) == refusing
    capsys.readouterr()
    assert ("DP02" in output("check", after, "--baseline", before)) == (not found.holds)

    # The network buffers.
    refused = "Flink will refuse: java.io.IOException" in output("deploy", after)
    assert ("DP01" in codes) == refused == (name == "out of network buffers")

    # The page.
    since = Measured(
        baseline=baseline, chosen=True, old=compile_baseline(baseline, "2.2"), verdict=found
    )
    assert header._chip(since).endswith(found.answer)
    changed = header._count_changed_ids(since)
    assert bool(changed) == bool(found.changed_ids)
    gone = sum(one.change == "lost" for one in found.changed_ids)
    assert (f"{gone:,} ID" in changed and "removed" in changed) == bool(gone)
    assert (verdict_tone(found) == "good") == (found.exit_code() == 0 and not found.lost)
    gone_operators = [one for one in found.operators if one.node is None]
    removed = [ids._removed_row(one).cells[1] for one in gone_operators]
    assert removed == [one.name for one in gone_operators]

    # Find ID.
    for one in found.changed_ids:
        assert one.operator_id is not None
        assert [each.operator for each in find_former_ids(one.operator_id, found)] == [one]


def test_scenarios_have_every_answer_that_documents_can_have() -> None:
    assert {verdict_of(*pair).answer for pair in SCENARIOS.values()} >= {
        "not fully checked",
        "Flink will refuse",
    }
