"""The optimised plan of SQL statements as members of a document's ``sql_plan``.

Mirrors ``PlannerBase.translate`` up to ``translateToExecNodeGraph``: the statements are planned a
second time after they have run, from the same node ID on, so that what Flink does is not changed.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeAlias

import msgspec
from py4j.protocol import Py4JError, Py4JJavaError

from explorer.capture.jvm.java_objects import JavaObjects
from explorer.capture.sql.lookups import lookup_members
from explorer.capture.sql.sql_text import Place
from explorer.documents.readers.compiled_plans import parse_compiled_plan, to_sql_plan
from explorer.errors import DocumentError
from explorer.flink.sql_operators import is_planned_name
from explorer.flink.table_options import UPSERT_MATERIALIZE
from explorer.model.sql_plan import SqlStatement

_PLANNER: Final = "org.apache.flink.table.planner"
_COLLECT: Final = "org.apache.flink.table.operations.CollectModifyOperation"
_TYPED: Final = re.compile(r"(?P<name>.+)_(?P<version>\d+)")
_MODE: Final = re.compile(r"INSERT|UPDATE_BEFORE|UPDATE_AFTER|DELETE")
_LOADED: Final = re.compile(r"EXECUTE\s+PLAN\s+'((?:[^']|\'\')*)'", re.IGNORECASE)
_SCAN_CONTEXT: Final = "org.apache.flink.table.runtime.connector.source.ScanRuntimeProviderContext"
_ON_CONFLICT: Final = "Please specify an ON CONFLICT clause"
_MATERIALIZED: Final = "upsertMaterialize=[true]"
_BITS: Final = re.compile(r"\{(\d+(?:, \d+)*)\}")
"""An ``ImmutableBitSet``'s text."""
Text: TypeAlias = tuple[str, Place]
"""A statement, and the line and the column where it begins."""
Texts: TypeAlias = Sequence[Text]
"""The statements that make one job."""
_NOT_READ: Final = (
    "SQL plan not read: the optimised plan of this job's statements could not be read; changelog "
    "modes, upsert keys and states are not known"
)
_NOT_RECORDED: Final = (
    "SQL plan not read: the planner made operators of this job, and their optimised plan is read "
    "of the statements of a SQL script from Flink 1.15 on, not of a Table API program; changelog "
    "modes, upsert keys and states are not known"
)


def warn_of_unread_plans(documents: Sequence[dict[str, Any]]) -> None:
    """Add a warning to each streaming job that has stateful SQL operators and not their plan."""
    for document in documents:
        graph, warnings = document.get("stream_graph", {}), document.get("warnings", [])
        is_batch = graph.get("settings", {}).get("batch", False)
        unread = "sql_plan" not in document and _NOT_READ not in warnings and not is_batch
        if unread and any(is_planned_name(node["name"]) for node in graph.get("nodes", ())):
            document["warnings"] = [*warnings, _NOT_RECORDED]


