import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.regex.*;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.functions.*;
import org.apache.flink.api.common.state.*;
import org.apache.flink.api.common.typeinfo.*;
import org.apache.flink.api.connector.source.*;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.api.java.typeutils.TupleTypeInfo;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.io.*;
import org.apache.flink.runtime.client.JobInitializationException;
import org.apache.flink.runtime.jobgraph.*;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.*;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.*;
import org.apache.flink.streaming.api.datastream.*;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.*;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.streaming.api.functions.sink.legacy.SinkFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.functions.source.legacy.*;
import org.apache.flink.streaming.api.windowing.assigners.*;
import org.apache.flink.util.*;

/**
 * Asks for how many keys a pipeline finds its state after it was started from a savepoint.
 *
 * A line of the input is a JSON object: `document` (a pipeline document), `backend`,
 * `allow_non_restored` and `metadata` (base64 of a `_metadata` that holds all state itself). Each
 * pipeline is built with the DataStream API, runs in one MiniCluster for all, gets each key of its
 * sources and ends. The answer: `result` (`ran`, `failed` or `refused`), `error`, and `found`: by
 * keyed transformation, how many keys had state when they came for the first time.
 * Runs with the jars of 2.2 and 2.3; `ask_survival.py` is its driver.
 */
public class AskSurvival {
    static final ObjectMapper JSON = new ObjectMapper();
    static final TypeInformation<SurvivalOracle.Rec> REC =
        new TupleTypeInfo<>(SurvivalOracle.Rec.class, Types.LONG, Types.STRING, Types.INT, Types.LONG);
    static final Pattern KEYS = Pattern.compile("keys-(\\d+)-(\\d+)\\.csv");
    /** In the integer of a record: this run made it, so a reducer that meets it met no saved state. */
    static final int FRESH = 1_000_000;
    static final int SLOTS = 700, PATIENCE = 180;
    /** By transformation, the keys that were counted and those of them that had state. */
    static final Map<String, Keys> KEYS_BY_TRANSFORMATION = new ConcurrentHashMap<>();

    static final class Keys {
        final Set<Object> all = ConcurrentHashMap.newKeySet(), found = ConcurrentHashMap.newKeySet();
    }

