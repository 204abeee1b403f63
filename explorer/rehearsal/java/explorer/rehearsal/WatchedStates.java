package explorer.rehearsal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.state.ListState;

/** One operator's keyed or operator state backend: records the states that are asked for and reads a sample of each. */
final class WatchedStates implements InvocationHandler {
    private static final String[] REGISTRIES = {
        "registeredKVStates", "kvStateInformation", "registeredPQStates", "registeredOperatorStates", "registeredBroadcastStates"
    };
    static final String TIMERS = "_timer_state/";
    /** States whose elements an operator hands to user code when it opens: Flink's own names. */
    private static final Set<String> REPLAYED = Collections.singleton("_async_wait_operator_state_");

    private final Object inner;
    /** The backend that holds the states: the inner one, or what a changelog's delegates to. */
    private final Object holder;
    private final OperatorRecord record;

    private WatchedStates(Object inner, OperatorRecord record) throws Exception {
        this.inner = inner;
        this.holder = holder(inner);
        this.record = record;
    }

    static Object of(Object inner, OperatorRecord record) throws Exception {
        WatchedStates watched = new WatchedStates(inner, record);
        for (String registry : REGISTRIES) {
            Object names = Reflection.get(watched.holder, registry);
            if (names instanceof Map) for (Object name : ((Map<?, ?>) names).keySet()) record.restored.add((String) name);
        }
        return proxy(inner, watched);
    }

    /** What a changelog's backend delegates to: one that writes it, or one that only restores it. */
    static Object holder(Object backend) throws Exception {
        for (String field : new String[] {"keyedStateBackend", "val$keyedStateBackend"}) {
            Object delegated = Reflection.get(backend, field);
            if (delegated != null) return delegated;
        }
        return backend;
    }

    private static Object proxy(Object inner, InvocationHandler handler) {
        return Proxy.newProxyInstance(WatchedStates.class.getClassLoader(), Reflection.interfaces(inner.getClass()), handler);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        String name = stateName(method, arguments);
        if (name == null) return delegate(inner, method, arguments);
        record.asked.add(name);
        Object state = created(method, arguments, name);
        if (record.restored.contains(name)) inspect(state, name);
        if (name.startsWith(TIMERS)) return proxy(state, timers(state, name));
        if (REPLAYED.contains(name) && state instanceof ListState) return proxy(state, emptyList(state));
        return state;
    }

    private TimerQueue timers(Object state, String name) {
        TimerQueue queue = new TimerQueue(state, name);
        record.timers.add(queue);
        return queue;
    }

    private Object created(Method method, Object[] arguments, String name) throws Throwable {
        try {
            return delegate(inner, method, arguments);
        } catch (Throwable thrown) {
            record.fail("state", name, thrown);
            throw thrown;
        }
    }

    /** Finds out whether the state was migrated, then reads a sample of its entries, once. */
    private void inspect(Object state, String name) throws Throwable {
        try {
            if (Migration.happened(registered(name))) record.migrated.add(name);
            if (!record.entries.containsKey(name)) {
                Integer read = StateReader.read(inner, state, name);
                if (read != null) record.entries.put(name, read);
            }
        } catch (UnreadableEntryException thrown) {
            record.fail("entry", name, thrown.getCause());
            throw thrown;
        }
    }

    private Object registered(String name) throws Exception {
        for (String registry : REGISTRIES) {
            Object states = Reflection.get(holder, registry);
            Object found = states instanceof Map ? ((Map<?, ?>) states).get(name) : null;
            if (found != null) return found;
        }
        return null;
    }

    /** The name of the state that a call asks for; null for any other call. */
    private static String stateName(Method method, Object[] arguments) throws Exception {
        if (arguments == null) return null;
        if (method.getName().equals("create") && arguments[0] instanceof String) return (String) arguments[0];
        for (Object one : arguments) {
            if (one == null || !isDescriptor(one.getClass())) continue;
            Object id = Reflection.callIfPresent(one, "getName");
            return (String) (id != null ? id : Reflection.callIfPresent(one, "getStateId"));
        }
        return null;
    }

    /** Both {@code StateDescriptor} classes: the one of asynchronous state changed its package in 2.0. */
    private static boolean isDescriptor(Class<?> kind) {
        for (Class<?> one = kind; one != null; one = one.getSuperclass()) {
            if (one.getSimpleName().equals("StateDescriptor")) return true;
        }
        return false;
    }

    /** A list state that gives no elements and takes all others. */
    private static InvocationHandler emptyList(Object state) {
        return (proxy, method, arguments) ->
            method.getName().equals("get") ? Collections.emptyList() : delegate(state, method, arguments);
    }

    static Object delegate(Object owner, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(owner, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}
