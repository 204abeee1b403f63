import java.lang.reflect.*;
import java.util.*;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.functions.MapPartitionFunction;
import org.apache.flink.api.common.operators.Order;
import org.apache.flink.api.common.typeinfo.*;
import org.apache.flink.api.connector.sink2.*; // 1.15-
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.runtime.jobgraph.*;
import org.apache.flink.streaming.api.connector.sink2.*; // 1.15-
import org.apache.flink.streaming.api.datastream.*;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.graph.*;
import org.apache.flink.streaming.api.operators.*;
import org.apache.flink.streaming.api.transformations.*;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Says what a release makes of caches, partition windows, windows that end with the stream, keyed
 * operators of several inputs and global committers. A question is a line of words; what a release
 * lacks it answers with null. A line that ends in a comment such as "1.15-" is for those releases.
 */
public final class AskConstructs {
    static final KeySelector<Long, Long> KEY = new KeySelector<Long, Long>() {
        public Long getKey(Long n) { return n; }
    };
    static final OutputTag<Long> TAG = new OutputTag<Long>("late", Types.LONG) { };

    static final class Same extends ProcessFunction<Long, Long> {
        public void processElement(Long n, Context context, Collector<Long> out) { out.collect(n); }
    }

    static final class Many implements MapPartitionFunction<Long, Long> {
        public void mapPartition(Iterable<Long> all, Collector<Long> out) { }
    }

    static final class Total implements AggregateFunction<Long, Long, Long> {
        public Long createAccumulator() { return 0L; }
        public Long add(Long n, Long sum) { return n + sum; }
        public Long getResult(Long sum) { return sum; }
        public Long merge(Long a, Long b) { return a + b; }
    }

    public static class Multi extends AbstractStreamOperatorV2<Long> implements MultipleInputStreamOperator<Long> {
        Multi(StreamOperatorParameters<Long> parameters, int inputs) { super(parameters, inputs); }
        public List<Input> getInputs() { return new ArrayList<>(); }
    }