    public static void main(String[] args) throws Exception {
        Configuration options = new Configuration();
        options.setString("rest.bind-port", "0");
        options.setString("heartbeat.timeout", "600000");
        // Tasks have hundreds of subtasks, each connected to each of the next task.
        options.setString("taskmanager.memory.segment-size", "4kb");
        options.setString("taskmanager.memory.network.min", "512mb");
        options.setString("taskmanager.memory.network.max", "512mb");
        options.setString("taskmanager.memory.managed.size", "128mb");
        MiniClusterConfiguration size = new MiniClusterConfiguration.Builder()
            .setConfiguration(options).setNumTaskManagers(1).setNumSlotsPerTaskManager(SLOTS)
            .withRandomPorts().build();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (MiniCluster cluster = new MiniCluster(size)) {
            cluster.start();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println("= " + JSON.writeValueAsString(answer(cluster, JSON.readTree(line))));
                System.out.flush();
            }
        }
        System.exit(0);
    }

    static Map<String, Object> answer(MiniCluster cluster, JsonNode question) throws Exception {
        KEYS_BY_TRANSFORMATION.clear();
        Path savepoint = Files.createTempDirectory("survival");
        Files.write(savepoint.resolve("_metadata"), Base64.getDecoder().decode(question.get("metadata").asText()));
        Map<String, Object> said = new LinkedHashMap<>();
        try {
            JobGraph job = new Pipeline(question).jobGraph();
            job.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(
                savepoint.toUri().toString(), question.get("allow_non_restored").asBoolean()));
            cluster.submitJob(job).get();
            JobResult ended = cluster.requestJobResult(job.getJobID()).get(PATIENCE, TimeUnit.SECONDS);
            Optional<SerializedThrowable> error = ended.getSerializedThrowable();
            if (error.isPresent()) {
                failed(said, error.get().deserializeError(AskSurvival.class.getClassLoader()));
            } else {
                said.put("result", "ran");
            }
        } catch (ExecutionException refusal) {
            failed(said, refusal);
        }
        Map<String, Integer> found = new TreeMap<>();
        KEYS_BY_TRANSFORMATION.forEach((id, keys) -> found.put(id, keys.found.size()));
        said.put("found", found);
        Files.delete(savepoint.resolve("_metadata"));
        Files.delete(savepoint);
        return said;
    }

    static void failed(Map<String, Object> said, Throwable error) {
        Throwable root = error;
        while (root.getCause() != null) { root = root.getCause(); }
        boolean refused = ExceptionUtils.findThrowable(error, JobInitializationException.class).isPresent();
        said.put("result", refused ? "refused" : "failed");
        said.put("error", root.getClass().getSimpleName() + ": " + root.getMessage());
    }

    static void count(String transformation, Object key, boolean hasState) {
        Keys keys = KEYS_BY_TRANSFORMATION.computeIfAbsent(transformation, id -> new Keys());
        if (keys.all.add(key) && hasState) { keys.found.add(key); }
    }

    /** A pipeline document in Flink's DataStream API. */
    static final class Pipeline {
        final JsonNode document, environment;
        final StreamExecutionEnvironment env;
        final Map<String, DataStream<SurvivalOracle.Rec>> streams = new HashMap<>();

        Pipeline(JsonNode question) {
            document = question.get("document");
            environment = document.get("environment");
            Configuration options = new Configuration();
            options.setString("restart-strategy.type", "none");
            options.setString("state.backend.type", question.get("backend").asText());
            options.setString("state.backend.rocksdb.memory.managed", "false");
            environment.path("configuration").fields()
                .forEachRemaining(one -> options.setString(one.getKey(), one.getValue().asText()));
            env = StreamExecutionEnvironment.getExecutionEnvironment(options);
            env.setParallelism(environment.path("parallelism").asInt(1));
            if (environment.hasNonNull("max_parallelism")) { env.setMaxParallelism(environment.get("max_parallelism").asInt()); }
            if (!environment.path("chaining").asBoolean(true)) { env.disableOperatorChaining(); }
        }

        /** No checkpoints: with them, a task that ends waits for the next one. */
        JobGraph jobGraph() {
            for (JsonNode one : document.get("transformations")) { add(one, one.get("id").asText()); }
            return env.getStreamGraph().getJobGraph();
        }

        void add(JsonNode one, String id) {
            String type = one.get("type").asText();
            if (type.equals("sink") || type.equals("sink_v2")) {
                DataStream<SurvivalOracle.Rec> in = input(one, 0);
                set(one, type.equals("sink") ? in.addSink(new Nowhere()) : in.sinkTo(new DiscardingSink<>()));
                return;
            }
            DataStream<SurvivalOracle.Rec> stream = stream(one, id, type);
            if (stream instanceof SingleOutputStreamOperator && !type.equals("side_output")) {
                set(one, (SingleOutputStreamOperator<?>) stream);
            }
            streams.put(id, stream);
        }

        DataStream<SurvivalOracle.Rec> stream(JsonNode one, String id, String type) {
            switch (type) {
                case "legacy_source": return env.addSource(one.path("parallel").asBoolean(true) ? new ParallelRows(range(one)) : new Rows(range(one)), "Custom Source", REC);
                case "source": return env.fromSource(new NewRows(range(one)), WatermarkStrategy.noWatermarks(), "Custom Source", REC);
                case "map": return input(one, 0).map(new Same()).returns(REC);
                case "filter": return input(one, 0).filter(new NotNegative());
                case "process": return input(one, 0).process(new Split(one.path("side_outputs"))).returns(REC);
                case "side_output": return ((SingleOutputStreamOperator<SurvivalOracle.Rec>) input(one, 0)).getSideOutput(tag(one.get("tag").asText()));
                case "timestamps": return input(one, 0).assignTimestampsAndWatermarks(WatermarkStrategy.<SurvivalOracle.Rec>forBoundedOutOfOrderness(Duration.ofMillis(one.at("/timestamps/out_of_orderness").asLong())).withTimestampAssigner((row, before) -> row.f0));
                case "key_by": return one.get("keys").get(0).asText().equals("n") ? input(one, 0).keyBy(new ByNumber(), Types.LONG) : input(one, 0).keyBy(new ByText(), Types.STRING);
                case "union": return input(one, 0).union(input(one, 1));
                case "rebalance": return input(one, 0).rebalance();
                case "rescale": return input(one, 0).rescale();
                case "forward": return input(one, 0).forward();
                case "keyed_process": return keyed(one, 0).process(new Counts(id)).returns(REC);
                case "keyed_co_process": return keyed(one, 0).connect(keyed(one, 1)).process(new CoCounts(id)).returns(REC);
                case "reduce": return keyed(one, 0).reduce(new Sum(id, key(one)));
                case "window": return keyed(one, 0).window(windows(one.get("window"))).reduce(new Sum(id, key(one)));
                default: throw new IllegalArgumentException(type);
            }
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        static WindowAssigner<Object, org.apache.flink.streaming.api.windowing.windows.TimeWindow> windows(JsonNode window) {
            Duration size = Duration.ofMillis(window.get("size").asLong());
            if (!window.get("assigner").asText().equals("tumbling")) { throw new IllegalArgumentException(window.toString()); }
            return (WindowAssigner) (window.path("time").asText().equals("processing")
                ? TumblingProcessingTimeWindows.of(size) : TumblingEventTimeWindows.of(size));
        }

        static long[] range(JsonNode source) {
            JsonNode rows = source.get("rows");
            if (rows.has("sequence")) { return new long[] {rows.at("/sequence/from").asLong(), rows.at("/sequence/to").asLong()}; }
            Matcher file = KEYS.matcher(rows.get("path").asText());
            if (!file.matches()) { throw new IllegalArgumentException(rows.toString()); }
            return new long[] {Long.parseLong(file.group(1)), Long.parseLong(file.group(2))};
        }

        DataStream<SurvivalOracle.Rec> input(JsonNode one, int at) { return streams.get(one.get("inputs").get(at).asText()); }

        /** The key of an operator as the place in the record: 0 the number, 1 the text. */
        int key(JsonNode one) {
            for (JsonNode by : document.get("transformations")) {
                if (by.get("id").equals(one.get("inputs").get(0))) { return by.get("keys").get(0).asText().equals("n") ? 0 : 1; }
            }
            throw new IllegalArgumentException(one.toString());
        }

        @SuppressWarnings("unchecked")
        KeyedStream<SurvivalOracle.Rec, Object> keyed(JsonNode one, int at) {
            return (KeyedStream<SurvivalOracle.Rec, Object>) (KeyedStream<?, ?>) input(one, at);
        }

        static void set(JsonNode one, SingleOutputStreamOperator<?> operator) {
            if (one.hasNonNull("name")) { operator.name(one.get("name").asText()); }
            if (one.hasNonNull("uid")) { operator.uid(one.get("uid").asText()); }
            if (one.hasNonNull("uid_hash")) { operator.setUidHash(one.get("uid_hash").asText()); }
            if (one.hasNonNull("parallelism")) { operator.setParallelism(one.get("parallelism").asInt()); }
            if (one.hasNonNull("max_parallelism")) { operator.setMaxParallelism(one.get("max_parallelism").asInt()); }
            String strategy = one.path("chaining_strategy").asText();
            if (strategy.equals("HEAD")) { operator.startNewChain(); }
            if (strategy.equals("NEVER")) { operator.disableChaining(); }
        }

        static void set(JsonNode one, DataStreamSink<?> sink) {
            if (one.hasNonNull("name")) { sink.name(one.get("name").asText()); }
            if (one.hasNonNull("uid")) { sink.uid(one.get("uid").asText()); }
            if (one.hasNonNull("uid_hash")) { sink.setUidHash(one.get("uid_hash").asText()); }
            if (one.hasNonNull("parallelism")) { sink.setParallelism(one.get("parallelism").asInt()); }
            if (one.hasNonNull("max_parallelism")) { sink.setMaxParallelism(one.get("max_parallelism").asInt()); }
            String strategy = one.path("chaining_strategy").asText();
            if (strategy.equals("NEVER")) { sink.disableChaining(); }
            if (strategy.equals("HEAD")) { throw new IllegalArgumentException("a sink has no startNewChain()"); }
        }
    }

    static SurvivalOracle.Rec row(long n) {
        SurvivalOracle.Rec row = new SurvivalOracle.Rec();
        row.setFields(n, "k" + n, FRESH, 1L);
        return row;
    }

    static OutputTag<SurvivalOracle.Rec> tag(String name) { return new OutputTag<>(name, REC); }

    static class Same implements MapFunction<SurvivalOracle.Rec, SurvivalOracle.Rec> {
        @Override public SurvivalOracle.Rec map(SurvivalOracle.Rec row) { return row; }
    }

    static class NotNegative implements FilterFunction<SurvivalOracle.Rec> {
        @Override public boolean filter(SurvivalOracle.Rec row) { return row.f0 >= 0; }
    }

    static class ByNumber implements KeySelector<SurvivalOracle.Rec, Long> {
        @Override public Long getKey(SurvivalOracle.Rec row) { return row.f0; }
    }

    static class ByText implements KeySelector<SurvivalOracle.Rec, String> {
        @Override public String getKey(SurvivalOracle.Rec row) { return row.f1; }
    }

    static class Nowhere implements SinkFunction<SurvivalOracle.Rec> {
        @Override public void invoke(SurvivalOracle.Rec row, Context context) { }
    }

    static class Split extends ProcessFunction<SurvivalOracle.Rec, SurvivalOracle.Rec> {
        final Map<String, String> conditions = new TreeMap<>();

        Split(JsonNode tags) { tags.fields().forEachRemaining(one -> conditions.put(one.getKey(), one.getValue().asText())); }

        @Override public void processElement(SurvivalOracle.Rec row, Context context, Collector<SurvivalOracle.Rec> out) {
            boolean aside = false;
            for (Map.Entry<String, String> one : conditions.entrySet()) {
                if (holds(one.getValue(), row.f0)) {
                    context.output(tag(one.getKey()), row);
                    aside = true;
                }
            }
            if (!aside) { out.collect(row); }
        }

        static boolean holds(String condition, long n) {
            switch (condition) {
                case "n < 0": return n < 0;
                case "n % 2 = 1": return n % 2 == 1;
                default: throw new IllegalArgumentException(condition);
            }
        }
    }

    static class Counts extends KeyedProcessFunction<Object, SurvivalOracle.Rec, SurvivalOracle.Rec> {
        final String transformation;

        Counts(String transformation) { this.transformation = transformation; }

        @Override public void processElement(SurvivalOracle.Rec row, Context context, Collector<SurvivalOracle.Rec> out) throws Exception {
            meet(transformation, context.getCurrentKey(), getRuntimeContext());
            out.collect(row);
        }
    }

    static class CoCounts extends KeyedCoProcessFunction<Object, SurvivalOracle.Rec, SurvivalOracle.Rec, SurvivalOracle.Rec> {
        final String transformation;

        CoCounts(String transformation) { this.transformation = transformation; }

        @Override public void processElement1(SurvivalOracle.Rec row, Context context, Collector<SurvivalOracle.Rec> out) throws Exception {
            meet(transformation, context.getCurrentKey(), getRuntimeContext());
            out.collect(row);
        }

        @Override public void processElement2(SurvivalOracle.Rec row, Context context, Collector<SurvivalOracle.Rec> out) throws Exception {
            processElement1(row, context, out);
        }
    }

    static void meet(String transformation, Object key, RuntimeContext context) throws Exception {
        ValueState<Long> count = context.getState(new ValueStateDescriptor<>("count", Types.LONG));
        Long before = count.value();
        count(transformation, key, before != null);
        count.update(before == null ? 1L : before + 1);
    }

    static class Sum implements ReduceFunction<SurvivalOracle.Rec> {
        final String transformation;
        final int key;

        Sum(String transformation, int key) { this.transformation = transformation; this.key = key; }

        /** Called only where the key has state. */
        @Override public SurvivalOracle.Rec reduce(SurvivalOracle.Rec a, SurvivalOracle.Rec b) {
            if (a.f2 != FRESH) { count(transformation, a.getField(key), true); }
            SurvivalOracle.Rec sum = row(b.f0);
            sum.f3 = a.f3 + b.f3;
            return sum;
        }
    }

    static class Rows implements SourceFunction<SurvivalOracle.Rec> {
        final long from, to;

        Rows(long[] range) { from = range[0]; to = range[1]; }

        @Override public void run(SourceContext<SurvivalOracle.Rec> out) {
            for (long n = from; n <= to; n++) { out.collect(row(n)); }
        }

        @Override public void cancel() { }
    }

    static class ParallelRows extends RichParallelSourceFunction<SurvivalOracle.Rec> {
        final long from, to;

        ParallelRows(long[] range) { from = range[0]; to = range[1]; }

        @Override public void run(SourceContext<SurvivalOracle.Rec> out) {
            TaskInfo task = getRuntimeContext().getTaskInfo();
            for (long n = from + task.getIndexOfThisSubtask(); n <= to; n += task.getNumberOfParallelSubtasks()) { out.collect(row(n)); }
        }

        @Override public void cancel() { }
    }

    /** A source of the new API that begins anew whatever was saved of it. */
    static class NewRows implements Source<SurvivalOracle.Rec, Part, Integer> {
        final long from, to;

        NewRows(long[] range) { from = range[0]; to = range[1]; }

        @Override public Boundedness getBoundedness() { return Boundedness.CONTINUOUS_UNBOUNDED; }
        @Override public SplitEnumerator<Part, Integer> createEnumerator(SplitEnumeratorContext<Part> context) { return new Idle(); }
        @Override public SplitEnumerator<Part, Integer> restoreEnumerator(SplitEnumeratorContext<Part> context, Integer saved) { return new Idle(); }
        @Override public SimpleVersionedSerializer<Part> getSplitSerializer() { return new Ignores<>(new Part()); }
        @Override public SimpleVersionedSerializer<Integer> getEnumeratorCheckpointSerializer() { return new Ignores<>(0); }
        @Override public SourceReader<SurvivalOracle.Rec, Part> createReader(SourceReaderContext context) {
            return new Reader(from + context.getIndexOfSubtask(), to, context.currentParallelism());
        }
    }

    static class Part implements SourceSplit {
        @Override public String splitId() { return "all"; }
    }

    static class Ignores<T> implements SimpleVersionedSerializer<T> {
        final T value;

        Ignores(T value) { this.value = value; }

        @Override public int getVersion() { return 1; }
        @Override public byte[] serialize(T one) { return new byte[0]; }
        @Override public T deserialize(int version, byte[] bytes) { return value; }
    }

    static class Idle implements SplitEnumerator<Part, Integer> {
        @Override public void start() { }
        @Override public void handleSplitRequest(int subtask, String host) { }
        @Override public void addSplitsBack(List<Part> parts, int subtask) { }
        @Override public void addReader(int subtask) { }
        @Override public Integer snapshotState(long checkpoint) { return 0; }
        @Override public void close() { }
    }

    static class Reader implements SourceReader<SurvivalOracle.Rec, Part> {
        final long to, step;
        long next;

        Reader(long from, long to, int step) { this.next = from; this.to = to; this.step = step; }

        @Override public void start() { }
        @Override public InputStatus pollNext(ReaderOutput<SurvivalOracle.Rec> out) {
            if (next > to) { return InputStatus.END_OF_INPUT; }
            out.collect(row(next));
            next += step;
            return InputStatus.MORE_AVAILABLE;
        }
        @Override public List<Part> snapshotState(long checkpoint) { return List.of(); }
        @Override public CompletableFuture<Void> isAvailable() { return CompletableFuture.completedFuture(null); }
        @Override public void addSplits(List<Part> parts) { }
        @Override public void notifyNoMoreSplits() { }
        @Override public void close() { }
    }
}

/** Has the class of the records under the name that the savepoints recorded. */
class SurvivalOracle {
    public static class Rec extends Tuple4<Long, String, Integer, Long> { }
}
