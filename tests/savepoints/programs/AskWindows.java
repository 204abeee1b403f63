import java.io.File;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.eventtime.*;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.typeinfo.*;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobgraph.*;
import org.apache.flink.runtime.minicluster.*;
import org.apache.flink.streaming.api.datastream.*;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.*;
import org.apache.flink.streaming.api.windowing.evictors.*;
import org.apache.flink.streaming.api.windowing.triggers.*;
import org.apache.flink.streaming.api.windowing.windows.*;
import org.apache.flink.util.Collector;

/**
 * Asks which records of open windows come out after a restore into another kind of window.
 *
 * A job with one window operator ends with a savepoint while windows are open; jobs with every
 * other kind start from it, get more records and a last watermark, and each record of the first
 * job that leaves a window is counted. All jobs run in one MiniCluster. A kind is written
 * ASSIGNER[+TRIGGER][-EVICTOR][~LATENESS], as in `t10+n9`; an argument is a list of kinds, of which
 * every pair is asked. Run with the jars of 1.20.5 and 2.2.1 it made window_restores.jsonl.gz:
 * java AskWindows FOLDER VERSION KIND,KIND... ...
 * Of a pair with a lateness, `left` is a savepoint after the last watermark.
 */
public class AskWindows {
    /** Milliseconds of a processing-time window; long enough that a savepoint comes before its end. */
    static final int TICK = 1000;
    static final long LAST = 1_000_000;
    static final int FIRST_NEW = 1000;
    static final Map<String, Run> RUNS = new ConcurrentHashMap<>();

    static class Run {
        final Set<String> windows = ConcurrentHashMap.newKeySet();
        final Map<Integer, Integer> times = new ConcurrentHashMap<>();
        volatile boolean fed;
        volatile long changed;
        volatile String left = "";
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
        options.setString("taskmanager.memory.network.min", "256mb");
        options.setString("taskmanager.memory.network.max", "256mb");
        options.setString("taskmanager.memory.managed.size", "16mb");
        MiniClusterConfiguration size = new MiniClusterConfiguration.Builder()
            .setConfiguration(options).setNumTaskManagers(1).setNumSlotsPerTaskManager(24)
            .withRandomPorts().build();
        try (MiniCluster cluster = new MiniCluster(size)) {
            cluster.start();
            Map<String, String> savepoints = new LinkedHashMap<>();
            ExecutorService pool = Executors.newFixedThreadPool(20);
            List<Future<?>> asked = new ArrayList<>();
            for (List<String> pair : pairs) {
                String old = pair.get(0);
                if (!savepoints.containsKey(old)) { savepoints.put(old, take(cluster, old, args[0])); }
                asked.add(pool.submit(() -> print(cluster, args[0], args[1], pair, savepoints.get(old))));
            }
            for (Future<?> one : asked) { one.get(); }
        }
        System.exit(0);
    }

    static String take(MiniCluster cluster, String kind, String folder) throws Exception {
        String tag = "old " + kind;
        // Processing-time windows begin at multiples of their slide; the savepoint comes soon after.
        while (kind.startsWith("p") && System.currentTimeMillis() % (10 * TICK) > TICK) { Thread.sleep(20); }
        JobID job = start(cluster, kind, tag, null);
        while (!RUNS.get(tag).fed) { Thread.sleep(20); }
        Thread.sleep(500);
        return cluster.triggerSavepoint(job, new File(folder).toURI().toString(), true, SavepointFormatType.CANONICAL).get();
    }

