package explorer.rehearsal;

import java.util.LinkedHashMap;
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

    private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");

    final Set<String> restored = new TreeSet<>();
    final Set<String> asked = new TreeSet<>();
    final Set<String> migrated = new TreeSet<>();
    final Map<String, Integer> entries = new LinkedHashMap<>();
    String phase;
    String state;
    Throwable error;

    /** The record of the operator in whose backend identifier the ID occurs. */
    static OperatorRecord of(String identifier) {
        Matcher found = ID.matcher(identifier);
        return ALL.computeIfAbsent(found.find() ? found.group() : identifier, id -> new OperatorRecord());
    }

    static void clear() {
        ALL.clear();
    }

    /** Remembers the first failure of a backend's call. */
    synchronized void fail(String where, String name, Throwable thrown) {
        if (error != null) return;
        phase = where;
        state = name;
        error = thrown;
    }
}
