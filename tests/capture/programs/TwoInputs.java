import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.co.CoMapFunction;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.streaming.api.functions.sink.DiscardingSink;
import org.apache.flink.streaming.api.functions.source.SourceFunction;
import org.apache.flink.util.Collector;

/** Operators with two inputs, with names and uids, one name with a line feed. */
public class TwoInputs {
    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        if (args.length > 0) {
            env.enableCheckpointing(10000);
        }
        DataStream<Long> left = env.addSource(new Ticks()).name("left").uid("left");
        DataStream<Long> right = env.addSource(new Ticks()).name("right").uid("right");
        left.keyBy(n -> n)
                .connect(right.keyBy(n -> n))
                .process(new First())
                .name("Both")
                .uid("both")
                .map(n -> n)
                .name("two\nlines")
                .uid("lines")
                .addSink(new DiscardingSink<>())
                .name("out")
                .uid("out");
        left.connect(right)
                .map(new Either())
                .name("Plain")
                .uid("plain")
                .addSink(new DiscardingSink<>())
                .name("plain out")
                .uid("plain out");
        env.execute("two inputs");
    }

    static class Ticks implements SourceFunction<Long> {
        private volatile boolean running = true;

        @Override
        public void run(SourceContext<Long> context) throws Exception {
            while (running) {
                context.collect(1L);
                Thread.sleep(100);
            }
        }

        @Override
        public void cancel() {
            running = false;
        }
    }

    static class First extends KeyedCoProcessFunction<Long, Long, Long, Long> {
        @Override
        public void processElement1(Long value, Context context, Collector<Long> out) {
            out.collect(value);
        }

        @Override
        public void processElement2(Long value, Context context, Collector<Long> out) {
            out.collect(value);
        }
    }

    static class Either implements CoMapFunction<Long, Long, Long> {
        @Override
        public Long map1(Long value) {
            return value;
        }

        @Override
        public Long map2(Long value) {
            return value;
        }
    }
}
