"""Paths that a source may read, and files that are replaced meanwhile."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.engine.rows.errors import SourceError
from explorer.engine.rows.sources.confinement import (
    check_version,
    confined,
    source_path,
    version_of,
)
from explorer.engine.task.source_rows import read
from explorer.model.row_type import parse_schema
from tests.engine.rows.sources.files import (
    file_source,
)


def _longer(path: Path) -> None:
    path.write_text(path.read_text() + "2,b\n")


def _of_the_same_size(path: Path) -> None:
    path.write_text("n,w\n" + "7,z\n" * 200_000)
    os.utime(path, ns=(0, 0))


def _broken(path: Path) -> None:
    path.write_text('n,w\n"')


@pytest.mark.parametrize("change", [_longer, _of_the_same_size, _broken, Path.unlink])
@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_a_file_that_is_replaced_is_noticed(
    tmp_path: Path, change: Callable[[Path], None], when: str
) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("n,w\n" + "1,a\n" * 200_000)
    source = file_source(path, "csv", parse_schema("n LONG, w STRING"))
    if when == "before":
        change(path)
    batches = read(source, 0, 1)
    if when == "meanwhile":
        next(batches)
        change(path)
    with pytest.raises(SourceError) as error:
        list(batches)

    reported = str(error.value)
    assert reported.startswith(
        "file 'rows.csv' was changed after this trial was lined up (800,004 bytes then, "
        if change is not Path.unlink
        else "file 'rows.csv' cannot be read: no such file or directory"
    )


@pytest.mark.parametrize(
    "name", ["../secret.txt", "/etc/hostname", "link.txt", "down/../../secret.txt"]
)
def test_a_path_that_leaves_the_data_directory_is_refused(tmp_path: Path, name: str) -> None:
    data = tmp_path / "data"
    (data / "down").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    (data / "link.txt").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(SourceError, match="is outside the data directory"):
        confined(data, name, "src")


def test_a_link_within_the_data_directory_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("x")
    (tmp_path / "link.txt").symlink_to("real.txt")

    assert confined(tmp_path, "link.txt", "src") == (tmp_path / "real.txt").resolve()


def test_a_missing_file_names_those_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "flights.csv").write_text("x")
    with pytest.raises(SourceError, match=r"its files are flights.csv; did you mean 'flights.csv'"):
        confined(tmp_path, "flight.csv", "src")
    with pytest.raises(SourceError, match="no data directory is given"):
        confined(None, "flights.csv", "src")
    with pytest.raises(SourceError, match="is no path"):
        confined(tmp_path / "absent", "a\x00b", "src")


def test_of_many_files_the_first_are_named_and_the_others_counted(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"flights of the year {number:04} of this airport.csv").write_text("x")
    with pytest.raises(SourceError) as refused:
        confined(tmp_path, "x", "src")

    assert str(refused.value).endswith(" 0009 of this airport.csv and 20 more")


@pytest.mark.parametrize("name", ["x" * 300, "x/" * 2_000 + "x", "\0", "a\nb"])
def test_a_path_that_no_file_can_have_is_one_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(SourceError) as error:
        confined(tmp_path, name, "s")

    assert str(error.value).startswith("transformation 's'")
    assert len(str(error.value)) < 400
    assert "\n" not in str(error.value)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two parts in a folder of the data folder, and a link that leads out of it."""
    made = tmp_path / "data" / "out"
    made.mkdir(parents=True)
    for name in ("part-0-0.csv", "part-1-0.csv"):
        (made / name).write_text("n,w\n1,a\n")
    (made / "away").symlink_to(tmp_path)
    return made


def test_a_folder_in_the_data_folder_may_be_read_and_no_other(folder: Path) -> None:
    data = folder.parent
    assert confined(data, "out", "s") == folder
    for name, says in ((".", "there is no file"), ("out/away", "is outside the data directory")):
        with pytest.raises(SourceError, match=says):
            confined(data, name, "s")


def test_a_folder_in_which_a_part_is_replaced_is_another_version(folder: Path) -> None:
    before = version_of(folder, "out")
    check_version(folder, "out", before)
    (folder / "part-0-0.csv").write_text("n,w\n2,b\n3,c\n")

    with pytest.raises(SourceError, match="'out' was changed after this trial was lined up"):
        check_version(folder, "out", before)


def test_a_url_is_read_only_where_urls_are_allowed(tmp_path: Path) -> None:
    with pytest.raises(
        SourceError, match=r"'s' reads 's3://b/rows.csv': a URL is read and written"
    ):
        source_path(tmp_path, "s3://b/rows.csv", "s", urls=False)
    (tmp_path / "rows.csv").write_text("n")
    assert source_path(tmp_path, "rows.csv", "s", urls=False) == tmp_path / "rows.csv"
