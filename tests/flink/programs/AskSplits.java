import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.apache.flink.api.common.functions.FilterFunction;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.ReduceFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.streaming.api.collector.selector.OutputSelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.IterativeStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.datastream.SplitStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.functions.sink.SinkFunction;
import org.apache.flink.streaming.api.graph.StreamEdge;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamGraphGenerator;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.streaming.api.transformations.PartitionTransformation;
import org.apache.flink.streaming.api.transformations.SelectTransformation;
import org.apache.flink.streaming.api.transformations.ShuffleMode;
import org.apache.flink.streaming.runtime.partitioner.RebalancePartitioner;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Shows the graphs of programs with split and select, and which rows their sinks get. A question
 * is the name of a program; a release that refuses it answers with its words.
 */
public final class AskSplits {
    static final ConcurrentLinkedQueue<String> ROWS = new ConcurrentLinkedQueue<>();
    static final OutputTag<Long> LATE = new OutputTag<Long>("late", Types.LONG) {};

    public static final class Parity implements OutputSelector<Long> {
        @Override
        public Iterable<String> select(Long value) {
            List<String> names = new ArrayList<>();
            names.add(value % 2 == 0 ? "even" : "odd");
            if (value % 3 == 0) names.add("third");
            return names;
        }
    }

    public static final class Size implements OutputSelector<Long> {
        @Override
        public Iterable<String> select(Long value) {
            return Arrays.asList(value > 3 ? "large" : "even");
        }
    }

    public static final class Again implements OutputSelector<Long> {
        @Override
        public Iterable<String> select(Long value) {
            return Arrays.asList(value > 3 ? "again" : "done");
        }
    }

    public static final class Same implements MapFunction<Long, Long> {
        @Override
        public Long map(Long a) {
            return a;
        }
    }

    public static final class Less implements MapFunction<Long, Long> {
        @Override
        public Long map(Long a) {
            return a - 3;
        }
    }

    public static final class Large implements FilterFunction<Long> {
        @Override
        public boolean filter(Long a) {
            return a > 0;
        }
    }

    public static final class Key implements KeySelector<Long, Long> {
        @Override
        public Long getKey(Long a) {
            return a % 2;
        }
    }

    public static final class Sum implements ReduceFunction<Long> {
        @Override
        public Long reduce(Long a, Long b) {
            return a + b;
        }
    }

    public static final class Sides extends ProcessFunction<Long, Long> {
        @Override
        public void processElement(Long value, Context context, Collector<Long> out) {
            out.collect(value);
        }
    }

    public static final class Into implements SinkFunction<Long> {
        final String name;

        Into(String name) {
            this.name = name;
        }

        @Override
        public void invoke(Long value, Context context) {
            ROWS.add(name + " " + value);
        }
    }

