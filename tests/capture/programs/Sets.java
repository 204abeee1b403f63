import org.apache.flink.api.java.ExecutionEnvironment;

/** A program of the DataSet API, which Flink has up to 1.20. */
public class Sets {

    public static void main(String[] args) throws Exception {
        ExecutionEnvironment env = ExecutionEnvironment.getExecutionEnvironment();
        env.fromElements(1, 2).writeAsText("/nowhere/numbers");
        env.execute("sets");
    }
}
