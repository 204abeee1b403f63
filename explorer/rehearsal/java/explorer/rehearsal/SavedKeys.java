package explorer.rehearsal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateBackend;

/** The keys of restored keyed states. */
final class SavedKeys {
    private static final int MAX_COUNTED = 1_000_000;
    /** Up to so many key groups, a saved key begins with one byte of its group: {@code CompositeKeySerializationUtils}. */
    private static final int ONE_BYTE = 128;

    private SavedKeys() {}

    /** Some keys of the states, in the order of the states. */
    static List<Object> sample(KeyedStateBackend<Object> keyed, Collection<String> states, int most) {
        Set<Object> keys = new LinkedHashSet<>();
        for (String state : states) {
            for (Tuple2<Object, Object> place : places(keyed, state, most)) if (keys.size() < most) keys.add(place.f0);
        }
        return new ArrayList<>(keys);
    }

    /**
     * By state, how many keys it has; a state that cannot be iterated is left out.
     *
     * @param counted which keys are counted
     */
    static Map<String, Integer> count(KeyedStateBackend<Object> keyed, Collection<String> states, Predicate<Object> counted) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (String state : states) {
            Set<Object> keys = new LinkedHashSet<>();
            try (Stream<Tuple2<Object, Object>> all = keyed.getKeysAndNamespaces(state)) {
                for (Iterator<Tuple2<Object, Object>> each = all.iterator(); each.hasNext() && keys.size() < MAX_COUNTED; ) {
                    Object key = each.next().f0;
                    if (counted.test(key)) keys.add(key);
                }
                counts.put(state, keys.size());
            } catch (RuntimeException notIterable) {
                // an unknown key or namespace type: the state is not counted
            }
        }
        return counts;
    }

    /** Whether a task with another number of key groups finds a key where it is saved: in the same group, of as many bytes. */
    static Predicate<Object> foundWith(int read, int written) {
        boolean samePrefix = read > ONE_BYTE == written > ONE_BYTE;
        return key -> samePrefix
            && KeyGroupRangeAssignment.assignToKeyGroup(key, read) == KeyGroupRangeAssignment.assignToKeyGroup(key, written);
    }

    /** Keys and namespaces of a state; empty where it cannot be iterated. */
    static List<Tuple2<Object, Object>> places(KeyedStateBackend<Object> keyed, String state, int most) {
        List<Tuple2<Object, Object>> found = new ArrayList<>();
        try (Stream<Tuple2<Object, Object>> all = keyed.getKeysAndNamespaces(state)) {
            for (Iterator<Tuple2<Object, Object>> each = all.iterator(); each.hasNext() && found.size() < most; ) found.add(each.next());
        } catch (RuntimeException notIterable) {
            found.clear();
        }
        return found;
    }
}
