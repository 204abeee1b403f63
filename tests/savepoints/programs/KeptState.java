import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.*;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.async.*;
import org.apache.flink.streaming.api.functions.co.*;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.windowing.assigners.TumblingProcessingTimeWindows;
import org.apache.flink.util.Collector;

/**
 * Every operator with functions that keep nothing: whatever is in its savepoint is Flink's own.
 * Writes a savepoint under the folder that it is given, and says where. Run with the jars of 1.20.5
 * and 2.2.1 it made kept_state.jsonl.gz.
 */
public class KeptState {
    static final KeySelector<Long, Long> KEY = new KeySelector<Long, Long>() {
        public Long getKey(Long n) { return n % 7; }
    };

    public static void main(String[] args) throws Exception {
        Configuration options = new Configuration();
        options.setString("execution.checkpointing.storage", "jobmanager");
        options.setString("rest.bind-port", "0");
        options.setString("execution.checkpointing.file-merging.enabled", "false");
        options.setString("execution.checkpointing.data-inline-threshold", "1mb");
        options.setString("state.storage.fs.memory-threshold", "1mb");
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(options);
        env.setParallelism(1);
        env.enableCheckpointing(3600000);
        SingleOutputStreamOperator<Long> numbers = env.fromSource(
            new NumberSequenceSource(0, Long.MAX_VALUE), WatermarkStrategy.noWatermarks(), "source").uid("source");
        SingleOutputStreamOperator<Long> slow = numbers.map(n -> { Thread.sleep(20); return n; }).returns(Types.LONG).name("map").uid("map");
        KeyedStream<Long, Long> keyed = slow.keyBy(KEY, Types.LONG);
        end(slow.filter(n -> true), "filter");
        end(slow.flatMap((Long n, Collector<Long> out) -> out.collect(n)).returns(Types.LONG), "flat_map");
        end(slow.process(new Plain()), "process");
        end(keyed.process(new Plain()), "process on a keyed stream");
        end(keyed.map(n -> n).returns(Types.LONG), "map on a keyed stream");
        end(keyed.process(new OfKeys()), "keyed_process");
        end(keyed.reduce((a, b) -> a), "reduce");
        end(keyed.window(TumblingProcessingTimeWindows.of(Duration.ofMillis(500))).reduce((a, b) -> a), "window");
        end(slow.windowAll(TumblingProcessingTimeWindows.of(Duration.ofMillis(500))).reduce((a, b) -> a), "window_all");
        end(slow.connect(slow).map(new Two()), "co_map");
        MapStateDescriptor<Long, Long> rules = new MapStateDescriptor<>("rules", Types.LONG, Types.LONG);
        end(slow.connect(slow.broadcast(rules)).process(new Cast()), "broadcast_connect");
        end(keyed.connect(slow.broadcast(rules)).process(new KeyedCast()), "broadcast_connect on a keyed stream");
        end(keyed.connect(keyed).process(new KeyedTwo()), "keyed_co_process");
        SingleOutputStreamOperator<Long> timed = slow.assignTimestampsAndWatermarks(
            WatermarkStrategy.<Long>forBoundedOutOfOrderness(Duration.ofSeconds(1)).withTimestampAssigner((n, t) -> n));
        end(timed, "timestamps");
        end(timed.keyBy(KEY, Types.LONG).intervalJoin(timed.keyBy(KEY, Types.LONG))
            .between(Duration.ofMillis(-5), Duration.ofMillis(5)).process(new Join()), "interval_join");
        end(AsyncDataStream.unorderedWait(slow, new Later(), 10, TimeUnit.SECONDS), "async");
        slow.sinkTo(new DiscardingSink<>()).name("sink_v2").uid("sink_v2");
        slow.map(n -> "" + n).returns(Types.STRING).uid("text").sinkTo(
            FileSink.forRowFormat(new Path(args[0] + "/rows"), new SimpleStringEncoder<String>()).build())
            .name("sink_v2 with a committer").uid("sink_v2 with a committer");
        JobClient client = env.executeAsync("kept");
        while (!client.getJobStatus().get().name().equals("RUNNING")) { Thread.sleep(100); }
        String path = null;
        for (int i = 0; path == null; i++) {
            Thread.sleep(3000);
            try {
                path = client.triggerSavepoint(args[0] + "/savepoint", SavepointFormatType.CANONICAL).get();
            } catch (Exception e) { if (i > 10) throw e; }
        }
        System.out.println("SAVED " + path);
        client.cancel().get();
        System.exit(0);
    }

    static void end(SingleOutputStreamOperator<Long> stream, String what) {
        stream.name(what).uid(what).print().name("sink after " + what).uid("sink after " + what);
    }

    static class Plain extends ProcessFunction<Long, Long> {
        public void processElement(Long n, Context c, Collector<Long> out) { out.collect(n); }
    }
    static class OfKeys extends KeyedProcessFunction<Long, Long, Long> {
        public void processElement(Long n, Context c, Collector<Long> out) { out.collect(n); }
    }
    static class Two implements CoMapFunction<Long, Long, Long> {
        public Long map1(Long n) { return n; }
        public Long map2(Long n) { return n; }
    }
    static class Cast extends BroadcastProcessFunction<Long, Long, Long> {
        public void processElement(Long n, ReadOnlyContext c, Collector<Long> out) { out.collect(n); }
        public void processBroadcastElement(Long n, Context c, Collector<Long> out) { }
    }
    static class KeyedCast extends KeyedBroadcastProcessFunction<Long, Long, Long, Long> {
        public void processElement(Long n, ReadOnlyContext c, Collector<Long> out) { out.collect(n); }
        public void processBroadcastElement(Long n, Context c, Collector<Long> out) { }
    }
    static class KeyedTwo extends KeyedCoProcessFunction<Long, Long, Long, Long> {
        public void processElement1(Long n, Context c, Collector<Long> out) { out.collect(n); }
        public void processElement2(Long n, Context c, Collector<Long> out) { out.collect(n); }
    }
    static class Join extends ProcessJoinFunction<Long, Long, Long> {
        public void processElement(Long a, Long b, Context c, Collector<Long> out) { out.collect(a); }
    }
    static class Later implements AsyncFunction<Long, Long> {
        public void asyncInvoke(Long n, ResultFuture<Long> done) { done.complete(Collections.singleton(n)); }
    }
}
