"""Catalogs, functions and modules of a ``TableEnvironment``, copied to one with other options.

Flink's SQL client has one ``CatalogManager``, ``FunctionCatalog``, ``ModuleManager`` and
``ResourceManager`` for a session, and a planner for each statement. An environment cannot be given
these, so that their contents are transferred.
"""

from collections.abc import Iterable
from typing import Any, Final

from explorer.capture.jvm.java_objects import JavaObjects

MEMORY: Final = "org.apache.flink.table.catalog.GenericInMemoryCatalog"
"""The catalog that ends with its process."""

_CONTENTS: Final = (
    ("catalogManager", ("catalogs", "temporaryTables", "temporaryModels")),
    ("functionCatalog", ("tempSystemFunctions", "tempCatalogFunctions", "userFunctions")),
    ("moduleManager", ("modules", "loadedModules", "usedModules")),
    ("resourceManager", ("resourceInfos", "functionResourceInfos")),
)
"""By the field of a ``TableEnvironment``, the maps and lists that the object in it holds."""


def transfer_names(
    objects: JavaObjects, before: Any, after: Any, memories: Iterable[Any] = ()
) -> None:
    """Let the environment ``after`` know the catalogs, objects, modules and jars of ``before``.

    ``memories``: catalogs in memory that its own catalogs stand for.
    """
    for holder, contents in _CONTENTS:
        old, new = objects.field(before, holder), objects.field(after, holder)
        for content in contents if old is not None else ():
            _transfer(objects, old, new, content)
    managers = [objects.field(value, "catalogManager") for value in (before, after)]
    manager = managers[1]
    catalog_objects = [
        catalog for _, catalog in objects.entries(objects.field(manager, "catalogs"))
    ]
    _unresolve(objects, objects.field(manager, "temporaryTables"))
    for catalog in (*catalog_objects, *memories):
        if objects.class_name(catalog) == MEMORY:
            _unresolve(objects, objects.field(catalog, "tables"))
    # From 1.16 on ADD JAR adds to a class loader of the environment.
    old, new = objects.field(before, "resourceManager"), objects.field(after, "resourceManager")
    loader = objects.field(new, "userClassLoader")
    if loader is not None:
        for url in objects.field(old, "userClassLoader").getURLs():
            loader.addURL(url)
    after.useCatalog(before.getCurrentCatalog())
    after.useDatabase(before.getCurrentDatabase())
    # From 1.18 on a store contains the descriptions of the catalogs.
    old, new = (objects.field(manager, "catalogStoreHolder") for manager in managers)
    if old is not None and new is not None:
        objects.set_field(new, "catalogStore", old.catalogStore())


def _transfer(objects: JavaObjects, old: Any, new: Any, content: str) -> None:
    value = objects.field(old, content)
    if value is None:
        return
    into, empty = objects.field(new, content), objects.java.java.util.ArrayList()
    # py4j gives lists and maps a clear() of its own, which removes one by one.
    if objects.has(value, "entrySet"):
        into.keySet().retainAll(empty)
        into.putAll(value)
    else:
        into.retainAll(empty)
        into.addAll(value)


def _unresolve(objects: JavaObjects, tables: Any) -> None:
    """Let a planner of another runtime mode resolve the columns again, from 1.13 on.

    The time attributes of a table that was declared in STREAMING mode are none in BATCH mode.
    """
    for path, table in objects.entries(tables) if tables is not None else ():
        if objects.has(table, "getOrigin"):
            tables.put(path, table.getOrigin())
