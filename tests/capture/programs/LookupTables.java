import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.io.GenericInputFormat;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.InputFormatProvider;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.lookup.AsyncLookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.FullCachingLookupProvider;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.LookupOptions;
import org.apache.flink.table.connector.source.lookup.PartialCachingAsyncLookupProvider;
import org.apache.flink.table.connector.source.lookup.PartialCachingLookupProvider;
import org.apache.flink.table.connector.source.lookup.cache.DefaultLookupCache;
import org.apache.flink.table.connector.source.lookup.cache.trigger.PeriodicCacheReloadTrigger;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.functions.AsyncLookupFunction;
import org.apache.flink.table.functions.LookupFunction;

/** Connectors that are only looked up in: what each of them offers differs, and its options. */
public class LookupTables {

    private static final ConfigOption<Boolean> ASYNC =
            ConfigOptions.key("lookup.async").booleanType().defaultValue(false);
    private static final ConfigOption<Long> OLD_ROWS =
            ConfigOptions.key("lookup.cache.max-rows").longType().defaultValue(-1L);
    private static final ConfigOption<String> OLD_TTL =
            ConfigOptions.key("lookup.cache.ttl").stringType().defaultValue("10 s");

    public static class Rows extends LookupFunction {
        @Override
        public Collection<RowData> lookup(RowData key) {
            return Collections.emptyList();
        }
    }

    public static class LaterRows extends AsyncLookupFunction {
        @Override
        public CompletableFuture<Collection<RowData>> asyncLookup(RowData key) {
            return CompletableFuture.completedFuture(Collections.emptyList());
        }
    }

    public static class NoRows extends GenericInputFormat<RowData> {
        @Override
        public boolean reachedEnd() {
            return true;
        }

        @Override
        public RowData nextRecord(RowData reused) {
            return null;
        }
    }

    public static class BothProvider implements LookupFunctionProvider, AsyncLookupFunctionProvider {
        @Override
        public LookupFunction createLookupFunction() {
            return new Rows();
        }

        @Override
        public AsyncLookupFunction createAsyncLookupFunction() {
            return new LaterRows();
        }
    }

    /** A source with what its factory chose. */
    public static class Source implements LookupTableSource {
        private final LookupRuntimeProvider provider;

        Source(LookupRuntimeProvider provider) {
            this.provider = provider;
        }

        @Override
        public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
            return provider;
        }

        @Override
        public DynamicTableSource copy() {
            return new Source(provider);
        }

        @Override
        public String asSummaryString() {
            return "lookup";
        }
    }

    private abstract static class SourceMaker implements DynamicTableSourceFactory {
        abstract LookupTableSource.LookupRuntimeProvider provider(ReadableConfig options);

        @Override
        public DynamicTableSource createDynamicTableSource(Context context) {
            FactoryUtil.TableFactoryHelper helper =
                    FactoryUtil.createTableFactoryHelper(this, context);
            helper.validate();
            return new Source(provider(helper.getOptions()));
        }

        @Override
        public Set<ConfigOption<?>> requiredOptions() {
            return Collections.emptySet();
        }

        @Override
        public Set<ConfigOption<?>> optionalOptions() {
            return Collections.emptySet();
        }
    }

    /** It waits for each answer, and SQL can set nothing of it. */
    public static class WaitingFactory extends SourceMaker {
        @Override
        public String factoryIdentifier() {
            return "waiting";
        }

        @Override
        LookupTableSource.LookupRuntimeProvider provider(ReadableConfig options) {
            return LookupFunctionProvider.of(new Rows());
        }
    }

    /** It offers both, and the planner chooses. */
    public static class BothFactory extends SourceMaker {
        @Override
        public String factoryIdentifier() {
            return "both";
        }

        @Override
        LookupTableSource.LookupRuntimeProvider provider(ReadableConfig options) {
            return new BothProvider();
        }
    }

    /** A cache as connectors had before FLIP-221, in their function. */
    public static class OldFactory extends SourceMaker {
        @Override
        public String factoryIdentifier() {
            return "old";
        }

        @Override
        public Set<ConfigOption<?>> optionalOptions() {
            return new HashSet<>(Arrays.asList(OLD_ROWS, OLD_TTL));
        }

        @Override
        LookupTableSource.LookupRuntimeProvider provider(ReadableConfig options) {
            return LookupFunctionProvider.of(new Rows());
        }
    }

    /** Options for both, and for the caches of FLIP-221. */
    public static class ServiceFactory extends SourceMaker {
        @Override
        public String factoryIdentifier() {
            return "service";
        }

        @Override
        public Set<ConfigOption<?>> optionalOptions() {
            return new HashSet<>(
                    Arrays.asList(
                            ASYNC,
                            LookupOptions.CACHE_TYPE,
                            LookupOptions.PARTIAL_CACHE_MAX_ROWS,
                            LookupOptions.PARTIAL_CACHE_EXPIRE_AFTER_WRITE,
                            LookupOptions.PARTIAL_CACHE_EXPIRE_AFTER_ACCESS,
                            LookupOptions.PARTIAL_CACHE_CACHE_MISSING_KEY,
                            LookupOptions.FULL_CACHE_RELOAD_STRATEGY,
                            LookupOptions.FULL_CACHE_PERIODIC_RELOAD_INTERVAL,
                            LookupOptions.FULL_CACHE_PERIODIC_RELOAD_SCHEDULE_MODE));
        }

        @Override
        LookupTableSource.LookupRuntimeProvider provider(ReadableConfig options) {
            switch (options.get(LookupOptions.CACHE_TYPE)) {
                case PARTIAL:
                    DefaultLookupCache cache = DefaultLookupCache.fromConfig(options);
                    return options.get(ASYNC)
                            ? PartialCachingAsyncLookupProvider.of(new LaterRows(), cache)
                            : PartialCachingLookupProvider.of(new Rows(), cache);
                case FULL:
                    return FullCachingLookupProvider.of(
                            InputFormatProvider.of(new NoRows()),
                            PeriodicCacheReloadTrigger.fromConfig(options));
                default:
                    return options.get(ASYNC)
                            ? AsyncLookupFunctionProvider.of(new LaterRows())
                            : LookupFunctionProvider.of(new Rows());
            }
        }
    }
}
