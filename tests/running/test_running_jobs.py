"""Running jobs beside a compilation: tasks by their IDs, and their differences."""

import json
from pathlib import Path
from typing import Any

import pytest

from explorer.cli.main import main
from explorer.documents import JobGraphDocument, load_document
from explorer.flink.compiler import compile_program
from explorer.running.running_jobs import chain_order, match_document, match_job
from tests.comparison.recorded_jobs import RECORDED, SAME, job, program
from tests.golden_files import cases


def test_another_parallelism_is_listed_at_its_task() -> None:
    wider = program("2.2.1", lambda node: {"parallelism": 4} if node["parallelism"] == 2 else {})
    match = match_job(job("2.2.1").job, wider)
    assert match.verdict == "same operator IDs"
    assert match.sentence.startswith(SAME.split(". ", maxsplit=1)[0] + ", with 2 differences. ")
    assert all("it runs with parallelism 2, and here has 4" in one for one in match.differences)


def test_other_names_and_inputs_are_listed() -> None:
    other = load_document(
        {
            **RECORDED["1.20.5"]["running"],
            "job_graph": {
                **RECORDED["1.20.5"]["running"]["job_graph"],
                "edges": [],
                "vertices": [
                    vertex | {"name": "other", "max_parallelism": 77}
                    for vertex in RECORDED["1.20.5"]["running"]["job_graph"]["vertices"]
                ],
            },
        }
    )
    assert isinstance(other, JobGraphDocument)
    (_, second, _) = match_job(other.job, program("1.20.5")).tasks
    assert second.differences == (
        "it is called 'other' in the job and 'sums -> (negative -> Sink: below 0, halves -> Filter "
        "-> Sin…' here",
        "it reads nothing in the job and ca88eee0 by HASH here",
    )


def test_a_job_of_another_program_is_another_one() -> None:
    ends = [{"id": "a", "type": "source"}, {"id": "b", "type": "sink", "inputs": ["a"]}]
    lone = {"transformations": ends, "flink": "1.20"}
    match = match_job(job("1.20.5").job, compile_program(load_document(lone)))
    assert match.verdict == "other operator IDs"
    assert match.sentence == (
        "Other operator IDs: under Flink 1.20 no task of the job has an ID of this program."
    )


def test_a_new_task_makes_it_another_version() -> None:
    apart = program(
        "1.20.5", lambda node: {"chaining_strategy": "NEVER"} if node["name"] == "halves" else {}
    )
    match = match_job(job("1.20.5").job, apart)
    assert match.verdict == "some operator IDs"
    assert match.sentence.startswith("Some operator IDs: ")
    assert any("is a task of this program, and does not run" in one for one in match.differences)


@pytest.mark.parametrize("version", RECORDED)
@pytest.mark.parametrize("turned", [False, True])
def test_the_shell_compares_a_job_with_a_program(
    version: str,
    turned: bool,  # noqa: FBT001
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = [tmp_path / f"{which}.json" for which in ("plan", "captured")]
    for file in files:
        file.write_text(json.dumps(RECORDED[version][file.stem]))
    if turned:
        files.reverse()
    assert main(["compare", *map(str, files)]) == 0
    said = capsys.readouterr().out
    assert said.strip() == SAME
    assert main(["compare", "--json", *map(str, files)]) == 0
    members = json.loads(capsys.readouterr().out)
    assert (members["verdict"], members["differences"]) == ("same operator IDs", [])


def test_a_program_for_another_release_is_compiled_for_the_clusters() -> None:
    program = load_document(RECORDED["1.9.3"]["captured"])
    match = match_document(job("2.2.1"), program)
    assert match.flink_version == "2.2"
    assert match.verdict == "same operator IDs"


def running(values: dict[str, Any], name: str = "") -> JobGraphDocument:
    """The program as a job, in which Flink gave other IDs, and one task another name."""
    text = json.dumps({key: value for key, value in values.items() if key != "data_set"})
    for vertex in values["job_graph"]["vertices"]:
        text = text.replace(vertex["id"], vertex["id"][::-1])
    graph = json.loads(text)
    if name:
        graph["job_graph"]["vertices"][-1]["name"] = name
    loaded = load_document(graph)
    assert isinstance(loaded, JobGraphDocument)
    return loaded


def test_a_job_is_compared_with_its_program_by_names() -> None:
    values = list(cases("data_set_programs"))[-1]
    program, count = load_document(values), len(values["job_graph"]["vertices"])

    same = match_document(running(values), program)
    assert same.verdict == "same task names"
    assert same.sentence.startswith(
        f"Same task names: {count} of the job's {count} tasks have names of this program's tasks. "
        "Flink gives the tasks of a DataSet program IDs at random: names are compared."
    )
    other = match_document(running(values, "DataSink (other)"), program)
    assert other.verdict == "some task names"
    assert any("'DataSink (other)'" in one for one in other.differences)


def test_operators_of_a_task_are_named_depth_first_from_its_head() -> None:
    done = program("1.20.5")
    sums = next(one for one in done.job_graph.vertices if one.name.startswith("sums"))

    names = [name for _, name in chain_order(sums)]

    assert names == [
        "sums", "negative", "Sink: below 0", "halves", "Filter", "Sink: Print to Std. Out"
    ]  # fmt: skip


def test_an_operator_of_one_name_with_another_description_is_listed() -> None:
    described = program(
        "1.20.5", lambda node: {"description": "x > 1"} if node["name"] == "Filter" else {}
    )

    (difference,) = match_job(job("1.20.5").job, described).differences

    assert "'Filter' is described as 'Filter' in the job and as 'x > 1' here" in difference


@pytest.mark.parametrize("version", RECORDED)
def test_a_comparison_is_json_with_its_sentence(version: str) -> None:
    match = match_job(job(version).job, program(version))

    members = json.loads(json.dumps(match.to_dict()))

    assert (members["sentence"], members["differences"]) == (SAME, [])
    assert [task["id"] for task in members["tasks"]] == [one.id for one in job(version).job.tasks]
