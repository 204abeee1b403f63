package explorer.rehearsal;

import java.util.Iterator;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.internal.InternalAppendingState;
import org.apache.flink.runtime.state.internal.InternalKvState;

/** Reads a bounded sample of a state's entries with the new program's serializers, in the task's own thread. */
final class StateReader {
    static final int MAX_ENTRIES = 1000;

    private StateReader() {}

    /** The number of entries that were read; null for a state that cannot be iterated. */
    static Integer read(Object backend, Object state, String name) {
        try {
            if (backend instanceof KeyedStateBackend && state instanceof InternalKvState) return readKeyed(backend, state, name);
            if (state instanceof BroadcastState) return count(((BroadcastState<?, ?>) state).immutableEntries());
            if (state instanceof ListState && !(state instanceof InternalKvState)) return count(((ListState<?>) state).get());
            return null;
        } catch (UnsupportedOperationException thrown) {
            return null;
        } catch (Throwable thrown) {
            throw new UnreadableEntryException(thrown);
        }
    }

    @SuppressWarnings("unchecked")
    private static Integer readKeyed(Object backend, Object state, String name) throws Exception {
        KeyedStateBackend<Object> keyed = (KeyedStateBackend<Object>) backend;
        InternalKvState<Object, Object, Object> internal = (InternalKvState<Object, Object, Object>) state;
        Object before = keyed.getCurrentKey();
        int read = 0;
        try (Stream<Tuple2<Object, Object>> all = keyed.getKeysAndNamespaces(name)) {
            for (Iterator<Tuple2<Object, Object>> each = all.iterator(); each.hasNext() && read < MAX_ENTRIES; read++) {
                Tuple2<Object, Object> place = each.next();
                keyed.setCurrentKey(place.f0);
                internal.setCurrentNamespace(place.f1);
                readEntry(internal);
            }
        }
        if (before != null) keyed.setCurrentKey(before);
        return read;
    }

    private static void readEntry(Object state) throws Exception {
        if (state instanceof ValueState) {
            ((ValueState<?>) state).value();
        } else if (state instanceof MapState) {
            Iterable<?> entries = ((MapState<?, ?>) state).entries();
            if (entries != null) for (Object entry : entries) read((java.util.Map.Entry<?, ?>) entry);
        } else if (state instanceof InternalAppendingState) {
            ((InternalAppendingState<?, ?, ?, ?, ?>) state).getInternal();
        }
    }

    /** RocksDB deserializes a map's key and value when they are asked for. */
    private static void read(java.util.Map.Entry<?, ?> entry) {
        entry.getKey();
        entry.getValue();
    }

    private static int count(Iterable<?> elements) {
        int read = 0;
        if (elements != null) for (Iterator<?> each = elements.iterator(); each.hasNext() && read < MAX_ENTRIES; read++) each.next();
        return read;
    }
}
