"""A catalog that is only read: what a script changes in it stays in memory.

Mirrors ``Catalog``, behind a proxy of py4j's. Databases, tables, functions and models that a
statement touches are copied into a ``GenericInMemoryCatalog`` first, and are read there from then
on; everything else is read from the catalog itself.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from py4j.protocol import Py4JJavaError

from explorer.capture.failures import CaptureError
from explorer.capture.jvm.java_objects import JavaObjects
from explorer.capture.recording.ended_job import JavaProxy
from explorer.capture.sql.table_names import MEMORY

_CATALOG: Final = "org.apache.flink.table.catalog"
_READS: Final = ("get", "list", "is", "supports", "bulkGet", "explain")
_IGNORE: Final = True
_CASCADE: Final = True
_KINDS: Final = ("Table", "Function", "Model")
"""What a path may name, as the names of the methods have it."""


class Overlay(JavaProxy):
    """A ``Catalog`` over another one, which it never changes."""

    class Java:
        implements: Final = [f"{_CATALOG}.Catalog"]

    def __init__(self, objects: JavaObjects, name: str, base: Any) -> None:
        self._objects, self._base = objects, base
        catalogs = objects.java.org.apache.flink.table.catalog
        self.memory = catalogs.GenericInMemoryCatalog(name, base.getDefaultDatabase())
        self.memory.dropDatabase(base.getDefaultDatabase(), _IGNORE, _CASCADE)
        self._copied: set[tuple[str, str]] = set()
        """Databases, tables, functions and models that the base does not answer for any more."""

    def __getattr__(self, method: str) -> Callable[..., Any]:
        """Any other method of the release's ``Catalog``: a read, or a change in memory."""
        if method.startswith(_READS) or method.endswith("Exists"):
            return lambda *arguments: self._read(method, *arguments)
        kind = next((kind for kind in (*_KINDS, "Partition") if kind in method), None)
        if kind is None or method.startswith("_"):
            raise AttributeError(method)
        return lambda *arguments: self._change(method, kind, *arguments)

    def open(self) -> None:
        """The catalog is open already."""

    def close(self) -> None:
        self._base.close()

    def listDatabases(self) -> Any:
        return self._union(self._base.listDatabases, self.memory.listDatabases(), "Database", "")

    def getDatabase(self, name: str) -> Any:
        return self._of_database(name).getDatabase(name)

    def databaseExists(self, name: str) -> bool:
        return bool(self._of_database(name).databaseExists(name))

    def createDatabase(self, name: str, *arguments: Any) -> None:
        self._copy_database(name)
        self.memory.createDatabase(name, *arguments)

    def alterDatabase(self, name: str, *arguments: Any) -> None:
        self._copy_database(name)
        self.memory.alterDatabase(name, *arguments)

    def dropDatabase(self, name: str, *arguments: Any) -> None:
        for table in self._objects.each(self._list_objects("listTables", name)):
            self._copy(self._path(name, table), "Table")
        self._copy_database(name)
        self.memory.dropDatabase(name, *arguments)
        self._copied.add(("Dropped", name))

    def renameTable(self, path: Any, name: str, *arguments: Any) -> None:
        self._copy(self._path(path.getDatabaseName(), name), "Table")
        self._change("renameTable", "Table", path, name, *arguments)

    def _read(self, method: str, *arguments: Any) -> Any:
        """Ask memory if it has a copy, else the catalog."""
        if arguments and self._objects.is_a(arguments[0], "ObjectPath"):
            kind = next((kind for kind in _KINDS if kind in method), "Table")
            has_copy = self._has_copy(arguments[0], kind)
            return self._call_catalog(self.memory if has_copy else self._base, method, *arguments)
        if arguments and method.startswith("list"):
            return self._list_objects(method, *arguments)
        return self._call_catalog(self._base, method, *arguments)

    def _list_objects(self, method: str, database: str) -> Any:
        kind = next((kind for kind in _KINDS if kind in method), "Table")
        return self._union(
            lambda: self._call_catalog(self._base, method, database),
            self._call_catalog(self.memory, method, database)
            if self.memory.databaseExists(database)
            else (),
            kind,
            f"{database}.",
        )

    def _union(self, base: Callable[[], Any], memory: Any, kind: str, prefix: str) -> Any:
        """Return names of the catalog that have no copy, then those of memory."""
        names = self._objects.java.java.util.ArrayList()
        dropped = prefix and ("Dropped", prefix[:-1]) in self._copied
        absent = prefix and not self._base.databaseExists(prefix[:-1])
        for name in [] if dropped or absent else self._objects.each(base()):
            if (kind, f"{prefix}{name}") not in self._copied:
                names.add(name)
        for name in memory:
            names.add(name)
        return names

    def _change(self, method: str, kind: str, path: Any, *arguments: Any) -> None:
        """Copy the object of the path, and change the copy."""
        self._copy(path, "Table" if kind == "Partition" else kind)
        self._call_catalog(self.memory, method, path, *arguments)

    def _copy(self, path: Any, kind: str) -> None:
        if self._has_copy(path, kind):
            return
        self._copy_database(path.getDatabaseName())
        if self._call_catalog(self._base, f"{kind.lower()}Exists", path):
            copy = self._call_catalog(self._base, f"get{kind}", path)
            self._call_catalog(self.memory, f"create{kind}", path, copy, not _IGNORE)
            if kind == "Table":
                with suppress(Py4JJavaError):  # of a table that has none
                    for spec in self._objects.each(self._base.listPartitions(path)):
                        partition = self._base.getPartition(path, spec)
                        self.memory.createPartition(path, spec, partition, _IGNORE)
        self._copied.add((kind, str(path.getFullName())))

    def _copy_database(self, name: str) -> None:
        """Add the database to memory; its tables are read where they are."""
        if ("Database", name) not in self._copied and self._base.databaseExists(name):
            self.memory.createDatabase(name, self._base.getDatabase(name), _IGNORE)
        self._copied.add(("Database", name))

    def _of_database(self, name: str) -> Any:
        return self.memory if ("Database", name) in self._copied else self._base

    def _has_copy(self, path: Any, kind: str) -> bool:
        return ("Dropped", path.getDatabaseName()) in self._copied or (
            kind,
            str(path.getFullName()),
        ) in self._copied

    def _path(self, database: str, name: str) -> Any:
        return self._objects.java.org.apache.flink.table.catalog.ObjectPath(database, name)

    def _call_catalog(self, catalog: Any, method: str, *arguments: Any) -> Any:
        """The catalog's answer; its own exception where it throws one."""
        if not self._objects.has(catalog, method):
            msg = f"the catalog {self._objects.class_name(catalog)} has no {method}"
            raise CaptureError(msg)
        return getattr(catalog, method)(*arguments)


