"""Restrictions of a restore from a retained checkpoint, against what clusters did.

``savepoints/programs/AskCheckpoints.java`` asked 1.20.5 and 2.2.1: a job's checkpoint with records
in flight or with a native backend is restored with one thing changed.
"""

from typing import Any, Final

import msgspec
import pytest

from explorer.comparison.baseline import Baseline, compile_baseline
from explorer.deployment.upgrades import StateOrigin
from explorer.documents import Document, load_document
from explorer.flink.compiler import compile_program
from explorer.model.pipeline import Checkpointing, Pipeline
from explorer.restore.verdict import RestoreVerdict, restore
from explorer.savepoints import OperatorState, Savepoint
from explorer.savepoints.saved_states import SavedState, StateSchema
from explorer.savepoints.savepoint import StateHandle, SubtaskState
from tests.comparison.captured_programs import captured
from tests.golden_files import cases
from tests.many_cases import for_each

KEYED: Final = ("hash", "hash3")
BACKEND: Final = {"rocksdb": "incremental", "hashmap": "native", "forst": "incremental"}
"""Maps state backends to the format of the keyed state in a checkpoint or a native savepoint."""


def document(side: str, version: str) -> Document:
    """The program of ``AskCheckpoints``, with the partitioner, widths and options of a side."""
    edge, wide, slow, *options = side.split(":")
    keyed = edge in KEYED
    partition = {"type": "key_by"} if keyed else {"type": "partition", "partitioner": edge.upper()}
    environment: dict[str, Any] = {"chaining": "chained" in options, "max_parallelism": 8}
    configuration: dict[str, Any] = {}
    if backend := next((one for one in options if one in BACKEND), None):
        configuration["state.backend.type"] = backend
    if "changelog" in options:
        configuration["state.changelog.enabled"] = True
    if mode := next((one for one in options if one in {"CLAIM", "NO_CLAIM"}), None):
        environment["savepoint"] = {"path": "chk-1", "claim_mode": mode}
    source = {"id": "source", "type": "source", "uid": "source", "parallelism": int(wide)}
    same = {"id": "same", "type": "map", "uid": "same", "parallelism": int(wide)}
    before = [source]
    if {"same", "text"}.intersection(options):
        before.append(same | {"inputs": ["source"]})
    return load_document(
        {
            "flink": version,
            "environment": {**environment, "configuration": configuration},
            "transformations": [
                *before,
                {"id": "edge", "inputs": [before[-1]["id"]], **partition},
                {
                    "id": "slow",
                    "type": "keyed_process" if keyed else "process",
                    "uid": "slow",
                    "inputs": ["edge"],
                    "parallelism": int(slow),
                },
                {"id": "out", "type": "sink", "inputs": ["slow"], "parallelism": int(slow)},
            ],
        }
    )


def checkpoint(side: str, old: Document) -> Savepoint:
    """The slow operator in the side's checkpoint, as far as restrictions read it."""
    edge, _, slow, *options = side.split(":")
    backend = next((one for one in options if one in BACKEND), None)
    handles = []
    if backend is not None:
        named = (one for one in ("changelog", "canonical") if one in options)
        layout = next(named, BACKEND[backend])
        handles.append(handle("keyed", layout))
    elif edge in {"rebalance", "shuffle", "global", *KEYED}:
        # Point-wise and broadcast exchanges take no part in unaligned checkpoints.
        handles.append(handle("input channel", ""))
    done = compile_program(old)
    node = next(one.id for one in done.stream_graph.nodes if one.uid == "slow")
    subtasks = tuple(
        SubtaskState(subtask=one, finished=False, handles=tuple(handles))
        for one in range(int(slow))
    )
    state = OperatorState(
        operator_id=done.hashes[node],
        name=None,
        uid=None,
        parallelism=int(slow),
        max_parallelism=8,
        coordinator_bytes=None,
        fully_finished=False,
        subtasks=subtasks,
    )
    return Savepoint(version=4, checkpoint_id=1, operators=(state,), master_states=(), path="chk-1")


def handle(kind: Any, layout: Any) -> StateHandle:
    return StateHandle(kind=kind, format=layout, bytes=9, files=("/x/1",), is_relocatable=False)


def asked(case: dict[str, Any]) -> RestoreVerdict:
    version = case["version"].rpartition(".")[0]
    old, new = document(case["old"], version), document(case["new"], version)
    baseline = Baseline(name="chk-1", document=old, savepoint=checkpoint(case["old"], old))
    return restore(baseline, new, compile_program(new))


LUCKY: Final = {("global", "rescale"), ("global", "forward")}
"""Records of GLOBAL lie in one channel, which the new exchange may have or not."""


