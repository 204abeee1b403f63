import java.io.BufferedReader;
import java.io.InputStreamReader;

import org.apache.flink.api.common.operators.SlotSharingGroup;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * Runs a job with a profile of a slot sharing group on a real cluster and says how it ended. A
 * question is a line: task managers, slots of each, the parallelism of the group, its CPU cores and
 * its task heap, task off-heap and managed memory in mebibytes, the parallelism of a sink without a
 * profile (0: the sink is in the group), the amount of the external resource gpu that the profile
 * requires, then the cluster's options as key=value.
 */
public class AskFineGrained {
    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println("= " + ending(line.trim().split(" ")));
        }
        System.exit(0);
    }

    static String ending(String[] words) {
        Configuration options = new Configuration();
        options.setString("rest.bind-port", "0");
        for (int i = 9; i < words.length; i++) {
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
            running.executeJobBlocking(program(words).getStreamGraph().getJobGraph());
            return "finished";
        } catch (Exception failed) {
            Throwable cause = failed;
            while (cause.getCause() != null) cause = cause.getCause();
            return cause.getClass().getName() + ": " + cause.getMessage();
        }
    }

    static StreamExecutionEnvironment program(String[] words) {
        StreamExecutionEnvironment program = StreamExecutionEnvironment.getExecutionEnvironment();
        SlotSharingGroup.Builder group = SlotSharingGroup.newBuilder("heavy")
                .setCpuCores(Double.parseDouble(words[3]))
                .setTaskHeapMemoryMB(Integer.parseInt(words[4]));
        if (!words[5].equals("0")) group.setTaskOffHeapMemoryMB(Integer.parseInt(words[5]));
        if (!words[6].equals("0")) group.setManagedMemory(MemorySize.ofMebiBytes(Long.parseLong(words[6])));
        if (!words[8].equals("0")) group.setExternalResource("gpu", Double.parseDouble(words[8]));
        int sinks = Integer.parseInt(words[7]);
        var records = program.fromSequence(1, 1000).setParallelism(Integer.parseInt(words[2]))
                .slotSharingGroup(group.build());
        var sink = records.rebalance().sinkTo(new DiscardingSink<>());
        if (sinks == 0) sink.setParallelism(Integer.parseInt(words[2]));
        else sink.setParallelism(sinks).slotSharingGroup("default");
        return program;
    }
}
