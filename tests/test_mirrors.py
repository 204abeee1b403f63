"""Packages and their tests: each package has a folder of tests, and none grows beyond a glance."""

from pathlib import Path
from typing import Final

from tests.many_cases import for_each

ROOT: Final = Path(__file__).resolve().parents[1]
MOST_MODULES: Final = 25
"""Of one folder, ``__init__`` not counted."""
PACKAGES: Final = [
    init.parent.relative_to(ROOT)
    for package in ("explorer", "components")
    for init in sorted((ROOT / package).rglob("__init__.py"))
]


def modules(package: Path) -> list[Path]:
    """The modules of a package, without those of its subpackages."""
    return [path for path in (ROOT / package).glob("*.py") if path.name != "__init__.py"]


@for_each("package", [path for path in PACKAGES if path.parts[0] == "explorer"], str)
def test_a_package_with_modules_has_a_folder_of_tests(package: Path) -> None:
    folder = ROOT / "tests" / Path(*package.parts[1:])

    assert not modules(package) or [*folder.glob("test_*.py")]


@for_each("package", PACKAGES, str)
def test_a_package_can_be_overlooked(package: Path) -> None:
    assert len(modules(package)) <= MOST_MODULES
