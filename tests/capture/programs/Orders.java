import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.ReduceFunction;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/** Orders by customer, with uids, a side output and what a partitioning can be. */
public class Orders {

    static class Parse implements MapFunction<String, Tuple2<String, Integer>> {
        public Tuple2<String, Integer> map(String line) {
            return Tuple2.of(line, 1);
        }
    }

    static class Sum implements ReduceFunction<Tuple2<String, Integer>> {
        public Tuple2<String, Integer> reduce(Tuple2<String, Integer> a, Tuple2<String, Integer> b) {
            return Tuple2.of(a.f0, a.f1 + b.f1);
        }
    }

    static class Sort extends ProcessFunction<Tuple2<String, Integer>, Tuple2<String, Integer>> {
        public void processElement(Tuple2<String, Integer> order, Context context, Collector<Tuple2<String, Integer>> out) {
            if (order.f1 > 3) {
                context.output(LARGE, order);
            } else {
                out.collect(order);
            }
        }
    }

    static final OutputTag<Tuple2<String, Integer>> LARGE =
            new OutputTag<Tuple2<String, Integer>>("large") {};

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setMaxParallelism(360);
        env.enableCheckpointing(10_000);
        DataStream<String> lines = env.fromElements("a", "b", "c").uid("lines");
        SingleOutputStreamOperator<Tuple2<String, Integer>> sums =
                lines.rebalance().map(new Parse()).name("parse").uid("parse").setParallelism(3)
                        .keyBy(order -> order.f0).reduce(new Sum()).uid("sums").slotSharingGroup("sums");
        SingleOutputStreamOperator<Tuple2<String, Integer>> sorted = sums.process(new Sort());
        sorted.getSideOutput(LARGE).print("large").setParallelism(1);
        sorted.broadcast().print().name("out").setParallelism(2);
        sorted.shuffle().map(order -> order.f0).returns(String.class).disableChaining().global().print();
        env.execute(args.length > 0 ? args[0] : "orders");
    }
}
