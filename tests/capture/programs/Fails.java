import java.io.IOException;
import java.net.Socket;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A program that comes to grief in the way that its first argument names. */
public class Fails {

    static class Helper {
        static void help() {}
    }

    static void job(StreamExecutionEnvironment env, String name) throws Exception {
        env.fromElements(1, 2, 3).uid("numbers").print();
        env.execute(name);
    }

    static void twice(StreamExecutionEnvironment env) throws Exception {
        env.fromElements(1).uid("same").map(x -> x).returns(Integer.class).uid("same").print();
        env.execute();
    }

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        switch (args.length == 0 ? "nothing" : args[0]) {
            case "throws":
                throw new IllegalStateException("no input was named");
            case "throws later":
                job(env, "first");
                throw new IllegalStateException("no rows");
            case "exits":
                System.out.println("usage: Fails WAY");
                System.exit(3);
                break;
            case "exits later":
                job(env, "first");
                System.exit(0);
                break;
            case "waits":
                Thread.sleep(600_000);
                break;
            case "waits later":
                job(env, "first");
                Thread.sleep(600_000);
                break;
            case "connects":
                new Socket("127.0.0.1", 1).close();
                break;
            case "lacks":
                Helper.help();
                break;
            case "twice":
                twice(env);
                break;
            case "catches":
                try {
                    twice(env);
                } catch (Exception refused) {
                    job(StreamExecutionEnvironment.getExecutionEnvironment(), "second");
                }
                break;
            case "several":
                job(env, "first");
                job(StreamExecutionEnvironment.getExecutionEnvironment(), "second");
                break;
            case "local":
                job(StreamExecutionEnvironment.createLocalEnvironment(), "local");
                break;
            case "thrice":
                for (int i = 0; i < 3; i++) {
                    job(StreamExecutionEnvironment.getExecutionEnvironment(), "same");
                }
                break;
            default:
                System.out.println("nothing to do");
        }
    }
}
