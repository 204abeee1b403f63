import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.Partitioner;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamEdge;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;

/** What the rows of explorer.checks claim of Flink, asked of one release's classes. */
public final class CheckFacts {
    private static final String LEGACY = "org.apache.flink.streaming.api.functions.source.";

    public static final class Same implements MapFunction<Long, Long> {
        @Override
        public Long map(Long value) {
            return value;
        }
    }

    public static final class Key implements KeySelector<Long, Long> {
        @Override
        public Long getKey(Long value) {
            return value;
        }
    }

    public static final class First implements Partitioner<Long> {
        @Override
        public int partition(Long key, int channels) {
            return 0;
        }
    }

    public static void main(String[] args) throws Exception {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("legacy_source", legacySource());
        facts.put("iterate", exists(DataStream.class, "iterate"));
        facts.put("unaligned_edges", unalignedEdges());
        facts.put("forward_refusal", forwardRefusal());
        facts.put("rebalance_between", slippedIn());
        facts.put("unaligned_custom", unalignedCustom());
        facts.put("flush_every_record", constant("FLUSH_AFTER_EVERY_RECORD"));
        facts.put("no_timeout", constant("DISABLED_NETWORK_BUFFER_TIMEOUT"));
        facts.put("operator_scope", option("MetricOptions", "SCOPE_NAMING_OPERATOR"));
        facts.put("task_scope", option("MetricOptions", "SCOPE_NAMING_TASK"));
        facts.put("chaining_options", keys("PipelineOptions", "OPERATOR_CHAINING"));
        facts.put("timeout_options", keys("ExecutionOptions", "BUFFER_TIMEOUT"));
        facts.put("overrides_option", keys("PipelineOptions", "PARALLELISM_OVERRIDES"));
        facts.put("unknown_override", overrides());
        facts.put("no_timestamp", noTimestamp());
        facts.put("uid_hash", uidHash());
        System.out.println(json(facts));
    }

    /** Whether SourceFunction is where it was, deprecated, or in a package of its own. */
    private static String legacySource() {
        try {
            Class<?> old = Class.forName(LEGACY + "SourceFunction");
            return old.isAnnotationPresent(Deprecated.class) ? "deprecated" : "current";
        } catch (ClassNotFoundException e) {
            try {
                Class.forName(LEGACY + "legacy.SourceFunction");
                return "moved";
            } catch (ClassNotFoundException gone) {
                return "gone";
            }
        }
    }

    private static boolean exists(Class<?> type, String method) {
        return Arrays.stream(type.getMethods()).anyMatch(m -> m.getName().equals(method));
    }

    private static StreamExecutionEnvironment environment() {
        return StreamExecutionEnvironment.createLocalEnvironment(2);
    }

    private static SingleOutputStreamOperator<Long> start(StreamExecutionEnvironment env) {
        return env.fromCollection(Arrays.asList(1L, 2L)).map(new Same()).name("up");
    }

    /** By ship strategy, whether an edge takes part in unaligned checkpoints. */
    private static Map<String, Object> unalignedEdges() throws Exception {
        Map<String, Object> said = new TreeMap<>();
        for (String how : Arrays.asList("FORWARD", "REBALANCE", "RESCALE", "SHUFFLE", "BROADCAST", "GLOBAL", "HASH", "CUSTOM")) {
            StreamExecutionEnvironment env = environment();
            DataStream<Long> up = start(env);
            DataStream<Long> parted = parted(up, how);
            parted.map(new Same()).name("down").print();
            StreamGraph graph = env.getStreamGraph();
            graph.getJobGraph();
            for (StreamNode node : graph.getStreamNodes()) {
                if (node.getOperatorName().equals("down")) {
                    StreamEdge edge = node.getInEdges().get(0);
                    said.put(how, supports(edge));
                }
            }
        }
        return said;
    }

    private static DataStream<Long> parted(DataStream<Long> up, String how) {
        switch (how) {
            case "REBALANCE": return up.rebalance();
            case "RESCALE": return up.rescale();
            case "SHUFFLE": return up.shuffle();
            case "BROADCAST": return up.broadcast();
            case "GLOBAL": return up.global();
            case "HASH": return up.keyBy(new Key());
            case "CUSTOM": return up.partitionCustom(new First(), new Key());
            default: return up;
        }
    }

