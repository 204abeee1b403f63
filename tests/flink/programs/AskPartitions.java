import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapPartitionFunction;
import org.apache.flink.api.common.operators.Order;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.PartitionWindowedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.types.Row;
import org.apache.flink.util.Collector;

/**
 * Runs jobs with partition windows in a local cluster and prints the rows that they emit, in order.
 * A question is a line: sort KEY FIELD ORDER ROW..., or map KEY ROW.... KEY is a field or none; a row
 * is w|n|d|b, where an empty field is null. Each row gets its number as a fifth field, the emitted
 * ones their timestamp as a sixth.
 */
public final class AskPartitions {
    static final TypeInformation<Row> ROWS = Types.ROW_NAMED(
            new String[] {"w", "n", "d", "b", "i"},
            Types.STRING, Types.LONG, Types.DOUBLE, Types.BOOLEAN, Types.LONG);

    /** Emits each row of the window, then the window's count. */
    static final class Each implements MapPartitionFunction<Row, Row> {
        @Override
        public void mapPartition(Iterable<Row> rows, Collector<Row> out) {
            long count = 0;
            for (Row row : rows) {
                out.collect(row);
                count++;
            }
            out.collect(Row.of(null, count, null, null, -1L));
        }
    }

    static final class WithTimestamp extends ProcessFunction<Row, Row> {
        @Override
        public void processElement(Row row, Context context, Collector<Row> out) {
            out.collect(Row.join(row, Row.of(context.timestamp())));
        }
    }

    public static void main(String[] arguments) throws Exception {
        java.io.BufferedReader in =
                new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println("= " + answerAfterFailures(line.trim().split(" ")));
        }
        System.exit(0);
    }

    /**
     * MapPartitionOperator emits from a thread of its own, which at times fails the job with
     * "Wrong number of free segments".
     */
    static String answerAfterFailures(String[] words) throws Exception {
        for (int attempt = 1; attempt < 20; attempt++) {
            try {
                return answer(words);
            } catch (Exception failed) {
                System.err.println(failed);
            }
        }
        return answer(words);
    }

    static String answer(String[] words) throws Exception {
        StreamExecutionEnvironment program = StreamExecutionEnvironment.getExecutionEnvironment();
        program.setParallelism(1);
        boolean sorts = words[0].equals("sort");
        List<Row> rows = new ArrayList<>();
        for (String word : Arrays.asList(words).subList(sorts ? 4 : 2, words.length)) {
            rows.add(row(word, rows.size()));
        }
        SingleOutputStreamOperator<Row> source = program
                .fromCollection(rows, ROWS)
                .assignTimestampsAndWatermarks(WatermarkStrategy
                        .<Row>forMonotonousTimestamps()
                        .withTimestampAssigner((row, before) -> (Long) row.getField(4)));
        String key = words[1];
        PartitionWindowedStream<Row> windows = key.equals("none")
                ? source.fullWindowPartition()
                : source.keyBy(row -> row.getField(position(key)), keyType(key)).fullWindowPartition();
        SingleOutputStreamOperator<Row> made = sorts
                ? windows.sortPartition(words[2], Order.valueOf(words[3]))
                : windows.mapPartition(new Each()).returns(ROWS);
        List<String> emitted = new ArrayList<>();
        Iterator<Row> results = made.process(new WithTimestamp(), Types.ROW(
                Types.STRING, Types.LONG, Types.DOUBLE, Types.BOOLEAN, Types.LONG, Types.LONG))
                .executeAndCollect();
        results.forEachRemaining(row -> emitted.add("[" + row.getField(4) + ", " + row.getField(5) + "]"));
        return "{\"rows\": [" + String.join(", ", emitted) + "]}";
    }

    static int position(String field) {
        return "wndb".indexOf(field);
    }

    @SuppressWarnings("unchecked")
    static TypeInformation<Object> keyType(String field) {
        return (TypeInformation<Object>) ((org.apache.flink.api.java.typeutils.RowTypeInfo) ROWS)
                .getTypeAt(position(field));
    }

    static Row row(String word, long number) {
        String[] fields = word.split("\\|", -1);
        return Row.of(
                fields[0].isEmpty() ? null : fields[0],
                fields[1].isEmpty() ? null : Long.valueOf(fields[1]),
                fields[2].isEmpty() ? null : Double.valueOf(fields[2]),
                fields[3].isEmpty() ? null : Boolean.valueOf(fields[3]),
                number);
    }
}
