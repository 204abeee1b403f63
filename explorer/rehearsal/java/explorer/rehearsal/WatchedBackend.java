package explorer.rehearsal;

import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collection;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.StateBackendLoader;

/**
 * A state backend that delegates to the program's own and records what operators do with their states.
 *
 * <p>A proxy, since the methods of {@code StateBackend} have other parameters in almost every release.
 */
final class WatchedBackend implements InvocationHandler, Serializable {
    private static final long serialVersionUID = 1L;

    private final StateBackend inner;

    private WatchedBackend(StateBackend inner) {
        this.inner = inner;
    }

    static StateBackend of(StateBackend inner) {
        Class<?>[] kinds = {StateBackend.class};
        return (StateBackend) Proxy.newProxyInstance(WatchedBackend.class.getClassLoader(), kinds, new WatchedBackend(inner));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (!method.getName().startsWith("create") || !method.getName().endsWith("StateBackend")) {
            return WatchedStates.delegate(inner, method, arguments);
        }
        OperatorRecord record = OperatorRecord.of(identifier(arguments));
        record.environment = environment(arguments);
        String phase = method.getName().equals("createOperatorStateBackend") ? "operator state" : "keyed state";
        try {
            Object states = phase.equals("keyed state") ? createKeyed(method, arguments) : WatchedStates.delegate(inner, method, arguments);
            if (phase.equals("keyed state")) record.keyed = states;
            return WatchedStates.of(states, record);
        } catch (Throwable thrown) {
            record.fail(phase, null, thrown);
            throw thrown;
        }
    }

    /** Makes a keyed backend of the saved handles; since 1.16 one without a changelog reads a changelog's, by a wrapper. */
    private Object createKeyed(Method method, Object[] arguments) throws Throwable {
        Object[] shown = arguments.clone();
        Collection<KeyedStateHandle> handles = null;
        for (int at = 0; at < shown.length; at++) {
            if (shown[at] instanceof Collection) shown[at] = handles = SavedHandles.shown((Collection<?>) shown[at]);
            else if (Reflection.method(shown[at].getClass(), "getStateHandles") != null) {
                handles = SavedHandles.shown((Collection<?>) Reflection.call(shown[at], "getStateHandles"));
                shown[at] = parameters(shown[at], handles);
            }
        }
        Object loader = Reflection.call(Reflection.call(environment(arguments), "getUserCodeClassLoader"), "asClassLoader");
        Method wrapper = Reflection.method(StateBackendLoader.class, "loadStateBackendFromKeyedStateHandles", inner, loader, handles);
        Object backend = wrapper == null ? inner : Reflection.invoke(wrapper, null, new Object[] {inner, loader, handles});
        return WatchedStates.delegate(backend, method, shown);
    }

    /** The parameters of a backend, with other handles. */
    private static Object parameters(Object given, Collection<KeyedStateHandle> handles) {
        InvocationHandler handler = (proxy, method, arguments) ->
            method.getName().equals("getStateHandles") ? handles : WatchedStates.delegate(given, method, arguments);
        return Proxy.newProxyInstance(WatchedBackend.class.getClassLoader(), Reflection.interfaces(given.getClass()), handler);
    }

    private static Object environment(Object[] arguments) throws Exception {
        for (Object one : arguments) if (one instanceof Environment) return one;
        return Reflection.call(arguments[0], "getEnv");
    }

    /** The operator identifier: a parameter of its own, or a member of the parameters since 1.19. */
    private static String identifier(Object[] arguments) throws Exception {
        for (Object one : arguments) if (one instanceof String) return (String) one;
        return (String) Reflection.call(arguments[0], "getOperatorIdentifier");
    }
}
