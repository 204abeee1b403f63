import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.catalog.Catalog;
import org.apache.flink.table.catalog.CatalogBaseTable;
import org.apache.flink.table.catalog.CatalogDatabase;
import org.apache.flink.table.catalog.CatalogDatabaseImpl;
import org.apache.flink.table.catalog.CatalogFunction;
import org.apache.flink.table.catalog.CatalogFunctionImpl;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.GenericInMemoryCatalog;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.exceptions.CatalogException;
import org.apache.flink.table.factories.CatalogFactory;

/** A catalog that outlives the process: each change writes the names of all objects into a file. */
public class LastingCatalog extends GenericInMemoryCatalog {

    private final Path file;
    private boolean saving;

    public LastingCatalog(String name, String file) {
        super(name, "main");
        this.file = Paths.get(file);
    }

    @Override
    public void open() {
        super.open();
        try {
            for (String line : Files.exists(file) ? Files.readAllLines(file) : new ArrayList<String>()) {
                String[] words = line.split(" ");
                if (words[0].equals("database")) {
                    createDatabase(words[1], new CatalogDatabaseImpl(Collections.emptyMap(), null), true);
                } else if (words[0].equals("table")) {
                    createTable(ObjectPath.fromString(words[1]), numbers(words[2]), true);
                } else {
                    createFunction(ObjectPath.fromString(words[1]), new CatalogFunctionImpl(words[2]), true);
                }
            }
        } catch (Exception error) {
            throw new CatalogException(error);
        }
        saving = true;
    }

    static CatalogTable numbers(String connector) {
        Schema schema = Schema.newBuilder().column("n", DataTypes.BIGINT()).build();
        return CatalogTable.newBuilder()
                .schema(schema)
                .options(Collections.singletonMap("connector", connector))
                .build();
    }

    private void save() {
        if (!saving) {
            return;
        }
        List<String> lines = new ArrayList<>();
        try {
            for (String database : new TreeSet<>(listDatabases())) {
                lines.add("database " + database);
                for (String table : new TreeSet<>(listTables(database))) {
                    CatalogBaseTable found = getTable(new ObjectPath(database, table));
                    lines.add("table " + database + "." + table + " " + found.getOptions().getOrDefault("connector", "view"));
                }
                for (String function : new TreeSet<>(listFunctions(database))) {
                    lines.add("function " + database + "." + function + " x");
                }
            }
            Files.write(file, lines);
        } catch (Exception error) {
            throw new CatalogException(error);
        }
    }

    @Override
    public void createDatabase(String name, CatalogDatabase database, boolean ignore)
            throws org.apache.flink.table.catalog.exceptions.DatabaseAlreadyExistException {
        super.createDatabase(name, database, ignore);
        save();
    }

    @Override
    public void dropDatabase(String name, boolean ignore, boolean cascade)
            throws org.apache.flink.table.catalog.exceptions.DatabaseNotExistException,
                    org.apache.flink.table.catalog.exceptions.DatabaseNotEmptyException {
        super.dropDatabase(name, ignore, cascade);
        save();
    }

    @Override
    public void createTable(ObjectPath path, CatalogBaseTable table, boolean ignore)
            throws org.apache.flink.table.catalog.exceptions.TableAlreadyExistException,
                    org.apache.flink.table.catalog.exceptions.DatabaseNotExistException {
        super.createTable(path, table, ignore);
        save();
    }

    @Override
    public void alterTable(ObjectPath path, CatalogBaseTable table, boolean ignore)
            throws org.apache.flink.table.catalog.exceptions.TableNotExistException {
        super.alterTable(path, table, ignore);
        save();
    }

    @Override
    public void dropTable(ObjectPath path, boolean ignore)
            throws org.apache.flink.table.catalog.exceptions.TableNotExistException {
        super.dropTable(path, ignore);
        save();
    }

    @Override
    public void renameTable(ObjectPath path, String name, boolean ignore)
            throws org.apache.flink.table.catalog.exceptions.TableNotExistException,
                    org.apache.flink.table.catalog.exceptions.TableAlreadyExistException {
        super.renameTable(path, name, ignore);
        save();
    }

    @Override
    public void createFunction(ObjectPath path, CatalogFunction function, boolean ignore)
            throws org.apache.flink.table.catalog.exceptions.FunctionAlreadyExistException,
                    org.apache.flink.table.catalog.exceptions.DatabaseNotExistException {
        super.createFunction(path, function, ignore);
        save();
    }

    @Override
    public void dropFunction(ObjectPath path, boolean ignore)
            throws org.apache.flink.table.catalog.exceptions.FunctionNotExistException {
        super.dropFunction(path, ignore);
        save();
    }

    /** Found by the name {@code lasting}, in META-INF/services. */
    public static class Factory implements CatalogFactory {

        private static final ConfigOption<String> FILE =
                ConfigOptions.key("file").stringType().noDefaultValue();

        @Override
        public String factoryIdentifier() {
            return "lasting";
        }

        @Override
        public Set<ConfigOption<?>> requiredOptions() {
            return Collections.singleton(FILE);
        }

        @Override
        public Set<ConfigOption<?>> optionalOptions() {
            return Collections.emptySet();
        }

        @Override
        public Catalog createCatalog(Context context) {
            return new LastingCatalog(context.getName(), context.getOptions().get("file"));
        }
    }
}
