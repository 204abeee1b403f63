import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.io.network.partition.ResultPartitionType;
import org.apache.flink.runtime.jobgraph.DistributionPattern;
import org.apache.flink.runtime.jobgraph.IntermediateDataSetID;
import org.apache.flink.runtime.jobgraph.IntermediateResultPartitionID;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.apache.flink.runtime.jobmanager.scheduler.SlotSharingGroup;
import org.apache.flink.runtime.scheduler.strategy.ExecutionVertexID;
import org.apache.flink.runtime.scheduler.strategy.SchedulingExecutionVertex;
import org.apache.flink.runtime.scheduler.strategy.SchedulingResultPartition;
import org.apache.flink.runtime.scheduler.strategy.SchedulingTopology;

/**
 * Asks a release's own slot sharing strategy which subtasks share a slot. A question is a line:
 * "STRATEGY vertex ... edge ...", a vertex "vPARALLELISM:GROUP:COLOCATION" (- for none), an edge
 * "eSOURCE:TARGET:A" or "eSOURCE:TARGET:P:partitions of consumer 0|of 1|...". An answer is the
 * vertices in the order in which the release sorts them, then for each its subtasks' slots, numbered
 * as they are met.
 */
public class AskSlots {
    static final String SCHEDULER = "org.apache.flink.runtime.scheduler.";

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println("= " + new AskSlots(line.trim().split(" ")).answer());
        }
    }

    final String strategy;
    final List<JobVertex> vertices = new ArrayList<>();
    final Map<JobVertex, List<Object>> subtasks = new HashMap<>();
    final Map<Object, Object> partitions = new HashMap<>();
    final Map<String, SlotSharingGroup> groups = new LinkedHashMap<>();
    final Map<String, List<JobVertex>> located = new LinkedHashMap<>();
    final Map<Object, List<Object>> consumed = new HashMap<>();
    final Map<Object, List<SchedulingResultPartition>> results = new HashMap<>();
    final JobGraph jobGraph = new JobGraph(new JobID(), "asked");

    AskSlots(String[] words) throws Exception {
        strategy = words[0];
        for (String word : words) if (word.startsWith("v")) vertex(word.substring(1).split(":"));
        for (JobVertex vertex : vertices) jobGraph.addVertex(vertex);
        for (JobVertex vertex : vertices) subtasks.put(vertex, subtasksOf(vertex));
        for (String word : words) if (word.startsWith("e")) edge(word.substring(1).split(":"));
    }

    void vertex(String[] parts) {
        JobVertex vertex = new JobVertex("v" + vertices.size(), new JobVertexID(vertices.size(), 7));
        vertex.setParallelism(Integer.parseInt(parts[0]));
        vertex.setInvokableClass(org.apache.flink.runtime.jobgraph.tasks.AbstractInvokable.class);
        vertex.setSlotSharingGroup(groups.computeIfAbsent(parts[1], name -> new SlotSharingGroup()));
        if (!parts[2].equals("-")) located.computeIfAbsent(parts[2], name -> new ArrayList<>()).add(vertex);
        vertices.add(vertex);
    }

    List<Object> subtasksOf(JobVertex vertex) {
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < vertex.getParallelism(); i++) {
            ExecutionVertexID id = new ExecutionVertexID(vertex.getID(), i);
            consumed.put(id, new ArrayList<>());
            results.put(id, new ArrayList<>());
            all.add(made(SchedulingExecutionVertex.class, (proxy, method, values) -> {
                switch (method.getName()) {
                    case "getId": return id;
                    case "getConsumedPartitionGroups": return consumed.get(id);
                    case "getConsumedResults": return results.get(id);
                    default: return plain(proxy, method, values);
                }
            }));
        }
        return all;
    }

    void edge(String[] parts) throws Exception {
        JobVertex source = vertices.get(Integer.parseInt(parts[0]));
        JobVertex target = vertices.get(Integer.parseInt(parts[1]));
        boolean all = parts[2].equals("A");
        IntermediateDataSetID set = connect(source, target, all ? DistributionPattern.ALL_TO_ALL : DistributionPattern.POINTWISE);
        List<Object> own = partitionsOf(source, set);
        int[] every = new int[source.getParallelism()];
        for (int i = 0; i < every.length; i++) every[i] = i;
        Map<String, Object> shared = new HashMap<>();
        String[] told = all ? null : parts[3].split("\\|");
        for (int i = 0; i < target.getParallelism(); i++) {
            int[] read = all ? every : Arrays.stream(told[i].split(",")).mapToInt(Integer::parseInt).toArray();
            Object id = ((SchedulingExecutionVertex) subtasks.get(target).get(i)).getId();
            for (int one : read) results.get(id).add((SchedulingResultPartition) partitions.get(own.get(one)));
            // Consumers of the same partitions have one group between them, as the release gives it.
            String key = Arrays.toString(read);
            if (!shared.containsKey(key)) shared.put(key, group(target, own, read));
            if (shared.get(key) != null) consumed.get(id).add(shared.get(key));
        }
    }

    List<Object> partitionsOf(JobVertex source, IntermediateDataSetID set) {
        List<Object> ids = new ArrayList<>();
        for (int i = 0; i < source.getParallelism(); i++) {
            Object producer = subtasks.get(source).get(i);
            IntermediateResultPartitionID id = new IntermediateResultPartitionID(set, i);
            ids.add(id);
            partitions.put(id, made(SchedulingResultPartition.class, (proxy, method, values) -> {
                switch (method.getName()) {
                    case "getId": return id;
                    case "getProducer": return producer;
                    default: return plain(proxy, method, values);
                }
            }));
        }
        return ids;
    }

    Object group(JobVertex target, List<Object> own, int[] read) throws Exception {
        Class<?> type;
        try {
            type = Class.forName(SCHEDULER + "strategy.ConsumedPartitionGroup");
        } catch (ClassNotFoundException older) {
            return null;
        }
        List<Object> ids = new ArrayList<>();
        for (int one : read) ids.add(own.get(one));
        for (Method method : type.getMethods()) {
            if (!method.getName().equals("fromMultiplePartitions")) continue;
            switch (method.getParameterCount()) {
                case 1: return method.invoke(null, ids);
                case 2: return method.invoke(null, target.getParallelism(), ids);
                default: return method.invoke(null, target.getParallelism(), ids, ResultPartitionType.PIPELINED_BOUNDED);
            }
        }
        throw new IllegalStateException("no fromMultiplePartitions");
    }

    static IntermediateDataSetID connect(JobVertex source, JobVertex target, DistributionPattern pattern) throws Exception {
        Method shortest = null;
        for (Method method : JobVertex.class.getMethods()) {
            boolean connects = method.getName().equals("connectNewDataSetAsInput");
            if (connects && (shortest == null || method.getParameterCount() < shortest.getParameterCount())) shortest = method;
        }
        Object[] values = new Object[shortest.getParameterCount()];
        for (int i = 0; i < values.length; i++) {
            Class<?> type = shortest.getParameterTypes()[i];
            values[i] = type == JobVertex.class ? source : type == DistributionPattern.class ? pattern
                    : type == ResultPartitionType.class ? ResultPartitionType.PIPELINED_BOUNDED
                    : type == IntermediateDataSetID.class ? new IntermediateDataSetID() : type == int.class ? (Object) 0 : (Object) false;
        }
        Object edge = shortest.invoke(target, values);
        return ((org.apache.flink.runtime.jobgraph.JobEdge) edge).getSource().getId();
    }

    @SuppressWarnings("unchecked")
    static <T> T made(Class<T> type, InvocationHandler handler) {
        return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
    }

    static Object plain(Object proxy, Method method, Object[] values) {
        switch (method.getName()) {
            case "hashCode": return System.identityHashCode(proxy);
            case "equals": return proxy == values[0];
            default: return null;
        }
    }

    String answer() throws Exception {
        List<JobVertex> sorted = jobGraph.getVerticesSortedTopologicallyFromSources();
        List<Object> all = new ArrayList<>();
        for (JobVertex vertex : sorted) all.addAll(subtasks.get(vertex));
        SchedulingTopology topology = made(SchedulingTopology.class, (proxy, method, values) -> {
            switch (method.getName()) {
                case "getVertices": return all;
                case "getResultPartition": return partitions.get(values[0]);
                default: return plain(proxy, method, values);
            }
        });
        Class<?> type = Class.forName(SCHEDULER + strategy);
        Constructor<?> constructor = type.getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        Object made = constructor.newInstance(topology, new LinkedHashSet<>(groups.values()), located());
        Method share = type.getMethod("getExecutionSlotSharingGroup", ExecutionVertexID.class);
        share.setAccessible(true);
        Map<Object, Integer> numbers = new HashMap<>();
        StringBuilder told = new StringBuilder();
        for (JobVertex vertex : sorted) {
            told.append(told.length() > 0 ? " " : "").append(vertices.indexOf(vertex)).append(":");
            List<String> slots = new ArrayList<>();
            for (int i = 0; i < vertex.getParallelism(); i++) {
                Object slot = share.invoke(made, new ExecutionVertexID(vertex.getID(), i));
                numbers.putIfAbsent(System.identityHashCode(slot), numbers.size());
                slots.add(String.valueOf(numbers.get(System.identityHashCode(slot))));
            }
            told.append(String.join(",", slots));
        }
        return told.toString();
    }

    Set<Object> located() throws Exception {
        Set<Object> every = new LinkedHashSet<>();
        String scheduler = "org.apache.flink.runtime.jobmanager.scheduler.";
        for (List<JobVertex> members : located.values()) {
            try {
                Class<?> older = Class.forName(scheduler + "CoLocationGroupDesc");
                JobVertexID[] ids = members.stream().map(JobVertex::getID).toArray(JobVertexID[]::new);
                every.add(older.getMethod("from", JobVertexID[].class).invoke(null, (Object) ids));
            } catch (ClassNotFoundException newer) {
                Class<?> type = Class.forName(scheduler + "CoLocationGroupImpl");
                every.add(type.getConstructor(JobVertex[].class).newInstance((Object) members.toArray(new JobVertex[0])));
            }
        }
        return every;
    }
}
