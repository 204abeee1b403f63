import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.flink.api.common.functions.CoGroupFunction;
import org.apache.flink.api.common.functions.JoinFunction;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.streaming.api.datastream.CoGroupedStreams;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.JoinedStreams;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamEdge;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.util.Collector;

/**
 * Says what a release makes of a join or a coGroup over windows. A question is a line: the call,
 * the assigner, then words for what is set besides; what the release lacks it answers with null.
 */
public final class AskJoins {
    public static final class Same implements MapFunction<Long, Long> {
        @Override
        public Long map(Long a) {
            return a;
        }
    }

    public static final class Key implements KeySelector<Long, Long> {
        @Override
        public Long getKey(Long a) {
            return a;
        }
    }

    public static final class Pair implements JoinFunction<Long, Long, Long> {
        @Override
        public Long join(Long a, Long b) {
            return a;
        }
    }

    public static final class Both implements CoGroupFunction<Long, Long, Long> {
        @Override
        public void coGroup(Iterable<Long> a, Iterable<Long> b, Collector<Long> out) {}
    }

    static final String ASSIGNERS = "org.apache.flink.streaming.api.windowing.assigners.";
    static final Map<String, String> CLASSES = new HashMap<>();

    static {
        CLASSES.put("tumbling", "TumblingEventTimeWindows");
        CLASSES.put("sliding", "SlidingEventTimeWindows");
        CLASSES.put("session", "EventTimeSessionWindows");
        CLASSES.put("processing", "TumblingProcessingTimeWindows");
    }

