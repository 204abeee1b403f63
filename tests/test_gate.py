"""The gate's own law: where ``CI`` is true, what does not run does not pass."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.process

SKIPPED_TEST = """
import pytest

def test_skips():
    pytest.skip("no browser")
"""
SKIPPED_MODULE = """
import pytest

pytest.skip("no Java", allow_module_level=True)
"""
MISSING_BROWSER = """
import pytest

@pytest.mark.browser
def test_needs_a_browser():
    pass
"""
SECOND_TRY = """
import pytest

@pytest.fixture(scope="module")
def tries():
    return []

def test_fails_once(browser, tries):
    tries.append(browser.new_page().title())
    assert len(tries) > 1
"""


def outcome(folder: Path, *tests: str, **environment: str) -> tuple[int, str]:
    """Run test files under our conftest; return the exit code and the report."""
    shutil.copy(Path(__file__).with_name("conftest.py"), folder)
    for number, test in enumerate(tests):
        (folder / f"test_{number}.py").write_text(test)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n    browser\n    spark\n")
    options = ("-p", "no:cacheprovider", "--continue-on-collection-errors")
    command = [sys.executable, "-m", "pytest", *options, str(folder)]
    kept = {name: value for name, value in os.environ.items() if name != "CI"}
    done = subprocess.run(
        command, env=kept | environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


def test_a_skip_fails_on_the_gate(tmp_path: Path) -> None:
    code, report = outcome(tmp_path, SKIPPED_TEST, SKIPPED_MODULE, CI="true")

    assert code != 0, report
    assert "1 failed, 1 error" in report
    assert report.count("was skipped") >= 2, report


def test_a_missing_browser_fails_with_the_remedy(tmp_path: Path) -> None:
    code, report = outcome(tmp_path, MISSING_BROWSER, CHROMIUM="no-such-browser")

    assert code == 1, report
    assert "sudo apt install chromium" in report


def test_the_last_browser_test_has_a_second_try_too(tmp_path: Path) -> None:
    code, report = outcome(tmp_path, SECOND_TRY, CI="true")

    assert code == 0, report
    assert "1 passed, 1 rerun" in report


def test_tests_of_one_group_are_dealt_to_one_worker(request: pytest.FixtureRequest) -> None:
    is_dealt_by_group = request.config.getoption("loadgroup", default=False)
    group = "@tests/test_gate.py" if is_dealt_by_group else ""
    name = "test_tests_of_one_group_are_dealt_to_one_worker"

    assert request.node.nodeid == f"tests/test_gate.py::{name}{group}"
