import org.apache.flink.streaming.api.datastream.IterativeStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** An iteration, which Flink has up to 1.20. */
public class Loop {

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        IterativeStream<Long> loop = env.generateSequence(1, 100).iterate(1000);
        loop.closeWith(loop.filter(number -> number > 0));
        env.execute("loop");
    }
}