class SqlPlanReader:
    """Reads plans through the planner of one ``TableEnvironment``."""

    def __init__(self, objects: JavaObjects, tables: Any) -> None:
        self._objects, self._planner = objects, objects.field(tables, "planner")
        self._loader = self._planner.getClass().getClassLoader()

    def translate(self, text: str) -> None:
        """Plan a statement down to its transformations; raises ``Py4JError`` where Flink fails."""
        self._planner.translate(self._list(self._operations(text)))

    def _count(self) -> int | None:
        """Return the number of plan nodes of this JVM; None: the release counts otherwise."""
        with suppress(Py4JError):
            kind = self._class("plan.nodes.exec.ExecNodeContext")
            counter = kind.getDeclaredField("idCounter")
            counter.setAccessible(True)
            return int(counter.get(None))
        return None

    @contextmanager
    def recording(self, documents: Sequence[dict[str, Any]]) -> Iterator[list[Text]]:
        """Record the plan of the job that the block submits.

        Args:
            documents: The captured documents; the block adds the job's at their end.

        Yields:
            The statements of the job, which the block fills in.
        """
        previous, first, texts = len(documents), self._count(), list[Text]()
        yield texts
        if len(documents) != previous + 1 or first is None:
            return
        following = self._count()
        try:
            documents[-1]["sql_plan"] = self._members(texts, first)
        except (Py4JError, DocumentError):
            if not self._objects.is_a(self._planner, "BatchPlanner"):
                documents[-1].setdefault("warnings", []).append(_NOT_READ)
        if self._count() != following:
            self.count_from(following or 0)

    def _members(self, texts: Texts, first: int) -> dict[str, Any]:
        """The plan of statements; their first node has the ID after ``first``.

        Raises ``Py4JError`` where this release plans differently.
        """
        if loaded := _LOADED.fullmatch(texts[0][0]):
            references = self._objects.java_class("org.apache.flink.table.api.PlanReference")
            plan = self._planner.loadPlan(references.fromFile(loaded[1].replace("''", "'")))
            values = parse_compiled_plan(str(plan.asJsonString()))
            plan = to_sql_plan(values, tuple(map(_statement, texts)))
            return dict(msgspec.to_builtins(plan))
        operations = [value for text, _ in texts for value in self._operations(text)]
        self.count_from(first)
        rels = [self._planner.translateToRel(operation) for operation in operations]
        optimized = self._optimize(rels)
        graph = self._planner.translateToExecNodeGraph(optimized, False)  # noqa: FBT003
        roots = self._objects.each(graph.getRootNodes())
        nodes = _Nodes(self._objects, self._static, self._planner)
        for position, root in enumerate(roots):
            nodes.add(root, optimized.apply(position), position)
        advice = self._advice([optimized.apply(at) for at in range(len(roots))], nodes.ids)
        if self._option(UPSERT_MATERIALIZE) == "NONE":
            self._add_default_materialization(texts, [nodes.of(root) for root in roots])
        statements = [msgspec.to_builtins(_statement(pair)) for pair in texts]
        members = {"statements": statements, "nodes": nodes.members()}
        return {**members, "advice": advice} if advice else members

    def _option(self, key: str) -> str:
        """The value of an option of the session; empty: it is not set."""
        return str(self._planner.getTableConfig().getConfiguration().toMap().get(key) or "").upper()

    def _advice(self, rels: Sequence[Any], ids: Mapping[int, int]) -> list[dict[str, Any]]:
        """Return what Flink's analyzers advise on the physical plan; before 1.17 there are none."""
        with suppress(Py4JError):
            kind = self._class("analyze.FlinkStreamPlanAnalyzers")
            analyzers = self._objects.each(kind.getField("ANALYZERS").get(None))
            answers = [analyzer.analyze(rel) for rel in rels for analyzer in analyzers]
            result = [
                self._one_advice(answer.get(), ids) for answer in answers if answer.isPresent()
            ]
            return [values for at, values in enumerate(result) if values not in result[:at]]
        return []

    def _one_advice(self, analyzed: Any, ids: Mapping[int, int]) -> dict[str, Any]:
        advice, targets = analyzed.getAdvice(), map(int, analyzed.getTargetIds())
        return {
            "kind": str(advice.getKind().name()),
            "text": " ".join(str(advice.getContent()).split()),
            "nodes": sorted(ids[target] for target in targets if target in ids),
        }

    def _add_default_materialization(self, texts: Texts, sinks: Sequence[dict[str, Any]]) -> None:
        """Ask Flink for each sink of the statements whether AUTO would materialize its upserts."""
        options = self._planner.getTableConfig().getConfiguration()
        options.setString(UPSERT_MATERIALIZE, "AUTO")
        try:
            for (text, _), sink in zip(texts, sinks, strict=False):
                sink["materializes_by_default"] = self._materializes(text)
        finally:
            options.setString(UPSERT_MATERIALIZE, "NONE")

    def _materializes(self, text: str) -> bool:
        rels = [self._planner.translateToRel(operation) for operation in self._operations(text)]
        try:
            optimized = self._optimize(rels)
        except Py4JJavaError as error:
            # From 2.3 on Flink asks for ON CONFLICT where it would materialize.
            return _ON_CONFLICT in str(error.java_exception.getMessage())
        graph = self._planner.translateToExecNodeGraph(optimized, False)  # noqa: FBT003
        (root,) = self._objects.each(graph.getRootNodes())
        return _MATERIALIZED in str(root.getDescription())

    def _optimize(self, rels: Sequence[Any]) -> Any:
        converters = "scala.collection.JavaConverters"
        return self._planner.optimize(self._static(converters, "asScalaBuffer", self._list(rels)))

    def _operations(self, text: str) -> list[Any]:
        """Return the operations of the statement; a query collects its rows."""
        values = []
        for operation in self._objects.each(self._planner.getParser().parse(text)):
            is_query = self._objects.is_a(operation, "QueryOperation")
            collect = self._objects.java_class(_COLLECT) if is_query else None
            values.append(operation if collect is None else collect(operation))
        return values

    def count_from(self, first: int) -> None:
        """Let the next plan node have the ID after ``first``."""
        name = "plan.nodes.exec.ExecNodeContext"
        self._static(name, "resetIdCounter")
        for _ in range(first):
            self._static(name, "newNodeId")

    def _class(self, name: str) -> Any:
        """A class of the planner, which has a class loader of its own from 1.15 on."""
        classes = self._objects.java.java.lang.Class
        full = name if name.startswith("scala.") else f"{_PLANNER}.{name}"
        return classes.forName(full, True, self._loader)  # noqa: FBT003

    def _static(self, kind: str, method: str, *arguments: Any) -> Any:
        """Call a static method of one of the planner's classes."""

        def find() -> Any:
            methods = self._class(kind).getMethods()
            return next(value for value in methods if str(value.getName()) == method)

        constant = self._objects.constant(f"{kind}.{method}", find)
        return constant.invoke(None, self._list(arguments).toArray())

    def _list(self, values: Sequence[Any]) -> Any:
        listed = self._objects.java.java.util.ArrayList()
        for value in values:
            listed.add(value)
        return listed


