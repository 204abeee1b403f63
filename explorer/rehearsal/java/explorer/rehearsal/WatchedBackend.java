package explorer.rehearsal;

import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.state.StateBackend;

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
            return delegate(method, arguments);
        }
        OperatorRecord record = OperatorRecord.of(identifier(arguments));
        record.environment = environment(arguments);
        String phase = method.getName().equals("createOperatorStateBackend") ? "operator state" : "keyed state";
        try {
            Object states = delegate(method, arguments);
            if (phase.equals("keyed state")) record.keyed = states;
            return WatchedStates.of(states, record);
        } catch (Throwable thrown) {
            record.fail(phase, null, thrown);
            throw thrown;
        }
    }

    private Object delegate(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(inner, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
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
