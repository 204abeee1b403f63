"""Changes that give operators uids and keep the IDs of their state."""

import msgspec

from explorer.checks.check_case import CheckCase
from explorer.checks.uids import all_pinned, fresh_uids, uid_proposals
from explorer.comparison.baseline import Baseline
from explorer.documents import load_document
from explorer.edits import apply_change
from explorer.flink.compiler import compile_program
from explorer.flink.releases import release
from explorer.model.changes import Proposal
from explorer.model.document import Document as LoadedDocument
from explorer.model.pipeline import Pipeline
from tests.checks.pairs import BARE, Document, changed, job, op


def case(document: Document) -> CheckCase:
    loaded = load_document({"flink": "1.20", **document})
    return CheckCase(document=loaded, release=release("1.20"), compilation=compile_program(loaded))


def changed_by(proposal: Proposal, document: Document) -> Pipeline:
    """The document after the change of a proposal."""
    pipeline = load_document({"flink": "1.20", **document})
    assert isinstance(pipeline, Pipeline)
    return apply_change(pipeline, proposal.change)


def ids(document: LoadedDocument) -> dict[str | None, str]:
    """By transformation, the ID under which a savepoint finds its operator."""
    done = compile_program(document)
    nodes = done.stream_graph.nodes
    return {node.transformation: node.uid_hash or done.hashes[node.id] for node in nodes}


TWO = job(
    op("s", "source"),
    op("by", "key_by", "s", keys=["n"]),
    op("count", "reduce", "by"),
    op("by2", "key_by", "count", keys=["n"]),
    op("top", "reduce", "by2"),
    op("out", "sink", "top"),
)


def test_the_first_proposal_preserves_the_id_of_the_state_and_the_second_does_not() -> None:
    checked = case(BARE)
    count = next(node for node in checked.compiled.stream_graph.nodes if node.uid is None)

    pinned, alone = uid_proposals(checked, count)

    before = checked.compiled.hashes[count.id]
    assert pinned.label == "Give count the uid count, and its current ID as uid hash"
    assert ids(changed_by(pinned, BARE))["count"] == before
    assert ids(changed_by(alone, BARE))["count"] != before


def test_an_operator_with_a_uid_has_no_proposal() -> None:
    checked = case(BARE)
    (source, *_) = checked.compiled.stream_graph.nodes

    assert uid_proposals(checked, source) == ()


def test_one_change_pins_every_stateful_operator() -> None:
    before = ids(case(TWO).document)
    (every,) = all_pinned(case(TWO))

    after = ids(changed_by(every, TWO))

    assert every.label == (
        "Give all 3 stateful operators uids, and their current IDs as uid hashes"
    )
    assert {id: after[id] for id in ("s", "count", "top")} == {
        id: before[id] for id in ("s", "count", "top")
    }
    assert all_pinned(case(BARE)) == ()


def test_with_a_baseline_the_pin_is_the_id_that_it_has() -> None:
    clean = job(
        op("s", "source", uid="s"),
        op("clean", "filter", "s"),
        *changed(BARE, "by", inputs=["clean"])["transformations"][1:],
    )
    baseline = Baseline(name="v1", document=load_document({"flink": "1.20", **BARE}))
    deployed = ids(case(BARE).document)["count"]
    moved = msgspec.structs.replace(case(clean), baseline=baseline)
    count = next(n for n in moved.compiled.stream_graph.nodes if n.transformation == "count")

    pinned, _ = uid_proposals(moved, count)

    assert pinned.label.endswith("and its ID in the baseline as uid hash")
    assert moved.compiled.hashes[count.id] != deployed
    assert ids(changed_by(pinned, clean))["count"] == deployed


def test_new_uids_differ_from_those_that_are_there() -> None:
    taken = changed(changed(BARE, "s", uid="count"), "out", uid="count-2")

    fresh = [one.value for one in fresh_uids(case(taken), ["count", "by", "count"])]

    assert len({*fresh, "count", "count-2"}) == 5
    assert fresh[1] == "by"
