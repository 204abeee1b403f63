import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/**
 * What Flink SQL makes of expressions over the rows of one table, in the time zone UTC. The first line
 * is the table: a query whose first column is each row's number. Every other line is an expression;
 * the answer is its type and its values row by row, or what Flink says against it.
 */
public final class Expressions {
    private static final String SEPARATOR = "\u0001";
    private final TableEnvironment environment;
    private final Map<Integer, String> answers = new TreeMap<>();

    private Expressions(TableEnvironment environment) {
        this.environment = environment;
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        Configuration settings = new Configuration();
        settings.setString("table.local-time-zone", "UTC");
        settings.setString("parallelism.default", "1");
        TableEnvironment environment =
                TableEnvironment.create(
                        EnvironmentSettings.newInstance().inBatchMode().withConfiguration(settings).build());
        environment.createTemporaryView("t", environment.sqlQuery(lines.readLine()));
        List<String> expressions = new ArrayList<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            expressions.add(line);
        }
        Expressions asking = new Expressions(environment);
        asking.ask(expressions, 0, expressions.size());
        System.out.println();
        for (String answer : asking.answers.values()) {
            System.out.println("= " + answer);
        }
        System.exit(0);
    }

    /** All at once; where that fails, each half by itself, down to the expression that is refused. */
    private void ask(List<String> expressions, int from, int to) {
        if (from == to) {
            return;
        }
        try {
            take(expressions, from, to);
        } catch (Throwable error) {
            if (to - from == 1) {
                answers.put(from, "error" + SEPARATOR + said(error));
                return;
            }
            int middle = (from + to) / 2;
            ask(expressions, from, middle);
            ask(expressions, middle, to);
        }
    }

    private void take(List<String> expressions, int from, int to) throws Exception {
        StringBuilder query = new StringBuilder("SELECT i");
        for (int at = from; at < to; at++) {
            query.append(", (").append(expressions.get(at)).append(") AS e").append(at);
        }
        TableResult result = environment.executeSql(query.append(" FROM t").toString());
        List<Row> rows = new ArrayList<>();
        try (CloseableIterator<Row> each = result.collect()) {
            each.forEachRemaining(rows::add);
        }
        rows.sort(Comparator.comparing(row -> ((Number) row.getField(0)).longValue()));
        for (int at = from; at < to; at++) {
            StringBuilder answer = new StringBuilder();
            int column = at - from + 1;
            answer.append(result.getResolvedSchema().getColumnDataTypes().get(column).getLogicalType());
            for (Row row : rows) {
                Object value = row.getField(column);
                answer.append(SEPARATOR).append(value == null ? "\u0002" : value.toString());
            }
            answers.put(at, answer.toString().replace("\n", "\u0003"));
        }
    }

    /** The innermost message, in one line. */
    private static String said(Throwable error) {
        Throwable inner = error;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        String words = inner.getClass().getSimpleName() + ": " + inner.getMessage();
        return words.replaceAll("\\s+", " ").trim();
    }
}
