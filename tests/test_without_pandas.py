"""A process goes on without pandas, as that of a shell's trial does."""

import subprocess
import sys


def test_a_process_that_refuses_pandas_goes_on_without_it() -> None:
    code = (
        "from explorer.without_pandas import refuse_pandas; refuse_pandas()\n"
        "import pyarrow as pa, sys; print(pa.array([1]).to_pylist(), 'pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[1] False"
