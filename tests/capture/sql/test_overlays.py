"""A script changes no catalog that outlives the process, unless it is allowed to."""

from pathlib import Path

import pytest

import explorer
from tests.capture.flinks import PROGRAMS, differences, jar, lib

pytestmark = pytest.mark.flink

BEFORE = """database main
table main.numbers datagen
table main.others datagen
function main.past x
"""
FACTORY = "org.apache.flink.table.factories.Factory"


def captured(version: str, folder: Path, *, allow_ddl: bool) -> tuple[list[str], str]:
    """The jobs' names, each equal to Flink's own, and what the catalog's file holds now."""
    catalog = folder / "catalog.txt"
    catalog.write_text(BEFORE)
    script = folder / "catalog.sql"
    text = (PROGRAMS / "catalog.sql").read_text()
    script.write_text(text.replace("{file}", str(catalog)))
    made = jar("LastingCatalog", version, folder, service=FACTORY)
    documents = explorer.capture(
        script, flink_lib=lib(version), classpath=[made], allow_ddl=allow_ddl
    )
    assert [differences(document) for document in documents] == [()] * len(documents)
    assert documents[-1].get("warnings") is None
    return [document["name"] for document in documents], catalog.read_text()


JOBS = ["insert-into_company.reports.sums"] * 2 + ["insert-into_company.reports.copied"]


@pytest.mark.parametrize("version", ["1.20.5", "2.2.1"])
def test_a_lasting_catalog_is_only_read(version: str, tmp_path: Path) -> None:
    assert captured(version, tmp_path, allow_ddl=False) == (JOBS, BEFORE)


def test_with_allow_ddl_the_script_has_the_effects_of_flinks_client(tmp_path: Path) -> None:
    jobs, after = captured("1.20.5", tmp_path, allow_ddl=True)

    assert jobs == JOBS
    assert after == "database main\ntable main.evens view\ntable main.numbers datagen\n"
