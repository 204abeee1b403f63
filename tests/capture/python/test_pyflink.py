"""A PyFlink script becomes a document, in an interpreter that has apache-flink."""

import shutil
import sys
from pathlib import Path

import pytest

import explorer
from explorer.capture import CaptureError
from explorer.capture.cached import CaptureOptions, captured_program
from explorer.capture.python.pyflink import installation
from explorer.errors import MissingFlinkError
from tests.capture.flinks import PROGRAMS, brought, differences, lib, script

pytestmark = pytest.mark.flink


def python() -> Path:
    return brought("python-2.2.1") / "bin" / "python"


def test_a_script_is_translated_as_its_flink_does(tmp_path: Path) -> None:
    (document,) = explorer.capture(
        script(tmp_path),
        ["words"],
        python=python(),
        flink_lib=lib("2.2.1"),
        parallelism=2,
    )

    assert document["name"] == "words"
    assert differences(document) == ()
    uids = [node["uid"] for node in document["stream_graph"]["nodes"]]
    assert "counts" in uids


def test_a_script_that_fails_reports_its_own_exception(tmp_path: Path) -> None:
    failing = script(tmp_path)
    # Flink reports a script that has ended when it looks at it as one that did not start.
    failing.write_text(f"import time\n\ntime.sleep(2)\n{failing.read_text()}")
    with pytest.raises(CaptureError) as raised:
        explorer.capture(failing, python=python(), flink_lib=lib("2.2.1"))

    assert str(raised.value) == (
        "the script ended with exit code 1 before it called execute(): IndexError: list index out "
        "of range; fix the script, or give it the arguments it needs after --"
    )


def test_a_script_gets_the_jars_of_its_interpreters_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The interpreter here has the package alone, and the cache newer jars too."""
    monkeypatch.delenv("FLINK_HOME", raising=False)
    assert installation(str(python()), None).version == lib("2.2.1").parent.name

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(MissingFlinkError, match=r"needs the jars of Flink 2\.2\.1, and none"):
        explorer.capture(script(tmp_path), ["words"], python=python())


def test_an_interpreter_without_pyflink_is_reported(tmp_path: Path) -> None:
    with pytest.raises(CaptureError, match="has no package apache-flink: install it there"):
        explorer.capture(script(tmp_path), python=sys.executable)


def sql_script(folder: Path) -> Path:
    """A SQL script with a function of a Python file beside it."""
    functions = Path(shutil.copy(PROGRAMS / "functions.py.txt", folder / "functions.py"))
    script = folder / "udf.sql"
    script.write_text((PROGRAMS / "udf.sql").read_text().replace("{folder}", str(functions)))
    return script


def test_a_sql_script_calls_functions_in_python(tmp_path: Path) -> None:
    script = sql_script(tmp_path)
    (document,) = explorer.capture(script, python=python(), flink_lib=lib("2.2.1"))

    assert "PythonCalc[2]" in [node["name"] for node in document["stream_graph"]["nodes"]]
    assert differences(document) == ()


def test_a_function_that_python_does_not_have_is_named_without_a_traceback(tmp_path: Path) -> None:
    script = sql_script(tmp_path)
    script.write_text(script.read_text().replace("functions.doubled", "functions.halved"))
    with pytest.raises(CaptureError) as raised:
        explorer.capture(script, python=python(), flink_lib=lib("2.2.1"))

    assert "AttributeError: module 'functions' has no attribute 'halved'" in str(raised.value)
    assert "Traceback" not in str(raised.value)


def test_a_sql_script_without_the_interpreter_of_its_functions_names_the_option(
    tmp_path: Path,
) -> None:
    with pytest.raises(CaptureError) as raised:
        explorer.capture(sql_script(tmp_path), flink_lib=lib("2.2.1"))

    assert "name the interpreter that has apache-flink 2.2.1 with --python EXE" in str(raised.value)


def test_an_interpreter_with_another_release_is_refused(tmp_path: Path) -> None:
    asked = CaptureOptions(release="1.20", python=str(python()), flink_lib=str(lib("2.2.1")))
    with pytest.raises(CaptureError) as raised:
        captured_program(script(tmp_path), options=asked)

    assert "this needs Flink 1.20, and " in str(raised.value)
    assert "starts Flink 2.2.1: name an interpreter that has apache-flink 1.20" in str(raised.value)