def _statement(text: Text) -> SqlStatement:
    line, column = text[1]
    return SqlStatement(text=text[0], line=line, column=column)


class _Nodes:
    """The plan's nodes as they are met from its sinks upstream."""

    def __init__(self, objects: JavaObjects, static: Callable[..., Any], planner: Any) -> None:
        self._objects, self._static, self._planner = objects, static, planner
        self._found: dict[int, dict[str, Any]] = {}
        self.ids: dict[int, int] = {}
        """By ID of a physical ``RelNode``, the ID of its plan node."""

    def of(self, node: Any) -> dict[str, Any]:
        """The members of a plan node that was added."""
        return self._found[int(node.getId())]

    def members(self) -> list[dict[str, Any]]:
        """All nodes, in the order of their IDs."""
        return [self._found[id] for id in sorted(self._found)]

    def add(self, root: Any, rel: Any, statement: int) -> None:
        """Add a sink and everything upstream of it.

        Args:
            root: The sink's ``ExecNode``.
            rel: Its physical ``RelNode``, which has the same inputs.
            statement: The position of the statement that needs them.
        """
        waiting, visited = [(root, rel)], set()
        while waiting:
            node, physical = waiting.pop()
            id = int(node.getId())
            if id in visited:
                continue
            visited.add(id)
            if id not in self._found:
                self._found[id] = {**self._node(node), **self._traits(physical)}
            if physical is not None:
                self.ids[int(physical.getId())] = id
            self._found[id].setdefault("statements", []).append(statement)
            sources = [edge.getSource() for edge in self._objects.each(node.getInputEdges())]
            rels = [] if physical is None else self._objects.each(physical.getInputs())
            paired = rels if len(rels) == len(sources) else [None] * len(sources)
            waiting += zip(sources, paired, strict=True)

    def _node(self, node: Any) -> dict[str, Any]:
        objects = self._objects
        name, version = self._kind(node)
        members = {
            "id": int(node.getId()),
            "type": name,
            "version": version,
            "description": str(node.getDescription()),
            "inputs": [
                int(edge.getSource().getId()) for edge in objects.each(node.getInputEdges())
            ],
            "columns": self._columns(node.getOutputType()),
        }
        states = objects.field(node, "stateMetadataList")
        if states is not None:
            members["states"] = [self._state(value) for value in objects.each(states)]
        with suppress(Py4JError):
            if name == "stream-exec-sink":
                members["primary_key"] = self._primary_key(node)
            elif name == "stream-exec-table-source-scan":
                members["bounded"] = self._is_bounded(node)
            elif name == "stream-exec-lookup-join":
                members["lookup"] = lookup_members(objects, self._planner, node)
        return members

    def _primary_key(self, sink: Any) -> list[str]:
        """Return the columns of the primary key of a sink's table; empty: it has none."""
        table = self._objects.field(sink, "tableSinkSpec").getContextResolvedTable()
        key = table.getResolvedSchema().getPrimaryKey()
        return list(map(str, key.get().getColumns())) if key.isPresent() else []

    def _is_bounded(self, scan: Any) -> bool:
        """Return whether a scan's connector ends by itself: ``ScanRuntimeProvider.isBounded``."""
        spec = self._objects.field(scan, "tableSourceSpec")
        source = spec.getScanTableSource(
            self._planner.getFlinkContext(), self._planner.getTypeFactory()
        )
        context = self._objects.java_class(_SCAN_CONTEXT).INSTANCE
        return bool(source.getScanRuntimeProvider(context).isBounded())

    def _kind(self, node: Any) -> tuple[str, int | None]:
        """Return name and version of the node's kind; without a compiled form it has no version."""
        kind = "null"
        with suppress(Py4JError):
            context = self._objects.field(node, "context")
            kind = str(self._objects.call(context, "getTypeAsString", default="null"))
        typed = _TYPED.fullmatch(kind)
        if typed is None or kind.startswith("null"):
            return self._objects.simple_name(node), None
        return typed["name"], int(typed["version"])

    def _state(self, state: Any) -> dict[str, Any]:
        # The TTL as text, such as "3600000 ms": its getter answers a Duration.
        ttl = self._objects.field(state, "stateTtl")
        return {
            "name": str(self._objects.field(state, "stateName")),
            "ttl": int(ttl.toMillis()) if self._objects.has(ttl, "toMillis") else 0,
        }

    def _columns(self, type: Any) -> list[dict[str, str]]:
        if not self._objects.is_a(type, "RowType"):
            return []
        names = [str(name) for name in type.getFieldNames()]
        types = [str(value.asSummaryString()) for value in type.getChildren()]
        return [{"name": a, "type": b} for a, b in zip(names, types, strict=True)]

    def _traits(self, rel: Any) -> Mapping[str, Any]:
        """Return changelog mode and upsert keys of a physical node of the streaming planner."""
        if rel is None or not self._objects.is_a(rel, "StreamPhysicalRel"):
            return {}
        mode = self._static("plan.utils.ChangelogPlanUtils", "getChangelogMode", rel)
        values: dict[str, Any] = {}
        if bool(mode.isDefined()):
            values["row_kinds"] = _MODE.findall(str(mode.get().toString()))
        query = self._static(
            "plan.metadata.FlinkRelMetadataQuery",
            "reuseOrCreate",
            rel.getCluster().getMetadataQuery(),
        )
        keys = query.getUpsertKeys(rel)
        names = [str(name) for name in rel.getRowType().getFieldNames()]
        if keys is not None:
            sets = sorted(list(map(int, key.split(","))) for key in _BITS.findall(keys.toString()))
            values["upsert_keys"] = [[names[bit] for bit in key] for key in sets]
        return values