    public static void main(String[] arguments) throws Exception {
        java.io.BufferedReader in =
                new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String said;
            try {
                said = answer(Arrays.asList(line.trim().split(" ")));
            } catch (NoSuchMethodException absent) {
                said = "null";
            }
            System.out.println("= " + said);
        }
        System.exit(0);
    }

    static String answer(List<String> words) throws Exception {
        countAnew();
        StreamExecutionEnvironment program = StreamExecutionEnvironment.getExecutionEnvironment();
        program.setParallelism(words.contains("mapped") ? 4 : 2);
        if (words.contains("batch")) batch(program);
        if (words.contains("unchained")) program.disableOperatorChaining();
        DataStream<Long> one = source(program, words);
        DataStream<Long> other = words.contains("same") ? one : source(program, words);
        if (words.contains("union")) one = one.union(source(program, words));
        if (words.contains("mapped")) {
            one = one.map(new Same()).setParallelism(2);
            other = other.map(new Same()).setParallelism(3);
        }
        if (words.contains("group")) {
            one = one.map(new Same()).slotSharingGroup("g");
            other = other.map(new Same()).slotSharingGroup("g");
        }
        if (words.contains("keyed")) {
            one = one.keyBy(new Key());
            other = other.rebalance();
        }
        SingleOutputStreamOperator<Long> made = joined(one, other, words);
        if (words.contains("set")) {
            made.uid("u").name("named").setMaxParallelism(77).setParallelism(1);
        }
        if (words.contains("starting")) made.startNewChain();
        if (words.contains("twice")) made = joined(made, other, words);
        made.print();
        return graphs((StreamGraph) call(program, "getStreamGraph"));
    }

    static void batch(StreamExecutionEnvironment program) throws Exception {
        for (Method method : program.getClass().getMethods()) {
            if (!method.getName().equals("setRuntimeMode")) continue;
            for (Object mode : method.getParameterTypes()[0].getEnumConstants()) {
                if (mode.toString().equals("BATCH")) method.invoke(program, mode);
            }
            return;
        }
        throw new NoSuchMethodException("setRuntimeMode");
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    static SingleOutputStreamOperator<Long> joined(
            DataStream<Long> one, DataStream<Long> other, List<String> words) throws Exception {
        WindowAssigner assigner = assigner(words.get(1));
        Object windowed =
                words.get(0).equals("join")
                        ? one.join(other).where(new Key()).equalTo(new Key()).window(assigner)
                        : one.coGroup(other).where(new Key()).equalTo(new Key()).window(assigner);
        if (words.contains("late")) {
            windowed = timed(windowed.getClass(), windowed, "allowedLateness", 100);
        }
        TypeInformation<Long> type = Types.LONG;
        Object made =
                words.get(0).equals("join")
                        ? ((JoinedStreams.WithWindow) windowed).apply((JoinFunction) new Pair(), type)
                        : ((CoGroupedStreams.WithWindow) windowed).apply(new Both(), type);
        return (SingleOutputStreamOperator<Long>) made;
    }

    static WindowAssigner<?, ?> assigner(String word) throws Exception {
        Class<?> type = Class.forName(ASSIGNERS + CLASSES.get(word));
        switch (word) {
            case "sliding":
                return (WindowAssigner<?, ?>) timed(type, null, "of", 5000, 2000);
            case "session":
                return (WindowAssigner<?, ?>) timed(type, null, "withGap", 700);
            default:
                return (WindowAssigner<?, ?>) timed(type, null, "of", 5000);
        }
    }

    /** Calls a method that takes Times, or Durations where there is no such class any more. */
    static Object timed(Class<?> type, Object object, String name, long... millis)
            throws Exception {
        for (Method method : type.getMethods()) {
            if (!method.getName().equals(name)) continue;
            Class<?>[] takes = method.getParameterTypes();
            if (takes.length != millis.length) continue;
            Object[] given = new Object[millis.length];
            for (int at = 0; at < given.length; at++) given[at] = time(takes[at], millis[at]);
            return method.invoke(object, given);
        }
        throw new NoSuchMethodException(name);
    }

    static Object time(Class<?> type, long millis) throws Exception {
        return type == java.time.Duration.class
                ? java.time.Duration.ofMillis(millis)
                : type.getMethod("milliseconds", long.class).invoke(null, millis);
    }

    @SuppressWarnings("unchecked")
    static DataStream<Long> source(StreamExecutionEnvironment program, List<String> words)
            throws Exception {
        if (words.contains("batch")) {
            return (DataStream<Long>) call(program, "fromSequence", 1L, 9L);
        }
        for (String name : new String[] {"fromElements", "fromData"}) {
            for (Method method : program.getClass().getMethods()) {
                if (method.getName().equals(name) && method.getParameterCount() == 1
                        && method.getParameterTypes()[0].isArray()) {
                    return (DataStream<Long>) method.invoke(program, (Object) new Long[] {1L});
                }
            }
        }
        throw new NoSuchMethodException("fromElements");
    }

    /** Calls a method of an object, hidden ones too; null where the release has none. */
    static Object call(Object object, String name, Object... given) throws Exception {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(name) && method.getParameterCount() == given.length) {
                    method.setAccessible(true);
                    return method.invoke(object, given);
                }
            }
        }
        return null;
    }

    static String quoted(Object text) {
        return text == null ? "null" : "\"" + text + "\"";
    }

    /** Transformations are numbered by one counter, and sources hashed by their numbers. */
    static void countAnew() throws Exception {
        for (Field field : Transformation.class.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) continue;
            field.setAccessible(true);
            if (field.getType() == Integer.class) field.set(null, 0);
            if (field.getType() == AtomicInteger.class) ((AtomicInteger) field.get(null)).set(0);
        }
    }

    /** The members of nodes, edges and vertices. */
    static String graphs(StreamGraph graph) throws Exception {
        List<StreamNode> nodes = new ArrayList<>(graph.getStreamNodes());
        nodes.sort(Comparator.comparing(StreamNode::getId));
        List<String> shown = new ArrayList<>();
        List<String> edges = new ArrayList<>();
        for (StreamNode node : nodes) {
            Object strategy = call(node.getOperatorFactory(), "getChainingStrategy");
            shown.add("{\"id\": " + node.getId()
                    + ", \"name\": " + quoted(node.getOperatorName())
                    + ", \"description\": " + quoted(call(node, "getOperatorDescription"))
                    + ", \"parallelism\": " + node.getParallelism()
                    + ", \"max_parallelism\": " + call(node, "getMaxParallelism")
                    + ", \"configured\": " + call(node, "isParallelismConfigured")
                    + ", \"uid\": " + quoted(node.getTransformationUID())
                    + ", \"slot_sharing_group\": " + quoted(node.getSlotSharingGroup())
                    + ", \"chaining_strategy\": " + quoted(strategy) + "}");
            for (StreamEdge edge : node.getInEdges()) {
                edges.add("{\"source\": " + edge.getSourceId()
                        + ", \"target\": " + edge.getTargetId()
                        + ", \"type_number\": " + edge.getTypeNumber()
                        + ", \"partitioner\": " + quoted(edge.getPartitioner()) + "}");
            }
        }
        List<String> vertices = new ArrayList<>();
        JobGraph job = (JobGraph) call(graph, "getJobGraph");
        for (JobVertex vertex : job.getVerticesSortedTopologicallyFromSources()) {
            vertices.add("{\"id\": " + quoted(vertex.getID())
                    + ", \"name\": " + quoted(vertex.getName())
                    + ", \"parallelism\": " + vertex.getParallelism() + "}");
        }
        return "{\"nodes\": [" + String.join(", ", shown) + "], \"edges\": ["
                + String.join(", ", edges) + "], \"vertices\": ["
                + String.join(", ", vertices) + "]}";
    }
}
