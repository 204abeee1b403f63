import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/** BATCH programs, one for each argument: what the adaptive batch scheduler makes of them is asked of clusters. */
public class Batches {
    static final OutputTag<Long> ODD = new OutputTag<Long>("odd", Types.LONG) { };
    static final OutputTag<Long> BIG = new OutputTag<Long>("big", Types.LONG) { };
    static StreamExecutionEnvironment env;

    static SingleOutputStreamOperator<Long> source(String name, long count) {
        return env.fromSource(new NumberSequenceSource(1, count), WatermarkStrategy.noWatermarks(), name);
    }

    static SingleOutputStreamOperator<Long> map(DataStream<Long> in, String name) {
        return in.map(n -> n).returns(Types.LONG).name(name);
    }

    static SingleOutputStreamOperator<Long> sum(DataStream<Long> in, String name) {
        return in.keyBy(n -> n % 7).reduce(Long::sum).name(name);
    }

    static void sink(DataStream<Long> in, String name) {
        in.sinkTo(new DiscardingSink<>()).name(name);
    }

    static class Split extends ProcessFunction<Long, Long> {
        public void processElement(Long n, Context context, Collector<Long> out) {
            if (n % 2 == 1) context.output(ODD, n);
            if (n > 50) context.output(BIG, n);
            out.collect(n);
        }
    }

    public static void main(String[] args) throws Exception {
        if (args[0].startsWith("sql")) {
            sql(args[0]);
            return;
        }
        env = StreamExecutionEnvironment.getExecutionEnvironment();
        switch (args[0]) {
            case "union": {
                DataStream<Long> a = map(source("A", 100), "MA");
                DataStream<Long> b = source("B", 100);
                DataStream<Long> c = map(source("C", 100).rebalance(), "MC");
                sink(sum(a.union(b, c), "R"), "S");
                break;
            }
            case "side": {
                SingleOutputStreamOperator<Long> split = source("A", 100).process(new Split()).name("P");
                sink(sum(split.getSideOutput(ODD), "R odd"), "S odd");
                sink(map(split.getSideOutput(BIG).rescale(), "M big"), "S big");
                sink(sum(map(split, "M"), "R"), "S");
                break;
            }
            case "apart": {
                sink(sum(source("A", 3_000_000), "RA"), "SA");
                sink(sum(sum(source("B", 100), "RB"), "RB2"), "SB");
                break;
            }
            case "apart-late": {
                sink(sum(source("A", 100), "RA"), "SA");
                sink(sum(sum(source("B", 3_000_000), "RB"), "RB2"), "SB");
                break;
            }
            case "connect": {
                DataStream<Long> a = sum(source("A", 100), "RA");
                DataStream<Long> b = map(source("B", 100), "MB");
                DataStream<Long> co = a.keyBy(n -> n).connect(b.keyBy(n -> n))
                        .map(new org.apache.flink.streaming.api.functions.co.CoMapFunction<Long, Long, Long>() {
                            public Long map1(Long n) { return n; }
                            public Long map2(Long n) { return n; }
                        }).name("Co");
                sink(map(co, "M"), "S");
                sink(sum(b, "RB"), "S2");
                break;
            }
            case "deep": {
                DataStream<Long> a = sum(sum(map(source("A", 100).rebalance(), "MA"), "RA"), "RA2");
                DataStream<Long> b = sum(source("B", 100), "RB");
                sink(sum(a.union(b), "R"), "S");
                sink(map(source("C", 100).broadcast(), "MC"), "SC");
                break;
            }
            case "uids": {
                DataStream<Long> a = source("A", 100).uid("a");
                DataStream<Long> b = sum(map(source("B", 100), "MB").uid("mb"), "RB");
                sink(sum(a.union(b), "R").uid("r"), "S");
                break;
            }
            case "wide": {
                DataStream<Long> a = map(source("A", 100), "MA");
                for (int i = 0; i < 5; i++) sink(sum(map(a, "M" + i), "R" + i), "S" + i);
                break;
            }
            default:
                throw new IllegalArgumentException(args[0]);
        }
        env.execute(args[0]);
    }

    static void sql(String name) {
        TableEnvironment table = TableEnvironment.create(EnvironmentSettings.inBatchMode());
        String generated = " WITH ('connector' = 'datagen', 'number-of-rows' = '200', 'fields.k.min' = '1', 'fields.k.max' = '20')";
        table.executeSql("CREATE TABLE a (k INT, v INT, s STRING)" + generated);
        table.executeSql("CREATE TABLE b (k INT, w INT)" + generated);
        table.executeSql("CREATE TABLE c (k INT, x INT)" + generated);
        table.executeSql("CREATE TABLE o (k INT, n BIGINT) WITH ('connector' = 'blackhole')");
        table.executeSql("CREATE TABLE p (k INT, n BIGINT) WITH ('connector' = 'blackhole')");
        switch (name) {
            case "sql-group":
                table.executeSql("INSERT INTO o SELECT k, COUNT(*) FROM a GROUP BY k");
                break;
            case "sql-same-hash":
                table.executeSql("INSERT INTO o SELECT k, SUM(n) FROM (SELECT a.k, COUNT(*) n FROM a JOIN b ON a.k = b.k GROUP BY a.k) GROUP BY k");
                break;
            case "sql-three":
                table.executeSql("INSERT INTO o SELECT a.k, COUNT(*) FROM a JOIN b ON a.k = b.k JOIN c ON b.w = c.x GROUP BY a.k");
                break;
            case "sql-set":
                table.createStatementSet()
                        .addInsertSql("INSERT INTO o SELECT k, COUNT(*) FROM a GROUP BY k")
                        .addInsertSql("INSERT INTO p SELECT v, COUNT(*) FROM a GROUP BY v")
                        .execute();
                break;
            case "sql-rank":
                table.executeSql("INSERT INTO o SELECT k, r FROM (SELECT k, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) r FROM a UNION ALL SELECT k, w FROM b) WHERE r < 3");
                break;
            default:
                throw new IllegalArgumentException(name);
        }
    }
}
