import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.RichSinkFunction;

/** A job with API that Flink 2.0 removed: an override, a class, an inherited method. */
public class OldApi {
    public static class Opened extends RichMapFunction<Long, Long> {
        @Override
        public void open(Configuration parameters) {}

        @Override
        public Long map(Long value) {
            return value + getRuntimeContext().getIndexOfThisSubtask();
        }
    }

    /** Overrides through a class of its own. */
    public static class Further extends Opened {
        @Override
        public void open(Configuration parameters) {
            super.open(parameters);
        }
    }

    public static class Written extends RichSinkFunction<Long> {
        @Override
        public void invoke(Long value, Context context) {}
    }

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        DataStream<Long> numbers = env.fromSequence(1, 10).map(new Opened()).uid("opened");
        numbers.map(new Further()).uid("further").addSink(new Written()).uid("written");
        env.execute("old API");
    }
}
