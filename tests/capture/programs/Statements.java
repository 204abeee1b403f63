import java.nio.file.Files;
import java.nio.file.Paths;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;

/** Runs the statements of a script's file, each of which ends with a semicolon and a line break. */
public class Statements {
    public static void main(String[] args) throws Exception {
        TableEnvironment tables =
                TableEnvironment.create(EnvironmentSettings.newInstance().inStreamingMode().build());
        for (String text : new String(Files.readAllBytes(Paths.get(args[0]))).split(";\\s*\n")) {
            String[] set = text.trim().split("'");
            if (text.trim().startsWith("SET ")) {
                tables.getConfig().getConfiguration().setString(set[1], set[3]);
            } else if (!text.trim().isEmpty()) {
                tables.executeSql(text.trim());
            }
        }
    }
}
