"""``completion``: what bash offers at TAB once it has read the script."""

import subprocess
from pathlib import Path

import pytest

from explorer.cli.command_table import COMMANDS
from explorer.cli.main import main

ASK: str = """
source ./script
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_shtab_streamgraph_explorer
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.process
def test_bash_completes_commands_options_values_and_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", "bash"]) == 0
    (tmp_path / "script").write_text(capsys.readouterr().out)
    (tmp_path / "orders.yaml").touch()

    def offered(*words: str) -> set[str]:
        line = ["bash", "-c", ASK, "bash", "streamgraph-explorer", *words]
        shell = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=True)
        return set(shell.stdout.split())

    assert offered("") >= {*COMMANDS}
    assert offered("comp") == {"compare", "compile", "completion"}
    assert offered("compile", "--em") == {"--emit"}
    assert offered("compile", "--emit", "job") == {"job-graph"}
    assert offered("check", "ord") == {"orders.yaml"}


def test_a_shell_without_a_script_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "elvish"]) == 2
    assert "'elvish': bash, zsh" in capsys.readouterr().err
