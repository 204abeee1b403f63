import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import org.apache.flink.api.common.functions.ReduceFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.datastream.WindowedStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.util.OutputTag;

/**
 * Says what a release makes of count windows and of windows with late rows. A question is a line:
 * count SIZE, slide SIZE SLIDE, or late GAP LATENESS.
 */
public final class AskWindows {
    public static final class Sum implements ReduceFunction<Long> {
        @Override
        public Long reduce(Long a, Long b) {
            return a + b;
        }
    }

    public static final class Key implements KeySelector<Long, Long> {
        @Override
        public Long getKey(Long a) {
            return a;
        }
    }

    public static void main(String[] arguments) throws Exception {
        java.io.BufferedReader in =
                new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println("= " + answer(line.trim().split(" ")));
        }
        System.exit(0);
    }

    static String answer(String[] words) throws Exception {
        StreamExecutionEnvironment program = StreamExecutionEnvironment.getExecutionEnvironment();
        program.setParallelism(1);
        KeyedStream<Long, Long> keyed = source(program).keyBy(new Key());
        long size = Long.parseLong(words[1]);
        if (words[0].equals("late")) {
            late(keyed, size, Long.parseLong(words[2]));
        } else if (words[0].equals("slide")) {
            keyed.countWindow(size, Long.parseLong(words[2])).reduce(new Sum()).print();
        } else {
            keyed.countWindow(size).reduce(new Sum()).print();
        }
        return graphs((StreamGraph) call(program, "getStreamGraph"));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    static void late(KeyedStream<Long, Long> keyed, long gap, long lateness) throws Exception {
        Object assigner = timed(EventTimeSessionWindows.class, null, "withGap", gap);
        WindowedStream windowed = keyed.window((WindowAssigner) assigner);
        timed(WindowedStream.class, windowed, "allowedLateness", lateness);
        OutputTag<Long> tag = new OutputTag<>("late", Types.LONG);
        windowed.sideOutputLateData(tag);
        SingleOutputStreamOperator<Long> made = windowed.reduce(new Sum());
        made.print();
        ((DataStream<Long>) call(made, "getSideOutput", tag)).print();
    }

    /** Calls a method that takes a Time, or a Duration where there is no such class any more. */
    static Object timed(Class<?> type, Object object, String name, long millis) throws Exception {
        for (Method method : type.getMethods()) {
            if (!method.getName().equals(name) || method.getParameterCount() != 1) continue;
            Class<?> takes = method.getParameterTypes()[0];
            if (takes == java.time.Duration.class) {
                return method.invoke(object, java.time.Duration.ofMillis(millis));
            }
            if (takes.getSimpleName().equals("Time")) {
                Object time = takes.getMethod("milliseconds", long.class).invoke(null, millis);
                return method.invoke(object, time);
            }
        }
        throw new NoSuchMethodException(name);
    }

    @SuppressWarnings("unchecked")
    static DataStream<Long> source(StreamExecutionEnvironment program) throws Exception {
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

    static Object call(Object object, String name, Object... given) throws Exception {
        for (Method method : object.getClass().getMethods()) {
            if (method.getName().equals(name) && method.getParameterCount() == given.length) {
                method.setAccessible(true);
                return method.invoke(object, given);
            }
        }
        return null;
    }

    /** By node its name and description, by vertex its ID and name; texts hold no quotes. */
    static String graphs(StreamGraph graph) throws Exception {
        List<StreamNode> nodes = new ArrayList<>(graph.getStreamNodes());
        nodes.sort(Comparator.comparing(StreamNode::getId));
        List<String> shown = new ArrayList<>();
        for (StreamNode node : nodes) {
            Object description = call(node, "getOperatorDescription");
            shown.add("[\"" + node.getOperatorName() + "\", "
                    + (description == null ? null : "\"" + description + "\"") + "]");
        }
        List<String> vertices = new ArrayList<>();
        JobGraph job = (JobGraph) call(graph, "getJobGraph");
        for (JobVertex vertex : job.getVerticesSortedTopologicallyFromSources()) {
            vertices.add("[\"" + vertex.getID() + "\", \"" + vertex.getName() + "\"]");
        }
        return "{\"nodes\": [" + String.join(", ", shown) + "], \"vertices\": ["
                + String.join(", ", vertices) + "]}";
    }
}
