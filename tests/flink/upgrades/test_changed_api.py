"""The table of removed and deprecated API against the jars of two releases."""

import zipfile

import pytest

from explorer.flink.releases import release
from explorer.flink.upgrades.changed_api import deprecated_api, is_changed, removed_api
from explorer.model.api_use import ApiUse
from tests.capture.flinks import lib

RICH = "org/apache/flink/api/common/functions/RichFunction"
OPEN = "open(Lorg/apache/flink/configuration/Configuration;)V"


def _use(owner: str, member: str = "") -> ApiUse:
    return ApiUse(owner=owner, member=member, users=("Job",))


def test_changes_count_between_two_releases() -> None:
    uses = [_use(RICH, OPEN), _use("org/apache/flink/api/java/DataSet")]
    versions = {name: release(name) for name in ("1.18", "1.20", "2.0", "2.3")}

    removed = [use for use, _ in removed_api(uses, versions["1.20"], versions["2.0"])]
    assert removed == uses
    assert [*removed_api(uses, versions["2.0"], versions["2.3"])] == []
    assert [*removed_api(uses, versions["1.18"], versions["1.20"])] == []
    source = _use("org/apache/flink/streaming/api/functions/source/SourceFunction")
    assert [*deprecated_api([source], versions["1.18"], versions["1.20"])] == []
    assert not is_changed(RICH, "unknown()V")


def _names(version: str) -> set[str]:
    names: set[str] = set()
    for jar in sorted(lib(version).glob("flink-*.jar")):
        with zipfile.ZipFile(jar) as archive:
            names |= {one.removesuffix(".class") for one in archive.namelist()}
    return names


@pytest.mark.flink
def test_removed_classes_are_in_the_old_jars_and_not_in_the_new_ones() -> None:
    old, new = _names("1.20.5"), _names("2.2.1")
    shared = sorted(name for name in old if is_changed(name))
    window = release("1.20"), release("2.2")
    removed = {use.owner for use, _ in removed_api([_use(name) for name in shared], *window)}

    assert len(removed) > 300
    assert removed.isdisjoint(new)