@pytest.mark.slow
@pytest.mark.parametrize("version", ["1.20.5", "2.2.1"])
def test_restrictions_refuse_what_clusters_refuse(version: str) -> None:
    wrong = []
    compared = 0
    for case in cases("checkpoint_restores"):
        if case["version"] != version or "custom" in case["old"] + case["new"]:
            continue
        found = asked(case)
        edges = case["old"].split(":")[0], case["new"].split(":")[0]
        fails = case["flink"] != "restored"
        sure = found.refusals or not fails or found.assumptions
        if edges in LUCKY:
            assert not found.refusals or case["new"].endswith(":4"), case
            assert found.refusals or "may fail" in found.assumptions[0], case
        elif not sure or (found.refusals and not fails):
            wrong.append((case, found.refusals, found.assumptions))
        assert found.exit_code() != 0 or not fails
        assert bool(found.losses) == bool(case.get("lost")), case
        compared += 1

    assert not wrong, [(one["old"], one["new"], one["flink"][-60:], *more) for one, *more in wrong]
    assert compared > 40


@for_each("version", ["1.20.5", "2.2.1"])
@for_each("options", ["rocksdb", "rocksdb:incremental"])
def test_native_state_of_hashmap_is_refused_by_rocksdb(version: str, options: str) -> None:
    case = {
        "version": version,
        "old": "hash:2:2:aligned:hashmap",
        "new": f"hash:2:2:aligned:{options}",
    }

    found = asked(case)

    assert ["EOFException" in one for one in found.refusals] == [True]
    assert not any("assumed that the state backend" in one for one in found.assumptions)
    assert found.exit_code(accept_unchecked=True) == 1


def test_a_keyed_exchange_assumes_that_the_key_is_the_same() -> None:
    case = {"version": "2.2.1", "old": "hash:2:2", "new": "hash:2:2"}

    found = asked(case)

    assert any("assumed that the key is the same" in one for one in found.assumptions)
    assert found.exit_code() == 3


@for_each(
    ("old", "new", "backend", "is_open"),
    [
        ("hashmap:changelog", "hashmap", "hashmap", False),
        ("hashmap:changelog", "rocksdb", "hashmap", True),
        ("hashmap:changelog", "hashmap", None, True),
        ("hashmap", "hashmap", None, False),
        ("rocksdb", "forst", None, False),
    ],
)
def test_a_backend_that_both_sides_name_is_not_assumed(
    old: str, new: str, backend: str | None, *, is_open: bool
) -> None:
    before, after = (document(f"hash:2:2:aligned:{side}", "2.2") for side in (old, new))
    saved = checkpoint(f"hash:2:2:aligned:{old}", before)
    configuration = {"state.backend.type": backend} if backend else {}
    baseline = Baseline(name="chk-1", savepoint=saved, configuration=configuration)

    found = restore(baseline, after, compile_program(after))

    assumed = [one for one in found.assumptions if "assumed that the state backend" in one]
    assert bool(assumed) == is_open
    assert found.refusals == ()


@for_each(
    ("old", "new", "origin", "refused"),
    [
        ("hashmap", "rocksdb", "high availability", "EOFException"),
        ("rocksdb", "hashmap", "native savepoint", "Unexpected state handle type"),
        ("hashmap", "hashmap", "checkpoint", None),
        ("hashmap", "rocksdb", "savepoint", None),
    ],
)
def test_an_upgrade_from_a_checkpoint_needs_the_same_state_backend(
    old: str, new: str, origin: StateOrigin, refused: str | None
) -> None:
    before, after = (document(f"hash:2:2:{side}", "1.20") for side in (old, new))
    baseline = Baseline(name="old.yaml", document=before, origin=origin)

    found = restore(baseline, after, compile_program(after))

    assert [refused in one for one in found.refusals if refused] == ([True] if refused else [])


@for_each(
    ("origin", "new", "weight"),
    [
        ("high availability", "rebalance:2:3", "unchecked"),
        ("checkpoint", "shuffle:2:2", "unchecked"),
        ("high availability", "rebalance:2:2", None),
        ("savepoint", "rebalance:2:3", "note"),
    ],
)
def test_an_upgrade_from_an_unaligned_checkpoint_needs_the_same_exchanges(
    origin: StateOrigin, new: str, weight: str | None
) -> None:
    before, after = (document(side, "2.2") for side in ("rebalance:2:2", new))
    assert isinstance(before, Pipeline)
    unaligned = Checkpointing(unaligned=True)
    environment = msgspec.structs.replace(
        before.environment, checkpoint_interval=1000, checkpointing=unaligned
    )
    before = msgspec.structs.replace(before, environment=environment)
    baseline = Baseline(name="old.yaml", document=before, origin=origin)

    found = restore(baseline, after, compile_program(after))

    weights = [one.weight for one in found.restrictions if "FLINK-38267" in one.sentence]
    assert weights == ([weight] if weight else [])


