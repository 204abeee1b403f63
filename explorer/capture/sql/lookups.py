"""How a lookup join asks its table, and which options of the table would change that.

Mirrors ``LookupJoinUtil``: the connector's ``LookupRuntimeProvider`` says whether it answers
synchronously or asynchronously and through which cache of FLIP-221. An option is suggested only if
the connector, created once more with that option, answers so.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from py4j.protocol import Py4JError

from explorer.capture.jvm.java_objects import JavaObjects

_CONTEXT: Final = "org.apache.flink.table.runtime.connector.source.LookupRuntimeProviderContext"
_ASYNC: Final = {"lookup.async": "true"}
_PARTIAL_CACHE: Final = {
    "lookup.cache": "PARTIAL",
    "lookup.partial-cache.max-rows": "10000",
    "lookup.partial-cache.expire-after-write": "10 min",
}
_OLD_CACHE: Final = {"lookup.cache.max-rows": "10000", "lookup.cache.ttl": "10 min"}
"""Connectors had these options before FLIP-221, for a cache in their function."""


def lookup_members(objects: JavaObjects, planner: Any, join: Any) -> dict[str, Any]:
    """Return the members of ``SqlLookup`` for an ``ExecNode`` of a lookup join."""
    return _LookedUpTable(objects, planner, join).members()


class _LookedUpTable:
    """The table of one lookup join, as its planner creates it."""

    def __init__(self, objects: JavaObjects, planner: Any, join: Any) -> None:
        self._objects, self._planner, self._join = objects, planner, join
        self._spec = objects.field(
            objects.field(join, "temporalTableSourceSpec"), "tableSourceSpec"
        )
        self._table = self._spec.getContextResolvedTable()
        self._options = {
            str(key): str(value)
            for key, value in objects.entries(self._table.getResolvedTable().getOptions())
        }

    def members(self) -> dict[str, Any]:
        provider = self._provider(self._spec)
        members: dict[str, Any] = {
            "table": str(self._table.getIdentifier().getObjectName()),
            "asynchronous": self._objects.field(self._join, "asyncLookupOptions") is not None,
            "offers_asynchronous": self._is_asynchronous(provider),
            "cache": self._cache(provider),
        }
        if not members["offers_asynchronous"] and self._answers_asynchronously(_ASYNC):
            members["asynchronous_options"] = _ASYNC
        if members["cache"] == "none" and (options := self._cache_options()):
            members["cache_options"] = options
        return members

    def _is_asynchronous(self, provider: Any) -> bool:
        kinds = ("AsyncLookupFunctionProvider", "AsyncTableFunctionProvider")
        return any(self._objects.is_a(provider, kind) for kind in kinds)

    def _cache(self, provider: Any) -> str:
        if self._objects.is_a(provider, "FullCachingLookupProvider"):
            return "full"
        kinds = ("PartialCachingLookupProvider", "PartialCachingAsyncLookupProvider")
        is_partial = any(self._objects.is_a(provider, kind) for kind in kinds)
        return "partial" if is_partial or _OLD_CACHE.keys() & self._options.keys() else "none"

    def _answers_asynchronously(self, options: Mapping[str, str]) -> bool:
        with suppress(Py4JError):
            return self._is_asynchronous(self._provider(self._changed(options)))
        return False

    def _cache_options(self) -> Mapping[str, str]:
        """Return options with which the connector has a cache; empty: it has no such option."""
        with suppress(Py4JError):
            if self._cache(self._provider(self._changed(_PARTIAL_CACHE))) == "partial":
                return _PARTIAL_CACHE
        with suppress(Py4JError):
            # The cache is hidden in the connector's function; a factory refuses unknown options.
            self._provider(self._changed(_OLD_CACHE))
            return _OLD_CACHE
        return {}

    def _changed(self, options: Mapping[str, str]) -> Any:
        """The ``DynamicTableSourceSpec`` of the table with further options."""
        values = self._objects.java.java.util.HashMap()
        for key, value in {**self._options, **options}.items():
            values.put(key, value)
        arguments = self._objects.java.java.util.ArrayList()
        arguments.add(self._table.copy(values))
        arguments.add(self._spec.getSourceAbilities())
        (constructor,) = self._spec.getClass().getConstructors()
        return constructor.newInstance(arguments.toArray())

    def _provider(self, spec: Any) -> Any:
        source = spec.getLookupTableSource(
            self._planner.getFlinkContext(), self._planner.getTypeFactory()
        )
        return source.getLookupRuntimeProvider(self._context())

    def _context(self) -> Any:
        """The ``LookupContext`` of the join's keys, which are top-level columns."""
        arrays, types = self._objects.java.java.lang.reflect.Array, self._objects.java.java.lang
        positions = sorted(map(int, self._objects.field(self._join, "lookupKeys").keySet()))
        keys = arrays.newInstance(types.Class.forName("[I"), len(positions))
        for index, position in enumerate(positions):
            key = arrays.newInstance(types.Integer.TYPE, 1)
            arrays.setInt(key, 0, position)
            arrays.set(keys, index, key)
        context = self._objects.java_class(_CONTEXT)
        with suppress(Py4JError):
            return context(keys)
        # From 2.0 on with the choice of a custom shuffle, which no provider's kind depends on.
        return context(keys, False)  # noqa: FBT003
