package explorer.rehearsal;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.operators.ResourceSpec;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.streaming.api.graph.StreamConfig;
import org.apache.flink.streaming.api.graph.StreamEdge;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.streaming.api.operators.StreamOperatorFactory;

/**
 * Turns a program's graph into single operators without sources and sinks.
 *
 * <p>Each remaining operator is fed by idle sources, has no outputs, is not chained and runs with parallelism 1; its
 * maximum parallelism stays. Its original operator ID becomes its user hash, so that it takes its own state.
 */
final class CutGraph {
    /** Classes of operators and factories, without packages, that write to the outside or stand for a sink. */
    private static final Set<String> SINKS = new HashSet<>(Arrays.asList(
        "StreamSink", "SinkOperator", "SinkOperatorFactory", "SinkWriterOperator", "SinkWriterOperatorFactory",
        "AbstractSinkWriterOperatorFactory", "StatefulSinkWriterOperatorFactory", "StatelessSinkWriterOperatorFactory",
        "CommitterOperator", "CommitterOperatorFactory", "AbstractStreamingCommitterOperatorFactory",
        "StreamingCommitterOperatorFactory", "BatchCommitterOperatorFactory", "GlobalCommitterOperator",
        "GlobalBatchCommitterOperatorFactory", "GlobalStreamingCommitterOperatorFactory", "GenericWriteAheadSink",
        "CollectSinkOperator", "CollectSinkOperatorFactory", "AbstractStreamingWriter", "PartitionCommitter",
        "CompactCoordinator", "CompactOperator", "OutputFormatOperatorFactory"));
    private static final Set<String> OF_ONE_NODE = new HashSet<>(Arrays.asList("id", "inEdges", "outEdges"));
    /** Above the numbers of all nodes, virtual ones too. */
    private static final int FIRST_NEW_NODE = 1_000_000_000;

    private final StreamGraph graph;
    private final ClassLoader loader;
    private final Set<String> saved;
    private final Set<String> stateful;
    private final boolean onlyOpen;
    private final List<StreamNode> nodes;

    /** {@code saved}: the operator IDs of the savepoint; {@code stateful}: those with state; {@code onlyOpen}: no operator gets a control. */
    CutGraph(StreamGraph graph, ClassLoader loader, Set<String> saved, Set<String> stateful, boolean onlyOpen) {
        this.stateful = stateful;
        this.onlyOpen = onlyOpen;
        this.graph = graph;
        this.loader = loader;
        this.saved = saved;
        this.nodes = new ArrayList<>(graph.getStreamNodes());
    }

    /** One operator of the program. */
    static final class Part {
        int node;
        String name;
        String uid;
        String id;
        String role;
        /** Whether the operator is a source, of which only the saved state is opened. */
        boolean isProbe;
    }

    /** The operators of the program, in the order of their nodes; the graph is changed. */
    List<Part> cut() throws Exception {
        Map<Integer, String> ids = operatorIds();
        Set<StreamNode> sources = sources();
        Set<StreamNode> sinks = sinks(sources);
        List<Part> parts = new ArrayList<>();
        Map<StreamNode, List<StreamEdge>> inputs = new LinkedHashMap<>();
        Map<Part, StreamNode> probes = new LinkedHashMap<>();
        for (StreamNode node : nodes) {
            Part part = part(node, ids, sources.contains(node) ? "source" : sinks.contains(node) ? "sink" : "operator");
            if (part.role.equals("source") && stateful.contains(part.id)) probes.put(part, node);
            parts.add(part);
            inputs.put(node, new ArrayList<>(node.getInEdges()));
            node.getInEdges().clear();
            node.getOutEdges().clear();
        }
        remove(sources, sinks);
        int next = FIRST_NEW_NODE;
        for (StreamNode node : nodes) {
            if (sources.contains(node) || sinks.contains(node)) continue;
            String id = ids.get(node.getId());
            StreamNode control = !onlyOpen && stateful.contains(id) ? copy(node, next++) : null;
            isolate(node, id);
            for (StreamEdge edge : inputs.get(node)) feed(node, edge.getTypeNumber(), next++);
            if (control == null) continue;
            isolate(control, controlId(id));
            for (StreamEdge edge : inputs.get(node)) feed(control, edge.getTypeNumber(), next++);
        }
        for (Map.Entry<Part, StreamNode> source : probes.entrySet()) if (probe(source.getKey(), source.getValue(), next)) next += 2;
        Reflection.set(graph, "chaining", false);
        Object options = Reflection.callIfPresent(graph, "getJobConfiguration");
        if (options != null) Reflection.call(options, "setString", "pipeline.operator-chaining.enabled", "false");
        return parts;
    }

    /** The ID of an operator's control: a second one, for which the savepoint has no state. */
    static String controlId(String id) {
        return new StringBuilder(id).reverse().toString();
    }

