"""Java objects in a table answer as they do one by one, in few calls."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from py4j.java_gateway import GatewayClient
from py4j.protocol import Py4JJavaError

import explorer
from explorer.capture.jvm.java_machine import java_machine, own_jars
from explorer.capture.jvm.java_objects import JavaObjects
from explorer.capture.jvm.object_tables import NO_ANSWER
from tests.capture.flinks import differences, jar, lib

pytestmark = [pytest.mark.flink, pytest.mark.usefixtures("warm_java")]


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with java_machine(own_jars(), tmp_path_factory.mktemp("tables"), 600, {}) as machine:
        yield machine.java


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collects the commands that are sent to the JVM."""
    sent: list[str] = []
    send = GatewayClient.send_command

    def sending(self: GatewayClient, command: str, *rest: Any, **named: Any) -> Any:
        sent.append(command)
        return send(self, command, *rest, **named)

    monkeypatch.setattr(GatewayClient, "send_command", sending)
    return sent


def _listed(java: Any, values: list[Any]) -> Any:
    made = java.java.util.ArrayList()
    for value in values:
        made.add(value)
    return made


def test_texts_numbers_and_truth_values_are_those_of_java(java: Any) -> None:
    names = ["a/b", "c", 'd\u0001"\\\n\u00e9\U0001f600/f']
    files = [java.java.io.File(name) for name in names]
    objects = JavaObjects(java)
    read = objects.each(objects.tabled(_listed(java, files)))

    for one, file in zip(read, files, strict=True):
        for method in ("getName", "getParent", "length", "isDirectory", "hashCode"):
            assert objects.call(one, method) == getattr(file, method)()
        assert str(one) == str(file.toString())
        assert objects.field(one, "path") == file.getPath()
        assert objects.call(one, "nothing", default=5) == 5
        assert objects.field(one, "nothing", default=6) == 6


def test_one_call_asks_all_objects_of_a_class(java: Any, calls: list[str]) -> None:
    objects = JavaObjects(java)
    read = objects.each(objects.tabled(_listed(java, [java.java.io.File(c) for c in "abcdef"])))
    calls.clear()

    assert [one.getName() for one in read] == list("abcdef")
    assert len(calls) == 1


def test_an_object_that_throws_raises_the_exception_of_java(java: Any) -> None:
    stacks = _listed(java, [java.java.util.ArrayDeque(), java.java.util.ArrayDeque()])
    stacks.get(1).add("one")
    empty, filled = JavaObjects(java).tabled(stacks)

    assert filled.getFirst() == "one"
    with pytest.raises(Py4JJavaError, match="NoSuchElementException"):
        empty.getFirst()
    assert empty.ask("new", "java.util.Nothing") is NO_ANSWER


def test_elements_arrays_and_arguments_are_objects_of_the_table(java: Any) -> None:
    objects = JavaObjects(java)
    same = java.java.io.File("x")
    listed = objects.tabled(_listed(java, [same, same, java.java.io.File("x")]))
    first, second, third = listed

    assert first is second
    assert first is not third
    assert first.ask("equal", "") == third.ask("equal", "") == 0
    assert list(listed.toArray()) == [first, second, third]
    assert first.compareTo(same) == 0
    assert first.compareTo(java.java.io.File("x")) == 0
    again = _listed(java, [same])
    assert [first.compareTo(again.get(0)) for _ in "ab"] == [0, 0]
    thrown = objects.tabled(java.java.lang.Throwable("x"))
    made = objects.made_of(thrown, "java.lang.Error")
    assert str(made) == "java.lang.Error: java.lang.Throwable: x"
    kept = java.java.util.ArrayList()
    kept.add(third)
    assert str(kept.get(0).toString()) == "x"


@pytest.mark.parametrize("version", ["1.20.5", "2.2.1"])
def test_a_long_program_needs_as_many_calls_as_a_short_one(
    version: str, tmp_path: Path, calls: list[str]
) -> None:
    program = jar("Many", version, tmp_path)
    counts = []
    for operators in ("3", "60"):
        calls.clear()
        (document,) = explorer.capture(program, [operators], flink_lib=lib(version))
        counts.append(len(calls))
        assert len(document["stream_graph"]["nodes"]) == int(operators) + 2
    assert differences(document) == ()
    assert counts[1] - counts[0] < 60


def test_a_connection_sends_the_end_of_an_answer_at_once(java: Any) -> None:
    loopback = java.java.net.InetAddress.getByName("127.0.0.1")
    server = java.explorer.capture.PromptSockets().createServerSocket(0, 1, loopback)
    try:
        client = java.java.net.Socket(loopback, server.getLocalPort())
        accepted = server.accept()
        assert accepted.getTcpNoDelay()
        accepted.close()
        client.close()
    finally:
        server.close()
