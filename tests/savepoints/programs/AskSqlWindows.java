import java.io.File;
import java.util.*;
import java.util.concurrent.*;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.eventtime.*;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.api.common.typeinfo.*;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobgraph.*;
import org.apache.flink.runtime.minicluster.*;
import org.apache.flink.streaming.api.datastream.*;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.graph.*;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.Collector;

/**
 * Asks which records of open windows of SQL come out after a restore into another kind of window.
 *
 * A job with one window aggregation ends with a savepoint while windows are open; jobs with other
 * windows start from it, get more records and a last watermark, and each record of the first job
 * that leaves a window is counted. A kind is written as its function, `t` TUMBLE, `h` HOP, `c`
 * CUMULATE, `s` SESSION, then seconds: SIZE, or SIZE/SLIDE, and `o` with an offset. After `g` it is
 * a group window instead of a window TVF, after `p` its time is processing time, and after `1` it is
 * planned in one phase: without an operator that aggregates before the exchange. An argument is a
 * list of kinds, of which every pair is asked. Run with the jars of 1.20.5 and 2.2.1 it made
 * sql_window_restores.jsonl.gz: java AskSqlWindows FOLDER VERSION KIND,KIND... ...
 */
public class AskSqlWindows {
    static final long LAST = 1_000_000;
    static final int FIRST_NEW = 1000;
    static final int NEW_RECORDS = 2 * (41 - 17);
    static final Map<String, Run> RUNS = new ConcurrentHashMap<>();

    static class Run {
        final Set<String> windows = ConcurrentHashMap.newKeySet();
        final Map<Integer, Integer> times = new ConcurrentHashMap<>();
        volatile boolean fed;
        volatile String description = "";

        boolean hasEnded() {
            return times.keySet().stream().filter(id -> id >= FIRST_NEW && id < FIRST_NEW * 2).count() >= NEW_RECORDS;
        }
    }

    public static void main(String[] args) throws Exception {
        Set<List<String>> pairs = new LinkedHashSet<>();
        for (int i = 2; i < args.length; i++) {
            for (String old : args[i].split(",")) {
                for (String now : args[i].split(",")) { pairs.add(List.of(old, now)); }
            }
        }
        Configuration options = new Configuration();
        options.setString("rest.bind-port", "0");
        options.setString("pekko.ask.timeout", "120 s");
        options.setString("taskmanager.memory.network.min", "256mb");
        options.setString("taskmanager.memory.network.max", "256mb");
        options.setString("taskmanager.memory.managed.size", "64mb");
        MiniClusterConfiguration size = new MiniClusterConfiguration.Builder()
            .setConfiguration(options).setNumTaskManagers(1).setNumSlotsPerTaskManager(16)
            .withRandomPorts().build();
        try (MiniCluster cluster = new MiniCluster(size)) {
            cluster.start();
            Map<String, String> savepoints = new LinkedHashMap<>();
            ExecutorService pool = Executors.newFixedThreadPool(8);
            List<Future<?>> asked = new ArrayList<>();
            for (List<String> pair : pairs) {
                String old = pair.get(0);
                if (!savepoints.containsKey(old)) { savepoints.put(old, take(cluster, old, args[0])); }
                asked.add(pool.submit(() -> print(cluster, args[1], old, pair.get(1), savepoints.get(old))));
            }
            for (Future<?> one : asked) { one.get(); }
        }
        System.exit(0);
    }

    static String take(MiniCluster cluster, String kind, String folder) throws Exception {
        // Processing-time windows begin at multiples of their size; the savepoint comes soon after.
        while (kind.contains("p") && System.currentTimeMillis() % 20000 > 1000) { Thread.sleep(20); }
        String tag = "old " + kind;
        JobID job = start(cluster, kind, tag, null);
        while (!RUNS.get(tag).fed) { Thread.sleep(20); }
        Thread.sleep(300);
        for (int tries = 0; ; tries++) {
            try {
                return cluster.triggerSavepoint(job, new File(folder).toURI().toString(), true, SavepointFormatType.CANONICAL).get();
            } catch (ExecutionException e) {
                // A task that still compiles its generated code takes no savepoint.
                if (tries > 100) { throw e; }
                Thread.sleep(300);
            }
        }
    }

