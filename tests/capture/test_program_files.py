"""Files that cannot be a program, before any Flink starts."""

import zipfile
from pathlib import Path

import pytest

from explorer.capture.cached import captured_program
from explorer.capture.failures import CaptureError
from explorer.capture.program_files import check_program_files
from explorer.capture.programs import capture


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("bad.jar", b"version https://git-lfs", "bad.jar' is no jar, which is a ZIP archive: "),
        ("empty.jar", b"", "empty.jar' is an empty file, no jar: build the program again"),
        ("folder.jar", None, "folder.jar' is a folder: name the jar in it"),
        ("folder.sql", None, "folder.sql' is a folder: name the script in it"),
        ("empty.sql", b"", "empty.sql' is empty: it must hold an INSERT or a query"),
        ("empty.py", b"", "empty.py' is empty: it must hold a program that calls execute()"),
    ],
)
def test_a_file_that_is_no_program_is_refused(
    tmp_path: Path, name: str, content: bytes | None, sentence: str
) -> None:
    file = tmp_path / name
    if content is None:
        file.mkdir()
    else:
        file.write_bytes(content)

    for ask in (captured_program, capture):
        with pytest.raises(CaptureError) as refusal:
            ask(file)
        assert sentence in str(refusal.value)


def test_a_jar_and_a_folder_of_classes_pass(tmp_path: Path) -> None:
    jar = tmp_path / "job.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("Main.class", "")

    check_program_files([jar, tmp_path, tmp_path / "missing.jar"])