    static Void print(MiniCluster cluster, String folder, String version, List<String> pair, String savepoint) throws Exception {
        String old = pair.get(0), now = pair.get(1), tag = old + " " + now;
        JobID job;
        String said = "restored";
        try {
            job = start(cluster, now, tag, savepoint);
            Future<?> result = cluster.requestJobResult(job);
            Run run = RUNS.get(tag);
            long patience = System.currentTimeMillis() + 120000;
            while (!run.fed && !result.isDone() && System.currentTimeMillis() < patience) { Thread.sleep(50); }
            boolean timed = (old + now).contains("p");
            long end = System.currentTimeMillis() + (timed ? 37 * TICK : 1500);
            while (System.currentTimeMillis() < end && !result.isDone()) { Thread.sleep(50); }
            if (result.isDone()) {
                said = root(cluster.requestJobResult(job).get().getSerializedThrowable().get().deserializeError(AskWindows.class.getClassLoader()));
            } else {
                if ((old + now).contains("~")) {
                    run.left = cluster.triggerSavepoint(job, new File(folder).toURI().toString(), false, SavepointFormatType.CANONICAL).get();
                }
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
        synchronized (AskWindows.class) {
            System.out.println("{\"version\": \"" + version + "\", \"old\": \"" + old + "\", \"new\": \"" + now
                + "\", \"flink\": \"" + said.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", " ")
                + "\", \"left\": \"" + run.left + "\", \"ids\": " + ids + ", \"times\": " + times + ", \"windows\": \""
                + String.join(" ", new TreeSet<>(run.windows)) + "\"}");
            System.out.flush();
        }
        return null;
    }

    static String root(Throwable e) {
        Throwable last = e;
        while (last.getCause() != null && last.getCause() != last) { last = last.getCause(); }
        return last.getClass().getName() + ": " + last.getMessage();
    }

    static JobID start(MiniCluster cluster, String kind, String tag, String savepoint) throws Exception {
        RUNS.put(tag, new Run());
        Configuration options = new Configuration();
        options.setString("restart-strategy.type", "none");
        options.setString("restart-strategy", "none");
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(options);
        env.setParallelism(1);
        env.setMaxParallelism(8);
        env.setBufferTimeout(0);
        env.getConfig().setAutoWatermarkInterval(20);
        TypeInformation<Tuple3<Integer, String, Long>> type = Types.TUPLE(Types.INT, Types.STRING, Types.LONG);
        // The source has another ID on each side: its own position is not restored.
        DataStream<Tuple3<Integer, String, Long>> records = env
            .fromSource(new NumberSequenceSource(0, Long.MAX_VALUE / 2), WatermarkStrategy.noWatermarks(), "numbers")
            .uid(savepoint == null ? "old numbers" : "new numbers")
            .flatMap(new Feed(tag, savepoint == null)).returns(type)
            .assignTimestampsAndWatermarks(WatermarkStrategy
                .<Tuple3<Integer, String, Long>>forGenerator(c -> new Marks())
                .withTimestampAssigner((one, before) -> one.f2));
        window(records.keyBy(one -> one.f1, Types.STRING), kind)
            .process(new Count(tag, kind.startsWith("p"))).returns(Types.INT).uid("window").name("window")
            .sinkTo(new DiscardingSink<>()).uid("sink");
        JobGraph job = env.getStreamGraph().getJobGraph();
        if (savepoint != null) {
            job.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(savepoint, true));
        }
        cluster.submitJob(job).get();
        return job.getJobID();
    }

    /** Sends the records of one side once, then nothing more. */
    static class Feed implements FlatMapFunction<Long, Tuple3<Integer, String, Long>> {
        final String tag;
        final boolean old;
        Feed(String tag, boolean old) { this.tag = tag; this.old = old; }

        public void flatMap(Long n, Collector<Tuple3<Integer, String, Long>> out) throws Exception {
            Run run = RUNS.get(tag);
            if (n > 0) {
                if (n > 1) { run.fed = true; }
                Thread.sleep(100);
                return;
            }
            int id = old ? 0 : FIRST_NEW;
            for (long at = old ? 0 : 17; at < (old ? 17 : 41); at++) {
                for (String key : List.of("a", "b", "c", "d")) {
                    boolean has = old ? key.compareTo("c") < 0 || key.equals("c") && at == 16 || key.equals("d") && at == 15
                        : key.equals("a") || key.equals("c");
                    if (has) { out.collect(Tuple3.of(id++, key, at)); }
                    // Records of one millisecond would be in one window of a processing-time session.
                    Thread.sleep(2);
                }
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

    static class Count extends ProcessWindowFunction<Tuple3<Integer, String, Long>, Integer, String, Window> {
        final String tag;
        final boolean timed;
        Count(String tag, boolean timed) { this.tag = tag; this.timed = timed; }

        public void process(String key, Context c, Iterable<Tuple3<Integer, String, Long>> all, Collector<Integer> out) {
            Run run = RUNS.get(tag);
            int before = 0, after = 0;
            for (Tuple3<Integer, String, Long> one : all) {
                if (one.f0 < FIRST_NEW) { before++; } else { after++; }
                run.times.merge(one.f0, 1, Integer::sum);
            }
            if (before > 0 && !timed) {
                String name = c.window() instanceof TimeWindow
                    ? ((TimeWindow) c.window()).getStart() + "," + ((TimeWindow) c.window()).getEnd() : "";
                run.windows.add(key + "[" + name + ")" + before + "+" + after);
            }
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    static WindowedStream<Tuple3<Integer, String, Long>, String, Window> window(
            KeyedStream<Tuple3<Integer, String, Long>, String> keyed, String kind) {
        String[] late = kind.split("~");
        String[] evicted = late[0].split("-");
        String[] triggered = evicted[0].split("\\+");
        String name = triggered[0].replaceAll("[0-9/o]*$", "");
        String[] sizes = triggered[0].substring(name.length()).split("[/o]");
        long size = sizes[0].isEmpty() ? 0 : Long.parseLong(sizes[0]);
        long second = sizes.length > 1 ? Long.parseLong(sizes[1]) : 0;
        WindowedStream stream;
        switch (name) {
            case "c": stream = keyed.countWindow(size); break;
            case "cs": stream = keyed.countWindow(size, second); break;
            default: stream = keyed.window((WindowAssigner) assigner(name, size, second));
        }
        if (triggered.length > 1) { stream = stream.trigger((Trigger) trigger(triggered[1])); }
        if (evicted.length > 1) {
            int n = Integer.parseInt(evicted[1].substring(1));
            stream = stream.evictor((Evictor) (evicted[1].startsWith("n") ? CountEvictor.of(n) : TimeEvictor.of(ms(n))));
        }
        if (late.length > 1) { stream = stream.allowedLateness(ms(Long.parseLong(late[1]))); }
        return stream;
    }

    static WindowAssigner<?, ?> assigner(String name, long size, long second) {
        switch (name) {
            case "t": return TumblingEventTimeWindows.of(ms(size), ms(second));
            case "s": return SlidingEventTimeWindows.of(ms(size), ms(second));
            case "g": return EventTimeSessionWindows.withGap(ms(size));
            case "dg": return EventTimeSessionWindows.withDynamicGap(one -> size);
            case "pt": return TumblingProcessingTimeWindows.of(ms(size * TICK));
            case "ps": return SlidingProcessingTimeWindows.of(ms(size * TICK), ms(second * TICK));
            case "pg": return ProcessingTimeSessionWindows.withGap(ms(size * TICK));
            case "pdg": return ProcessingTimeSessionWindows.withDynamicGap(one -> size * TICK);
            case "gw": return GlobalWindows.create();
            default: throw new IllegalArgumentException(name);
        }
    }

    static Trigger<?, ?> trigger(String text) {
        String name = text.replaceAll("[0-9]*$", "");
        String number = text.substring(name.length());
        long n = number.isEmpty() ? 0 : Long.parseLong(number);
        switch (name) {
            case "e": return EventTimeTrigger.create();
            case "p": return ProcessingTimeTrigger.create();
            case "n": return CountTrigger.of(n);
            case "ce": return ContinuousEventTimeTrigger.of(ms(n));
            case "cp": return ContinuousProcessingTimeTrigger.of(ms(n * TICK));
            case "Pe": return PurgingTrigger.of(EventTimeTrigger.create());
            case "Pn": return PurgingTrigger.of(CountTrigger.of(n));
            case "Pce": return PurgingTrigger.of(ContinuousEventTimeTrigger.of(ms(n)));
            case "Pp": return PurgingTrigger.of(ProcessingTimeTrigger.create());
            case "oe": return ProcessingTimeoutTrigger.of(EventTimeTrigger.create(), ms(3600L * TICK));
            case "d": return DeltaTrigger.of(n, (a, b) -> ((Tuple3<Integer, String, Long>) b).f2 - ((Tuple3<Integer, String, Long>) a).f2,
                Types.<Tuple3<Integer, String, Long>>TUPLE(Types.INT, Types.STRING, Types.LONG).createSerializer(serializers()));
            default: throw new IllegalArgumentException(text);
        }
    }

    static org.apache.flink.api.common.serialization.SerializerConfigImpl serializers() {
        return new org.apache.flink.api.common.serialization.SerializerConfigImpl();
    }

    static Duration ms(long n) { return Duration.ofMillis(n); }
}