    static Void print(MiniCluster cluster, String version, String old, String now, String savepoint) {
        String tag = old + " " + now, said = "restored";
        try {
            JobID job = start(cluster, now, tag, savepoint);
            Future<?> result = cluster.requestJobResult(job);
            Run run = RUNS.get(tag);
            long patience = System.currentTimeMillis() + 60000;
            // The last watermark ends every window, so that all new records come out.
            while (!run.hasEnded() && !result.isDone() && System.currentTimeMillis() < patience) { Thread.sleep(20); }
            long end = System.currentTimeMillis() + ((old + now).contains("p") ? 42000 : 700);
            while (System.currentTimeMillis() < end && !result.isDone()) { Thread.sleep(20); }
            if (result.isDone()) {
                said = root(cluster.requestJobResult(job).get().getSerializedThrowable().get().deserializeError(AskSqlWindows.class.getClassLoader()));
            } else {
                cluster.cancelJob(job).get();
                result.get();
                if (!run.fed) { said = "not fed"; }
            }
        } catch (Exception e) {
            said = "not started: " + root(e);
        }
        Run run = RUNS.get(tag);
        int times = 0, ids = 0;
        for (Map.Entry<Integer, Integer> one : run.times.entrySet()) {
            if (one.getKey() < FIRST_NEW) { ids++; times += one.getValue(); }
        }
        synchronized (AskSqlWindows.class) { System.out.println("{\"version\": \"" + version + "\", \"old\": \"" + old + "\", \"new\": \"" + now
            + "\", \"old_description\": \"" + RUNS.get("old " + old).description + "\", \"new_description\": \"" + run.description
            + "\", \"flink\": \"" + said.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", " ").replace("\t", " ")
            + "\", \"ids\": " + ids + ", \"times\": " + times + ", \"windows\": \""
            + String.join(" ", new TreeSet<>(run.windows)) + "\"}"); }
        return null;
    }

    static String root(Throwable e) {
        Throwable last = e;
        while (last.getCause() != null && last.getCause() != last) { last = last.getCause(); }
        return last.getClass().getName() + ": " + last.getMessage();
    }

