import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.connector.base.source.hybrid.HybridSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.windowing.assigners.*;

/** Strategies of sources and of an operator, offsets and lateness of windows, a hybrid source. */
public class EventTimes {

    static Duration ms(long n) {
        return Duration.ofMillis(n);
    }

    static WatermarkStrategy<Long> strategy() {
        return WatermarkStrategy.<Long>forBoundedOutOfOrderness(ms(500)).withTimestampAssigner((n, before) -> n);
    }

    /** A strategy and an assigner of the program's own, with fields that Flink's have, of other types. */
    static class Own implements WatermarkStrategy<Long> {
        final String idlenessTimeout = "never";
        final String strategy = "mine";

        @Override
        public org.apache.flink.api.common.eventtime.WatermarkGenerator<Long> createWatermarkGenerator(
                org.apache.flink.api.common.eventtime.WatermarkGeneratorSupplier.Context context) {
            return strategy().createWatermarkGenerator(context);
        }

        static WatermarkStrategy<Long> strategy() {
            return WatermarkStrategy.forMonotonousTimestamps();
        }
    }

    static class OwnWindows extends TumblingEventTimeWindows {
        final String offset = "none";

        OwnWindows() {
            super(5000, 0, WindowStagger.ALIGNED);
        }
    }

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(2);
        NumberSequenceSource numbers = new NumberSequenceSource(1, 1000);
        DataStream<Long> aligned = env.fromSource(numbers,
                strategy().withIdleness(ms(3000)).withWatermarkAlignment("ours", ms(20000), ms(400)), "aligned");
        DataStream<Long> drifting = env.fromSource(numbers,
                strategy().withWatermarkAlignment("ours", ms(20000)), "never idle");
        DataStream<Long> plain = env.fromSource(numbers, new Own(), "plain");
        DataStream<Long> mixed = env.fromSource(HybridSource.builder(numbers)
                .addSource(new NumberSequenceSource(1001, 2000))
                .addSource(switched -> new NumberSequenceSource(2001, 3000), numbers.getBoundedness())
                .build(), WatermarkStrategy.noWatermarks(), "hybrid", Types.LONG);
        KeyedStream<Long, Long> keyed = aligned.union(drifting, plain, mixed)
                .assignTimestampsAndWatermarks(strategy().withIdleness(ms(7000)).withWatermarkAlignment("theirs", ms(9)))
                .name("assigned").keyBy(n -> n % 10, Types.LONG);
        window(keyed, TumblingEventTimeWindows.of(ms(5000), ms(1000)), 0, "tumbling");
        window(keyed, SlidingEventTimeWindows.of(ms(5000), ms(1000), ms(-300)), 60000, "sliding");
        window(keyed, TumblingProcessingTimeWindows.of(ms(5000), ms(2000)), 0, "by the clock");
        window(keyed, EventTimeSessionWindows.withGap(ms(5000)), 250, "session");
        window(keyed, TumblingEventTimeWindows.of(ms(5000)), 0, "without");
        window(keyed, new OwnWindows(), 0, "own");
        env.execute("event times");
    }

    static void window(KeyedStream<Long, Long> keyed,
            WindowAssigner<Object, org.apache.flink.streaming.api.windowing.windows.TimeWindow> assigner,
            long lateness, String name) {
        keyed.window(assigner).allowedLateness(ms(lateness)).reduce(Long::sum).name(name)
                .sinkTo(new DiscardingSink<>()).name("out of " + name);
    }
}
