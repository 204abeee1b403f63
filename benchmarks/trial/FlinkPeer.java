import java.util.regex.Pattern;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.connector.file.src.reader.TextLineInputFormat;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * The benchmark's pipelines on Flink's local cluster, two slots in this JVM.
 *
 * <p>One line of standard input is one run: {@code words chained PATH}, {@code numbers unchained
 * 4000000}. Each is answered by its net runtime in milliseconds, as Flink itself tells it, so that
 * the start of the local cluster is not counted.
 */
public final class FlinkPeer {
    private static final Pattern NO_WORD = Pattern.compile("[^a-z]+");

    public static void main(String[] none) throws Exception {
        var lines = new java.util.Scanner(System.in);
        while (lines.hasNextLine()) {
            String[] asked = lines.nextLine().split(" ", 3);
            var environment = environment(asked[1].equals("chained"));
            if (asked[0].equals("words")) {
                words(environment, asked[2]);
            } else {
                numbers(environment, Long.parseLong(asked[2]));
            }
            System.out.println(environment.execute().getNetRuntime());
        }
    }

    private static StreamExecutionEnvironment environment(boolean chained) {
        var environment =
                StreamExecutionEnvironment.createLocalEnvironment(2, new Configuration());
        environment.setRuntimeMode(RuntimeExecutionMode.STREAMING);
        if (!chained) {
            environment.disableOperatorChaining();
        }
        return environment;
    }

    private static void words(StreamExecutionEnvironment environment, String path) {
        var source =
                FileSource.forRecordStreamFormat(new TextLineInputFormat(), new Path(path)).build();
        DataStream<String> lines =
                environment.fromSource(source, WatermarkStrategy.noWatermarks(), "lines");
        FlatMapFunction<String, String> split =
                (line, out) -> {
                    for (String word : NO_WORD.split(line.toLowerCase())) {
                        if (!word.isEmpty()) {
                            out.collect(word);
                        }
                    }
                };
        lines.flatMap(split)
                .returns(Types.STRING)
                .filter(word -> word.length() > 2)
                .map(word -> Tuple2.of(word, 1L))
                .returns(Types.TUPLE(Types.STRING, Types.LONG))
                .keyBy(pair -> pair.f0, Types.STRING)
                .reduce((a, b) -> Tuple2.of(a.f0, a.f1 + b.f1))
                .sinkTo(new DiscardingSink<>());
    }

    private static void numbers(StreamExecutionEnvironment environment, long count) {
        environment
                .fromSequence(0, count - 1)
                .filter(n -> n % 2 == 0)
                .map(n -> Tuple2.of(n / 2 % 500, n * 3 + 1))
                .returns(Types.TUPLE(Types.LONG, Types.LONG))
                .keyBy(pair -> pair.f0, Types.LONG)
                .reduce((a, b) -> Tuple2.of(a.f0, a.f1 + b.f1))
                .sinkTo(new DiscardingSink<>());
    }
}
