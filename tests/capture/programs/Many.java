import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** As many keyed operators as the first argument says, one after the other. */
public class Many {

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(2);
        DataStream<Long> stream = env.fromSequence(1, 100);
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            stream = stream.keyBy(n -> n % 10).reduce(Long::sum).name("sum " + i);
        }
        stream.print();
        env.execute("many");
    }
}
