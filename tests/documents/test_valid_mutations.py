"""Documents of valid values only, recombined: most are read, and are asked up to their verdict.

``test_mutations`` breaks values, which the reader refuses. Here types, IDs, inputs, options and
resources stay what they may be, one by one, so that the compiler, the checks and the plan see
combinations that no test spells out. Each example has a bound of CPU time and memory.
"""

import copy
import json
import tempfile
import unicodedata
from pathlib import Path
from typing import Any, Final

from hypothesis import event, given, settings
from hypothesis import strategies as st

import explorer
from explorer import compile_graph
from explorer.checks import check_document
from explorer.documents import dump_json, load_document
from explorer.drawing.view.one_line import one_line
from explorer.errors import ExplorerError
from explorer.flink.kinds import KINDS
from explorer.flink.releases import VERSIONS
from tests.bounds import bounded
from tests.documents.resources import JAR, deployment, stream
from tests.strategies import documents

DEEP: Final = settings(settings.get_profile("mutations"))
RESOURCES: Final = settings(DEEP, max_examples=max(DEEP.max_examples // 3, 1))
"""For what is slower: two resources are written, read and compared."""

TYPES: Final = st.sampled_from(sorted(KINDS))
OPTIONS: Final = st.dictionaries(
    st.sampled_from(
        (
            *("execution.runtime-mode", "pipeline.operator-chaining.enabled", "state.backend.type"),
            *("parallelism.default", "pipeline.max-parallelism", "table.exec.state.ttl"),
            *("execution.checkpointing.interval", "execution.checkpointing.mode"),
            *("taskmanager.memory.process.size", "taskmanager.numberOfTaskSlots"),
            *("jobmanager.memory.process.size", "pipeline.auto-generate-uids"),
            *("high-availability.type", "high-availability.storageDir", "restart-strategy.type"),
            *(
                "state.savepoints.dir",
                "kubernetes.operator.job.upgrade.last-state-fallback.enabled",
            ),
        )
    ),
    st.sampled_from(
        (
            *(
                "true",
                "false",
                "1",
                "0",
                "128",
                "-1",
                "10 s",
                "1 min",
                "1600m",
                "64 kb",
                "9223372036g",
            ),
            *("STREAMING", "BATCH", "AUTOMATIC", "rocksdb", "hashmap", "kubernetes", "", "none"),
            *("file:///a", "EXACTLY_ONCE", "1d 3h", "32768", "2147483648"),
        )
    ),
    max_size=5,
)
WIDTHS: Final = st.sampled_from((1, 2, 3, 7, 128, 129, 1_000, 32_768))
CHAINING: Final = st.sampled_from(("ALWAYS", "HEAD", "NEVER", None))


def change_type(draw: st.DrawFn, document: dict[str, Any]) -> None:
    _item(draw, document)["type"] = draw(TYPES)


def change_inputs(draw: st.DrawFn, document: dict[str, Any]) -> None:
    item, other = _item(draw, document), _item(draw, document)
    item["inputs"] = [*item.get("inputs", ()), other["id"]][-draw(st.integers(1, 3)) :]


def change_id(draw: st.DrawFn, document: dict[str, Any]) -> None:
    old, new = _item(draw, document)["id"], draw(st.sampled_from(("x", "s-1", "ü", "a b", "0")))
    for one in document["transformations"]:
        one["id"] = new if one["id"] == old else one["id"]
        if "inputs" in one:
            one["inputs"] = [new if id == old else id for id in one["inputs"]]


def copy_field(draw: st.DrawFn, document: dict[str, Any]) -> None:
    item, other = _item(draw, document), _item(draw, document)
    key = draw(st.sampled_from(sorted(key for key in other if key not in ("id", "inputs"))))
    item[key] = copy.deepcopy(other[key])


def move(draw: st.DrawFn, document: dict[str, Any]) -> None:
    items = document["transformations"]
    items.insert(draw(st.integers(0, len(items))), items.pop(draw(st.integers(0, len(items) - 1))))


def change_execution(draw: st.DrawFn, document: dict[str, Any]) -> None:
    changes = {
        "parallelism": WIDTHS,
        "max_parallelism": WIDTHS,
        "chaining_strategy": CHAINING,
        "uid": st.sampled_from(("one", "two")),
        "uid_hash": st.sampled_from(("0" * 32, "f" * 32)),
        "slot_sharing_group": st.sampled_from(("default", "other")),
        "buffer_timeout": st.sampled_from((-1, 0, 100)),
    }
    field = draw(st.sampled_from(sorted(changes)))
    _item(draw, document)[field] = draw(changes[field])


def change_environment(draw: st.DrawFn, document: dict[str, Any]) -> None:
    document["flink"] = draw(st.sampled_from(VERSIONS))
    environment = document.setdefault("environment", {})
    environment |= {"configuration": draw(OPTIONS), "parallelism": draw(WIDTHS)}


CHANGES: Final = (
    *(change_type, change_inputs, change_id, copy_field, move),
    *(change_execution, change_environment),
)


def _item(draw: st.DrawFn, document: dict[str, Any]) -> dict[str, Any]:
    item: dict[str, Any] = draw(st.sampled_from(document["transformations"]))
    return item


@st.composite
def recombined(draw: st.DrawFn, legal: dict[str, Any]) -> dict[str, Any]:
    """The document after one to six changes that leave it legal to read."""
    for _ in range(draw(st.integers(1, 6))):
        document = copy.deepcopy(legal)
        draw(st.sampled_from(CHANGES))(draw, document)
        try:
            load_document(document)
        except ExplorerError as error:
            refusal_of(error)
        else:
            legal = document
    return legal


def refusal_of(error: ExplorerError) -> str:
    """What the user reads: one line, in which Flink's own words may repeat names and IDs."""
    sentence = one_line(str(error))
    assert not {unicodedata.category(letter) for letter in sentence} & {"Cc", "Cs", "Zl", "Zp"}
    assert len(sentence) < 3_000
    return sentence


@DEEP
@given(st.data())
def test_a_recombined_pipeline_gets_a_plan_or_one_sentence(data: st.DataObject) -> None:
    old = data.draw(documents(max_size=6))
    new = data.draw(recombined(old))
    with bounded():
        loaded = load_document(new)
        assert load_document(json.loads(dump_json(loaded))) == loaded
        for ask in (
            lambda: compile_graph(loaded).to_dict(),
            lambda: check_document(loaded),
            lambda: explorer.plan(loaded, old=old).to_dict(),
            lambda: explorer.check_restore(old, loaded).to_dict(),
        ):
            try:
                ask()
                event("answered")
            except ExplorerError as error:
                event("refused by the compiler")
                refusal_of(error)


@RESOURCES
@given(st.data())
def test_a_recombined_deployment_gets_a_verdict_or_one_sentence(data: st.DataObject) -> None:
    program = data.draw(documents(max_size=4))
    sizes = st.sampled_from(("1g", "2048m", "3g", "900Mi", "1.5Gi", "2Gi", "512m", "0", "9999999g"))
    specs = st.fixed_dictionaries(
        {
            "flinkVersion": st.sampled_from(("v1_13", "v1_17", "v1_20", "v2_0", "v2_2", "v9_9")),
            "flinkConfiguration": OPTIONS,
            "mode": st.sampled_from(("native", "standalone", None)),
            "taskManager": st.fixed_dictionaries(
                {
                    "resource": st.fixed_dictionaries(
                        {"memory": sizes, "cpu": st.sampled_from((0.5, 1, 2, 1_000))}
                    ),
                    "replicas": st.sampled_from((1, 2, 50, None)),
                }
            ),
            "job": st.fixed_dictionaries(
                {
                    "jarURI": st.just(JAR),
                    "parallelism": WIDTHS,
                    "upgradeMode": st.sampled_from(("stateless", "savepoint", "last-state")),
                    "state": st.sampled_from(("running", "suspended", None)),
                    "allowNonRestoredState": st.sampled_from((True, False, None)),
                    "initialSavepointPath": st.sampled_from((None, "file:///sp-1")),
                    "savepointTriggerNonce": st.sampled_from((None, 0, 7)),
                }
            ),
        }
    )
    drawn: list[dict[str, Any]] = [data.draw(specs) for _ in range(2)]
    sides = [deployment(**spec) for spec in drawn]
    with tempfile.TemporaryDirectory() as name, bounded():
        folder = Path(name)
        (folder / "job.json").write_text(json.dumps(program), encoding="utf-8")
        for side, resource in zip(("old", "new"), sides, strict=True):
            (folder / f"{side}.yaml").write_text(stream(resource), encoding="utf-8")
        try:
            found = explorer.plan(
                folder / "new.yaml",
                old=folder / "old.yaml",
                artifacts={JAR: str(folder / "job.json")},
            ).to_dict()
            event(found["verdict"])
        except ExplorerError as error:
            event("refused")
            refusal_of(error)
