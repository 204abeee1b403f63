import java.io.BufferedReader;
import java.io.InputStreamReader;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionJobVertex;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.types.Row;

/**
 * Runs BATCH jobs of two tasks, of two subtasks each, on a cluster in this JVM. A question is a
 * line: MODE EDGE ROWS, the batch shuffle mode, the edge between the tasks, and how many numbers
 * the first task sends. The answer is its numBytesOut, over its subtasks.
 */
public final class AskBatchBytes {
    static final TypeInformation<Row> NUMBER = Types.ROW_NAMED(new String[] {"n"}, Types.LONG);

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println("= " + bytesOut(line.trim().split(" ")));
        }
        System.exit(0);
    }

    static long bytesOut(String[] words) throws Exception {
        Configuration options = new Configuration();
        options.setString("execution.batch-shuffle-mode", words[0]);
        options.setString("rest.bind-port", "0");
        options.setString("taskmanager.memory.network.min", "256m");
        options.setString("taskmanager.memory.network.max", "256m");
        // A hybrid result counts a buffer's bytes when they are compressed.
        options.setString("taskmanager.network.batch-shuffle.compression.enabled", "false");
        options.setString("taskmanager.network.compression.codec", "NONE");
        MiniClusterConfiguration configuration = new MiniClusterConfiguration.Builder()
                .setConfiguration(options).setNumTaskManagers(1).setNumSlotsPerTaskManager(4).build();
        try (MiniCluster cluster = new MiniCluster(configuration)) {
            cluster.start();
            return bytesOut(words[1], Long.parseLong(words[2]), options, cluster);
        }
    }

    static long bytesOut(String edge, long rows, Configuration options, MiniCluster cluster)
            throws Exception {
        StreamExecutionEnvironment program =
                StreamExecutionEnvironment.getExecutionEnvironment(options);
        program.setRuntimeMode(RuntimeExecutionMode.BATCH);
        program.setParallelism(2);
        // The scheduler of 1.17 and 1.18 would choose another width than the environment's.
        DataStream<Row> numbers = program.fromSequence(0, rows - 1).setParallelism(2)
                .map(number -> Row.of(number)).returns(NUMBER).setParallelism(2);
        SingleOutputStreamOperator<Row> read = across(edge, numbers).map(row -> row).returns(NUMBER);
        read.setParallelism(2).startNewChain();
        JobGraph job = program.getStreamGraph().getJobGraph();
        cluster.executeJobBlocking(job);
        AccessExecutionGraph graph = cluster.getExecutionGraph(job.getJobID()).get();
        AccessExecutionJobVertex first = graph.getVerticesTopologically().iterator().next();
        long bytes = 0;
        for (AccessExecutionVertex subtask : first.getTaskVertices()) {
            bytes += subtask.getCurrentExecutionAttempt().getIOMetrics().getNumBytesOut();
        }
        return bytes;
    }

    static DataStream<Row> across(String edge, DataStream<Row> numbers) {
        switch (edge) {
            case "FORWARD": return numbers.forward();
            case "RESCALE": return numbers.rescale();
            case "REBALANCE": return numbers.rebalance();
            case "BROADCAST": return numbers.broadcast();
            default: return numbers.keyBy(row -> (Long) row.getField(0));
        }
    }
}
