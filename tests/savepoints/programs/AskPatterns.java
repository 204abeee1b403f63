import java.io.File;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.typeinfo.*;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.cep.CEP;
import org.apache.flink.cep.functions.PatternProcessFunction;
import org.apache.flink.cep.nfa.aftermatch.AfterMatchSkipStrategy;
import org.apache.flink.cep.pattern.Pattern;
import org.apache.flink.cep.pattern.conditions.SimpleCondition;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobgraph.*;
import org.apache.flink.runtime.minicluster.*;
import org.apache.flink.streaming.api.datastream.*;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/**
 * Asks what becomes of saved partial matches when a pattern changes.
 *
 * A job with one pattern ends with a savepoint while keys are at different places of it; jobs with
 * other patterns start from it and get the events of LATER. Each match that contains an event from
 * before the savepoint is printed, old events in lower case, new ones in upper case. A pattern is
 * written as its stages, each with a sign before it for the contiguity (`>` next, `~` followedByAny,
 * `!` notFollowedBy, none followedBy), a quantifier behind it (`+`, `?`, `*`, `2`), and the letter
 * of the condition behind `=` where it is not the name; then options behind `/`: `w` and a number of
 * milliseconds for within, `past`, `next`, `first` with a stage for the skip strategy. An argument is
 * two patterns, OLD:NEW; arguments without a colon are patterns to run, for a capture of the jobs. Run with the jars of 1.20.5 and 2.2.1 it made pattern_restores.jsonl.gz:
 * java AskPatterns FOLDER VERSION OLD:NEW ...
 */
public class AskPatterns {
    /** By key, the events before the savepoint and those after it. */
    static final String[][] EVENTS = {{"start", "z", "abc"}, {"at b", "a", "bcd"}, {"at c", "ab", "cd"}, {"twice b", "abb", "cd"}, {"again", "abca", "bcd"}};
    static final Map<String, Run> RUNS = new ConcurrentHashMap<>();

    static class Run {
        final Set<String> matches = ConcurrentHashMap.newKeySet();
        volatile boolean fed;
    }

    public static void main(String[] args) throws Exception {
        if (!args[args.length - 1].contains(":")) {
            for (String pattern : args) {
                StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
                declare(env, pattern, "captured", null);
                env.execute(pattern);
            }
            return;
        }
        Configuration options = new Configuration();
        options.setString("rest.bind-port", "0");
        options.setString("pekko.ask.timeout", "120 s");
        options.setString("taskmanager.memory.network.min", "64mb");
        options.setString("taskmanager.memory.network.max", "64mb");
        options.setString("taskmanager.memory.managed.size", "16mb");
        inline(options);
        MiniClusterConfiguration size = new MiniClusterConfiguration.Builder()
            .setConfiguration(options).setNumTaskManagers(1).setNumSlotsPerTaskManager(2)
            .withRandomPorts().build();
        try (MiniCluster cluster = new MiniCluster(size)) {
            cluster.start();
            Map<String, String> savepoints = new LinkedHashMap<>();
            for (int i = 2; i < args.length; i++) {
                String[] pair = args[i].split(":");
                if (!savepoints.containsKey(pair[0])) { savepoints.put(pair[0], take(cluster, pair[0], args[0])); }
                print(cluster, args[1], pair[0], pair[1], savepoints.get(pair[0]));
            }
        }
        System.exit(0);
    }

    /** Keeps all state in the savepoint's metadata. */
    static void inline(Configuration options) {
        options.setString("state.storage.fs.memory-threshold", "1mb");
        options.setString("execution.checkpointing.data-inline-threshold", "1mb");
    }

    static String take(MiniCluster cluster, String pattern, String folder) throws Exception {
        String tag = "old " + pattern;
        JobID job = start(cluster, pattern, tag, null);
        while (!RUNS.get(tag).fed) { Thread.sleep(20); }
        Thread.sleep(300);
        return cluster.triggerSavepoint(job, new File(folder).toURI().toString(), true, SavepointFormatType.CANONICAL).get();
    }

    static void print(MiniCluster cluster, String version, String old, String now, String savepoint) throws Exception {
        String tag = old + " " + now, said = "restored";
        try {
            JobID job = start(cluster, now, tag, savepoint);
            Future<?> result = cluster.requestJobResult(job);
            Run run = RUNS.get(tag);
            long patience = System.currentTimeMillis() + 60000;
            while (!run.fed && !result.isDone() && System.currentTimeMillis() < patience) { Thread.sleep(20); }
            long end = System.currentTimeMillis() + 500;
            while (System.currentTimeMillis() < end && !result.isDone()) { Thread.sleep(20); }
            if (result.isDone()) {
                said = root(cluster.requestJobResult(job).get().getSerializedThrowable().get().deserializeError(AskPatterns.class.getClassLoader()));
            } else {
                cluster.cancelJob(job).get();
                result.get();
                if (!run.fed) { said = "not fed"; }
            }
        } catch (Exception e) {
            said = "not started: " + root(e);
        }
        StringJoiner matches = new StringJoiner("\", \"", "[\"", "\"]").setEmptyValue("[]");
        new TreeSet<>(RUNS.get(tag).matches).forEach(matches::add);
        System.out.println("{\"version\": \"" + version + "\", \"old\": \"" + old + "\", \"new\": \"" + now + "\", \"savepoint\": \""
            + savepoint + "\", \"flink\": \"" + said.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", " ").replace("\t", " ")
            + "\", \"matches\": " + matches + "}");
        System.out.flush();
    }

    static String root(Throwable e) {
        Throwable last = e;
        while (last.getCause() != null && last.getCause() != last) { last = last.getCause(); }
        return last.getClass().getName() + ": " + last.getMessage();
    }

