"""Paths of a shared storage, tried on the storage that PyArrow knows here: this machine's files."""

from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from explorer import load_document
from explorer.engine.planning.trial_plan import plan_trial
from explorer.engine.rows.errors import SinkError, SourceError
from explorer.engine.rows.sources.confinement import source_path, version_of
from explorer.engine.rows.sources.folders import files_of
from explorer.engine.rows.sources.tables import infer_row_type, read_columns
from explorer.engine.rows.storage import StoredPath, file_path, is_within, move, remove_folder
from explorer.engine.steps.planned import OutputFolder
from explorer.errors import ExplorerError
from explorer.flink.compiler import compile_program


def stored(path: Path) -> StoredPath:
    return StoredPath(f"file://{path}")


def test_files_and_folders_are_made_moved_listed_and_removed(tmp_path: Path) -> None:
    folder = stored(tmp_path) / "a"
    assert not folder.exists()
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "one.txt").write_text("1\n")
    (folder / "two.txt").write_text("22\n")

    assert folder.is_dir()
    assert [one.name for one in folder.iterdir()] == ["deep", "two.txt"]
    assert [str(one.relative_to(folder)) for one in folder.files_within()] == [
        "deep/one.txt",
        "two.txt",
    ]
    move(folder, folder.with_name("b"))
    assert (tmp_path / "b/deep/one.txt").read_bytes() == b"1\n"
    assert (stored(tmp_path) / "b" / "two.txt").stat().st_size == 3
    with pytest.raises(OSError, match="not empty"):
        (stored(tmp_path) / "b").rmdir()
    remove_folder(stored(tmp_path) / "b")
    assert list(tmp_path.iterdir()) == []


def test_a_path_stays_below_its_storage() -> None:
    bucket = StoredPath("s3a://bucket/a/../b?region=x")

    assert str(bucket) == "s3a://bucket/b?region=x"
    assert str(bucket / "c.csv") == "s3a://bucket/b/c.csv?region=x"
    assert str(StoredPath("hdfs://host:8020/../..")) == "hdfs://host:8020/"
    assert is_within(bucket / "c", bucket)
    assert not is_within(bucket, Path("/b"))
    assert not is_within(bucket, StoredPath("s3a://other/b?region=x"))
    assert file_path("/a/b") == Path("/a/b")


def test_a_storage_that_is_not_there_is_named_in_one_line() -> None:
    with pytest.raises(OSError, match="Hadoop client") as raised:
        StoredPath("hdfs://127.0.0.1:1/a").exists()
    assert "\n" not in str(raised.value)


def test_rows_come_from_a_folder_of_the_storage_as_from_a_folder_here(tmp_path: Path) -> None:
    (tmp_path / "_hidden.csv").write_text("n\nx\n")
    (tmp_path / "a.csv").write_text("w,n\nx,1\ny,2\n")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/b.csv").write_text("w,n\nz,3\n")
    there = stored(tmp_path)

    assert [name for _, name in files_of(there, "in")] == ["in/a.csv", "in/deep/b.csv"]
    assert version_of(there, "in") == version_of(tmp_path, "in")
    row_type = infer_row_type(there, "in", "csv")
    assert row_type == infer_row_type(tmp_path, "in", "csv")
    found = [
        [one.to_pylist() for one in columns]
        for columns in read_columns(there, "in", "csv", row_type)
    ]
    assert found == [
        [one.to_pylist() for one in columns]
        for columns in read_columns(tmp_path, "in", "csv", row_type)
    ]


def test_a_parquet_file_is_read_from_the_storage(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"n": [1, 2, 3]}), tmp_path / "a.parquet")
    there = stored(tmp_path) / "a.parquet"

    row_type = infer_row_type(there, "a", "parquet")
    (columns,) = read_columns(there, "a", "parquet", row_type)
    assert columns[0].to_pylist() == [1, 2, 3]


def test_a_url_is_refused_where_no_cluster_reads_it(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="where the master is a cluster"):
        source_path(tmp_path, "s3a://bucket/a.csv", "s", urls=False)
    with pytest.raises(SourceError, match="there is no such file"):
        source_path(None, f"file://{tmp_path}/none.csv", "s", urls=True)


def test_a_sink_writes_to_a_url_where_urls_are_accepted(tmp_path: Path) -> None:
    url = f"file://{tmp_path}/out"
    source = {"id": "s", "type": "source"}
    write = {"path": url, "format": "csv"}
    sink = {"id": "o", "type": "sink", "inputs": ["s"], "write": write}
    done = compile_program(load_document({"transformations": [source, sink]}))
    output = OutputFolder(path=tmp_path / "elsewhere")

    with pytest.raises(SinkError, match="where the master is a cluster"):
        plan_trial(done, output=output)
    (planned,) = plan_trial(done, output=output, urls=True).outputs
    assert planned.target == tmp_path / "out"


def test_a_url_of_another_protocol_is_no_path() -> None:
    source = {"id": "s", "type": "source", "rows": {"path": "http://host/a.csv", "format": "csv"}}
    with pytest.raises(ExplorerError, match="must be in the data folder"):
        load_document({"transformations": [source]})
