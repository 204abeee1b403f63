"""Reading a rehearsal's JSON: what it wrote is read again, and nothing else is."""

from pathlib import Path

import msgspec
import pytest

from explorer import compile_graph
from explorer.documents import load_document, samples
from explorer.documents.limits import MAX_BYTES, MAX_TRANSFORMATIONS
from explorer.documents.rehearsals import parse_rehearsal, rehearsal_of
from explorer.errors import DocumentError
from explorer.model.rehearsal import Rehearsal, RehearsedOperator
from tests.many_cases import for_each

KEEP = RehearsedOperator(operator_id=None, name="Keep", uid=None, verdict="restored")
FOUND = Rehearsal(
    verdict="restored",
    flink_version="2.2.1",
    backend="hashmap",
    seconds=4,
    savepoint="sp",
    target="new.jar",
    operators=(KEEP,),
)
TEXT = msgspec.json.encode(FOUND.to_dict())


def test_a_written_rehearsal_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "orders.v2.rehearsal.json").write_bytes(TEXT)

    assert parse_rehearsal(TEXT) == FOUND
    assert rehearsal_of(tmp_path / "orders.v2.yaml") == FOUND
    assert rehearsal_of(tmp_path / "other.yaml") is None


def test_the_former_name_of_the_version_is_read() -> None:
    values = msgspec.json.decode(TEXT)
    assert values.pop("flink_version") == values["flink"] == FOUND.flink

    assert parse_rehearsal(msgspec.json.encode(values)) == FOUND


@for_each(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b"[" * 100_000,
        TEXT.replace(b'"restored"', b'"green"'),
        b" " * (MAX_BYTES + 1),
    ],
)
def test_anything_else_is_refused_in_a_sentence(content: bytes) -> None:
    with pytest.raises(DocumentError):
        parse_rehearsal(content)


@pytest.mark.slow
def test_operators_have_a_limit() -> None:
    many = msgspec.structs.replace(FOUND, operators=(KEEP,) * (MAX_TRANSFORMATIONS + 1))

    with pytest.raises(DocumentError, match="operators"):
        parse_rehearsal(msgspec.json.encode(many.to_dict()))


def test_the_rehearsal_of_a_sample_has_its_operator_ids() -> None:
    (sample,) = [one for one in samples() if one.key == "17-late-flights-captured"]
    found = rehearsal_of(sample.path)

    assert found is not None
    assert found.verdict == "restored"
    hashes = compile_graph(load_document(sample.path)).hashes
    assert {one.operator_id for one in found.operators} == set(hashes.values())
