import org.apache.flink.api.java.DataSet;
import org.apache.flink.api.java.ExecutionEnvironment;

/** A DataSet program that counts and collects, each time by a job of its own, before its last job. */
public class Counts {

    public static void main(String[] args) throws Exception {
        ExecutionEnvironment env = ExecutionEnvironment.getExecutionEnvironment();
        DataSet<Integer> numbers = env.fromElements(1, 2);
        long count = numbers.count();
        int rows = numbers.collect().size();
        numbers.writeAsText("/nowhere/numbers");
        env.execute("after " + count + " and " + rows);
    }
}
