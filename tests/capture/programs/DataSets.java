import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.java.DataSet;
import org.apache.flink.api.java.ExecutionEnvironment;
import org.apache.flink.api.java.io.DiscardingOutputFormat;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.util.Collector;

/** A DataSet program with a combiner, a join and chained tasks. */
public class DataSets {
    public static final class Words implements FlatMapFunction<String, Tuple2<String, Integer>> {
        @Override
        public void flatMap(String line, Collector<Tuple2<String, Integer>> out) {
            for (String word : line.split(" ")) out.collect(Tuple2.of(word, 1));
        }
    }

    public static void main(String[] arguments) throws Exception {
        ExecutionEnvironment program = ExecutionEnvironment.getExecutionEnvironment();
        DataSet<Tuple2<String, Integer>> words =
                program.fromElements("a b", "b c").flatMap(new Words()).name("words");
        words.groupBy(0).sum(1).name("count")
                .join(words).where(0).equalTo(0)
                .output(new DiscardingOutputFormat<>()).name("pairs");
        program.execute("word pairs");
    }
}
