package explorer.rehearsal;

import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.runtime.checkpoint.PrioritizedOperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.StateObjectCollection;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.TaskStateManager;
import org.apache.flink.streaming.runtime.tasks.MultipleInputStreamTask;
import org.apache.flink.streaming.runtime.tasks.OneInputStreamTask;
import org.apache.flink.streaming.runtime.tasks.TwoInputStreamTask;

/**
 * Keyed state handles that Flink does not recognise as a changelog's, until the watched backend asks for them.
 *
 * <p>Where a task sees a changelog's handle, {@code StateBackendLoader} wraps the task's backend once more, and the wrapper
 * casts what the backend makes to a class of Flink's, which a watched one is not. So the watched backend does the wrapping.
 */
final class SavedHandles implements InvocationHandler, Serializable {
    private static final long serialVersionUID = 1L;

    private final KeyedStateHandle handle;

    private SavedHandles(KeyedStateHandle handle) {
        this.handle = handle;
    }

    /** Gives tasks with saved state the classes below, in a graph of which no operators are chained. */
    static void hide(JobGraph job) throws Exception {
        for (JobVertex vertex : job.getVertices()) {
            switch (vertex.getInvokableClassName().replaceAll(".*[.]", "")) {
                case "OneInputStreamTask": Reflection.call(vertex, "setInvokableClass", OneInput.class); break;
                case "TwoInputStreamTask": Reflection.call(vertex, "setInvokableClass", TwoInputs.class); break;
                case "MultipleInputStreamTask": Reflection.call(vertex, "setInvokableClass", ManyInputs.class); break;
                default: break; // an idle source has no saved state
            }
        }
    }

    /** The handles as the savepoint has them. */
    static Collection<KeyedStateHandle> shown(Collection<?> handles) {
        List<KeyedStateHandle> shown = new ArrayList<>();
        for (Object handle : handles) {
            boolean isHidden = handle != null && Proxy.isProxyClass(handle.getClass());
            shown.add(isHidden ? ((SavedHandles) Proxy.getInvocationHandler(handle)).handle : (KeyedStateHandle) handle);
        }
        return shown;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        return WatchedStates.delegate(handle, method, arguments);
    }

    private static KeyedStateHandle hidden(KeyedStateHandle handle) {
        Class<?>[] kinds = {KeyedStateHandle.class};
        return (KeyedStateHandle) Proxy.newProxyInstance(SavedHandles.class.getClassLoader(), kinds, new SavedHandles(handle));
    }

    /** The environment, with a state manager that hands out hidden handles. */
    private static Environment hiding(Environment environment) throws Exception {
        TaskStateManager states = environment.getTaskStateManager();
        InvocationHandler handler = (proxy, method, arguments) -> {
            Object answer = WatchedStates.delegate(states, method, arguments);
            if (answer instanceof PrioritizedOperatorSubtaskState) hide((PrioritizedOperatorSubtaskState) answer);
            return answer;
        };
        Class<?>[] kinds = Reflection.interfaces(states.getClass());
        Reflection.set(environment, "taskStateManager", Proxy.newProxyInstance(SavedHandles.class.getClassLoader(), kinds, handler));
        return environment;
    }

    private static void hide(PrioritizedOperatorSubtaskState state) throws Exception {
        List<StateObjectCollection<KeyedStateHandle>> alternatives = new ArrayList<>();
        for (StateObjectCollection<KeyedStateHandle> handles : state.getPrioritizedManagedKeyedState()) {
            List<KeyedStateHandle> hidden = new ArrayList<>();
            for (KeyedStateHandle handle : handles) hidden.add(hidden(handle));
            alternatives.add(new StateObjectCollection<>(hidden));
        }
        Reflection.set(state, "prioritizedManagedKeyedState", alternatives);
    }

    /** A task with one input. */
    public static final class OneInput<I, O> extends OneInputStreamTask<I, O> {
        public OneInput(Environment environment) throws Exception {
            super(hiding(environment));
        }
    }

    /** A task with two inputs. */
    public static final class TwoInputs<L, R, O> extends TwoInputStreamTask<L, R, O> {
        public TwoInputs(Environment environment) throws Exception {
            super(hiding(environment));
        }
    }

    /** A task with any number of inputs. */
    public static final class ManyInputs<O> extends MultipleInputStreamTask<O> {
        public ManyInputs(Environment environment) throws Exception {
            super(hiding(environment));
        }
    }
}
