import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.Partitioner;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.*;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/**
 * Runs a job until a retained checkpoint is complete, changes one thing, restores from the
 * checkpoint and prints what Flink did, a JSON line a case. A case is two specifications,
 * EDGE:P:Q[:OPTION...] each: the partitioner between the source (P subtasks) and a slow
 * operator (Q subtasks), and the options of the job. Run with the jars of 1.20.5 and 2.2.1 it made
 * checkpoint_restores.jsonl.gz: java AskCheckpoints FOLDER VERSION OLD/NEW...
 *
 * Of cases with a map before the partitioner ("same", "text"), the records in flight are counted
 * that came out of neither job: the numbers before the one that the source begins with again.
 */
public class AskCheckpoints {
    static volatile long pause;
    static volatile Set<Long> seen = ConcurrentHashMap.newKeySet();
    static volatile Map<Boolean, Long> begins = new ConcurrentHashMap<>();

    public static void main(String[] args) throws Exception {
        for (int i = 2; i < args.length; i++) {
            String[] sides = args[i].split("/");
            String folder = args[0] + "/" + args[1] + "-" + i;
            String said;
            String[] found = new String[1];
            seen = ConcurrentHashMap.newKeySet();
            try {
                String checkpoint = take(sides[0], folder + "-old", found);
                said = found[0] != null ? "old: " + found[0]
                    : checkpoint == null ? "old: no checkpoint" : restore(sides[1], folder + "-new", checkpoint);
                System.out.println(json(args[1], sides[0], sides[1], checkpoint, said));
            } catch (Exception e) {
                System.out.println(json(args[1], sides[0], sides[1], "", "asked wrongly: " + root(e)));
            }
            System.out.flush();
        }
        System.exit(0);
    }

    static String take(String side, String folder, String[] failed) throws Exception {
        pause = side.contains(":aligned") ? 0 : 60;
        JobClient client = start(side, folder, null);
        CompletableFuture<?> result = client.getJobExecutionResult();
        String path = null;
        long end = System.currentTimeMillis() + 60000;
        while (path == null && System.currentTimeMillis() < end) {
            Thread.sleep(200);
            if (result.isDone()) { failed[0] = failure(result); return ""; }
            path = complete(folder, 2);
        }
        for (SavepointFormatType format : SavepointFormatType.values()) {
            if (side.contains(":" + format.name().toLowerCase())) {
                path = client.triggerSavepoint("file://" + folder + "-savepoint", format).get().replace("file:", "");
                end(client, result);
                return path;
            }
        }
        end(client, result);
        return complete(folder, 1);
    }

    static String restore(String side, String folder, String checkpoint) throws Exception {
        pause = side.contains(":same") || side.contains(":text") ? 1 : 0;
        begins = new ConcurrentHashMap<>();
        JobClient client = start(side, folder, checkpoint);
        CompletableFuture<?> result = client.getJobExecutionResult();
        long end = System.currentTimeMillis() + 40000;
        String said = "no checkpoint within 40 s";
        while (System.currentTimeMillis() < end) {
            Thread.sleep(200);
            if (result.isDone()) { return failure(result); }
            if (complete(folder, 1) != null) { said = "restored"; break; }
        }
        Thread.sleep(2000);
        end(client, result);
        return side.contains(":same") && said.equals("restored") ? said + ", lost " + lost() : said;
    }

    static long lost() {
        long lost = 0;
        for (Map.Entry<Boolean, Long> one : begins.entrySet()) {
            for (long n = one.getKey() ? Long.MAX_VALUE / 4 + 1 : 0; n < one.getValue(); n++) {
                if (!seen.contains(n)) { lost++; }
            }
        }
        return lost;
    }

    static long began(long n) {
        begins.merge(n > Long.MAX_VALUE / 4, n, Math::min);
        return n;
    }

    static String complete(String folder, int least) {
        File[] jobs = new File(folder).listFiles();
        File newest = null;
        for (File job : jobs == null ? new File[0] : jobs) {
            File[] all = job.listFiles();
            for (File one : all == null ? new File[0] : all) {
                if (!one.getName().startsWith("chk-") || !new File(one, "_metadata").exists()) { continue; }
                if (newest == null || number(one) > number(newest)) { newest = one; }
            }
        }
        return newest == null || number(newest) < least ? null : newest.getPath();
    }

    static int number(File one) { return Integer.parseInt(one.getName().substring(4)); }

    static void end(JobClient client, CompletableFuture<?> result) throws Exception {
        client.cancel().get();
        failure(result);
    }

    static String failure(CompletableFuture<?> result) {
        try { result.get(20, TimeUnit.SECONDS); return "finished"; } catch (Exception e) { return root(e); }
    }

    static String root(Throwable e) {
        List<String> all = new ArrayList<>();
        for (Throwable one = e; one != null; one = one.getCause() == one ? null : one.getCause()) {
            all.add(one.getClass().getName() + ": " + one.getMessage());
        }
        int from = Math.max(0, all.size() - 4);
        return String.join(" | ", all.subList(from, all.size()));
    }

