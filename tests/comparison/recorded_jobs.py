"""Jobs that clusters reported, and the program that they were captured from."""

from typing import Any, Final

from explorer.documents import JobGraphDocument, load_document
from explorer.flink.compiler import Compilation, compile_program
from explorer.running.running_jobs import NOT_COMPARED
from tests.golden_files import cases

SAME: Final = (
    f"Same operator IDs: all 3 tasks of the job have the IDs of this program. {NOT_COMPARED}"
)
RECORDED: Final = {case["flink"]: case for case in cases("running_jobs")}


def job(version: str, which: str = "running") -> JobGraphDocument:
    loaded = load_document(RECORDED[version][which])
    assert isinstance(loaded, JobGraphDocument)
    return loaded


def program(version: str, change: Any = None) -> Compilation:
    captured = {**RECORDED[version]["captured"]}
    if change is not None:
        del captured["flink_job_graph"]
        nodes = [node | change(node) for node in captured["stream_graph"]["nodes"]]
        captured["stream_graph"] = {**captured["stream_graph"], "nodes": nodes}
    return compile_program(load_document(captured))
