"""The arrows of ARCHITECTURE: each one is an import, and every import follows them."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
TEXT: Final = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
DIAGRAM: Final = TEXT.partition("flowchart TD\n")[2].partition("```")[0]
IMPORT: Final = re.compile(r"^\s*(?:from|import) (?:explorer\.)?(\w+)", re.MULTILINE)


def arrows() -> Iterator[tuple[str, str]]:
    """Yield the arrows of the diagram; a line may chain them and join packages by ``&``."""
    for line in DIAGRAM.splitlines():
        stages = [re.findall(r"\w+", stage) for stage in line.split("-->")]
        for sources, targets in pairwise(stages):
            yield from product(sources, targets)


ARROWS: Final = {*arrows()}
PACKAGES: Final = {package for arrow in ARROWS for package in arrow}


@cache
def imported_by(package: str) -> set[str]:
    """Return the packages of the diagram that a package imports, also within functions."""
    place = ROOT / package if package == "components" else ROOT / "explorer" / package
    files = place.rglob("*.py") if place.is_dir() else [place.with_suffix(".py")]
    names = {name for file in files for name in IMPORT.findall(file.read_text(encoding="utf-8"))}
    return names & PACKAGES - {package}


def below(package: str) -> set[str]:
    """Return the packages that the arrows lead to."""
    direct = {target for source, target in ARROWS if source == package}
    return direct.union(*map(below, direct))


def test_every_package_of_the_library_is_in_the_diagram() -> None:
    folders = {path.parent.name for path in (ROOT / "explorer").glob("*/__init__.py")}

    assert folders - PACKAGES == set()


def test_every_arrow_is_an_import() -> None:
    assert [arrow for arrow in sorted(ARROWS) if arrow[1] not in imported_by(arrow[0])] == []


def test_every_import_follows_the_arrows() -> None:
    against = {package: imported_by(package) - below(package) for package in sorted(PACKAGES)}

    assert {package: names for package, names in against.items() if names} == {}
