import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;

/** Runs the statements of a SQL script, which stands in place of the word. */
public class RunScript {
    public static void main(String[] args) {
        TableEnvironment tables = TableEnvironment.create(EnvironmentSettings.inStreamingMode());
        tables.getConfig().set("parallelism.default", "1");
        for (String statement : SCRIPT.split(";\n")) tables.executeSql(statement);
    }
}
