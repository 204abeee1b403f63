"""A process goes on without pandas, as that of a shell's trial does."""

import subprocess
import sys

import pytest


@pytest.mark.process
def test_a_process_that_refuses_pandas_goes_on_without_it() -> None:
    code = (
        "from explorer.without_pandas import refuse_pandas; refuse_pandas()\n"
        "import pyarrow as pa, sys; print(pa.array([1]).to_pylist(), 'pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[1] False"


@pytest.mark.process
def test_arrow_makes_arrays_without_pandas_that_is_loaded_where_it_is_used() -> None:
    code = (
        "from explorer.without_pandas import let_arrow_do_without_pandas\n"
        "let_arrow_do_without_pandas()\n"
        "import pyarrow as pa, sys; table = pa.table({'a': pa.array([1, None])})\n"
        "print('pandas' in sys.modules, len(table.to_pandas()), 'pandas' in sys.modules)\n"
        "import pandas as pd; print(pa.array(pd.Series([1.0, None])).null_count)"
    )
    command = [sys.executable, "-c", code]
    printed = subprocess.check_output(command, text=True).split()
    assert printed == ["False", "2", "True", "1"]
