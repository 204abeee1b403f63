"""Files that a run reads and writes: local paths, and URLs of a storage that a cluster shares.

URLs are those of Hadoop's file systems. PyArrow uses the credentials that the storage's own clients
find: environment, configuration files, the machine's role.
"""

import posixpath
import shutil
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import urlsplit

from explorer.locations import is_url

_PYARROW_SCHEMES: Final = {"s3a": "s3"}
"""PyArrow's names of Hadoop's schemes, where they differ."""
_HADOOP_CLIENT: Final = (
    "an hdfs:// URL needs a Hadoop client here: set JAVA_HOME, HADOOP_HOME and CLASSPATH (the "
    "output of hadoop classpath --glob)"
)


class Stat(NamedTuple):
    """Size in bytes and time of the last change in nanoseconds, under the names of ``os``."""

    st_size: int
    st_mtime_ns: int


class StoredPath:
    """A file or folder of a shared storage, with the methods of ``pathlib.Path`` that runs use.

    A method raises ``OSError`` where the storage refuses.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.storage: Final = f"{parts.scheme}://{parts.netloc}"
        self.query: Final = f"?{parts.query}" if parts.query else ""
        self.path: Final = PurePosixPath(posixpath.normpath(f"/{parts.path.lstrip('/')}"))

    def __str__(self) -> str:
        return f"{self.storage}{self.path}{self.query}"

    def __repr__(self) -> str:
        return f"StoredPath({str(self)!r})"

    def __eq__(self, other_path: object) -> bool:
        return isinstance(other_path, StoredPath) and str(self) == str(other_path)

    def __hash__(self) -> int:
        return hash(str(self))

    def __truediv__(self, name: str) -> "StoredPath":
        return self._with(self.path / name)

    def _with(self, path: PurePosixPath) -> "StoredPath":
        return StoredPath(f"{self.storage}{path}{self.query}")

    @property
    def name(self) -> str:
        """The last component of the path."""
        return self.path.name

    @property
    def parent(self) -> "StoredPath":
        """The parent folder."""
        return self._with(self.path.parent)

    @property
    def parents(self) -> tuple["StoredPath", ...]:
        """All parent folders, the nearest first, without the storage's root."""
        return tuple(map(self._with, self.path.parents[:-1]))

    def with_name(self, name: str) -> "StoredPath":
        """Return the path of another name in the same folder."""
        return self._with(self.path.with_name(name))

    def resolve(self, *, strict: bool = False) -> "StoredPath":
        """Return the path itself: a storage has no links. With ``strict`` it must exist."""
        if strict and not self.exists():
            raise FileNotFoundError(None, "it does not exist", str(self))
        return self

    def is_relative_to(self, other_path: object) -> bool:
        """Whether it is ``other_path`` or is below it."""
        return (
            isinstance(other_path, StoredPath)
            and (self.storage, self.query) == (other_path.storage, other_path.query)
            and self.path.is_relative_to(other_path.path)
        )

    def relative_to(self, other_stored_path: "StoredPath") -> PurePosixPath:
        """Return the path relative to ``other_stored_path``."""
        return self.path.relative_to(other_stored_path.path)

    def open(self, mode: str = "rb") -> Any:
        """Open a file to read (``rb``) or a new file to write (``xb``)."""
        files, at = self.located()
        if mode == "rb":
            return _call_arrow(lambda: files.open_input_file(at))
        return _call_arrow(lambda: files.open_output_stream(at))

    def read_bytes(self) -> bytes:
        """Read a whole file."""
        with self.open() as file:
            return bytes(file.read())

    def write_text(self, text: str) -> None:
        """Write a whole file."""
        with self.open("xb") as file:
            file.write(text.encode())

    def stat(self) -> Stat:
        """Return size and time of the last change; 0 for a folder."""
        info = self._info()
        if info.type.name == "NotFound":
            raise FileNotFoundError(None, "it does not exist", str(self))
        return Stat(info.size or 0, info.mtime_ns or 0)

    def exists(self) -> bool:
        """Whether a file or a folder is there."""
        return bool(self._info().type.name != "NotFound")

    def is_file(self) -> bool:
        """Whether a file is there."""
        return bool(self._info().type.name == "File")

    def is_dir(self) -> bool:
        """Whether a folder is there."""
        return bool(self._info().type.name == "Directory")

    def iterdir(self) -> Iterator["StoredPath"]:
        """List the files and folders in a folder, by name."""
        return (self / PurePosixPath(file.path).name for file in self._list_files(recursive=False))

    def files_within(self) -> Iterator["StoredPath"]:
        """List all files below a folder, by name."""
        base = self.located()[1]
        for file in self._list_files(recursive=True):
            if file.type.name == "File":
                yield self / posixpath.relpath(file.path, base)

    def mkdir(self, *, parents: bool = False, exist_ok: bool = True) -> None:
        """Create a folder; an existing one stays."""
        del exist_ok  # A storage does not report an existing folder.
        files, at = self.located()
        _call_arrow(lambda: files.create_dir(at, recursive=parents))

    def rename(self, to: "StoredPath") -> None:
        """Move a file, or a folder file by file: an object storage has no folders to move."""
        files, at = self.located()
        if self.is_dir():
            for stored_path in list(self.files_within()):
                target = to / str(stored_path.relative_to(self))
                target.parent.mkdir(parents=True)
                stored_path.rename(target)
            self.remove()
        else:
            _call_arrow(lambda: files.move(at, to.located()[1]))

    def unlink(self, *, missing_ok: bool = False) -> None:
        """Remove a file."""
        if not missing_ok or self.exists():
            files, at = self.located()
            _call_arrow(lambda: files.delete_file(at))

    def rmdir(self) -> None:
        """Remove an empty folder."""
        if any(True for _ in self.iterdir()):
            raise OSError(None, "the folder is not empty", str(self))
        self.remove()

    def remove(self) -> None:
        """Remove a folder with its content, if it exists."""
        files, at = self.located()
        if self.exists():
            _call_arrow(lambda: files.delete_dir(at))

    def located(self) -> tuple[Any, str]:
        """Return PyArrow's file system and the path in it."""
        files, root = _file_system(self.storage, self.query)
        return files, f"{root.rstrip('/')}{self.path}"

    def _info(self) -> Any:
        files, at = self.located()
        return _call_arrow(lambda: files.get_file_info(at))

    def _list_files(self, *, recursive: bool) -> list[Any]:
        from pyarrow import fs

        files, at = self.located()
        value = _call_arrow(lambda: files.get_file_info(fs.FileSelector(at, recursive=recursive)))
        return sorted(value, key=lambda item: str(item.path))


