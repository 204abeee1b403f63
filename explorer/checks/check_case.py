"""Input of a rule: a document, its compilation, and facts that several rules look up."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import msgspec

from explorer.checks.lock import Lock, lock_names, make_lock
from explorer.comparison.baseline import Baseline
from explorer.deployment.cluster_options import cluster_options
from explorer.deployment.deploying import ClusterResources
from explorer.deployment.deploying import compute_resources as deployed_on_cluster
from explorer.errors import ExplorerError, FlinkRefusalError
from explorer.flink.compiler import Compilation, compile_program
from explorer.flink.kinds import KINDS, Certainty
from explorer.flink.operator_state import HeldState
from explorer.flink.option_advice import OptionAdvice, advise_on_options
from explorer.flink.partitioners import KEYED, partitioner_class
from explorer.flink.regions import reachable_from
from explorer.flink.releases import VERSIONS, Release
from explorer.lookup.edge_lookup import UnknownEdgeError, operator_called
from explorer.model.changes import Proposal, to_set
from explorer.model.document import Document, StreamGraphDocument
from explorer.model.operator_ids import is_unknown
from explorer.model.pipeline import Environment, Transformation
from explorer.model.sql_plan import SqlPlan
from explorer.model.stream_graph import NodeId, StreamEdge, StreamNode
from explorer.restore.verdict import RestoreVerdict, restore


class CheckCase(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One document under one release."""

    document: Document
    release: Release
    compilation: Compilation | None = None
    refusal: ExplorerError | None = None
    """Why there is no compilation."""
    lock: Lock | None = None
    """The facts that must not change."""
    baseline: Baseline | None = None
    known_verdict: RestoreVerdict | None = None
    """The verdict against the baseline, where it is computed already."""

    @property
    def compiled(self) -> Compilation:
        """The compilation; raises ``LookupError`` for a rule that does not declare that need."""
        if self.compilation is None:
            msg = "a rule that reads the compilation needs one"
            raise LookupError(msg)
        return self.compilation

    @cached_property
    def deployment(self) -> ClusterResources | None:
        """The deployment with the document's own options; None where these cannot be read."""
        try:
            options = cluster_options(self.document, {}, self.release)
            return deployed_on_cluster(self.compiled, options)
        except ExplorerError:
            return None

    @cached_property
    def option_advice(self) -> tuple[OptionAdvice, ...]:
        """Advice on the options that the document carries."""
        return advise_on_options(self.document.options, self.release)

    @cached_property
    def verdict(self) -> RestoreVerdict | None:
        """The verdict against the baseline; None without one that compiles."""
        if self.known_verdict is not None:
            return self.known_verdict
        if self.baseline is None or self.compilation is None:
            return None
        try:
            return restore(self.baseline, self.document, self.compilation)
        except ExplorerError:
            return None

    @cached_property
    def locks(self) -> tuple[Lock, Lock]:
        """The lock, and what it would be now; raises ``LookupError`` as ``compiled`` does."""
        if self.lock is None:
            msg = "a rule that reads the lock needs one"
            raise LookupError(msg)
        return self.lock, make_lock(self.compiled)

    @cached_property
    def locked_nodes(self) -> dict[str, StreamNode]:
        """Map the name of each operator in a lock to the operator."""
        by_id = self.compiled.stream_graph.by_id
        return {name: by_id[id] for id, name in lock_names(self.compiled).items()}

    @cached_property
    def transformations(self) -> tuple[Transformation, ...]:
        """The document's transformations; empty where only its StreamGraph is known."""
        return self.document.pipeline.transformations if self.document.pipeline else ()

    @property
    def environment(self) -> Environment:
        """The document's environment before options are read; the default for a StreamGraph."""
        return self.document.pipeline.environment if self.document.pipeline else Environment()

    @cached_property
    def by_id(self) -> dict[str, Transformation]:
        """The transformations by their ids."""
        return {transformation.id: transformation for transformation in self.transformations}

    def ends(self, edge: StreamEdge) -> tuple[StreamNode, StreamNode]:
        """An edge's source and its target."""
        by_id = self.compiled.stream_graph.by_id
        return by_id[edge.source], by_id[edge.target]

    def to_set(
        self, node: StreamNode, field: str, value: str | int | None, label: str
    ) -> tuple[Proposal, ...]:
        """Propose a value for a field of the operator's transformation; None: its default.

        Nothing where no transformation is known, or where Flink has no setter for the field.
        """
        declared = self.declared(node)
        if declared is None or (value is not None and field in KINDS[declared.type].ignored):
            return ()
        return (to_set(declared.id, field, value, label),)

    def new_chain(self, node: StreamNode) -> tuple[Proposal, ...]:
        """Propose to start a new chain at an operator."""
        label = f"Start a new chain at {node.transformation}"
        return self.to_set(node, "chaining_strategy", "HEAD", label)

    @cached_property
    def uids(self) -> frozenset[str]:
        """Every uid that the document gives."""
        return frozenset(transformation.uid or "" for transformation in self.transformations)

    @cached_property
    def positions(self) -> dict[str, int]:
        """Map each transformation ID to its position in the document."""
        return {
            transformation.id: position
            for position, transformation in enumerate(self.transformations)
        }

    @cached_property
    def node_positions(self) -> dict[NodeId, int]:
        """Map each node ID to its position in the StreamGraph."""
        return {node.id: turn for turn, node in enumerate(self.compiled.stream_graph.nodes)}

    def declared(self, node: StreamNode) -> Transformation | None:
        """The transformation that an operator comes from."""
        return self.by_id.get(node.transformation or "")

    def path(self, node: StreamNode, field: str = "") -> str:
        """The path of an operator, or of one of its fields, in the document."""
        if node.transformation in self.positions:
            return self.path_of(node.transformation or "", field)
        place = f"stream_graph.nodes[{self.node_positions[node.id]}]"
        return f"{place}.{field}" if field else place

    def path_of(self, id: str, field: str = "") -> str:
        """The path of a transformation, or of one of its fields, in the document."""
        place = f"transformations[{self.positions[id]}]"
        return f"{place}.{field}" if field else place

    @cached_property
    def is_complete(self) -> bool:
        """Whether the document holds the whole program: its transformations, or a capture.

        A plan that Flink prints, or a submitted job, holds neither uids nor settings.
        """
        nodes = self.compiled.stream_graph.nodes
        return self.document.pipeline is not None or any(node.operator for node in nodes)

    @property
    def sql_plan(self) -> SqlPlan | None:
        """The plan of the SQL statements that the document was captured from, if it was."""
        document = self.document
        return document.sql_plan if isinstance(document, StreamGraphDocument) else None

    @property
    def held(self) -> Mapping[NodeId, HeldState]:
        """Map each node to the state that a savepoint holds of it."""
        return self.compiled.held_states

    @cached_property
    def recorded_maxima(self) -> Mapping[NodeId, int]:
        """Map each operator to the maximum parallelism that a savepoint records for its state."""
        operators = self.verdict.operators if self.verdict is not None else ()
        return {
            restored_operator.taker: restored_operator.max_parallelism[0]
            for restored_operator in operators
            if restored_operator.taker is not None
            and restored_operator.max_parallelism[0] is not None
        }

    @cached_property
    def saved_ids(self) -> Mapping[NodeId, str]:
        """Map each operator to the ID under which its state is saved; a new operator has none.

        Without a baseline this is the operator's current ID.
        """
        pairs: Iterable[tuple[NodeId | None, str | None]] = self.compiled.hashes.items()
        if self.verdict is not None:
            pairs = (
                (restored_operator.node, restored_operator.operator_id)
                for restored_operator in self.verdict.operators
            )
        return {node: id for node, id in pairs if node is not None and id and not is_unknown(id)}

    @cached_property
    def keyed(self) -> frozenset[NodeId]:
        """The operators that read a stream by key."""
        edges = self.compiled.stream_graph.edges
        return frozenset(edge.target for edge in edges if edge.partitioner_class == KEYED)

    def holding(self, certainty: Certainty) -> Iterator[StreamNode]:
        """The operators that have state with this certainty, in the graph's order."""
        for node in self.compiled.stream_graph.nodes:
            if self.held[node.id].certainty == certainty:
                yield node

    def first_nodes(self, nodes: Iterable[StreamNode]) -> Iterator[StreamNode]:
        """Select, for each transformation, the first of its operators that it can set."""
        visited = set()
        for node in nodes:
            if not node.tags and (origin := node.transformation or node.id) not in visited:
                visited.add(origin)
                yield node

    @cached_property
    def order_matters(self) -> frozenset[NodeId]:
        """Operators that precede a sink or state which depends on their order of records.

        A keyed exchange has an order of its own: its upstream operators are left out.
        """
        graph = self.compiled.stream_graph
        node_ids = {n.id for n in graph.nodes if n.sink or self.held[n.id].certainty != "none"}

        def before(node: NodeId) -> Iterator[NodeId]:
            for position in graph.in_edges[node]:
                edge = graph.edges[position]
                if partitioner_class(edge.partitioner_class).forward:
                    yield edge.source

        return frozenset(reachable_from(node_ids, before))

    @cached_property
    def busy(self) -> frozenset[NodeId]:
        """Operators that emit nearly all records of a source: no upstream operator drops any.

        A StreamGraph alone does not show which operators drop records: there all count.
        """
        if not self.transformations:
            return frozenset(self.compiled.stream_graph.by_id)
        graph = self.compiled.stream_graph
        node_ids = set[NodeId]()
        waiting = list(graph.sources)
        while waiting:
            node = waiting.pop()
            kind = self.declared(graph.by_id[node])
            if node in node_ids or (kind is not None and KINDS[kind.type].thins):
                continue
            node_ids.add(node)
            edges = (graph.edges[position] for position in graph.out_edges[node])
            waiting += [e.target for e in edges if e.side_output is None and not e.selected_names]
        return frozenset(node_ids)

    def operator(self, name: str) -> StreamNode | None:
        """The first operator with this name, ID or node number."""
        graph = self.compiled.stream_graph
        try:
            return graph.by_id[operator_called(graph, name)]
        except UnknownEdgeError:
            return None

    def asked_partitioner(self, edge: StreamEdge) -> Transformation | None:
        """The last transformation on an edge's route that sets its partitioner."""
        kinds = (self.by_id.get(id) for id in reversed(edge.via))
        return next(
            (kind for kind in kinds if kind is not None and KINDS[kind.type].partitions), None
        )

    @cached_property
    def next_release(self) -> str | None:
        """The release after this one; None: there is none yet."""
        turn = VERSIONS.index(self.release.version) + 1
        return VERSIONS[turn] if turn < len(VERSIONS) else None

    @cached_property
    def upgraded(self) -> Compilation | ExplorerError | None:
        """The compilation under the next release, or that release's refusal."""
        if self.next_release is None:
            return None
        try:
            return compile_program(self.document, self.next_release)
        except ExplorerError as error:
            return error

    @cached_property
    def flink_message(self) -> str:
        """Flink's message where it refuses the program; otherwise empty."""
        return self.refusal.flink_message if isinstance(self.refusal, FlinkRefusalError) else ""

    @cached_property
    def blamed(self) -> tuple[str, ...]:
        """The transformations that Flink's refusal names and that the document has."""
        refusal = self.refusal
        ids = refusal.transformations if isinstance(refusal, FlinkRefusalError) else ()
        return tuple(id for id in ids if id in self.by_id)
