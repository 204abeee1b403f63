"""What ``import explorer`` loads: nothing before the first call, and then what that call needs."""

import subprocess
import sys
from itertools import chain

import pytest

import explorer
from explorer.extras import EXTRAS
from explorer.locations import sample_folder
from tests.many_cases import for_each

CALLS = {
    "a document": "explorer.compile_graph({'transformations': [{'id': 's', 'type': 'source'}, "
    "{'id': 'o', 'type': 'sink', 'inputs': ['s']}]})",
    "chained calls": "explorer.environment().source().map().sink()",
}
UPGRADE = sample_folder() / "upgrade"
LIBRARIES = {"yaml", "sqlglot", *chain.from_iterable(EXTRAS.values())}
BOUNDS = {
    "--help": (["--help"], 15, set()),
    "compile": (["compile", "01-word-count"], 145, {"yaml"}),
    "check": (["check", "01-word-count"], 240, {"yaml"}),
    "plan": (
        ["plan", str(UPGRADE / "orders-2.json"), "--from", str(UPGRADE / "orders-1.json")],
        300,
        set(),
    ),
}
"""By name, a command line, a bound of our modules, and the libraries that it needs."""
SLOW = {"http.client", "importlib.metadata", "ssl", "subprocess", "tempfile", "urllib.request"}
"""Python's own modules that take long to load; none of these lines uses one."""
COMMAND = """
import contextlib, io, sys
before = {*sys.modules}
from explorer.cli.main import main
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main(sys.argv[1:])
print(*{*sys.modules} - before)
"""
LATE = {"checks", "cli", "deployment", "drawing", "engine", "explain", "restore", "savepoints"}
"""The packages that compile nothing."""


def loaded_by(code: str) -> set[str]:
    """The modules that this code adds to a new interpreter, Python's own left out."""
    program = f"import sys; before = {{*sys.modules}}; {code}; print(*{{*sys.modules}} - before)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    added = ran.stdout.decode().split()
    return {name for name in added if name.split(".")[0] not in sys.stdlib_module_names}


def loaded_by_command(words: list[str]) -> set[str]:
    """The modules that a line of the shell adds to a new interpreter."""
    line = [sys.executable, "-c", COMMAND, *words]
    ran = subprocess.run(line, capture_output=True, check=True)
    return set(ran.stdout.decode().split())


def libraries(modules: set[str]) -> set[str]:
    """The owners of modules, ours left out."""
    return {name.split(".")[0] for name in modules} - {"explorer"}


def test_an_import_loads_the_package_alone() -> None:
    assert loaded_by("import explorer") == {"explorer"}


def test_an_error_can_be_caught_without_any_library() -> None:
    assert libraries(loaded_by("from explorer import ExplorerError")) == set()


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_first_call_loads_what_makes_records_and_hashes_and_no_other_library(call: str) -> None:
    loaded = loaded_by(f"import explorer; {call}")

    # msgspec imports typing_extensions where it is installed.
    assert libraries(loaded) == {"msgspec", "mmh3", "typing_extensions"}
    packages = {name.split(".")[1] for name in loaded if name.startswith("explorer.")}
    assert packages & LATE == set()


@pytest.mark.law
@pytest.mark.parametrize(("words", "most", "needed"), BOUNDS.values(), ids=BOUNDS)
def test_a_command_loads_only_what_it_uses(words: list[str], most: int, needed: set[str]) -> None:
    loaded = loaded_by_command(words)
    ours = {name for name in loaded if name.partition(".")[0] == "explorer"}

    assert loaded & SLOW == set()
    assert len(ours) <= most
    # The C part of PyYAML also shows modules of Cython.
    assert libraries(loaded) & LIBRARIES <= needed


@pytest.mark.law
def test_a_preview_loads_neither_spark_nor_what_opens_connections() -> None:
    loaded = loaded_by_command(["preview", "01-word-count"])

    assert loaded & {"pyspark", "http.client", "ssl", "urllib.request"} == set()
    packages = {".".join(name.split(".")[:2]) for name in loaded}
    assert packages & {"explorer.deployment", "explorer.savepoints", "explorer.edits"} == set()


@for_each("name", explorer.__all__)
def test_every_public_name_is_found_and_listed(name: str) -> None:
    value = getattr(explorer, name)

    # The package ``capture`` stands in for its function where Python has put it there.
    assert value.__name__.removeprefix("explorer.") == name
    assert callable(value)
    assert name in dir(explorer)


@pytest.mark.parametrize(
    ("former", "current"),
    [
        ("deploy", "resources"),
        ("Deployment", "ClusterResources"),
        ("Restore", "RestoreVerdict"),
    ],
)
def test_a_former_name_works_and_is_not_listed(former: str, current: str) -> None:
    assert getattr(explorer, former) is getattr(explorer, current)
    assert former not in dir(explorer)


def test_any_other_name_is_missing_as_in_any_module() -> None:
    with pytest.raises(AttributeError, match="module 'explorer' has no attribute 'compile'"):
        explorer.compile  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.slow
def test_no_package_hides_a_public_name() -> None:
    program = """
import pkgutil, importlib, explorer
for module in pkgutil.walk_packages(explorer.__path__, "explorer."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
for name in explorer.__all__:
    try:
        getattr(explorer, name)(unknown_argument=1)
    except TypeError as error:
        assert "is not callable" not in str(error), error
"""
    subprocess.run([sys.executable, "-c", program], check=True)
