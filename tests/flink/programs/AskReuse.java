import java.util.*;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.*;
import org.apache.flink.api.java.typeutils.RowTypeInfo;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.*;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.types.Row;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * What do operators of a task see of one another's changes? A line of standard input is "true" or
 * "false", whether objects are reused; the answer is what each operator saw of rows 1, 2 and 3.
 * Behind a, which hands on what it gets, are b, which adds 100 in place, e behind b, c and d, which
 * look only, far behind an exchange, and "late" behind a side output to which a emits the row too.
 */
public class AskReuse {
    static final TypeInformation<Row> ROW = new RowTypeInfo(Types.LONG);
    static final OutputTag<Row> LATE = new OutputTag<Row>("late", ROW);
    static final Map<String, List<Long>> SEEN = new TreeMap<>();

    public static void main(String[] args) throws Exception {
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            SEEN.clear();
            run(lines.nextLine().equals("true"));
            StringBuilder told = new StringBuilder("= ");
            SEEN.forEach((who, rows) -> told.append(who).append(":").append(rows.toString().replace(" ", "")).append(" "));
            System.out.println(told.toString().trim());
        }
        System.exit(0);
    }

    static void run(boolean reuse) throws Exception {
        Configuration options = new Configuration();
        options.setString("rest.bind-port", "0");
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(1, options);
        if (reuse) env.getConfig().enableObjectReuse();
        DataStream<Row> rows = env.fromCollection(Arrays.asList(1L, 2L, 3L)).map(n -> Row.of(n)).returns(ROW);
        SingleOutputStreamOperator<Row> a = rows.process(new Both()).returns(ROW);
        seeing(a.map(new Adding()).returns(ROW), "e");
        seeing(a, "c");
        seeing(a, "d");
        seeing(a.rebalance(), "far");
        seeing(a.getSideOutput(LATE), "late");
        env.execute();
    }

    static void seeing(DataStream<Row> stream, String who) { stream.map(new Seeing(who)).returns(ROW).print(); }

    static synchronized void saw(String who, Row row) { SEEN.computeIfAbsent(who, key -> new ArrayList<>()).add((Long) row.getField(0)); }

    static class Both extends ProcessFunction<Row, Row> {
        public void processElement(Row row, Context context, Collector<Row> out) { out.collect(row); context.output(LATE, row); }
    }
    static class Adding implements MapFunction<Row, Row> {
        public Row map(Row row) { saw("b", row); row.setField(0, (Long) row.getField(0) + 100); return row; }
    }
    static class Seeing implements MapFunction<Row, Row> {
        final String who;
        Seeing(String who) { this.who = who; }
        public Row map(Row row) { saw(who, row); return row; }
    }
}