    /** A copy of a node without edges, as part of the graph. */
    private StreamNode copy(StreamNode node, int id) throws Exception {
        graph.addOperator(id, "default", null, node.getOperatorFactory(), null, null, node.getOperatorName());
        StreamNode copy = graph.getStreamNode(id);
        for (Field field : StreamNode.class.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) || OF_ONE_NODE.contains(field.getName())) continue;
            field.setAccessible(true);
            field.set(copy, field.get(node));
        }
        return copy;
    }

    static JobGraph translated(StreamGraph graph, ClassLoader loader) throws Exception {
        Object made = Reflection.method(StreamGraph.class, "getJobGraph", loader, null) == null
            ? Reflection.call(graph, "getJobGraph")
            : Reflection.call(graph, "getJobGraph", loader, null);
        return (JobGraph) made;
    }

    private static Part part(StreamNode node, Map<Integer, String> ids, String role) {
        Part part = new Part();
        part.node = node.getId();
        part.name = node.getOperatorName();
        part.uid = node.getTransformationUID();
        part.id = ids.get(node.getId());
        part.role = role;
        return part;
    }

    /** By node, the operator ID: Flink prefers a user hash where the savepoint has it. */
    private Map<Integer, String> operatorIds() throws Exception {
        Map<Integer, String> ids = new HashMap<>();
        for (JobVertex vertex : translated(graph, loader).getVertices()) {
            StreamConfig head = new StreamConfig(vertex.getConfiguration());
            List<StreamConfig> all = new ArrayList<>(head.getTransitiveChainedTaskConfigs(loader).values());
            all.add(head);
            for (StreamConfig one : all) {
                if (one.getOperatorID() != null) ids.put(one.getVertexID(), one.getOperatorID().toString());
            }
        }
        for (StreamNode node : nodes) if (saved.contains(node.getUserHash())) ids.put(node.getId(), node.getUserHash());
        return ids;
    }

    private Set<StreamNode> sources() {
        Set<StreamNode> sources = new LinkedHashSet<>();
        for (StreamNode node : nodes) {
            if (graph.getSourceIDs().contains(node.getId()) || node.getInEdges().isEmpty()) sources.add(node);
        }
        return sources;
    }

    /** Sinks, and all that is downstream of one. */
    private Set<StreamNode> sinks(Set<StreamNode> sources) throws Exception {
        Set<StreamNode> sinks = new LinkedHashSet<>();
        for (StreamNode node : nodes) if (!sources.contains(node) && isSink(node)) sinks.add(node);
        List<StreamNode> waiting = new ArrayList<>(sinks);
        while (!waiting.isEmpty()) {
            StreamNode node = waiting.remove(waiting.size() - 1);
            for (StreamEdge edge : node.getOutEdges()) {
                StreamNode target = graph.getStreamNode(edge.getTargetId());
                if (sinks.add(target)) waiting.add(target);
            }
        }
        return sinks;
    }

    private boolean isSink(StreamNode node) throws Exception {
        StreamOperatorFactory<?> factory = node.getOperatorFactory();
        if (graph.getSinkIDs().contains(node.getId()) || factory == null) return true;
        return isNamed(factory.getClass()) || isNamed(operatorClass(factory));
    }

    private Class<?> operatorClass(StreamOperatorFactory<?> factory) {
        try {
            Class<?> kind = factory.getStreamOperatorClass(loader);
            return kind == null ? Object.class : kind;
        } catch (RuntimeException unknown) {
            return Object.class; // an adaptive join of 2.0 on chooses its operator when the job runs
        }
    }

    private static boolean isNamed(Class<?> kind) {
        for (Class<?> one = kind; one != null; one = one.getSuperclass()) if (SINKS.contains(one.getSimpleName())) return true;
        return false;
    }

    @SuppressWarnings("unchecked")
    private void remove(Set<StreamNode> sources, Set<StreamNode> sinks) throws Exception {
        Map<Integer, StreamNode> all = (Map<Integer, StreamNode>) Reflection.get(graph, "streamNodes");
        for (StreamNode node : sources) all.remove(node.getId());
        for (StreamNode node : sinks) all.remove(node.getId());
        for (String set : new String[] {"sources", "sinks", "expandedSinks"}) {
            Object members = Reflection.get(graph, set);
            if (members != null) ((Set<Integer>) members).clear();
        }
    }

    /** Puts an operator in a source's place that opens its saved state; whether there is one. */
    private boolean probe(Part part, StreamNode source, int id) throws Exception {
        StreamOperatorFactory<Long> factory = source.getOperatorFactory() == null ? null : SourceProbe.of(source.getOperatorFactory(), part.id);
        if (factory == null) return false;
        graph.addOperator(id, "default", null, factory, Types.LONG, Types.LONG, part.name);
        StreamNode node = graph.getStreamNode(id);
        Reflection.set(node, "maxParallelism", Reflection.get(source, "maxParallelism"));
        isolate(node, part.id);
        feed(node, 0, id + 1);
        part.role = "operator";
        part.isProbe = true;
        return true;
    }

    private void isolate(StreamNode node, String id) throws Exception {
        node.setUserHash(id);
        Reflection.set(node, "transformationUID", "rehearsal-" + node.getId());
        Reflection.set(node, "parallelism", 1);
        Reflection.set(node, "slotSharingGroup", "default");
        Reflection.set(node, "coLocationGroup", null);
        Reflection.set(node, "minResources", ResourceSpec.DEFAULT);
        Reflection.set(node, "preferredResources", ResourceSpec.DEFAULT);
    }

    private void feed(StreamNode node, int typeNumber, int id) throws Exception {
        graph.addLegacySource(id, "default", null, IdleSource.factory(), null, Types.LONG, "Idle");
        StreamNode source = graph.getStreamNode(id);
        Reflection.set(source, "parallelism", 1);
        Reflection.set(source, "maxParallelism", -1);
        Reflection.set(source, "transformationUID", "rehearsal-idle-" + id);
        source.setSerializerOut(node.getTypeSerializersIn()[Math.max(0, typeNumber - 1)]);
        graph.addEdge(id, node.getId(), typeNumber);
    }
}
