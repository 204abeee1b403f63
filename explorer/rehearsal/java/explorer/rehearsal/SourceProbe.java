package explorer.rehearsal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.Function;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.functions.util.FunctionUtils;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.io.SimpleVersionedSerialization;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.operators.AbstractUdfStreamOperator;
import org.apache.flink.streaming.api.operators.SimpleOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamMap;
import org.apache.flink.streaming.api.operators.StreamOperatorFactory;
import org.apache.flink.util.SimpleUserCodeClassLoader;

/**
 * Takes the place of a source with saved state: opens the splits, or the function's state, and reads no record.
 *
 * <p>A FLIP-27 source without its coordinator: an enumerator would run in the job manager, and its failure would fail
 * the whole rehearsal.
 */
final class SourceProbe extends RichMapFunction<Long, Long> implements CheckpointedFunction {
    private static final long serialVersionUID = 1L;
    /** Flink's name of the state in {@code SourceOperator}. */
    private static final String SPLITS = "SourceReaderState";

    private final Object source;
    private final String id;

    private SourceProbe(Object source, String id) {
        this.source = source;
        this.id = id;
    }

    /** The operator that takes a source's place; null for a source that keeps no state in a known form. */
    static StreamOperatorFactory<Long> of(StreamOperatorFactory<?> factory, String id) throws Exception {
        Object source = Reflection.get(factory, "source");
        if (!(source instanceof Source)) {
            Object operator = Reflection.get(factory, "operator");
            source = operator instanceof AbstractUdfStreamOperator ? ((AbstractUdfStreamOperator<?, ?>) operator).getUserFunction() : null;
        }
        boolean isKnown = source instanceof Source || source instanceof CheckpointedFunction;
        return isKnown ? SimpleOperatorFactory.of(new StreamMap<>(new SourceProbe(source, id))) : null;
    }

    @Override
    public Long map(Long value) {
        return value;
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) {}

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        if (source instanceof Source) {
            openSplits(splits(context));
        } else {
            FunctionUtils.setFunctionRuntimeContext((Function) source, getRuntimeContext());
            ((CheckpointedFunction) source).initializeState(context);
        }
    }

    private List<SourceSplit> splits(FunctionInitializationContext context) throws Exception {
        ListStateDescriptor<byte[]> descriptor = new ListStateDescriptor<>(SPLITS, BytePrimitiveArraySerializer.INSTANCE);
        @SuppressWarnings("unchecked")
        SimpleVersionedSerializer<SourceSplit> serializer = (SimpleVersionedSerializer<SourceSplit>) ((Source<?, ?, ?>) source).getSplitSerializer();
        List<SourceSplit> splits = new ArrayList<>();
        for (byte[] saved : context.getOperatorStateStore().getListState(descriptor).get()) {
            try {
                splits.add(SimpleVersionedSerialization.readVersionAndDeSerialize(serializer, saved));
            } catch (Exception | LinkageError unreadable) {
                OperatorRecord.withId(id).fail("entry", SPLITS, unreadable);
                throw unreadable;
            }
        }
        return splits;
    }

    /** Hands the splits to a reader; a failure there is reported, since a reader may need its coordinator or the network. */
    @SuppressWarnings("unchecked")
    private void openSplits(List<SourceSplit> splits) {
        OperatorRecord record = OperatorRecord.withId(id);
        try {
            SourceReader<?, SourceSplit> reader = ((Source<?, SourceSplit, ?>) source).createReader(context());
            reader.start();
            reader.addSplits(splits);
        } catch (Throwable thrown) {
            record.readerFailure = thrown;
        }
    }

    private SourceReaderContext context() throws Exception {
        Object metrics = metrics();
        ClassLoader loader = getRuntimeContext().getUserCodeClassLoader();
        InvocationHandler handler = (proxy, method, arguments) -> {
            switch (method.getName()) {
                case "metricGroup": return metrics;
                case "getConfiguration": return new Configuration();
                case "getLocalHostName": return "localhost";
                case "getIndexOfSubtask": return 0;
                case "currentParallelism": return 1;
                case "getUserCodeClassLoader": return SimpleUserCodeClassLoader.create(loader);
                case "hashCode": return System.identityHashCode(proxy);
                case "equals": return proxy == arguments[0];
                default: return null;
            }
        };
        return (SourceReaderContext) Proxy.newProxyInstance(
            SourceProbe.class.getClassLoader(), new Class<?>[] {SourceReaderContext.class}, handler);
    }

    /** The operator's metrics, since 1.14 as those of a reader. */
    private Object metrics() throws Exception {
        Object own = getRuntimeContext().getMetricGroup();
        try {
            Class<?> readers = Class.forName("org.apache.flink.runtime.metrics.groups.InternalSourceReaderMetricGroup");
            for (java.lang.reflect.Method wrap : readers.getMethods()) {
                boolean accepts = wrap.getName().equals("wrap") && wrap.getParameterCount() == 1;
                if (accepts && wrap.getParameterTypes()[0].isInstance(own)) return wrap.invoke(null, own);
            }
        } catch (ClassNotFoundException before14) {
            // a reader then gets the operator's group
        }
        return own;
    }
}
