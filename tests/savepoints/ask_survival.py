"""Writes ``survival_fixes.jsonl.gz``: how many keys survive with each shown fix on a cluster.

``python -m tests.savepoints.ask_survival RUNS`` reads the runs of which ``survival.jsonl.gz`` is
the extract: they have each savepoint's ``_metadata``, which holds all state. Each new pipeline runs
as it is, and has to find as many keys as its line says; then it runs with each fix.
"""

import base64
import gzip
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from explorer import RestoreVerdict, check_restore
from tests.capture.flinks import lib
from tests.deployment.asking import answers, classes
from tests.golden_files import GOLDEN

PROGRAMS: Final = Path(__file__).parent / "programs"
FILE: Final = GOLDEN / "survival_fixes.jsonl.gz"


def shown_fixes(verdict: RestoreVerdict) -> dict[str, dict[str, Any]]:
    """By sentence, each distinct fix: its document and the transformations whose keys it keeps."""
    fixes: dict[str, dict[str, Any]] = {}
    for operator in verdict.endangered_keys:
        for fix in operator.fixes:
            shown = fixes.setdefault(fix.sentence, {"document": fix.document, "keeps": []})
            shown["keeps"].append(operator.transformation)
    return fixes


def changes(new: dict[str, Any], document: Any) -> list[list[Any]]:
    """What a fix sets: transformation, field and value."""
    before = {one["id"]: one for one in new["transformations"]}
    return [
        [one["id"], field, value]
        for one in document["transformations"]
        for field, value in one.items()
        if field in {"chaining_strategy", "max_parallelism", "parallelism", "uid_hash"}
        and before[one["id"]].get(field) != value
    ]


def fixes_of(run: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The fixes that are shown for the savepoint, and those for the document of its program."""
    verdicts = [
        check_restore(
            old,
            run["new"],
            flink_version=run["flink_version"],
            configuration={"state.backend.type": run["backend"]},
            allow_non_restored=run["allow_non_restored"],
        )
        for old in (run["old"], base64.b64decode(run["metadata"]))
    ]
    return shown_fixes(verdicts[0]) | shown_fixes(verdicts[1])


def question(run: dict[str, Any], document: Any) -> str:
    named = {name: run[name] for name in ("backend", "allow_non_restored", "metadata")}
    return json.dumps({"document": document, **named})


def lost(run: dict[str, Any], answer: dict[str, Any]) -> dict[str, int]:
    """By keyed transformation of the old program, how many of its keys found no state."""
    return {
        one["transformation"]: one["keys"] - answer["found"].get(one["transformation"], 0)
        for one in run["operators"]
        if one["keys"]
    }


def differs(run: dict[str, Any], answer: dict[str, Any]) -> bool:
    """Whether a pipeline without a fix did otherwise than its line says."""
    recorded = {one["transformation"]: one.get("lost") for one in run["operators"] if one["keys"]}
    ran = answer["result"] == "ran"
    return answer["result"] != run["result"] or (ran and lost(run, answer) != recorded)


def ask(version: str, runs: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Run the pipelines of a release and their fixes in one JVM."""
    fixes = [(run, *fix) for run in runs for fix in fixes_of(run).items()]
    lines = [question(run, run["new"]) for run in runs]
    lines += [question(run, fix["document"]) for run, _, fix in fixes]
    with tempfile.TemporaryDirectory() as folder:
        program = classes("AskSurvival", Path(folder), lib(version), PROGRAMS)
        said = [json.loads(line) for line in answers("AskSurvival", lib(version), program, lines)]
    unfixed = zip(runs, said[: len(runs)], strict=True)
    unlike = [(run["case"], answer) for run, answer in unfixed if differs(run, answer)]
    assert not unlike, unlike
    for (run, sentence, fix), answer in zip(fixes, said[len(runs) :], strict=True):
        yield {
            "case": run["new"]["name"],
            "flink_version": version,
            "backend": run["backend"],
            "sentence": sentence,
            "changes": changes(run["new"], fix["document"]),
            "keeps": fix["keeps"],
            "result": answer["result"],
            "lost": lost(run, answer),
        }


def main(path: str) -> None:
    runs = [json.loads(line) for line in gzip.decompress(Path(path).read_bytes()).splitlines()]
    lines = [
        json.dumps(line) + "\n"
        for version in sorted({run["flink_version"] for run in runs})
        for line in ask(version, [run for run in runs if run["flink_version"] == version])
    ]
    FILE.write_bytes(gzip.compress("".join(lines).encode(), mtime=0))


if __name__ == "__main__":
    main(sys.argv[1])