class ReadOnlyCatalogs:
    """Puts an overlay over each catalog of an environment that is not in memory."""

    def __init__(self, objects: JavaObjects) -> None:
        self._objects = objects
        self._overlays: list[Overlay] = []

    @property
    def memories(self) -> list[Any]:
        """The catalogs that hold what statements have changed."""
        return [overlay.memory for overlay in self._overlays]

    def protect(self, tables: Any) -> None:
        """Cover the catalogs that a ``TableEnvironment`` has now."""
        manager = self._objects.field(tables, "catalogManager")
        self._keep_store_in_memory(manager, tables)
        catalogs = self._objects.field(manager, "catalogs")
        for name, catalog in self._objects.entries(catalogs):
            kind = str(catalog.getClass().getName())
            if not (kind == MEMORY or "$Proxy" in kind):
                overlay = Overlay(self._objects, name, catalog)
                self._overlays.append(overlay)
                catalogs.put(name, overlay)

    def _keep_store_in_memory(self, manager: Any, tables: Any) -> None:
        """From 1.18 on a ``CatalogStore`` may keep catalogs in files: read them, and write none."""
        store = self._objects.field(manager, "catalogStoreHolder")
        if store is None or "InMemory" in str(store.catalogStore().getClass().getName()):
            return
        for name in list(tables.listCatalogs()):
            tables.getCatalog(name)
        memory = self._objects.java.org.apache.flink.table.catalog.GenericInMemoryCatalogStore()
        memory.open()
        self._objects.set_field(store, "catalogStore", memory)
