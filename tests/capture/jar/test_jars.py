"""A jar becomes a document that is translated as its Flink translates the program."""

import os
from pathlib import Path

import pytest

import explorer
from tests.capture.flinks import VERSIONS, differences, jar, lib

pytestmark = [pytest.mark.flink, pytest.mark.usefixtures("warm_java")]


@pytest.fixture(scope="module", params=VERSIONS)
def orders(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Path]:
    folder = tmp_path_factory.mktemp("orders")
    return request.param, jar("Orders", request.param, folder)


def test_a_jar_is_translated_as_its_flink_does(orders: tuple[str, Path]) -> None:
    version, program = orders
    (document,) = explorer.capture(program, ["mine"], flink_lib=lib(version), parallelism=4)

    assert document["name"] == "mine"
    assert document["flink"] == version.rpartition(".")[0]
    assert document["flink_job_graph"]["flink"] == version
    assert differences(document) == ()


def test_a_class_path_is_captured_by_its_main_class(tmp_path: Path) -> None:
    program = jar("Orders", "1.20.5", tmp_path)
    classes = program.with_suffix("")
    target = os.pathsep.join([str(classes), str(tmp_path)])
    (document,) = explorer.capture(
        target,
        flink_lib=lib("1.20.5"),
        main_class="Orders",
        configuration={"pipeline.operator-chaining.enabled": False, "s3.secret-key": "abc"},
    )

    assert document["options"]["pipeline.operator-chaining.enabled"] == "false"
    assert document["options"]["s3.secret-key"] == "******"
    assert not document["stream_graph"]["chaining_enabled"]
    assert differences(document) == ()
    by_name = {node["name"]: node for node in document["stream_graph"]["nodes"]}
    assert by_name["parse"]["operator"] == {
        "factory": "org.apache.flink.streaming.api.operators.SimpleUdfStreamOperatorFactory",
        "class_name": "org.apache.flink.streaming.api.operators.StreamMap",
        "function": "Orders$Parse",
        "input_types": ["String"],
        "output_type": "Tuple2<String, Integer>",
        "slot_memory_use_cases": [],
    }


@pytest.mark.parametrize("version", VERSIONS)
def test_a_program_with_several_jobs_gives_several_documents(version: str, tmp_path: Path) -> None:
    program = jar("Fails", version, tmp_path)
    documents = explorer.capture(program, ["several"], flink_lib=lib(version))

    assert [document["name"] for document in documents] == ["first", "second"]
    assert [differences(document) for document in documents] == [(), ()]