    static JobID start(MiniCluster cluster, String pattern, String tag, String savepoint) throws Exception {
        RUNS.put(tag, new Run());
        Configuration options = new Configuration();
        options.setString("restart-strategy.type", "none");
        inline(options);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(options);
        declare(env, pattern, tag, savepoint);
        JobGraph job = env.getStreamGraph().getJobGraph();
        if (savepoint != null) {
            job.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(savepoint, true));
        }
        cluster.submitJob(job).get();
        return job.getJobID();
    }

    static void declare(StreamExecutionEnvironment env, String pattern, String tag, String savepoint) {
        env.setParallelism(1);
        env.setMaxParallelism(8);
        env.setBufferTimeout(0);
        // The source has another ID on each side: its own position is not restored.
        DataStream<Tuple2<String, String>> events = env
            .fromSource(new NumberSequenceSource(0, Long.MAX_VALUE / 2), WatermarkStrategy.noWatermarks(), "numbers")
            .uid(savepoint == null ? "old numbers" : "new numbers")
            .flatMap(new Feed(tag, savepoint == null)).returns(Types.TUPLE(Types.STRING, Types.STRING));
        CEP.pattern(events.keyBy(one -> one.f0, Types.STRING), pattern(pattern)).inProcessingTime()
            .process(new Matches(tag)).returns(Types.STRING).uid("pattern").name("pattern")
            .sinkTo(new DiscardingSink<>()).uid("sink");
    }

    /** Sends the events of one side once, then nothing more. */
    static class Feed implements FlatMapFunction<Long, Tuple2<String, String>> {
        final String tag;
        final boolean old;
        Feed(String tag, boolean old) { this.tag = tag; this.old = old; }

        public void flatMap(Long n, Collector<Tuple2<String, String>> out) throws Exception {
            if (n > 0) {
                if (n > 1) { RUNS.get(tag).fed = true; }
                Thread.sleep(50);
                return;
            }
            for (String[] key : EVENTS) {
                for (String event : key[old ? 1 : 2].split("")) {
                    out.collect(Tuple2.of(key[0], old ? event : event.toUpperCase()));
                    // Two events of one millisecond would have no order.
                    Thread.sleep(5);
                }
            }
        }
    }

    static class Matches extends PatternProcessFunction<Tuple2<String, String>, String> {
        final String tag;
        Matches(String tag) { this.tag = tag; }

        public void processMatch(Map<String, List<Tuple2<String, String>>> match, Context c, Collector<String> out) {
            StringBuilder text = new StringBuilder();
            String key = "";
            for (Map.Entry<String, List<Tuple2<String, String>>> stage : match.entrySet()) {
                text.append(' ').append(stage.getKey()).append('=');
                for (Tuple2<String, String> event : stage.getValue()) { text.append(event.f1); key = event.f0; }
            }
            if (!text.toString().matches("( \\w+=[A-Z]+)*")) { RUNS.get(tag).matches.add(key + ":" + text); }
        }
    }

    static class Is extends SimpleCondition<Tuple2<String, String>> {
        final String letter;
        Is(String letter) { this.letter = letter; }
        public boolean filter(Tuple2<String, String> event) { return event.f1.equalsIgnoreCase(letter); }
    }

    static Pattern<Tuple2<String, String>, ?> pattern(String text) {
        String[] parts = text.split("/");
        AfterMatchSkipStrategy skip = AfterMatchSkipStrategy.noSkip();
        long within = 0;
        for (int i = 1; i < parts.length; i++) {
            if (parts[i].equals("past")) { skip = AfterMatchSkipStrategy.skipPastLastEvent(); }
            else if (parts[i].equals("next")) { skip = AfterMatchSkipStrategy.skipToNext(); }
            else if (parts[i].startsWith("first")) { skip = AfterMatchSkipStrategy.skipToFirst(parts[i].substring(5)); }
            else { within = Long.parseLong(parts[i].substring(1)); }
        }
        Pattern<Tuple2<String, String>, Tuple2<String, String>> made = null;
        for (String stage : parts[0].split(",")) {
            java.util.regex.Matcher m = java.util.regex.Pattern.compile("([>~!]?)(\\w?[a-z])([+?*2]?)(?:=(\\w))?").matcher(stage);
            if (!m.matches()) { throw new IllegalArgumentException(stage); }
            String name = m.group(2);
            if (made == null) { made = Pattern.begin(name, skip); }
            else if (m.group(1).equals(">")) { made = made.next(name); }
            else if (m.group(1).equals("~")) { made = made.followedByAny(name); }
            else if (m.group(1).equals("!")) { made = made.notFollowedBy(name); }
            else { made = made.followedBy(name); }
            made = made.where(new Is(m.group(4) == null ? name : m.group(4)));
            if (m.group(3).equals("+")) { made = made.oneOrMore(); }
            if (m.group(3).equals("?")) { made = made.optional(); }
            if (m.group(3).equals("*")) { made = made.oneOrMore().optional(); }
            if (m.group(3).equals("2")) { made = made.times(2); }
        }
        return within == 0 ? made : within(made, within);
    }

    /** Calls {@code within}, of which the argument is of another class in 1.x than in 2.x. */
    static Pattern<Tuple2<String, String>, ?> within(Pattern<Tuple2<String, String>, ?> made, long milliseconds) {
        try {
            for (java.lang.reflect.Method method : Pattern.class.getMethods()) {
                if (!method.getName().equals("within") || method.getParameterCount() != 1) { continue; }
                Class<?> type = method.getParameterTypes()[0];
                Object time = type == Duration.class ? Duration.ofMillis(milliseconds)
                    : type.getMethod("milliseconds", long.class).invoke(null, milliseconds);
                return (Pattern<Tuple2<String, String>, ?>) method.invoke(made, time);
            }
            throw new IllegalStateException("within");
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
