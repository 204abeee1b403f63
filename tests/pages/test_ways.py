"""Ways through a graph, on the whole page without a browser."""

from tests.pages.opened import opened, sent


def test_ctrl_k_is_sent_all_there_is() -> None:
    entries = sent(opened(), "Find anything")["entries"]

    assert ["operator", "count", "chain 3 · ×2"] in [entry[:3] for entry in entries]
    assert {"operator", "task", "edge", "job edge", "tab", "sample", "release"} == {
        entry[0] for entry in entries
    }
