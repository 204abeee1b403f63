import java.util.List;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A program that reads the rows of its first job, or an accumulator, before its second. */
public class Reads {

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        if (args[0].equals("rows")) {
            List<Integer> rows = env.fromData(1, 2).executeAndCollect(10);
            env.fromData(3, 4).print();
            env.execute("after " + rows.size());
        } else {
            env.fromData(1, 2).print();
            int count = env.execute("counted").<Integer>getAccumulatorResult("count");
            env.execute("after " + count);
        }
    }
}
