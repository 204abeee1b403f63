"""Where a savepoint is looked for."""

from pathlib import Path

import pytest

from explorer.savepoints import load_savepoint
from explorer.savepoints.data_input import SavepointError


def test_a_folder_of_savepoints_lists_them(tmp_path: Path) -> None:
    for name in ("savepoint-1", "job/chk-2"):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        (folder / "_metadata").write_bytes(b"")
    with pytest.raises(
        SavepointError, match="is a folder of 2 savepoints; name one of them: "
    ) as raised:
        load_savepoint(tmp_path)

    assert str(tmp_path / "savepoint-1") in str(raised.value)
    assert str(tmp_path / "job" / "chk-2") in str(raised.value)
