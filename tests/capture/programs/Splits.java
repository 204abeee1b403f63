import java.util.Arrays;
import org.apache.flink.streaming.api.collector.selector.OutputSelector;
import org.apache.flink.streaming.api.datastream.SplitStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A stream that is split, with names that pass a chained map. */
public class Splits {
    public static final class Parity implements OutputSelector<Long> {
        @Override
        public Iterable<String> select(Long value) {
            return Arrays.asList(value % 2 == 0 ? "even" : "odd");
        }
    }

    public static void main(String[] arguments) throws Exception {
        StreamExecutionEnvironment program = StreamExecutionEnvironment.getExecutionEnvironment();
        SplitStream<Long> split = program.fromElements(1L, 2L, 3L).split(new Parity());
        split.select("even", "odd").rebalance().print().name("both");
        split.select("odd").print().name("odd");
        split.print().name("all");
        program.execute("splits");
    }
}