    public static void main(String[] arguments) throws Exception {
        java.io.BufferedReader in =
                new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String said;
            try {
                said = answer(line.trim());
            } catch (Throwable refused) {
                Throwable cause = refused;
                while (cause.getCause() != null) cause = cause.getCause();
                said = "{\"exception\": " + quoted(cause.getClass().getSimpleName())
                        + ", \"refused\": " + quoted(cause.getMessage()) + "}";
            }
            System.out.println("= " + said);
        }
        System.exit(0);
    }

    static String answer(String question) throws Exception {
        countAnew();
        StreamExecutionEnvironment program = StreamExecutionEnvironment.createLocalEnvironment(1);
        build(program, question);
        StreamGraph graph = (StreamGraph) graph(program);
        String graphs = graphs(graph);
        if (question.startsWith("batch")) return graphs.replace("ROWS", "null");
        ROWS.clear();
        countAnew();
        StreamExecutionEnvironment run = StreamExecutionEnvironment.createLocalEnvironment(1);
        build(run, question);
        run.execute();
        List<String> rows = new ArrayList<>();
        for (String row : ROWS) rows.add(quoted(row));
        rows.sort(Comparator.naturalOrder());
        return graphs.replace("ROWS", rows.toString());
    }

    static Object graph(StreamExecutionEnvironment program) throws Exception {
        for (Method method : StreamExecutionEnvironment.class.getMethods()) {
            if (!method.getName().equals("getStreamGraph")) continue;
            if (method.getParameterCount() == 0) return method.invoke(program);
        }
        return call(program, "getStreamGraph", "job");
    }

    static void into(DataStream<Long> rows, String name) {
        rows.addSink(new Into(name)).name(name);
    }

    static void build(StreamExecutionEnvironment program, String question) {
        SingleOutputStreamOperator<Long> source = program.fromElements(1L, 2L, 3L, 4L, 5L, 6L);
        switch (question) {
            case "two": {
                SplitStream<Long> split = source.split(new Parity());
                into(split.select("even").map(new Same()), "a");
                into(split.select("odd").map(new Same()), "b");
                break;
            }
            case "names": {
                SplitStream<Long> split = source.map(new Same()).split(new Parity());
                into(split.select("third", "even"), "a");
                into(split.select("even", "even"), "b");
                into(split.select("nobody"), "c");
                break;
            }
            case "all": {
                SplitStream<Long> split = source.map(new Same()).split(new Parity());
                into(split, "a");
                into(split.select("odd"), "b");
                into(split.select(), "c");
                break;
            }
            case "one":
                into(source.split(new Parity()).select("odd"), "a");
                break;
            case "keyed": {
                SplitStream<Long> split = source.split(new Parity());
                into(split.select("even").keyBy(new Key()).reduce(new Sum()), "a");
                into(split.select("odd").rebalance().map(new Same()).setParallelism(2), "b");
                break;
            }
            case "partitioned": {
                SplitStream<Long> split = source.map(new Same()).rebalance().split(new Parity());
                into(split.select("even"), "a");
                into(split.select("odd").forward(), "b");
                break;
            }
            case "union": {
                DataStream<Long> other = source.map(new Same());
                SplitStream<Long> split = source.map(new Same()).union(other).split(new Parity());
                into(split.select("even").map(new Same()), "a");
                into(other.map(new Same()), "b");
                break;
            }
            case "twice": {
                into(source.split(new Parity()).select("even").map(new Same()), "a");
                into(source.split(new Size()).select("even", "large").map(new Same()), "b");
                break;
            }
            case "undeclared": {
                source.split(new Parity());
                into(source.map(new Same()), "a");
                break;
            }
            case "joined": {
                SplitStream<Long> split = source.split(new Parity());
                into(split.select("even").union(split.select("third")).map(new Same()), "a");
                break;
            }
            case "same twice": {
                SplitStream<Long> split = source.split(new Parity());
                into(split.select("even").union(split.select("even")).map(new Same()), "a");
                break;
            }
            case "nested": {
                SplitStream<Long> split = source.split(new Parity());
                DataStream<Long> once = split.select("even");
                into(selected(program, once, "third").map(new Same()), "a");
                into(selected(program, selected(program, once.rebalance(), "odd"), "even").map(new Same()), "b");
                into(selected(program, once.rebalance()).map(new Same()), "c");
                break;
            }
            case "no split":
                into(selected(program, source, "third").map(new Same()), "a");
                break;
            case "split a split":
                into(source.split(new Parity()).split(new Size()).select("even"), "a");
                break;
            case "split a select":
                into(source.split(new Parity()).select("odd").split(new Size()).select("even"), "a");
                break;
            case "split a keyed select":
                into(source.split(new Parity()).select("odd").rebalance().split(new Size()).select("even"), "a");
                break;
            case "split a union of selects":
                into(source.union(source.split(new Parity()).select("odd")).split(new Size()).select("even"), "a");
                break;
            case "split a mapped select":
                into(source.split(new Parity()).select("odd").map(new Same()).split(new Size()).select("even"), "a");
                break;
            case "split a side output": {
                SingleOutputStreamOperator<Long> sides = source.process(new Sides());
                into(sides.getSideOutput(LATE).split(new Parity()).select("odd"), "a");
                break;
            }
            case "split then side output": {
                SingleOutputStreamOperator<Long> sides = source.process(new Sides());
                into(sides.split(new Parity()).select("odd"), "a");
                into(sides.getSideOutput(LATE), "b");
                break;
            }
            case "side output then split": {
                SingleOutputStreamOperator<Long> sides = source.process(new Sides());
                into(sides.getSideOutput(LATE), "b");
                into(sides.split(new Parity()).select("odd"), "a");
                break;
            }
            case "side output and a split partition": {
                SingleOutputStreamOperator<Long> sides = source.process(new Sides());
                into(sides.getSideOutput(LATE), "b");
                into(sides.rebalance().split(new Parity()).select("odd"), "a");
                break;
            }
            case "loop": {
                IterativeStream<Long> loop = source.map(new Same()).iterate(1000);
                SplitStream<Long> split = loop.map(new Less()).filter(new Large()).split(new Again());
                loop.closeWith(split.select("again"));
                into(split.select("done"), "a");
                break;
            }
            case "loop head": {
                IterativeStream<Long> loop = source.map(new Same()).iterate(1000);
                SplitStream<Long> split = loop.split(new Again());
                loop.closeWith(split.select("again").map(new Less()).filter(new Large()));
                into(split.select("done").map(new Same()), "a");
                break;
            }
            case "batch exchange": {
                SplitStream<Long> split = source.split(new Parity());
                DataStream<Long> apart = new DataStream<>(program, new PartitionTransformation<>(
                        split.select("even", "odd").getTransformation(),
                        new RebalancePartitioner<>(), ShuffleMode.BATCH));
                into(apart.map(new Same()), "a");
                break;
            }
            case "unchained": {
                program.disableOperatorChaining();
                SplitStream<Long> split = source.map(new Same()).setParallelism(2).split(new Parity());
                into(split.select("even").map(new Same()).setParallelism(2), "a");
                into(split.select("odd").map(new Same()), "b");
                break;
            }
            default:
                throw new IllegalArgumentException(question);
        }
    }

    static DataStream<Long> selected(StreamExecutionEnvironment program, DataStream<Long> from, String... names) {
        return new DataStream<>(program, new SelectTransformation<>(from.getTransformation(), Arrays.asList(names)));
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
        return text == null ? "null" : "\"" + text.toString().replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }

    /** Transformations and the ends of iterations are numbered by counters of their own. */
    static void countAnew() throws Exception {
        for (Class<?> type : new Class<?>[] {Transformation.class, StreamGraphGenerator.class}) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) continue;
                if (Modifier.isFinal(field.getModifiers())) continue;
                field.setAccessible(true);
                if (field.getType() == Integer.class) field.set(null, 0);
                if (field.getType() == int.class) field.set(null, 0);
            }
        }
    }

    static String names(Object names) {
        if (names == null) return "null";
        List<String> shown = new ArrayList<>();
        for (Object name : (Iterable<?>) names) shown.add(quoted(name));
        return shown.toString();
    }

    static String graphs(StreamGraph graph) throws Exception {
        List<StreamNode> nodes = new ArrayList<>(graph.getStreamNodes());
        nodes.sort(Comparator.comparing(StreamNode::getId));
        List<String> shown = new ArrayList<>();
        List<String> edges = new ArrayList<>();
        for (StreamNode node : nodes) {
            List<String> selectors = new ArrayList<>();
            for (Object one : (Iterable<?>) call(node, "getOutputSelectors")) {
                selectors.add(quoted(one.getClass().getSimpleName()));
            }
            shown.add("{\"id\": " + node.getId()
                    + ", \"name\": " + quoted(node.getOperatorName())
                    + ", \"parallelism\": " + node.getParallelism()
                    + ", \"output_selectors\": " + selectors + "}");
            for (StreamEdge edge : node.getOutEdges()) {
                edges.add("{\"source\": " + edge.getSourceId()
                        + ", \"target\": " + edge.getTargetId()
                        + ", \"type_number\": " + edge.getTypeNumber()
                        + ", \"partitioner\": " + quoted(edge.getPartitioner())
                        + ", \"selected_names\": " + names(call(edge, "getSelectedNames")) + "}");
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
                + String.join(", ", vertices) + "], \"rows\": ROWS}";
    }
}
