import java.io.File;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/**
 * Asks what a BATCH job restores of a streaming job's savepoint, next to a streaming job.
 *
 * Ten keys hold numbers above those that the second job reads; a key that begins with such a number
 * was restored. The second job's operator has the uid of the saved one, or another uid. Run with the
 * jars of 1.20.5 and 2.2.1 it made batch_restores.jsonl.gz: java AskBatch FOLDER VERSION
 */
public class AskBatch {
    static final long FIRST_SAVED = 1_000_000;
    static final Set<Long> RESTORED = ConcurrentHashMap.newKeySet();

    public static void main(String[] args) throws Exception {
        Configuration options = new Configuration();
        options.setString("rest.bind-port", "0");
        MiniClusterConfiguration size = new MiniClusterConfiguration.Builder()
            .setConfiguration(options).setNumTaskManagers(1).setNumSlotsPerTaskManager(4)
            .withRandomPorts().build();
        try (MiniCluster cluster = new MiniCluster(size)) {
            cluster.start();
            JobID old = start(cluster, RuntimeExecutionMode.STREAMING, "saved", null, false);
            Thread.sleep(3000);
            String savepoint = cluster
                .triggerSavepoint(old, new File(args[0]).toURI().toString(), true, SavepointFormatType.CANONICAL).get();
            cluster.requestJobResult(old).get();
            for (RuntimeExecutionMode mode : new RuntimeExecutionMode[] {RuntimeExecutionMode.STREAMING, RuntimeExecutionMode.BATCH}) {
                for (String uid : new String[] {"saved", "other"}) {
                    for (boolean allowed : new boolean[] {false, true}) {
                        RESTORED.clear();
                        String said = run(cluster, mode, uid, savepoint, allowed);
                        System.out.println("{\"version\": \"" + args[1] + "\", \"mode\": \"" + mode
                            + "\", \"uid\": \"" + uid + "\", \"allowed\": " + allowed
                            + ", \"flink\": \"" + said + "\", \"keys\": " + RESTORED.size() + "}");
                    }
                }
            }
        }
        System.exit(0);
    }

    static String run(MiniCluster cluster, RuntimeExecutionMode mode, String uid, String savepoint, boolean allowed)
            throws Exception {
        JobID job = start(cluster, mode, uid, savepoint, allowed);
        return cluster.requestJobResult(job).get().getSerializedThrowable().map(failure -> {
            Throwable last = failure.deserializeError(AskBatch.class.getClassLoader());
            while (last.getCause() != null) { last = last.getCause(); }
            return last.getMessage();
        }).orElse("finished");
    }

    static JobID start(MiniCluster cluster, RuntimeExecutionMode mode, String uid, String savepoint, boolean allowed)
            throws Exception {
        Configuration options = new Configuration();
        if (savepoint != null) {
            for (String prefix : new String[] {"execution.savepoint.", "execution.state-recovery."}) {
                options.setString(prefix + "path", savepoint);
                options.setString(prefix + "ignore-unclaimed-state", "" + allowed);
            }
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(options);
        env.setRuntimeMode(mode);
        env.setParallelism(1);
        env.setMaxParallelism(8);
        boolean saves = savepoint == null;
        NumberSequenceSource numbers = saves
            ? new NumberSequenceSource(FIRST_SAVED, Long.MAX_VALUE / 2) : new NumberSequenceSource(0, 99);
        env.fromSource(numbers, WatermarkStrategy.noWatermarks(), "numbers").uid(saves ? "old" : "new")
            .keyBy(n -> n % 10, Types.LONG).process(new Last()).uid(uid)
            .sinkTo(new DiscardingSink<>()).uid("sink");
        JobGraph job = env.getStreamGraph().getJobGraph();
        cluster.submitJob(job).get();
        return job.getJobID();
    }

    static class Last extends KeyedProcessFunction<Long, Long, Long> {
        transient ValueState<Long> last;

        public void processElement(Long n, Context c, Collector<Long> out) throws Exception {
            if (last == null) {
                last = getRuntimeContext().getState(new ValueStateDescriptor<>("last", Types.LONG));
            }
            if (n < FIRST_SAVED && last.value() != null && last.value() >= FIRST_SAVED) {
                RESTORED.add(c.getCurrentKey());
            }
            last.update(n);
            Thread.sleep(1);
        }
    }
}
