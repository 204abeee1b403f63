"""Every getter of a StreamGraph in all releases is captured, or has a reason why not."""

import gzip

import msgspec

from explorer.model.chains import JobSettings
from explorer.model.document import StreamGraphDocument
from explorer.model.stream_graph import StreamEdge, StreamGraph, StreamNode
from tests.capture.getters import CAPTURED, NOT_CAPTURED, UNREAD
from tests.golden_files import GOLDEN

ASKED = msgspec.json.decode(gzip.decompress((GOLDEN / "getters.json.gz").read_bytes()))
ORDERS = {"in_order", "out_order"}


def test_every_getter_is_in_one_table() -> None:
    assert sorted([*CAPTURED, *NOT_CAPTURED]) == sorted(ASKED)


def test_an_option_listed_as_unread_is_read_by_no_release() -> None:
    unread = {getter for getter, reason in NOT_CAPTURED.items() if reason == UNREAD}

    assert {getter for getter in unread if ASKED[getter]["reads"]} == set()
    assert {
        getter for getter in NOT_CAPTURED.keys() - unread if not ASKED[getter]["reads"]
    } == set()


def test_a_setting_listed_as_captured_is_a_member_of_a_document() -> None:
    members = {
        "nodes": {*StreamNode.__struct_fields__, *ORDERS},
        "edges": set(StreamEdge.__struct_fields__),
        "settings": set(JobSettings.__struct_fields__),
    }
    whole = {*StreamGraphDocument.__struct_fields__, *StreamGraph.__struct_fields__}
    for member in CAPTURED.values():
        place, _, name = member.partition(".")
        assert name.partition(".")[0] in members[place] if name else place in whole
