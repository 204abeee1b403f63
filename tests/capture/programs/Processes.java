import java.util.Arrays;

import org.apache.flink.api.connector.dsv2.DataStreamV2SourceUtils;
import org.apache.flink.api.connector.dsv2.WrappedSink;
import org.apache.flink.datastream.api.ExecutionEnvironment;
import org.apache.flink.datastream.api.attribute.NoOutputUntilEndOfInput;
import org.apache.flink.datastream.api.common.Collector;
import org.apache.flink.datastream.api.context.*;
import org.apache.flink.datastream.api.function.*;
import org.apache.flink.datastream.api.stream.*;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** A program of DataStream V2: every kind of process function, on keyed and on other streams. */
public class Processes {
    static class One implements OneInputStreamProcessFunction<Long, Long> {
        public void processRecord(Long n, Collector<Long> out, PartitionedContext<Long> context) { out.collect(n); }
    }

    @NoOutputUntilEndOfInput
    static class Last implements OneInputStreamProcessFunction<Long, Long> {
        public void processRecord(Long n, Collector<Long> out, PartitionedContext<Long> context) { }
    }

    static class Both implements TwoInputNonBroadcastStreamProcessFunction<Long, Long, Long> {
        public void processRecordFromFirstInput(Long n, Collector<Long> out, PartitionedContext<Long> context) { out.collect(n); }
        public void processRecordFromSecondInput(Long n, Collector<Long> out, PartitionedContext<Long> context) { out.collect(n); }
    }

    static class Rules implements TwoInputBroadcastStreamProcessFunction<Long, Long, Long> {
        public void processRecordFromNonBroadcastInput(Long n, Collector<Long> out, PartitionedContext<Long> context) { out.collect(n); }
        public void processRecordFromBroadcastInput(Long n, NonPartitionedContext<Long> context) { }
    }

    static class Parts implements TwoOutputStreamProcessFunction<Long, Long, Long> {
        public void processRecord(Long n, Collector<Long> one, Collector<Long> two, TwoOutputPartitionedContext<Long, Long> context) { one.collect(n); }
    }

    public static void main(String[] args) throws Exception {
        ExecutionEnvironment env = ExecutionEnvironment.getInstance();
        NonKeyedPartitionStream<Long> numbers = env.fromSource(DataStreamV2SourceUtils.fromData(Arrays.asList(1L, 2L)), "numbers").withUid("numbers");
        NonKeyedPartitionStream<Long> same = numbers.process(new One()).withName("same").withParallelism(2);
        NonKeyedPartitionStream<Long> last = same.process(new Last()).withName("last");
        NonKeyedPartitionStream<Long> both = same.connectAndProcess(last, new Both()).withName("both");
        NonKeyedPartitionStream<Long> ruled = both.connectAndProcess(numbers.broadcast(), new Rules()).withName("ruled");
        NonKeyedPartitionStream.ProcessConfigurableAndTwoNonKeyedPartitionStream<Long, Long> parts = ruled.process(new Parts()).withName("parts");
        NonKeyedPartitionStream<Long> keyed = parts.getFirst().keyBy(n -> n % 3).process(new One()).withName("keyed");
        keyed.keyBy(n -> n).connectAndProcess(same.keyBy(n -> n), new Both()).withName("keyed both").toSink(new WrappedSink<>(new DiscardingSink<>())).withName("out");
        keyed.keyBy(n -> n).connectAndProcess(same.broadcast(), new Rules()).withName("keyed ruled").toSink(new WrappedSink<>(new DiscardingSink<>()));
        parts.getSecond().keyBy(n -> n).process(new Parts()).withName("keyed parts").getFirst().shuffle().process(new One()).withName("shuffled").toSink(new WrappedSink<>(new DiscardingSink<>()));
        same.global().process(new One()).withName("global").toSink(new WrappedSink<>(new DiscardingSink<>()));
        env.execute("processes");
    }
}
