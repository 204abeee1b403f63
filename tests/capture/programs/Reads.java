import java.util.List;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.accumulators.ListAccumulator;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A program that reads the rows of its first job, or an accumulator, before its second. */
public class Reads {

    static class Counting extends RichMapFunction<Integer, Integer> {
        private final LongCounter records = new LongCounter();

        @Override
        public void open(Configuration parameters) {
            getRuntimeContext().addAccumulator("records", records);
            getRuntimeContext().addAccumulator("large", new ListAccumulator<Integer>());
            getRuntimeContext().getIntCounter("odd");
        }

        @Override
        public Integer map(Integer value) {
            return value;
        }
    }

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        if (args[0].equals("rows")) {
            List<Integer> rows = env.fromData(1, 2).executeAndCollect(10);
            env.fromData(3, 4).print();
            env.execute("after " + rows.size());
        } else if (args[0].equals("first row")) {
            List<Integer> rows = env.fromData(1, 2).executeAndCollect(10);
            int first = rows.get(0);
            env.fromData(3, 4).print();
            env.execute("after " + first);
        } else if (args[0].equals("unknown")) {
            env.fromData(1, 2).print();
            int count = env.execute("counted").<Integer>getAccumulatorResult("count");
            env.execute("after " + count);
        } else if (args[0].equals("client")) {
            env.fromData(1, 2).map(new Counting()).print();
            long records = (Long) env.executeAsync("counted").getAccumulators().get().get("records");
            env.fromData(3, 4).print();
            env.execute("after " + records);
        } else {
            env.fromData(1, 2).map(new Counting()).print();
            JobExecutionResult counted = env.execute("counted");
            long records = counted.<Long>getAccumulatorResult("records");
            int odd = counted.<Integer>getAccumulatorResult("odd");
            List<Integer> large = counted.getAccumulatorResult("large");
            env.fromData(3, 4).print();
            env.execute("after " + records + odd + large.size());
        }
    }
}
