import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Translates programs with Flink's own generator: MILLISECONDS, then BRANCHES LENGTH UIDS ROUNDS a program. */
public final class Peer {
    /** The processor time of all threads: Flink serializes its operators in several. */
    private static final OperatingSystemMXBean CLOCK =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    public static void main(String[] args) {
        long span = Long.parseLong(args[0]) * 1_000_000;
        for (int i = 1; i < args.length; i += 4) {
            int branches = Integer.parseInt(args[i]);
            int length = Integer.parseInt(args[i + 1]);
            boolean uids = Boolean.parseBoolean(args[i + 2]);
            int rounds = Integer.parseInt(args[i + 3]);
            System.out.println(least(branches, length, uids, rounds, span));
        }
    }

    /**
     * Nanoseconds of a translation in the fastest round, or -1 where Flink's stack overflows.
     *
     * <p>The clock has steps of 10 ms: a round translates one program again and again for a whole span.
     */
    private static long least(int branches, int length, boolean uids, int rounds, long span) {
        long least = Long.MAX_VALUE;
        try {
            for (int round = 0; round < rounds; round++) {
                StreamExecutionEnvironment env = program(branches, length, uids);
                long start = CLOCK.getProcessCpuTime();
                long passed = 0;
                int times = 0;
                for (; passed < span; times++) {
                    JobGraph graph = env.getStreamGraph(false).getJobGraph();
                    passed = CLOCK.getProcessCpuTime() - start;
                    if (graph.getNumberOfVertices() != 2 * branches) {
                        throw new IllegalStateException("vertices: " + graph.getNumberOfVertices());
                    }
                }
                least = Math.min(least, passed / times);
            }
        } catch (StackOverflowError error) {
            return -1;
        }
        return least;
    }

    private static StreamExecutionEnvironment program(int branches, int length, boolean uids) {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(1);
        env.getConfig().disableClosureCleaner();
        for (int branch = 0; branch < branches; branch++) {
            SingleOutputStreamOperator<Long> source =
                    env.fromSource(new NumberSequenceSource(0, 1), WatermarkStrategy.noWatermarks(), "Custom Source");
            DataStream<Long> last = uids ? source.uid("uid of source " + branch) : source;
            for (int place = 1; place < length; place++) {
                if (place == length / 2) {
                    last = last.rebalance();
                }
                String uid = "uid of " + branch + " " + place;
                if (place == length - 1) {
                    DataStreamSink<Long> sink = last.print();
                    if (uids) {
                        sink.uid(uid);
                    }
                } else {
                    SingleOutputStreamOperator<Long> map = last.map(number -> number).returns(Types.LONG);
                    last = uids ? map.uid(uid) : map;
                }
            }
        }
        return env;
    }
}
