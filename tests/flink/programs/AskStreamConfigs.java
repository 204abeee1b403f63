import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.streaming.api.graph.StreamConfig;
import org.apache.flink.streaming.api.graph.StreamEdge;
import org.apache.flink.util.InstantiationUtil;
import org.apache.flink.util.OutputTag;

/**
 * Shows the StreamConfig of every operator, key by key, as the release writes it. A question is a
 * pipeline document, which AskTasks builds; the answer has the configurations by node.
 */
public class AskStreamConfigs {
    static final ObjectMapper JSON = new ObjectMapper();
    static final String TRANSITIVE = "chainedTaskConfig_";

    @SuppressWarnings("unchecked")
    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        PrintStream out = System.out;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Object said;
            try {
                Map<String, Object> pipeline = JSON.readValue(line, Map.class);
                AskTasks.Job job = new AskTasks.Job(pipeline);
                Map<String, Object> of = (Map<String, Object>) pipeline.getOrDefault("environment", new TreeMap<>());
                if ("BATCH".equals(of.get("runtime_mode"))) { // 1.12-
                    job.env.setRuntimeMode(org.apache.flink.api.common.RuntimeExecutionMode.BATCH); // 1.12-
                    job.env.setBufferTimeout(-1); // 1.12-
                } // 1.12-
                JobGraph graph = job.env.getStreamGraph().getJobGraph();
                Map<String, Object> configs = new TreeMap<>();
                for (JobVertex vertex : graph.getVertices()) {
                    shown(vertex.getConfiguration(), configs);
                }
                said = configs;
            } catch (Throwable failed) {
                Throwable root = failed;
                while (root.getCause() != null) root = root.getCause();
                said = Collections.singletonMap("failed", root.toString());
            }
            out.println("= " + JSON.writeValueAsString(said));
            out.flush();
        }
        System.exit(0);
    }

    @SuppressWarnings("unchecked")
    static void shown(Configuration configuration, Map<String, Object> configs) throws Exception {
        Field data = Configuration.class.getDeclaredField("confData");
        data.setAccessible(true);
        Map<String, Object> found = new TreeMap<>();
        for (Map.Entry<String, Object> entry : ((Map<String, Object>) data.get(configuration)).entrySet()) {
            String key = entry.getKey();
            if (key.equals(TRANSITIVE)) {
                List<Integer> nodes = new ArrayList<>();
                Map<Integer, StreamConfig> chained = (Map<Integer, StreamConfig>) read((byte[]) entry.getValue());
                if (chained == null) chained = Collections.emptyMap();
                for (Map.Entry<Integer, StreamConfig> one : new TreeMap<>(chained).entrySet()) {
                    nodes.add(one.getKey());
                    shown(one.getValue().getConfiguration(), configs);
                }
                found.put(key, nodes);
            } else {
                found.put(key, value(key, entry.getValue()));
            }
        }
        configs.put(String.valueOf(found.get("vertexID")), found);
    }

    static Object value(String key, Object value) throws Exception {
        if (!(value instanceof byte[])) {
            boolean plain = value instanceof Number || value instanceof Boolean;
            return plain ? value : String.valueOf(value);
        }
        if (key.equals("operatorID")) return hex((byte[]) value);
        return told(read((byte[]) value));
    }

    static Object read(byte[] bytes) throws Exception {
        return InstantiationUtil.deserializeObject(bytes, AskStreamConfigs.class.getClassLoader());
    }

    static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte one : bytes) text.append(String.format("%02x", one));
        return text.toString();
    }

    static Object told(Object object) throws Exception {
        if (object == null || object instanceof Number || object instanceof Boolean || object instanceof String) return object;
        if (object instanceof byte[]) return "bytes";
        if (object instanceof Class) return ((Class<?>) object).getSimpleName();
        if (object instanceof OutputTag) return ((OutputTag<?>) object).getId();
        if (object instanceof TypeSerializer) return object.getClass().getSimpleName();
        if (object instanceof StreamEdge) {
            StreamEdge edge = (StreamEdge) object;
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("source", edge.getSourceId());
            members.put("target", edge.getTargetId());
            members.put("type_number", edge.getTypeNumber());
            members.put("partitioner", edge.getPartitioner().toString());
            members.put("side_output", told(edge.getOutputTag()));
            return members;
        }
        if (object instanceof Map) {
            Map<String, Object> members = new TreeMap<>();
            for (Map.Entry<?, ?> one : ((Map<?, ?>) object).entrySet()) {
                members.put(String.valueOf(one.getKey()), told(one.getValue()));
            }
            return members;
        }
        if (object instanceof Iterable || object.getClass().isArray()) {
            List<Object> members = new ArrayList<>();
            if (object instanceof Iterable) for (Object one : (Iterable<?>) object) members.add(told(one));
            else for (Object one : (Object[]) object) members.add(told(one));
            return members;
        }
        String name = object.getClass().getSimpleName();
        if (name.equals("NonChainedOutput") || name.endsWith("InputConfig")) {
            Map<String, Object> members = new TreeMap<>();
            for (Class<?> type = object.getClass(); type != Object.class; type = type.getSuperclass()) {
                for (Field field : type.getDeclaredFields()) {
                    if (java.lang.reflect.Modifier.isStatic(field.getModifiers())) continue;
                    if (field.getName().equals("dataSetId")) continue;
                    if (field.getName().equals("persistentDataSetId")) continue;
                    field.setAccessible(true);
                    members.put(field.getName(), told(field.get(object)));
                }
            }
            return name.equals("NonChainedOutput") ? members : Collections.singletonMap(name, members);
        }
        if (object instanceof Enum) return object.toString();
        if (name.endsWith("Partitioner")) return object.toString();
        return name.isEmpty() || name.contains("$$Lambda") || name.contains("/") ? "lambda" : name;
    }
}
