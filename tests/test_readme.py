"""What the README shows of Python runs as it stands."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.process
def test_the_example_runs_and_writes_its_page(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)

    done = subprocess.run(
        [
            sys.executable,
            "-W",
            "error",
            "-c",
            f"import sys; sys.path.append({str(ROOT)!r})\n{code}",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("delays by carrier: Flink 1.20 · 4 operators · 2 tasks · 2 slots")
    assert "Not chained: 1 of 12 conditions fails" in done.stdout
    assert (tmp_path / "graph.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_the_files_that_it_names_are_there() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    named = re.findall(r"sample_graphs/[\w.-]+", readme)
    assert named
    for name in named:
        assert (ROOT / name).exists(), name
