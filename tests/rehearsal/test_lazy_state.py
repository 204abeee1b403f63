"""State that is not asked for when an operator opens: 73 operators, as a cluster ran them."""

import json
from pathlib import Path

import pytest

from explorer.rehearsal import rehearse
from tests.archives import unpack
from tests.capture.flinks import lib
from tests.patience import PATIENCE
from tests.rehearsal.ask_lazy import ARCHIVE
from tests.rehearsal.ask_used import VERSION

pytestmark = [pytest.mark.flink, pytest.mark.usefixtures("warm_java")]


def test_operators_are_judged_as_the_cluster_ran_them(tmp_path: Path) -> None:
    unpack(ARCHIVE, tmp_path)
    folder = tmp_path / "lazy_state"
    failures = json.loads((folder / "cases.json").read_text())
    found = rehearse(
        folder / "savepoint",
        folder / "new.jar",
        args=["-"],
        flink_lib=lib(VERSION),
        configuration={"state.backend.type": "hashmap"},
        timeout=PATIENCE,
    )
    operators = {one.uid: one for one in found.operators if one.uid in failures}

    assert operators.keys() == failures.keys()
    refused = {uid for uid, one in operators.items() if one.weight == "refused"}
    assert refused == {uid for uid, error in failures.items() if error}
    # A renamed state starts empty, and its old content stays unused.
    assert {uid for uid, one in operators.items() if one.weight == "unchecked"} == {"renamed"}
