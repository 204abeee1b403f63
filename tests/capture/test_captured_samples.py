"""The captured samples are what a capture of their programs gives, and equal Flink's own word."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

import explorer
from explorer.documents import load_document, samples
from explorer.locations import sample_folder
from explorer.model.document import StreamGraphDocument
from tests.capture.flinks import differences, jar_of, lib

VERSION = "1.20.5"
PROGRAMS = sample_folder() / "programs"
BY_HAND = {"title", "teaches"}
CAPTURED = {
    "15-hourly-delays": "hourly-delays.sql",
    "16-airport-report": "airport-report.sql",
    "17-late-flights-captured": "LateFlights.java",
}


def stored_document(sample: str) -> dict[str, Any]:
    values = msgspec.json.decode((sample_folder() / f"{sample}.json").read_bytes())
    return {name: value for name, value in values.items() if name not in BY_HAND}


def test_every_captured_sample_has_its_program_and_equals_flinks_own_job_graph() -> None:
    found = [
        sample.key
        for sample in samples()
        if isinstance(load_document(sample.path), StreamGraphDocument)
    ]

    assert found == list(CAPTURED)
    assert [differences(stored_document(sample)) for sample in found] == [()] * len(found)


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
@pytest.mark.parametrize("version", ["orders-1", "orders-2"])
def test_a_jar_of_the_upgrade_captured_anew_is_its_document(version: str) -> None:
    folder = sample_folder() / "upgrade"
    (document,) = explorer.capture(folder / f"{version}.jar", flink_lib=lib(VERSION))
    stored = msgspec.json.decode((folder / f"{version}.json").read_bytes())

    assert msgspec.json.decode(msgspec.json.encode(document)) == stored
    assert differences(stored) == ()


@pytest.mark.flink
@pytest.mark.usefixtures("warm_java")
@pytest.mark.parametrize("sample", CAPTURED)
def test_a_program_captured_anew_is_the_sample(sample: str, tmp_path: Path) -> None:
    program = PROGRAMS / CAPTURED[sample]
    if program.suffix == ".java":
        program = jar_of(program, VERSION, tmp_path)
    (document,) = explorer.capture(program, flink_lib=lib(VERSION))

    assert msgspec.json.decode(msgspec.json.encode(document)) == stored_document(sample)
