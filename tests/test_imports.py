"""What ``import explorer`` loads: nothing before the first call, and then what that call needs."""

import subprocess
import sys

import pytest

import explorer
from tests.many_cases import for_each

CALLS = {
    "a document": "explorer.compile_graph({'transformations': [{'id': 's', 'type': 'source'}, "
    "{'id': 'o', 'type': 'sink', 'inputs': ['s']}]})",
    "chained calls": "explorer.environment().source().map().sink()",
}
LATE = {"checks", "cli", "deployment", "drawing", "engine", "explain", "restore", "savepoints"}
"""The packages that compile nothing."""


def loaded_by(code: str) -> set[str]:
    """The modules that this code adds to a new interpreter, Python's own left out."""
    program = f"import sys; before = {{*sys.modules}}; {code}; print(*{{*sys.modules}} - before)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    added = ran.stdout.decode().split()
    return {name for name in added if name.split(".")[0] not in sys.stdlib_module_names}


def libraries(modules: set[str]) -> set[str]:
    """The owners of modules, ours left out."""
    return {name.split(".")[0] for name in modules} - {"explorer"}


def test_an_import_loads_the_package_alone() -> None:
    assert loaded_by("import explorer") == {"explorer"}


def test_an_error_can_be_caught_without_any_library() -> None:
    assert libraries(loaded_by("from explorer import ExplorerError")) == set()


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_first_call_loads_what_makes_records_and_hashes_and_no_other_library(call: str) -> None:
    loaded = loaded_by(f"import explorer; {call}")

    # msgspec imports typing_extensions where it is installed.
    assert libraries(loaded) == {"msgspec", "mmh3", "typing_extensions"}
    packages = {name.split(".")[1] for name in loaded if name.startswith("explorer.")}
    assert packages & LATE == set()


def test_a_command_loads_its_own_module_and_no_other_commands() -> None:
    loaded = loaded_by("from explorer.cli.main import main; main(['compile', 'no-such.yaml'])")
    commands = {name for name in loaded if name.startswith("explorer.cli.")}

    reading = ("inputs", "inputs.target_arguments")
    assert commands == {
        f"explorer.cli.{name}" for name in ("main", "command", "compiling", *reading)
    }


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
