package explorer.rehearsal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.internal.InternalKvState;

/** The stages that saved partial matches of a pattern wait in, and those of the new pattern. Mirrors {@code NFA}. */
final class Stages {
    /** Flink's name of the state with the contents of windows. */
    static final String WINDOWS = "window-contents";

    private static final String MATCHES = "nfaStateName";
    private static final int MAX_MATCHES = 100_000;

    private Stages() {}

    /** The saved stages that the new pattern does not have; null where the operator has no pattern. */
    static List<String> missing(Object operator, KeyedStateBackend<Object> keyed) throws Exception {
        Object pattern = Reflection.get(operator, "nfa");
        Object saved = Reflection.get(operator, "computationStates");
        if (pattern == null || keyed == null || !(saved instanceof ValueState)) return null;
        Set<String> stages = saved(keyed, (ValueState<?>) saved);
        for (Object state : (Collection<?>) Reflection.call(pattern, "getStates")) stages.remove(Reflection.call(state, "getName"));
        return new ArrayList<>(stages);
    }

    @SuppressWarnings("unchecked")
    private static Set<String> saved(KeyedStateBackend<Object> keyed, ValueState<?> state) throws Exception {
        Set<String> stages = new TreeSet<>();
        for (Tuple2<Object, Object> place : SavedKeys.places(keyed, MATCHES, MAX_MATCHES)) {
            keyed.setCurrentKey(place.f0);
            ((InternalKvState<Object, Object, Object>) state).setCurrentNamespace(place.f1);
            Object matches = state.value();
            if (matches == null) continue;
            for (String kind : new String[] {"getPartialMatches", "getCompletedMatches"}) {
                for (Object match : (Collection<?>) Reflection.call(matches, kind)) {
                    stages.add((String) Reflection.call(match, "getCurrentStateName"));
                }
            }
        }
        return stages;
    }
}
