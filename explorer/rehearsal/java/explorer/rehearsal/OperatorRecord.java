package explorer.rehearsal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What one operator's state backends did: which states they restored, and which were asked for. */
final class OperatorRecord {
    /** By operator ID as 32 hex digits. The tasks run in this JVM, so that a static map reaches them. */
    private static final Map<String, OperatorRecord> ALL = new ConcurrentHashMap<>();

    private static final Map<String, OperatorRecord> BY_SAVED_ID = new ConcurrentHashMap<>();

    private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");

    final Set<String> restored = new TreeSet<>();
    final Set<String> asked = new TreeSet<>();
    final Set<String> migrated = new TreeSet<>();
    final Map<String, Integer> entries = new LinkedHashMap<>();
    final List<TimerQueue> timers = new ArrayList<>();
    /** The task's {@code Environment}, and the keyed state backend without its watching proxy; null before they are made. */
    Object environment;

    Object keyed;
    /** Why the reader of a source did not open its splits; null: it did, or the operator is no source. */
    Throwable readerFailure;

    String phase;
    String state;
    Throwable error;

    /** The record of the operator in whose backend identifier the ID occurs. */
    static OperatorRecord of(String identifier) {
        Matcher found = ID.matcher(identifier);
        return ALL.computeIfAbsent(found.find() ? found.group() : identifier, id -> new OperatorRecord());
    }

    /** The record of the operator that takes the state of this ID. */
    static OperatorRecord withId(String savedId) {
        return BY_SAVED_ID.get(savedId);
    }

    static void register(String savedId, OperatorRecord record) {
        BY_SAVED_ID.put(savedId, record);
    }

    static void clear() {
        ALL.clear();
        BY_SAVED_ID.clear();
    }

    /** The task that runs the operator, a {@code StreamTask}. */
    Object task() throws Exception {
        return Reflection.get(Reflection.get(environment, "containingTask"), "invokable");
    }

    /** Remembers the first failure of a backend's call. */
    synchronized void fail(String where, String name, Throwable thrown) {
        if (error != null) return;
        phase = where;
        state = name;
        error = thrown;
    }
}
