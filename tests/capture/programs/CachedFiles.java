import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A job with two files that its tasks read from the distributed cache. */
public class CachedFiles {

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.registerCachedFile("/data/words.txt", "words");
        env.registerCachedFile("/data/run.sh", "script", true);
        env.fromElements(1, 2).print();
        env.execute("cached files");
    }
}
