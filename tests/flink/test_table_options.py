"""The table planner's options have the keys and defaults that the releases give them."""

import pytest

from explorer.capture.installation import find_installation
from explorer.capture.jvm.start_files import archived_start
from explorer.capture.recording.recording_session import session
from explorer.flink.table_options import TABLE_OPTIONS
from tests.capture.flinks import lib

pytestmark = [pytest.mark.flink, pytest.mark.usefixtures("warm_java")]
NEW = {"table.exec.async-state.enabled"}
"""Options that 1.20 does not have."""
CLASSES = ("ExecutionConfigOptions", "OptimizerConfigOptions")


def defaults(version: str) -> dict[str, str]:
    """By key, the default of every option of the planner, as Java prints it."""
    found = {}
    flink = find_installation(lib(version))
    start = archived_start(flink, bare_planner=True)
    with session(flink, {}, start=start, timeout=60) as made:
        for name in CLASSES:
            kind = made.java.java.lang.Class.forName(f"org.apache.flink.table.api.config.{name}")
            for field in kind.getFields():
                if str(field.getType().getSimpleName()) == "ConfigOption":
                    option = field.get(None)
                    found[str(option.key())] = str(option.defaultValue())
        made.documents.append({})
    return found


@pytest.mark.parametrize("version", ["1.20.5", "2.2.1"])
def test_every_option_is_the_releases_own(version: str) -> None:
    known = defaults(version)
    spelled = {"PT0S": "0 ms", "True": "true", "False": "false"}

    assert TABLE_OPTIONS.keys() - known.keys() == (NEW if version == "1.20.5" else set())
    for key in TABLE_OPTIONS.keys() & known.keys():
        assert TABLE_OPTIONS[key].default == spelled.get(known[key], known[key]), key
