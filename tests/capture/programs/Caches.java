import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.CachedDataStream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** A cached stream, produced by the first job and read by the second; BATCH unless told otherwise. */
public class Caches {

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setRuntimeMode(RuntimeExecutionMode.valueOf(args.length > 0 ? args[0] : "BATCH"));
        env.setParallelism(2);
        SingleOutputStreamOperator<Long> halves =
                env.fromSequence(1, 1000).name("numbers").map(n -> n / 2).returns(Types.LONG).name("halves");
        CachedDataStream<Long> cached = halves.cache();
        sink(halves.filter(n -> n > 5).name("above 5"), "direct");
        sink(cached.filter(n -> n > 10).name("above 10"), "cached");
        env.execute("produces");
        sink(cached.keyBy(n -> n % 7).reduce(Long::sum).name("sums"), "again");
        env.execute("consumes");
        cached.invalidate();
    }

    static void sink(DataStream<Long> stream, String name) {
        stream.sinkTo(new DiscardingSink<>()).name(name);
    }
}
