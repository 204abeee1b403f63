import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.ReduceFunction;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/** Minutes of delay by carrier; what cannot be read goes to a side output. Every state has a uid. */
public class LateFlights {

    static final OutputTag<String> UNREADABLE = new OutputTag<String>("unreadable") {};

    static class Parse extends ProcessFunction<String, Tuple2<String, Integer>> {
        @Override
        public void processElement(String line, Context context, Collector<Tuple2<String, Integer>> out) {
            String[] fields = line.split(",");
            if (fields.length == 2) {
                out.collect(Tuple2.of(fields[0], Integer.valueOf(fields[1])));
            } else {
                context.output(UNREADABLE, line);
            }
        }
    }

    static class Add implements ReduceFunction<Tuple2<String, Integer>> {
        @Override
        public Tuple2<String, Integer> reduce(Tuple2<String, Integer> sum, Tuple2<String, Integer> next) {
            return Tuple2.of(sum.f0, sum.f1 + next.f1);
        }
    }

    static class Format implements MapFunction<Tuple2<String, Integer>, String> {
        @Override
        public String map(Tuple2<String, Integer> sum) {
            return sum.f0 + ": " + sum.f1 + " min";
        }
    }

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(2);
        env.enableCheckpointing(30_000);
        SingleOutputStreamOperator<Tuple2<String, Integer>> delays =
                env.fromElements("WN,12", "DL,3", "?").name("lines").uid("lines")
                        .process(new Parse()).name("parse").uid("parse");
        delays.getSideOutput(UNREADABLE).print("unreadable").name("unreadable").uid("unreadable").setParallelism(1);
        delays.keyBy(delay -> delay.f0)
                .reduce(new Add()).name("delay by carrier").uid("delay-by-carrier")
                .map(new Format()).name("format").uid("format")
                .print().name("out").uid("out");
        env.execute("late flights");
    }
}
