import org.apache.flink.api.common.functions.MapPartitionFunction;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.util.Collector;

/** Operators that output records only at the end of their input: in a chain, and after a key. */
public class EndOfInput {

    static class Count implements MapPartitionFunction<Long, Long> {
        @Override
        public void mapPartition(Iterable<Long> numbers, Collector<Long> out) {
            long count = 0;
            for (Long number : numbers) {
                count++;
            }
            out.collect(count);
        }
    }

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        if (args.length > 0) {
            env.setRuntimeMode(RuntimeExecutionMode.valueOf(args[0]));
        }
        env.setParallelism(2);
        DataStream<Long> numbers = env.fromSequence(1, 1000).name("numbers");
        numbers.fullWindowPartition().mapPartition(new Count()).name("count")
                .map(n -> n + 1).returns(Types.LONG).name("next").setParallelism(3)
                .rebalance().sinkTo(new DiscardingSink<>()).name("counts");
        numbers.fullWindowPartition().reduce(Long::sum).name("sum").filter(n -> n > 0).name("above 0")
                .sinkTo(new DiscardingSink<>()).name("sums").setParallelism(1);
        numbers.keyBy(n -> n % 10).window(GlobalWindows.createWithEndOfStreamTrigger())
                .reduce(Long::sum).name("by digit").map(n -> n).returns(Types.LONG).name("same")
                .rescale().sinkTo(new DiscardingSink<>()).name("digits");
        env.execute("end of input");
    }
}