    public static class MultiFactory extends AbstractStreamOperatorFactory<Long> {
        int inputs;
        MultiFactory(int inputs) { this.inputs = inputs; }
        @SuppressWarnings("unchecked")
        public <T extends StreamOperator<Long>> T createStreamOperator(StreamOperatorParameters<Long> parameters) { return (T) new Multi(parameters, inputs); }
        @SuppressWarnings("rawtypes")
        public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader loader) { return Multi.class; }
    }

    static class Writer implements TwoPhaseCommittingSink.PrecommittingSinkWriter<Long, Long> { // 1.15-1.18
        public Collection<Long> prepareCommit() { return new ArrayList<>(); } // 1.15-1.18
    static class Writer implements CommittingSinkWriter<Long, Long> { // 1.19-
        public Collection<Long> prepareCommit() { return new ArrayList<>(); } // 1.19-
        public void write(Long n, Context context) { } // 1.15-
        public void flush(boolean end) { } // 1.15-
        public void close() { } // 1.15-
    } // 1.15-

    static class Commits implements Committer<Long> { // 1.15-
        public void commit(Collection<CommitRequest<Long>> requests) { } // 1.15-
        public void close() { } // 1.15-
    } // 1.15-

    static class Bytes implements SimpleVersionedSerializer<Long> {
        public int getVersion() { return 0; }
        public byte[] serialize(Long n) { return new byte[0]; }
        public Long deserialize(int version, byte[] bytes) { return 0L; }
    }

    static class Global implements TwoPhaseCommittingSink<Long, Long>, WithPostCommitTopology<Long, Long> { // 1.15-1.18
        public Writer createWriter(Sink.InitContext context) { return new Writer(); } // 1.15-1.18
        public Committer<Long> createCommitter() { return new Commits(); } // 1.15-1.18
    static class Global implements Sink<Long>, SupportsCommitter<Long>, SupportsPostCommitTopology<Long> { // 1.19-
        public SinkWriter<Long> createWriter(Sink.InitContext context) { return new Writer(); } // 1.19-1.20
        public SinkWriter<Long> createWriter(WriterInitContext context) { return new Writer(); } // 1.19-
        public Committer<Long> createCommitter(CommitterInitContext context) { return new Commits(); } // 1.19-
        public SimpleVersionedSerializer<Long> getCommittableSerializer() { return new Bytes(); } // 1.15-
        public void addPostCommitTopology(DataStream<CommittableMessage<Long>> committed) { // 1.15-
            StandardSinkTopologies.addGlobalCommitter(committed, Commits::new, Bytes::new); // 1.15-1.20
            StandardSinkTopologies.addGlobalCommitter(committed, context -> new Commits(), Bytes::new); // 2.0-
        } // 1.15-
    } // 1.15-

    public static void main(String[] arguments) throws Exception {
        java.io.BufferedReader in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String said;
            try {
                said = answer(Arrays.asList(line.trim().split(" ")));
            } catch (Absent absent) {
                said = "null";
            } catch (Throwable refused) {
                Throwable root = refused;
                while (root.getCause() != null) root = root.getCause();
                said = "{\"error\": " + quoted(root.getClass().getSimpleName() + ": " + String.valueOf(root.getMessage()).replace("\"", "\\\"").replace("\n", "\\n")) + "}";
            }
            System.out.println("= " + said);
        }
        System.exit(0);
    }

    static final class Absent extends RuntimeException { }

    static String answer(List<String> words) throws Exception {
        countAnew();
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(2);
        if (words.contains("batch")) env.setRuntimeMode(RuntimeExecutionMode.BATCH);
        if (words.contains("unchained")) env.disableOperatorChaining();
        SingleOutputStreamOperator<Long> source = env.fromSequence(1, 9);
        if (words.contains("mapped")) source = source.process(new Same()).setParallelism(3);
        if (words.contains("set")) source = source.process(new Same()).uid("before").setBufferTimeout(7);
        switch (words.get(0)) {
            case "cache": cache(env, source, words); break;
            case "partition": partition(source, words); break;
            case "window": window(source, words); break;
            case "multiple": multiple(env, source, words); break;
            case "global": global(source, words); break;
            default: throw new IllegalArgumentException(words.get(0));
        }
        return graphs((StreamGraph) call(env, "getStreamGraph"));
    }

    static void cache(StreamExecutionEnvironment env, SingleOutputStreamOperator<Long> source, List<String> words) {
        DataStream<Long> cached = null;
        if (words.contains("source")) cached = source.cache(); // 1.16-
        else if (words.contains("side")) cached = source.process(new Same()).getSideOutput(TAG).cache(); // 1.16-
        else cached = source.process(new Same()).cache(); // 1.16-
        if (cached == null) throw new Absent();
        if (words.contains("unread")) return;
        if (words.contains("keyed")) cached.keyBy(KEY).reduce(Long::sum).print();
        else if (words.contains("rebalanced")) cached.rebalance().process(new Same()).print();
        else if (words.contains("union")) cached.union(env.fromSequence(1, 9)).process(new Same()).print();
        else cached.process(new Same()).print();
        if (words.contains("twice")) cached.process(new Same()).setParallelism(1).print();
    }

    static void partition(SingleOutputStreamOperator<Long> source, List<String> words) {
        SingleOutputStreamOperator<Long> made = null;
        DataStream<Long> in = words.contains("rebalanced") ? source.rebalance() : source;
        PartitionWindowedStream<Long> all = words.contains("keyed") ? in.keyBy(KEY).fullWindowPartition() : in.fullWindowPartition(); // 1.20-
        switch (words.get(1)) { // 1.20-
            case "map": made = all.mapPartition(new Many()); break; // 1.20-
            case "sort": made = all.sortPartition(KEY, Order.ASCENDING); break; // 1.20-
            case "aggregate": made = all.aggregate(new Total()); break; // 1.20-
            case "reduce": made = all.reduce(new Sum()); break; // 1.20-
        } // 1.20-
        if (made == null) throw new Absent();
        finish(made, words);
    }

    static void window(SingleOutputStreamOperator<Long> source, List<String> words) {
        SingleOutputStreamOperator<Long> made = null;
        if (words.contains("all")) made = source.windowAll(GlobalWindows.createWithEndOfStreamTrigger()).reduce(new Sum()); // 1.20-
        else made = source.keyBy(KEY).window(GlobalWindows.createWithEndOfStreamTrigger()).reduce(new Sum()); // 1.20-
        if (made == null) throw new Absent();
        finish(made, words);
    }

    static final class Sum implements org.apache.flink.api.common.functions.ReduceFunction<Long> {
        public Long reduce(Long a, Long b) { return a + b; }
    }

    static void finish(SingleOutputStreamOperator<Long> made, List<String> words) {
        if (words.contains("set")) made.uid("u").name("named").setMaxParallelism(77);
        if (words.contains("set") && !words.contains("all")) made.setParallelism(1);
        if (words.contains("starting")) made.startNewChain();
        if (words.contains("then")) made = made.process(new Same()).process(new Same()).setParallelism(3);
        made.print();
    }

    static void multiple(StreamExecutionEnvironment env, SingleOutputStreamOperator<Long> source, List<String> words) {
        SingleOutputStreamOperator<Long> other = env.fromSequence(1, 5);
        DataStream<Long> one = source.keyBy(KEY);
        DataStream<Long> two = other.keyBy(KEY);
        DataStream<Long> three = words.contains("three") ? other.process(new Same()).keyBy(KEY) : null;
        KeyedMultipleInputTransformation<Long> multi = new KeyedMultipleInputTransformation<>("Multi", new MultiFactory(words.contains("three") ? 3 : 2), Types.LONG, 2, Types.LONG);
        multi.addInput(one.getTransformation(), KEY);
        multi.addInput(two.getTransformation(), KEY);
        if (three != null) multi.addInput(three.getTransformation(), KEY);
        if (words.contains("set")) {
            multi.setUid("u");
            multi.setMaxParallelism(77);
            multi.setChainingStrategy(ChainingStrategy.ALWAYS);
        }
        env.addOperator(multi);
        new MultipleConnectedStreams(env).transform(multi).process(new Same()).print();
    }

    static void global(SingleOutputStreamOperator<Long> source, List<String> words) {
        DataStream<Long> in = words.contains("rebalanced") ? source.rebalance() : source;
        DataStreamSink<Long> sink = null;
        sink = in.sinkTo(new Global()); // 1.15-
        if (sink == null) throw new Absent();
        if (words.contains("set")) sink.uid("u").name("named").setParallelism(1);
        if (words.contains("starting")) sink.disableChaining();
        if (words.contains("twice")) in.print();
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

    static String quoted(Object text) { return text == null ? "null" : "\"" + text + "\""; }

    static String text(Object text) {
        return text == null ? "null" : quoted(text.toString().replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"));
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

    static String late(StreamNode node) throws Exception {
        Object own = call(node, "isOutputOnlyAfterEndOfStream");
        Object attribute = call(node, "getAttribute");
        Object marked = attribute == null ? null : call(attribute, "isNoOutputUntilEndOfInput");
        return String.valueOf(Boolean.TRUE.equals(own) || Boolean.TRUE.equals(marked));
    }

    static String weight(StreamNode node) throws Exception {
        Map<?, ?> weights = (Map<?, ?>) call(node, "getManagedMemoryOperatorScopeUseCaseWeights");
        return weights.isEmpty() ? "null" : weights.values().iterator().next().toString();
    }

    static String useCases(StreamNode node) throws Exception {
        List<String> found = new ArrayList<>();
        for (Object one : (Iterable<?>) call(node, "getManagedMemorySlotScopeUseCases")) found.add(quoted(one));
        return found.toString();
    }

    static String sortedInputs(StreamNode node) throws Exception {
        List<String> found = new ArrayList<>();
        for (Map.Entry<?, ?> one : ((Map<?, ?>) call(node, "getInputRequirements")).entrySet())
            if (one.getValue().toString().equals("SORTED")) found.add(one.getKey().toString());
        Collections.sort(found);
        return found.toString();
    }

    /** The members of nodes and edges, hashes, vertices and job edges. */
    static String graphs(StreamGraph graph) throws Exception {
        List<StreamNode> nodes = new ArrayList<>(graph.getStreamNodes());
        nodes.sort(Comparator.comparing(StreamNode::getId));
        List<String> shown = new ArrayList<>();
        List<String> edges = new ArrayList<>();
        for (StreamNode node : nodes) {
            Object strategy = call(node.getOperatorFactory(), "getChainingStrategy");
            shown.add("{\"id\": " + node.getId()
                    + ", \"name\": " + quoted(node.getOperatorName())
                    + ", \"parallelism\": " + node.getParallelism()
                    + ", \"max_parallelism\": " + call(node, "getMaxParallelism")
                    + ", \"uid\": " + quoted(node.getTransformationUID())
                    + ", \"slot_sharing_group\": " + quoted(node.getSlotSharingGroup())
                    + ", \"buffer_timeout\": " + node.getBufferTimeout()
                    + ", \"vertex_class\": " + quoted(node.getJobVertexClass().getSimpleName())
                    + ", \"operator_memory_weight\": " + weight(node)
                    + ", \"slot_memory_use_cases\": " + useCases(node)
                    + ", \"sorted_inputs\": " + sortedInputs(node)
                    + ", \"output_only_after_end_of_stream\": " + late(node)
                    + ", \"chaining_strategy\": " + quoted(strategy) + "}");
            for (StreamEdge edge : node.getInEdges()) {
                Object mode = call(edge, "getExchangeMode");
                edges.add("{\"source\": " + edge.getSourceId()
                        + ", \"target\": " + edge.getTargetId()
                        + ", \"type_number\": " + edge.getTypeNumber()
                        + ", \"exchange_mode\": " + quoted(mode == null ? call(edge, "getShuffleMode") : mode)
                        + ", \"side_output\": " + quoted(edge.getOutputTag() == null ? null : edge.getOutputTag().getId())
                        + ", \"partitioner\": " + quoted(edge.getPartitioner()) + "}");
            }
        }
        List<String> vertices = new ArrayList<>();
        List<String> inputs = new ArrayList<>();
        JobGraph job = (JobGraph) call(graph, "getJobGraph");
        for (JobVertex vertex : job.getVerticesSortedTopologicallyFromSources()) {
            List<String> ids = new ArrayList<>();
            for (org.apache.flink.runtime.OperatorIDPair pair : vertex.getOperatorIDs()) ids.add(quoted(pair.getGeneratedOperatorID()));
            vertices.add("{\"id\": " + quoted(vertex.getID())
                    + ", \"name\": " + quoted(vertex.getName())
                    + ", \"description\": " + text(vertex.getOperatorPrettyName())
                    + ", \"parallelism\": " + vertex.getParallelism()
                    + ", \"operator_ids\": " + ids + "}");
            for (JobEdge edge : vertex.getInputs()) {
                inputs.add("{\"source\": " + quoted(edge.getSource().getProducer().getID())
                        + ", \"target\": " + quoted(vertex.getID())
                        + ", \"ship_strategy\": " + quoted(edge.getShipStrategyName())
                        + ", \"distribution_pattern\": " + quoted(edge.getDistributionPattern())
                        + ", \"result_type\": " + quoted(edge.getSource().getResultType()) + "}");
            }
        }
        return "{\"nodes\": " + shown + ", \"edges\": " + edges + ", \"vertices\": " + vertices
                + ", \"job_edges\": " + inputs + "}";
    }
}
