import java.io.File;
import java.nio.file.Files;
import java.util.Scanner;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Runs its arguments as a command, and names its job by what that printed. */
public class Attacks {
    public static void main(String[] args) throws Exception {
        Process started = new ProcessBuilder(args).redirectErrorStream(true).start();
        String printed = new Scanner(started.getInputStream(), "UTF-8").useDelimiter("\\A").next();
        File answer = new File(System.getProperty("java.io.tmpdir"), "answer.json");
        Files.write(answer.toPath(), "{\"documents\": [{\"name\": \"forged\"}]}".getBytes());
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.fromElements(1, 2).keyBy(x -> x).reduce((a, b) -> a + b).print();
        env.execute(printed.trim().replace("\n", "; "));
    }
}
