import java.io.BufferedReader;
import java.io.InputStreamReader;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.DiscardingSink;

/**
 * Runs a job on a real cluster and says how it ended. A question is a line: task managers, slots of
 * each, the parallelism of the source and of the sink, then the cluster's options as key=value. Source
 * and sink have slot sharing groups of their own, and every record may go to every sink.
 */
public class RunsOut {
    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println("= " + ending(line.trim().split(" ")));
        }
        System.exit(0);
    }

    static String ending(String[] words) throws Exception {
        Configuration options = new Configuration();
        options.setString("rest.bind-port", "0");
        for (int i = 4; i < words.length; i++) {
            String[] pair = words[i].split("=", 2);
            options.setString(pair[0], pair[1]);
        }
        MiniClusterConfiguration cluster = new MiniClusterConfiguration.Builder()
                .setConfiguration(options)
                .setNumTaskManagers(Integer.parseInt(words[0]))
                .setNumSlotsPerTaskManager(Integer.parseInt(words[1]))
                .build();
        try (MiniCluster running = new MiniCluster(cluster)) {
            running.start();
            running.executeJobBlocking(job(Integer.parseInt(words[2]), Integer.parseInt(words[3])));
            return "finished";
        } catch (Exception failed) {
            Throwable cause = failed;
            while (cause.getCause() != null) cause = cause.getCause();
            return cause.getClass().getName() + ": " + cause.getMessage();
        }
    }

    static JobGraph job(int sources, int sinks) {
        StreamExecutionEnvironment program = StreamExecutionEnvironment.getExecutionEnvironment();
        program.fromSequence(1, 1000).setParallelism(sources).slotSharingGroup("sources")
                .rebalance()
                .addSink(new DiscardingSink<>()).setParallelism(sinks).slotSharingGroup("sinks");
        return program.getStreamGraph().getJobGraph();
    }
}
