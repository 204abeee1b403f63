import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A job without an end: numbers at a walk, their sums by last digit, in tasks of several operators. */
public class Runs {

    @SuppressWarnings("unchecked")
    static SingleOutputStreamOperator<Long> numbers(StreamExecutionEnvironment env) throws Exception {
        Class<?> api = StreamExecutionEnvironment.class;
        String call = "fromSequence";
        try {
            api.getMethod(call, long.class, long.class);
        } catch (NoSuchMethodException before112) {
            call = "generateSequence";
        }
        Object made = api.getMethod(call, long.class, long.class).invoke(env, 1L, 200_000L);
        return (SingleOutputStreamOperator<Long>) made;
    }

    static Long slowly(Long number) throws InterruptedException {
        Thread.sleep(5);
        return number;
    }

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(2);
        env.enableCheckpointing(1_000);
        DataStream<Long> slow =
                numbers(env).uid("numbers").setParallelism(1).map(Runs::slowly).returns(Types.LONG)
                        .name("slow -> down, (twice)").setParallelism(1);
        DataStream<Long> sums = slow.keyBy(number -> number % 10).reduce(Long::sum).name("sums").uid("sums");
        sums.filter(sum -> sum < 0).name("negative").print().name("below 0");
        sums.map(sum -> sum / 2).returns(Types.LONG).name("halves").filter(half -> half < 0).print();
        slow.rebalance().filter(number -> number < 0).name("<none> & \"few\"").setMaxParallelism(64).print().uid("out");
        env.execute(args.length > 0 ? args[0] : "runs");
    }
}
