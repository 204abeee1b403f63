"""A channel's records in network buffers: bytes without gaps, and the reason for the channel."""

import json
from pathlib import Path

import pytest

import explorer
from explorer.cli.main import main
from explorer.drawing.svg.buffers_svg import buffers_svg
from explorer.engine.preview.channel_records import channel_records
from explorer.engine.preview.tracing import traced_run

NUMBERS = {"id": "n", "type": "legacy_source", "rows": {"sequence": {"from": 0, "to": 5999}}}
DOCUMENT = {
    "flink": "1.20",
    "environment": {"parallelism": 2},
    "transformations": [
        {**NUMBERS, "parallelism": 1},
        {"id": "k", "type": "key_by", "inputs": ["n"], "keys": ["n"]},
        {"id": "m", "type": "map", "inputs": ["k"]},
        {"id": "o", "type": "sink", "inputs": ["m"]},
    ],
}
SIZE = 32_768


@pytest.mark.slow
def test_records_follow_one_another_and_some_span_two_buffers() -> None:
    run = traced_run(explorer.compile_graph(DOCUMENT))
    channels = channel_records(run, 0, SIZE, 10_000)

    assert [(one.subtask, one.channel, one.consumers) for one in channels] == [
        (0, 0, (0,)),
        (0, 1, (1,)),
    ]
    assert sum(one.records for one in channels) == 6000
    watermarks = 2 * 13
    assert sum(one.bytes for one in channels) + watermarks == run.report.vertices[0].bytes_out
    for one in channels:
        ends = [row.start + row.size for row in one.rows]
        assert [row.start for row in one.rows] == [0, *ends[:-1]]
        spanning = [row for row in one.rows if row.buffers[0] != row.buffers[1]]
        assert spanning
        assert all(
            row.start < (row.buffers[0] + 1) * SIZE < row.start + row.size for row in spanning
        )
        for row in one.rows[:100]:
            assert row.choice.keyed is not None
            assert row.choice.keyed.operator_index == one.channel
    assert channel_records(run, 0, SIZE, 3)[0].rows == channels[0].rows[:3]


def test_a_record_that_spans_is_drawn_in_both_buffers() -> None:
    spans = [(at * 10, 10) for at in range(25)]
    drawn = buffers_svg(spans, 64, 3)
    assert drawn.count('class="name"') == 3
    assert ">4 of 10<" in drawn
    assert ">6 of 10<" in drawn
    assert " free<" not in drawn
    assert "54 free" in buffers_svg([(0, 10)], 64, 3)
    assert ">8 records<" in buffers_svg([(at, 1) for at in range(20)], 64, 3)
    assert "buffer 0" not in buffers_svg([], 64, 3)


def test_the_command_prints_a_network_exchange(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "n.json"
    file.write_text(json.dumps(DOCUMENT))
    assert main(["wire", str(file), "--edge", "n->m"]) == 0
    text = capsys.readouterr().out
    assert "ChannelSelectorRecordWriter" in text
    assert "channel 0 of subtask 0, to subtask 0:" in text
    assert "modulo 128" in text
    asked = ["--option", "taskmanager.numberOfTaskSlots=2", "--json"]
    assert main(["wire", str(file), "--edge", "n->m", *asked]) == 0
    reported = json.loads(capsys.readouterr().out)
    assert (reported["local"], reported["remote"], len(reported["carried"])) == (2, 0, 2)
    assert main(["wire", str(file), "--edge", "m->o"]) == 1
    assert "is chained" in capsys.readouterr().err
