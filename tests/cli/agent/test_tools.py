"""``mcp``: the tools over stdio, asked by the SDK's own client; one process answers all tests."""

import json
import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from explorer.cli.main import main
from explorer.locations import sample_folder
from tests.savepoints.headers import LONG, keyed_header, snapshot, with_file

if TYPE_CHECKING:  # the SDK takes two seconds, also where this module is only collected
    from mcp_types import CallToolResult, Tool

pytestmark = pytest.mark.process

ROOT: Final = Path(__file__).parents[3]
GUIDE: Final = (ROOT / "docs" / "agents.md").read_text()
CONFIGURATION: Final = re.findall(r"^```json\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)[0]
UPGRADE: Final = sample_folder() / "upgrade"
ORDERS: Final = [(UPGRADE / f"orders-{version}.json").read_text() for version in (1, 2)]
WORDS: Final = (sample_folder() / "01-word-count.yaml").read_text()
SECONDS: Final = 300
"""Bound of the conversation."""
SHELL: Final[Mapping[str, tuple[str, Mapping[str, Any], list[str]]]] = {
    "compile": (
        "compile", {"file": "orders-1.json"}, ["compile", "orders-1.json"],
    ),
    "compile a sample": (
        "compile", {"file": "01-word-count", "emit": "job-graph", "flink": "1.20"},
        ["compile", "01-word-count", "--emit", "job-graph", "--flink", "1.20"],
    ),
    "explain_edge": (
        "explain_edge", {"file": "01-word-count", "source": "words", "target": "ones"},
        ["explain", "01-word-count", "--edge", "words->ones", "--json"],
    ),
    "explain_edge by operator IDs": (
        "explain_edge",
        {"document": WORDS, "source": "b5c8d46f3e7b141acf271f12622e752b", "target": "Sink: counts"},
        ["explain", "01-word-count", "--edge", "count->counts", "--json"],
    ),
    "whatis": (
        "whatis", {"text": "--90bea66de1c231edf33913ecd54406c1", "file": "orders-1.json"},
        ["whatis", "x 90bea66de1c231edf33913ecd54406c1", "orders-1.json", "--json"],
    ),
    "check": (
        "check", {"file": "orders-2.json", "baseline": "orders-1.json"},
        ["check", "orders-2.json", "--baseline", "orders-1.json", "--format", "json"],
    ),
    "restore": (
        "restore",
        {"old": "savepoint", "new": "orders-2.json", "from_flink": "1.20",
         "matches": {"90bea66de1c231edf33913ecd54406c1": "total by customer"}},
        ["restore", "savepoint", "orders-2.json", "--from-flink", "1.20",
         "--match", "90bea66de1c231edf33913ecd54406c1=total by customer", "--json"],
    ),
    "plan": (
        "plan",
        {"new": "orders-2.json", "old": "orders-1.json", "savepoint": "savepoint",
         "options": {"taskmanager.numberOfTaskSlots": "4"}},
        ["plan", "orders-2.json", "--from", "orders-1.json", "-s", "savepoint",
         "-D", "taskmanager.numberOfTaskSlots=4", "--format", "json"],
    ),
    "compare": (
        "compare", {"old": "orders-1.json", "new": "orders-2.json"},
        ["compare", "orders-1.json", "orders-2.json", "--json"],
    ),
    "compare texts": (
        "compare", {"old": ORDERS[0], "new": ORDERS[1]},
        ["compare", "orders-1.json", "orders-2.json", "--json"],
    ),
    "resources": (
        "resources", {"file": "orders-1.json", "options": {"taskmanager.numberOfTaskSlots": "4"}},
        ["resources", "orders-1.json", "--option", "taskmanager.numberOfTaskSlots=4", "--json"],
    ),
}  # fmt: skip
"""By test, a tool, its arguments, and the line of the shell that prints the same record."""
REFUSED: Final = {
    "absolute": ("compile", {"file": str(UPGRADE / "orders-1.json")}, "is no file that"),
    "above": ("compile", {"file": "../outside.yaml"}, "is no file that"),
    "above and back": ("compile", {"file": "../folder/orders-1.json"}, "is no file that"),
    "a link": ("compile", {"file": "link.yaml"}, "is no file that"),
    "a linked folder": ("restore", {"old": "away", "new": "orders-1.json"}, "is no file that"),
    "a loop of links": ("compile", {"file": "loop.yaml"}, "is no file that"),
    "a linked _metadata": (
        "restore", {"old": "linked", "new": "orders-1.json"}, "outside the folder",
    ),
    "standard input": ("compile", {"file": "-"}, "is no file that"),
    "an option": ("compile", {"file": "--help"}, "is no file that"),
    "a revision": ("plan", {"new": "orders-1.json", "old": "git:HEAD"}, "is no file that"),
    "a URI": ("compile", {"file": f"file://{UPGRADE}/orders-1.json"}, "is no file that"),
    "a job's address": ("compile", {"file": "http://localhost:1/jobs/a"}, "is no file that"),
    "no name": ("compile", {"file": ""}, "is no file that"),
    "a zero": ("compile", {"file": "a\0b"}, "is no file that"),
    "a jar": ("compile", {"file": "orders-1.jar"}, "is a program, and these tools start none"),
    "a resource of a jar": ("compile", {"file": "deployment.yaml"}, "local:///orders-1.jar"),
    "nothing there": ("compile", {"file": "nothing.yaml"}, "no such file"),
    "no document": ("compile", {"file": "broken.yaml"}, "broken.yaml, line 2"),
    "no document in a text": ("compile", {"document": "name: a\n\tb: ["}, "<document>, line 2"),
    "no document in a file's place": ("compile", {"file": "name: a\n\tb: ["}, "<file>, line 2"),
    "neither file nor text": ("compile", {}, "one of both"),
    "file and text": ("draw", {"file": "01-word-count", "document": "name: a\n"}, "one of both"),
    "no edge": ("explain_edge", {"file": "01-word-count", "source": "a", "target": "b"}, "'a'"),
    "no release": ("compile", {"file": "01-word-count", "flink": "7.7"}, "7.7"),
}  # fmt: skip
"""By test, a tool, its arguments, and words of the one sentence that refuses them."""
DEPLOYMENT: Final = """\
apiVersion: flink.apache.org/v1beta1
kind: FlinkDeployment
metadata: {name: orders}
spec:
  flinkVersion: v1_20
  job: {jarURI: 'local:///orders-1.jar', parallelism: 2, upgradeMode: savepoint}
"""


class Conversation:
    """What the server answered to all calls."""

    tools: "dict[str, Tool]"
    answers: "dict[str, CallToolResult]"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two versions and their savepoint, and with what leads out of it."""
    base = tmp_path_factory.mktemp("agent")
    folder = base / "folder"
    shutil.copytree(UPGRADE, folder)
    (base / "outside.yaml").write_text(WORDS)
    (base / "state").write_bytes(keyed_header(snapshot(LONG, 3)))
    (folder / "link.yaml").symlink_to(base / "outside.yaml")
    (folder / "loop.yaml").symlink_to(folder / "loop.yaml")
    (folder / "away").symlink_to(UPGRADE / "savepoint")
    (folder / "linked").mkdir()
    shutil.copy(UPGRADE / "savepoint" / "_metadata", base)
    (folder / "linked" / "_metadata").symlink_to(base / "_metadata")
    (folder / "foreign").mkdir()
    (folder / "foreign" / "_metadata").write_bytes(with_file(str(base / "state").encode()))
    (folder / "pinned.yaml").write_text(
        WORDS.replace("name: count,", f"name: count, uid_hash: '{'01' * 16}',")
    )
    (folder / "deployment.yaml").write_text(DEPLOYMENT)
    (folder / "broken.yaml").write_text("name: a\n\tb: [")
    return folder


@pytest.fixture(scope="module")
def conversation(folder: Path) -> Conversation:
    import anyio
    from mcp import Client, StdioServerParameters, stdio_client

    calls = {name: (tool, arguments) for name, (tool, arguments, _) in SHELL.items()}
    calls |= {name: (tool, arguments) for name, (tool, arguments, _) in REFUSED.items()}
    calls["draw"] = "draw", {"file": "orders-1.json", "graph": "job"}
    calls["foreign state"] = "restore", {"old": "foreign", "new": "pinned.yaml"}
    (configured,) = json.loads(CONFIGURATION)["mcpServers"].values()
    # The server starts in another folder than the one that it serves.
    server = StdioServerParameters(
        command=str(Path(sys.executable).with_name(configured["command"])),
        args=[argument.replace("/home/me/jobs", str(folder)) for argument in configured["args"]],
        cwd=folder.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    conversation = Conversation()

    async def talk() -> None:
        with anyio.fail_after(SECONDS):
            async with Client(stdio_client(server)) as client:
                listed = await client.list_tools()
                conversation.tools = {tool.name: tool for tool in listed.tools}
                conversation.answers = {
                    name: await client.call_tool(tool, dict(arguments))
                    for name, (tool, arguments) in calls.items()
                }

    anyio.run(talk)
    return conversation


def test_the_folder_is_named_by_one_of_two_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--root", "nowhere"]) == 2
    assert "'nowhere' is no folder" in capsys.readouterr().err
    assert main(["mcp", ".", "--root", "."]) == 2
    assert "name one folder" in capsys.readouterr().err


def text_of(answer: "CallToolResult") -> str:
    from mcp_types import TextContent

    (content,) = answer.content
    assert isinstance(content, TextContent)
    return content.text


def test_every_tool_only_reads_and_describes_its_arguments(conversation: Conversation) -> None:
    assert [*conversation.tools] == [
        "compile", "explain_edge", "whatis", "check", "restore", "plan", "compare", "resources",
        "draw",
    ]  # fmt: skip
    for tool in conversation.tools.values():
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint
        assert tool.description
        properties = tool.input_schema["properties"]
        assert all("description" in schema for schema in properties.values()), tool.name


@pytest.mark.parametrize("name", SHELL)
def test_a_tool_answers_with_the_record_that_the_shell_prints(
    conversation: Conversation,
    folder: Path,
    name: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    main(SHELL[name][2])
    printed = capsys.readouterr().out
    if "texts" in name:
        printed = printed.replace("orders-1.json", "<old>").replace("orders-2.json", "<new>")
    record = json.loads(printed)
    answer = conversation.answers[name]

    assert not answer.is_error
    assert answer.structured_content == (record if isinstance(record, dict) else {"result": record})
    assert text_of(answer)


def test_a_text_names_what_was_not_checked(conversation: Conversation) -> None:
    assert "2 tasks" in text_of(conversation.answers["compile"])
    assert "not checked" in text_of(conversation.answers["restore"]).lower()
    assert "not checked" in text_of(conversation.answers["plan"]).lower()


def test_a_drawing_is_mermaid(conversation: Conversation) -> None:
    answer = conversation.answers["draw"]
    assert answer.structured_content["mermaid"].startswith("flowchart TD\n")
    assert text_of(answer).startswith(answer.structured_content["mermaid"])


@pytest.mark.parametrize("name", REFUSED)
def test_what_leads_out_of_the_folder_is_refused_in_one_sentence(
    conversation: Conversation, name: str
) -> None:
    answer, words = conversation.answers[name], REFUSED[name][2]

    assert answer.is_error
    assert answer.structured_content is None
    assert words in text_of(answer).splitlines()[0]
    assert "bug of the explorer" not in text_of(answer)


def test_a_savepoint_opens_no_state_outside_the_folder(
    conversation: Conversation,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    main(["restore", "foreign", "pinned.yaml"])

    assert "cannot be read" not in capsys.readouterr().out
    assert "state' cannot be read" in text_of(conversation.answers["foreign state"])