    private static Object supports(StreamEdge edge) throws Exception {
        try {
            return StreamEdge.class.getMethod("supportsUnalignedCheckpoints").invoke(edge);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static String forwardRefusal() {
        try {
            StreamExecutionEnvironment env = environment();
            start(env).forward().map(new Same()).setParallelism(3).print();
            env.getStreamGraph();
            return null;
        } catch (Exception e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        }
    }

    /** What comes of unaligned checkpoints and a partitioner of the program's own. */
    private static String unalignedCustom() throws Exception {
        StreamExecutionEnvironment env = environment();
        env.enableCheckpointing(1000);
        Object config = env.getCheckpointConfig();
        try {
            config.getClass().getMethod("enableUnalignedCheckpoints").invoke(config);
        } catch (NoSuchMethodException e) {
            return null;
        }
        parted(start(env), "CUSTOM").map(new Same()).print();
        try {
            env.getStreamGraph().getJobGraph();
            return "taken";
        } catch (Exception e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        }
    }

    /** What Flink puts between operators of different parallelism. */
    private static String slippedIn() {
        StreamExecutionEnvironment env = environment();
        start(env).map(new Same()).name("down").setParallelism(3).print();
        for (StreamNode node : env.getStreamGraph().getStreamNodes()) {
            if (node.getOperatorName().equals("down")) {
                return node.getInEdges().get(0).getPartitioner().toString();
            }
        }
        return null;
    }

    private static Class<?> config(String name) throws ClassNotFoundException {
        try {
            return Class.forName("org.apache.flink.configuration." + name);
        } catch (ClassNotFoundException e) {
            return Class.forName("org.apache.flink.streaming.api.environment." + name);
        }
    }

    private static Object constant(String name) {
        try {
            return config("ExecutionOptions").getField(name).get(null);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    private static Object option(String type, String name) {
        try {
            return ((ConfigOption<?>) config(type).getField(name).get(null)).defaultValue();
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** An option's key, then those that it falls back to. */
    private static List<String> keys(String type, String name) throws Exception {
        try {
            ConfigOption<?> option = (ConfigOption<?>) config(type).getField(name).get(null);
            List<String> keys = new ArrayList<>(Collections.singletonList(option.key()));
            try {
                for (Object key : (Iterable<?>) ConfigOption.class.getMethod("fallbackKeys").invoke(option)) {
                    keys.add((String) key.getClass().getMethod("getKey").invoke(key));
                }
            } catch (NoSuchMethodException e) {
                for (Object key : (Iterable<?>) ConfigOption.class.getMethod("deprecatedKeys").invoke(option)) {
                    keys.add((String) key);
                }
            }
            return keys;
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** The parallelism of a vertex after overrides, one of which names no vertex. */
    private static Object overrides() throws Exception {
        StreamExecutionEnvironment env = environment();
        start(env).disableChaining().print();
        StreamGraph stream = env.getStreamGraph();
        JobGraph graph = stream.getJobGraph();
        JobVertex known = graph.getVerticesSortedTopologicallyFromSources().get(1);
        Map<String, String> overrides = new HashMap<>();
        overrides.put(known.getID().toHexString(), "1");
        overrides.put("00000000000000000000000000000000", "7");
        Class<?> dispatcher = Class.forName("org.apache.flink.runtime.dispatcher.Dispatcher");
        Method method;
        try {
            method = dispatcher.getDeclaredMethod("applyParallelismOverrides", JobGraph.class);
        } catch (NoSuchMethodException e) {
            return null;
        }
        Configuration configuration = new Configuration();
        configuration.setString("pipeline.jobvertex-parallelism-overrides", text(overrides));
        Object bare = bare("org.apache.flink.runtime.dispatcher.StandaloneDispatcher");
        put(dispatcher, "configuration", bare, configuration);
        put(Class.forName("org.apache.flink.runtime.rpc.RpcEndpoint"), "log", bare,
                org.slf4j.LoggerFactory.getLogger("facts"));
        method.setAccessible(true);
        method.invoke(bare, graph);
        List<Integer> after = new ArrayList<>();
        for (JobVertex vertex : graph.getVerticesSortedTopologicallyFromSources()) {
            after.add(vertex.getParallelism());
        }
        return after;
    }

    private static String text(Map<String, String> overrides) {
        List<String> pairs = new ArrayList<>();
        overrides.forEach((vertex, parallelism) -> pairs.add(vertex + ":" + parallelism));
        return String.join(",", pairs);
    }

    /** A dispatcher that was never started: the method asked reads two of its fields. */
    private static Object bare(String name) throws Exception {
        Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        return ((sun.misc.Unsafe) field.get(null)).allocateInstance(Class.forName(name));
    }

    private static void put(Class<?> type, String name, Object object, Object value) throws Exception {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        field.set(object, value);
    }

    /** What an event-time window says of a record that nobody gave a timestamp. */
    private static Map<String, Object> noTimestamp() throws Exception {
        Map<String, Object> said = new TreeMap<>();
        String home = "org.apache.flink.streaming.api.windowing.assigners.";
        for (String name : Arrays.asList("TumblingEventTimeWindows", "SlidingEventTimeWindows", "EventTimeSessionWindows")) {
            Class<?> type = Class.forName(home + name);
            Object assigner = assigner(type);
            for (Method method : type.getMethods()) {
                if (method.getName().equals("assignWindows") && !method.isBridge()) {
                    try {
                        Object windows = method.invoke(assigner, "record", Long.MIN_VALUE, null);
                        said.put(name, "window " + windows);
                    } catch (InvocationTargetException e) {
                        said.put(name, e.getCause().getMessage());
                    }
                }
            }
        }
        return said;
    }

    private static Object assigner(Class<?> type) throws Exception {
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            constructor.setAccessible(true);
            Object[] given = new Object[constructor.getParameterCount()];
            for (int i = 0; i < given.length; i++) {
                Class<?> wanted = constructor.getParameterTypes()[i];
                if (wanted == long.class) given[i] = i == 2 || (i == 1 && type.getSimpleName().startsWith("Tumbling")) ? 0L : 1000L;
                else if (wanted.isEnum()) given[i] = wanted.getEnumConstants()[0];
            }
            return constructor.newInstance(given);
        }
        return null;
    }

    /** An operator with a uid hash alone: its generated ID, and the one that it answers to. */
    private static List<String> uidHash() throws Exception {
        List<String> ids = new ArrayList<>();
        for (boolean hashed : new boolean[] {false, true}) {
            StreamExecutionEnvironment env = environment();
            SingleOutputStreamOperator<Long> up = start(env).startNewChain();
            if (hashed) up.setUidHash("00000000000000000000000000000001");
            up.print();
            for (JobVertex vertex : env.getStreamGraph().getJobGraph().getVertices()) {
                if (vertex.getName().startsWith("up")) {
                    ids.add(vertex.getID().toHexString());
                    ids.add(operatorIds(vertex));
                }
            }
        }
        return ids;
    }

    private static String operatorIds(JobVertex vertex) throws Exception {
        try {
            Object pairs = JobVertex.class.getMethod("getOperatorIDs").invoke(vertex);
            List<String> said = new ArrayList<>();
            for (Object pair : (Iterable<?>) pairs) {
                Object generated = pair.getClass().getMethod("getGeneratedOperatorID").invoke(pair);
                Object own = pair.getClass().getMethod("getUserDefinedOperatorID").invoke(pair);
                said.add(generated + "/" + own);
            }
            return said.toString();
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    private static String json(Object value) {
        if (value instanceof Map) {
            StringBuilder text = new StringBuilder("{");
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                if (text.length() > 1) text.append(", ");
                text.append(json(entry.getKey())).append(": ").append(json(entry.getValue()));
            }
            return text.append("}").toString();
        }
        if (value instanceof Collection) {
            StringBuilder text = new StringBuilder("[");
            for (Object item : (Collection<?>) value) {
                if (text.length() > 1) text.append(", ");
                text.append(json(item));
            }
            return text.append("]").toString();
        }
        if (value == null || value instanceof Number || value instanceof Boolean) return String.valueOf(value);
        return "\"" + value.toString().replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }
}
