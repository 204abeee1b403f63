"""A shell's trial does not load pandas."""

import subprocess
import sys

import pytest

from explorer.locations import sample_folder

PROBE = """
import sys
sys.argv = ["explorer", *sys.argv[1:]]
from explorer.cli.main import main
code = main()
print(code, "pandas" in sys.modules)
"""


def printed(*arguments: str) -> str:
    """The last line of a shell's command that reports whether pandas was loaded."""
    command = [sys.executable, "-c", PROBE, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1]


@pytest.mark.spark
def test_a_trial_in_a_shell_leaves_pandas_out() -> None:
    assert printed("trial", str(sample_folder() / "01-word-count.yaml")) == "0 False"


def test_a_process_that_refuses_pandas_goes_on_without_it() -> None:
    code = (
        "from explorer.without_pandas import refuse_pandas; refuse_pandas()\n"
        "import pyarrow as pa, sys; print(pa.array([1]).to_pylist(), 'pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[1] False"