    /** Starts a job; one at a time, since a planner is asked. */
    static synchronized JobID start(MiniCluster cluster, String kind, String tag, String savepoint) throws Exception {
        Run run = new Run();
        RUNS.put(tag, run);
        Configuration options = new Configuration();
        options.setString("restart-strategy.type", "none");
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(options);
        env.setParallelism(1);
        env.setMaxParallelism(8);
        env.setBufferTimeout(0);
        env.getConfig().setAutoWatermarkInterval(20);
        DataStream<Tuple3<Integer, String, Long>> records = env
            .fromSource(new NumberSequenceSource(0, Long.MAX_VALUE / 2), WatermarkStrategy.noWatermarks(), "numbers").uid("numbers")
            .flatMap(new Feed(tag, savepoint == null)).returns(Types.TUPLE(Types.INT, Types.STRING, Types.LONG)).uid("feed")
            .assignTimestampsAndWatermarks(WatermarkStrategy
                .<Tuple3<Integer, String, Long>>forGenerator(c -> new Marks())
                .withTimestampAssigner((one, before) -> one.f2 * 1000)).uid("marks");
        StreamTableEnvironment tables = StreamTableEnvironment.create(env);
        if (kind.startsWith("1")) { tables.getConfig().set("table.optimizer.agg-phase-strategy", "ONE_PHASE"); }
        tables.createTemporaryView("r", records, Schema.newBuilder()
            .column("f0", "INT").column("f1", "STRING").column("f2", "BIGINT")
            .columnByMetadata("et", DataTypes.TIMESTAMP_LTZ(3), "rowtime").columnByExpression("pt", "PROCTIME()")
            .watermark("et", "SOURCE_WATERMARK()").build());
        tables.toDataStream(tables.sqlQuery(query(kind))).process(new Count(tag, kind.contains("p"))).returns(Types.INT).uid("count")
            .sinkTo(new DiscardingSink<>()).uid("sink");
        StreamGraph graph = env.getStreamGraph();
        for (StreamNode node : graph.getStreamNodes()) {
            if (node.getOperatorDescription().contains("window=[") && !node.getOperatorName().startsWith("Local")) {
                run.description = node.getOperatorDescription();
            }
        }
        JobGraph job = graph.getJobGraph();
        if (savepoint != null) {
            job.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(savepoint, false));
        }
        cluster.submitJob(job).get();
        return job.getJobID();
    }

    static String query(String kind) {
        java.util.regex.Matcher m = java.util.regex.Pattern.compile("1?(g?)(p?)([thcs])(\\d+)(?:/(\\d+))?(?:o(\\d+))?").matcher(kind);
        if (!m.matches()) { throw new IllegalArgumentException(kind); }
        String name = Map.of("t", "TUMBLE", "h", "HOP", "c", "CUMULATE", "s", "SESSION").get(m.group(3));
        String time = m.group(2).isEmpty() ? "et" : "pt";
        String sizes = (m.group(5) == null ? "" : interval(m.group(5)) + ", ") + interval(m.group(4));
        String select = "LISTAGG(CAST(f0 AS STRING), ',') AS ids, COUNT(*) AS n";
        if (!m.group(1).isEmpty()) {
            String args = "(" + time + ", " + sizes + ")";
            return "SELECT f1, CAST(" + name + "_START" + args + " AS STRING), CAST(" + name + "_END" + args + " AS STRING), " + select
                + " FROM r GROUP BY f1, " + name + args;
        }
        String offset = m.group(6) == null ? "" : ", " + interval(m.group(6));
        return "SELECT f1, CAST(window_start AS STRING), CAST(window_end AS STRING), " + select + " FROM TABLE(" + name + "(TABLE r"
            + (name.equals("SESSION") ? " PARTITION BY f1" : "") + ", DESCRIPTOR(" + time + "), " + sizes + offset
            + ")) GROUP BY f1, window_start, window_end";
    }

    static String interval(String seconds) { return "INTERVAL '" + seconds + "' SECOND"; }

    /** Sends the records of one side once, then nothing more. */
    static class Feed extends RichFlatMapFunction<Long, Tuple3<Integer, String, Long>> {
        final String tag;
        final boolean old;
        transient int calls;
        Feed(String tag, boolean old) { this.tag = tag; this.old = old; }

        public void flatMap(Long n, Collector<Tuple3<Integer, String, Long>> out) throws Exception {
            if (calls++ > 0) {
                if (calls > 3) { RUNS.get(tag).fed = true; }
                Thread.sleep(50);
                return;
            }
            int id = old ? 0 : FIRST_NEW;
            for (long at = old ? 0 : 17; at < (old ? 17 : 41); at++) {
                for (String key : List.of("a", "b", "c", "d")) {
                    boolean has = old ? key.compareTo("c") < 0 || key.equals("c") && at == 16 || key.equals("d") && at == 15
                        : key.equals("a") || key.equals("c");
                    if (has) { out.collect(Tuple3.of(id++, key, at)); }
                }
                Thread.sleep(2);
            }
            // A record that only carries the last watermark of its side; its key is no one else's.
            out.collect(Tuple3.of(FIRST_NEW * 2, "z", old ? 16 : LAST));
        }
    }

    static class Marks implements WatermarkGenerator<Tuple3<Integer, String, Long>> {
        public void onEvent(Tuple3<Integer, String, Long> one, long at, WatermarkOutput out) {
            out.emitWatermark(new Watermark(at - 1));
        }
        public void onPeriodicEmit(WatermarkOutput out) { }
    }

    static class Count extends ProcessFunction<Row, Integer> {
        final String tag;
        final boolean timed;
        Count(String tag, boolean timed) { this.tag = tag; this.timed = timed; }

        public void processElement(Row row, Context c, Collector<Integer> out) {
            int before = 0, after = 0;
            // A window that is not found comes out as one without records.
            if (row.getField(3) == null) { return; }
            for (String id : ((String) row.getField(3)).split(",")) {
                if (Integer.parseInt(id) < FIRST_NEW) { before++; } else { after++; }
                RUNS.get(tag).times.merge(Integer.parseInt(id), 1, Integer::sum);
            }
            if (before > 0 && !timed) {
                RUNS.get(tag).windows.add(row.getField(0) + "[" + second(row.getField(1)) + "," + second(row.getField(2)) + ")" + before + "+" + after);
            }
        }

        /** Minutes and seconds of a timestamp's text. */
        static String second(Object time) { return ((String) time).substring(14, 19); }
    }
}