    static JobClient start(String side, String folder, String checkpoint) throws Exception {
        String[] parts = side.split(":");
        int p = Integer.parseInt(parts[1]), q = Integer.parseInt(parts[2]);
        Configuration options = new Configuration();
        options.setString("rest.bind-port", "0");
        options.setString("taskmanager.memory.segment-size", "4kb");
        options.setString("taskmanager.numberOfTaskSlots", "8");
        options.setString("execution.checkpointing.unaligned", "true");
        options.setString("execution.checkpointing.unaligned.enabled", "true");
        options.setString("execution.checkpointing.interval", "1500ms");
        options.setString("execution.checkpointing.min-pause", "500ms");
        options.setString("execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
        options.setString("execution.checkpointing.storage", "filesystem");
        options.setString("state.checkpoint-storage", "filesystem");
        options.setString("execution.checkpointing.dir", "file://" + folder);
        options.setString("state.checkpoints.dir", "file://" + folder);
        options.setString("execution.checkpointing.tolerable-failed-checkpoints", "0");
        options.setString("restart-strategy.type", "none");
        options.setString("restart-strategy", "none");
        for (int i = 3; i < parts.length; i++) {
            set(options, parts[i], folder);
        }
        if (checkpoint != null) {
            options.setString("execution.savepoint.path", checkpoint);
            options.setString("execution.state-recovery.path", checkpoint);
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(options);
        if (!side.contains(":chained")) { env.disableOperatorChaining(); }
        env.setMaxParallelism(8);
        DataStream<Long> numbers = env.fromSource(
            new NumberSequenceSource(0, Long.MAX_VALUE / 2), WatermarkStrategy.noWatermarks(), "source")
            .setParallelism(p).uid("source");
        SingleOutputStreamOperator<Long> slow;
        if (parts[0].startsWith("hash")) {
            long by = parts[0].equals("hash") ? 1 : 3;
            slow = numbers.keyBy(new Key(by), Types.LONG).process(new Counted());
        } else if (side.contains(":text")) {
            DataStream<String> texts = numbers.map(n -> "" + began(n)).returns(Types.STRING).setParallelism(p).uid("same");
            slow = edge(texts, parts[0]).process(new Texts());
        } else if (side.contains(":same")) {
            DataStream<Long> same = numbers.map(n -> began(n)).returns(Types.LONG).setParallelism(p).uid("same");
            slow = edge(same, parts[0]).process(new Plain());
        } else {
            slow = edge(numbers, parts[0]).process(new Plain());
        }
        slow.name("slow").uid("slow").setParallelism(q);
        slow.sinkTo(new DiscardingSink<>()).setParallelism(q).uid("sink");
        return env.executeAsync("asked");
    }

    static void set(Configuration options, String name, String folder) {
        switch (name) {
            case "aligned":
                options.setString("execution.checkpointing.unaligned", "false");
                options.setString("execution.checkpointing.unaligned.enabled", "false");
                break;
            case "changelog":
                options.setString("state.changelog.enabled", "true");
                options.setString("state.backend.changelog.enabled", "true");
                options.setString("state.changelog.storage", "filesystem");
                options.setString("state.backend.changelog.storage", "filesystem");
                options.setString("state.changelog.dstl.dfs.base-path", "file://" + folder + "-changelog");
                options.setString("dstl.dfs.base-path", "file://" + folder + "-changelog");
                break;
            case "incremental":
                options.setString("execution.checkpointing.incremental", "true");
                options.setString("state.backend.incremental", "true");
                break;
            case "chained": case "text": case "same": case "canonical": case "native":
                break;
            case "hashmap": case "rocksdb": case "forst":
                options.setString("state.backend.type", name);
                break;
            case "CLAIM": case "LEGACY": case "NO_CLAIM":
                options.setString("execution.savepoint-restore-mode", name);
                options.setString("execution.state-recovery.claim-mode", name);
                break;
            default: throw new IllegalArgumentException(name);
        }
    }

    static <T> DataStream<T> edge(DataStream<T> from, String name) {
        switch (name) {
            case "rebalance": return from.rebalance();
            case "rescale": return from.rescale();
            case "forward": return from.forward();
            case "broadcast": return from.broadcast();
            case "shuffle": return from.shuffle();
            case "global": return from.global();
            case "custom": return from.partitionCustom((Partitioner<Long>) (key, n) -> (int) (key % n), n -> (Long) n);
            default: throw new IllegalArgumentException(name);
        }
    }

    static class Key implements KeySelector<Long, Long> {
        final long by;
        Key(long by) { this.by = by; }
        public Long getKey(Long n) { return n / by; }
    }

    static class Plain extends ProcessFunction<Long, Long> {
        public void processElement(Long n, Context c, Collector<Long> out) throws Exception {
            if (pause > 0) { Thread.sleep(pause); }
            seen.add(n);
            out.collect(n);
        }
    }

    static class Texts extends ProcessFunction<String, Long> {
        public void processElement(String n, Context c, Collector<Long> out) throws Exception {
            if (pause > 0) { Thread.sleep(pause); }
            seen.add(Long.valueOf(n));
            out.collect(Long.valueOf(n));
        }
    }

    static class Counted extends KeyedProcessFunction<Long, Long, Long> {
        transient ValueState<Long> seen;
        public void processElement(Long n, Context c, Collector<Long> out) throws Exception {
            if (pause > 0) { Thread.sleep(pause); }
            if (seen == null) { seen = getRuntimeContext().getState(new ValueStateDescriptor<>("seen", Types.LONG)); }
            seen.update(n);
            out.collect(n);
        }
    }

    static String json(String version, String old, String now, String checkpoint, String said) {
        Map<String, String> all = new TreeMap<>();
        all.put("version", version); all.put("old", old); all.put("new", now);
        all.put("checkpoint", checkpoint); all.put("said", said);
        StringBuilder text = new StringBuilder("{");
        all.forEach((k, v) -> text.append(text.length() > 1 ? ", " : "").append('"').append(k).append("\": \"")
            .append((v == null ? "" : v).replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("\t", " ")).append('"'));
        return text.append("}").toString();
    }
}