@pytest.mark.parametrize(("backend", "is_refused"), [("rocksdb", True), ("forst", False)])
def test_state_of_the_asynchronous_api_is_forsts_alone(backend: str, *, is_refused: bool) -> None:
    new = document(f"hash:2:2:aligned:{backend}", "2.2")
    saved = checkpoint("hash:2:2:aligned:forst", new)
    state = SavedState(name="v", backend="keyed", kind="VALUE", is_v2=True)
    operator = msgspec.structs.replace(saved.operators[0], schema=StateSchema(states=(state,)))
    saved = msgspec.structs.replace(saved, operators=(operator,))

    found = restore(Baseline(name="c", savepoint=saved), new, compile_program(new))

    assert any("'v'" in one and "v2 API" in one for one in found.refusals) == is_refused


def typed(type: str) -> dict[str, Any]:
    """A captured program with records of that type on its exchange."""
    transformations: list[dict[str, Any]] = [
        {"id": "in", "type": "legacy_source", "uid": "in"},
        {"id": "edge", "type": "rebalance", "inputs": ["in"]},
        {"id": "slow", "type": "map", "uid": "slow", "inputs": ["edge"]},
    ]
    program = captured(transformations, {"in": "Job$In", "slow": "Job$Slow"})
    for node in program["stream_graph"]["nodes"]:
        node["operator"] |= {"input_types": [type] * (node["id"] > 1), "output_type": type}
    return program


@pytest.mark.parametrize("kind", ["input channel", "result subpartition"])
def test_records_in_flight_of_another_type_are_refused(kind: str) -> None:
    before, after = typed("Long"), typed("String")
    done = compile_program(load_document(before))
    uid = "slow" if kind == "input channel" else "in"
    node = next(one.id for one in done.stream_graph.nodes if one.uid == uid)
    channels = SubtaskState(subtask=0, finished=False, handles=(handle(kind, ""),))
    template = checkpoint("rebalance:1:1", document("rebalance:1:1", "1.20")).operators[0]
    state = msgspec.structs.replace(
        template, operator_id=done.hashes[node], parallelism=1, subtasks=(channels,)
    )
    saved = Savepoint(version=4, checkpoint_id=1, operators=(state,), master_states=(), path="c")

    for old, new, refused in ((before, after, True), (before, before, False)):
        baseline = Baseline(name="c", document=load_document(old), savepoint=saved)
        document_of_new = load_document(new)
        found = restore(baseline, document_of_new, compile_program(document_of_new))
        assert any("of Long, which are read as String" in one for one in found.refusals) == refused
        assert not any("their type is the same" in one for one in found.assumptions)

    alone = restore(
        Baseline(name="c", savepoint=saved), document_of_new, compile_program(document_of_new)
    )
    assert any("their type is the same" in one for one in alone.assumptions)
    assert {one.what for one in alone.operators if one.operator_id} == {"records in flight"}
    assert not alone.misdirected


@for_each(
    "case",
    list(cases("batch_restores")),
    lambda one: " ".join(str(one[name]) for name in ("version", "mode", "uid", "allowed")),
)
def test_a_batch_job_restores_nothing_as_on_clusters(case: dict[str, Any]) -> None:
    """``AskBatch`` counted the keys that a second job restored, and let it ignore its source."""

    def program(uid: str, source: str, mode: str) -> Document:
        transformations = [
            {"id": "numbers", "type": "source", "uid": source},
            {"id": "by", "type": "key_by", "inputs": ["numbers"]},
            {"id": "last", "type": "reduce", "uid": uid, "inputs": ["by"]},
            {"id": "sink", "type": "sink_v2", "uid": "sink", "inputs": ["last"]},
        ]
        environment = {"runtime_mode": mode, "parallelism": 1}
        return load_document({"transformations": transformations, "environment": environment})

    version = case["version"].rpartition(".")[0]
    old = program("saved", "old", "STREAMING").under(version)
    new = program(case["uid"], "new", case["mode"]).under(version)
    saved = compile_baseline(Baseline(name="savepoint", document=old)).savepoint

    found = restore(
        Baseline(name="savepoint", savepoint=saved, document=old),
        new,
        compile_program(new),
        allow_non_restored=case["allowed"],
    )

    last = next(one for one in found.operators if one.name == "Keyed Reduce" and one.operator_id)
    assert (found.verdict == "restored") == (case["flink"] == "finished")
    if found.verdict == "restored":
        assert (last.outcome == "restored") == (case["keys"] == 10)
    assert bool(found.losses) == (case["mode"] == "BATCH")