FilePath: TypeAlias = Path | StoredPath


@lru_cache(maxsize=16)
def _file_system(storage: str, query: str) -> tuple[Any, str]:
    """Return PyArrow's file system of a storage, and the path of its root in it."""
    from pyarrow import fs

    scheme, _, host = storage.partition("://")
    uri = f"{_PYARROW_SCHEMES.get(scheme, scheme)}://{host}/{query}"
    try:
        pair: tuple[Any, str] = _call_arrow(lambda: fs.FileSystem.from_uri(uri))
    except OSError as error:
        hint = f"; {_HADOOP_CLIENT}" if "libjvm" in str(error) or "libhdfs" in str(error) else ""
        raise OSError(None, f"{error.strerror}{hint}", storage) from None
    return pair


def _call_arrow(ask: Callable[[], Any]) -> Any:
    """Call PyArrow; raise its errors as ``OSError`` of one line."""
    import pyarrow as pa

    try:
        return ask()
    except (OSError, pa.ArrowException) as error:
        words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise OSError(None, words.partition("\n")[0]) from None


def file_path(text: str | Path | StoredPath) -> FilePath:
    """Parse a path or URL; ``file:///`` URLs are local paths.

    >>> file_path("file:///shared/a%20b.csv"), str(file_path("s3a://bucket/a/../b.csv"))
    (PosixPath('/shared/a b.csv'), 's3a://bucket/b.csv')
    """
    if not isinstance(text, str):
        return text
    return url_path(text) or Path(text)


def url_path(text: str) -> FilePath | None:
    """Parse the URL of a file or a folder; None: the text is a path, or a name."""
    if not is_url(text):
        return None
    if text.startswith("file:"):
        from urllib.request import url2pathname  # it loads HTTP and TLS

        return Path(url2pathname(urlsplit(text).path))
    return StoredPath(text)


def is_within(path: FilePath, folder: FilePath) -> bool:
    """Whether ``path`` is ``folder`` or is below it."""
    if isinstance(path, StoredPath):
        return path.is_relative_to(folder)
    return isinstance(folder, Path) and path.is_relative_to(folder)


def move(path: FilePath, to: FilePath) -> None:
    """Move a file or a folder to another path on the same storage."""
    if isinstance(path, StoredPath):
        if isinstance(to, StoredPath):
            path.rename(to)
            return
    elif isinstance(to, Path):
        path.rename(to)
        return
    msg = f"{path} and {to} are on different storages"
    raise TypeError(msg)


def remove_folder(folder: FilePath) -> None:
    """Remove a folder with its content; files that cannot be removed stay."""
    if isinstance(folder, Path):
        shutil.rmtree(folder, ignore_errors=True)
        return
    try:
        folder.remove()
    except OSError:
        return
