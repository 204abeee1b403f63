"""The lock that keeps browser tests and changes of the network apart."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.network import unchanged_network

CHANGE = """
import sys
from pathlib import Path
from tests import network
network.SETTLING = 0.0
print("ready", flush=True)
with network.changing_network():
    print(Path(sys.argv[1]).read_text())
"""


@pytest.mark.process
def test_a_change_waits_until_browser_tests_of_other_processes_end(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with unchanged_network():
        state.write_text("browser test runs")
        command = [sys.executable, "-c", CHANGE, str(state)]
        change = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert change.stdout is not None
        assert change.stdout.readline() == "ready\n"
        state.write_text("browser test ended")
    assert change.communicate()[0] == "browser test ended\n"
